//! The storage without instruction reuse, an ablation: every warp has an entry of its own, of one line. Nothing is shared, so
//! there are no references, and no ask finds the storage full.

use super::instruction_storage::{Instruction, State};
use super::parameters::MOST_SCHEDULERS;
use super::pins::{AnswerPins, Ask, Fetch, Fill, InstructionStorageIn};
use super::record::Record;
use super::Parameters;

/// A warp's entry.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    state: State,
    line: u16,
    instructions: [Instruction; 2],
}

/// What one scheduler is told, and of which place.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    answer: AnswerPins,
    place: usize,
}

#[derive(Clone, Debug)]
pub struct PrivateStorage {
    parameters: Parameters,
    /// By warp.
    entries: Vec<Entry>,
    told: [Told; MOST_SCHEDULERS],
    read: [Option<Record>; MOST_SCHEDULERS],
    fetch: Option<Fetch>,
}

impl PrivateStorage {
    pub fn new(parameters: &Parameters) -> Self {
        PrivateStorage {
            parameters: *parameters,
            entries: vec![Entry::default(); parameters.warps],
            told: Default::default(),
            read: Default::default(),
            fetch: None,
        }
    }

    pub fn answer(&self, scheduler: usize) -> &AnswerPins {
        &self.told[scheduler].answer
    }

    /// The place that the answer is for.
    pub fn answered(&self, scheduler: usize) -> u64 {
        1 << self.told[scheduler].place
    }

    pub fn read(&self, scheduler: usize) -> Option<&Record> {
        self.read[scheduler].as_ref()
    }

    pub fn fetch(&self) -> &Option<Fetch> {
        &self.fetch
    }

    /// A cycle with all inputs low changes nothing.
    pub fn is_quiet(&self) -> bool {
        let answers = self.told.iter().any(|told| told.answer.answer != AnswerPins::NONE);
        !answers && self.read.iter().all(Option::is_none) && self.fetch.is_none()
    }

    /// The edge. `look_places`: those whose lines are looked up.
    pub fn clock(
        &mut self,
        pins: &InstructionStorageIn,
        look_places: &[Option<u32>; MOST_SCHEDULERS],
        ask: &Option<Ask>,
    ) {
        self.fetch = None;
        for (s, slice) in pins.slices[..self.parameters.schedulers].iter().enumerate() {
            let record = || self.entries[slice.read_entry as usize].instructions[slice.read_slot as usize].record;
            self.read[s] = slice.read.then(record);
            self.told[s] = match look_places[s] {
                Some(place) => self.look_up(s, place as usize, slice.look.item),
                None => Told::default(),
            };
        }
        let filled = pins.fill.get();
        if let Some(fill) = &filled {
            self.store(fill);
        }
        let beside = |ask: &Ask| !filled.is_some_and(|fill| self.is_of(&fill, ask.scheduler));
        if let Some(ask) = ask.filter(|ask| pins.fetch_room && beside(ask)) {
            self.ask(&ask);
        }
    }

    /// The fill is for a warp of this scheduler, whose answer it takes.
    pub fn is_of(&self, fill: &Fill, scheduler: u8) -> bool {
        self.parameters.place_of(fill.entry as usize).0 == scheduler as usize
    }

    fn look_up(&self, scheduler: usize, place: usize, line: u16) -> Told {
        let warp = self.parameters.warp_at(scheduler, place);
        let answer = match self.entries[warp] {
            Entry { state: State::Valid, line: own, .. } if own == line => AnswerPins::HIT,
            Entry { state: State::Pending, line: own, .. } if own == line => AnswerPins::PENDING,
            _ => AnswerPins::MISS,
        };
        Told { answer: AnswerPins { answer, line, entry: warp as u16 }, place }
    }

    fn store(&mut self, fill: &Fill) {
        let (scheduler, place) = self.parameters.place_of(fill.entry as usize);
        let entry = &mut self.entries[fill.entry as usize];
        assert!(entry.state == State::Pending, "private_storage: a fill of {}, which is not pending", fill.entry);
        entry.state = State::Valid;
        entry.instructions = fill.records.map(Instruction::new);
        self.told[scheduler] = self.look_up(scheduler, place, self.entries[fill.entry as usize].line);
    }

    fn ask(&mut self, ask: &Ask) {
        let Ask { scheduler, place, line } = *ask;
        let (scheduler, place) = (scheduler as usize, place as usize);
        let warp = self.parameters.warp_at(scheduler, place);
        if self.look_up(scheduler, place, line).answer.answer == AnswerPins::MISS {
            self.entries[warp] = Entry { state: State::Pending, line, ..self.entries[warp] };
            self.fetch = Some(Fetch { entry: warp as u16, line });
        }
        self.told[scheduler] = self.look_up(scheduler, place, line);
    }
}
