//! A plain core: executes what issues, checks that it may, and answers after random times.

use super::program::{Instruction, Kind, Program};
use crate::graph::SplitMix64;
use crate::units::gw::gw_record::Record;
use crate::units::gw::pins::{Done, Fetch, Fill, GwIn, GwOut, Halves, Next, Offer, SliceIn, SliceOut};
use crate::units::gw::Parameters;

#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub cycles: u64,
    pub pairs: u64,
    pub halves: u64,
    pub waves: u64,
    pub members: u64,
    /// Instructions that are scalar but were executed by a warp that was not full.
    pub partial: u64,
    pub fetches: u64,
    /// The number of times that a warp came to another line.
    pub lines_entered: u64,
    pub full: u64,
    pub table_full: u64,
    /// Cycles that could have been left out.
    pub quiet: u64,
}

impl Tally {
    pub fn add(&mut self, other: &Tally) {
        self.cycles += other.cycles;
        self.pairs += other.pairs;
        self.halves += other.halves;
        self.waves += other.waves;
        self.members += other.members;
        self.partial += other.partial;
        self.fetches += other.fetches;
        self.lines_entered += other.lines_entered;
        self.full += other.full;
        self.table_full += other.table_full;
        self.quiet += other.quiet;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Starts in this cycle, or as soon as what it issued before is done.
    Waits {
        from: u64,
    },
    Runs,
    /// Its last instruction waits for its answer.
    Asks,
    Halted {
        until: u64,
    },
    Ended,
}

#[derive(Clone, Debug)]
struct Warp {
    state: State,
    lives: u32,
    pc: u16,
    visits: Vec<u32>,
    full: bool,
    pending: u64,
    forms: u64,
    in_flight: u32,
}

/// Instructions that are executing and will be told done.
#[derive(Clone, Copy, Debug)]
struct Flight {
    due: u64,
    done: Done,
    written: u64,
}

#[derive(Clone, Copy, Debug)]
struct WaveFlight {
    due: u64,
    swid: u8,
    members: u64,
    written: u64,
}

/// Halves that issued together and wait for their answer.
#[derive(Clone, Copy, Debug)]
struct Question {
    due: u64,
    halves: Halves,
    next: [Next; 2],
}

#[derive(Clone, Debug, Default)]
struct Side {
    questions: Vec<Question>,
    room: u8,
    flights: Vec<Flight>,
    waves: Vec<WaveFlight>,
}

pub struct Core {
    parameters: Parameters,
    program: Program,
    random: SplitMix64,
    warps: Vec<Warp>,
    sides: Vec<Side>,
    fetches: Vec<(u64, Fetch)>,
    fetch_room: bool,
    /// Waves and pairs may be formed, as the pins said in the previous cycle.
    waves_on: bool,
    pub tally: Tally,
}

type Checked<T> = Result<T, String>;

impl Core {
    pub fn new(parameters: &Parameters, program: Program, seed: u64) -> Self {
        let mut random = SplitMix64(!seed);
        let spread = if random.below(2) == 0 { 1 } else { 300 };
        let warp = |from: usize| Warp {
            state: State::Waits { from: from as u64 },
            lives: 2,
            pc: 0,
            visits: vec![0; program.instructions.len()],
            full: true,
            pending: 0,
            forms: 0,
            in_flight: 0,
        };
        Core {
            parameters: *parameters,
            warps: (0..parameters.warps).map(|_| warp(1 + random.below(spread))).collect(),
            program,
            random,
            sides: vec![Side::default(); parameters.schedulers],
            fetches: Vec::new(),
            fetch_room: false,
            waves_on: false,
            tally: Tally::default(),
        }
    }

    pub fn is_finished(&self) -> bool {
        let over = |warp: &Warp| warp.state == State::Ended && warp.lives == 0 && warp.in_flight == 0;
        self.warps.iter().all(over)
    }

    /// The inputs of the cycle in which the outputs are `out`.
    pub fn drive(&mut self, out: &GwOut, pins: &mut GwIn) -> Checked<()> {
        self.tally.cycles += 1;
        self.tally.full += out.full as u64;
        self.waves_on = pins.waves_on;
        self.serve_fetches(out, pins)?;
        for s in 0..self.sides.len() {
            let mut slice = SliceIn::default();
            let what = |text: String| format!("scheduler {s}: {text}");
            self.tally.table_full += out.slices[s].table_full as u64;
            if out.slices[s].halves.even && out.slices[s].halves.odd && !pins.pairs_on {
                return Err(what("a pair without pairs".into()));
            }
            self.execute_halves(s, &out.slices[s]).map_err(what)?;
            self.execute_wave(s, &out.slices[s]).map_err(what)?;
            self.answer(s, &mut slice);
            self.tell_done(s, &mut slice);
            self.start_and_wake(s, &mut slice);
            slice.room = (0..4).map(|path| ((self.random.below(3) > 0) as u8) << path).sum();
            self.sides[s].room = slice.room;
            pins.slices[s] = slice;
        }
        Ok(())
    }

