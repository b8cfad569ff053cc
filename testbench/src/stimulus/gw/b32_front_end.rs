//! A small core around `b32_front_end`: random programs, units that take instructions when they like and are done with them
//! later, fetches that come in any order. Every warp does what its program says, one instruction after the other, none before
//! its registers are there; each fetch is of the line that its warp needs next; and all warps come to their end.

use super::places::{all, those};
use super::population::{Population, State};
use super::program::{Program, Then, STUCK};
use super::records::{with_any_number_elsewhere, READS, WRITES};
use crate::stimulus::{bits, events, phases, Phases, Rng, Stimulus};
use sim::units::gw::pins::{B32Answer, B32Done, B32Fetch, B32Fill, B32In, B32Out, B32SliceIn, B32SliceOut, Offer};
use sim::units::gw::B32Parameters;

events! { B32FrontEndStimulus:
    Start = "a warp starts",
    StartAgain = "a warp starts where another one has ended",
    AllEnded = "all warps have come to their end",
    Fetch = "a line is fetched",
    Stream = "fetches in cycles that follow each other, of different schedulers",
    Odd = "a line is fetched of which slot 1 alone is wanted",
    OutOfOrder = "fills out of order",
    NoFetchRoom = "no room for fetches",
    BehindReady = "behind an instruction that was ready: in the next cycle",
    Within = "within a line: from issue to issue in two cycles",
    Across = "from line to line: from issue to issue in four cycles",
    Taken = "a branch is taken: from answer to issue in five cycles",
    Untaken = "an instruction with flow goes on in its line: from answer to issue in two cycles",
    UntakenRead = "an instruction with flow goes on in its line, which is read again: three cycles",
    AnswerNext = "an answer in the cycle behind the issue",
    AnswerLate = "an answer 20 cycles behind the issue or later",
    AnswerEach = "answers in cycles that follow each other",
    AnswerOvertakes = "an answer before that to an earlier issue",
    AnswerBesideIssue = "an answer in the cycle in which another warp issues",
    AnswerBesideDone = "an answer in the cycle of a done of its warp",
    EndAnswered = "a warp ends",
    Woken = "from done to issue in two cycles",
    ReadAgain = "from done to issue in three cycles",
    Straight = "a warp issues straight from the check",
    Parked = "a warp issues that was ready",
    Passed = "a ready warp is passed for want of room",
    NothingGoes = "nothing that is ready has room",
    EachCycle = "a scheduler issues in cycles that follow each other",
    AllIssue = "all schedulers issue",
    Depends = "a register is written that the next instruction of a warp needs",
    TwoDone = "two instructions of a scheduler are done at once",
    Halt = "a warp halts and goes on in its line",
    HaltElsewhere = "a warp halts and goes on elsewhere",
    Wake = "a warp goes on",
    Reset = "reset with warps under way",
}

phases! {
    PHASES: Phase (room, done, fetch_room, fills, starts, wakes, answers)
    (230, 160, 250, 40, 60, 60, 256)
    (256, 256, 256, 256, 256, 256, 256)
    (200, 100, 200, 20, 256, 20, 128)
    (40, 128, 256, 256, 20, 100, 256)
    (256, 256, 60, 12, 128, 40, 20)
    (256, 60, 256, 256, 256, 256, 256)
    (256, 12, 256, 256, 60, 256, 60)
}

/// Instructions under way in a scheduler at most.
const MOST: usize = 128;
/// Fewest cycles from issue to issue: behind an instruction that was ready, in a line, from line to line. Behind an answer
/// the first is not to be had, and to another line it is longer.
const BEHIND_READY: u64 = 1;
const WITHIN: u64 = 2;
const ACROSS: u64 = 4;
const TAKEN: u64 = 5;

#[derive(Clone, Copy, Debug, Default)]
struct Warp {
    state: State,
    pc: u16,
    /// Index of the instruction at this pc.
    index: usize,
    /// The first pc that has not been filled.
    supplied: u16,
    steps: u32,
    /// Behind so many it goes to its end.
    most: u32,
    pending: u64,
    under_way: u32,
    /// The cycle of the last issue, or of the answer to it.
    last_step: Option<u64>,
    /// The instruction issued last had flow.
    last_turned: bool,
    /// The instruction issued last was ready before.
    last_ready: bool,
    last_done: Option<u64>,
    last_pc: u16,
    ran_before: bool,
}

/// An instruction under way.
#[derive(Clone, Copy, Debug)]
struct Flight {
    place: usize,
    index: usize,
    since: u64,
}

