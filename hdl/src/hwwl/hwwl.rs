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
//! Pins of core c end in `_c`: `push_id_3_1` is lane 3's of core 1. This block only connects.

use super::banks_before::BanksBefore;
use super::global_moves::Between;
use super::hwwl_core::{HwwlCore, Options};
use super::icrn::Icrn;
use super::wru_global::WruGlobal;
use super::{Scheme, HELD_BITS, ID_BITS, LINE_WORDS};
use crate::circuit::wiring::{Optional, Wiring};
use crate::{wire, wire_groups, wired};
use rust_hdl::prelude::*;

wired! {
    /// N cores of L lanes, S = log2(L), L2 = 2 L bits of status; banks of 2^A entries, C = A + 1 bits of occupancy,
    /// W = C + S; G = N L banks in all, H = log2(G), V = C + H.
    pub struct Hwwl<
        const N: usize, const L: usize, const S: usize, const L2: usize, const A: usize, const C: usize,
        const W: usize, const G: usize, const H: usize, const V: usize
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
        out held: Signal<Out, Bits<7>>,
    }
    children new(options: Options) after {
        assert!(G == N * L && G == 1 << H && V == C + H);
        let global = options.scheme == Scheme::GlobalSorting;
    } {
        core: Vec<HwwlCore<L, S, L2, A, C, W>> = (0..N).map(|_| HwwlCore::new(options)).collect(),
        icrn: Icrn<N>,
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
    > Hwwl<N, L, S, L2, A, C, W, G, H, V>
{
    fn wire(&mut self, w: &mut Wiring) {
        for c in 0..N {
            self.wire_core(w, c);
            self.wire_icrn_port(w, c);
        }
        w.comment(" The hub.");
        wire!(w: [self.icrn] <- [self]: clock, reset);
        wire!(w: self.icrn.pull_part <- self.core[0].pull_part);
        if self.wru_global.is_there() {
            self.wire_global_wru(w);
        } else {
            wire!(w: self.held <- self.icrn.held);
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
        wire!(w: self.between.hub_held <- self.icrn.held);
        wire_groups!(w: self.between.wru_valid, c in N, L, self.core[c].wru_valid);
        wire_groups!(w: self.between.wru_accepted, c in N, L, self.core[c].wru_accepted);
        wire!(w: self.held <- self.between.held);
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
