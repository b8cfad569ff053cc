//! The modules of the catalogue, and small RustHDL blocks to try the way to Verilog on.

use gen::elaborate::{elaborate_all, elaborate_blocks, About, Design};
use gen::parameters::Parameterised;
use rust_hdl::prelude::*;
use std::sync::LazyLock;
use verilog::description::Description;
use verilog::tree::Access;

/// All modules of the catalogue. They take seconds to elaborate, hence all tests look at the same.
pub static MODULES: LazyLock<Vec<gen::Verilog>> = LazyLock::new(|| elaborate_all(&hdl::catalog::catalog()).unwrap());

/// All modules with parameters, with the parts of every size.
pub static EVERY_SIZE: LazyLock<Parameterised> = LazyLock::new(|| Parameterised::of_every_size(&MODULES));

/// Elaborates one block of the tests under `name`.
pub fn elaborate<B: Block + Default + 'static>(name: &str) -> gen::Result<Design> {
    let mut block = B::default();
    block.connect_all();
    let about = About {
        unit: name.into(),
        summary: "a block of the tests".into(),
        timing: "one bit a cycle".into(),
        paper: "none".into(),
        parameters: [("lanes".to_string(), 4)].into(),
    };
    Ok(Design::of(&elaborate_blocks(&[(name.into(), about, Box::new(block))])?, name))
}

/// A register with synchronous reset.
#[derive(LogicBlock, Default)]
pub struct Reg<const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,
    pub d: Signal<In, Bits<W>>,
    pub q: Signal<Out, Bits<W>>,
}

impl<const W: usize> Logic for Reg<W> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            self.q.next = if self.reset.val() { 0.into() } else { self.d.val() };
        }
    }
    fn connect(&mut self) {
        self.q.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(Description::Register { reset_value: Some("0".into()) }.to_json())
    }
}

/// 16 words of 8 bits, one port.
#[derive(LogicBlock, Default)]
pub struct Ram {
    pub clock: Signal<In, Clock>,
    pub en: Signal<In, bool>,
    pub we: Signal<In, bool>,
    pub addr: Signal<In, Bits<4>>,
    pub wdata: Signal<In, Bits<8>>,
    pub rdata: Signal<Out, Bits<8>>,
}

impl Logic for Ram {
    fn update(&mut self) {}
    fn connect(&mut self) {
        self.rdata.connect();
    }
    fn hdl(&self) -> Verilog {
        Verilog::Custom(Description::memory(16, 8, Access::SinglePort).to_json())
    }
}

/// Writes count upwards, reads count upwards.
#[derive(LogicBlock)]
pub struct Fifo {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,
    pub push: Signal<In, bool>,
    pub pop: Signal<In, bool>,
    pub item: Signal<In, Bits<8>>,
    pub out: Signal<Out, Bits<8>>,
    pub full: Signal<Out, bool>,
    head: Reg<4>,
    tail: Reg<4>,
    ram: Ram,
    limit: Constant<Bits<4>>,
}

impl Default for Fifo {
    fn default() -> Self {
        Fifo {
            clock: Default::default(),
            reset: Default::default(),
            push: Default::default(),
            pop: Default::default(),
            item: Default::default(),
            out: Default::default(),
            full: Default::default(),
            head: Default::default(),
            tail: Default::default(),
            ram: Default::default(),
            limit: Constant::new(15.into()),
        }
    }
}

impl Logic for Fifo {
    #[hdl_gen]
    fn update(&mut self) {
        self.head.clock.next = self.clock.val();
        self.head.reset.next = self.reset.val();
        self.tail.clock.next = self.clock.val();
        self.tail.reset.next = self.reset.val();
        self.ram.clock.next = self.clock.val();
        self.ram.en.next = self.push.val() | self.pop.val();
        self.ram.we.next = self.push.val();
        self.ram.wdata.next = self.item.val();
        self.ram.addr.next = self.head.q.val();
        self.head.d.next = self.head.q.val();
        self.tail.d.next = self.tail.q.val();
        if self.push.val() {
            self.ram.addr.next = self.tail.q.val();
            self.tail.d.next = self.tail.q.val() + 1;
        } else if self.pop.val() {
            self.head.d.next = self.head.q.val() + 1;
        }
        self.out.next = self.ram.rdata.val();
        self.full.next = (self.tail.q.val() - self.head.q.val()) == self.limit.val();
    }
}

/// Four FIFOs side by side.
#[derive(LogicBlock, Default)]
pub struct Lanes {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,
    pub push: Signal<In, Bits<4>>,
    pub pop: Signal<In, Bits<4>>,
    pub item: [Signal<In, Bits<8>>; 4],
    pub out: [Signal<Out, Bits<8>>; 4],
    pub full: Signal<Out, bool>,
    lane: [Fifo; 4],
}

impl Logic for Lanes {
    #[hdl_gen]
    fn update(&mut self) {
        for i in 0..4 {
            self.lane[i].clock.next = self.clock.val();
            self.lane[i].reset.next = self.reset.val();
            self.lane[i].push.next = self.push.val().get_bit(i);
            self.lane[i].pop.next = self.pop.val().get_bit(i);
            self.lane[i].item.next = self.item[i].val();
            self.out[i].next = self.lane[i].out.val();
        }
        self.full.next =
            self.lane[0].full.val() & self.lane[1].full.val() & self.lane[2].full.val() & self.lane[3].full.val();
    }
}
