//! Pins of the units of Graph-Waving, as listed in `docs/gw/`.

mod b32_front_end;
mod fetch_arbiter;
mod gw_front_end;
mod instruction_buffer;
pub mod next;
mod round_robin_scheduler;

use super::Parameters;
use crate::pins::group;

pub use crate::pins::Offer;
pub use b32_front_end::{B32Answer, B32Done, B32Fetch, B32Fill, B32In, B32Out, B32SliceIn, B32SliceOut};
pub use fetch_arbiter::{Ask, FetchArbiterIn, FetchArbiterOut, Want};
pub use gw_front_end::{Done, Fetch, Fill, GwIn, GwOut, SliceIn, SliceOut};
pub use instruction_buffer::{BufferWrite, InstructionBufferIn, InstructionBufferOut};
pub use next::Next;
pub use round_robin_scheduler::{RoundRobinSchedulerIn, RoundRobinSchedulerOut};

/// Bits of an instruction's record in the baseline.
pub const RECORD_BITS: u32 = 73;
/// Bits of a record of Graph-Waving: that of the baseline, and where the warp goes on after it.
pub const GW_RECORD_BITS: u32 = RECORD_BITS + 2;
/// Elements of the list of written registers.
pub const WRITES: usize = 4;
/// Elements of the list of read registers.
pub const READS: usize = 6;
/// Bits of an element of a list: the number, and above it whether there is one.
pub const ELEMENT: u32 = 7;
/// Bits of a list of written registers.
pub const WRITES_BITS: u32 = ELEMENT * WRITES as u32;
/// Bits of a list of read registers.
pub const READS_BITS: u32 = ELEMENT * READS as u32;
/// Bits of the number of a line.
const LINE_BITS: u32 = 15;

group! {
    /// `issue_even`, `issue_odd`, `issue_pair`: these halves of this pair issue. With `answer` they are answered.
    Halves(p: &Parameters) {
        even: bool,
        odd: bool,
        pair if even | odd: u8 = p.pair_bits(),
    }
}

impl Halves {
    /// The places.
    #[inline]
    pub fn places(&self) -> u64 {
        (self.even as u64 | (self.odd as u64) << 1) << (2 * (self.pair as u32 & 31))
    }
}

/// The places of a wave's mask.
#[inline]
pub fn members(group: u8, mask: u16, wave: usize) -> u64 {
    (mask as u64) << ((group as usize * wave) & 63)
}

#[cfg(test)]
mod tests;
