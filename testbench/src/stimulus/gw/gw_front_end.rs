//! A small core around `gw_front_end`: random programs, units that take instructions when they like and are done with
//! them later, fetches that come in any order. Every warp does what its program says, one instruction after the other, none
//! before its registers are there; scalars go in waves and nothing else does; instructions of a pair that are under way have
//! slots of their own; and all warps come to their end.

use super::places::{all, those};
use super::population::{Population, State};
use super::program::{Program, Then, STUCK};
use crate::stimulus::{bits, events, phases, Phases, Rng, Stimulus};
use sim::units::gw::pins::{Done, Fetch, Fill, GwIn, GwOut, Halves, Next, SliceIn, SliceOut};
use sim::units::gw::Parameters;

events! { GwFrontEndStimulus:
    Start = "a warp starts",
    StartAgain = "a warp starts where another one has ended",
    AllEnded = "all warps have come to their end",
    Fetch = "a miss: a line is fetched",
    Again = "a line is fetched again",
    Replaced = "a line without references is replaced",
    Full = "a full set",
    Shared = "a shared fetch: several warps are served by one fill",
    SharedWidely = "a shared fetch: warps of several schedulers are served by one fill",
    OutOfOrder = "fills out of order",
    NoRoom = "no room for fetches",
    AtOnce = "two instructions of a warp in successive cycles",
    Hit = "from an answer to the instruction behind it in five cycles, or in four if it issues from its compare",
    AnswerNext = "an answer in the cycle behind the issue",
    AnswerLate = "an answer 20 cycles behind the issue or later",
    AnswerEach = "answers in cycles that follow each other",
    AnswerOvertakes = "an answer before that to an earlier issue",
    AnswerBesideIssue = "an answer in the cycle in which others issue",
    AnswerBoth = "an answer to both halves of a pair",
    AnswerApart = "an answer to halves that issued one after the other",
    AnswerOfOne = "an answer to one half of a pair that issued together",
    AnswerBesideHalf = "an answer to a half in the cycle in which the other one issues",
    Meets = "behind an instruction lanes may meet, and the warp is not full",
    ManySlots = "five instructions of a warp that write registers are under way",
    Pair = "a pair",
    EvenAlone = "an even half alone",
    OddAlone = "an odd half alone",
    Parts = "the halves of a pair part",
    Wave = "a wave",
    Whole = "a wave of a whole group",
    Alone = "a wave of one warp",
    AgeCap = "a wave by the age cap",
    Release = "a wave is released",
    TableFull = "the table is full",
    NotFull = "a scalar goes alone: not all lanes are active",
    VectorOperand = "a scalar goes alone: an operand is in vector form",
    Depends = "a register is written that the next instruction of a warp needs",
    NoneReady = "no warp is ready",
    NothingGoes = "nothing can go for want of room",
    AllIssue = "all schedulers issue",
    Halt = "a warp halts",
    Wake = "a warp goes on",
    PairsOff = "halves of one pc issue one after the other: pairs are off",
    WavesOff = "a scalar goes alone: waves are off",
    Reset = "reset with warps under way",
}

phases! {
    PHASES: Phase (room, done, wave_done, fetch_room, fills, starts, wakes, full, answers)
    (230, 160, 100, 250, 40, 60, 60, 250, 256)
    (256, 256, 256, 256, 256, 256, 256, 256, 256)
    (200, 100, 20, 200, 20, 256, 20, 256, 128)
    (40, 128, 60, 256, 100, 20, 100, 250, 256)
    (256, 256, 200, 60, 12, 128, 40, 200, 20)
    (256, 60, 200, 256, 256, 256, 256, 256, 256)
    (128, 200, 12, 256, 128, 256, 60, 256, 60)
    (256, 256, 60, 256, 60, 20, 12, 128, 256)
}

/// Instructions under way in a scheduler at most.
const MOST: usize = 128;
/// Cycles at least from the answer to an instruction to the issue of the next one. One that issues straight from its compare takes
/// one fewer.
const TURN: u64 = 5;

