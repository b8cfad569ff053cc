//! Pins of `pair_scheduler`.

use super::{Halves, Offer, WaveOffer};
use crate::unit::Pin;
use crate::units::gw::parameters::MOST_PLACES;
use crate::units::gw::Parameters;
use crate::units::pins::{offer, pins};

pins! {
    /// Inputs of `pair_scheduler`.
    PairSchedulerIn(p: &Parameters) {
        ready: u64 = p.places() as u32,
        scalar: u64 = p.places() as u32,
        /// A bit for each pair.
        same: u32 = p.places() as u32 / 2,
        offer: Offer<WaveOffer>,
        /// A bit for each path: it takes an instruction in the next cycle.
        room: u8 = 4,
        pairs_on: bool,
    }
    each (p.places()) {
        path: [u8; MOST_PLACES] = 2,
    }
}

pins! {
    /// Outputs of `pair_scheduler`.
    PairSchedulerOut(p: &Parameters) {
        halves: Halves as "issue",
        /// `issue_wave`, `issue_swid`.
        wave: Offer<u8> as "issue" = offer("wave", [Pin::new("swid", p.swid_bits())]),
    }
}
