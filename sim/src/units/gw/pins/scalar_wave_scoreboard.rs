//! Pins of `scalar_wave_scoreboard`.

use super::Offer;
use crate::units::gw::record::WRITES_BITS;
use crate::units::gw::Parameters;
use crate::units::pins::{group, offered, pins};

group! {
    /// `clear_group`, `clear_mask`, `clear_writes`: the members of this wave have these registers written.
    Clear(p: &Parameters) {
        group: u8 = p.group_bits(),
        mask: u16 = p.wave as u32,
        /// A list of 4.
        writes: u32 = WRITES_BITS,
    }
}

pins! {
    /// Inputs of `scalar_wave_scoreboard`.
    ScalarWaveScoreboardIn(p: &Parameters) {
        issue_wave: bool,
        issue_swid: u8 = p.swid_bits(),
        issue_group: u8 = p.group_bits(),
        issue_mask: u16 = p.wave as u32,
        /// A list of 4.
        issue_writes: u32 = WRITES_BITS,
        done: Offer<u8> = offered("swid", p.swid_bits()),
    }
}

pins! {
    /// Outputs of `scalar_wave_scoreboard`.
    ScalarWaveScoreboardOut(p: &Parameters) {
        clear: Offer<Clear>,
        /// A bit for each SWID.
        busy: u16 = p.swst as u32,
    }
}
