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
use crate::{wire, wire_in, wire_out, wired};
use rust_hdl::prelude::*;

wired! {
    /// N places, H = N / 2 pairs, waves of V lanes, T entries of the SWST; P, Q, G, I bits number a place, a pair, a group,
    /// an entry of the SWST, and E an entry of the storage.
    pub struct Scheduler<
        const N: usize,
        const H: usize,
        const V: usize,
        const T: usize,
        const P: usize,
        const Q: usize,
        const G: usize,
        const I: usize,
        const E: usize,
    > {
        in start: Signal<In, Bits<N>>,
        in wake: Signal<In, Bits<N>>,
        in room: Signal<In, Bits<4>>,
        in even_next: Signal<In, Bits<2>>,
        in even_pc: Signal<In, Bits<PC_BITS>>,
        in even_full: Signal<In, bool>,
        in odd_next: Signal<In, Bits<2>>,
        in odd_pc: Signal<In, Bits<PC_BITS>>,
        in odd_full: Signal<In, bool>,
        in writes: Signal<In, Bits<WRITES_BITS>>,
        in done_even: [Signal<In, bool>; 2],
        in done_odd: [Signal<In, bool>; 2],
        in done_pair: [Signal<In, Bits<Q>>; 2],
        in done_writes: [Signal<In, Bits<WRITES_BITS>>; 2],
        in done_wave: Signal<In, bool>,
        in done_swid: Signal<In, Bits<I>>,
        in pairs_on: Signal<In, bool>,
        in waves_on: Signal<In, bool>,
        in answer: Signal<In, Bits<2>>,
        in answer_line: Signal<In, Bits<LINE_BITS>>,
        in answer_entry: Signal<In, Bits<E>>,
        in record: Signal<In, Bits<RECORD_BITS>>,
        in asked: Signal<In, bool>,
        in asked_place: Signal<In, Bits<P>>,
        out issue_even: Signal<Out, bool>,
        out issue_odd: Signal<Out, bool>,
        out issue_pair: Signal<Out, Bits<Q>>,
        out issue_pc: Signal<Out, Bits<PC_BITS>>,
        out issue_wave: Signal<Out, bool>,
        out issue_swid: Signal<Out, Bits<I>>,
        out wave_group: Signal<Out, Bits<G>>,
        out wave_mask: Signal<Out, Bits<V>>,
        out wave_pc: Signal<Out, Bits<PC_BITS>>,
        out ready: Signal<Out, Bits<N>>,
        out scalar: Signal<Out, Bits<N>>,
        out table_full: Signal<Out, bool>,
        out look_valid: Signal<Out, bool>,
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
    } children {
        status: WarpStatusTable<N, H, V, P, Q, G, E>,
        scoreboard: Scoreboard<N, V, Q, G>,
        registers: ScalarRegisterMap<N>,
        swfu: Swfu<N, V, T, G, I>,
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
    /// `age_cap`: cycles after which a scalar wave goes first.
    pub fn new(age_cap: u64) -> Self {
        Self::assemble(
            WarpStatusTable::default(),
            Scoreboard::default(),
            ScalarRegisterMap::default(),
            Swfu::new(age_cap),
            ScalarWaveScoreboard::default(),
            PairScheduler::default(),
            Issued::default(),
        )
    }

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
        wire_in!(w: self, [status]: clock, reset, start, wake, answer, answer_line, answer_entry, even_next, even_pc,
            even_full, odd_next, odd_pc, odd_full, asked, asked_place);
        wire!(w: self.status.issue_even <- self.pairs.issue_even);
        wire!(w: self.status.issue_odd <- self.pairs.issue_odd);
        wire!(w: self.status.issue_pair <- self.pairs.issue_pair);
        wire!(w: self.status.issue_wave <- self.pairs.issue_wave);
        wire!(w: self.status.wave_group <- self.issued.issue_group);
        wire!(w: self.status.wave_mask <- self.issued.issue_mask);
        wire!(w: self.status.ready <- self.scoreboard.ready);
        wire!(w: self.status.waits <- self.scoreboard.waits);
        wire_out!(w: self, [status]: look_valid, look_line, want_valid, want_place, want_line, check_valid, check_entry,
            check_slot, take_count, take_entry, drop_count, drop_entry);
    }

    fn wire_scoreboard(&mut self, w: &mut Wiring) {
        w.comment(" Scoreboard.");
        wire_in!(w: self, [scoreboard]: clock, reset, record);
        wire!(w: self.scoreboard.check_warps <- self.status.check_warps);
        wire!(w: self.scoreboard.issue_even <- self.pairs.issue_even);
        wire!(w: self.scoreboard.issue_odd <- self.pairs.issue_odd);
        wire!(w: self.scoreboard.issue_pair <- self.pairs.issue_pair);
        wire!(w: self.scoreboard.issue_wave <- self.pairs.issue_wave);
        wire!(w: self.scoreboard.wave_group <- self.issued.issue_group);
        wire!(w: self.scoreboard.wave_mask <- self.issued.issue_mask);
        for k in 0..2 {
            wire!(w: self.scoreboard.done_even[k] <- self.done_even[k]);
            wire!(w: self.scoreboard.done_odd[k] <- self.done_odd[k]);
            wire!(w: self.scoreboard.done_pair[k] <- self.done_pair[k]);
            wire!(w: self.scoreboard.done_writes[k] <- self.done_writes[k]);
        }
        wire!(w: self.scoreboard.clear_valid <- self.waves.clear_valid);
        wire!(w: self.scoreboard.clear_group <- self.waves.clear_group);
        wire!(w: self.scoreboard.clear_mask <- self.waves.clear_mask);
        wire!(w: self.scoreboard.clear_writes <- self.waves.clear_writes);
        wire_out!(w: self, [scoreboard]: ready);
    }

    fn wire_registers(&mut self, w: &mut Wiring) {
        w.comment(" Scalar register map.");
        wire_in!(w: self, [registers]: clock, reset, start, record, waves_on);
        wire!(w: self.registers.check_warps <- self.status.check_warps);
        wire!(w: self.registers.full <- self.status.full);
        wire_out!(w: self, [registers]: scalar);
    }

    fn wire_swfu(&mut self, w: &mut Wiring) {
        w.comment(" Scalar-wave formation.");
        wire_in!(w: self, [swfu]: clock, reset, done_swid);
        wire!(w: self.swfu.done_valid <- self.done_wave);
        wire!(w: self.swfu.ready <- self.scoreboard.ready);
        wire!(w: self.swfu.scalar <- self.registers.scalar);
        for place in 0..N {
            wire!(w: self.swfu.pc[place] <- self.status.pc[place]);
            wire!(w: self.swfu.path[place] <- self.scoreboard.path[place]);
        }
        wire!(w: self.swfu.issue_wave <- self.pairs.issue_wave);
        wire!(w: self.swfu.issue_swid <- self.pairs.issue_swid);
        wire_out!(w: self, [swfu]: table_full);
    }

    fn wire_waves(&mut self, w: &mut Wiring) {
        w.comment(" Scalar-wave scoreboard.");
        wire_in!(w: self, [waves]: clock, reset, done_swid);
        wire!(w: self.waves.done_valid <- self.done_wave);
        wire!(w: self.waves.issue_wave <- self.pairs.issue_wave);
        wire!(w: self.waves.issue_swid <- self.pairs.issue_swid);
        wire!(w: self.waves.issue_group <- self.issued.issue_group);
        wire!(w: self.waves.issue_mask <- self.issued.issue_mask);
        wire!(w: self.waves.issue_writes <- self.writes);
    }

    fn wire_pairs(&mut self, w: &mut Wiring) {
        w.comment(" Pair scheduler.");
        wire_in!(w: self, [pairs]: clock, reset, room, pairs_on);
        wire!(w: self.pairs.ready <- self.scoreboard.ready);
        wire!(w: self.pairs.scalar <- self.registers.scalar);
        wire!(w: self.pairs.same <- self.status.same);
        for place in 0..N {
            wire!(w: self.pairs.path[place] <- self.scoreboard.path[place]);
        }
        wire!(w: self.pairs.offer_valid <- self.swfu.offer_valid);
        wire!(w: self.pairs.offer_swid <- self.swfu.offer_swid);
        wire!(w: self.pairs.offer_path <- self.swfu.offer_path);
        wire!(w: self.pairs.offer_urgent <- self.swfu.offer_urgent);
        wire_out!(w: self, [pairs]: issue_even, issue_odd, issue_pair, issue_wave, issue_swid);
    }

    fn wire_issued(&mut self, w: &mut Wiring) {
        w.comment(" What issues.");
        wire!(w: self.issued.issue_even <- self.pairs.issue_even);
        wire!(w: self.issued.issue_pair <- self.pairs.issue_pair);
        wire!(w: self.issued.issue_swid <- self.pairs.issue_swid);
        for place in 0..N {
            wire!(w: self.issued.pc[place] <- self.status.pc[place]);
        }
        for entry in 0..T {
            wire!(w: self.issued.wave_group[entry] <- self.swfu.wave_group[entry]);
            wire!(w: self.issued.wave_mask[entry] <- self.swfu.wave_mask[entry]);
            wire!(w: self.issued.wave_pc[entry] <- self.swfu.wave_pc[entry]);
        }
        wire_out!(w: self, [issued]: issue_pc);
        wire!(w: self.wave_group <- self.issued.issue_group);
        wire!(w: self.wave_mask <- self.issued.issue_mask);
        wire!(w: self.wave_pc <- self.issued.issue_wave_pc);
    }
}