#[derive(Clone, Copy, Debug, Default)]
struct Warp {
    state: State,
    pc: u16,
    /// Index of the instruction at this pc.
    index: usize,
    steps: u32,
    /// Behind so many it goes to its end.
    most: u32,
    full: bool,
    pending: u64,
    /// Registers in scalar form.
    forms: u64,
    under_way: u32,
    /// The cycle of the last issue, or of the answer to it.
    last_step: Option<u64>,
    /// The last instruction was plain for the warp.
    was_plain: bool,
    /// Slots of what is under way and did not go in a wave.
    slots: u8,
    ran_before: bool,
}

/// An instruction under way.
#[derive(Clone, Copy, Debug)]
struct Flight {
    places: u64,
    index: usize,
    swid: u8,
    /// Slots of the halves of a pair.
    slots: [u8; 2],
    since: u64,
}

/// Halves of a pair that issued at once and wait for their answer, and what each does then.
#[derive(Clone, Copy, Debug)]
struct Question {
    pair: usize,
    thens: [Option<(Then, bool)>; 2],
    /// Both halves issued, perhaps one of them with a plain instruction.
    of_pair: bool,
    since: u64,
    /// It is not answered before.
    due: u64,
}

/// One scheduler's warps.
#[derive(Clone, Debug, Default)]
struct Slice {
    warps: Vec<Warp>,
    halves: Vec<Flight>,
    waves: Vec<Flight>,
    questions: Vec<Question>,
    answered: bool,
    /// As it was in the previous cycle.
    ready: u64,
    scalar: u64,
    issued: u64,
    room: u8,
}

impl Slice {
    fn new() -> Self {
        Slice {
            warps: vec![Warp::default(); 64],
            halves: Vec::with_capacity(MOST + 1),
            waves: Vec::with_capacity(16),
            ..Default::default()
        }
    }

    fn in_state(&self, state: State) -> u64 {
        those(u64::MAX, |place| self.warps[place].state == state)
    }
}

#[derive(Default)]
pub struct GwFrontEndStimulus {
    rng: Rng,
    parameters: Parameters,
    phase: Phases<Phase>,
    cycle: u64,
    program: Program,
    pairs_on: bool,
    waves_on: bool,
    /// Units are done with their instructions late.
    is_slow: bool,
    slices: Vec<Slice>,
    population: Population,
    pending: Vec<Fetch>,
    /// By the instructions of their lines: what was fetched before.
    fetched: Vec<bool>,
    /// Line of each entry that was filled.
    lines: Vec<Option<u16>>,
    had_fetch_room: bool,
    findings: Findings,
}

