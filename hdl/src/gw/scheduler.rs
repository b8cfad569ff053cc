//! What one scheduler needs (Fig 9): the state of its warps, what they wait for, and what issues.
//!
//! ```text
//!            +--------+ check_warps   +------------+ ready, waits, path_i
//!  look_* <--| warp   |----------+--->| scoreboard |---------------+---------+
//!  want_* <--| status |          |    +------^-----+               |         |
//!  read_* <--| table  |          |    +------|-------+ scalar      |         |
//!  take_* <--|        |-- full --|--->| register map |---+---------|--+      |
//!  drop_* <--|        |          |    +--------------+   |         |  |      |
//!            |        |-- pc_i --|-------------+---------|--+   +--v--v------v---+
//!  start --->|        |-- same --|-------------|---------|--|-->| pair scheduler |---> issue_even, issue_odd, issue_pair
//!  wake ---->|        |          |             |      +--v--v-+ |                |
//!  next ---->+---^----+       clear_*          +----->| swfu  |>|                |---> issue_wave, issue_swid
//!  answer_* -----+               |                    +-------+ +----------------+
//!                      +---------+------------+          | wave_*_i
//!  done_wave_* ------->| scalar wave scoreboard|     [ issued ]------------------------> issue_pc, wave_*
//!                      +----------------------+
//! ```
//!
//! From issue to issue of a warp: 4 cycles within an entry of the storage, 6 with a look-up that hits.

use super::issued::Issued;
use super::pair_scheduler::PairScheduler;
use super::record::{RECORD_BITS, WRITES_BITS};
use super::scalar_register_map::ScalarRegisterMap;
use super::scalar_wave_scoreboard::ScalarWaveScoreboard;
use super::scoreboard::Scoreboard;
use super::swfu::Swfu;
use super::warp_status_table::WarpStatusTable;
use super::{DROP_BITS, LINE_BITS, PC_BITS, TAKE_BITS};
use crate::wiring::Wiring;
use crate::{wire, wired};
use rust_hdl::prelude::*;

wired! {
    /// N places, H = N / 2 pairs, waves of V lanes, T entries of the SWST; P, Q, G, I bits number a place, a pair, a group,
    /// an entry of the SWST, and E an entry of the storage.
    pub struct Scheduler<
        const N: usize, const H: usize, const V: usize, const T: usize, const P: usize, const Q: usize,
        const G: usize, const I: usize, const E: usize
    > {
        in start, wake: Signal<In, Bits<N>>,
        in room: Signal<In, Bits<4>>,
        in even_next: Signal<In, Bits<2>>,
        in even_pc: Signal<In, Bits<PC_BITS>>,
        in even_full: Signal<In, bool>,
        in odd_next: Signal<In, Bits<2>>,
        in odd_pc: Signal<In, Bits<PC_BITS>>,
        in odd_full: Signal<In, bool>,
        in writes: Signal<In, Bits<WRITES_BITS>>,
        in done_even, done_odd: [Signal<In, bool>; 2],
        in done_pair: [Signal<In, Bits<Q>>; 2],
        in done_writes: [Signal<In, Bits<WRITES_BITS>>; 2],
        in done_wave: Signal<In, bool>,
        in done_swid: Signal<In, Bits<I>>,
        in pairs_on, waves_on: Signal<In, bool>,
        in answer: Signal<In, Bits<2>>,
        in answer_line: Signal<In, Bits<LINE_BITS>>,
        in answer_entry: Signal<In, Bits<E>>,
        in record: Signal<In, Bits<RECORD_BITS>>,
        in asked: Signal<In, bool>,
        in asked_place: Signal<In, Bits<P>>,
        out issue_even, issue_odd: Signal<Out, bool>,
        out issue_pair: Signal<Out, Bits<Q>>,
        out issue_pc: Signal<Out, Bits<PC_BITS>>,
        out issue_wave: Signal<Out, bool>,
        out issue_swid: Signal<Out, Bits<I>>,
        out wave_group: Signal<Out, Bits<G>>,
        out wave_mask: Signal<Out, Bits<V>>,
        out wave_pc: Signal<Out, Bits<PC_BITS>>,
        out ready, scalar: Signal<Out, Bits<N>>,
        out table_full, look_valid: Signal<Out, bool>,
        out look_line: Signal<Out, Bits<LINE_BITS>>,
        out want_valid: Signal<Out, bool>,
        out want_place: Signal<Out, Bits<P>>,
        out want_line: Signal<Out, Bits<LINE_BITS>>,
        out check_valid: Signal<Out, bool>,
        out check_entry: Signal<Out, Bits<E>>,
        out check_slot: Signal<Out, bool>,
        out take_count: Signal<Out, Bits<TAKE_BITS>>,
        out take_entry: Signal<Out, Bits<E>>,
        out drop_count: Signal<Out, Bits<DROP_BITS>>,
        out drop_entry: Signal<Out, Bits<E>>,
    }
    /// `age_cap`: cycles after which a scalar wave goes first.
    children new(age_cap: u64) {
        status: WarpStatusTable<N, H, V, P, Q, G, E>,
        scoreboard: Scoreboard<N, V, Q, G>,
        registers: ScalarRegisterMap<N>,
        swfu: Swfu<N, V, T, G, I> = Swfu::new(age_cap),
        waves: ScalarWaveScoreboard<V, T, G, I>,
        pairs: PairScheduler<N, H, Q, I>,
        issued: Issued<N, V, T, Q, G, I>,
    }
}

