//! Pins of `swfu`.

use super::{places, wave_group, wave_mask, Offer};
use crate::unit::{Interface, Pin};
use crate::units::gw::parameters::{MOST_PLACES, MOST_WAVES};
use crate::units::gw::Parameters;
use crate::units::pins::{each, flag, group, offer, pins};

group! {
    /// `offer_*`: the oldest wave that has not issued.
    WaveOffer {
        swid: u8,
        path: u8,
        urgent: bool,
    }
}

group! {
    /// `wave_group_i`, `wave_mask_i`, `wave_pc_i`: an entry of the table.
    WavePins {
        group: u8,
        mask: u16,
        pc: u16,
    }
}

pins! {
    /// Inputs of `swfu`.
    SwfuIn {
        ready: u64,
        scalar: u64,
        issue_wave: bool,
        issue_swid: u8,
        done: Offer<u8>,
    }
    each {
        pc: [u16; MOST_PLACES],
        path: [u8; MOST_PLACES],
    }
}

pins! {
    /// Outputs of `swfu`.
    SwfuOut {
        offer: Offer<WaveOffer>,
        joined: u64,
        table_full: bool,
    }
    each {
        wave: [Offer<WavePins>; MOST_WAVES],
    }
}

/// `offer_*`.
pub(super) fn wave_offer(p: &Parameters) -> Vec<Pin> {
    let pins = [Pin::new("offer_swid", p.swid_bits()), Pin::new("offer_path", 2), flag("offer_urgent")];
    offer("offer_valid", pins)
}

pub fn swfu_interface(p: &Parameters) -> Interface {
    let swid = |name| Pin::new(name, p.swid_bits());
    let mut inputs = vec![places("ready", p), places("scalar", p), flag("issue_wave"), swid("issue_swid")];
    inputs.extend([flag("done_valid"), swid("done_swid")]);
    inputs.extend(each(p.places(), vec![Pin::new("pc", 16), Pin::new("path", 2)]));
    let mut outputs = wave_offer(p);
    outputs.extend([places("joined", p), flag("table_full")]);
    let wave = offer("wave_valid", [wave_group("", p), wave_mask("", p), Pin::new("wave_pc", 16)]);
    outputs.extend(each(p.swst, wave));
    Interface { inputs, outputs }
}
