//! The whole worklist (section III, figure 4): N cores and the network between them; with global schemes one
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
//!                    | wru_global or wru_gserial, which sees   |
//!                    |         the banks of the cycle before   |
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
use super::wru_gserial::WruGserial;
use super::{Scheme, HELD_BITS, ID_BITS, LINE_WORDS};
use crate::circuit::wiring::{Optional, Wiring};
use crate::{wire, wire_groups, wired};
use rust_hdl::prelude::*;
use spec::hwwl::held_bits;

/// The pins of the redistribution unit of all cores: those of both units are the same. Bank i of core c is bank c L + i.
macro_rules! wire_global_wru {
    ($w:ident, $me:ident, $wru:ident, $cores:ident, $lanes:ident) => {{
        $w.comment(" One redistribution unit for all banks.");
        wire!($w: [$me.$wru] <- [$me]: clock, reset);
        wire!($w: [$me.banks_before] <- [$me]: clock, reset);
        wire!($w: [$me.banks_before] <- [$me.core[0]]: double_mode, pull_part);
        wire!($w: $me.$wru.double_buffer <- $me.banks_before.double_before);
        wire!($w: $me.$wru.pull_part <- $me.banks_before.pull_part_before);
        wire!($w: [$me.$wru] <- zero: send, out_ready);
        wire_groups!($w: $me.$wru.wru_valid, c in $cores, $lanes, $me.core[c].wru_valid);
        wire_groups!($w: $me.$wru.wru_accepted, c in $cores, $lanes, $me.core[c].wru_accepted);
        wire!($w: [$me.between] <- [$me]: clock, reset);
        if $me.between_cores.is_there() {
            wire!($w: $me.between.hub_held <- zero);
            wire!($w: $me.between_cores.banks_held <- $me.between.held);
        } else {
            wire!($w: $me.between.hub_held <- $me.icrn.held);
            wire!($w: $me.held <- $me.between.held, all B bits);
        }
        wire_groups!($w: $me.between.wru_valid, c in $cores, $lanes, $me.core[c].wru_valid);
        wire_groups!($w: $me.between.wru_accepted, c in $cores, $lanes, $me.core[c].wru_accepted);
        for c in 0..$cores {
            wire!($w: $me.core[c].wru_pop <- $me.$wru.pop, $lanes bits from c * $lanes);
            wire!($w: $me.core[c].wru_push <- $me.$wru.push, $lanes bits from c * $lanes);
            wire!($w: $me.core[c].wru_part <- $me.$wru.part);
            wire!($w: $me.core[c].wru_moving <- $me.$wru.moving);
            for i in 0..$lanes {
                wire!($w: [$me.banks_before][c * $lanes + i] <- [$me.core[c]][i]: pull_occupancy, push_occupancy);
                wire!($w: $me.$wru.pull_occupancy[c * $lanes + i] <- $me.banks_before.pull_before[c * $lanes + i]);
                wire!($w: $me.$wru.push_occupancy[c * $lanes + i] <- $me.banks_before.push_before[c * $lanes + i]);
                wire!($w: [$me.$wru][c * $lanes + i] <- [$me.core[c]][i]: id);
                wire!($w: $me.core[c].wru_push_id[i] <- $me.$wru.push_id[c * $lanes + i]);
            }
        }
    }};
}

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
        let sorts = options.scheme == Scheme::GlobalSorting;
        let global = options.scheme.is_global();
    } {
        core: Vec<HwwlCore<L, S, L2, A, C, W>> = (0..N).map(|_| HwwlCore::new(options)).collect(),
        icrn: Icrn<N>,
        way: Vec<CoreWay<Q, K, B>> = (0..far).map(|_| CoreWay::new(link)).collect(),
        between_cores: Optional<BetweenCores<N, B>> = Optional::new(is_far.then(|| BetweenCores::new(link))),
        wru_global: Optional<WruGlobal<G, H, C, V>> =
            Optional::new(sorts.then(|| WruGlobal::new(options.threshold, options.interval))),
        wru_gserial: Optional<WruGserial<G, H, C>> =
            Optional::new((global && !sorts).then(|| WruGserial::new(options.threshold, true))),
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
            wire_global_wru!(w, self, wru_global, N, L);
        } else if self.wru_gserial.is_there() {
            wire_global_wru!(w, self, wru_gserial, N, L);
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
}
