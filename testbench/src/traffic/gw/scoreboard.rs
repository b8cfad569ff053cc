//! Legal random inputs of `scoreboard`: warps are checked until they are ready, issue in halves of pairs or in waves, and have
//! their registers written later, in any order. No warp is ready that needs a pending register, and none waits for nothing.

use super::places::{all, any, done, group, some, those};
use super::records::Instruction;
use crate::traffic::{bits, events, phases, Phases, Rng, Traffic};
use sim::units::gw::pins::{Clear, Done, Halves, ScoreboardIn, ScoreboardOut, Wave};
use sim::units::gw::record::registers;
use sim::units::gw::Parameters;

events! { ScoreboardTraffic:
    Ready = "a warp is ready",
    ReadWaits = "a warp waits to read a pending register",
    WriteWaits = "a warp waits to write a pending register",
    Retry = "a warp is to be checked again: a register is written in this cycle",
    Together = "several warps are checked together",
    Mixed = "of the warps checked together some are ready, some wait",
    InTurn = "checks in successive cycles",
    NoRegisters = "an instruction without registers",
    FourWrites = "an instruction that writes four registers",
    Last = "register 63 is pending",
    Even = "an even half issues",
    Odd = "an odd half issues",
    Pair = "a pair issues",
    Wave = "a wave issues",
    Whole = "a wave of a whole group issues",
    LastGroup = "a wave of the last group issues",
    AtOnce = "registers are written in the cycle after the issue",
    CheckedAtOnce = "a warp is checked in the cycle after its issue",
    DonePair = "both halves have their registers written at once",
    DoneHalf = "one half of a pair has its registers written alone",
    DoneTwice = "two instructions of a warp have their registers written at once",
    DoneAndClear = "a warp has registers written by an instruction of its own and by a wave",
    Cleared = "a wave has its registers written",
    WokenByDone = "a warp waits no more: done",
    WokenByClear = "a warp waits no more: clear",
    WaitsAgain = "a warp waits again",
    Deep = "a warp has four instructions under way",
    Reset = "reset with registers pending",
}

phases! {
    /// `joins`: others are checked with the first. There are `pcs` different pcs.
    PHASES: Phase (checks, joins, issues, done, clears, pcs: u32)
    (200, 20, 200, 60, 60, 8)
    (256, 0, 256, 256, 256, 64)
    (256, 128, 256, 100, 100, 2)
    (100, 256, 256, 128, 128, 64)
    (256, 20, 256, 4, 10, 64)
    (256, 40, 20, 60, 10, 4)
    (40, 10, 60, 256, 256, 16)
    (256, 200, 256, 10, 256, 32)
}

/// Instructions by pc.
const PROGRAM: usize = 64;
/// Instructions under way at most.
const MOST: usize = 256;

/// An instruction under way: of halves, or of a wave.
#[derive(Clone, Copy)]
struct Flight {
    places: u64,
    pc: usize,
    is_wave: bool,
    since: u64,
}

#[derive(Clone, Copy, Default)]
struct Warp {
    /// Of the instruction that it is to issue, once it has been checked.
    pc: Option<usize>,
    pending: u64,
    under_way: u32,
    has_waited: bool,
}

#[derive(Default)]
pub struct ScoreboardTraffic {
    rng: Rng,
    places: usize,
    wave: usize,
    phase: Phases<Phase>,
    cycle: u64,
    program: Vec<Instruction>,
    warps: Vec<Warp>,
    path: Vec<u8>,
    ready: u64,
    waits: u64,
    /// As they were in the previous cycle.
    was_ready: u64,
    issued: u64,
    checked: u64,
    checked_pc: usize,
    flights: Vec<Flight>,
    findings: Findings,
}

