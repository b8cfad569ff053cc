//! Pins of the units of Graph-Waving, as listed in `docs/gw/`.

mod b32_front_end;
mod fetch_arbiter;
mod gw_front_end;
mod gw_front_end_ahead;
mod instruction_buffer;
mod instruction_storage;
mod pair_scheduler;
mod round_robin_scheduler;
mod scalar_register_map;
mod scalar_wave_scoreboard;
mod scoreboard;
mod swfu;
mod warp_status_table;

use super::Parameters;
use crate::units::pins::group;

pub use crate::units::pins::Offer;
pub use b32_front_end::{B32Done, B32Fetch, B32Fill, B32In, B32Out, B32SliceIn, B32SliceOut};
pub use fetch_arbiter::{Ask, FetchArbiterIn, FetchArbiterOut, Want};
pub use gw_front_end::{GwIn, GwOut, SliceIn, SliceOut};
pub use gw_front_end_ahead::{AheadFill, AheadIn, AheadOut, AheadSliceIn, AheadSliceOut, SlotsDone};
pub use instruction_buffer::{BufferWrite, InstructionBufferIn, InstructionBufferOut};
pub use instruction_storage::{
    AnswerPins, Count, Fetch, Fill, InstructionStorageIn, InstructionStorageOut, StorageIn, StorageOut,
};
pub use pair_scheduler::{PairSchedulerIn, PairSchedulerOut};
pub use round_robin_scheduler::{RoundRobinSchedulerIn, RoundRobinSchedulerOut};
pub use scalar_register_map::{ScalarRegisterMapIn, ScalarRegisterMapOut};
pub use scalar_wave_scoreboard::{Clear, ScalarWaveScoreboardIn, ScalarWaveScoreboardOut};
pub use scoreboard::{Done, ScoreboardIn, ScoreboardOut};
pub use swfu::{SwfuIn, SwfuOut, WaveOffer, WavePins};
pub use warp_status_table::{Next, WarpStatusTableIn, WarpStatusTableOut};

group! {
    /// `issue_even`, `issue_odd`, `issue_pair`: these halves of this pair issue.
    Halves(p: &Parameters) {
        even: bool,
        odd: bool,
        pair if even | odd: u8 = p.pair_bits(),
    }
}

group! {
    /// `issue_wave`, `wave_group`, `wave_mask`: this wave issues.
    Wave(p: &Parameters) {
        issue: bool as "issue_wave",
        group if issue_wave: u8 as "wave_group" = p.group_bits(),
        mask if issue_wave: u16 as "wave_mask" = p.wave as u32,
    }
}

impl Halves {
    /// The places that issue.
    #[inline]
    pub fn places(&self) -> u64 {
        (self.even as u64 | (self.odd as u64) << 1) << (2 * (self.pair as u32 & 31))
    }
}

impl Wave {
    /// The places that issue, in waves of `wave` warps.
    #[inline]
    pub fn places(&self, wave: usize) -> u64 {
        if self.issue {
            members(self.group, self.mask, wave)
        } else {
            0
        }
    }
}

/// The places of a wave's mask.
#[inline]
pub fn members(group: u8, mask: u16, wave: usize) -> u64 {
    (mask as u64) << ((group as usize * wave) & 63)
}

#[cfg(test)]
mod tests;