/// An instruction that waits for its answer.
#[derive(Clone, Copy, Debug)]
struct Question {
    place: usize,
    then: Then,
    since: u64,
    /// It is not answered before.
    due: u64,
}

/// One scheduler's warps.
#[derive(Clone, Debug, Default)]
struct Slice {
    warps: Vec<Warp>,
    flights: Vec<Flight>,
    questions: Vec<Question>,
    answered: bool,
    /// As it was in the previous cycle.
    ready: u64,
    issued: bool,
    room: u8,
}

impl Slice {
    fn new() -> Self {
        Slice { warps: vec![Warp::default(); 64], flights: Vec::with_capacity(MOST + 1), ..Default::default() }
    }

    fn in_state(&self, state: State) -> u64 {
        those(u64::MAX, |place| self.warps[place].state == state)
    }
}

#[derive(Default)]
pub struct B32FrontEndStimulus {
    rng: Rng,
    parameters: B32Parameters,
    phase: Phases<Phase>,
    cycle: u64,
    program: Program,
    /// Units are done with their instructions late.
    is_slow: bool,
    slices: Vec<Slice>,
    population: Population,
    pending: Vec<B32Fetch>,
    had_fetch_room: bool,
    last_fetch: Option<(u64, u8)>,
    findings: Findings,
}

impl B32FrontEndStimulus {
    pub fn new(parameters: &B32Parameters, seed: u64) -> Self {
        let mut stimulus = B32FrontEndStimulus {
            rng: Rng::new(seed),
            parameters: *parameters,
            phase: Phases::new(PHASES, 20..1020, 64),
            slices: vec![Slice::new(); parameters.schedulers],
            ..Default::default()
        };
        stimulus.launch();
        stimulus
    }

    /// Another program.
    fn launch(&mut self) {
        self.program = Program::any(&mut self.rng);
        self.is_slow = self.program.writes_in_turn() && self.rng.one_in(2);
        let warps = self.parameters.warps as u32;
        self.population.to_start =
            [warps, 3 * warps, 1 + self.rng.below(warps), 1 + self.rng.below(3)][self.rng.below(4) as usize];
    }

    fn reset(&mut self) {
        self.findings.count(Event::Reset, self.population.running > 0);
        self.slices.fill_with(Slice::new);
        self.population = Population::of_cycle(self.cycle);
        self.pending.clear();
        (self.had_fetch_room, self.last_fetch) = (false, None);
        self.launch();
    }

    /// All warps have ended, and all that they issued is done.
    fn is_over(&self) -> bool {
        self.population.is_over() && self.slices.iter().all(|slice| slice.flights.is_empty())
    }

    /// The record says that what follows is not known. The bit of scalars makes it a few more than need it.
    fn has_flow(&self, index: usize) -> bool {
        self.program.turns(index) || self.program.instruction(index).scalar
    }

    /// A warp issues the instruction at `pc`: whether it may.
    fn issues(&mut self, s: usize, place: usize, pc: u16) -> Result<(), String> {
        let warp = self.slices[s].warps[place];
        let name = || format!("warp {place} of scheduler {s}");
        if warp.state != State::Runs || warp.pc != pc {
            return Err(format!("{} issues at pc {pc:#x}, but it is {:?} at {:#x}", name(), warp.state, warp.pc));
        }
        if !(1..=3).contains(&warp.supplied.wrapping_sub(pc)) {
            return Err(format!("{} issues at pc {pc:#x}, which has not been filled", name()));
        }
        let instruction = self.program.instruction(warp.index);
        if warp.pending & (instruction.reads | instruction.writes) != 0 {
            return Err(format!("{} issues at pc {pc:#x} with registers pending: {:#x}", name(), warp.pending));
        }
        let was_ready = self.slices[s].ready >> place & 1 == 1;
        let c = &mut self.findings;
        c.count(Event::Straight, !was_ready);
        c.count(Event::Parked, was_ready);
        if let Some(last) = warp.last_step {
            let cycles = self.cycle - last;
            let follows = pc == warp.last_pc.wrapping_add(1);
            let within = follows && pc / 2 == warp.last_pc / 2;
            let least = match (follows, within, warp.last_turned) {
                (true, _, false) if warp.last_ready => BEHIND_READY,
                (true, true, _) => WITHIN,
                (true, false, false) => ACROSS,
                (false, _, _) | (true, false, true) => TAKEN,
            };
            if cycles < least {
                return Err(format!("{} issues at pc {pc:#x}, {cycles} cycles after its last issue or answer", name()));
            }
            c.count(Event::BehindReady, least == BEHIND_READY && cycles == least);
            c.count(Event::Within, within && !warp.last_turned && cycles == WITHIN);
            c.count(Event::Untaken, within && warp.last_turned && cycles == WITHIN);
            c.count(Event::UntakenRead, within && warp.last_turned && cycles == WITHIN + 1);
            c.count(Event::Across, follows && !within && cycles == ACROSS);
            c.count(Event::Taken, !follows && cycles == TAKEN);
        }
        let behind = warp.last_done.map(|last| self.cycle - last);
        c.count(Event::Woken, behind == Some(2));
        c.count(Event::ReadAgain, behind == Some(3) && !was_ready);
        let turned = self.has_flow(warp.index);
        let writes = instruction.writes;
        let warp = &mut self.slices[s].warps[place];
        (warp.last_step, warp.last_pc, warp.last_done) = (Some(self.cycle), pc, None);
        (warp.last_turned, warp.last_ready) = (turned, was_ready);
        warp.pending |= writes;
        warp.under_way += 1;
        warp.steps += 1;
        Ok(())
    }

