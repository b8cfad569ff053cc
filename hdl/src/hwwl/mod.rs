//! HWWL: Kim and Batten, *Accelerating Irregular Algorithms on GPGPUs Using Fine-Grain Hardware Worklists*, MICRO 2014.
//!
//! `docs/hwwl.md` says what these units do, cycle by cycle.

pub mod bank;
pub mod banks_before;
mod between_cores;
pub mod core_control;
mod core_signals;
mod core_way;
pub mod departure;
pub mod edge_expander;
pub mod extremes;
pub mod global_moves;
pub mod greedy;
pub mod hvu;
pub mod hvu_bins;
#[allow(clippy::module_inception)] // A unit and its system may have one name.
pub mod hwwl;
pub mod hwwl_core;
pub mod icrn;
pub mod matching;
pub mod mover;
pub mod pairing;
pub mod serial_mover;
pub mod side_select;
pub mod threshold_select;
pub mod wru_global;
pub mod wru_serial;
pub mod wru_sorting;
pub mod wru_threshold;

use crate::circuit::net::{Builder, Net};

pub use spec::hwwl::Scheme;

/// Bits of a work ID (III-B: "24 bits supporting up to 17M unique work IDs").
pub const ID_BITS: usize = 24;

/// Bits that number `n` things (a power of two): addresses of entries, lanes.
pub const fn address_bits(n: usize) -> usize {
    n.ilog2() as usize
}

/// Bits that count 0 ..= `n` (a power of two).
pub const fn count_bits(n: usize) -> usize {
    address_bits(n) + 1
}

/// Words (IDs of 4 bytes) of a line of memory.
pub const LINE_WORDS: usize = 32;

/// Bits that count a core's IDs, those in memory included.
pub const HELD_BITS: usize = 22;

/// Banks that are counted, or whose ranks make pairs, in one cycle; of more it takes two.
pub const BANKS_IN_A_CYCLE: usize = 32;

/// When IDs come back from memory (III-D).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refill {
    /// Every so many cycles.
    Interval(u64),
    /// When a pull has found its bank empty.
    Demand,
}

/// The threshold as a constant of the width of an occupancy. What no occupancy reaches is the same as one more than the
/// largest.
fn threshold_constant(b: &Builder, threshold: u64, count_bits: usize) -> Net<'_> {
    let entries = 1 << (count_bits - 1);
    b.constant(threshold.min(entries + 1), count_bits)
}
