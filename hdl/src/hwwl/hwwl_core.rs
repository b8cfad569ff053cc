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
//!  quiet <-------------'             |                  | / wru_serial  |
//!                                    |                  +---------------+
//!                      mem_*, line_* v
//! ```
//!
//! With the scheme `GlobalSorting` the pins between banks and redistribution unit are ports: one unit serves all cores.
//! This block only connects; what is decided here is decided in `core_control`.

use super::bank::Bank;
use super::core_control::CoreControl;
use super::global_moves::GlobalMoves;
use super::hvu::Hvu;
use super::hvu_bins::HvuBins;
use super::wru_serial::WruSerial;
use super::wru_sorting::WruSorting;
use super::wru_threshold::WruThreshold;
use super::{Refill, Scheme, HELD_BITS, ID_BITS, LINE_WORDS};
use crate::circuit::wiring::{Optional, Wiring};
use crate::{wire, wire_bits, wired};
use rust_hdl::prelude::*;

/// The pins of a core's own redistribution unit: those of all units are the same.
macro_rules! wire_wru {
    ($w:ident, $me:ident, $wru:ident, $lanes:ident) => {{
        $w.comment(" Redistribution.");
        wire!($w: [$me.$wru] <- [$me]: clock, reset);
        wire!($w: $me.$wru.double_buffer <- $me.control.double_mode);
        wire!($w: [$me.$wru] <- [$me.control]: pull_part, wru_accepted);
        wire!($w: [$me.$wru] <- [$me]: send, out_ready);
        wire_bits!($w: $me.$wru.wru_valid, i in $lanes, $me.bank[i].wru_valid);
        for i in 0..$lanes {
            wire!($w: [$me.$wru][i] <- [$me.bank[i]]: pull_occupancy, push_occupancy, id);
            wire!($w: $me.bank[i].wru_pop <- $me.$wru.pop, bit i);
            wire!($w: $me.bank[i].wru_push <- $me.$wru.push, bit i);
            wire!($w: $me.bank[i].wru_part <- $me.$wru.part);
            wire!($w: $me.bank[i].wru_id <- $me.$wru.push_id[i]);
            wire!($w: $me.control.wru_push_id[i] <- $me.$wru.push_id[i]);
        }
        wire!($w: $me.control.wru_push <- $me.$wru.push);
        wire!($w: $me.control.wru_part <- $me.$wru.part);
        wire!($w: $me.control.wru_moving <- $me.$wru.moving);
        wire!($w: [$me.control] <- [$me.$wru]: out_valid, out_part);
        wire!($w: [$me] <- [$me.$wru]: greedy, out_valid, out_part, out_id);
    }};
}

