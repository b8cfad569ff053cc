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
//!                    |      wru_global (global sorting)        |
//!                    +-----------------------------------------+
//! ```
//!
//! Pins of core c end in `_c`: `push_id_3_1` is lane 3's of core 1. This block only connects.

use super::core::{HwwlCore, Options};
use super::global_moves::Between;
use super::icrn::Icrn;
use super::wru_sorting::WruSorting;
use super::{Scheme, HELD_BITS, ID_BITS, LINE_WORDS};
use crate::wiring::{Optional, Wiring};
use crate::{wire, wire_groups};
use rust_hdl::prelude::*;
use std::array::from_fn;

/// N cores of L lanes, S = log2(L), L2 = 2 L bits of status; banks of 2^A entries, C = A + 1 bits of occupancy,
/// W = C + S; G = N L banks in all, H = log2(G), V = C + H.
#[derive(LogicBlock)]
pub struct Hwwl<
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
> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,

    pub configure: Signal<In, bool>,
    pub double_buffer: Signal<In, bool>,
    pub init: Signal<In, bool>,
    pub kernel_end: Signal<In, bool>,
    pub init_base: [Signal<In, Bits<32>>; N],
    pub init_lines: [Signal<In, Bits<16>>; N],
    pub pull: [Signal<In, Bits<L>>; N],
    pub push: [Signal<In, Bits<L>>; N],
    pub push_id: Vec<[Signal<In, Bits<ID_BITS>>; N]>,
    pub leave: [Signal<In, Bits<L>>; N],
    pub mem_ready: [Signal<In, bool>; N],
    pub line_valid: [Signal<In, bool>; N],
    pub line_tag: [Signal<In, Bits<2>>; N],
    pub line_id: Vec<[Signal<In, Bits<ID_BITS>>; N]>,

    pub status: [Signal<Out, Bits<L2>>; N],
    pub id: Vec<[Signal<Out, Bits<ID_BITS>>; N]>,
    pub push_ready: [Signal<Out, bool>; N],
    pub overflow: [Signal<Out, bool>; N],
    pub pending: [Signal<Out, bool>; N],
    pub count: [Signal<Out, Bits<HELD_BITS>>; N],
    pub pull_part: [Signal<Out, bool>; N],
    pub double_mode: [Signal<Out, bool>; N],
    pub mem_valid: [Signal<Out, bool>; N],
    pub mem_write: [Signal<Out, bool>; N],
    pub mem_line: [Signal<Out, Bits<32>>; N],
    pub mem_tag: [Signal<Out, Bits<2>>; N],
    pub mem_count: [Signal<Out, Bits<6>>; N],
    pub mem_id: Vec<[Signal<Out, Bits<ID_BITS>>; N]>,
    pub line_ready: [Signal<Out, bool>; N],
    pub held: Signal<Out, Bits<7>>,

    core: Vec<HwwlCore<L, S, L2, A, C, W>>,
    icrn: Icrn<N>,
    wru_global: Optional<WruSorting<G, H, C, V>>,
    between: Optional<Between<G>>,
    _verilog: Verilog,
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
    pub fn new(options: Options) -> Self {
        assert!(G == N * L && G == 1 << H && V == C + H);
        let global = options.scheme == Scheme::GlobalSorting;
        let mut top = Self {
            clock: Signal::default(),
            reset: Signal::default(),
            configure: Signal::default(),
            double_buffer: Signal::default(),
            init: Signal::default(),
            kernel_end: Signal::default(),
            init_base: from_fn(|_| Signal::default()),
            init_lines: from_fn(|_| Signal::default()),
            pull: from_fn(|_| Signal::default()),
            push: from_fn(|_| Signal::default()),
            push_id: (0..L).map(|_| from_fn(|_| Signal::default())).collect(),
            leave: from_fn(|_| Signal::default()),
            mem_ready: from_fn(|_| Signal::default()),
            line_valid: from_fn(|_| Signal::default()),
            line_tag: from_fn(|_| Signal::default()),
            line_id: (0..LINE_WORDS).map(|_| from_fn(|_| Signal::default())).collect(),
            status: from_fn(|_| Signal::default()),
            id: (0..L).map(|_| from_fn(|_| Signal::default())).collect(),
            push_ready: from_fn(|_| Signal::default()),
            overflow: from_fn(|_| Signal::default()),
            pending: from_fn(|_| Signal::default()),
            count: from_fn(|_| Signal::default()),
            pull_part: from_fn(|_| Signal::default()),
            double_mode: from_fn(|_| Signal::default()),
            mem_valid: from_fn(|_| Signal::default()),
            mem_write: from_fn(|_| Signal::default()),
            mem_line: from_fn(|_| Signal::default()),
            mem_tag: from_fn(|_| Signal::default()),
            mem_count: from_fn(|_| Signal::default()),
            mem_id: (0..LINE_WORDS).map(|_| from_fn(|_| Signal::default())).collect(),
            line_ready: from_fn(|_| Signal::default()),
            held: Signal::default(),
            core: (0..N).map(|_| HwwlCore::new(options)).collect(),
            icrn: Icrn::default(),
            wru_global: Optional::new(global.then(|| WruSorting::new(options.threshold, options.interval))),
            between: Optional::new(global.then(Between::default)),
            _verilog: Verilog::Empty,
        };
        top._verilog = Wiring::describe(|w| top.wire(w));
        top
    }

    fn wire(&mut self, w: &mut Wiring) {
        for c in 0..N {
            self.wire_core(w, c);
            self.wire_hub_port(w, c);
        }
        w.comment(" The hub.");
        wire!(w: self.icrn.clock <- self.clock);
        wire!(w: self.icrn.reset <- self.reset);
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
        wire!(w: self.core[c].clock <- self.clock);
        wire!(w: self.core[c].reset <- self.reset);
        wire!(w: self.core[c].configure <- self.configure);
        wire!(w: self.core[c].double_buffer <- self.double_buffer);
        wire!(w: self.core[c].init <- self.init);
        wire!(w: self.core[c].kernel_end <- self.kernel_end);
        wire!(w: self.core[c].init_base <- self.init_base[c]);
        wire!(w: self.core[c].init_lines <- self.init_lines[c]);
        wire!(w: self.core[c].pull <- self.pull[c]);
        wire!(w: self.core[c].push <- self.push[c]);
        wire!(w: self.core[c].leave <- self.leave[c]);
        wire!(w: self.core[c].mem_ready <- self.mem_ready[c]);
        wire!(w: self.core[c].line_valid <- self.line_valid[c]);
        wire!(w: self.core[c].line_tag <- self.line_tag[c]);
        wire!(w: self.status[c] <- self.core[c].status);
        wire!(w: self.push_ready[c] <- self.core[c].push_ready);
        wire!(w: self.overflow[c] <- self.core[c].overflow);
        wire!(w: self.pending[c] <- self.core[c].pending);
        wire!(w: self.count[c] <- self.core[c].count);
        wire!(w: self.pull_part[c] <- self.core[c].pull_part);
        wire!(w: self.double_mode[c] <- self.core[c].double_mode);
        wire!(w: self.mem_valid[c] <- self.core[c].mem_valid);
        wire!(w: self.mem_write[c] <- self.core[c].mem_write);
        wire!(w: self.mem_line[c] <- self.core[c].mem_line);
        wire!(w: self.mem_tag[c] <- self.core[c].mem_tag);
        wire!(w: self.mem_count[c] <- self.core[c].mem_count);
        wire!(w: self.line_ready[c] <- self.core[c].line_ready);
        for i in 0..L {
            wire!(w: self.core[c].push_id[i] <- self.push_id[i][c]);
            wire!(w: self.id[i][c] <- self.core[c].id[i]);
        }
        for i in 0..LINE_WORDS {
            wire!(w: self.core[c].line_id[i] <- self.line_id[i][c]);
            wire!(w: self.mem_id[i][c] <- self.core[c].mem_id[i]);
        }
    }

    fn wire_hub_port(&mut self, w: &mut Wiring, c: usize) {
        wire!(w: self.core[c].all_done <- self.icrn.all_done);
        wire!(w: self.core[c].send <- self.icrn.send[c]);
        wire!(w: self.core[c].out_ready <- self.icrn.out_ready[c]);
        wire!(w: self.core[c].in_valid <- self.icrn.in_valid[c]);
        wire!(w: self.core[c].in_part <- self.icrn.in_part[c]);
        wire!(w: self.core[c].in_id <- self.icrn.in_id[c]);
        wire!(w: self.icrn.out_valid[c] <- self.core[c].out_valid);
        wire!(w: self.icrn.out_part[c] <- self.core[c].out_part);
        wire!(w: self.icrn.out_id[c] <- self.core[c].out_id);
        wire!(w: self.icrn.in_ready[c] <- self.core[c].in_ready);
        wire!(w: self.icrn.quiet[c] <- self.core[c].quiet);
        wire!(w: self.icrn.greedy[c] <- self.core[c].greedy);
    }

    /// Bank i of core c is bank c L + i.
    fn wire_global_wru(&mut self, w: &mut Wiring) {
        w.comment(" One redistribution unit for all banks.");
        wire!(w: self.wru_global.clock <- self.clock);
        wire!(w: self.wru_global.reset <- self.reset);
        wire!(w: self.wru_global.double_buffer <- self.core[0].double_mode);
        wire!(w: self.wru_global.pull_part <- self.core[0].pull_part);
        wire!(w: self.wru_global.send <- zero);
        wire!(w: self.wru_global.out_ready <- zero);
        wire_groups!(w: self.wru_global.wru_valid, c in N, L, self.core[c].wru_valid);
        wire_groups!(w: self.wru_global.wru_accepted, c in N, L, self.core[c].wru_accepted);
        wire!(w: self.between.clock <- self.clock);
        wire!(w: self.between.reset <- self.reset);
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
                wire!(w: self.wru_global.pull_occupancy[c * L + i] <- self.core[c].pull_occupancy[i]);
                wire!(w: self.wru_global.push_occupancy[c * L + i] <- self.core[c].push_occupancy[i]);
                wire!(w: self.wru_global.id[c * L + i] <- self.core[c].id[i]);
                wire!(w: self.core[c].wru_push_id[i] <- self.wru_global.push_id[c * L + i]);
            }
        }
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
    > Logic for Hwwl<N, L, S, L2, A, C, W, G, H, V>
{
    fn update(&mut self) {
        self.wire(&mut Wiring::Simulate);
    }

    fn connect(&mut self) {
        self.wire(&mut Wiring::Connect);
    }

    fn hdl(&self) -> Verilog {
        self._verilog.clone()
    }
}
