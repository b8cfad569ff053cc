//! Pins of `scoreboard`.

use super::{Clear, Halves, Offer, Wave};
use crate::units::gw::parameters::MOST_PLACES;
use crate::units::gw::record::{RECORD_BITS, WRITES_BITS};
use crate::units::gw::Parameters;
use crate::units::pins::{group, pins};

group! {
    /// `done_even_k`, `done_odd_k`, `done_pair_k`, `done_writes_k`: these halves have these registers written.
    Done(p: &Parameters) {
        even: bool,
        odd: bool,
        pair: u8 = p.pair_bits(),
        /// A list of 4.
        writes: u32 = WRITES_BITS,
    }
}

impl Done {
    /// The places whose registers are written.
    #[inline]
    pub fn places(&self) -> u64 {
        Halves { even: self.even, odd: self.odd, pair: self.pair }.places()
    }
}

pins! {
    /// Inputs of `scoreboard`.
    ScoreboardIn(p: &Parameters) {
        check_warps: u64 = p.places() as u32,
        record: u128 = RECORD_BITS,
        halves: Halves as "issue",
        wave: Wave as "",
        done: [Done; 2],
        clear: Offer<Clear>,
    }
}

pins! {
    /// Outputs of `scoreboard`.
    ScoreboardOut(p: &Parameters) {
        ready: u64 = p.places() as u32,
        waits: u64 = p.places() as u32,
    }
    each (p.places()) {
        path: [u8; MOST_PLACES] = 2,
    }
}
