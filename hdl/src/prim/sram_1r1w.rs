//! SRAM with a read and a write port: one read and one write a cycle.
//!
//! ```text
//!                    +-----------------+
//!           write ---|                 |
//!      write_addr ---|  words of W     |---- rdata
//!           wdata ---|  bits, 2^A or   |
//!            read ---|  fewer          |
//!       read_addr ---|                 |
//!           clock ---|>                |
//!                    +-----------------+
//! ```
//!
//! `read`: the word is on `rdata` in the next cycle, held until the next read. A word that is read in the cycle in which it
//! is written is anything: memory compilers do not agree on what that is, and all proofs take any word. Memory and `rdata` have no reset, as
//! in a compiled macro, which can take this module's place. Yosys infers `$mem`.

use crate::unconnected;
use rust_hdl::prelude::*;
use verilog::description::Description;
use verilog::tree::Access;

#[derive(LogicBlock)]
pub struct Sram1r1w<const W: usize, const A: usize> {
    pub clock: Signal<In, Clock>,
    pub write: Signal<In, bool>,
    pub write_addr: Signal<In, Bits<A>>,
    pub wdata: Signal<In, Bits<W>>,
    pub read: Signal<In, bool>,
    pub read_addr: Signal<In, Bits<A>>,
    pub rdata: Signal<Out, Bits<W>>,
    _words: Vec<Bits<W>>,
}

/// 2^A words.
impl<const W: usize, const A: usize> Default for Sram1r1w<W, A> {
    fn default() -> Self {
        Self::new(1 << A)
    }
}

impl<const W: usize, const A: usize> Sram1r1w<W, A> {
    /// `words` of at most 2^A words; what lies above is not accessed.
    pub fn new(words: usize) -> Self {
        assert!((1..=1 << A).contains(&words));
        unconnected!(Self {
            clock, write, write_addr, wdata, read, read_addr, rdata;
            _words: vec![Bits::default(); words],
        })
    }
}

impl<const W: usize, const A: usize> Logic for Sram1r1w<W, A> {
    fn update(&mut self) {
        if !self.clock.pos_edge() {
            return;
        }
        if self.read.val() {
            self.rdata.next = self._words[self.read_addr.val().index()];
        }
        if self.write.val() {
            self._words[self.write_addr.val().index()] = self.wdata.val();
        }
    }

    fn connect(&mut self) {
        self.rdata.connect();
    }

    fn hdl(&self) -> Verilog {
        Verilog::Custom(Description::memory(self._words.len(), W, Access::ReadAndWritePort).to_json())
    }
}
