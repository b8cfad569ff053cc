//! The front end of one SIMD processor of the baseline (section 2, Figs 1 and 7a): S schedulers, and the arbiter of their
//! fetches.
//!
//! ```text
//!                +-------------+ want_*   +---------+
//!  start_0 ... ->| scheduler 0 |--------->|         |
//!  issue_0 ... <-|             |<---------| arbiter |--> fetch_*
//!                +------^------+ granted  |         |<-- fetch_room
//!                      ...                |         |
//!                +-------------+          |         |
//!                | scheduler   |--------->|         |
//!                | S - 1       |          +---------+
//!                +------^------+
//!  fill_* ---[ fills ]--+
//! ```
//!
//! Pins of scheduler s end in `_s`. This block only connects.

use super::b32_arbiter::B32Arbiter;
use super::b32_check::DONE;
use super::b32_fills::B32Fills;
use super::b32_scheduler::B32Scheduler;
use super::record::{RECORD_BITS, WRITES_BITS};
use super::{LINE_BITS, PC_BITS};
use crate::circuit::wiring::Wiring;
use crate::{wire, wired};
use rust_hdl::prelude::*;

wired! {
    /// S schedulers of N places; SB and P bits number a scheduler and a place.
    pub struct B32FrontEnd<const S: usize, const N: usize, const SB: usize, const P: usize> {
        in start, wake: [Signal<In, Bits<N>>; S],
        in room: [Signal<In, Bits<4>>; S],
        in answer_valid: [Signal<In, bool>; S],
        in answer_place: [Signal<In, Bits<P>>; S],
        in answer_next: [Signal<In, Bits<2>>; S],
        in answer_pc: [Signal<In, Bits<PC_BITS>>; S],
        in done_valid: [[Signal<In, bool>; S]; DONE],
        in done_place: [[Signal<In, Bits<P>>; S]; DONE],
        in done_writes: [[Signal<In, Bits<WRITES_BITS>>; S]; DONE],
        in fetch_room, fill_valid: Signal<In, bool>,
        in fill_scheduler: Signal<In, Bits<SB>>,
        in fill_place: Signal<In, Bits<P>>,
        in fill_record: [Signal<In, Bits<RECORD_BITS>>; 2],
        out issue_valid: [Signal<Out, bool>; S],
        out issue_place: [Signal<Out, Bits<P>>; S],
        out issue_pc: [Signal<Out, Bits<PC_BITS>>; S],
        out ready: [Signal<Out, Bits<N>>; S],
        out fetch_valid: Signal<Out, bool>,
        out fetch_scheduler: Signal<Out, Bits<SB>>,
        out fetch_place: Signal<Out, Bits<P>>,
        out fetch_line: Signal<Out, Bits<LINE_BITS>>,
    }
    /// `lowest`: the lowest place issues first, not the next in turn.
    children new(lowest: bool) {
        fills: B32Fills<S, N, SB, P>,
        arbiter: B32Arbiter<S, SB, P>,
        scheduler: Vec<B32Scheduler<N, P>> = (0..S).map(|_| B32Scheduler::new(lowest)).collect(),
    }
}

impl<const S: usize, const N: usize, const SB: usize, const P: usize> B32FrontEnd<S, N, SB, P> {
    fn wire(&mut self, w: &mut Wiring) {
        w.comment(" Fetches and fills.");
        wire!(w: [self.fills] <- [self]: fill_valid, fill_scheduler, fill_place);
        wire!(w: [self.arbiter] <- [self]: clock, reset, fetch_room);
        wire!(w: [self] <- [self.arbiter]: fetch_valid, fetch_scheduler, fetch_place, fetch_line);
        for s in 0..S {
            w.comment(&format!(" Scheduler {s}."));
            self.wire_scheduler(w, s);
        }
    }

    fn wire_scheduler(&mut self, w: &mut Wiring, s: usize) {
        wire!(w: [self.scheduler[s]] <- [self]: clock, reset, fill_place);
        for slot in 0..2 {
            wire!(w: self.scheduler[s].fill_record[slot] <- self.fill_record[slot]);
        }
        wire!(w: [self.scheduler[s]] <- [self][s]: start, wake, room, answer_valid, answer_place, answer_next, answer_pc);
        for k in 0..DONE {
            wire!(w: [self.scheduler[s]][k] <- [self][k][s]: done_valid, done_place, done_writes);
        }
        wire!(w: self.scheduler[s].fill_here <- self.fills.here[s]);
        wire!(w: self.scheduler[s].fills <- self.fills.fills[s]);
        wire!(w: self.scheduler[s].granted <- self.arbiter.granted[s]);
        wire!(w: [self.arbiter][s] <- [self.scheduler[s]]: want_valid, want_place, want_line);
        wire!(w: [self][s] <- [self.scheduler[s]]: issue_valid, issue_place, issue_pc, ready);
    }
}
