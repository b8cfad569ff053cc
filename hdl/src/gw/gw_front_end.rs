//! The front end of one SIMD processor (section 6.2, Figs 7b and 9): a storage and an arbiter, and S schedulers.
//!
//! ```text
//!                +---------------------+  look, address, read, used  +-------------+
//!  fill_* ------>|                     |<----------------------------| scheduler 0 |<--- start_0, wake_0, done_*_0, ...
//!  fetch_* <-----| instruction storage |---------------------------->|             |---> issue_*_0, wave_*_0, ...
//!                +----------^----------+  answer, word, link         +-------------+
//!                           | ask_*                                         ...
//!                   +-------+-------+     want                       +-------------+
//!  fetch_room ----->| fetch arbiter |<-------------------------------| scheduler   |
//!                   |               |----[ asked ]------------------>| S - 1       |
//!                   +---------------+                                +-------------+
//! ```
//!
//! Pins of scheduler s end in `_s`. This block only connects.

use super::asked::Asked;
use super::fetch_arbiter::FetchArbiter;
use super::front_end::line_ahead::LineAhead;
use super::front_end::record::RECORD_BITS;
use super::front_end::scheduler::Scheduler;
use super::front_end::slots::DONE;
use super::front_end::storage::Storage;
use super::front_end::SLOT_BITS;
use super::{LINE_BITS, PC_BITS};
use crate::circuit::wiring::Wiring;
use crate::{wire, wired};
use rust_hdl::prelude::*;

