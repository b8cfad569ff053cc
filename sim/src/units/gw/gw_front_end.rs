//! `gw_front_end`: the front end of one SIMD processor. One storage and one arbiter for all schedulers, and for each scheduler
//! what its warps need.

use super::instruction_storage::InstructionStorage;
use super::parameters::MOST_SCHEDULERS;
use super::pins::{
    AnswerPins, Ask, Done, Fetch, FetchArbiterIn, GwIn, GwOut, InstructionStorageIn, Offer, ScalarWaveScoreboardIn,
    SliceIn, SliceOut, StorageIn, WarpStatusTableIn, Wave, WavePins,
};
use super::private_storage::PrivateStorage;
use super::record::Record;
use super::{
    FetchArbiter, PairScheduler, Parameters, ScalarRegisterMap, ScalarWaveScoreboard, Scoreboard, Swfu, WarpStatusTable,
};
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

#[derive(Clone, Debug)]
enum Storage {
    Shared(InstructionStorage),
    Private(PrivateStorage),
}

impl Storage {
    fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        Ok(if parameters.reuse {
            Storage::Shared(InstructionStorage::new(parameters)?)
        } else {
            Storage::Private(PrivateStorage::new(parameters))
        })
    }

    /// What a scheduler is told, and the places that it concerns.
    fn answer(&self, scheduler: usize) -> (&AnswerPins, u64) {
        match self {
            Storage::Shared(storage) => (storage.answer(scheduler), u64::MAX),
            Storage::Private(storage) => (storage.answer(scheduler), storage.answered(scheduler)),
        }
    }

    fn read(&self, scheduler: usize) -> Option<&Record> {
        match self {
            Storage::Shared(storage) => storage.read(scheduler),
            Storage::Private(storage) => storage.read(scheduler),
        }
    }

    fn fetch(&self) -> &Option<Fetch> {
        match self {
            Storage::Shared(storage) => storage.fetch(),
            Storage::Private(storage) => storage.fetch(),
        }
    }

    fn full(&self) -> bool {
        matches!(self, Storage::Shared(storage) if storage.full())
    }

    fn is_quiet(&self) -> bool {
        match self {
            Storage::Shared(storage) => storage.is_quiet(),
            Storage::Private(storage) => storage.is_quiet(),
        }
    }
}

/// What a scheduler gets from the others and from the constants, beside its own pins.
struct Common<'a> {
    answer: &'a AnswerPins,
    /// The places that the answer concerns.
    answered: u64,
    record: &'a Record,
    /// The place of this scheduler that is asked for.
    asked: Offer<u8>,
    pairs_on: bool,
    waves_on: bool,
}

impl Common<'_> {
    /// It changes something in a scheduler at rest.
    #[inline]
    fn concerns(&self, status: &WarpStatusTable) -> bool {
        self.asked.valid || self.answer.answer != AnswerPins::NONE && status.awaits() & self.answered != 0
    }
}

/// Something beside room.
#[inline]
fn says_something(pins: &SliceIn) -> bool {
    let done = |done: &Done| done.even || done.odd;
    pins.start | pins.wake != 0 || pins.done_wave.valid || pins.done.iter().any(done)
}

/// One scheduler's part.
#[derive(Clone, Debug)]
struct Slice {
    wave: usize,
    status: WarpStatusTable,
    scoreboard: Scoreboard,
    registers: ScalarRegisterMap,
    swfu: Swfu,
    waves: ScalarWaveScoreboard,
    scheduler: PairScheduler,
    /// [`Slice::at_rest`] holds.
    rests: bool,
}

