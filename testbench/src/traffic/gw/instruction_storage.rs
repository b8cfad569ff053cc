//! Legal random inputs of `instruction_storage`: look-ups, asks and fills of few lines, and warps that take references when
//! their line is there and give them back later. Only filled lines are hit, only entries without references are replaced,
//! the oldest first, and what is read is what was filled.

use super::places::any;
use crate::traffic::{events, phases, Coverage, Phases, Rng, Traffic};
use sim::units::gw::parameters::MOST_SCHEDULERS;
use sim::units::gw::pins::{
    AnswerPins, Count, Fetch, Fill, InstructionStorageIn, InstructionStorageOut, Offer, StorageIn,
};
use sim::units::gw::record::RECORD_BITS;
use sim::units::gw::Parameters;

events! { InstructionStorageTraffic:
    Hit = "a look-up hits",
    Miss = "a look-up misses",
    Pending = "a look-up finds its line pending",
    Overtaken = "a look-up is answered with another line",
    Fill = "a fill",
    OutOfOrder = "fills out of order",
    FillAtOnce = "a fill in the cycle of its fetch",
    Shared = "a shared fetch: warps of several schedulers take a reference at one fill",
    Fetch = "a fetch",
    IntoEmpty = "a fetch into an entry that was never used",
    Replaced = "a line is replaced",
    ReplacedAfterZero = "a line whose count went to zero is replaced",
    NotOldest = "the oldest entry of a set is referenced, a younger one is replaced",
    LastWay = "the last way of the last set is fetched into",
    AskThere = "an ask of a line that is there",
    AskPending = "an ask of a line that is pending",
    NoRoom = "an ask waits for room",
    Filling = "an ask waits for a fill",
    FullReferenced = "a full set with every entry referenced",
    FullPending = "a full set with an entry pending",
    FullGuard = "a full set: an entry was hit, its takers are not counted",
    Guarded = "an entry is passed over: it was hit, its takers are not counted",
    Zero = "a reference count goes to zero",
    TakeAndDrop = "references to an entry are taken and given back at once",
    TakeTogether = "several schedulers take references to an entry",
    DropTogether = "several schedulers give references to an entry back",
    DropMost = "as many references as a wave has warps are given back",
    AllHold = "all warps hold one entry",
    ReadAtOnce = "a record is read in the cycle after its fill",
    ReadSlot0 = "a record of slot 0 is read",
    ReadSlot1 = "a record of slot 1 is read",
    ReadAll = "all schedulers read",
    Reset = "reset with references",
    ResetPending = "reset with entries pending",
}

phases! {
    /// Lines are of so many `sets` and `tags`.
    PHASES: Phase (looks, asks, room, fills, takes, drops, sets: u32, tags: u32)
    (128, 100, 200, 60, 128, 100, 4, 6)
    (256, 256, 256, 128, 200, 128, 64, 4)
    (100, 200, 256, 100, 256, 10, 2, 10)
    (200, 200, 256, 20, 60, 128, 1, 12)
    (256, 128, 256, 256, 20, 200, 1, 5)
    (60, 60, 60, 30, 100, 60, 8, 9)
    (0, 0, 256, 256, 0, 256, 1, 1)
    (0, 0, 256, 256, 0, 256, 1, 1)
    (20, 20, 256, 20, 256, 20, 1, 1)
    (256, 10, 256, 100, 256, 256, 4, 3)
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    #[default]
    Empty,
    Pending,
    Valid,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    line: u16,
    state: State,
    /// When its line was fetched; never is 0.
    since: u64,
    /// References that the storage has been told of.
    count: u32,
    had_references: bool,
    records: [u128; 2],
}

/// The warps of a scheduler: how many hold which entry.
#[derive(Clone, Debug)]
struct Holders {
    free: u32,
    of: Vec<u32>,
    /// Entries that are held.
    mask: u64,
    /// Takes that the storage is told of in this cycle.
    takes: Option<(u32, usize)>,
}

