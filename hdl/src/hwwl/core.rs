//! One core's worklist (section III-B, figure 4): a bank per lane, the work redistribution unit of the scheme, the
//! virtualization unit and the port to the network between cores.
//!
//! ```text
//!  pull, push,    +---------+     +--------+--------+-----+----------+
//!  push_id_i ---->|         |---->| bank 0 | bank 1 | ... | bank L-1 |---> id_i
//!                 |         |     +-^--^---+--------+-----+-----^----+
//!  status <-------| control |       |  | fill, reserve          | pop, push, push_id, part
//!                 |         |   +---+--+--+             +-------+-------+
//!  in_valid ----->|         |-->|   hvu   |             | wru_sorting / |---> out_valid, greedy
//!                 +---------+   +----^----+             | wru_threshold |
//!  quiet <-------------'             |                  +---------------+
//!                      mem_*, line_* v
//! ```
//!
//! With the scheme `GlobalSorting` the pins between banks and redistribution unit are ports: one unit serves all cores.
//! This block only connects; what is decided here is decided in `core_control`.

use super::bank::Bank;
use super::core_control::CoreControl;
use super::global_moves::GlobalMoves;
use super::hvu::Hvu;
use super::wru_sorting::WruSorting;
use super::wru_threshold::WruThreshold;
use super::{Refill, Scheme, HELD_BITS, ID_BITS, LINE_WORDS};
use crate::wiring::{Optional, Wiring};
use crate::{wire, wire_bits};
use rust_hdl::prelude::*;
use std::array::from_fn;

/// The pins of a core's own redistribution unit: those of both units are the same.
macro_rules! wire_wru {
    ($w:ident, $me:ident, $wru:ident, $lanes:ident) => {{
        $w.comment(" Redistribution.");
        wire!($w: $me.$wru.clock <- $me.clock);
        wire!($w: $me.$wru.reset <- $me.reset);
        wire!($w: $me.$wru.double_buffer <- $me.control.double_mode);
        wire!($w: $me.$wru.pull_part <- $me.control.pull_part);
        wire!($w: $me.$wru.wru_accepted <- $me.control.wru_accepted);
        wire!($w: $me.$wru.send <- $me.send);
        wire!($w: $me.$wru.out_ready <- $me.out_ready);
        wire_bits!($w: $me.$wru.wru_valid, i in $lanes, $me.bank[i].wru_valid);
        for i in 0..$lanes {
            wire!($w: $me.$wru.pull_occupancy[i] <- $me.bank[i].pull_occupancy);
            wire!($w: $me.$wru.push_occupancy[i] <- $me.bank[i].push_occupancy);
            wire!($w: $me.$wru.id[i] <- $me.bank[i].id);
            wire!($w: $me.bank[i].wru_pop <- $me.$wru.pop, bit i);
            wire!($w: $me.bank[i].wru_push <- $me.$wru.push, bit i);
            wire!($w: $me.bank[i].wru_part <- $me.$wru.part);
            wire!($w: $me.bank[i].wru_id <- $me.$wru.push_id[i]);
            wire!($w: $me.control.wru_push_id[i] <- $me.$wru.push_id[i]);
        }
        wire!($w: $me.control.wru_push <- $me.$wru.push);
        wire!($w: $me.control.wru_part <- $me.$wru.part);
        wire!($w: $me.control.wru_moving <- $me.$wru.moving);
        wire!($w: $me.control.out_valid <- $me.$wru.out_valid);
        wire!($w: $me.control.out_part <- $me.$wru.out_part);
        wire!($w: $me.greedy <- $me.$wru.greedy);
        wire!($w: $me.out_valid <- $me.$wru.out_valid);
        wire!($w: $me.out_part <- $me.$wru.out_part);
        wire!($w: $me.out_id <- $me.$wru.out_id);
    }};
}

/// Parameters beside the numbers of lanes and entries.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub scheme: Scheme,
    /// Work IDs.
    pub threshold: u64,
    /// Cycles between redistribution events.
    pub interval: u64,
    pub refill: Refill,
}

