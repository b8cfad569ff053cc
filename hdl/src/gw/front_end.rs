//! The front end of one SIMD processor (section 6.2, Figs 7b and 9): a storage and an arbiter, and S schedulers.
//!
//! ```text
//!                +---------------------+  look, take, drop, read   +-------------+
//!  fill_* ------>|                     |<--------------------------| scheduler 0 |<--- start_0, wake_0, done_*_0, ...
//!  fetch_* <-----| instruction storage |-------------------------->|             |---> issue_*_0, wave_*_0, ...
//!                +----------^----------+  answer, record           +-------------+
//!                           | ask_*                                       ...
//!                   +-------+-------+     want                     +-------------+
//!  fetch_room ----->| fetch arbiter |<-----------------------------| scheduler   |
//!                   |               |----[ asked ]---------------->| S - 1       |
//!                   +---------------+                              +-------------+
//! ```
//!
//! Pins of scheduler s end in `_s`. This block only connects.

use super::asked::Asked;
use super::fetch_arbiter::FetchArbiter;
use super::instruction_storage::InstructionStorage;
use super::record::{RECORD_BITS, WRITES_BITS};
use super::scheduler::Scheduler;
use super::{LINE_BITS, PC_BITS};
use crate::wiring::Wiring;
use crate::{wire, wire_in, wire_out, wired};
use rust_hdl::prelude::*;

wired! {
    /// S schedulers of N places, H = N / 2 pairs, waves of V lanes, T entries of an SWST, M entries of the storage; SB, P, Q,
    /// G, I, E bits number a scheduler, a place, a pair, a group, an entry of the SWST, an entry of the storage.
    pub struct GwFrontEnd<
        const S: usize,
        const N: usize,
        const H: usize,
        const V: usize,
        const T: usize,
        const M: usize,
        const SB: usize,
        const P: usize,
        const Q: usize,
        const G: usize,
        const I: usize,
        const E: usize,
    > {
        in start: [Signal<In, Bits<N>>; S],
        in wake: [Signal<In, Bits<N>>; S],
        in room: [Signal<In, Bits<4>>; S],
        in even_next: [Signal<In, Bits<2>>; S],
        in even_pc: [Signal<In, Bits<PC_BITS>>; S],
        in even_full: [Signal<In, bool>; S],
        in odd_next: [Signal<In, Bits<2>>; S],
        in odd_pc: [Signal<In, Bits<PC_BITS>>; S],
        in odd_full: [Signal<In, bool>; S],
        in writes: [Signal<In, Bits<WRITES_BITS>>; S],
        in done_even: [[Signal<In, bool>; S]; 2],
        in done_odd: [[Signal<In, bool>; S]; 2],
        in done_pair: [[Signal<In, Bits<Q>>; S]; 2],
        in done_writes: [[Signal<In, Bits<WRITES_BITS>>; S]; 2],
        in done_wave: [Signal<In, bool>; S],
        in done_swid: [Signal<In, Bits<I>>; S],
        in fetch_room: Signal<In, bool>,
        in fill_valid: Signal<In, bool>,
        in fill_entry: Signal<In, Bits<E>>,
        in fill_record: [Signal<In, Bits<RECORD_BITS>>; 2],
        in pairs_on: Signal<In, bool>,
        in waves_on: Signal<In, bool>,
        out issue_even: [Signal<Out, bool>; S],
        out issue_odd: [Signal<Out, bool>; S],
        out issue_pair: [Signal<Out, Bits<Q>>; S],
        out issue_pc: [Signal<Out, Bits<PC_BITS>>; S],
        out issue_wave: [Signal<Out, bool>; S],
        out issue_swid: [Signal<Out, Bits<I>>; S],
        out wave_group: [Signal<Out, Bits<G>>; S],
        out wave_mask: [Signal<Out, Bits<V>>; S],
        out wave_pc: [Signal<Out, Bits<PC_BITS>>; S],
        out ready: [Signal<Out, Bits<N>>; S],
        out scalar: [Signal<Out, Bits<N>>; S],
        out table_full: [Signal<Out, bool>; S],
        out fetch_valid: Signal<Out, bool>,
        out fetch_entry: Signal<Out, Bits<E>>,
        out fetch_line: Signal<Out, Bits<LINE_BITS>>,
        out full: Signal<Out, bool>,
    } children {
        storage: InstructionStorage<S, M, E>,
        arbiter: FetchArbiter<S, SB, P>,
        asked: Asked<S, SB>,
        scheduler: Vec<Scheduler<N, H, V, T, P, Q, G, I, E>>,
    }
}

