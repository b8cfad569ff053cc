//! Passes of a warp over the lanes, and what comes back.

use crate::core::in_flight::InFlight;
use crate::ptx::isa::WARP_SIZE;

/// Answers of a pull, for the registers of its warps in the next cycle; lanes are the instruction's.
#[derive(Clone, Debug)]
pub struct Pulled {
    pub op: InFlight,
    pub lanes: u32,
    /// One of each result of the instruction.
    pub values: [[u64; WARP_SIZE]; 2],
}

/// Threads of the first pass of `threads` over so many lanes, and the first of them.
pub fn pass(threads: u32, lanes: usize) -> (u32, usize) {
    let first = threads.trailing_zeros() as usize / lanes * lanes;
    (threads & ((u64::MAX >> (64 - lanes)) << first) as u32, first)
}
