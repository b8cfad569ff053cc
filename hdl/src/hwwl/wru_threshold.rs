//! Threshold work redistribution unit (section III-C): every `interval` cycles banks above the threshold give one ID each
//! to banks below it, in the order of their numbers from a rotating start.
//!
//! ```text
//!                 tick +------------------+       +----------+
//!  [interval]-------+->|                  |-------|          |---- gives, takes, rank_i, sender
//!                   |  | threshold_select |       | matching |           |
//!  *_occupancy_i -+----->                 |       |          |     +-----v-----+--> pop, push, push_id_i
//!                 |    +------------------+           +----^-----+     |   mover   |--> moving
//!                 |    +--------+                          | may_send  |           |--> out_valid, out_id
//!                 '--->| greedy |------- & send -----------'           +-----^-----+
//!                      +--------+                    wru_valid, wru_accepted, id_i
//! ```
//!
//! Without conflicts, from the tick in cycle t: pop t + 3, valid t + 4, push t + 5, accepted t + 6. One ID per pair and
//! interval. The matching takes two cycles: the banks at the end of the tick, and its limits a cycle later.

use super::greedy::Greedy;
use super::matching::Matching;
use super::mover::Mover;
use super::threshold_select::ThresholdSelect;
use super::ID_BITS;
use crate::kernel;
use crate::prim::counter::Counter;
use crate::prim::register::Register;
use rust_hdl::prelude::*;

kernel! {
    /// L lanes, S = log2(L); C bits of occupancy.
    pub struct WruThreshold<const L: usize, const S: usize, const C: usize> {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, bool>,

        pub double_buffer, pull_part: Signal<In, bool>,
        pub wru_valid, wru_accepted: Signal<In, Bits<L>>,
        pub pull_occupancy, push_occupancy: [Signal<In, Bits<C>>; L],
        pub id: [Signal<In, Bits<ID_BITS>>; L],
        pub send: Signal<In, Bits<2>>,
        pub out_ready: Signal<In, bool>,

        pub pop, push: Signal<Out, Bits<L>>,
        pub part, moving: Signal<Out, bool>,
        pub push_id: [Signal<Out, Bits<ID_BITS>>; L],
        pub out_valid, out_part: Signal<Out, bool>,
        pub out_id: Signal<Out, Bits<ID_BITS>>,
        pub greedy: Signal<Out, Bits<2>>,

        interval: Counter = Counter::new(interval),
        select: ThresholdSelect<L, C> = ThresholdSelect::new(threshold),
        matching: Matching<L, S> = Matching::default(),
        greedy_bits: Greedy<L, C> = Greedy::new(threshold),
        mover: Mover<L, S> = Mover::new(interval),

        // Partition of the event under way.
        event_part: Register<bool>,
        // The tick, one and two cycles later.
        loaded, matched: Register<bool>,

        tick: Signal<Local, bool>,
        surplus: Signal<Local, Bits<2>>,
        may_send: Signal<Local, bool>,
    }
    /// `threshold` in work IDs, `interval` in cycles, even and at least 10.
    new(threshold: u64, interval: u64) after {
        assert!(interval >= 10 && interval.is_multiple_of(2));
    }
}

impl<const L: usize, const S: usize, const C: usize> Logic for WruThreshold<L, S, C> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, event_part);
        clock!(self, clock, interval, greedy_bits, matching, mover, loaded, matched);
        self.interval.reset.next = self.reset.val();
        self.greedy_bits.reset.next = self.reset.val();
        self.mover.reset.next = self.reset.val();
        self.matching.reset.next = self.reset.val();
        self.event_part.reset.next = self.reset.val();
        self.loaded.reset.next = self.reset.val();
        self.matched.reset.next = self.reset.val();

        // A tick starts an event, unless the one before is still under way.
        self.interval.clear.next = false;
        self.interval.enable.next = true;
        self.tick.next = self.interval.last.val() & (!self.mover.moving.val());
        self.select.double_buffer.next = self.double_buffer.val();
        for i in 0..L {
            self.select.pull_occupancy[i].next = self.pull_occupancy[i].val();
            self.select.push_occupancy[i].next = self.push_occupancy[i].val();
        }
        if self.tick.val() {
            self.event_part.d.next = self.pull_part.val();
            if !self.select.serve_pull.val() {
                self.event_part.d.next = !self.pull_part.val();
            }
        }
        self.loaded.d.next = self.tick.val();
        self.matched.d.next = self.loaded.q.val();

        // IDs may go to another core.
        self.greedy_bits.pull_part.next = self.pull_part.val();
        for i in 0..L {
            self.greedy_bits.pull_occupancy[i].next = self.pull_occupancy[i].val();
            self.greedy_bits.push_occupancy[i].next = self.push_occupancy[i].val();
        }
        self.greedy.next = self.greedy_bits.greedy.val();
        self.surplus.next = self.greedy_bits.greedy.val() & self.send.val();
        self.may_send.next = self.surplus.val().get_bit(0) & (!self.mover.out_valid.val());
        if self.event_part.q.val() {
            self.may_send.next = self.surplus.val().get_bit(1) & (!self.mover.out_valid.val());
        }

        // The greedy give to the needy.
        self.matching.turn.next = self.matched.q.val();
        self.matching.may_send.next = self.may_send.val();
        self.matching.load.next = self.tick.val();
        self.matching.greedy_banks.next = self.select.greedy_banks.val();
        self.matching.needy_banks.next = self.select.needy_banks.val();
        self.mover.start.next = self.matched.q.val();
        self.mover.learn.next = self.matched.q.val();
        self.mover.part.next = self.event_part.q.val();
        self.mover.gives.next = self.matching.gives.val();
        self.mover.takes.next = self.matching.takes.val();
        self.mover.sender.next = self.matching.sender.val();
        self.mover.wru_valid.next = self.wru_valid.val();
        self.mover.wru_accepted.next = self.wru_accepted.val();
        self.mover.out_ready.next = self.out_ready.val();
        for i in 0..L {
            self.mover.rank[i].next = self.matching.rank[i].val();
            self.mover.id[i].next = self.id[i].val();
            self.push_id[i].next = self.mover.push_id[i].val();
        }
        self.pop.next = self.mover.pop.val();
        self.push.next = self.mover.push.val();
        self.moving.next = self.mover.moving.val();
        self.part.next = self.event_part.q.val();
        self.out_valid.next = self.mover.out_valid.val();
        self.out_part.next = self.mover.out_part.val();
        self.out_id.next = self.mover.out_id.val();
    }
}