wired! {
    /// S schedulers of N places, H = N / 2 pairs, waves of V lanes, T entries of an SWST, M entries of the storage; SB, P, Q,
    /// G, I, E bits number a scheduler, a place, a pair, a group, an entry of the SWST, an entry of the storage, which has K
    /// ways; L = V x `SLOTS`. X = 1: a scalar can issue at once; D = 1: what is compared can;
    /// A = 1: lines are fetched ahead.
    pub struct GwFrontEnd<
        const S: usize, const N: usize, const H: usize, const V: usize, const T: usize, const M: usize, const SB: usize,
        const P: usize, const Q: usize, const G: usize, const I: usize, const E: usize, const K: usize, const L: usize,
        const X: usize, const D: usize, const A: usize
    > {
        in start, wake: [Signal<In, Bits<N>>; S],
        in room: [Signal<In, Bits<4>>; S],
        in answer_even, answer_odd: [Signal<In, bool>; S],
        in answer_pair: [Signal<In, Bits<Q>>; S],
        in even_next: [Signal<In, Bits<2>>; S],
        in even_pc: [Signal<In, Bits<PC_BITS>>; S],
        in even_full: [Signal<In, bool>; S],
        in odd_next: [Signal<In, Bits<2>>; S],
        in odd_pc: [Signal<In, Bits<PC_BITS>>; S],
        in odd_full: [Signal<In, bool>; S],
        in done_even, done_odd: [[Signal<In, bool>; S]; DONE],
        in done_pair: [[Signal<In, Bits<Q>>; S]; DONE],
        in done_even_slot, done_odd_slot: [[Signal<In, Bits<SLOT_BITS>>; S]; DONE],
        in done_wave: [Signal<In, bool>; S],
        in done_swid: [Signal<In, Bits<I>>; S],
        in fetch_room, fill_valid: Signal<In, bool>,
        in fill_entry: Signal<In, Bits<E>>,
        in fill_record: [Signal<In, Bits<RECORD_BITS>>; 2],
        in pairs_on, waves_on: Signal<In, bool>,
        out issue_even, issue_odd: [Signal<Out, bool>; S],
        out issue_pair: [Signal<Out, Bits<Q>>; S],
        out issue_pc: [Signal<Out, Bits<PC_BITS>>; S],
        out even_slot, odd_slot: [Signal<Out, Bits<SLOT_BITS>>; S],
        out issue_wave: [Signal<Out, bool>; S],
        out issue_swid: [Signal<Out, Bits<I>>; S],
        out wave_group: [Signal<Out, Bits<G>>; S],
        out wave_mask: [Signal<Out, Bits<V>>; S],
        out wave_pc: [Signal<Out, Bits<PC_BITS>>; S],
        out ready, scalar: [Signal<Out, Bits<N>>; S],
        out table_full: [Signal<Out, bool>; S],
        out fetch_valid: Signal<Out, bool>,
        out fetch_entry: Signal<Out, Bits<E>>,
        out fetch_line: Signal<Out, Bits<LINE_BITS>>,
        out full: Signal<Out, bool>,
    }
    /// `sets` of the storage, a power of two; `age_cap`: cycles after which a scalar wave goes first; `lowest`: the lowest place
    /// goes first, not the next in turn.
    children new(sets: usize, age_cap: u64, lowest: bool) {
        storage: Storage<S, M, E, K> = Storage::new(sets),
        arbiter: FetchArbiter<S, SB, P>,
        ahead: Vec<LineAhead<S, M, E>> = (0..A).map(|_| LineAhead::default()).collect(),
        asked: Asked<S, SB>,
        scheduler: Vec<Scheduler<N, H, V, T, P, Q, G, I, E, K, L, X, D>> =
            (0..S).map(|_| Scheduler::new(age_cap, lowest)).collect(),
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
        const K: usize,
        const L: usize,
        const X: usize,
        const D: usize,
        const A: usize,
    > GwFrontEnd<S, N, H, V, T, M, SB, P, Q, G, I, E, K, L, X, D, A>
{
    fn wire(&mut self, w: &mut Wiring) {
        w.comment(" Storage and arbiter.");
        wire!(w: [self.storage] <- [self]: clock, reset, fetch_room, fill_valid, fill_entry);
        for slot in 0..2 {
            wire!(w: self.storage.fill_record[slot] <- self.fill_record[slot]);
        }
        wire!(w: [self] <- [self.storage]: fetch_valid, fetch_entry, fetch_line);
        wire!(w: [self.arbiter] <- [self]: clock, reset, fill_valid);
        match A {
            0 => self.wire_asks(w),
            _ => self.wire_ahead(w),
        }
        wire!(w: [self.asked] <- [self.arbiter]: ask_valid, ask_scheduler);
        for s in 0..S {
            w.comment(&format!(" Scheduler {s}."));
            self.wire_pins(w, s);
            self.wire_storage(w, s);
        }
    }

    fn wire_asks(&mut self, w: &mut Wiring) {
        wire!(w: [self.storage] <- [self.arbiter]: ask_valid, ask_line);
        wire!(w: self.full <- self.storage.full);
        wire!(w: self.arbiter.fetch_room <- self.storage.ask_room);
        for s in 0..S {
            wire!(w: [self.scheduler[s]] <- [self.arbiter]: ask_line);
        }
    }

    fn wire_ahead(&mut self, w: &mut Wiring) {
        w.comment(" The line ahead.");
        wire!(w: [self.ahead[0]] <- [self]: clock, reset, fill_valid);
        wire!(w: [self.ahead[0]] <- [self.arbiter]: ask_valid, ask_line);
        wire!(w: [self.ahead[0]] <- [self.storage]: ask_room, fetch_valid, fetch_entry, fetch_line);
        wire!(w: self.ahead[0].found_none <- self.storage.full);
        wire!(w: self.storage.ask_valid <- self.ahead[0].line_ask_valid);
        wire!(w: self.storage.ask_line <- self.ahead[0].line_ask_line);
        wire!(w: self.full <- self.ahead[0].full);
        wire!(w: self.arbiter.fetch_room <- self.ahead[0].room);
        for s in 0..S {
            wire!(w: self.ahead[0].answer[s] <- self.storage.answer[s]);
            wire!(w: self.ahead[0].answer_entry[s] <- self.storage.answer_entry[s]);
            wire!(w: self.ahead[0].look_line[s] <- self.scheduler[s].look_line);
            wire!(w: self.scheduler[s].ask_line <- self.ahead[0].line_ask_line);
        }
    }

    fn wire_pins(&mut self, w: &mut Wiring, s: usize) {
        wire!(w: [self.scheduler[s]] <- [self]: clock, reset, pairs_on, waves_on, fill_valid, fill_entry);
        wire!(w: [self.scheduler[s]] <- [self][s]: start, wake, room, answer_even, answer_odd, answer_pair, even_next,
            even_pc, even_full, odd_next, odd_pc, odd_full, done_wave, done_swid);
        for k in 0..DONE {
            wire!(w: [self.scheduler[s]][k] <- [self][k][s]: done_even, done_odd, done_pair, done_even_slot,
                done_odd_slot);
        }
        wire!(w: [self][s] <- [self.scheduler[s]]: issue_even, issue_odd, issue_pair, issue_pc, even_slot, odd_slot,
            issue_wave, issue_swid, wave_group, wave_mask, wave_pc, ready, scalar, table_full);
    }

    fn wire_storage(&mut self, w: &mut Wiring, s: usize) {
        wire!(w: [self.storage][s] <- [self.scheduler[s]]: look_valid, look_follows, look_line, look_from,
            address_valid, address_entry, read_end, read_entry, used_ways);
        wire!(w: [self.scheduler[s]] <- [self.storage][s]: answer, answer_entry, link_valid, link, word);
        wire!(w: [self.scheduler[s]] <- [self.storage]: fetch_valid, fetch_entry);
        wire!(w: [self.arbiter][s] <- [self.scheduler[s]]: want_valid, want_place, want_line);
        wire!(w: self.scheduler[s].asked <- self.asked.asked[s]);
        wire!(w: self.scheduler[s].asked_place <- self.arbiter.ask_place);
    }
}