/// Banks, control and virtualization unit: the pins of both virtualization units are the same.
macro_rules! wire_hvu {
    ($w:ident, $me:ident, $hvu:ident, $lanes:ident) => {{
        $w.comment(" Banks: lane i, the redistribution unit, refills and arrivals.");
        for i in 0..$lanes {
            wire!($w: [$me.bank[i]] <- [$me]: clock, reset);
            wire!($w: $me.bank[i].configure <- $me.control.bank_configure);
            wire!($w: $me.bank[i].double_buffer <- $me.double_buffer);
            wire!($w: $me.bank[i].swap <- $me.control.swap);
            wire!($w: $me.bank[i].pull <- $me.pull, bit i);
            wire!($w: $me.bank[i].push <- $me.control.bank_push, bit i);
            wire!($w: $me.bank[i].push_id <- $me.push_id[i]);
            wire!($w: $me.bank[i].fill_push <- $me.control.fill_push, bit i);
            wire!($w: $me.bank[i].fill_reserved <- $me.$hvu.fill_push, bit i);
            wire!($w: $me.bank[i].fill_part <- $me.control.fill_part);
            wire!($w: $me.bank[i].fill_id <- $me.control.fill_id[i]);
            wire!($w: $me.bank[i].reserve <- $me.$hvu.reserve);
            wire!($w: $me.bank[i].unreserve <- $me.$hvu.unreserve, bit i);
            wire!($w: $me.id[i] <- $me.bank[i].id);
        }
        $w.comment(" What the core decides.");
        wire!($w: [$me.control] <- [$me]: clock, reset, configure, double_buffer, init, kernel_end, pull, push, leave,
            all_done, out_ready, in_valid, in_part, in_id);
        wire_bits!($w: $me.control.bank_empty, i in $lanes, $me.bank[i].empty);
        wire_bits!($w: $me.control.bank_full, i in $lanes, $me.bank[i].full);
        wire_bits!($w: $me.control.bank_pull_valid, i in $lanes, $me.bank[i].pull_valid);
        wire_bits!($w: $me.control.bank_wru_accepted, i in $lanes, $me.bank[i].wru_accepted);
        wire_bits!($w: $me.control.bank_fill_accepted, i in $lanes, $me.bank[i].fill_accepted);
        wire!($w: $me.control.hvu_push_ready <- $me.$hvu.push_ready);
        wire!($w: $me.control.hvu_overflow <- $me.$hvu.overflow);
        wire!($w: $me.control.hvu_pull_busy <- $me.$hvu.pull_busy);
        wire!($w: $me.control.hvu_holds <- $me.$hvu.holds);
        wire!($w: $me.control.hvu_fill_push <- $me.$hvu.fill_push);
        for i in 0..$lanes {
            wire!($w: $me.control.push_id[i] <- $me.push_id[i]);
            wire!($w: $me.control.pull_occupancy[i] <- $me.bank[i].pull_occupancy);
            wire!($w: $me.control.hvu_fill_id[i] <- $me.$hvu.fill_id[i]);
        }
        wire!($w: [$me] <- [$me.control]: status, count, pull_part, double_mode, quiet, in_ready);
        $w.comment(" Virtualization.");
        wire!($w: [$me.$hvu] <- [$me]: clock, reset);
        wire!($w: $me.$hvu.configure <- $me.control.bank_configure);
        wire!($w: $me.$hvu.init <- $me.control.hvu_init);
        wire!($w: [$me.$hvu] <- [$me.control]: swap, pull_part, spill, room, demand);
        wire_bits!($w: $me.$hvu.fill_accepted, i in $lanes, $me.bank[i].fill_accepted);
        for i in 0..$lanes {
            wire!($w: $me.$hvu.spill_id[i] <- $me.control.spill_id[i]);
        }
        for i in 0..LINE_WORDS {
            wire!($w: $me.$hvu.line_id[i] <- $me.line_id[i]);
            wire!($w: $me.mem_id[i] <- $me.$hvu.mem_id[i]);
        }
        wire!($w: [$me.$hvu] <- [$me]: double_buffer, init_base, init_lines, mem_ready, line_valid, line_tag);
        wire!($w: [$me] <- [$me.$hvu]: push_ready, overflow, pending, mem_valid, mem_write, mem_line, mem_tag,
            mem_count, line_ready);
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
    /// Spilled IDs gather in bins.
    pub bins: bool,
}

wired! {
    /// L lanes, S = log2(L), L2 = 2 L bits of status; banks of 2^A entries, C = A + 1 bits of occupancy; W = C + S.
    pub struct HwwlCore<const L: usize, const S: usize, const L2: usize, const A: usize, const C: usize, const W: usize> {
        in configure, double_buffer, init: Signal<In, bool>,
        in init_base: Signal<In, Bits<32>>,
        in init_lines: Signal<In, Bits<16>>,
        in kernel_end: Signal<In, bool>,
        in pull, push: Signal<In, Bits<L>>,
        in push_id: [Signal<In, Bits<ID_BITS>>; L],
        in leave: Signal<In, Bits<L>>,
        in all_done: Signal<In, bool>,
        in send: Signal<In, Bits<2>>,
        in out_ready, in_valid, in_part: Signal<In, bool>,
        in in_id: Signal<In, Bits<ID_BITS>>,
        in mem_ready, line_valid: Signal<In, bool>,
        in line_tag: Signal<In, Bits<2>>,
        in line_id: [Signal<In, Bits<ID_BITS>>; LINE_WORDS],
        out status: Signal<Out, Bits<L2>>,
        out id: [Signal<Out, Bits<ID_BITS>>; L],
        out push_ready, overflow, pending: Signal<Out, bool>,
        out count: Signal<Out, Bits<HELD_BITS>>,
        out pull_part, double_mode, quiet: Signal<Out, bool>,
        out greedy: Signal<Out, Bits<2>>,
        out out_valid, out_part: Signal<Out, bool>,
        out out_id: Signal<Out, Bits<ID_BITS>>,
        out in_ready, mem_valid, mem_write: Signal<Out, bool>,
        out mem_line: Signal<Out, Bits<32>>,
        out mem_tag: Signal<Out, Bits<2>>,
        out mem_count: Signal<Out, Bits<6>>,
        out mem_id: [Signal<Out, Bits<ID_BITS>>; LINE_WORDS],
        out line_ready: Signal<Out, bool>,
    }
    children new(options: Options) after {
        let Options { scheme, threshold, interval, refill, bins } = options;
        let words = (LINE_WORDS / L) as u64;
        let global = scheme == Scheme::GlobalSorting;
    } {
        // With global sorting: to and from the unit that serves all cores.
        pub wru_pop: Optional<Signal<In, Bits<L>>> = Optional::port(global),
        pub wru_push: Optional<Signal<In, Bits<L>>> = Optional::port(global),
        pub wru_part: Optional<Signal<In, bool>> = Optional::port(global),
        pub wru_moving: Optional<Signal<In, bool>> = Optional::port(global),
        pub wru_push_id: Optional<[Signal<In, Bits<ID_BITS>>; L]> = Optional::port(global),
        pub wru_valid: Optional<Signal<Out, Bits<L>>> = Optional::port(global),
        pub wru_accepted: Optional<Signal<Out, Bits<L>>> = Optional::port(global),
        pub pull_occupancy: Optional<[Signal<Out, Bits<C>>; L]> = Optional::port(global),
        pub push_occupancy: Optional<[Signal<Out, Bits<C>>; L]> = Optional::port(global),
        bank: Vec<Bank<A, C>> = (0..L).map(|_| Bank::new(words)).collect(),
        wru_sorting: Optional<WruSorting<L, S, C, W>> =
            Optional::new((scheme == Scheme::LocalSorting).then(|| WruSorting::new(threshold, interval))),
        wru_threshold: Optional<WruThreshold<L, S, C>> =
            Optional::new((scheme == Scheme::Threshold).then(|| WruThreshold::new(threshold, interval))),
        wru_serial: Optional<WruSerial<L, S, C>> =
            Optional::new((scheme == Scheme::Serial).then(|| WruSerial::new(threshold))),
        hvu: Optional<Hvu<L>> = Optional::new((!bins).then(|| Hvu::new(refill))),
        hvu_bins: Optional<HvuBins<L>> = Optional::new(bins.then(|| HvuBins::new(refill))),
        control: CoreControl<L, L2, C> = CoreControl::new(words),
        global_moves: Optional<GlobalMoves<L>> = Optional::new(global.then(GlobalMoves::default)),
        // Without a redistribution unit of its own a core sends nothing.
        unused_send: Optional<Signal<Local, Bits<2>>> =
            Optional::port(matches!(scheme, Scheme::None | Scheme::GlobalSorting)),
    }
}

impl<const L: usize, const S: usize, const L2: usize, const A: usize, const C: usize, const W: usize>
    HwwlCore<L, S, L2, A, C, W>
{
    fn wire(&mut self, w: &mut Wiring) {
        if self.hvu.is_there() {
            wire_hvu!(w, self, hvu, L);
        } else {
            wire_hvu!(w, self, hvu_bins, L);
        }
        if self.global_moves.is_there() {
            return self.wire_global_wru(w);
        }
        if self.wru_threshold.is_there() {
            wire_wru!(w, self, wru_threshold, L);
        } else if self.wru_sorting.is_there() {
            wire_wru!(w, self, wru_sorting, L);
        } else if self.wru_serial.is_there() {
            wire_wru!(w, self, wru_serial, L);
        } else {
            self.wire_no_wru(w);
        }
        wire!(w: self.control.moved <- zero);
    }

    /// Without a unit nothing moves and nothing leaves.
    fn wire_no_wru(&mut self, w: &mut Wiring) {
        for i in 0..L {
            wire!(w: [self.bank[i]] <- zero: wru_pop, wru_push, wru_part, wru_id);
            wire!(w: self.control.wru_push_id[i] <- zero);
        }
        wire!(w: [self.control] <- zero: wru_push, wru_part, wru_moving);
        self.wire_nothing_sent(w);
    }

    fn wire_nothing_sent(&mut self, w: &mut Wiring) {
        wire!(w: [self.control] <- zero: out_valid, out_part);
        wire!(w: [self] <- zero: greedy, out_valid, out_part, out_id);
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
            wire!(w: [self][i] <- [self.bank[i]]: pull_occupancy, push_occupancy);
        }
        wire!(w: [self.control] <- [self]: wru_push, wru_part, wru_moving);
        wire_bits!(w: self.wru_valid, i in L, self.bank[i].wru_valid);
        wire!(w: self.wru_accepted <- self.control.wru_accepted);
        wire!(w: [self.global_moves] <- [self]: clock, reset);
        wire_bits!(w: self.global_moves.wru_valid, i in L, self.bank[i].wru_valid);
        wire!(w: self.global_moves.wru_accepted <- self.control.wru_accepted);
        wire!(w: self.control.moved <- self.global_moves.moved);
        self.wire_nothing_sent(w);
    }
}
