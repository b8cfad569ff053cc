//! Local sorting work redistribution unit (section III-C, figure 3): every `interval` cycles it ranks a core's banks by
//! occupancy, and the most occupied give one ID each to the least occupied.
//!
//! ```text
//!                  tick  +-------------+     +--------+     +---------+  gives, takes, donor_i
//!  [interval]--------+-->|             |---->| sorter |---->| pairing |------+
//!                    |   | side_select |     | N = L  |     |         |      |
//!  *_occupancy_i ---------->           |     +--------+     +---------+      v
//!                        +-------------+                              +--------------+
//!                                                 wru_valid --------->|    giving    |--> pop
//!                                                                     |   awaiting   |
//!                                              wru_accepted --------->|    taking    |--> push
//!                                                                     +------+-------+
//!                                                                            | donor_i
//!                                                                     +------v-------+
//!                                                      id_i --------->|   crossbar   |--> push_id_i
//!                                                                     +--------------+
//! ```
//!
//! All pairs of an event start in the same cycle and go on in step: a cycle of requests (`pop` to givers, `push` to
//! takers), a cycle of answers. Each bank is in one pair at most, so that a bit per lane holds all the state: asked for
//! an ID (`giving`), waiting for the donor's (`awaiting`), being offered one (`taking`). A giver that has no free cycle is
//! given up after interval / 2 attempts; an ID on its way is offered until it is accepted.
//!
//! Without conflicts, from the tick in cycle t, with a sorter of latency D: pop t + D + 1, valid t + D + 2, push
//! t + D + 3, accepted t + D + 4. One ID per pair and interval.

use super::pairing::Pairing;
use super::side_select::SideSelect;
use super::ID_BITS;
use crate::prim::counter::Counter;
use crate::prim::crossbar::Crossbar;
use crate::prim::register::{DataRegister, Register};
use crate::prim::sorter::{self, Sorter};
use rust_hdl::prelude::*;
use std::array::from_fn;

/// L lanes, S = log2(L); C bits of occupancy; sorted words of W = C + S bits.
#[derive(LogicBlock)]
pub struct WruSorting<const L: usize, const S: usize, const C: usize, const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,

    pub double_buffer: Signal<In, bool>,
    pub pull_part: Signal<In, bool>,
    pub wru_valid: Signal<In, Bits<L>>,
    pub wru_accepted: Signal<In, Bits<L>>,
    pub pull_occupancy: [Signal<In, Bits<C>>; L],
    pub push_occupancy: [Signal<In, Bits<C>>; L],
    pub id: [Signal<In, Bits<ID_BITS>>; L],

    pub pop: Signal<Out, Bits<L>>,
    pub push: Signal<Out, Bits<L>>,
    pub part: Signal<Out, bool>,
    pub moving: Signal<Out, bool>,
    pub push_id: [Signal<Out, Bits<ID_BITS>>; L],

    interval: Counter,
    side_select: SideSelect<L, S, C, W>,
    sorter: Sorter<L, W>,
    pairing: Pairing<L, S, W>,
    attempts: Counter,
    crossbar: Crossbar<L, ID_BITS, S>,

    /// Added to the lane numbers of the event under way.
    rotation: Register<Bits<S>>,
    /// Side and partition of the event under way.
    serves_pull: Register<bool>,
    event_part: Register<bool>,
    /// High in cycles of answers, low in cycles of requests.
    answers: Register<bool>,
    giving: Register<Bits<L>>,
    awaiting: Register<Bits<L>>,
    taking: Register<Bits<L>>,
    donor: [DataRegister<Bits<S>>; L],

    tick: Signal<Local, bool>,
    start: Signal<Local, bool>,
    answered: Signal<Local, Bits<L>>,
    arrived: Signal<Local, Bits<L>>,

    no_lanes: Constant<Bits<L>>,
}

impl<const L: usize, const S: usize, const C: usize, const W: usize> WruSorting<L, S, C, W> {
    /// `threshold` in work IDs, `interval` in cycles, even and at least 10.
    pub fn new(threshold: u64, interval: u64) -> Self {
        // A shorter interval could end before the sorter is through, and two events would meet.
        assert!(interval >= 10 && interval.is_multiple_of(2));
        let network = sorter::network(L);
        let cut = sorter_cut(network.len());
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            double_buffer: Signal::default(),
            pull_part: Signal::default(),
            wru_valid: Signal::default(),
            wru_accepted: Signal::default(),
            pull_occupancy: from_fn(|_| Signal::default()),
            push_occupancy: from_fn(|_| Signal::default()),
            id: from_fn(|_| Signal::default()),
            pop: Signal::default(),
            push: Signal::default(),
            part: Signal::default(),
            moving: Signal::default(),
            push_id: from_fn(|_| Signal::default()),
            interval: Counter::new(interval),
            side_select: SideSelect::new(threshold),
            sorter: Sorter::new(&network, cut),
            pairing: Pairing::new(threshold),
            attempts: Counter::new(interval / 2),
            crossbar: Crossbar::default(),
            rotation: Register::default(),
            serves_pull: Register::default(),
            event_part: Register::default(),
            answers: Register::default(),
            giving: Register::default(),
            awaiting: Register::default(),
            taking: Register::default(),
            donor: from_fn(|_| DataRegister::default()),
            tick: Signal::default(),
            start: Signal::default(),
            answered: Signal::default(),
            arrived: Signal::default(),
            no_lanes: Constant::new(0.into()),
        }
    }
}

