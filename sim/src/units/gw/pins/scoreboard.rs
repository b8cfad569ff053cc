//! Pins of `scoreboard`.

use super::scalar_wave_scoreboard::clear;
use super::{halves, places, wave, writes, Clear, Halves, Offer, Wave};
use crate::unit::{Interface, Pin};
use crate::units::gw::parameters::MOST_PLACES;
use crate::units::gw::record::RECORD_BITS;
use crate::units::gw::Parameters;
use crate::units::pins::{each, flag, group, input, pins};

group! {
    /// `done_even_k`, `done_odd_k`, `done_pair_k`, `done_writes_k`: these halves have these registers written.
    Done {
        even: bool,
        odd: bool,
        pair: u8,
        /// A list of 4.
        writes: u32,
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
    ScoreboardIn {
        check_warps: u64,
        record: u128,
        halves: Halves,
        wave: Wave,
        done: [Done; 2],
        clear: Offer<Clear>,
    }
}

pins! {
    /// Outputs of `scoreboard`.
    ScoreboardOut {
        ready: u64,
        waits: u64,
    }
    each {
        path: [u8; MOST_PLACES],
    }
}

/// `done_even_0` to `done_writes_1`, as inputs.
pub(super) fn done(p: &Parameters) -> impl Iterator<Item = Pin> {
    let pair = Pin::new("done_pair", p.pair_bits());
    each(2, vec![flag("done_even"), flag("done_odd"), pair, writes("done_writes")])
}

pub fn scoreboard_interface(p: &Parameters) -> Interface {
    let mut inputs = vec![places("check_warps", p), Pin::new("record", RECORD_BITS)];
    inputs.extend(halves(p));
    inputs.extend(wave(p));
    inputs.extend(done(p));
    inputs.extend(input(clear(p)));
    let mut outputs = vec![places("ready", p), places("waits", p)];
    outputs.extend(each(p.places(), vec![Pin::new("path", 2)]));
    Interface { inputs, outputs }
}