impl GwFrontEndStimulus {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let mut stimulus = GwFrontEndStimulus {
            rng: Rng::new(seed),
            parameters: *parameters,
            phase: Phases::new(PHASES, 20..1020, 64),
            pairs_on: true,
            waves_on: true,
            slices: vec![Slice::new(); parameters.schedulers],
            lines: vec![None; parameters.sets * parameters.ways.next_power_of_two()],
            ..Default::default()
        };
        stimulus.launch();
        stimulus
    }

    /// Another program.
    fn launch(&mut self) {
        self.program = Program::any(&mut self.rng);
        self.fetched.clear();
        self.fetched.resize(self.program.len(), false);
        (self.pairs_on, self.waves_on) = (!self.rng.one_in(8), !self.rng.one_in(8));
        self.is_slow = self.program.writes_in_turn() && self.rng.one_in(2);
        let warps = self.parameters.warps as u32;
        self.population.to_start = [warps, 3 * warps, 1 + self.rng.below(warps)][self.rng.below(3) as usize];
    }

    fn reset(&mut self) {
        self.findings.count(Event::Reset, self.population.running > 0);
        self.slices.fill_with(Slice::new);
        self.population = Population::of_cycle(self.cycle);
        self.pending.clear();
        self.lines.fill(None);
        self.had_fetch_room = false;
        self.launch();
    }

    /// All warps have ended, and all that they issued is done.
    fn is_over(&self) -> bool {
        let nothing_under_way = |slice: &Slice| slice.halves.is_empty() && slice.waves.is_empty();
        self.population.is_over() && self.slices.iter().all(nothing_under_way)
    }

    /// A warp issues the instruction at `pc`: whether it may, as what it goes.
    fn issues(&mut self, s: usize, place: usize, pc: u16, in_wave: bool) -> Result<(), String> {
        let warp = &mut self.slices[s].warps[place];
        let name = || format!("warp {place} of scheduler {s}");
        if warp.state != State::Runs || warp.pc != pc {
            return Err(format!("{} issues at pc {pc:#x}, but it is {:?} at {:#x}", name(), warp.state, warp.pc));
        }
        let instruction = self.program.instruction(warp.index);
        if warp.pending & (instruction.reads | instruction.writes) != 0 {
            return Err(format!("{} issues at pc {pc:#x} with registers pending: {:#x}", name(), warp.pending));
        }
        let operands = instruction.reads & !warp.forms == 0;
        if in_wave != (instruction.scalar && warp.full && operands && self.waves_on) {
            return Err(format!("{} issues at pc {pc:#x}, in a wave: {in_wave}", name()));
        }
        let c = &mut self.findings;
        if instruction.scalar && !in_wave {
            c.count(Event::NotFull, !warp.full && operands && self.waves_on);
            c.count(Event::VectorOperand, warp.full && !operands && self.waves_on);
            c.count(Event::WavesOff, warp.full && operands);
        }
        let turn = TURN - u64::from(self.parameters.land);
        let least = if warp.was_plain { 1 } else { turn };
        if let Some(last) = warp.last_step {
            let cycles = self.cycle - last;
            if cycles < least {
                return Err(format!("{} issues at pc {pc:#x}, {cycles} cycles after its last issue or answer", name()));
            }
            c.count(Event::AtOnce, cycles == 1);
            c.count(Event::Hit, !warp.was_plain && cycles == turn);
        }
        warp.last_step = Some(self.cycle);
        warp.was_plain = self.program.is_plain(warp.index, warp.full);
        c.count(Event::Meets, !warp.was_plain && self.program.is_plain(warp.index, true));
        warp.pending |= instruction.writes;
        warp.forms = if in_wave { warp.forms | instruction.writes } else { warp.forms & !instruction.writes };
        warp.under_way += 1;
        warp.steps += 1;
        Ok(())
    }

    /// A half issues under this slot: no other one of its warp that is under way has it.
    fn takes_slot(&mut self, s: usize, place: usize, index: usize, slot: u8) -> Result<(), String> {
        if self.program.instruction(index).writes == 0 {
            return Ok(());
        }
        let warp = &mut self.slices[s].warps[place];
        if warp.slots >> slot & 1 == 1 {
            return Err(format!("warp {place} of scheduler {s} issues under slot {slot}, which is in use"));
        }
        warp.slots |= 1 << slot;
        self.findings.count(Event::ManySlots, warp.slots.count_ones() >= 5);
        Ok(())
    }

    /// The warp does `then`.
    fn goes_on(&mut self, s: usize, place: usize, then: Then) {
        let warp = &mut self.slices[s].warps[place];
        match then {
            Then::GoesOn(pc) => (warp.state, warp.pc) = (State::Runs, pc),
            Then::Halts(pc) => {
                (warp.state, warp.pc) = (State::Halted, pc);
                self.population.halt();
                self.findings.count(Event::Halt, true);
            }
            Then::Ends => {
                (warp.state, warp.ran_before) = (State::Idle, true);
                self.population.end();
            }
        }
        warp.index = self.program.index(warp.pc).unwrap_or(0);
    }

    /// The halves that issue.
    fn halves(&mut self, s: usize, outputs: &SliceOut) -> Result<u64, String> {
        let places = outputs.halves.places();
        let (mut nexts, mut thens) = ([None; 2], [None; 2]);
        let first = places.trailing_zeros() as usize;
        let index = self.slices[s].warps[first % 64].index;
        for place in bits(places) {
            self.issues(s, place, outputs.issue_pc, false)?;
            let Warp { steps, most, full, .. } = self.slices[s].warps[place];
            let then = self.program.then(&mut self.rng, index, steps, steps >= most);
            self.takes_slot(s, place, index, [outputs.even_slot, outputs.odd_slot][place % 2])?;
            // Lanes come back, and go, but not behind a plain instruction.
            nexts[place % 2] = Some(then);
            if self.program.is_plain(index, full) {
                self.goes_on(s, place, then);
                continue;
            }
            let full = if self.rng.one_in(4) { self.phase.full.happens(&mut self.rng) } else { full };
            thens[place % 2] = Some((then, full));
            self.slices[s].warps[place].state = State::Asks;
        }
        let of_pair = places.count_ones() == 2;
        let apart = self.rng.one_in(8);
        let [even, odd] = thens;
        let thens = if apart { [[even, None], [None, odd]] } else { [thens, [None; 2]] };
        thens.into_iter().for_each(|thens| self.asks(s, first / 2, thens, of_pair));
        if places != 0 {
            let slots = [outputs.even_slot, outputs.odd_slot];
            self.slices[s].halves.push(Flight { places, index, swid: 0, slots, since: self.cycle });
            let c = &mut self.findings;
            let both = nexts[0].is_some() && nexts[1].is_some();
            c.count(Event::Pair, both);
            c.count(Event::Parts, both && nexts[0] != nexts[1]);
            c.count(Event::EvenAlone, nexts[1].is_none());
            c.count(Event::OddAlone, nexts[0].is_none());
            if both && !self.pairs_on {
                return Err(format!("a pair of scheduler {s} issues, but pairs are off"));
            }
            let other = &self.slices[s].warps[first ^ 1];
            let at_pc = other.state == State::Runs && other.pc == outputs.issue_pc;
            c.count(Event::PairsOff, !self.pairs_on && at_pc && outputs.ready >> (first ^ 1) & 1 == 1);
        }
        Ok(places)
    }

    fn wave(&mut self, s: usize, outputs: &SliceOut) -> Result<u64, String> {
        let Some(swid) = outputs.wave.get() else { return Ok(0) };
        let wave = self.parameters.wave;
        let places = u64::from(outputs.wave_mask) << (usize::from(outputs.wave_group) * wave);
        let Some(index) = self.program.index(outputs.wave_pc).filter(|_| places != 0) else {
            return Err(format!("a wave of scheduler {s}: {outputs:x?}"));
        };
        if self.slices[s].waves.iter().any(|flight| flight.swid == swid) {
            return Err(format!("wave {swid} of scheduler {s} issues, but it has not been released"));
        }
        for place in bits(places) {
            self.issues(s, place, outputs.wave_pc, true)?;
            self.goes_on(s, place, Then::GoesOn(outputs.wave_pc + 1));
        }
        self.slices[s].waves.push(Flight { places, index, swid, slots: [0; 2], since: self.cycle });
        let warps = self.could_go(s);
        let c = &mut self.findings;
        c.count(Event::Wave, true);
        c.count(Event::Whole, places.count_ones() as usize == wave);
        c.count(Event::Alone, places.count_ones() == 1);
        c.count(Event::AgeCap, warps);
        Ok(places)
    }

    /// Some warp could go, as things were in the previous cycle.
    fn could_go(&self, s: usize) -> bool {
        let slice = &self.slices[s];
        let has_room = |place: usize| {
            let path = self.program.instruction(slice.warps[place].index).path;
            slice.room >> path & 1 == 1
        };
        bits(slice.ready & !slice.scalar & !slice.issued).any(has_room)
    }

    fn scheduler(&mut self, s: usize, outputs: &SliceOut) -> Result<(), String> {
        let halves = outputs.halves.places();
        if halves != 0 && outputs.wave.valid {
            return Err(format!("halves and a wave of scheduler {s} issue at once"));
        }
        if halves == 0 && !outputs.wave.valid && self.could_go(s) {
            return Err(format!("nothing of scheduler {s} issues, but some warp could"));
        }
        // A path without room takes nothing.
        let slice = &self.slices[s];
        let first = halves.trailing_zeros() as usize;
        let index = match outputs.wave.valid {
            true => self.program.index(outputs.wave_pc),
            false => (halves != 0).then(|| slice.warps[first].index),
        };
        let full_path = |index: &usize| slice.room >> self.program.instruction(*index).path & 1 == 0;
        if let Some(index) = index.filter(full_path) {
            return Err(format!("instruction {index} of scheduler {s} issues on a path without room"));
        }
        let issued = self.halves(s, outputs)? | self.wave(s, outputs)?;
        if issued != 0 {
            self.population.last_issue = self.cycle;
        }
        let slice = &mut self.slices[s];
        let waited = slice.ready & !slice.scalar & !slice.issued != 0;
        let c = &mut self.findings;
        c.count(Event::TableFull, outputs.table_full);
        c.count(Event::NoneReady, outputs.ready == 0);
        c.count(Event::NothingGoes, waited && issued == 0);
        (slice.ready, slice.scalar, slice.issued) = (outputs.ready, outputs.scalar, issued);
        Ok(())
    }

    /// Halves of a pair are to be answered together.
    fn asks(&mut self, s: usize, pair: usize, thens: [Option<(Then, bool)>; 2], of_pair: bool) {
        if thens == [None; 2] {
            return;
        }
        let wait = match self.rng.below(16) {
            0 => self.rng.below(60),
            _ => self.rng.below(9),
        };
        let own = self.cycle + 1 + u64::from(wait);
        let questions = &mut self.slices[s].questions;
        let last = questions.last().map_or(0, |question| question.due);
        let due = if self.rng.one_in(4) { own } else { own.max(last) };
        questions.push(Question { pair, thens, of_pair, since: self.cycle, due });
    }

    /// The core answers halves of a pair, most often the first that are due.
    fn answers(&mut self, s: usize, pins: &mut SliceIn) {
        let junk = self.rng.draw();
        pins.next = [junk, junk >> 20].map(|bits| Next {
            next: (bits % 3) as u8,
            pc: (bits >> 2) as u16,
            full: bits >> 18 & 1 == 1,
        });
        pins.answered = Halves { pair: 0, even: false, odd: false };
        let due = |question: &Question| question.due <= self.cycle;
        let questions = &self.slices[s].questions;
        let some = questions.iter().any(due) && self.phase.answers.happens(&mut self.rng);
        let answered_before = std::mem::replace(&mut self.slices[s].answered, some);
        if !some {
            return;
        }
        let questions = &mut self.slices[s].questions;
        let i = match self.rng.one_in(8) {
            true => questions.iter().rposition(due),
            false => questions.iter().position(due),
        };
        let Question { pair, mut thens, of_pair, since, .. } = questions.remove(i.unwrap_or(0));
        // Perhaps with the other half, which issued at another time.
        let fits = |other: &Question| other.pair == pair && due(other);
        let other = questions.iter().position(fits).filter(|_| self.rng.one_in(2));
        let merged = other.map(|i| questions.remove(i));
        if let Some(other) = merged {
            thens = [0, 1].map(|half| thens[half].or(other.thens[half]));
        }
        let overtakes = questions.iter().any(|other| other.since < since);
        let [even, odd] = thens.map(|then| then.is_some());
        pins.answered = Halves { even, odd, pair: pair as u8 };
        for (half, (then, full)) in thens.into_iter().enumerate().filter_map(|(half, then)| Some((half, then?))) {
            let (next, pc) = match then {
                Then::GoesOn(pc) => (0, pc),
                Then::Halts(pc) => (1, pc),
                Then::Ends => (2, self.rng.draw() as u16),
            };
            pins.next[half] = Next { next, pc, full };
            let warp = &mut self.slices[s].warps[2 * pair + half];
            (warp.full, warp.last_step) = (full, Some(self.cycle));
            self.goes_on(s, 2 * pair + half, then);
        }
        let issued = self.slices[s].issued;
        let c = &mut self.findings;
        c.count(Event::AnswerNext, self.cycle - since == 1);
        c.count(Event::AnswerLate, self.cycle - since >= 20);
        c.count(Event::AnswerEach, answered_before);
        c.count(Event::AnswerOvertakes, overtakes);
        c.count(Event::AnswerBesideIssue, issued & !(0b11 << (2 * pair)) != 0);
        c.count(Event::AnswerBoth, even && odd);
        c.count(Event::AnswerOfOne, of_pair && even != odd);
        c.count(Event::AnswerApart, merged.is_some_and(|other| other.since != since));
        c.count(Event::AnswerBesideHalf, issued >> (2 * pair) & 0b11 != 0);
    }

    /// Units take instructions, and are done with some.
    fn units(&mut self, s: usize, pins: &mut SliceIn) {
        let slice = &mut self.slices[s];
        let rng = &mut self.rng;
        let takes = slice.halves.len() < MOST;
        let is_slow = self.is_slow && self.cycle - self.population.last_issue < STUCK;
        pins.room = if takes { self.phase.room.of_each(rng, 15) as u8 } else { 0 };
        slice.room = pins.room;
        pins.done = [Done::default(); 2];
        for pins in &mut pins.done {
            let i = rng.below(slice.halves.len().max(1) as u32) as usize;
            let is_over = self.phase.done.happens(rng) && (!is_slow || rng.one_in(4));
            let Some(flight) = slice.halves.get_mut(i).filter(|_| is_over) else { continue };
            let lowest = flight.places & flight.places.wrapping_neg();
            let places = if rng.one_in(3) { lowest } else { flight.places };
            let Flight { index, slots, since, .. } = *flight;
            if since == self.cycle {
                continue;
            }
            flight.places &= !places;
            if flight.places == 0 {
                slice.halves.swap_remove(i);
            }
            // Only of an instruction that writes registers is the front end told.
            if self.program.instruction(index).writes != 0 {
                *pins = done(places, slots, rng);
                bits(places).for_each(|place| slice.warps[place].slots &= !(1 << slots[place % 2]));
            }
            over(slice, &self.program, &mut self.findings, places, index);
        }
        let i = rng.below(slice.waves.len().max(1) as u32) as usize;
        let is_over = slice.waves.get(i).is_some_and(|wave| wave.since < self.cycle);
        let wave = (is_over && self.phase.wave_done.happens(rng)).then(|| slice.waves.swap_remove(i));
        pins.done_wave.show(&wave.map(|wave| wave.swid));
        if let Some(Flight { places, index, .. }) = wave {
            self.findings.count(Event::Release, true);
            over(slice, &self.program, &mut self.findings, places, index);
        }
    }

    /// Warps start, and those that have halted go on.
    fn warps(&mut self, s: usize, pins: &mut SliceIn) {
        let slice = &mut self.slices[s];
        let chances = [self.phase.starts, self.phase.wakes];
        let halted = || slice.in_state(State::Halted);
        let free = || {
            let idle = slice.in_state(State::Idle) & all(self.parameters.places());
            those(idle, |place| slice.warps[place].under_way == 0)
        };
        (pins.start, pins.wake) = self.population.change(&mut self.rng, chances, halted, free, 0);
        for place in bits(pins.start) {
            let warp = &mut slice.warps[place];
            self.findings.count(Event::StartAgain, warp.ran_before);
            let most = 20 + self.rng.below(400);
            *warp = Warp { state: State::Runs, most, full: true, ran_before: warp.ran_before, ..Warp::default() };
        }
        bits(pins.wake).for_each(|place| slice.warps[place].state = State::Runs);
        self.findings.count(Event::Start, pins.start != 0);
        self.findings.count(Event::Wake, pins.wake != 0);
    }

    /// Warps that are to issue an instruction of this line; whether they are of several schedulers.
    fn at(&self, line: u16) -> (u32, bool) {
        let here = |warp: &&Warp| warp.state == State::Runs && warp.pc / 2 == line;
        let counts = self.slices.iter().map(|slice| slice.warps.iter().filter(here).count() as u32);
        counts.fold((0, false), |(sum, several), count| (sum + count, several || sum > 0 && count > 0))
    }

    fn fetched(&mut self, fetch: Fetch) -> Result<(), String> {
        let Fetch { entry, line } = fetch;
        if !self.had_fetch_room || self.pending.iter().any(|pending| pending.entry == entry) {
            return Err(format!("{fetch:x?} without room, or into an entry that is not filled"));
        }
        let there = self.lines.iter().position(|there| *there == Some(line));
        if there.is_some() || self.pending.iter().any(|pending| pending.line == line) {
            return Err(format!("{fetch:x?}, but the line is there, or on its way"));
        }
        if usize::from(line) % self.parameters.sets != usize::from(entry) % self.parameters.sets {
            return Err(format!("{fetch:x?} into another set"));
        }
        let c = &mut self.findings;
        c.count(Event::Fetch, true);
        let mut again = false;
        for index in [2 * line, 2 * line + 1].into_iter().filter_map(|pc| self.program.index(pc)) {
            again |= std::mem::replace(&mut self.fetched[index], true);
        }
        c.count(Event::Again, again);
        if let Some(old) = self.lines[usize::from(entry)].take() {
            c.count(Event::Replaced, true);
            // Nobody who is ready may lose his record.
            for (s, slice) in self.slices.iter().enumerate() {
                if let Some(place) = bits(slice.ready & !slice.issued).find(|place| slice.warps[*place].pc / 2 == old) {
                    return Err(format!("{fetch:x?} replaces line {old:#x} of warp {place} of scheduler {s}"));
                }
            }
        }
        self.pending.push(fetch);
        Ok(())
    }

    /// Fetches that come.
    fn memory(&mut self, pins: &mut GwIn) {
        let fills = !self.pending.is_empty() && self.phase.fills.happens(&mut self.rng);
        let i = self.rng.below(self.pending.len().max(1) as u32) as usize;
        let fill = fills.then(|| self.pending.remove(i));
        if let Some(Fetch { entry, line }) = fill {
            let (warps, several) = self.at(line);
            let c = &mut self.findings;
            c.count(Event::OutOfOrder, i > 0);
            c.count(Event::Shared, warps > 1);
            c.count(Event::SharedWidely, several);
            self.lines[usize::from(entry)] = Some(line);
        }
        pins.fill.show(&fill.map(|Fetch { entry, line }| Fill { entry, records: self.program.line(line) }));
        pins.fetch_room = self.phase.fetch_room.happens(&mut self.rng);
        self.had_fetch_room = pins.fetch_room;
        self.findings.count(Event::NoRoom, !pins.fetch_room);
    }

    fn cycle(&mut self, outputs: &GwOut, pins: &mut GwIn) -> Result<(), String> {
        if let Some(fetch) = outputs.fetch.get() {
            self.fetched(fetch)?;
        }
        self.findings.count(Event::Full, outputs.full);
        let mut issuing = 0;
        for s in 0..self.parameters.schedulers {
            // A warp ends before another one starts in its place.
            self.warps(s, &mut pins.slices[s]);
            self.scheduler(s, &outputs.slices[s])?;
            issuing += usize::from(self.slices[s].issued != 0);
        }
        for s in 0..self.parameters.schedulers {
            self.units(s, &mut pins.slices[s]);
            self.answers(s, &mut pins.slices[s]);
        }
        self.memory(pins);
        (pins.pairs_on, pins.waves_on) = (self.pairs_on, self.waves_on);
        self.findings.count(Event::AllIssue, issuing == self.parameters.schedulers);
        self.population.check_progress(self.cycle)
    }
}

/// These halves of a pair are done; the slot of a half that is not means nothing.
fn done(places: u64, slots: [u8; 2], rng: &mut Rng) -> Done {
    let pair = places.trailing_zeros() / 2;
    let [even, odd] = [0, 1].map(|half| places >> (2 * pair + half) & 1 == 1);
    let mut slot = |half: usize, is_done: bool| if is_done { slots[half] } else { rng.below(8) as u8 };
    Done { even, odd, pair: pair as u8, even_slot: slot(0, even), odd_slot: slot(1, odd) }
}

/// Something that these warps issued is done.
fn over(slice: &mut Slice, program: &Program, counters: &mut Findings, places: u64, index: usize) {
    let writes = program.instruction(index).writes;
    for place in bits(places) {
        let warp = &mut slice.warps[place];
        warp.under_way -= 1;
        warp.pending &= !writes;
        let next = program.instruction(warp.index);
        counters.count(Event::Depends, warp.state == State::Runs && (next.reads | next.writes) & writes != 0);
    }
}

impl Stimulus for GwFrontEndStimulus {
    type In = GwIn;
    type Out = GwOut;

    fn next(&mut self, outputs: &GwOut, pins: &mut GwIn) -> bool {
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
