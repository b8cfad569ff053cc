//! The storage of instructions: what was fetched, shared by all warps that execute it, with links from a line to the next.

use crate::unit::{rule, Fault};
use crate::units::gw::gw_record::Record;
use crate::units::gw::parameters::MOST_SCHEDULERS;
use crate::units::gw::pins::{Fetch, Fill};
use crate::units::gw::Parameters;

/// Lines of a program.
const LINES: u16 = 1 << 15;

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
    /// The number of this write of a tag, among all of them.
    tagged: u64,
    /// The entry of the next line.
    link: Option<u16>,
    /// It was fetched ahead, and no look-up has found it.
    is_ahead: bool,
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

/// The requests of one scheduler in a cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes {
    pub look: Option<Look>,
    /// An entry, and the number of warps that take a reference to it by its link.
    pub taken: (u16, u8),
    /// An entry, and the number of warps that give their reference back.
    pub dropped: (u16, u8),
}

/// The progress of an ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Step {
    /// It begins in the next cycle.
    #[default]
    None,
    /// Known: what there is.
    Surveyed(Survey),
    /// Known: what it would replace. Links to that go in this cycle.
    Chosen(Choice),
    /// It can be over.
    Unlinked(Choice),
}

/// The presence of the line, and the entries of its set that are in use (a bit for each way).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Survey {
    present: bool,
    in_use: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Choice {
    present: bool,
    victim: Option<u16>,
    /// A reference to the victim was taken since.
    taken: bool,
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
    step: Step,
    fetch: Option<Fetch>,
    full: bool,
    /// Lines are fetched ahead.
    prefetches: bool,
    /// The line that is asked for when the arbiter asks for none.
    ahead: Option<u16>,
    /// It is being asked for.
    asks_ahead: bool,
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
            step: Step::None,
            fetch: None,
            full: false,
            prefetches: parameters.prefetch,
            ahead: None,
            asks_ahead: false,
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

    /// The entry that the ask is about to replace.
    fn claimed(&self) -> Option<u16> {
        match self.step {
            Step::Chosen(choice) | Step::Unlinked(choice) if !choice.present => choice.victim,
            _ => None,
        }
    }

    #[inline]
    pub fn record(&self, entry: u16, pc: u16) -> Record {
        self.entries[entry as usize].records[pc as usize & 1]
    }

    /// The arbiter's ask can be dealt with in this cycle, as far as the storage is concerned.
    pub fn takes(&self) -> bool {
        matches!(self.step, Step::Unlinked(_)) && !self.asks_ahead
    }

    /// A cycle with all inputs low changes nothing.
    pub fn is_quiet(&self) -> bool {
        let told = self.answers.iter().any(|a| *a != Answer::None);
        !told && self.step == Step::None && self.fetch.is_none() && !self.full && self.ahead.is_none()
    }

    fn find(&self, line: u16) -> Option<u16> {
        let here = |entry: &Entry| entry.state != State::Empty && entry.line == line;
        self.ways(line).find(|e| here(&self.entries[*e as usize]))
    }

    /// The edge. `ask`: the line that the arbiter asks for; `room`: a fetch can be asked for in this cycle.
    pub fn clock(
        &mut self,
        wishes: &[Wishes; MOST_SCHEDULERS],
        ask: Option<u16>,
        room: bool,
        fill: Option<Fill>,
    ) -> Result<(), Fault> {
        self.unlink_claimed();
        self.link_found();
        let next = self.next_ahead();
        (self.fetch, self.full) = (None, false);
        self.asks_ahead |= self.step == Step::None && ask.is_none() && self.ahead.is_some();
        let ask = if self.asks_ahead { self.ahead } else { ask };
        let step = self.next_step(ask);
        let over = match step {
            Step::Unlinked(choice) if room && matches!(self.step, Step::Unlinked(_)) => Some(choice),
            _ => None,
        };
        let claimed = self.claimed();
        if let Some(fill) = fill {
            let entry = &mut self.entries[fill.entry as usize];
            rule(
                entry.state == State::Pending,
                format_args!("gw_front_end: a fill of {}, which is not pending", fill.entry),
            )?;
            entry.state = State::Valid;
            entry.records = fill.records.map(Record::unpack);
        }
        for (s, wish) in wishes[..self.schedulers].iter().enumerate() {
            self.answers[s] = self.look_up(&wish.look, claimed);
            self.found[s] = match (self.answers[s], &wish.look) {
                (Answer::Hit(entry), Some(Look { from: Some(from), .. })) => Some((*from, entry)),
                _ => None,
            };
            let (entry, warps) = wish.taken;
            self.entries[entry as usize].count += warps as u16;
        }
        if let (Some(Choice { present: false, victim, taken }), Some(line)) = (over, ask) {
            match victim.filter(|_| !taken) {
                Some(victim) => {
                    self.replace(victim, line)?;
                    self.entries[victim as usize].is_ahead = self.asks_ahead;
                }
                None => self.full = !self.asks_ahead,
            }
        }
        self.ahead = match self.asks_ahead {
            true => self.ahead.filter(|_| over.is_none()),
            false => next.or(self.ahead),
        };
        self.asks_ahead &= over.is_none();
        self.step = if over.is_some() { Step::None } else { step };
        for Wishes { dropped: (entry, warps), .. } in wishes {
            self.entries[*entry as usize].count -= *warps as u16;
        }
        Ok(())
    }

    /// The line to be fetched ahead: behind one that was, and that a look-up found in the previous cycle, else behind the one that
    /// the arbiter's ask fetched in the previous cycle.
    fn next_ahead(&mut self) -> Option<u16> {
        if !self.prefetches {
            return None;
        }
        let asked = self.fetch.filter(|fetch| !self.entries[fetch.entry as usize].is_ahead).map(|fetch| fetch.line);
        let mut found = None;
        for answer in self.answers {
            let (Answer::Hit(entry) | Answer::Pending(entry)) = answer else { continue };
            let entry = &mut self.entries[entry as usize];
            if std::mem::take(&mut entry.is_ahead) {
                found = found.or(Some(entry.line));
            }
        }
        found.or(asked).map(|line| (line + 1) % LINES)
    }

    /// Nothing goes on to the entry that the ask is about to replace.
    fn unlink_claimed(&mut self) {
        if let Some(victim) = self.claimed() {
            for entry in &mut self.entries {
                entry.link = entry.link.filter(|link| *link != victim);
            }
        }
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

    /// The entries of the set of a line, by way.
    fn ways(&self, line: u16) -> impl Iterator<Item = u16> {
        (line % self.sets as u16..self.entries.len() as u16).step_by(self.sets)
    }

    /// The ask after this cycle, if it is not over.
    fn next_step(&self, ask: Option<u16>) -> Step {
        let Some(line) = ask else { return Step::None };
        match self.step {
            Step::None => Step::Surveyed(self.survey(line)),
            Step::Surveyed(survey) => Step::Chosen(self.choose(line, survey)),
            Step::Chosen(choice) | Step::Unlinked(choice) => {
                let taken = choice.victim.is_some_and(|victim| self.entries[victim as usize].count != 0);
                Step::Unlinked(Choice { taken: taken | choice.taken, ..choice })
            }
        }
    }

    fn survey(&self, line: u16) -> Survey {
        let in_use = |entry: &Entry| entry.count != 0 || entry.state == State::Pending;
        let ways = self.ways(line).enumerate();
        let in_use = ways.fold(0, |all, (way, e)| all | (in_use(&self.entries[e as usize]) as u32) << way);
        Survey { present: self.find(line).is_some(), in_use }
    }

    fn choose(&self, line: u16, Survey { present, in_use }: Survey) -> Choice {
        let free = |(way, e): &(usize, u16)| in_use >> way & 1 == 0 && self.entries[*e as usize].count == 0;
        let free = self.ways(line).enumerate().filter(free).map(|(_, e)| e);
        Choice { present, victim: free.min_by_key(|e| self.entries[*e as usize].tagged), taken: false }
    }

    fn replace(&mut self, victim: u16, line: u16) -> Result<(), Fault> {
        let is_linked = self.entries.iter().any(|entry| entry.link == Some(victim));
        rule(!is_linked, "gw_front_end, ahead: a link to what is replaced")?;
        let entry = &mut self.entries[victim as usize];
        rule(entry.count == 0, "gw_front_end: a line is replaced to which there are references")?;
        *entry = Entry { state: State::Pending, line, tagged: self.tags_written, ..Entry::default() };
        self.tags_written += 1;
        self.fetch = Some(Fetch { entry: victim, line });
        Ok(())
    }

    /// The entry that the ask is about to replace is not found.
    fn look_up(&mut self, look: &Option<Look>, claimed: Option<u16>) -> Answer {
        let Some(look) = look else { return Answer::None };
        let Some(entry) = self.find(look.line).filter(|entry| Some(*entry) != claimed) else { return Answer::Miss };
        self.entries[entry as usize].count += look.warps as u16;
        if self.entries[entry as usize].state == State::Pending {
            return Answer::Pending(entry);
        }
        Answer::Hit(entry)
    }
}