/// Most cycles that sorting may take.
const SORTER_LATENCY: usize = 4;

/// The fewest layers a stage with which a sorter of `layers` layers takes at most [`SORTER_LATENCY`] cycles.
pub fn sorter_cut(layers: usize) -> usize {
    layers.div_ceil(SORTER_LATENCY)
}

impl<const L: usize, const S: usize, const C: usize, const W: usize> Logic for WruSorting<L, S, C, W> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, rotation, serves_pull, event_part, giving, awaiting, taking);
        clock!(self, clock, interval, sorter, attempts, crossbar, answers);
        self.interval.reset.next = self.reset.val();
        self.sorter.reset.next = self.reset.val();
        self.attempts.reset.next = self.reset.val();
        self.rotation.reset.next = self.reset.val();
        self.serves_pull.reset.next = self.reset.val();
        self.event_part.reset.next = self.reset.val();
        self.answers.reset.next = self.reset.val();
        self.giving.reset.next = self.reset.val();
        self.awaiting.reset.next = self.reset.val();
        self.taking.reset.next = self.reset.val();

        // A tick starts an event, unless the one before is still under way. A sort is not: it is shorter than an interval.
        self.moving.next = self.giving.q.val().any() | self.taking.q.val().any();
        self.interval.clear.next = false;
        self.interval.enable.next = true;
        self.tick.next = self.interval.last.val() & (!self.moving.val());
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
        self.part.next = self.event_part.q.val();

        // Rank the banks.
        self.sorter.in_valid.next = self.tick.val();
        for i in 0..L {
            self.sorter.in_item[i].next = self.side_select.word[i].val();
        }
        self.start.next = self.sorter.out_valid.val();
        self.pairing.serve_pull.next = self.serves_pull.q.val();
        self.pairing.rotation.next = self.rotation.q.val();
        for i in 0..L {
            self.pairing.ranked[i].next = self.sorter.out_item[i].val();
            self.donor[i].clock.next = self.clock.val();
            self.donor[i].enable.next = self.start.val();
            self.donor[i].d.next = self.pairing.donor[i].val();
        }

        // Requests.
        self.pop.next = self.no_lanes.val();
        self.push.next = self.no_lanes.val();
        if !self.answers.q.val() {
            self.pop.next = self.giving.q.val();
            self.push.next = self.taking.q.val();
        }
        self.answers.d.next = self.moving.val() & (!self.answers.q.val());

        // Answers: an ID arrives at the taker whose donor has one.
        self.answered.next = self.no_lanes.val();
        if self.answers.q.val() {
            self.answered.next = self.giving.q.val() & self.wru_valid.val();
        }
        self.crossbar.offered.next = self.answered.val();
        self.crossbar.wanted.next = self.awaiting.q.val();
        for i in 0..L {
            self.crossbar.source[i].next = self.donor[i].q.val();
            self.crossbar.data_in[i].next = self.id[i].val();
            self.push_id[i].next = self.crossbar.data_out[i].val();
        }
        self.arrived.next = self.crossbar.taken.val();
        self.attempts.clear.next = self.start.val();
        self.attempts.enable.next = self.answers.q.val();
        if self.answers.q.val() {
            self.giving.d.next = self.giving.q.val() & (!self.answered.val());
            self.awaiting.d.next = self.awaiting.q.val() & (!self.arrived.val());
            self.taking.d.next = (self.taking.q.val() & (!self.wru_accepted.val())) | self.arrived.val();
            if self.attempts.last.val() {
                self.giving.d.next = self.no_lanes.val();
                self.awaiting.d.next = self.no_lanes.val();
            }
        }

        // The result of a sort starts the pairs.
        if self.start.val() {
            self.rotation.d.next = self.rotation.q.val() + 1;
            self.giving.d.next = self.pairing.gives.val();
            self.awaiting.d.next = self.pairing.takes.val();
        }
    }
}