#[derive(Default)]
pub struct InstructionStorageTraffic {
    rng: Rng,
    parameters: Parameters,
    phase: Phases<Phase>,
    cycle: u64,
    first_set: u32,
    first_tag: u32,
    entries: Vec<Entry>,
    holders: Vec<Holders>,
    pending: Vec<usize>,
    filled: Option<usize>,
    ask: Option<u16>,
    /// Lines of asks that were over one and two cycles before.
    over: [Option<u16>; 2],
    /// Entries hit in this cycle and in the previous one.
    hit: Vec<usize>,
    was_hit: Vec<usize>,
    expected: InstructionStorageOut,
    was_fill: bool,
    findings: Findings,
}

impl InstructionStorageTraffic {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let holders =
            Holders { free: parameters.places() as u32, of: vec![0; parameters.entries()], mask: 0, takes: None };
        InstructionStorageTraffic {
            rng: Rng::new(seed),
            parameters: *parameters,
            phase: Phases::new(PHASES, 20..620, 16),
            cycle: 1,
            entries: vec![Entry::default(); parameters.entries()],
            holders: vec![holders; parameters.schedulers],
            ..Default::default()
        }
    }

    fn reset(&mut self) {
        self.findings.count(Event::Reset, self.entries.iter().any(|entry| entry.count > 0));
        self.findings.count(Event::ResetPending, !self.pending.is_empty());
        self.entries.fill(Entry::default());
        for holders in &mut self.holders {
            holders.of.fill(0);
            (holders.free, holders.mask, holders.takes) = (self.parameters.places() as u32, 0, None);
        }
        self.pending.clear();
        self.hit.clear();
        self.was_hit.clear();
        (self.filled, self.ask, self.over) = (None, None, [None; 2]);
        (self.expected, self.was_fill) = (InstructionStorageOut::default(), false);
    }

    fn begin_phase(&mut self) {
        let rng = &mut self.rng;
        if rng.one_in(3) {
            let sets = self.parameters.sets as u32;
            self.first_set = rng.below(sets);
            self.first_tag = if rng.one_in(2) { rng.below((1 << 15) / sets) } else { 0 };
        }
    }

    fn line(&mut self) -> u16 {
        let sets = self.parameters.sets as u32;
        let rng = &mut self.rng;
        let set = (self.first_set + rng.below(self.phase.sets)) % sets;
        ((self.first_tag + rng.below(self.phase.tags)) * sets + set) as u16 & 0x7fff
    }

    fn ways(&self, line: u16) -> impl Iterator<Item = usize> {
        let Parameters { sets, ways, .. } = self.parameters;
        let set = usize::from(line) % sets;
        (0..ways).map(move |way| way * sets + set)
    }

    fn find(&self, line: u16) -> Option<usize> {
        let here = |i: &usize| self.entries[*i].state != State::Empty && self.entries[*i].line == line;
        self.ways(line).find(here)
    }

    fn observe(&mut self, outputs: &InstructionStorageOut) -> Result<(), String> {
        let due = &self.expected;
        if outputs.fetch.get() != due.fetch.get() || outputs.full != due.full {
            return Err(format!("{:x?}, full {}; due is {:x?}", outputs.fetch, outputs.full, due.fetch));
        }
        std::mem::swap(&mut self.hit, &mut self.was_hit);
        self.hit.clear();
        for s in 0..self.parameters.schedulers {
            let (shown, due) = (&outputs.slices[s], &due.slices[s]);
            if shown.record.get() != due.record.get() {
                return Err(format!("record of {s} is {:x?}, due is {:x?}", shown.record, due.record));
            }
            let (answer, due) = (shown.answer, due.answer);
            let same = match due.answer {
                AnswerPins::NONE => answer.answer == due.answer,
                AnswerPins::HIT => answer == due,
                _ => (answer.answer, answer.line) == (due.answer, due.line),
            };
            if !same {
                return Err(format!("{answer:x?} to {s}, due is {due:x?}"));
            }
            if due.answer == AnswerPins::HIT {
                self.hit.push(due.entry.into());
            }
        }
        Ok(())
    }

    /// Tells of the references taken at the answers of the previous cycle, and lets warps take some at those of this one.
    fn take(&mut self, outputs: &InstructionStorageOut, pins: &mut InstructionStorageIn) {
        let mut takers = 0;
        let mut told = [None; MOST_SCHEDULERS];
        for (s, holders) in self.holders.iter_mut().enumerate() {
            let slice = &mut pins.slices[s];
            slice.take.count = 0;
            if let Some((count, entry)) = holders.takes.take() {
                slice.take = Count { count: count as u8, entry: entry as u16 };
                self.findings.count(Event::TakeTogether, told.contains(&Some(entry)));
                told[s] = Some(entry);
            }
            let answer = outputs.slices[s].answer;
            if answer.answer == AnswerPins::HIT && holders.free > 0 && self.phase.takes.happens(&mut self.rng) {
                let count = match self.rng.below(3) {
                    0 => holders.free,
                    1 => 1,
                    _ => 1 + self.rng.below(holders.free),
                };
                holders.takes = Some((count, answer.entry.into()));
                holders.free -= count;
                takers += 1;
            }
        }
        self.findings.count(Event::Shared, self.was_fill && takers > 1);
    }

    fn drop(&mut self, pins: &mut InstructionStorageIn) {
        let mut told = [None; MOST_SCHEDULERS];
        for (s, holders) in self.holders.iter_mut().enumerate() {
            let slice = &mut pins.slices[s];
            slice.dropped.count = 0;
            if holders.mask == 0 || !self.phase.drops.happens(&mut self.rng) {
                continue;
            }
            // Entries beyond the 64th are found through their number modulo 64.
            let Some(low) = any(&mut self.rng, holders.mask) else { continue };
            let held = |entry: &usize| holders.of[*entry] > 0;
            let Some(entry) = (low..holders.of.len()).step_by(64).find(held) else { continue };
            let most = holders.of[entry].min(self.parameters.wave as u32);
            let count = if self.rng.one_in(2) { most } else { 1 + self.rng.below(most) };
            slice.dropped = Count { count: count as u8, entry: entry as u16 };
            holders.of[entry] -= count;
            holders.free += count;
            if !(low..holders.of.len()).step_by(64).any(|entry| holders.of[entry] > 0) {
                holders.mask &= !(1 << low);
            }
            self.findings.count(Event::DropMost, count == self.parameters.wave as u32);
            self.findings.count(Event::DropTogether, told.contains(&Some(entry)));
            told[s] = Some(entry);
        }
    }

    /// Who asks, looks and reads in this cycle, and what is filled.
    fn choose(&mut self, pins: &mut InstructionStorageIn) {
        if self.ask.is_none() && self.phase.asks.happens(&mut self.rng) {
            self.ask = Some(self.line()).filter(|line| !self.over.contains(&Some(*line)));
        }
        pins.ask.show(&self.ask);
        pins.fetch_room = self.phase.room.happens(&mut self.rng);
        let fills = !self.pending.is_empty() && self.phase.fills.happens(&mut self.rng);
        let chosen = self.rng.below(self.pending.len().max(1) as u32) as usize;
        let fill = fills.then(|| self.pending.remove(chosen));
        self.findings.count(Event::OutOfOrder, fills && chosen > 0);
        let records = [0; 2].map(|_: u128| self.record());
        pins.fill.show(&fill.map(|entry| Fill { entry: entry as u16, records }));
        let mut reads = 0;
        for s in 0..self.parameters.schedulers {
            let looks = self.phase.looks.happens(&mut self.rng);
            let line = looks.then(|| self.line());
            let entry = match self.filled {
                Some(entry) if self.rng.one_in(2) => entry,
                _ => self.rng.below(self.entries.len() as u32) as usize,
            };
            let slice: &mut StorageIn = &mut pins.slices[s];
            slice.look.show(&line);
            slice.read = self.entries[entry].state == State::Valid;
            if slice.read {
                (slice.read_entry, slice.read_slot) = (entry as u16, self.rng.one_in(2));
                reads += 1;
                let c = &mut self.findings;
                c.count(Event::ReadAtOnce, self.filled == Some(entry));
                c.count(Event::ReadSlot0, !slice.read_slot);
                c.count(Event::ReadSlot1, slice.read_slot);
            }
        }
        self.findings.count(Event::ReadAll, reads == self.parameters.schedulers);
        self.filled = fill;
    }

    fn record(&mut self) -> u128 {
        let random = u128::from(self.rng.draw()) << 64 | u128::from(self.rng.draw());
        random >> (128 - RECORD_BITS)
    }

    /// The entry that a line that is asked for may have.
    fn victim(&mut self, line: u16) -> Option<usize> {
        let is_hit = |i: &usize| self.hit.contains(i) || self.was_hit.contains(i);
        let idle = |i: &usize| self.entries[*i].count == 0 && self.entries[*i].state != State::Pending;
        let oldest = |ways: &mut dyn Iterator<Item = usize>| ways.min_by_key(|i| (self.entries[*i].since, *i));
        let victim = oldest(&mut self.ways(line).filter(|i| idle(i) && !is_hit(i)));
        let unguarded = oldest(&mut self.ways(line).filter(idle));
        let referenced = self.ways(line).all(|i| self.entries[i].count > 0);
        let pending = self.ways(line).any(|i| self.entries[i].state == State::Pending);
        let first = oldest(&mut self.ways(line));
        let c = &mut self.findings;
        c.count(Event::Guarded, victim.is_some() && victim != unguarded);
        c.count(Event::FullGuard, victim.is_none() && unguarded.is_some());
        c.count(Event::FullReferenced, referenced);
        c.count(Event::FullPending, victim.is_none() && pending);
        let skipped = first.filter(|_| victim.is_some() && victim != first);
        c.count(Event::NotOldest, skipped.is_some_and(|i| self.entries[i].count > 0));
        victim
    }

    /// An ask that the storage deals with: the answer to all, or none without a victim.
    fn asked(&mut self, line: u16, due: &mut InstructionStorageOut) -> Option<AnswerPins> {
        let there = self.find(line).map(|i| (i, self.entries[i].state));
        self.findings.count(Event::AskThere, matches!(there, Some((_, State::Valid))));
        self.findings.count(Event::AskPending, matches!(there, Some((_, State::Pending))));
        let pending = AnswerPins { answer: AnswerPins::PENDING, line, entry: 0 };
        match there {
            Some((i, State::Valid)) => return Some(AnswerPins { answer: AnswerPins::HIT, line, entry: i as u16 }),
            Some(_) => return Some(pending),
            None => {}
        }
        let Some(i) = self.victim(line) else {
            due.full = true;
            return None;
        };
        let entry = &mut self.entries[i];
        let c = &mut self.findings;
        c.count(Event::Fetch, true);
        c.count(Event::IntoEmpty, entry.state == State::Empty);
        c.count(Event::Replaced, entry.state == State::Valid);
        c.count(Event::ReplacedAfterZero, entry.had_references);
        c.count(Event::LastWay, i + 1 == self.parameters.entries());
        // Records stay: whoever reads one in this cycle gets it.
        (entry.line, entry.state, entry.since) = (line, State::Pending, self.cycle);
        entry.had_references = false;
        self.pending.push(i);
        due.fetch = Offer::some(Fetch { entry: i as u16, line });
        Some(pending)
    }

    fn look(&mut self, line: u16) -> AnswerPins {
        let there = self.find(line);
        let state = there.map_or(State::Empty, |i| self.entries[i].state);
        let answer = match state {
            State::Empty => AnswerPins::MISS,
            State::Pending => AnswerPins::PENDING,
            State::Valid => AnswerPins::HIT,
        };
        let c = &mut self.findings;
        c.count([Event::Miss, Event::Pending, Event::Hit][state as usize], true);
        AnswerPins { answer, line, entry: there.unwrap_or(0) as u16 }
    }

    /// What the storage says in the next cycle.
    fn decide(&mut self, pins: &InstructionStorageIn) -> InstructionStorageOut {
        let mut due = InstructionStorageOut::default();
        let fill = pins.fill.get();
        let ask = self.ask.filter(|_| pins.fetch_room && fill.is_none());
        let c = &mut self.findings;
        c.count(Event::NoRoom, self.ask.is_some() && !pins.fetch_room);
        c.count(Event::Filling, self.ask.is_some() && pins.fetch_room && fill.is_some());
        c.count(Event::Fill, fill.is_some());
        let to_all = match (fill, ask) {
            (Some(fill), _) => {
                let line = self.entries[usize::from(fill.entry)].line;
                Some(AnswerPins { answer: AnswerPins::HIT, line, entry: fill.entry })
            }
            (None, Some(line)) => self.asked(line, &mut due),
            (None, None) => None,
        };
        for s in 0..self.parameters.schedulers {
            let slice = &pins.slices[s];
            let look = slice.look.get();
            due.slices[s].answer = match (to_all, look) {
                (Some(answer), _) => answer,
                (None, Some(line)) => self.look(line),
                (None, None) => AnswerPins::default(),
            };
            let line = due.slices[s].answer.line;
            self.findings.count(Event::Overtaken, to_all.is_some() && look.is_some_and(|look| look != line));
            if slice.read {
                let record = self.entries[usize::from(slice.read_entry)].records[usize::from(slice.read_slot)];
                due.slices[s].record = Offer::some(record);
            }
        }
        self.over = [ask, self.over[0]];
        if ask.is_some() {
            self.ask = None;
        }
        due
    }

    /// The edge that ends this cycle.
    fn clock(&mut self, pins: &InstructionStorageIn) {
        self.expected = self.decide(pins);
        self.was_fill = false;
        if let Some(fill) = pins.fill.get() {
            let entry = &mut self.entries[usize::from(fill.entry)];
            self.findings.count(Event::FillAtOnce, entry.since + 1 == self.cycle);
            (entry.state, entry.records) = (State::Valid, fill.records);
            self.was_fill = true;
        }
        let all = self.parameters.schedulers;
        for slice in &pins.slices[..all] {
            let entry = &mut self.entries[usize::from(slice.take.entry)];
            entry.count += u32::from(slice.take.count);
            entry.had_references |= slice.take.count > 0;
            self.findings.count(Event::AllHold, slice.take.count > 0 && entry.count as usize == self.parameters.warps);
        }
        for slice in pins.slices[..all].iter().filter(|slice| slice.dropped.count > 0) {
            let taken = |other: &StorageIn| other.take.count > 0 && other.take.entry == slice.dropped.entry;
            let entry = &mut self.entries[usize::from(slice.dropped.entry)];
            entry.count -= u32::from(slice.dropped.count);
            self.findings.count(Event::Zero, entry.count == 0);
            self.findings.count(Event::TakeAndDrop, pins.slices[..all].iter().any(taken));
        }
        for (holders, slice) in self.holders.iter_mut().zip(&pins.slices) {
            if slice.take.count > 0 {
                let entry = usize::from(slice.take.entry);
                holders.of[entry] += u32::from(slice.take.count);
                holders.mask |= 1 << (entry % 64);
            }
        }
        self.cycle += 1;
    }
}

impl Traffic for InstructionStorageTraffic {
    type In = InstructionStorageIn;
    type Out = InstructionStorageOut;

    fn next(&mut self, outputs: &InstructionStorageOut, pins: &mut InstructionStorageIn) -> bool {
        let result = self.observe(outputs);
        self.findings.check(result);
        if self.phase.begins(&mut self.rng) {
            self.begin_phase();
            if self.phase.resets(&mut self.rng) {
                self.reset();
                return true;
            }
        }
        self.drop(pins);
        self.take(outputs, pins);
        self.choose(pins);
        self.clock(pins);
        false
    }

    fn coverage(&self) -> Coverage {
        let of_others = [Event::Shared, Event::TakeTogether, Event::DropTogether];
        self.findings.coverage_without(&[(self.parameters.schedulers == 1, &of_others)])
    }
}
