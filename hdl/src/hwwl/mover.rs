//! Moves the IDs of a redistribution event (section III-C): from givers to takers, and from the sender to another core.
//!
//! ```text
//!  start, gives, takes, sender          +--------------+
//!  ------------------------------------>|    giving    |--> pop
//!                     wru_valid ------->|   awaiting   |
//!                  wru_accepted ------->|    taking    |--> push, moving
//!                                       +------+-------+
//!                              donor_i         |
//!                                       +------v-------+
//!                          id_i ------->|   crossbar   |--> push_id_i
//!                             |         +--------------+
//!                             |         +--------------+
//!                             '-------->|  departure   |--> out_valid, out_part, out_id
//!                                       +--------------+
//! ```
//!
//! All pairs of an event start in the same cycle and go on in step: a cycle of requests (`pop` to givers, `push` to
//! takers), a cycle of answers. Each bank is in one pair at most, so that a bit per lane holds all the state: asked for
//! an ID (`giving`), waiting for the giver's (`awaiting`), being offered one (`taking`). A giver that has no free cycle is
//! given up after interval / 2 attempts; an ID on its way is offered until it is accepted. Who gives to whom is not needed
//! before the first answer: the ranks come with `learn`, in the cycle of `start` or in the next one.

use super::departure::Departure;
use super::ID_BITS;
use crate::kernel;
use crate::prim::counter::Counter;
use crate::prim::crossbar::Crossbar;
use crate::prim::register::Register;
use rust_hdl::prelude::*;

kernel! {
    /// L lanes, S = log2(L).
    pub struct Mover<const L: usize, const S: usize> {
        pub clock: Signal<In, Clock>,
        pub reset: Signal<In, bool>,

        pub start, part: Signal<In, bool>,
        pub gives, takes, sender: Signal<In, Bits<L>>,
        pub learn: Signal<In, bool>,
        pub rank: [Signal<In, Bits<S>>; L],
        pub wru_valid, wru_accepted: Signal<In, Bits<L>>,
        pub id: [Signal<In, Bits<ID_BITS>>; L],
        pub out_ready: Signal<In, bool>,

        pub pop, push: Signal<Out, Bits<L>>,
        pub moving: Signal<Out, bool>,
        pub push_id: [Signal<Out, Bits<ID_BITS>>; L],
        pub out_valid, out_part: Signal<Out, bool>,
        pub out_id: Signal<Out, Bits<ID_BITS>>,

        attempts: Counter = Counter::new(interval / 2),
        crossbar: Crossbar<L, ID_BITS, S> = Crossbar::default(),
        departure: Departure<L> = Departure::default(),

        // High in cycles of answers, low in cycles of requests.
        answers: Register<bool>,
        giving, awaiting, taking, sending: Register<Bits<L>>,

        answered, arrived: Signal<Local, Bits<L>>,

        no_lanes: Constant<Bits<L>> = Constant::new(0.into()),
    }
    /// `interval` in cycles.
    new(interval: u64) after {}
}

impl<const L: usize, const S: usize> Logic for Mover<L, S> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, giving, awaiting, taking, sending);
        clock!(self, clock, attempts, crossbar, departure, answers);
        self.attempts.reset.next = self.reset.val();
        self.departure.reset.next = self.reset.val();
        self.answers.reset.next = self.reset.val();
        self.giving.reset.next = self.reset.val();
        self.awaiting.reset.next = self.reset.val();
        self.taking.reset.next = self.reset.val();
        self.sending.reset.next = self.reset.val();

        // Requests.
        self.moving.next = self.giving.q.val().any() | self.taking.q.val().any();
        self.pop.next = self.no_lanes.val();
        self.push.next = self.no_lanes.val();
        if !self.answers.q.val() {
            self.pop.next = self.giving.q.val();
            self.push.next = self.taking.q.val();
        }
        self.answers.d.next = self.moving.val() & (!self.answers.q.val());

        // Answers: an ID arrives at the taker whose giver has one, or leaves for another core.
        self.answered.next = self.no_lanes.val();
        if self.answers.q.val() {
            self.answered.next = self.giving.q.val() & self.wru_valid.val();
        }
        self.crossbar.reset.next = self.reset.val();
        self.crossbar.learn.next = self.learn.val();
        self.crossbar.offered.next = self.answered.val();
        self.crossbar.wanted.next = self.awaiting.q.val();
        self.departure.arrives.next = self.answered.val() & self.sending.q.val();
        for i in 0..L {
            self.crossbar.rank[i].next = self.rank[i].val();
            self.crossbar.data_in[i].next = self.id[i].val();
            self.departure.id[i].next = self.id[i].val();
            self.push_id[i].next = self.crossbar.data_out[i].val();
        }
        self.departure.part.next = self.part.val();
        self.departure.out_ready.next = self.out_ready.val();
        self.out_valid.next = self.departure.out_valid.val();
        self.out_part.next = self.departure.out_part.val();
        self.out_id.next = self.departure.out_id.val();

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
        if self.start.val() {
            self.giving.d.next = self.gives.val();
            self.awaiting.d.next = self.takes.val();
            self.sending.d.next = self.sender.val();
        }
    }
}