/// L lanes, S = log2(L), L2 = 2 L bits of status; banks of 2^A entries, C = A + 1 bits of occupancy; W = C + S.
#[derive(LogicBlock)]
pub struct HwwlCore<const L: usize, const S: usize, const L2: usize, const A: usize, const C: usize, const W: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, bool>,

    pub configure: Signal<In, bool>,
    pub double_buffer: Signal<In, bool>,
    pub init: Signal<In, bool>,
    pub init_base: Signal<In, Bits<32>>,
    pub init_lines: Signal<In, Bits<16>>,
    pub kernel_end: Signal<In, bool>,
    pub pull: Signal<In, Bits<L>>,
    pub push: Signal<In, Bits<L>>,
    pub push_id: [Signal<In, Bits<ID_BITS>>; L],
    pub leave: Signal<In, Bits<L>>,
    pub all_done: Signal<In, bool>,
    pub send: Signal<In, Bits<2>>,
    pub out_ready: Signal<In, bool>,
    pub in_valid: Signal<In, bool>,
    pub in_part: Signal<In, bool>,
    pub in_id: Signal<In, Bits<ID_BITS>>,
    pub mem_ready: Signal<In, bool>,
    pub line_valid: Signal<In, bool>,
    pub line_tag: Signal<In, Bits<2>>,
    pub line_id: [Signal<In, Bits<ID_BITS>>; LINE_WORDS],

    pub status: Signal<Out, Bits<L2>>,
    pub id: [Signal<Out, Bits<ID_BITS>>; L],
    pub push_ready: Signal<Out, bool>,
    pub overflow: Signal<Out, bool>,
    pub pending: Signal<Out, bool>,
    pub count: Signal<Out, Bits<HELD_BITS>>,
    pub pull_part: Signal<Out, bool>,
    pub double_mode: Signal<Out, bool>,
    pub quiet: Signal<Out, bool>,
    pub greedy: Signal<Out, Bits<2>>,
    pub out_valid: Signal<Out, bool>,
    pub out_part: Signal<Out, bool>,
    pub out_id: Signal<Out, Bits<ID_BITS>>,
    pub in_ready: Signal<Out, bool>,
    pub mem_valid: Signal<Out, bool>,
    pub mem_write: Signal<Out, bool>,
    pub mem_line: Signal<Out, Bits<32>>,
    pub mem_tag: Signal<Out, Bits<2>>,
    pub mem_count: Signal<Out, Bits<6>>,
    pub mem_id: [Signal<Out, Bits<ID_BITS>>; LINE_WORDS],
    pub line_ready: Signal<Out, bool>,

    // With global sorting: to and from the unit that serves all cores.
    pub wru_pop: Optional<Signal<In, Bits<L>>>,
    pub wru_push: Optional<Signal<In, Bits<L>>>,
    pub wru_part: Optional<Signal<In, bool>>,
    pub wru_moving: Optional<Signal<In, bool>>,
    pub wru_push_id: Optional<[Signal<In, Bits<ID_BITS>>; L]>,
    pub wru_valid: Optional<Signal<Out, Bits<L>>>,
    pub wru_accepted: Optional<Signal<Out, Bits<L>>>,
    pub pull_occupancy: Optional<[Signal<Out, Bits<C>>; L]>,
    pub push_occupancy: Optional<[Signal<Out, Bits<C>>; L]>,

    bank: Vec<Bank<A, C>>,
    wru_sorting: Optional<WruSorting<L, S, C, W>>,
    wru_threshold: Optional<WruThreshold<L, S, C>>,
    hvu: Hvu<L>,
    control: CoreControl<L, L2, C>,
    global_moves: Optional<GlobalMoves<L>>,

    /// Without a redistribution unit of its own a core sends nothing.
    unused_send: Optional<Signal<Local, Bits<2>>>,
    _scheme: Scheme,
    _verilog: Verilog,
}