    /// Answer for a warp, which does `then`. Its pc is already that behind its instruction.
    fn goes_on(&mut self, s: usize, place: usize, then: Then) -> (u8, u16) {
        let warp = &mut self.slices[s].warps[place];
        let old = warp.pc;
        let (next, pc) = match then {
            Then::GoesOn(pc) => (0, pc),
            Then::Halts(pc) => {
                let elsewhere = pc.wrapping_add(2);
                let leaves = self.rng.one_in(4) && self.program.index(elsewhere).is_some();
                (1, if leaves { elsewhere } else { pc })
            }
            Then::Ends => (2, self.rng.draw() as u16),
        };
        let follows = pc == old;
        match next {
            0 => warp.state = State::Runs,
            1 => {
                warp.state = State::Halted;
                self.population.halt();
                self.findings.count(Event::Halt, follows);
                self.findings.count(Event::HaltElsewhere, !follows);
            }
            _ => {
                (warp.state, warp.ran_before) = (State::Idle, true);
                self.population.end();
                self.findings.count(Event::EndAnswered, true);
            }
        }
        warp.pc = pc;
        warp.index = self.program.index(pc).unwrap_or(0);
        if !follows {
            warp.supplied = pc;
        }
        (next, pc)
    }

    fn scheduler(&mut self, s: usize, outputs: &B32SliceOut) -> Result<(), String> {
        let slice = &self.slices[s];
        let has_room = |place: usize| {
            let path = self.program.instruction(slice.warps[place].index).path;
            slice.room >> path & 1 == 1
        };
        let could_go = those(slice.ready, has_room);
        let ready = slice.ready;
        let Some(place) = outputs.issue.get().map(usize::from) else {
            if could_go != 0 {
                return Err(format!("nothing of scheduler {s} issues, but some warp could"));
            }
            self.findings.count(Event::NothingGoes, ready != 0);
            let slice = &mut self.slices[s];
            (slice.ready, slice.issued) = (outputs.ready, false);
            return Ok(());
        };
        if !has_room(place) {
            return Err(format!("warp {place} of scheduler {s} issues on a path without room"));
        }
        if could_go != 0 && could_go >> place & 1 == 0 {
            return Err(format!("warp {place} of scheduler {s} issues before warps that were ready"));
        }
        self.findings.count(Event::Passed, ready & !could_go != 0);
        self.findings.count(Event::EachCycle, slice.issued);
        self.issues(s, place, outputs.issue_pc)?;
        let Warp { index, steps, most, .. } = self.slices[s].warps[place];
        let then = self.program.then(&mut self.rng, index, steps, steps >= most);
        let warp = &mut self.slices[s].warps[place];
        warp.pc = warp.pc.wrapping_add(1);
        if self.has_flow(index) {
            self.asks(s, place, then);
        } else {
            self.slices[s].warps[place].index = self.program.index(outputs.issue_pc.wrapping_add(1)).unwrap_or(0);
        }
        self.population.last_issue = self.cycle;
        let slice = &mut self.slices[s];
        slice.flights.push(Flight { place, index, since: self.cycle });
        (slice.ready, slice.issued) = (outputs.ready, true);
        Ok(())
    }

