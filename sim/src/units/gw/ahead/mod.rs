//! A front end that works ahead (`gw.ahead`): the next instructions of a warp are looked up and checked while earlier ones wait to
//! issue. Only the model has it; `docs/gw/ahead.md` says what it does.

mod record;
mod slice;
mod storage;
mod waves;

use super::parameters::MOST_SCHEDULERS;
use super::pins::{AheadIn, AheadOut, AheadSliceIn, AheadSliceOut, Done, FetchArbiterIn, Fill, GwIn, GwOut, SliceIn};
use super::{FetchArbiter, Parameters};
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use slice::{Given, Slice};
use storage::{Storage, Wishes};

pub use record::{pack, RECORD_BITS};

/// Instructions of a warp that are checked and have not issued.
const DEPTH: usize = 2;
/// Instructions of a pair that write registers and are not over.
const SLOTS: usize = 8;
/// Bits of the number of a slot.
pub const SLOT_BITS: u32 = SLOTS.ilog2();
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

    /// The pins that `gw_front_end` has too.
    pub fn show(&self, pins: &mut GwOut) {
        pins.fetch = (*self.storage.fetch()).into();
        pins.full = self.storage.full();
        for (pins, slice) in pins.slices.iter_mut().zip(&self.slices) {
            *pins = slice.outputs();
        }
    }

    /// Nothing changes before an input says something: whatever room there is.
    fn rests(&self) -> bool {
        let quiet = |slice: &Slice| slice.rests && !slice.can_issue(0b1111);
        self.storage.is_quiet() && self.arbiter.is_quiet() && self.slices.iter().all(quiet)
    }

    /// The edge.
    pub fn step(&mut self, pins: &GwIn, tags: &[Tags; MOST_SCHEDULERS]) {
        let ask = *self.arbiter.ask();
        let fill = pins.fill.get();
        let takes = self.storage.takes() && pins.fetch_room;
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

/// What the core tells one scheduler, without the slots.
fn without_slots(pins: &AheadSliceIn) -> SliceIn {
    let AheadSliceIn { start, wake, room, next, done, done_wave } = *pins;
    let done = done.map(|done| Done { even: done.even, odd: done.odd, pair: done.pair, writes: 0 });
    SliceIn { start, wake, room, next, done, done_wave, writes: 0 }
}

impl Unit for AheadFrontEnd {
    type In = AheadIn;
    type Out = AheadOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> AheadOut {
        let mut pins =
            AheadOut { fetch: (*self.storage.fetch()).into(), full: self.storage.full(), ..Default::default() };
        for (pins, slice) in pins.slices.iter_mut().zip(&self.slices) {
            let (out, slots) = (slice.outputs(), slice.tag());
            *pins = AheadSliceOut {
                halves: out.halves,
                issue_pc: out.issue_pc,
                even_slot: slots & 0xf,
                odd_slot: slots >> 4,
                wave: out.wave,
                wave_group: out.wave_group,
                wave_mask: out.wave_mask,
                wave_pc: out.wave_pc,
                ready: out.ready,
                scalar: out.scalar,
                table_full: out.table_full,
            };
        }
        pins
    }

    fn clock(&mut self, pins: &AheadIn) {
        let AheadIn { fetch_room, fill, pairs_on, waves_on, slices } = pins;
        let fill = fill.get().map(|fill| Fill { entry: fill.entry, records: fill.records }).into();
        let tags = std::array::from_fn(|s| slices[s].done.map(|done| done.slots()));
        let slices = std::array::from_fn(|s| without_slots(&slices[s]));
        let pins = GwIn { fetch_room: *fetch_room, fill, pairs_on: *pairs_on, waves_on: *waves_on, slices };
        self.step(&pins, &tags);
    }

    fn is_quiet(&self) -> bool {
        self.rests()
    }

    fn reset(&mut self) {
        *self = Self::new(&self.parameters).expect("parameters that were checked");
    }
}

#[cfg(test)]
mod tests;