impl<const L: usize, const S: usize, const L2: usize, const A: usize, const C: usize, const W: usize>
    HwwlCore<L, S, L2, A, C, W>
{
    pub fn new(options: Options) -> Self {
        let Options { scheme, threshold, interval, refill } = options;
        let words = (LINE_WORDS / L) as u64;
        let global = scheme == Scheme::GlobalSorting;
        let mut core = Self {
            clock: Signal::default(),
            reset: Signal::default(),
            configure: Signal::default(),
            double_buffer: Signal::default(),
            init: Signal::default(),
            init_base: Signal::default(),
            init_lines: Signal::default(),
            kernel_end: Signal::default(),
            pull: Signal::default(),
            push: Signal::default(),
            push_id: from_fn(|_| Signal::default()),
            leave: Signal::default(),
            all_done: Signal::default(),
            send: Signal::default(),
            out_ready: Signal::default(),
            in_valid: Signal::default(),
            in_part: Signal::default(),
            in_id: Signal::default(),
            mem_ready: Signal::default(),
            line_valid: Signal::default(),
            line_tag: Signal::default(),
            line_id: from_fn(|_| Signal::default()),
            status: Signal::default(),
            id: from_fn(|_| Signal::default()),
            push_ready: Signal::default(),
            overflow: Signal::default(),
            pending: Signal::default(),
            count: Signal::default(),
            pull_part: Signal::default(),
            double_mode: Signal::default(),
            quiet: Signal::default(),
            greedy: Signal::default(),
            out_valid: Signal::default(),
            out_part: Signal::default(),
            out_id: Signal::default(),
            in_ready: Signal::default(),
            mem_valid: Signal::default(),
            mem_write: Signal::default(),
            mem_line: Signal::default(),
            mem_tag: Signal::default(),
            mem_count: Signal::default(),
            mem_id: from_fn(|_| Signal::default()),
            line_ready: Signal::default(),
            wru_pop: Optional::new(global.then(Signal::default)),
            wru_push: Optional::new(global.then(Signal::default)),
            wru_part: Optional::new(global.then(Signal::default)),
            wru_moving: Optional::new(global.then(Signal::default)),
            wru_push_id: Optional::new(global.then(|| from_fn(|_| Signal::default()))),
            wru_valid: Optional::new(global.then(Signal::default)),
            wru_accepted: Optional::new(global.then(Signal::default)),
            pull_occupancy: Optional::new(global.then(|| from_fn(|_| Signal::default()))),
            push_occupancy: Optional::new(global.then(|| from_fn(|_| Signal::default()))),
            bank: (0..L).map(|_| Bank::new(words)).collect(),
            wru_sorting: Optional::new((scheme == Scheme::LocalSorting).then(|| WruSorting::new(threshold, interval))),
            wru_threshold: Optional::new((scheme == Scheme::Threshold).then(|| WruThreshold::new(threshold, interval))),
            hvu: Hvu::new(refill),
            control: CoreControl::new(words, global),
            global_moves: Optional::new(global.then(GlobalMoves::default)),
            unused_send: Optional::new(matches!(scheme, Scheme::None | Scheme::GlobalSorting).then(Signal::default)),
            _scheme: scheme,
            _verilog: Verilog::Empty,
        };
        core._verilog = Wiring::describe(|w| core.wire(w));
        core
    }

    fn wire(&mut self, w: &mut Wiring) {
        w.comment(" Banks: lane i, the redistribution unit, refills and arrivals.");
        for i in 0..L {
            wire!(w: self.bank[i].clock <- self.clock);
            wire!(w: self.bank[i].reset <- self.reset);
            wire!(w: self.bank[i].configure <- self.control.bank_configure);
            wire!(w: self.bank[i].double_buffer <- self.double_buffer);
            wire!(w: self.bank[i].swap <- self.control.swap);
            wire!(w: self.bank[i].pull <- self.pull, bit i);
            wire!(w: self.bank[i].push <- self.control.bank_push, bit i);
            wire!(w: self.bank[i].push_id <- self.push_id[i]);
            wire!(w: self.bank[i].fill_push <- self.control.fill_push, bit i);
            wire!(w: self.bank[i].fill_reserved <- self.hvu.fill_push, bit i);
            wire!(w: self.bank[i].fill_part <- self.control.fill_part);
            wire!(w: self.bank[i].fill_id <- self.control.fill_id[i]);
            wire!(w: self.bank[i].reserve <- self.hvu.reserve);
            wire!(w: self.bank[i].unreserve <- self.hvu.unreserve, bit i);
            wire!(w: self.id[i] <- self.bank[i].id);
        }
        self.wire_control(w);
        self.wire_hvu(w);
        match self._scheme {
            Scheme::None => self.wire_no_wru(w),
            Scheme::Threshold => wire_wru!(w, self, wru_threshold, L),
            Scheme::LocalSorting => wire_wru!(w, self, wru_sorting, L),
            Scheme::GlobalSorting => self.wire_global_wru(w),
        }
        if !self.global_moves.is_there() {
            wire!(w: self.control.moved <- zero);
        }
    }

    fn wire_control(&mut self, w: &mut Wiring) {
        w.comment(" What the core decides.");
        wire!(w: self.control.clock <- self.clock);
        wire!(w: self.control.reset <- self.reset);
        wire!(w: self.control.configure <- self.configure);
        wire!(w: self.control.double_buffer <- self.double_buffer);
        wire!(w: self.control.init <- self.init);
        wire!(w: self.control.kernel_end <- self.kernel_end);
        wire!(w: self.control.pull <- self.pull);
        wire!(w: self.control.push <- self.push);
        wire!(w: self.control.leave <- self.leave);
        wire!(w: self.control.all_done <- self.all_done);
        wire!(w: self.control.out_ready <- self.out_ready);
        wire!(w: self.control.in_valid <- self.in_valid);
        wire!(w: self.control.in_part <- self.in_part);
        wire!(w: self.control.in_id <- self.in_id);
        wire_bits!(w: self.control.bank_empty, i in L, self.bank[i].empty);
        wire_bits!(w: self.control.bank_full, i in L, self.bank[i].full);
        wire_bits!(w: self.control.bank_pull_valid, i in L, self.bank[i].pull_valid);
        wire_bits!(w: self.control.bank_wru_accepted, i in L, self.bank[i].wru_accepted);
        wire_bits!(w: self.control.bank_fill_accepted, i in L, self.bank[i].fill_accepted);
        wire!(w: self.control.hvu_push_ready <- self.hvu.push_ready);
        wire!(w: self.control.hvu_overflow <- self.hvu.overflow);
        wire!(w: self.control.hvu_pull_busy <- self.hvu.pull_busy);
        wire!(w: self.control.hvu_held <- self.hvu.held);
        wire!(w: self.control.hvu_fill_push <- self.hvu.fill_push);
        for i in 0..L {
            wire!(w: self.control.push_id[i] <- self.push_id[i]);
            wire!(w: self.control.pull_occupancy[i] <- self.bank[i].pull_occupancy);
            wire!(w: self.control.hvu_fill_id[i] <- self.hvu.fill_id[i]);
        }
        wire!(w: self.status <- self.control.status);
        wire!(w: self.count <- self.control.count);
        wire!(w: self.pull_part <- self.control.pull_part);
        wire!(w: self.double_mode <- self.control.double_mode);
        wire!(w: self.quiet <- self.control.quiet);
        wire!(w: self.in_ready <- self.control.in_ready);
    }

    fn wire_hvu(&mut self, w: &mut Wiring) {
        w.comment(" Virtualization.");
        wire!(w: self.hvu.clock <- self.clock);
        wire!(w: self.hvu.reset <- self.reset);
        wire!(w: self.hvu.configure <- self.control.bank_configure);
        wire!(w: self.hvu.init <- self.control.hvu_init);
        wire!(w: self.hvu.swap <- self.control.swap);
        wire!(w: self.hvu.pull_part <- self.control.pull_part);
        wire!(w: self.hvu.spill <- self.control.spill);
        wire!(w: self.hvu.room <- self.control.room);
        wire!(w: self.hvu.demand <- self.control.demand);
        wire_bits!(w: self.hvu.fill_accepted, i in L, self.bank[i].fill_accepted);
        for i in 0..L {
            wire!(w: self.hvu.spill_id[i] <- self.control.spill_id[i]);
        }
        for i in 0..LINE_WORDS {
            wire!(w: self.hvu.line_id[i] <- self.line_id[i]);
            wire!(w: self.mem_id[i] <- self.hvu.mem_id[i]);
        }
        wire!(w: self.hvu.double_buffer <- self.double_buffer);
        wire!(w: self.hvu.init_base <- self.init_base);
        wire!(w: self.hvu.init_lines <- self.init_lines);
        wire!(w: self.hvu.mem_ready <- self.mem_ready);
        wire!(w: self.hvu.line_valid <- self.line_valid);
        wire!(w: self.hvu.line_tag <- self.line_tag);
        wire!(w: self.push_ready <- self.hvu.push_ready);
        wire!(w: self.overflow <- self.hvu.overflow);
        wire!(w: self.pending <- self.hvu.pending);
        wire!(w: self.mem_valid <- self.hvu.mem_valid);
        wire!(w: self.mem_write <- self.hvu.mem_write);
        wire!(w: self.mem_line <- self.hvu.mem_line);
        wire!(w: self.mem_tag <- self.hvu.mem_tag);
        wire!(w: self.mem_count <- self.hvu.mem_count);
        wire!(w: self.line_ready <- self.hvu.line_ready);
    }

    /// Without a unit nothing moves and nothing leaves.
    fn wire_no_wru(&mut self, w: &mut Wiring) {
        for i in 0..L {
            wire!(w: self.bank[i].wru_pop <- zero);
            wire!(w: self.bank[i].wru_push <- zero);
            wire!(w: self.bank[i].wru_part <- zero);
            wire!(w: self.bank[i].wru_id <- zero);
            wire!(w: self.control.wru_push_id[i] <- zero);
        }
        wire!(w: self.control.wru_push <- zero);
        wire!(w: self.control.wru_part <- zero);
        wire!(w: self.control.wru_moving <- zero);
        self.wire_nothing_sent(w);
    }

    fn wire_nothing_sent(&mut self, w: &mut Wiring) {
        wire!(w: self.control.out_valid <- zero);
        wire!(w: self.control.out_part <- zero);
        wire!(w: self.greedy <- zero);
        wire!(w: self.out_valid <- zero);
        wire!(w: self.out_part <- zero);
        wire!(w: self.out_id <- zero);
        wire!(w: self.unused_send <- self.send);
    }

    fn wire_global_wru(&mut self, w: &mut Wiring) {
        w.comment(" The redistribution unit of all cores.");
        for i in 0..L {
            wire!(w: self.bank[i].wru_pop <- self.wru_pop, bit i);
            wire!(w: self.bank[i].wru_push <- self.wru_push, bit i);
            wire!(w: self.bank[i].wru_part <- self.wru_part);
            wire!(w: self.bank[i].wru_id <- self.wru_push_id[i]);
            wire!(w: self.control.wru_push_id[i] <- self.wru_push_id[i]);
            wire!(w: self.pull_occupancy[i] <- self.bank[i].pull_occupancy);
            wire!(w: self.push_occupancy[i] <- self.bank[i].push_occupancy);
        }
        wire!(w: self.control.wru_push <- self.wru_push);
        wire!(w: self.control.wru_part <- self.wru_part);
        wire!(w: self.control.wru_moving <- self.wru_moving);
        wire_bits!(w: self.wru_valid, i in L, self.bank[i].wru_valid);
        wire!(w: self.wru_accepted <- self.control.wru_accepted);
        wire!(w: self.global_moves.clock <- self.clock);
        wire!(w: self.global_moves.reset <- self.reset);
        wire_bits!(w: self.global_moves.wru_valid, i in L, self.bank[i].wru_valid);
        wire!(w: self.global_moves.wru_kept <- self.control.wru_kept);
        wire!(w: self.control.moved <- self.global_moves.moved);
        self.wire_nothing_sent(w);
    }
}

impl<const L: usize, const S: usize, const L2: usize, const A: usize, const C: usize, const W: usize> Logic
    for HwwlCore<L, S, L2, A, C, W>
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