    /// An instruction of a warp that does `then` behind it is to be answered.
    fn asks(&mut self, s: usize, place: usize, then: Then) {
        let wait = match self.rng.below(16) {
            0 => self.rng.below(60),
            _ => self.rng.below(9),
        };
        let slice = &mut self.slices[s];
        slice.warps[place].state = State::Asks;
        let own = self.cycle + 1 + u64::from(wait);
        let last = slice.questions.last().map_or(0, |question| question.due);
        let due = if self.rng.one_in(4) { own } else { own.max(last) };
        slice.questions.push(Question { place, then, since: self.cycle, due });
    }

    /// The core answers an instruction, most often the first that is due.
    fn answers(&mut self, s: usize, pins: &mut B32SliceIn) {
        let due = |question: &Question| question.due <= self.cycle && question.since < self.cycle;
        let questions = &self.slices[s].questions;
        let some = questions.iter().any(due) && self.phase.answers.happens(&mut self.rng);
        let junk = B32Answer { place: 0, next: self.rng.below(3) as u8, pc: self.rng.draw() as u16 };
        pins.answer = Offer { valid: false, item: junk };
        let answered_before = std::mem::replace(&mut self.slices[s].answered, some);
        if !some {
            return;
        }
        let questions = &mut self.slices[s].questions;
        let i = match self.rng.one_in(8) {
            true => questions.iter().rposition(due),
            false => questions.iter().position(due),
        };
        let Question { place, then, since, .. } = questions.remove(i.unwrap_or(0));
        let overtakes = questions.iter().any(|other| other.since < since);
        let (next, pc) = self.goes_on(s, place, then);
        self.slices[s].warps[place].last_step = Some(self.cycle);
        pins.answer = Offer::some(B32Answer { place: place as u8, next, pc });
        let wait = self.cycle - since;
        let c = &mut self.findings;
        c.count(Event::AnswerNext, wait == 1);
        c.count(Event::AnswerLate, wait >= 20);
        c.count(Event::AnswerEach, answered_before);
        c.count(Event::AnswerOvertakes, overtakes);
        c.count(Event::AnswerBesideIssue, self.slices[s].issued);
        let told = pins.done.iter().filter_map(|done| done.get());
        c.count(Event::AnswerBesideDone, told.into_iter().any(|done| usize::from(done.place) == place));
    }

    /// Units take instructions, and are done with some.
    fn units(&mut self, s: usize, pins: &mut B32SliceIn) {
        let slice = &mut self.slices[s];
        let rng = &mut self.rng;
        let takes = slice.flights.len() < MOST;
        let is_slow = self.is_slow && self.cycle - self.population.last_issue < STUCK;
        pins.room = if takes { self.phase.room.of_each(rng, 15) as u8 } else { 0 };
        slice.room = pins.room;
        let mut told = 0;
        for pins in &mut pins.done {
            let i = rng.below(slice.flights.len().max(1) as u32) as usize;
            let is_over = slice.flights.get(i).is_some_and(|flight| flight.since < self.cycle);
            pins.valid = is_over && self.phase.done.happens(rng) && (!is_slow || rng.one_in(4));
            if !pins.valid {
                continue;
            }
            let Flight { place, index, .. } = slice.flights.swap_remove(i);
            let instruction = self.program.instruction(index);
            let warp = &mut slice.warps[place];
            warp.under_way -= 1;
            warp.pending &= !instruction.writes;
            let next = self.program.instruction(warp.index);
            let depends = warp.state == State::Runs && (next.reads | next.writes) & instruction.writes != 0;
            self.findings.count(Event::Depends, depends);
            if depends {
                warp.last_done = Some(self.cycle);
            }
            // A list without an element need not be told.
            let tells = instruction.write_list != 0 || rng.one_in(2);
            let writes = with_any_number_elsewhere(rng, instruction.write_list.into(), WRITES) as u32;
            *pins = Offer { valid: tells, item: B32Done { place: place as u8, writes } };
            told += usize::from(tells);
        }
        self.findings.count(Event::TwoDone, told == 2);
    }

    /// Warps start, and those that have halted go on.
    fn warps(&mut self, s: usize, pins: &mut B32SliceIn) {
        let slice = &mut self.slices[s];
        let chances = [self.phase.starts, self.phase.wakes];
        let halted = || slice.in_state(State::Halted);
        let free = || {
            let idle = slice.in_state(State::Idle) & all(self.parameters.places());
            those(idle, |place| slice.warps[place].under_way == 0)
        };
        (pins.start, pins.wake) = self.population.change(&mut self.rng, chances, halted, free, 4);
        for place in bits(pins.start) {
            let warp = &mut slice.warps[place];
            self.findings.count(Event::StartAgain, warp.ran_before);
            let most = 20 + self.rng.below(400);
            *warp = Warp { state: State::Runs, most, ran_before: warp.ran_before, ..Warp::default() };
        }
        bits(pins.wake).for_each(|place| slice.warps[place].state = State::Runs);
        self.findings.count(Event::Start, pins.start != 0);
        self.findings.count(Event::Wake, pins.wake != 0);
    }