impl ScoreboardTraffic {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let mut traffic = ScoreboardTraffic {
            rng: Rng::new(seed),
            places: parameters.places(),
            wave: parameters.wave,
            phase: Phases::new(PHASES, 20..420, 8),
            program: vec![Instruction::default(); PROGRAM],
            warps: vec![Warp::default(); 64],
            path: vec![0; 64],
            flights: Vec::with_capacity(MOST),
            ..Default::default()
        };
        traffic.write_program();
        traffic
    }

    fn write_program(&mut self) {
        let rng = &mut self.rng;
        let registers = rng.any_of(&[3, 6, 16, 64]);
        for instruction in &mut self.program {
            let scalar = rng.one_in(3);
            *instruction = Instruction::any(rng, registers, scalar);
        }
    }

    fn reset(&mut self) {
        self.findings.count(Event::Reset, self.warps.iter().any(|warp| warp.pending != 0));
        self.warps.fill(Warp::default());
        (self.ready, self.waits, self.was_ready, self.issued, self.checked) = (0, 0, 0, 0, 0);
        self.flights.clear();
        self.write_program();
    }

    fn observe(&self, outputs: &ScoreboardOut) -> Result<(), String> {
        if (outputs.ready, outputs.waits) != (self.ready, self.waits) {
            return Err(format!(
                "ready are {:#x} and {:#x} wait, due are {:#x} and {:#x}",
                outputs.ready, outputs.waits, self.ready, self.waits
            ));
        }
        let wrong = bits(self.ready | self.waits).find(|place| outputs.path[*place] != self.path[*place]);
        if let Some(place) = wrong {
            return Err(format!("path of place {place} is {}, due is {}", outputs.path[place], self.path[place]));
        }
        // What a warp waits for is to come.
        let blocked = |place: usize| {
            let instruction = &self.program[self.warps[place].pc.unwrap_or(0)];
            self.warps[place].pending & (instruction.reads | instruction.writes) != 0
        };
        match bits(self.waits).find(|place| !blocked(*place)) {
            Some(place) => Err(format!("place {place} waits, but nothing that it needs is pending")),
            None => Ok(()),
        }
    }

    /// Registers that are written in this cycle; the places that have some.
    fn write(&mut self, pins: &mut ScoreboardIn) -> u64 {
        pins.done = [Done::default(); 2];
        let mut touched = 0;
        for port in 0..2 {
            if self.phase.done.happens(&mut self.rng) {
                touched |= self.done(&mut pins.done[port], touched);
            }
        }
        let clears = self.phase.clears.happens(&mut self.rng);
        let clear = clears.then(|| self.clear(touched)).flatten();
        pins.clear.show(&clear.map(|(clear, _)| clear));
        touched | clear.map_or(0, |(_, places)| places)
    }

    /// An instruction under way, of halves or of a wave.
    fn under_way(&mut self, is_wave: bool) -> Option<usize> {
        let start = self.rng.below(self.flights.len().max(1) as u32) as usize;
        let now = self.cycle;
        let fits = |flight: &Flight| flight.is_wave == is_wave && flight.since < now;
        (start..self.flights.len()).chain(0..start).find(|i| fits(&self.flights[*i]))
    }

    fn done(&mut self, pins: &mut Done, touched: u64) -> u64 {
        let Some(i) = self.under_way(false) else { return 0 };
        let flight = &mut self.flights[i];
        let both = flight.places.count_ones() == 2;
        let lowest = flight.places & flight.places.wrapping_neg();
        let places = match self.rng.below(3) {
            0 if both => lowest,
            1 if both => flight.places & !lowest,
            _ => flight.places,
        };
        *pins = done(places, self.program[flight.pc].write_list);
        let since = flight.since;
        flight.places &= !places;
        if flight.places == 0 {
            self.flights.swap_remove(i);
        }
        let c = &mut self.findings;
        c.count(Event::DonePair, pins.even && pins.odd);
        c.count(Event::DoneHalf, both && !(pins.even && pins.odd));
        c.count(Event::DoneTwice, places & touched != 0);
        c.count(Event::AtOnce, since + 1 == self.cycle);
        c.count(Event::WokenByDone, places & self.waits != 0);
        self.over(places)
    }

    fn clear(&mut self, touched: u64) -> Option<(Clear, u64)> {
        let i = self.under_way(true)?;
        let flight = self.flights.swap_remove(i);
        let of = flight.places.trailing_zeros() as usize / self.wave;
        let mask = group(flight.places, of, self.wave) as u16;
        let writes = self.program[flight.pc].write_list;
        let c = &mut self.findings;
        c.count(Event::Cleared, true);
        c.count(Event::DoneAndClear, flight.places & touched != 0);
        c.count(Event::AtOnce, flight.since + 1 == self.cycle);
        c.count(Event::WokenByClear, flight.places & self.waits != 0);
        Some((Clear { group: of as u8, mask, writes }, self.over(flight.places)))
    }

    /// An instruction of these is over; a check in this cycle still sees its registers pending.
    fn over(&mut self, places: u64) -> u64 {
        bits(places).for_each(|place| self.warps[place].under_way -= 1);
        places
    }

    /// What becomes of those that were checked in the previous cycle.
    fn answer(&mut self, touched: u64) {
        let (mut ready, mut waits) = (0, 0);
        let instruction = self.program[self.checked_pc];
        for place in bits(self.checked) {
            let warp = &mut self.warps[place];
            self.path[place] = instruction.path;
            let c = &mut self.findings;
            if warp.pending & (instruction.reads | instruction.writes) == 0 {
                ready |= 1 << place;
                warp.has_waited = false;
                c.count(Event::NoRegisters, instruction.reads | instruction.writes == 0);
                c.count(Event::FourWrites, instruction.writes.count_ones() == 4);
                c.count(Event::Last, instruction.writes >> 63 == 1);
            } else if touched >> place & 1 == 1 {
                c.count(Event::Retry, true);
            } else {
                waits |= 1 << place;
                c.count(Event::ReadWaits, warp.pending & instruction.reads & !instruction.writes != 0);
                c.count(Event::WriteWaits, warp.pending & instruction.writes & !instruction.reads != 0);
                c.count(Event::WaitsAgain, warp.has_waited);
                warp.has_waited = true;
            }
        }
        let c = &mut self.findings;
        c.count(Event::Ready, ready != 0);
        c.count(Event::Mixed, ready != 0 && waits != 0);
        c.count(Event::Together, self.checked & self.checked.wrapping_sub(1) != 0);
        self.ready |= ready;
        self.waits = self.waits & !touched | waits;
    }

    /// Registers are not pending any more, or are from now on.
    fn settle(&mut self, pins: &ScoreboardIn, ready: u64) {
        for done in pins.done {
            let written = registers(done.writes.into());
            bits(done.places()).for_each(|place| self.warps[place].pending &= !written);
        }
        if let Some(clear) = pins.clear.get() {
            let written = registers(clear.writes.into());
            let members = u64::from(clear.mask) << (usize::from(clear.group) * self.wave);
            bits(members).for_each(|place| self.warps[place].pending &= !written);
        }
        let starts = self.program[self.checked_pc].writes;
        bits(ready).for_each(|place| self.warps[place].pending |= starts);
    }

    /// Who issues in this cycle.
    fn issue(&mut self, pins: &mut ScoreboardIn) -> u64 {
        (pins.halves.even, pins.halves.odd, pins.wave.issue) = (false, false, false);
        let can = self.ready & self.was_ready & !self.issued;
        if self.flights.len() >= MOST || !self.phase.issues.happens(&mut self.rng) {
            return 0;
        }
        let Some(place) = any(&mut self.rng, can) else { return 0 };
        let pc = self.warps[place].pc;
        let here = those(can, |other| self.warps[other].pc == pc);
        let is_wave = pc.is_some_and(|pc| self.program[pc].scalar);
        let places = if is_wave {
            let of = place / self.wave;
            let mask = group(here, of, self.wave);
            let mask = mask & if self.rng.one_in(4) { self.rng.draw() | 1 << (place % self.wave) } else { mask };
            pins.wave = Wave { issue: true, group: of as u8, mask: mask as u16 };
            self.findings.count(Event::Wave, true);
            self.findings.count(Event::Whole, mask == all(self.wave));
            self.findings.count(Event::LastGroup, of == self.places / self.wave - 1);
            mask << (of * self.wave)
        } else {
            let both = self.rng.below(4) > 0;
            let halves = if both { here >> (place & !1) & 3 } else { 1 << (place & 1) };
            pins.halves = Halves { even: halves & 1 == 1, odd: halves & 2 == 2, pair: (place / 2) as u8 };
            self.findings.count([Event::Even, Event::Even, Event::Odd, Event::Pair][halves as usize], true);
            halves << (place & !1)
        };
        self.flights.push(Flight { places, pc: pc.unwrap_or(0), is_wave, since: self.cycle });
        for place in bits(places) {
            let warp = &mut self.warps[place];
            warp.pc = None;
            warp.under_way += 1;
            self.findings.count(Event::Deep, warp.under_way == 4);
        }
        places
    }

    /// Who is checked in this cycle.
    fn check(&mut self) -> u64 {
        let rng = &mut self.rng;
        let may = all(self.places) & !self.ready & !self.waits & !self.checked;
        if !self.phase.checks.happens(rng) {
            return 0;
        }
        let Some(first) = any(rng, may) else { return 0 };
        let warps = &mut self.warps;
        let pc = warps[first].pc.unwrap_or_else(|| rng.below(self.phase.pcs) as usize);
        let new = those(may, |place| warps[place].pc.is_none());
        for place in bits(some(rng, self.phase.joins, new) | 1 << first) {
            warps[place].pc = Some(pc);
        }
        let checked = those(may, |place| warps[place].pc == Some(pc));
        let c = &mut self.findings;
        c.count(Event::InTurn, self.checked != 0);
        c.count(Event::CheckedAtOnce, checked & self.issued != 0);
        self.checked_pc = pc;
        checked
    }

    fn cycle(&mut self, pins: &mut ScoreboardIn) {
        let was_ready = self.ready;
        pins.record = match self.checked {
            0 => Instruction::any(&mut self.rng, 64, false).record,
            _ => self.program[self.checked_pc].record,
        };
        let touched = self.write(pins);
        let issues = self.issue(pins);
        // The record is that of the last check: what is checked now is chosen with the pins as they are.
        let last_pc = self.checked_pc;
        let checked = self.check();
        let checked_pc = std::mem::replace(&mut self.checked_pc, last_pc);
        pins.check_warps = checked;
        self.answer(touched);
        self.settle(pins, self.ready & !was_ready);
        self.ready &= !issues;
        (self.was_ready, self.issued) = (was_ready, issues);
        (self.checked, self.checked_pc) = (checked, checked_pc);
        self.cycle += 1;
    }
}

impl Traffic for ScoreboardTraffic {
    type In = ScoreboardIn;
    type Out = ScoreboardOut;

    fn next(&mut self, outputs: &ScoreboardOut, pins: &mut ScoreboardIn) -> bool {
        self.findings.check(self.observe(outputs));
        if self.phase.next(&mut self.rng) {
            self.reset();
            return true;
        }
        self.cycle(pins);
        false
    }
}
