//! Pins of `swfu`.

use super::Offer;
use crate::units::gw::parameters::{MOST_PLACES, MOST_WAVES};
use crate::units::gw::Parameters;
use crate::units::pins::{group, offered, pins};

group! {
    /// `offer_*`: the oldest wave that has not issued.
    WaveOffer(p: &Parameters) {
        swid: u8 = p.swid_bits(),
        path: u8 = 2,
        urgent: bool,
    }
}

group! {
    /// `wave_group_i`, `wave_mask_i`, `wave_pc_i`: an entry of the table.
    WavePins(p: &Parameters) {
        group: u8 = p.group_bits(),
        mask: u16 = p.wave as u32,
        pc: u16 = 16,
    }
}

pins! {
    /// Inputs of `swfu`.
    SwfuIn(p: &Parameters) {
        ready: u64 = p.places() as u32,
        scalar: u64 = p.places() as u32,
        issue_wave: bool,
        issue_swid: u8 = p.swid_bits(),
        done: Offer<u8> = offered("swid", p.swid_bits()),
    }
    each (p.places()) {
        pc: [u16; MOST_PLACES] = 16,
        path: [u8; MOST_PLACES] = 2,
    }
}

pins! {
    /// Outputs of `swfu`.
    SwfuOut(p: &Parameters) {
        offer: Offer<WaveOffer>,
        joined: u64 = p.places() as u32,
        table_full: bool,
    }
    each (p.swst) {
        wave: [Offer<WavePins>; MOST_WAVES],
    }
}
