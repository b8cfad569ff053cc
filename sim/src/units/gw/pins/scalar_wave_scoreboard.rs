//! Pins of `scalar_wave_scoreboard`.

use super::{writes, Offer};
use crate::unit::{Interface, Pin};
use crate::units::gw::Parameters;
use crate::units::pins::{flag, group, offer, pins};

group! {
    /// `clear_group`, `clear_mask`, `clear_writes`: the members of this wave have these registers written.
    Clear {
        group: u8,
        mask: u16,
        /// A list of 4.
        writes: u32,
    }
}

pins! {
    /// Inputs of `scalar_wave_scoreboard`.
    ScalarWaveScoreboardIn {
        issue_wave: bool,
        issue_swid: u8,
        issue_group: u8,
        issue_mask: u16,
        /// A list of 4.
        issue_writes: u32,
        done: Offer<u8>,
    }
}

pins! {
    /// Outputs of `scalar_wave_scoreboard`.
    ScalarWaveScoreboardOut {
        clear: Offer<Clear>,
        /// A bit for each SWID.
        busy: u16,
    }
}

/// `clear_*`.
pub(super) fn clear(p: &Parameters) -> Vec<Pin> {
    let pins = [Pin::new("clear_group", p.group_bits()), Pin::new("clear_mask", p.wave as u32), writes("clear_writes")];
    offer("clear_valid", pins)
}

pub fn scalar_wave_scoreboard_interface(p: &Parameters) -> Interface {
    let inputs = vec![
        flag("issue_wave"),
        Pin::new("issue_swid", p.swid_bits()),
        Pin::new("issue_group", p.group_bits()),
        Pin::new("issue_mask", p.wave as u32),
        writes("issue_writes"),
        flag("done_valid"),
        Pin::new("done_swid", p.swid_bits()),
    ];
    let mut outputs = clear(p);
    outputs.push(Pin::new("busy", p.swst as u32));
    Interface { inputs, outputs }
}
