//! The whole worklist (section III, figure 4): N cores and the network between them; with global sorting one
//! redistribution unit for the banks of all cores.
//!
//! ```text
//!                     +--------+   +--------+         +----------+
//!  pins of core c <-->| core 0 |   | core 1 |   ...   | core N-1 |
//!                     +-^---^--+   +-^---^--+         +-^---^----+
//!                       |   |        |   |              |   |
//!                    +--+---|--------+---|--------------+-+ |
//!                    |      |   icrn     |                | |
//!                    +------|------------|----------------+ |
//!                    +------+------------+------------------+--+
//!                    |      wru_global (global sorting), which  |
//!                    |      sees the banks of the cycle before  |
//!                    +-----------------------------------------+
//! ```
//!
//! With ways of L cycles between cores and icrn a [`CoreWay`] is on each of the upper arrows. Pins of core c end in `_c`: `push_id_3_1` is lane 3's of core 1. This block only connects.

use super::banks_before::BanksBefore;
use super::between_cores::BetweenCores;
use super::core_way::CoreWay;
use super::global_moves::Between;
use super::hwwl_core::{HwwlCore, Options};
use super::icrn::Icrn;
use super::wru_global::WruGlobal;
use super::{Scheme, HELD_BITS, ID_BITS, LINE_WORDS};
use crate::circuit::wiring::{Optional, Wiring};
use crate::{wire, wire_groups, wired};
use rust_hdl::prelude::*;
use spec::hwwl::held_bits;

wired! {
    /// N cores of L lanes, S = log2(L), L2 = 2 L bits of status; banks of 2^A entries, C = A + 1 bits of occupancy,
    /// W = C + S; G = N L banks in all, H = log2(G), V = C + H; links of 2^Q credits, K = Q + 1; B bits count IDs between cores.
    pub struct Hwwl<
        const N: usize, const L: usize, const S: usize, const L2: usize, const A: usize, const C: usize,
        const W: usize, const G: usize, const H: usize, const V: usize, const Q: usize, const K: usize, const B: usize
    > {
        in configure, double_buffer, init, kernel_end: Signal<In, bool>,
        in init_base: [Signal<In, Bits<32>>; N],
        in init_lines: [Signal<In, Bits<16>>; N],
        in pull, push: [Signal<In, Bits<L>>; N],
        in push_id: [[Signal<In, Bits<ID_BITS>>; N]; L],
        in leave: [Signal<In, Bits<L>>; N],
        in mem_ready, line_valid: [Signal<In, bool>; N],
        in line_tag: [Signal<In, Bits<2>>; N],
        in line_id: [[Signal<In, Bits<ID_BITS>>; N]; LINE_WORDS],
        out status: [Signal<Out, Bits<L2>>; N],
        out id: [[Signal<Out, Bits<ID_BITS>>; N]; L],
        out push_ready, overflow, pending: [Signal<Out, bool>; N],
        out count: [Signal<Out, Bits<HELD_BITS>>; N],
        out pull_part, double_mode, mem_valid, mem_write: [Signal<Out, bool>; N],
        out mem_line: [Signal<Out, Bits<32>>; N],
        out mem_tag: [Signal<Out, Bits<2>>; N],
        out mem_count: [Signal<Out, Bits<6>>; N],
        out mem_id: [[Signal<Out, Bits<ID_BITS>>; N]; LINE_WORDS],
        out line_ready: [Signal<Out, bool>; N],
        out held: Signal<Out, Bits<B>>,
    }
    /// `link`: cycles of the way between a core and the icrn, or 0.
    children new(options: Options, link: usize) after {
        assert!(G == N * L && G == 1 << H && V == C + H && B == held_bits(link) as usize);
        let is_far = link > 0;
        let far = if is_far { N } else { 0 };
        let global = options.scheme == Scheme::GlobalSorting;
    } {
        core: Vec<HwwlCore<L, S, L2, A, C, W>> = (0..N).map(|_| HwwlCore::new(options)).collect(),
        icrn: Icrn<N>,
        way: Vec<CoreWay<Q, K, B>> = (0..far).map(|_| CoreWay::new(link)).collect(),
        between_cores: Optional<BetweenCores<N, B>> = Optional::new(is_far.then(|| BetweenCores::new(link))),
        wru_global: Optional<WruGlobal<G, H, C, V>> =
            Optional::new(global.then(|| WruGlobal::new(options.threshold, options.interval))),
        banks_before: Optional<BanksBefore<G, C>> = Optional::new(global.then(BanksBefore::default)),
        between: Optional<Between<G>> = Optional::new(global.then(Between::default)),
    }
}