impl<
        const S: usize,
        const N: usize,
        const H: usize,
        const V: usize,
        const T: usize,
        const M: usize,
        const SB: usize,
        const P: usize,
        const Q: usize,
        const G: usize,
        const I: usize,
        const E: usize,
    > GwFrontEnd<S, N, H, V, T, M, SB, P, Q, G, I, E>
{
    /// `sets` of the storage, a power of two; `age_cap`: cycles after which a scalar wave goes first.
    pub fn new(sets: usize, age_cap: u64) -> Self {
        Self::assemble(
            InstructionStorage::new(sets),
            FetchArbiter::default(),
            Asked::default(),
            (0..S).map(|_| Scheduler::new(age_cap)).collect(),
        )
    }

    fn wire(&mut self, w: &mut Wiring) {
        w.comment(" Storage and arbiter.");
        wire_in!(w: self, [storage]: clock, reset, fetch_room, fill_valid, fill_entry);
        for slot in 0..2 {
            wire!(w: self.storage.fill_record[slot] <- self.fill_record[slot]);
        }
        wire!(w: self.storage.ask_valid <- self.arbiter.ask_valid);
        wire!(w: self.storage.ask_line <- self.arbiter.ask_line);
        wire_out!(w: self, [storage]: fetch_valid, fetch_entry, fetch_line, full);
        wire_in!(w: self, [arbiter]: clock, reset, fetch_room, fill_valid);
        wire!(w: self.asked.ask_valid <- self.arbiter.ask_valid);
        wire!(w: self.asked.ask_scheduler <- self.arbiter.ask_scheduler);
        for s in 0..S {
            w.comment(&format!(" Scheduler {s}."));
            self.wire_pins(w, s);
            self.wire_storage(w, s);
        }
    }

    fn wire_pins(&mut self, w: &mut Wiring, s: usize) {
        wire_in!(w: self, [scheduler[s]]: clock, reset, pairs_on, waves_on);
        wire!(w: self.scheduler[s].start <- self.start[s]);
        wire!(w: self.scheduler[s].wake <- self.wake[s]);
        wire!(w: self.scheduler[s].room <- self.room[s]);
        wire!(w: self.scheduler[s].even_next <- self.even_next[s]);
        wire!(w: self.scheduler[s].even_pc <- self.even_pc[s]);
        wire!(w: self.scheduler[s].even_full <- self.even_full[s]);
        wire!(w: self.scheduler[s].odd_next <- self.odd_next[s]);
        wire!(w: self.scheduler[s].odd_pc <- self.odd_pc[s]);
        wire!(w: self.scheduler[s].odd_full <- self.odd_full[s]);
        wire!(w: self.scheduler[s].writes <- self.writes[s]);
        for k in 0..2 {
            wire!(w: self.scheduler[s].done_even[k] <- self.done_even[k][s]);
            wire!(w: self.scheduler[s].done_odd[k] <- self.done_odd[k][s]);
            wire!(w: self.scheduler[s].done_pair[k] <- self.done_pair[k][s]);
            wire!(w: self.scheduler[s].done_writes[k] <- self.done_writes[k][s]);
        }
        wire!(w: self.scheduler[s].done_wave <- self.done_wave[s]);
        wire!(w: self.scheduler[s].done_swid <- self.done_swid[s]);
        wire!(w: self.issue_even[s] <- self.scheduler[s].issue_even);
        wire!(w: self.issue_odd[s] <- self.scheduler[s].issue_odd);
        wire!(w: self.issue_pair[s] <- self.scheduler[s].issue_pair);
        wire!(w: self.issue_pc[s] <- self.scheduler[s].issue_pc);
        wire!(w: self.issue_wave[s] <- self.scheduler[s].issue_wave);
        wire!(w: self.issue_swid[s] <- self.scheduler[s].issue_swid);
        wire!(w: self.wave_group[s] <- self.scheduler[s].wave_group);
        wire!(w: self.wave_mask[s] <- self.scheduler[s].wave_mask);
        wire!(w: self.wave_pc[s] <- self.scheduler[s].wave_pc);
        wire!(w: self.ready[s] <- self.scheduler[s].ready);
        wire!(w: self.scalar[s] <- self.scheduler[s].scalar);
        wire!(w: self.table_full[s] <- self.scheduler[s].table_full);
    }

    fn wire_storage(&mut self, w: &mut Wiring, s: usize) {
        wire!(w: self.storage.look_valid[s] <- self.scheduler[s].look_valid);
        wire!(w: self.storage.look_line[s] <- self.scheduler[s].look_line);
        wire!(w: self.storage.take_count[s] <- self.scheduler[s].take_count);
        wire!(w: self.storage.take_entry[s] <- self.scheduler[s].take_entry);
        wire!(w: self.storage.drop_count[s] <- self.scheduler[s].drop_count);
        wire!(w: self.storage.drop_entry[s] <- self.scheduler[s].drop_entry);
        wire!(w: self.storage.read[s] <- self.scheduler[s].check_valid);
        wire!(w: self.storage.read_entry[s] <- self.scheduler[s].check_entry);
        wire!(w: self.storage.read_slot[s] <- self.scheduler[s].check_slot);
        wire!(w: self.scheduler[s].answer <- self.storage.answer[s]);
        wire!(w: self.scheduler[s].answer_line <- self.storage.answer_line[s]);
        wire!(w: self.scheduler[s].answer_entry <- self.storage.answer_entry[s]);
        wire!(w: self.scheduler[s].record <- self.storage.record[s]);
        wire!(w: self.arbiter.want_valid[s] <- self.scheduler[s].want_valid);
        wire!(w: self.arbiter.want_place[s] <- self.scheduler[s].want_place);
        wire!(w: self.arbiter.want_line[s] <- self.scheduler[s].want_line);
        wire!(w: self.scheduler[s].asked <- self.asked.asked[s]);
        wire!(w: self.scheduler[s].asked_place <- self.arbiter.ask_place);
    }
}