impl Slice {
    fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        Ok(Slice {
            wave: parameters.wave,
            status: WarpStatusTable::new(parameters)?,
            scoreboard: Scoreboard::new(parameters)?,
            registers: ScalarRegisterMap::new(parameters)?,
            swfu: Swfu::new(parameters)?,
            waves: ScalarWaveScoreboard::new(parameters)?,
            scheduler: PairScheduler::new(parameters)?,
            rests: true,
        })
    }

    /// What goes to the storage in this cycle.
    #[inline]
    fn storage_pins(&self) -> StorageIn {
        let (take, dropped) = self.status.counts();
        let check = self.status.check();
        StorageIn {
            look: self.status.look_place().map(|place| self.status.line_at(place)).into(),
            take,
            dropped,
            read: check.warps != 0,
            read_entry: check.entry,
            read_slot: check.slot,
        }
    }

    /// The wave that issues in this cycle.
    #[inline]
    fn issuing_wave(&self) -> Wave {
        match self.scheduler.wave() {
            Some(swid) => {
                let WavePins { group, mask, .. } = *self.swfu.wave(swid);
                Wave { issue: true, group, mask }
            }
            None => Wave::default(),
        }
    }

    fn outputs(&self) -> SliceOut {
        let halves = *self.scheduler.halves();
        let place = 2 * halves.pair as usize + !halves.even as usize;
        let wave = self.scheduler.wave();
        let entry = wave.map(|swid| *self.swfu.wave(swid)).unwrap_or_default();
        SliceOut {
            halves,
            issue_pc: self.status.pc()[place],
            wave: wave.into(),
            wave_group: entry.group,
            wave_mask: entry.mask,
            wave_pc: entry.pc,
            ready: self.scoreboard.ready(),
            scalar: self.registers.scalar(),
            table_full: self.swfu.table_full(),
        }
    }

    /// Something issues, or does so if these paths have room.
    #[inline]
    fn can_issue(&self, room: u8) -> bool {
        let vectors = self.scoreboard.ready() & !self.registers.scalar();
        let wave = self.swfu.offer().is_some_and(|offer| room >> offer.path & 1 == 1);
        wave || vectors != 0 && vectors & self.scoreboard.paths().with(room) != 0
    }

    /// A cycle with all inputs low changes nothing, if no path has room.
    fn at_rest(&self) -> bool {
        let (ready, scalar) = (self.scoreboard.ready(), self.registers.scalar());
        !self.scheduler.issues()
            && self.status.is_quiet(ready, self.scoreboard.waits())
            && self.scoreboard.is_quiet()
            && self.registers.is_quiet()
            && self.swfu.is_quiet(ready, scalar)
            && self.waves.clear().is_none()
    }

    /// Nothing changes before an input says something: whatever room there is.
    fn is_quiet(&self) -> bool {
        self.rests && !self.can_issue(0b1111)
    }

    /// The edge. It is left out if it changes nothing.
    fn clock(&mut self, pins: &SliceIn, common: &Common) {
        if !self.rests || common.concerns(&self.status) || says_something(pins) || self.can_issue(pins.room) {
            self.step(pins, common);
            self.rests = self.at_rest();
        }
    }

    /// Each part sees the others as they were in this cycle.
    fn step(&mut self, pins: &SliceIn, common: &Common) {
        let (halves, wave, swid) = (*self.scheduler.halves(), self.issuing_wave(), self.scheduler.wave());
        let (ready, waits) = (self.scoreboard.ready(), self.scoreboard.waits());
        let (scalar, check) = (self.registers.scalar(), self.status.check().warps);
        let clear = (*self.waves.clear()).into();
        let issued = halves.places() | wave.places(self.wave);

        let same = if common.pairs_on { self.status.same() } else { 0 };
        let paths = self.scoreboard.paths();
        self.scheduler.step(ready & !scalar, same, paths, self.swfu.offer(), pins.room);
        self.swfu.step(ready & scalar, self.status.pc(), paths, swid, pins.done_wave.get());
        self.clock_waves(pins, &wave, swid);
        self.registers.step(pins.start, check, common.record, self.status.full(), common.waves_on);
        self.scoreboard.step(check, common.record, issued, &pins.done, &clear);
        let SliceIn { start, wake, next, .. } = *pins;
        let (answer, asked) = (*common.answer, common.asked);
        let status = WarpStatusTableIn { start, wake, answer, halves, wave, next, ready, waits, asked };
        self.status.step(&status, common.answered);
    }

    fn clock_waves(&mut self, pins: &SliceIn, wave: &Wave, swid: Option<u8>) {
        self.waves.clock(&ScalarWaveScoreboardIn {
            issue_wave: wave.issue,
            issue_swid: swid.unwrap_or_default(),
            issue_group: wave.group,
            issue_mask: wave.mask,
            issue_writes: pins.writes,
            done: pins.done_wave,
        });
    }
}