    fn serve_fetches(&mut self, out: &GwOut, pins: &mut GwIn) -> Checked<()> {
        let now = self.tally.cycles;
        if let Some(fetch) = out.fetch.get() {
            let twice = self
                .fetches
                .iter()
                .any(|(_, other)| other.entry == fetch.entry || self.parameters.reuse && other.line == fetch.line);
            if twice || !self.fetch_room {
                return Err(format!("{fetch:?} with {:?}, room {}", self.fetches, self.fetch_room));
            }
            self.tally.fetches += 1;
            let delay = if self.random.below(8) == 0 { 300 } else { 10 };
            self.fetches.push((now + 1 + self.random.below(delay) as u64, fetch));
        }
        let due = self.fetches.iter().position(|(due, _)| *due <= now);
        pins.fill = due.map(|at| self.fill(at)).into();
        pins.fetch_room = self.fetches.len() < 6 && self.random.below(4) > 0;
        self.fetch_room = pins.fetch_room;
        Ok(())
    }

    fn fill(&mut self, at: usize) -> Fill {
        let (_, Fetch { entry, line }) = self.fetches.swap_remove(at);
        let record =
            |slot| self.program.instructions.get(2 * line as usize + slot).map_or(0, |i: &Instruction| i.record);
        Fill { entry, records: [record(0), record(1)] }
    }

    fn warp(&mut self, s: usize, place: usize) -> &mut Warp {
        let w = self.parameters.warp_at(s, place);
        &mut self.warps[w]
    }

    fn tell_done(&mut self, s: usize, slice: &mut SliceIn) {
        let now = self.tally.cycles;
        let mut told = 0;
        while told < slice.done.len() {
            let Some(at) = self.sides[s].flights.iter().position(|flight| flight.due <= now) else { break };
            let Flight { done, written, .. } = self.sides[s].flights.swap_remove(at);
            // Only what writes registers is told.
            if written != 0 {
                slice.done[told] = done;
                told += 1;
            }
            self.complete(s, done.places(), written);
        }
        if let Some(at) = self.sides[s].waves.iter().position(|flight| flight.due <= now) {
            let WaveFlight { swid, members, written, .. } = self.sides[s].waves.swap_remove(at);
            slice.done_wave = Offer::some(swid);
            self.complete(s, members, written);
        }
    }

    fn complete(&mut self, s: usize, places: u64, written: u64) {
        for place in (0..64).filter(|place| places >> place & 1 == 1) {
            let warp = self.warp(s, place);
            warp.pending &= !written;
            warp.in_flight -= 1;
        }
    }

    fn latency(&mut self, path: u8) -> u64 {
        let most = if path == 3 { 150 } else { 12 };
        self.tally.cycles + 1 + self.random.below(most) as u64
    }

    /// The instruction that the warp issues, if it may: it is the next one, and its registers are not pending.
    fn issue(&mut self, s: usize, place: usize, pc: u16, in_wave: bool) -> Checked<(Instruction, Option<Next>)> {
        let w = self.parameters.warp_at(s, place);
        let (waves_on, room) = (self.waves_on, self.sides[s].room);
        let warp = &mut self.warps[w];
        if warp.state != State::Runs || warp.pc != pc {
            return Err(format!("warp {w} issues {pc}: {warp:?}"));
        }
        let instruction = self.program.instructions[pc as usize].clone();
        let (read, written) = (instruction.read(), instruction.written());
        if warp.pending & (read | written) != 0 {
            return Err(format!("warp {w} issues {instruction:?} at {pc} with {:#x} pending", warp.pending));
        }
        let scalar = instruction.scalar && warp.full && waves_on && read & !warp.forms == 0;
        if scalar != in_wave {
            return Err(format!("warp {w} issues {instruction:?} at {pc}, in a wave: {in_wave}; {warp:?}"));
        }
        if room >> instruction.path & 1 == 0 {
            return Err(format!("warp {w} issues {instruction:?} at {pc} with room {room:#x}"));
        }
        self.tally.partial += (instruction.scalar && !warp.full) as u64;
        warp.forms = if scalar { warp.forms | written } else { warp.forms & !written };
        warp.pending |= written;
        warp.in_flight += 1;
        let visit = warp.visits[pc as usize];
        warp.visits[pc as usize] += 1;
        let record = Record::unpack(instruction.record);
        let plain = record.plain && (warp.full || !record.meets);
        (warp.pc, warp.full) = self.program.next(w, pc, visit, warp.full);
        let next = match instruction.kind {
            Kind::End => 2,
            Kind::Halt => 1,
            _ => 0,
        };
        let next = Next { next, pc: warp.pc, full: warp.full };
        if !plain {
            warp.state = State::Asks;
        }
        self.tally.lines_entered += (next.next != 2 && next.pc / 2 != pc / 2) as u64;
        Ok((instruction, (!plain).then_some(next)))
    }

