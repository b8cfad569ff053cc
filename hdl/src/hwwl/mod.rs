//! HWWL: Kim and Batten, *Accelerating Irregular Algorithms on GPGPUs Using Fine-Grain Hardware Worklists*, MICRO 2014.
//!
//! `docs/hwwl.md` says what these units do, cycle by cycle.

pub mod bank;

/// Bits of a work ID (III-B: "24 bits supporting up to 17M unique work IDs").
pub const ID_BITS: usize = 24;

/// Bits that address `entries` words (a power of two).
pub const fn address_bits(entries: usize) -> usize {
    entries.ilog2() as usize
}

/// Bits that count 0 ..= `entries` (a power of two).
pub const fn count_bits(entries: usize) -> usize {
    address_bits(entries) + 1
}