#[derive(Clone, Debug)]
pub struct GwFrontEnd {
    parameters: Parameters,
    storage: Storage,
    arbiter: FetchArbiter,
    slices: Vec<Slice>,
}

impl GwFrontEnd {
    /// # Errors
    /// A parameter that is out of range.
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("gw_front_end")?;
        let slice = |_| Slice::new(parameters);
        Ok(GwFrontEnd {
            parameters: *parameters,
            storage: Storage::new(parameters)?,
            arbiter: FetchArbiter::new(parameters)?,
            slices: (0..parameters.schedulers).map(slice).collect::<Result<_, _>>()?,
        })
    }

    fn storage_pins(&self, pins: &GwIn, ask: &Option<Ask>) -> InstructionStorageIn {
        let mut storage = InstructionStorageIn {
            ask: ask.map(|ask| ask.line).into(),
            fetch_room: pins.fetch_room,
            fill: pins.fill,
            ..Default::default()
        };
        for (pins, slice) in storage.slices.iter_mut().zip(&self.slices) {
            if !slice.rests {
                *pins = slice.storage_pins();
            }
        }
        storage
    }

    fn look_places(&self) -> [Option<u32>; MOST_SCHEDULERS] {
        std::array::from_fn(|s| self.slices.get(s)?.status.look_place())
    }

    fn arbiter_pins(&self, pins: &GwIn, ask: &Option<Ask>) -> FetchArbiterIn {
        let want = |s| self.slices.get(s).and_then(|slice: &Slice| slice.status.want()).into();
        let fill_valid = pins.fill.get().is_some_and(|fill| match &self.storage {
            Storage::Shared(_) => true,
            Storage::Private(storage) => ask.is_none_or(|ask| storage.is_of(&fill, ask.scheduler)),
        });
        FetchArbiterIn { fetch_room: pins.fetch_room, fill_valid, want: std::array::from_fn(want) }
    }

    fn clock_slices(&mut self, pins: &GwIn, ask: &Option<Ask>) {
        let no_record = Record::default();
        for (s, slice) in self.slices.iter_mut().enumerate() {
            let asked = ask.filter(|ask| ask.scheduler as usize == s);
            let (answer, answered) = self.storage.answer(s);
            let common = Common {
                answer,
                answered,
                record: self.storage.read(s).unwrap_or(&no_record),
                asked: asked.map(|ask| ask.place).into(),
                pairs_on: pins.pairs_on,
                waves_on: pins.waves_on,
            };
            slice.clock(&pins.slices[s], &common);
        }
    }

    /// The edge.
    fn step(&mut self, pins: &GwIn) {
        let ask = *self.arbiter.ask();
        let storage_pins = self.storage_pins(pins, &ask);
        let arbiter_pins = self.arbiter_pins(pins, &ask);
        let look_places = self.look_places();
        self.clock_slices(pins, &ask);
        match &mut self.storage {
            Storage::Shared(storage) => storage.clock(&storage_pins),
            Storage::Private(storage) => storage.clock(&storage_pins, &look_places, &ask),
        }
        self.arbiter.clock(&arbiter_pins);
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

    fn clock(&mut self, pins: &GwIn) {
        self.step(pins);
    }

    fn is_quiet(&self) -> bool {
        self.storage.is_quiet() && self.arbiter.is_quiet() && self.slices.iter().all(Slice::is_quiet)
    }

    fn reset(&mut self) {
        *self = Self::new(&self.parameters).expect("parameters that were checked");
    }
}
