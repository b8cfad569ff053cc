//! `instruction_storage`: what was fetched, shared by all warps that execute it (6.2, Fig 7b).

use super::pins::{
    AnswerPins, Count, Fetch, Fill, InstructionStorageIn, InstructionStorageOut, Offer, StorageIn, StorageOut,
};
use super::record::Record;
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::gw::parameters::MOST_SCHEDULERS;
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

/// What an entry holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    #[default]
    Empty,
    Pending,
    Valid,
}

/// An entry without its records.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    state: State,
    line: u16,
    /// Warps that hold a reference, as far as they are counted.
    count: u16,
    /// Of all times that a tag was written, which one this was.
    tagged: u64,
}

/// An instruction as it came and as it is used.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Instruction {
    pub bits: u128,
    pub record: Record,
}

impl Instruction {
    pub fn new(bits: u128) -> Self {
        Instruction { bits, record: Record::unpack(bits) }
    }
}

/// Entries that the answers of a cycle name with a hit.
type Named = [Option<u16>; MOST_SCHEDULERS];

#[derive(Clone, Debug)]
pub struct InstructionStorage {
    parameters: Parameters,
    entries: Vec<Entry>,
    instructions: Vec<[Instruction; 2]>,
    tags_written: u64,
    answers: [AnswerPins; MOST_SCHEDULERS],
    /// Hits of the previous cycle, whose takers are not counted yet.
    named: Named,
    read: [Option<Instruction>; MOST_SCHEDULERS],
    fetch: Option<Fetch>,
    full: bool,
}

