//! HWWL: Kim and Batten, *Accelerating Irregular Algorithms on GPGPUs Using Fine-Grain Hardware Worklists*, MICRO 2014.
//!
//! `docs/hwwl.md` says what these units do, cycle by cycle.

pub mod bank;
pub mod core;
pub mod pairing;
pub mod side_select;
pub mod wru_sorting;

use crate::circuit::{Circuit, Wire};

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

/// The threshold as a constant of the width of an occupancy. What no occupancy reaches is the same as one more than the
/// largest.
fn threshold(c: &mut Circuit, threshold: u64, count_bits: usize) -> Wire {
    let entries = 1 << (count_bits - 1);
    c.constant(threshold.min(entries + 1), count_bits)
}