impl<
        const N: usize,
        const H: usize,
        const V: usize,
        const T: usize,
        const P: usize,
        const Q: usize,
        const G: usize,
        const I: usize,
        const E: usize,
    > Scheduler<N, H, V, T, P, Q, G, I, E>
{
    fn wire(&mut self, w: &mut Wiring) {
        self.wire_status(w);
        self.wire_scoreboard(w);
        self.wire_registers(w);
        self.wire_swfu(w);
        self.wire_waves(w);
        self.wire_pairs(w);
        self.wire_issued(w);
    }

    fn wire_status(&mut self, w: &mut Wiring) {
        w.comment(" Warp status table.");
        wire!(w: [self.status] <- [self]: clock, reset, start, wake, answer, answer_line, answer_entry, even_next,
            even_pc, even_full, odd_next, odd_pc, odd_full, asked, asked_place);
        wire!(w: [self.status] <- [self.pairs]: issue_even, issue_odd, issue_pair, issue_wave);
        wire!(w: self.status.wave_group <- self.issued.issue_group);
        wire!(w: self.status.wave_mask <- self.issued.issue_mask);
        wire!(w: [self.status] <- [self.scoreboard]: ready, waits);
        wire!(w: [self] <- [self.status]: look_valid, look_line, want_valid, want_place, want_line, check_valid,
            check_entry, check_slot, take_count, take_entry, drop_count, drop_entry);
    }

    fn wire_scoreboard(&mut self, w: &mut Wiring) {
        w.comment(" Scoreboard.");
        wire!(w: [self.scoreboard] <- [self]: clock, reset, record);
        wire!(w: self.scoreboard.check_warps <- self.status.check_warps);
        wire!(w: [self.scoreboard] <- [self.pairs]: issue_even, issue_odd, issue_pair, issue_wave);
        wire!(w: self.scoreboard.wave_group <- self.issued.issue_group);
        wire!(w: self.scoreboard.wave_mask <- self.issued.issue_mask);
        for k in 0..2 {
            wire!(w: [self.scoreboard][k] <- [self][k]: done_even, done_odd, done_pair, done_writes);
        }
        wire!(w: [self.scoreboard] <- [self.waves]: clear_valid, clear_group, clear_mask, clear_writes);
        wire!(w: self.ready <- self.scoreboard.ready);
    }

    fn wire_registers(&mut self, w: &mut Wiring) {
        w.comment(" Scalar register map.");
        wire!(w: [self.registers] <- [self]: clock, reset, start, record, waves_on);
        wire!(w: [self.registers] <- [self.status]: check_warps, full);
        wire!(w: self.scalar <- self.registers.scalar);
    }

    fn wire_swfu(&mut self, w: &mut Wiring) {
        w.comment(" Scalar-wave formation.");
        wire!(w: [self.swfu] <- [self]: clock, reset, done_swid);
        wire!(w: self.swfu.done_valid <- self.done_wave);
        wire!(w: self.swfu.ready <- self.scoreboard.ready);
        wire!(w: self.swfu.scalar <- self.registers.scalar);
        for place in 0..N {
            wire!(w: self.swfu.pc[place] <- self.status.pc[place]);
            wire!(w: self.swfu.path[place] <- self.scoreboard.path[place]);
        }
        wire!(w: [self.swfu] <- [self.pairs]: issue_wave, issue_swid);
        wire!(w: self.table_full <- self.swfu.table_full);
    }

    fn wire_waves(&mut self, w: &mut Wiring) {
        w.comment(" Scalar-wave scoreboard.");
        wire!(w: [self.waves] <- [self]: clock, reset, done_swid);
        wire!(w: self.waves.done_valid <- self.done_wave);
        wire!(w: [self.waves] <- [self.pairs]: issue_wave, issue_swid);
        wire!(w: [self.waves] <- [self.issued]: issue_group, issue_mask);
        wire!(w: self.waves.issue_writes <- self.writes);
    }

    fn wire_pairs(&mut self, w: &mut Wiring) {
        w.comment(" Pair scheduler.");
        wire!(w: [self.pairs] <- [self]: clock, reset, room, pairs_on);
        wire!(w: self.pairs.ready <- self.scoreboard.ready);
        wire!(w: self.pairs.scalar <- self.registers.scalar);
        wire!(w: self.pairs.same <- self.status.same);
        for place in 0..N {
            wire!(w: self.pairs.path[place] <- self.scoreboard.path[place]);
        }
        wire!(w: [self.pairs] <- [self.swfu]: offer_valid, offer_swid, offer_path, offer_urgent);
        wire!(w: [self] <- [self.pairs]: issue_even, issue_odd, issue_pair, issue_wave, issue_swid);
    }

    fn wire_issued(&mut self, w: &mut Wiring) {
        w.comment(" What issues.");
        wire!(w: [self.issued] <- [self.pairs]: issue_even, issue_pair, issue_swid);
        for place in 0..N {
            wire!(w: self.issued.pc[place] <- self.status.pc[place]);
        }
        for entry in 0..T {
            wire!(w: [self.issued][entry] <- [self.swfu][entry]: wave_group, wave_mask, wave_pc);
        }
        wire!(w: self.issue_pc <- self.issued.issue_pc);
        wire!(w: self.wave_group <- self.issued.issue_group);
        wire!(w: self.wave_mask <- self.issued.issue_mask);
        wire!(w: self.wave_pc <- self.issued.issue_wave_pc);
    }
}