    fn execute_halves(&mut self, s: usize, out: &SliceOut) -> Checked<()> {
        let halves = out.halves;
        let issues = [halves.even, halves.odd];
        self.tally.pairs += (issues == [true; 2]) as u64;
        self.tally.halves += (halves.even != halves.odd) as u64;
        // The halves of a pair may be done at the same time or not.
        let together = self.random.below(2) == 0;
        let mut due = None;
        let (mut asked, mut nexts) = (Halves { pair: halves.pair, ..Halves::default() }, [Next::default(); 2]);
        for half in (0..2).filter(|half| issues[*half]) {
            let (instruction, next) = self.issue(s, 2 * halves.pair as usize + half, out.issue_pc, false)?;
            if let Some(next) = next {
                *[&mut asked.even, &mut asked.odd][half] = true;
                nexts[half] = next;
            }
            let own = self.latency(instruction.path);
            let done = Done {
                even: half == 0,
                odd: half == 1,
                pair: halves.pair,
                even_slot: out.even_slot,
                odd_slot: out.odd_slot,
            };
            match self.sides[s].flights.last_mut() {
                Some(flight) if together && due == Some(flight.due) => flight.done.odd = true,
                _ => self.sides[s].flights.push(Flight { due: own, done, written: instruction.written() }),
            }
            due = Some(own);
        }
        if asked.even || asked.odd {
            let wait = if self.parameters.ideal { 0 } else { 1 + self.random.below(9) as u64 };
            self.sides[s].questions.push(Question { due: self.tally.cycles + wait, halves: asked, next: nexts });
        }
        Ok(())
    }

    fn answer(&mut self, s: usize, slice: &mut SliceIn) {
        let now = self.tally.cycles;
        let Some(at) = self.sides[s].questions.iter().position(|question| question.due <= now) else { return };
        let Question { halves, next, .. } = self.sides[s].questions.remove(at);
        (slice.answered, slice.next) = (halves, next);
        for place in (0..64).filter(|place| halves.places() >> place & 1 == 1) {
            let until = now + 1 + self.random.below(20) as u64;
            let warp = self.warp(s, place);
            warp.state = match next[place % 2].next {
                0 => State::Runs,
                1 => State::Halted { until },
                _ => {
                    warp.lives -= 1;
                    State::Ended
                }
            };
        }
    }

    fn execute_wave(&mut self, s: usize, out: &SliceOut) -> Checked<()> {
        let Some(swid) = out.wave.get() else { return Ok(()) };
        let halves = out.halves;
        if halves.even || halves.odd || out.wave_mask == 0 || self.sides[s].waves.iter().any(|wave| wave.swid == swid) {
            return Err(format!("a wave with {out:?}"));
        }
        let members = (out.wave_mask as u64) << (out.wave_group as usize * self.parameters.wave);
        let mut wave = None;
        for place in (0..64).filter(|place| members >> place & 1 == 1) {
            let (instruction, _) = self.issue(s, place, out.wave_pc, true)?;
            wave = Some(instruction);
            self.tally.members += 1;
        }
        self.tally.waves += 1;
        let wave = wave.ok_or("a wave of nobody")?;
        let due = self.latency(wave.path);
        self.sides[s].waves.push(WaveFlight { due, swid, members, written: wave.written() });
        Ok(())
    }

    fn start_and_wake(&mut self, s: usize, slice: &mut SliceIn) {
        let now = self.tally.cycles;
        for place in 0..self.parameters.places() {
            let again = now + self.random.below(50) as u64;
            let warp = self.warp(s, place);
            match warp.state {
                State::Waits { from } if from <= now && warp.in_flight == 0 => {
                    slice.start |= 1 << place;
                    warp.state = State::Runs;
                    (warp.pc, warp.full, warp.forms) = (0, true, 0);
                    warp.visits.fill(0);
                }
                State::Halted { until } if until <= now => {
                    slice.wake |= 1 << place;
                    warp.state = State::Runs;
                }
                State::Ended if warp.lives > 0 => warp.state = State::Waits { from: again + 1 },
                _ => {}
            }
        }
    }
}
