//! The storage of instructions: what was fetched, shared by all warps that execute it, with links from a line to the next.

use crate::units::gw::gw_record::Record;
use crate::units::gw::parameters::MOST_SCHEDULERS;
use crate::units::gw::pins::{Fetch, Fill};
use crate::units::gw::Parameters;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Empty,
    Pending,
    Valid,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    state: State,
    line: u16,
    /// References of warps.
    count: u16,
    /// Of all times that a tag was written, which one this was.
    tagged: u64,
    /// The entry of the next line.
    link: Option<u16>,
    records: [Record; 2],
}

/// A look-up for `warps` warps of a scheduler.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// One of them.
    pub place: u8,
    pub line: u16,
    pub warps: u8,
    /// The entry of the line before, if all warps go on from it to this line.
    pub from: Option<u16>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answer {
    #[default]
    None,
    Hit(u16),
    Pending(u16),
    Miss,
}

/// Of one scheduler in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes {
    pub look: Option<Look>,
    /// So many warps take a reference to this entry, by its link.
    pub taken: (u16, u8),
    /// So many warps give theirs back.
    pub dropped: (u16, u8),
}

/// What becomes of the ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Choice {
    line: u16,
    victim: Option<u16>,
    present: bool,
}

#[derive(Clone, Debug)]
pub struct Storage {
    sets: usize,
    schedulers: usize,
    entries: Vec<Entry>,
    tags_written: u64,
    answers: [Answer; MOST_SCHEDULERS],
    /// Links that were found in the previous cycle: from an entry to an entry.
    found: [Option<(u16, u16)>; MOST_SCHEDULERS],
    /// What was given back in the previous cycle.
    dropped: [(u16, u8); MOST_SCHEDULERS],
    choice: Option<Choice>,
    fetch: Option<Fetch>,
    full: bool,
}

impl Storage {
    pub fn new(parameters: &Parameters) -> Self {
        let entry = |at: usize| Entry { tagged: at as u64, ..Entry::default() };
        Storage {
            sets: parameters.sets,
            schedulers: parameters.schedulers,
            entries: (0..parameters.entries()).map(entry).collect(),
            tags_written: parameters.entries() as u64,
            answers: Default::default(),
            found: Default::default(),
            dropped: Default::default(),
            choice: None,
            fetch: None,
            full: false,
        }
    }

    #[inline]
    pub fn answer(&self, scheduler: usize) -> Answer {
        self.answers[scheduler]
    }

    pub fn fetch(&self) -> &Option<Fetch> {
        &self.fetch
    }

    /// The entry that was replaced in the previous cycle.
    pub fn replaced(&self) -> Option<u16> {
        self.fetch.map(|fetch| fetch.entry)
    }

    pub fn full(&self) -> bool {
        self.full
    }

    #[inline]
    pub fn link(&self, entry: u16) -> Option<u16> {
        self.entries[entry as usize].link
    }

    #[inline]
    pub fn record(&self, entry: u16, pc: u16) -> Record {
        self.entries[entry as usize].records[pc as usize & 1]
    }

    /// The arbiter's ask can be dealt with in this cycle, as far as the storage is concerned.
    pub fn takes(&self, line: u16) -> bool {
        self.choice.is_some_and(|choice| choice.line == line)
    }

    /// A cycle with all inputs low changes nothing.
    pub fn is_quiet(&self) -> bool {
        let told = self.answers.iter().any(|a| *a != Answer::None) || self.dropped.iter().any(|(_, warps)| *warps != 0);
        !told && self.choice.is_none() && self.fetch.is_none() && !self.full
    }

    fn find(&self, line: u16) -> Option<u16> {
        let here = |e: &usize| self.entries[*e].state != State::Empty && self.entries[*e].line == line;
        (line as usize % self.sets..self.entries.len()).step_by(self.sets).find(here).map(|e| e as u16)
    }

    /// The edge. `ask`: the line that the arbiter asks for; `room`: a fetch can be asked for in this cycle.
    pub fn clock(&mut self, wishes: &[Wishes; MOST_SCHEDULERS], ask: Option<u16>, room: bool, fill: Option<Fill>) {
        self.link_found();
        (self.fetch, self.full) = (None, false);
        let over = room && ask.is_some_and(|line| self.takes(line));
        let choice = self.choose(ask);
        if let Some(fill) = fill {
            let entry = &mut self.entries[fill.entry as usize];
            assert!(entry.state == State::Pending, "gw_front_end: a fill of {}, which is not pending", fill.entry);
            entry.state = State::Valid;
            entry.records = fill.records.map(Record::unpack);
        }
        let is_free = |victim: &u16| self.entries[*victim as usize].count == 0;
        let mut victim = self.choice.and_then(|choice| choice.victim).filter(is_free);
        for (s, wish) in wishes[..self.schedulers].iter().enumerate() {
            self.answers[s] = self.look_up(&wish.look);
            self.found[s] = match (self.answers[s], &wish.look) {
                (Answer::Hit(entry), Some(Look { from: Some(from), .. })) => Some((*from, entry)),
                _ => None,
            };
            let (entry, warps) = wish.taken;
            self.entries[entry as usize].count += warps as u16;
        }
        victim = victim.filter(|victim| self.entries[*victim as usize].count == 0);
        let dropped = wishes.map(|wish| wish.dropped);
        for (entry, warps) in std::mem::replace(&mut self.dropped, dropped) {
            self.entries[entry as usize].count -= warps as u16;
        }
        if over {
            let Choice { line, present, .. } = self.choice.expect("an ask is over after its choice");
            match victim {
                _ if present => {}
                Some(victim) => self.replace(victim, line),
                None => self.full = true,
            }
        }
        self.choice = if over { None } else { choice };
    }

    /// Links that were found are there from now on, but for those of an entry that has been replaced since.
    fn link_found(&mut self) {
        let replaced = self.replaced();
        for (from, entry) in
            std::mem::take(&mut self.found).into_iter().flatten().filter(|(from, _)| Some(*from) != replaced)
        {
            self.entries[from as usize].link = Some(entry);
        }
    }

    fn choose(&self, line: Option<u16>) -> Option<Choice> {
        let line = line?;
        let free = |e: &usize| self.entries[*e].count == 0 && self.entries[*e].state != State::Pending;
        let ways = (line as usize % self.sets..self.entries.len()).step_by(self.sets);
        let victim = ways.filter(free).min_by_key(|e| self.entries[*e].tagged).map(|e| e as u16);
        Some(Choice { line, victim, present: self.find(line).is_some() })
    }

    fn replace(&mut self, victim: u16, line: u16) {
        for entry in &mut self.entries {
            entry.link = entry.link.filter(|link| *link != victim);
        }
        let entry = &mut self.entries[victim as usize];
        assert!(entry.count == 0, "gw_front_end: a line is replaced to which there are references");
        *entry = Entry { state: State::Pending, line, tagged: self.tags_written, ..Entry::default() };
        self.tags_written += 1;
        self.fetch = Some(Fetch { entry: victim, line });
    }

    fn look_up(&mut self, look: &Option<Look>) -> Answer {
        let Some(look) = look else { return Answer::None };
        let Some(entry) = self.find(look.line) else { return Answer::Miss };
        self.entries[entry as usize].count += look.warps as u16;
        if self.entries[entry as usize].state == State::Pending {
            return Answer::Pending(entry);
        }
        Answer::Hit(entry)
    }
}
