//! Pins of the units of Graph-Waving, as listed in `docs/gw/`.

mod fetch_arbiter;
mod gw_front_end;
mod instruction_buffer;
mod instruction_storage;
mod pair_scheduler;
mod round_robin_scheduler;
mod scalar_register_map;
mod scalar_wave_scoreboard;
mod scoreboard;
mod swfu;
mod warp_status_table;

use super::record::WRITES_BITS;
use super::Parameters;
use crate::unit::{Condition, Pin};
use crate::units::pins::{flag, group};

pub use crate::units::pins::Offer;
pub use fetch_arbiter::{fetch_arbiter_interface, Ask, FetchArbiterIn, FetchArbiterOut, Want};
pub use gw_front_end::{gw_front_end_interface, GwIn, GwOut, SliceIn, SliceOut};
pub use instruction_buffer::{instruction_buffer_interface, BufferWrite, InstructionBufferIn, InstructionBufferOut};
pub use instruction_storage::{
    instruction_storage_interface, AnswerPins, Count, Fetch, Fill, InstructionStorageIn, InstructionStorageOut,
    StorageIn, StorageOut,
};
pub use pair_scheduler::{pair_scheduler_interface, PairSchedulerIn, PairSchedulerOut};
pub use round_robin_scheduler::{round_robin_scheduler_interface, RoundRobinSchedulerIn, RoundRobinSchedulerOut};
pub use scalar_register_map::{scalar_register_map_interface, ScalarRegisterMapIn, ScalarRegisterMapOut};
pub use scalar_wave_scoreboard::{
    scalar_wave_scoreboard_interface, Clear, ScalarWaveScoreboardIn, ScalarWaveScoreboardOut,
};
pub use scoreboard::{scoreboard_interface, Done, ScoreboardIn, ScoreboardOut};
pub use swfu::{swfu_interface, SwfuIn, SwfuOut, WaveOffer, WavePins};
pub use warp_status_table::{warp_status_table_interface, Next, WarpStatusTableIn, WarpStatusTableOut};

group! {
    /// `issue_even`, `issue_odd`, `issue_pair`: these halves of this pair issue.
    Halves {
        even: bool,
        odd: bool,
        /// Means something while one of them issues.
        pair: u8,
    }
}

group! {
    /// `issue_wave`, `wave_group`, `wave_mask`: this wave issues.
    Wave {
        issue: bool,
        /// The rest means something while it does.
        group: u8,
        mask: u16,
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

/// `issue_even` and `issue_odd` are high, or one is: the pins mean something.
fn while_half_issues(pins: impl IntoIterator<Item = Pin>) -> impl Iterator<Item = Pin> {
    let issues = |pin: Pin| pin.valid_if(Condition::bit("issue_even", 0)).valid_if(Condition::bit("issue_odd", 0));
    pins.into_iter().map(issues)
}

/// Pins of [`Halves`], as inputs.
fn halves(p: &Parameters) -> [Pin; 3] {
    [flag("issue_even"), flag("issue_odd"), Pin::new("issue_pair", p.pair_bits())]
}

/// Pins of [`Wave`], as inputs.
fn wave(p: &Parameters) -> [Pin; 3] {
    [flag("issue_wave"), wave_group("", p), wave_mask("", p)]
}

fn wave_group(suffix: &str, p: &Parameters) -> Pin {
    Pin::new(format!("wave_group{suffix}"), p.group_bits())
}

fn wave_mask(suffix: &str, p: &Parameters) -> Pin {
    Pin::new(format!("wave_mask{suffix}"), p.wave as u32)
}

fn places(name: &str, p: &Parameters) -> Pin {
    Pin::new(name, p.places() as u32)
}

fn writes(name: impl Into<String>) -> Pin {
    Pin::new(name, WRITES_BITS)
}

#[cfg(test)]
mod tests;
