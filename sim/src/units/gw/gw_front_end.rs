//! `gw_front_end`: the front end of one SIMD processor. The next instructions of a warp are looked up and checked while earlier
//! ones wait to issue. `docs/gw/front_end.md` says what it does.

mod any_storage;
mod ideal;
mod private_storage;
mod slice;
mod storage;
mod waves;

use super::parameters::MOST_SCHEDULERS;
use super::pins::{FetchArbiterIn, GwIn, GwOut};
use super::{FetchArbiter, Parameters};
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use any_storage::AnyStorage;
use slice::{is_answered, Given, Slice};
use storage::Wishes;

/// Most instructions of a warp that are checked and have not issued.
const MOST_CHECKED: usize = 2;
/// Slots of a pair that have to be free before an instruction is checked: two checks may be on their way before it.
const FREE_SLOTS: u32 = 3;

#[derive(Clone, Debug)]
pub struct GwFrontEnd {
    parameters: Parameters,
    storage: AnyStorage,
    arbiter: FetchArbiter,
    slices: Vec<Slice>,
}

impl GwFrontEnd {
    /// # Errors
    /// A parameter that is out of range.
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::gw::GW_FRONT_END)?;
        Ok(GwFrontEnd {
            parameters: *parameters,
            storage: AnyStorage::new(parameters),
            arbiter: FetchArbiter::new(parameters)?,
            slices: (0..parameters.schedulers).map(|_| Slice::new(parameters)).collect(),
        })
    }

    /// The edge.
    fn step(&mut self, pins: &GwIn) -> Result<(), Fault> {
        let ask = *self.arbiter.ask();
        let fill = pins.fill.get();
        let takes = self.storage.takes() && pins.fetch_room;
        let room = pins.fetch_room && fill.is_none();
        let want = |s| self.slices.get(s).and_then(|slice: &Slice| slice.want()).into();
        let arbiter = FetchArbiterIn { fetch_room: takes, fill_valid: fill.is_some(), want: std::array::from_fn(want) };
        let mut wishes = [Wishes::default(); MOST_SCHEDULERS];
        for (s, (slice, pins)) in self.slices.iter().zip(&pins.slices).enumerate() {
            if !slice.rests || is_answered(pins) {
                wishes[s] = slice.wishes(pins, &self.storage);
            }
        }
        for (s, slice) in self.slices.iter_mut().enumerate() {
            let given = Given {
                asked: ask.filter(|ask| ask.scheduler as usize == s).map(|ask| ask.place),
                fill: fill.map(|fill| fill.entry),
                pairs_on: pins.pairs_on,
                waves_on: pins.waves_on,
                storage: &self.storage,
                answer: self.storage.answer(s),
            };
            slice.clock(&pins.slices[s], &given)?;
        }
        self.storage.clock(&wishes, &ask, room, fill)?;
        self.arbiter.clock(&arbiter)
    }
}

impl Unit for GwFrontEnd {
    type In = GwIn;
    type Out = GwOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> GwOut {
        let mut pins = GwOut::default();
        self.sample(&mut pins);
        pins
    }

    fn sample(&self, pins: &mut GwOut) {
        pins.fetch = (*self.storage.fetch()).into();
        pins.full = self.storage.full();
        for (pins, slice) in pins.slices.iter_mut().zip(&self.slices) {
            *pins = slice.outputs();
        }
    }

    fn clock(&mut self, pins: &GwIn) -> Result<(), Fault> {
        match self.parameters.ideal {
            true => self.all_steps(pins),
            false => self.step(pins),
        }
    }

    /// Nothing changes before an input says something, whatever room there is.
    fn is_quiet(&self) -> bool {
        let quiet = |slice: &Slice| slice.rests && !slice.can_issue(0b1111);
        self.storage.is_quiet() && self.arbiter.is_quiet() && self.slices.iter().all(quiet)
    }

    fn reset(&mut self) {
        *self = Self::new(&self.parameters).expect("parameters that were checked");
    }
}

#[cfg(test)]
mod tests;