impl<
        const N: usize,
        const L: usize,
        const S: usize,
        const L2: usize,
        const A: usize,
        const C: usize,
        const W: usize,
        const G: usize,
        const H: usize,
        const V: usize,
        const Q: usize,
        const K: usize,
        const B: usize,
    > Hwwl<N, L, S, L2, A, C, W, G, H, V, Q, K, B>
{
    fn wire(&mut self, w: &mut Wiring) {
        let is_far = self.between_cores.is_there();
        for c in 0..N {
            self.wire_core(w, c);
            if is_far {
                self.wire_way(w, c);
            } else {
                self.wire_icrn_port(w, c);
            }
        }
        w.comment(" The hub.");
        wire!(w: [self.icrn] <- [self]: clock, reset);
        if is_far {
            self.wire_between(w);
        } else {
            wire!(w: self.icrn.pull_part <- self.core[0].pull_part);
        }
        if self.wru_global.is_there() {
            self.wire_global_wru(w);
        } else if is_far {
            wire!(w: self.between_cores.banks_held <- zero);
        } else {
            wire!(w: self.held <- self.icrn.held, all B bits);
        }
    }

    /// The pins of a core that are pins of the whole.
    fn wire_core(&mut self, w: &mut Wiring, c: usize) {
        w.comment(&format!(" Core {c}."));
        wire!(w: [self.core[c]] <- [self]: clock, reset, configure, double_buffer, init, kernel_end);
        wire!(w: [self.core[c]] <- [self][c]: init_base, init_lines, pull, push, leave, mem_ready, line_valid,
            line_tag);
        wire!(w: [self][c] <- [self.core[c]]: status, push_ready, overflow, pending, count, pull_part, double_mode,
            mem_valid, mem_write, mem_line, mem_tag, mem_count, line_ready);
        for i in 0..L {
            wire!(w: self.core[c].push_id[i] <- self.push_id[i][c]);
            wire!(w: self.id[i][c] <- self.core[c].id[i]);
        }
        for i in 0..LINE_WORDS {
            wire!(w: self.core[c].line_id[i] <- self.line_id[i][c]);
            wire!(w: self.mem_id[i][c] <- self.core[c].mem_id[i]);
        }
    }

    fn wire_icrn_port(&mut self, w: &mut Wiring, c: usize) {
        wire!(w: self.core[c].all_done <- self.icrn.all_done);
        wire!(w: [self.core[c]] <- [self.icrn][c]: send, out_ready, in_valid, in_part, in_id);
        wire!(w: [self.icrn][c] <- [self.core[c]]: out_valid, out_part, out_id, in_ready, quiet, greedy);
    }

    fn wire_way(&mut self, w: &mut Wiring, c: usize) {
        wire!(w: [self.way[c]] <- [self]: clock, reset, configure);
        wire!(w: [self.way[c]] <- [self.core[c]]: pull_part, quiet, greedy, out_valid, out_part, out_id, in_ready);
        wire!(w: [self.core[c]] <- [self.way[c]]: all_done, send, out_ready, in_valid, in_part, in_id);
        wire!(w: self.way[c].hub_all_done <- self.icrn.all_done);
        wire!(w: self.way[c].hub_send <- self.icrn.send[c]);
        wire!(w: self.way[c].hub_out_ready <- self.icrn.out_ready[c]);
        wire!(w: self.way[c].hub_in_valid <- self.icrn.in_valid[c]);
        wire!(w: self.way[c].hub_in_part <- self.icrn.in_part[c]);
        wire!(w: self.way[c].hub_in_id <- self.icrn.in_id[c]);
        wire!(w: self.icrn.out_valid[c] <- self.way[c].hub_out_valid);
        wire!(w: self.icrn.out_part[c] <- self.way[c].hub_out_part);
        wire!(w: self.icrn.out_id[c] <- self.way[c].hub_out_id);
        wire!(w: self.icrn.in_ready[c] <- self.way[c].hub_in_ready);
        wire!(w: self.icrn.greedy[c] <- self.way[c].hub_greedy);
    }

    fn wire_between(&mut self, w: &mut Wiring) {
        wire!(w: [self.between_cores] <- [self]: clock, reset);
        wire!(w: self.between_cores.pull_part <- self.core[0].pull_part);
        wire!(w: self.icrn.pull_part <- self.between_cores.hub_pull_part);
        for c in 0..N {
            wire!(w: self.between_cores.quiet[c] <- self.way[c].hub_quiet);
            wire!(w: self.between_cores.sent[c] <- self.way[c].sent);
            wire!(w: self.between_cores.taken[c] <- self.way[c].taken);
            wire!(w: self.between_cores.way_held[c] <- self.way[c].held);
            wire!(w: self.icrn.quiet[c] <- self.between_cores.hub_quiet[c]);
        }
        wire!(w: self.held <- self.between_cores.held);
    }

    /// Bank i of core c is bank c L + i.
    fn wire_global_wru(&mut self, w: &mut Wiring) {
        w.comment(" One redistribution unit for all banks.");
        wire!(w: [self.wru_global] <- [self]: clock, reset);
        wire!(w: [self.banks_before] <- [self]: clock, reset);
        wire!(w: [self.banks_before] <- [self.core[0]]: double_mode, pull_part);
        wire!(w: self.wru_global.double_buffer <- self.banks_before.double_before);
        wire!(w: self.wru_global.pull_part <- self.banks_before.pull_part_before);
        wire!(w: [self.wru_global] <- zero: send, out_ready);
        wire_groups!(w: self.wru_global.wru_valid, c in N, L, self.core[c].wru_valid);
        wire_groups!(w: self.wru_global.wru_accepted, c in N, L, self.core[c].wru_accepted);
        wire!(w: [self.between] <- [self]: clock, reset);
        if self.between_cores.is_there() {
            wire!(w: self.between.hub_held <- zero);
            wire!(w: self.between_cores.banks_held <- self.between.held);
        } else {
            wire!(w: self.between.hub_held <- self.icrn.held);
            wire!(w: self.held <- self.between.held, all B bits);
        }
        wire_groups!(w: self.between.wru_valid, c in N, L, self.core[c].wru_valid);
        wire_groups!(w: self.between.wru_accepted, c in N, L, self.core[c].wru_accepted);
        for c in 0..N {
            wire!(w: self.core[c].wru_pop <- self.wru_global.pop, L bits from c * L);
            wire!(w: self.core[c].wru_push <- self.wru_global.push, L bits from c * L);
            wire!(w: self.core[c].wru_part <- self.wru_global.part);
            wire!(w: self.core[c].wru_moving <- self.wru_global.moving);
            for i in 0..L {
                wire!(w: [self.banks_before][c * L + i] <- [self.core[c]][i]: pull_occupancy, push_occupancy);
                wire!(w: self.wru_global.pull_occupancy[c * L + i] <- self.banks_before.pull_before[c * L + i]);
                wire!(w: self.wru_global.push_occupancy[c * L + i] <- self.banks_before.push_before[c * L + i]);
                wire!(w: [self.wru_global][c * L + i] <- [self.core[c]][i]: id);
                wire!(w: self.core[c].wru_push_id[i] <- self.wru_global.push_id[c * L + i]);
            }
        }
    }
}
