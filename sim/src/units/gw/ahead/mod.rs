//! A front end that works ahead (`gw.ahead`): the next instructions of a warp are looked up and checked while earlier ones wait to
//! issue. Only the model has it; `docs/gw/ahead.md` says what it does.

mod record;
mod slice;
mod storage;
mod waves;

use super::parameters::MOST_SCHEDULERS;
use super::pins::{Ask, FetchArbiterIn, GwIn, GwOut};
use super::{FetchArbiter, Parameters};
use crate::unit::Unit;
use crate::units::parameter::ParameterError;
use slice::{Given, Slice};
use storage::{Storage, Wishes};

pub use record::pack;

/// Instructions of a warp that are checked and have not issued.
const DEPTH: usize = 2;
/// Instructions of a pair that write registers and are not over.
const SLOTS: usize = 8;
/// Slots of a pair that have to be free before an instruction is checked: two checks may be on their way before it.
const FREE_SLOTS: u32 = 3;

/// Of the two `done` of a scheduler: the slots under which the halves issued, four bits each.
pub type Tags = [u8; 2];

#[derive(Clone, Debug)]
pub struct AheadFrontEnd {
    parameters: Parameters,
    storage: Storage,
    arbiter: FetchArbiter,
    slices: Vec<Slice>,
}

impl AheadFrontEnd {
    /// # Errors
    /// A parameter that is out of range.
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("gw_front_end")?;
        Ok(AheadFrontEnd {
            parameters: *parameters,
            storage: Storage::new(parameters),
            arbiter: FetchArbiter::new(parameters)?,
            slices: (0..parameters.schedulers).map(|_| Slice::new(parameters)).collect(),
        })
    }

    /// The slots under which the halves on the pins of a scheduler issue.
    pub fn tag(&self, scheduler: usize) -> u8 {
        self.slices[scheduler].tag()
    }

    pub fn sample(&self, pins: &mut GwOut) {
        pins.fetch = (*self.storage.fetch()).into();
        pins.full = self.storage.full();
        for (pins, slice) in pins.slices.iter_mut().zip(&self.slices) {
            *pins = slice.outputs();
        }
    }

    /// Nothing changes before an input says something: whatever room there is.
    pub fn is_quiet(&self) -> bool {
        let quiet = |slice: &Slice| slice.rests && !slice.can_issue(0b1111);
        self.storage.is_quiet() && self.arbiter.is_quiet() && self.slices.iter().all(quiet)
    }

    pub fn reset(&mut self) {
        *self = Self::new(&self.parameters).expect("parameters that were checked");
    }

    /// The edge.
    pub fn clock(&mut self, pins: &GwIn, tags: &[Tags; MOST_SCHEDULERS]) {
        let ask = *self.arbiter.ask();
        let fill = pins.fill.get();
        let takes = ask.is_some_and(|ask: Ask| self.storage.takes(ask.line)) && pins.fetch_room;
        let room = pins.fetch_room && fill.is_none();
        let want = |s| self.slices.get(s).and_then(|slice: &Slice| slice.want()).into();
        let arbiter = FetchArbiterIn { fetch_room: takes, fill_valid: fill.is_some(), want: std::array::from_fn(want) };
        let mut wishes = [Wishes::default(); MOST_SCHEDULERS];
        for (s, slice) in self.slices.iter().enumerate().filter(|(_, slice)| !slice.rests) {
            wishes[s] = slice.wishes(&pins.slices[s], &self.storage);
        }
        for (s, slice) in self.slices.iter_mut().enumerate() {
            let given = Given {
                tags: &tags[s],
                asked: ask.filter(|ask| ask.scheduler as usize == s).map(|ask| ask.place),
                fill: fill.map(|fill| fill.entry),
                pairs_on: pins.pairs_on,
                waves_on: pins.waves_on,
                storage: &self.storage,
                answer: self.storage.answer(s),
            };
            slice.clock(&pins.slices[s], &given);
        }
        self.storage.clock(&wishes, ask.map(|ask| ask.line), room, fill);
        self.arbiter.clock(&arbiter);
    }
}

#[cfg(test)]
mod tests;