    /// A fetch is of the line behind what its warp has, of which at most the instruction at the pc is left.
    fn fetched(&mut self, fetch: B32Fetch) -> Result<(), String> {
        let B32Fetch { scheduler, place, line } = fetch;
        let same = |other: &B32Fetch| (other.scheduler, other.place) == (scheduler, place);
        if !self.had_fetch_room || self.pending.iter().any(same) {
            return Err(format!("{fetch:x?} without room, or of a warp that has a fetch under way"));
        }
        let warp = self.slices[usize::from(scheduler)].warps[usize::from(place)];
        let left = warp.supplied.wrapping_sub(warp.pc);
        if warp.state != State::Runs || left > 1 || line != warp.supplied / 2 {
            return Err(format!(
                "{fetch:x?} of a warp that is {:?} at {:#x} of {:#x}",
                warp.state, warp.pc, warp.supplied
            ));
        }
        if left == 1 && self.has_flow(warp.index) {
            return Err(format!("{fetch:x?}, but nobody knows what follows {:#x}", warp.pc));
        }
        let c = &mut self.findings;
        c.count(Event::Fetch, true);
        c.count(Event::Odd, warp.supplied & 1 == 1);
        c.count(Event::Stream, self.last_fetch.is_some_and(|(cycle, s)| cycle + 1 == self.cycle && s != scheduler));
        self.last_fetch = Some((self.cycle, scheduler));
        self.pending.push(fetch);
        Ok(())
    }

    /// Fetches that come.
    fn memory(&mut self, pins: &mut B32In) {
        // Not in the cycle of the fetch.
        let newest = self.last_fetch.is_some_and(|(cycle, _)| cycle == self.cycle);
        let count = self.pending.len() - usize::from(newest);
        let fills = count > 0 && self.phase.fills.happens(&mut self.rng);
        let i = self.rng.below(count.max(1) as u32) as usize;
        let fill = fills.then(|| self.pending.remove(i));
        if let Some(B32Fetch { scheduler, place, line }) = fill {
            self.findings.count(Event::OutOfOrder, i > 0);
            self.slices[usize::from(scheduler)].warps[usize::from(place)].supplied = (2 * line).wrapping_add(2);
        }
        pins.fill.show(&fill.map(|B32Fetch { scheduler, place, line }| {
            let mut records = self.program.line_of_baseline(line);
            for (record, pc) in records.iter_mut().zip([2 * line, 2 * line + 1]) {
                let flow = self.program.index(pc).is_some_and(|index| self.has_flow(index));
                *record |= u128::from(flow) << 72;
                *record = with_any_number_elsewhere(&mut self.rng, *record, WRITES + READS);
            }
            B32Fill { scheduler, place, records }
        }));
        pins.fetch_room = self.phase.fetch_room.happens(&mut self.rng);
        self.had_fetch_room = pins.fetch_room;
        self.findings.count(Event::NoFetchRoom, !pins.fetch_room);
    }

    fn cycle(&mut self, outputs: &B32Out, pins: &mut B32In) -> Result<(), String> {
        if let Some(fetch) = outputs.fetch.get() {
            self.fetched(fetch)?;
        }
        let mut issuing = 0;
        for s in 0..self.parameters.schedulers {
            // A warp ends before another one starts in its place.
            self.warps(s, &mut pins.slices[s]);
            self.scheduler(s, &outputs.slices[s])?;
            issuing += usize::from(self.slices[s].issued);
        }
        for s in 0..self.parameters.schedulers {
            self.units(s, &mut pins.slices[s]);
            self.answers(s, &mut pins.slices[s]);
        }
        self.memory(pins);
        self.findings.count(Event::AllIssue, issuing == self.parameters.schedulers);
        self.population.check_progress(self.cycle)
    }
}

impl Stimulus for B32FrontEndStimulus {
    type In = B32In;
    type Out = B32Out;

    fn next(&mut self, outputs: &B32Out, pins: &mut B32In) -> bool {
        if self.phase.next(&mut self.rng) {
            self.reset();
            return true;
        }
        let result = self.cycle(outputs, pins);
        self.findings.check(result);
        self.cycle += 1;
        if self.is_over() {
            self.findings.count(Event::AllEnded, true);
            self.reset();
            return true;
        }
        false
    }
}
