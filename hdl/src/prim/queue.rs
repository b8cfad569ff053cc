//! First in, first out, with the oldest entry on the pins of a memory.
//!
//! ```text
//!               +-----------------+
//!   push -------|  sram_1r1w      |
//!   push_data --|  D = 2^A words  |---- head_data
//!               |  of W bits      |
//!               +--^-----------^--+
//!                  | tail      | head      +------------+
//!               +--+-----------+--+        | head_valid |---- head_valid
//!               | count           |------->|            |
//!               +-----------------+        +-----^------+
//!                  |                             |
//!              full, empty                     take
//! ```
//!
//! An entry is read, and leaves the D, as soon as nothing is on the pins or `take` takes what is: a push into an empty
//! queue in cycle t is the head from t + 2, and one entry a cycle goes through. `push` never while `full`, `take` only
//! while `head_valid`.

use super::register::Register;
use super::sram_1r1w::Sram1r1w;
use crate::kernel;
use rust_hdl::prelude::*;

kernel! {
    /// D = 2^A entries of W bits; C = A + 1 bits count them.
    pub struct Queue<const W: usize, const A: usize, const C: usize> {
        pub clock: Signal<In, Clock>,
        pub reset, push: Signal<In, bool>,
        pub push_data: Signal<In, Bits<W>>,
        pub take: Signal<In, bool>,
        pub head_valid: Signal<Out, bool>,
        pub head_data: Signal<Out, Bits<W>>,
        pub full, empty: Signal<Out, bool>,

        sram: Sram1r1w<W, A> = Sram1r1w::default(),
        head, tail: Register<Bits<A>>,
        count: Register<Bits<C>>,
        on_pins: Register<bool>,
        read: Signal<Local, bool>,
        entries: Constant<Bits<C>> = Constant::new((1u64 << A).into()),
    } default after {
        assert_eq!(C, A + 1);
    }
}

impl<const W: usize, const A: usize, const C: usize> Logic for Queue<W, A, C> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, head, tail, count);
        clock!(self, clock, sram, on_pins);
        self.head.reset.next = self.reset.val();
        self.tail.reset.next = self.reset.val();
        self.count.reset.next = self.reset.val();
        self.on_pins.reset.next = self.reset.val();

        self.read.next = self.count.q.val().any() & ((!self.on_pins.q.val()) | self.take.val());
        self.on_pins.d.next = self.read.val() | (self.on_pins.q.val() & (!self.take.val()));
        if self.read.val() {
            self.head.d.next = self.head.q.val() + 1;
        }
        if self.push.val() {
            self.tail.d.next = self.tail.q.val() + 1;
        }
        if self.push.val() & (!self.read.val()) {
            self.count.d.next = self.count.q.val() + 1;
        }
        if self.read.val() & (!self.push.val()) {
            self.count.d.next = self.count.q.val() - 1;
        }

        self.sram.write.next = self.push.val();
        self.sram.write_addr.next = self.tail.q.val();
        self.sram.wdata.next = self.push_data.val();
        self.sram.read.next = self.read.val();
        self.sram.read_addr.next = self.head.q.val();

        self.head_valid.next = self.on_pins.q.val();
        self.head_data.next = self.sram.rdata.val();
        self.full.next = self.count.q.val() == self.entries.val();
        self.empty.next = !(self.count.q.val().any() | self.on_pins.q.val());
    }
}
