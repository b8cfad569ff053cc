//! Sorting work redistribution unit (section III-C, figure 3): every `interval` cycles it ranks banks by occupancy, and
//! the most occupied give one ID each to the least occupied. Over the banks of a core (local sorting), or over those of
//! all cores (global sorting).
//!
//! ```text
//!                  tick  +-------------+     +--------+     +---------+
//!  [interval]--------+-->|             |---->| sorter |---->| pairing |---- gives, takes, rank_i, sender
//!                    |   | side_select |     | N = L  |     |         |           |
//!  *_occupancy_i -+-------->           |     +--------+     +----^----+     +-----v-----+--> pop, push, push_id_i
//!                 |      +-------------+                         | may_send |   mover   |--> moving
//!                 |      +--------+                              |          |           |--> out_valid, out_id
//!                 '----->| greedy |------- & send ---------------'          +-----^-----+
//!                        +--------+                       wru_valid, wru_accepted, id_i
//! ```
//!
//! Without conflicts, from the tick in cycle t, with D cycles to the start of the pairs: pop t + D + 1, valid t + D + 2, push
//! t + D + 3, accepted t + D + 4. One ID per pair and interval.

use super::greedy::Greedy;
use super::mover::Mover;
use super::pairing::Pairing;
use super::side_select::SideSelect;
use super::{BANKS_IN_A_CYCLE, ID_BITS};
use crate::kernel;
use crate::prim::counter::Counter;
use crate::prim::register::Register;
use crate::prim::sorter::{self, Sorter};
use rust_hdl::prelude::*;

kernel! {
    /// L lanes, S = log2(L); C bits of occupancy; sorted words of W = C + S bits.
    pub struct WruSorting<const L: usize, const S: usize, const C: usize, const W: usize> {
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
        side_select: SideSelect<L, S, C, W> = SideSelect::new(threshold),
        sorter: Sorter<L, W> = Sorter::new(&network, cut),
        pairing: Pairing<L, S, W> = Pairing::new(threshold),
        greedy_bits: Greedy<L, C> = Greedy::new(threshold),
        mover: Mover<L, S> = Mover::new(interval),

        // Added to the lane numbers of the event under way.
        rotation: Register<Bits<S>>,
        // Side and partition of the event under way.
        serves_pull, event_part: Register<bool>,

        tick: Signal<Local, bool>,
        surplus: Signal<Local, Bits<2>>,
        may_send: Signal<Local, bool>,
    }
    /// `threshold` in work IDs, `interval` in cycles, even and at least 10.
    new(threshold: u64, interval: u64) after {
        // A shorter interval could end before the sorter is through, and two events would meet.
        assert!(interval >= 10 && interval.is_multiple_of(2));
        let mut network = sorter::network(L);
        let cut = sorter_cut(network.len());
        if L > BANKS_IN_A_CYCLE {
            // To choose the side takes a cycle of its own.
            network.insert(0, vec![]);
        }
    }
}

/// Cycles that sorting may take with at most 4 layers a stage.
const SORTER_LATENCY: usize = 4;

/// The fewest layers a stage with which a sorter of `layers` layers takes at most 4 cycles, or 3 if these would be more than 4.
pub fn sorter_cut(layers: usize) -> usize {
    match layers.div_ceil(SORTER_LATENCY) {
        cut @ 0..=4 => cut,
        _ => 3,
    }
}

impl<const L: usize, const S: usize, const C: usize, const W: usize> Logic for WruSorting<L, S, C, W> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, rotation, serves_pull, event_part);
        clock!(self, clock, interval, sorter, pairing, greedy_bits, mover);
        self.interval.reset.next = self.reset.val();
        self.sorter.reset.next = self.reset.val();
        self.pairing.reset.next = self.reset.val();
        self.greedy_bits.reset.next = self.reset.val();
        self.mover.reset.next = self.reset.val();
        self.rotation.reset.next = self.reset.val();
        self.serves_pull.reset.next = self.reset.val();
        self.event_part.reset.next = self.reset.val();

        // A tick starts an event, unless the one before is still under way. A sort is not: it is shorter than an interval.
        self.interval.clear.next = false;
        self.interval.enable.next = true;
        self.tick.next = self.interval.last.val() & (!self.mover.moving.val());
        self.side_select.double_buffer.next = self.double_buffer.val();
        self.side_select.rotation.next = self.rotation.q.val();
        for i in 0..L {
            self.side_select.pull_occupancy[i].next = self.pull_occupancy[i].val();
            self.side_select.push_occupancy[i].next = self.push_occupancy[i].val();
        }
        if self.tick.val() {
            self.serves_pull.d.next = self.side_select.serve_pull.val();
            self.event_part.d.next = self.pull_part.val();
            if !self.side_select.serve_pull.val() {
                self.event_part.d.next = !self.pull_part.val();
            }
        }

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

        // Rank the banks; the result of a sort starts the pairs. It stays until the next sort.
        self.sorter.in_valid.next = self.tick.val();
        for i in 0..L {
            self.sorter.in_item[i].next = self.side_select.word[i].val();
        }
        self.pairing.ranks_valid.next = self.sorter.out_valid.val();
        self.pairing.serve_pull.next = self.serves_pull.q.val();
        self.pairing.may_send.next = self.may_send.val();
        self.pairing.rotation.next = self.rotation.q.val();
        for i in 0..L {
            self.pairing.ranked[i].next = self.sorter.out_item[i].val();
        }
        self.mover.start.next = self.pairing.start.val();
        self.mover.learn.next = self.pairing.learn.val();
        self.mover.part.next = self.event_part.q.val();
        self.mover.gives.next = self.pairing.gives.val();
        self.mover.takes.next = self.pairing.takes.val();
        self.mover.sender.next = self.pairing.sender.val();
        self.mover.wru_valid.next = self.wru_valid.val();
        self.mover.wru_accepted.next = self.wru_accepted.val();
        self.mover.out_ready.next = self.out_ready.val();
        for i in 0..L {
            self.mover.rank[i].next = self.pairing.rank[i].val();
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

        if self.pairing.turn.val() {
            self.rotation.d.next = self.rotation.q.val() + 1;
        }
    }
}
