//! `pair_scheduler`: odd-even pairs round robin, then halves, then the oldest scalar wave (6.1, 6.3.2).

use super::mask::{even_places, round_robin, Paths, EVEN};
use super::pins::{Halves, PairSchedulerIn, PairSchedulerOut, WaveOffer};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

#[derive(Clone, Debug)]
pub struct PairScheduler {
    parameters: Parameters,
    pointer: u32,
    halves: Halves,
    /// SWID of the wave that issues.
    wave: Option<u8>,
}

impl PairScheduler {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("pair_scheduler")?;
        Ok(PairScheduler { parameters: *parameters, pointer: 0, halves: Halves::default(), wave: None })
    }

    #[inline]
    pub(super) fn halves(&self) -> &Halves {
        &self.halves
    }

    #[inline]
    pub(super) fn wave(&self) -> Option<u8> {
        self.wave
    }

    #[inline]
    pub(super) fn issues(&self) -> bool {
        self.halves.even || self.halves.odd || self.wave.is_some()
    }

    /// The edge. `vectors`: places that are ready and not scalar. `same`: even places of pairs that may go together.
    #[inline]
    pub(super) fn step(&mut self, vectors: u64, same: u64, paths: &Paths, offer: Option<WaveOffer>, room: u8) {
        let can_go = if vectors == 0 { 0 } else { vectors & paths.with(room) & !self.halves.places() };
        let may_issue = |offer: &WaveOffer| room >> offer.path & 1 == 1 && self.wave != Some(offer.swid);
        let wave = offer.filter(may_issue);
        (self.halves.even, self.halves.odd) = (false, false);
        self.wave = None;
        if wave.is_some_and(|wave| wave.urgent) || !self.issue_halves(can_go, same) {
            self.wave = wave.map(|wave| wave.swid);
        }
    }

    /// The first pair, or else the first half. `false`: there is none.
    fn issue_halves(&mut self, can_go: u64, same: u64) -> bool {
        let pairs = same & can_go & can_go >> 1 & EVEN;
        let (first, odd) = if let Some(even) = round_robin(pairs, self.pointer & !1) {
            self.halves.odd = true;
            self.halves.even = true;
            (even, 1)
        } else if let Some(place) = round_robin(can_go, self.pointer) {
            (self.halves.even, self.halves.odd) = (place % 2 == 0, place % 2 == 1);
            (place, 0)
        } else {
            return false;
        };
        self.halves.pair = (first / 2) as u8;
        self.pointer = (first + odd + 1) % self.parameters.places() as u32;
        true
    }
}

impl Unit for PairScheduler {
    type In = PairSchedulerIn;
    type Out = PairSchedulerOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> PairSchedulerOut {
        PairSchedulerOut { halves: self.halves, wave: self.wave.into() }
    }

    fn clock(&mut self, pins: &PairSchedulerIn) {
        let same = if pins.pairs_on { even_places(pins.same) } else { 0 };
        self.step(pins.ready & !pins.scalar, same, &Paths::new(&pins.path), pins.offer.get(), pins.room);
    }

    fn reset(&mut self) {
        (self.pointer, self.halves, self.wave) = (0, Halves::default(), None);
    }
}

#[cfg(test)]
mod tests;