impl InstructionStorage {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("instruction_storage")?;
        let mut storage = InstructionStorage {
            parameters: *parameters,
            entries: vec![Entry::default(); parameters.entries()],
            instructions: vec![[Instruction::default(); 2]; parameters.entries()],
            tags_written: 0,
            answers: Default::default(),
            named: Named::default(),
            read: Default::default(),
            fetch: None,
            full: false,
        };
        storage.reset();
        Ok(storage)
    }

    #[inline]
    pub(super) fn answer(&self, scheduler: usize) -> &AnswerPins {
        &self.answers[scheduler]
    }

    /// What this scheduler read in the previous cycle.
    #[inline]
    pub(super) fn read(&self, scheduler: usize) -> Option<&Record> {
        self.read[scheduler].as_ref().map(|instruction| &instruction.record)
    }

    pub(super) fn fetch(&self) -> &Option<Fetch> {
        &self.fetch
    }

    pub(super) fn full(&self) -> bool {
        self.full
    }

    /// A cycle with all inputs low changes nothing.
    pub(super) fn is_quiet(&self) -> bool {
        let answers = self.answers.iter().any(|a| a.answer != AnswerPins::NONE);
        !answers
            && self.named == Named::default()
            && self.read.iter().all(Option::is_none)
            && self.fetch.is_none()
            && !self.full
    }

    /// The entries where `line` may be, way after way.
    fn set(&self, line: u16) -> impl Iterator<Item = usize> {
        (line as usize % self.parameters.sets..self.entries.len()).step_by(self.parameters.sets)
    }

    fn look_up(&self, line: u16) -> AnswerPins {
        let here = |e: &usize| self.entries[*e].state != State::Empty && self.entries[*e].line == line;
        let Some(entry) = self.set(line).find(here) else {
            return AnswerPins { answer: AnswerPins::MISS, line, entry: 0 };
        };
        let answer = if self.entries[entry].state == State::Valid { AnswerPins::HIT } else { AnswerPins::PENDING };
        AnswerPins { answer, line, entry: entry as u16 }
    }

    fn hits(&self) -> Named {
        self.answers.map(|a| (a.answer == AnswerPins::HIT).then_some(a.entry))
    }

    fn victim(&self, line: u16) -> Option<usize> {
        let hits = self.hits();
        let named = |e: usize| hits.contains(&Some(e as u16)) || self.named.contains(&Some(e as u16));
        let free = |e: &usize| self.entries[*e].count == 0 && self.entries[*e].state != State::Pending && !named(*e);
        self.set(line).filter(free).min_by_key(|e| self.entries[*e].tagged)
    }

    /// The answers of the next cycle, and what follows from the fill or from the ask.
    fn next_answers(&mut self, pins: &InstructionStorageIn) -> [AnswerPins; MOST_SCHEDULERS] {
        if let Some(fill) = pins.fill.get() {
            return self.to_all(self.filled(&fill));
        }
        if let Some(line) = pins.ask.get().filter(|_| pins.fetch_room) {
            match self.asked(line) {
                Some(answer) => return self.to_all(answer),
                None => self.full = true,
            }
        }
        let mut answers = [AnswerPins::default(); MOST_SCHEDULERS];
        for (answer, slice) in answers.iter_mut().zip(&pins.slices[..self.parameters.schedulers]) {
            if let Some(line) = slice.look.get() {
                *answer = self.look_up(line);
            }
        }
        answers
    }

    fn to_all(&self, answer: AnswerPins) -> [AnswerPins; MOST_SCHEDULERS] {
        std::array::from_fn(|s| if s < self.parameters.schedulers { answer } else { AnswerPins::default() })
    }

    /// What every scheduler is told of a fill.
    fn filled(&self, fill: &Fill) -> AnswerPins {
        AnswerPins { answer: AnswerPins::HIT, line: self.entries[fill.entry as usize].line, entry: fill.entry }
    }

    /// What every scheduler is told of an ask. `None`: there is no entry to replace.
    fn asked(&mut self, line: u16) -> Option<AnswerPins> {
        let answer = self.look_up(line);
        if answer.answer != AnswerPins::MISS {
            return Some(answer);
        }
        let victim = self.victim(line)?;
        self.tag(victim, line);
        self.fetch = Some(Fetch { entry: victim as u16, line });
        Some(AnswerPins { answer: AnswerPins::PENDING, line, entry: victim as u16 })
    }

    fn tag(&mut self, entry: usize, line: u16) {
        self.entries[entry] = Entry { state: State::Pending, line, count: 0, tagged: self.tags_written };
        self.tags_written += 1;
    }

    fn store(&mut self, fill: &Fill) {
        let entry = &mut self.entries[fill.entry as usize];
        assert!(entry.state == State::Pending, "instruction_storage: a fill of {}, which is not pending", fill.entry);
        entry.state = State::Valid;
        self.instructions[fill.entry as usize] = fill.records.map(Instruction::new);
    }

    fn count(&mut self, take: Count, dropped: Count) {
        if take.count > 0 {
            self.entries[take.entry as usize].count += take.count as u16;
        }
        if dropped.count > 0 {
            let count = &mut self.entries[dropped.entry as usize].count;
            assert!(*count >= dropped.count as u16, "instruction_storage: more references given back than taken");
            *count = count.wrapping_sub(dropped.count as u16);
        }
    }

    fn read_record(&self, slice: &StorageIn) -> Option<Instruction> {
        slice.read.then(|| self.instructions[slice.read_entry as usize][slice.read_slot as usize])
    }
}

impl Unit for InstructionStorage {
    type In = InstructionStorageIn;
    type Out = InstructionStorageOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> InstructionStorageOut {
        let record = |s: usize| Offer::from(self.read[s].map(|instruction| instruction.bits));
        InstructionStorageOut {
            fetch: self.fetch.into(),
            full: self.full,
            slices: std::array::from_fn(|s| StorageOut { answer: self.answers[s], record: record(s) }),
        }
    }

    fn clock(&mut self, pins: &InstructionStorageIn) {
        (self.fetch, self.full) = (None, false);
        let named = self.hits();
        let answers = self.next_answers(pins);
        (self.answers, self.named) = (answers, named);
        for (s, slice) in pins.slices[..self.parameters.schedulers].iter().enumerate() {
            self.read[s] = self.read_record(slice);
            self.count(slice.take, Count::default());
        }
        for slice in &pins.slices[..self.parameters.schedulers] {
            self.count(Count::default(), slice.dropped);
        }
        if let Some(fill) = pins.fill.get() {
            self.store(&fill);
        }
    }

    fn reset(&mut self) {
        self.tags_written = 0;
        for entry in 0..self.entries.len() {
            // At first the ways of a set are replaced in their order.
            self.tag(entry, 0);
            self.entries[entry].state = State::Empty;
        }
        self.answers = Default::default();
        self.named = Named::default();
        self.read = Default::default();
        (self.fetch, self.full) = (None, false);
    }
}

#[cfg(test)]
mod tests;
