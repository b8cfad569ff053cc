//! `scoreboard`: registers of a scheduler's warps that are still to be written (Fig 9).

use super::mask::Paths;
use super::parameters::MOST_PLACES;
use super::pins::{members, Clear, Done, Offer, ScoreboardIn, ScoreboardOut};
use super::record::{registers, Record, Registers};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::bits::bits;
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

#[derive(Clone, Debug)]
pub struct Scoreboard {
    parameters: Parameters,
    pending: [Registers; MOST_PLACES],
    ready: u64,
    waits: u64,
    paths: Paths,
    /// Their record comes in this cycle.
    checked: u64,
}

impl Scoreboard {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("scoreboard")?;
        Ok(Self::empty(parameters))
    }

    fn empty(parameters: &Parameters) -> Self {
        let paths = Paths::new(&[0; MOST_PLACES]);
        Scoreboard { parameters: *parameters, pending: [0; MOST_PLACES], ready: 0, waits: 0, paths, checked: 0 }
    }

    #[inline]
    pub(super) fn ready(&self) -> u64 {
        self.ready
    }

    #[inline]
    pub(super) fn waits(&self) -> u64 {
        self.waits
    }

    #[inline]
    pub(super) fn paths(&self) -> &Paths {
        &self.paths
    }

    /// A cycle with all inputs low changes nothing.
    pub(super) fn is_quiet(&self) -> bool {
        self.checked == 0
    }

    /// The edge. `record` is that of the places that were checked in the previous cycle, `issued` places issue in this one.
    #[inline]
    pub(super) fn step(&mut self, check: u64, record: &Record, issued: u64, done: &[Done; 2], clear: &Offer<Clear>) {
        let mut written = 0;
        let checked = std::mem::replace(&mut self.checked, check);
        let blocked = self.blocked(checked, record);
        for done in done {
            written |= self.write(done.places(), done.writes);
        }
        if let Some(Clear { group, mask, writes }) = clear.get() {
            written |= self.write(members(group, mask, self.parameters.wave), writes);
        }
        let free = checked & !blocked;
        bits(free).for_each(|place| self.pending[place] |= record.writes);
        self.ready = (self.ready | free) & !issued;
        self.waits = (self.waits | blocked) & !written;
        if checked != 0 {
            self.paths.set(checked, record.path);
        }
    }

    /// Those that touch a pending register.
    fn blocked(&self, places: u64, record: &Record) -> u64 {
        let touched = record.writes | record.reads;
        let mut blocked = 0;
        for place in bits(places) {
            blocked |= ((self.pending[place] & touched != 0) as u64) << place;
        }
        blocked
    }

    /// Gives `places` back.
    #[inline]
    fn write(&mut self, places: u64, writes: u32) -> u64 {
        if places != 0 {
            let written = registers(writes as u64);
            bits(places).for_each(|place| self.pending[place] &= !written);
        }
        places
    }
}

impl Unit for Scoreboard {
    type In = ScoreboardIn;
    type Out = ScoreboardOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> ScoreboardOut {
        let path = std::array::from_fn(|place| self.paths.of(place));
        ScoreboardOut { ready: self.ready, waits: self.waits, path }
    }

    fn clock(&mut self, pins: &ScoreboardIn) {
        let issued = pins.halves.places() | pins.wave.places(self.parameters.wave);
        self.step(pins.check_warps, &Record::unpack(pins.record), issued, &pins.done, &pins.clear);
    }

    fn reset(&mut self) {
        *self = Self::empty(&self.parameters);
    }
}

#[cfg(test)]
mod tests;
