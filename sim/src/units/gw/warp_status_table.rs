//! `warp_status_table`: where each warp of a scheduler is, and what it holds (6.2, Fig 9).

use super::mask::{pairs, round_robin, EVEN};
use super::parameters::MOST_PLACES;
use super::pins::{AnswerPins, Count, Halves, Next, Offer, Want, WarpStatusTableIn, WarpStatusTableOut, Wave};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::bits::bits;
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

/// The half goes on.
pub const GOES_ON: u8 = 0;
/// It halts, and goes on later.
pub const HALTS: u8 = 1;
/// It ends.
pub const ENDS: u8 = 2;

/// Places that are checked, and the record to read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Check {
    pub warps: u64,
    pub entry: u16,
    pub slot: bool,
}

#[derive(Clone, Debug)]
pub struct WarpStatusTable {
    parameters: Parameters,
    /// Places in each state; those in none are free.
    look: u64,
    fetch: u64,
    fill: u64,
    held: u64,
    halted: u64,
    full: u64,
    /// Even places whose pair has one pc.
    same_pc: u64,
    pc: [u16; MOST_PLACES],
    entry: [u16; MOST_PLACES],
    look_pointer: u32,
    fetch_pointer: u32,
    check_pointer: u32,
    /// Ready or waiting in the previous cycle, and did not issue then.
    settled: u64,
    check: Check,
    /// Checked in the previous cycle.
    checked: u64,
    take: Count,
    dropped: Count,
}

fn line_of(pc: u16) -> u16 {
    pc / 2
}

impl WarpStatusTable {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("warp_status_table")?;
        Ok(Self::empty(parameters))
    }

    fn empty(parameters: &Parameters) -> Self {
        WarpStatusTable {
            parameters: *parameters,
            look: 0,
            fetch: 0,
            fill: 0,
            held: 0,
            halted: 0,
            full: 0,
            same_pc: EVEN,
            pc: [0; MOST_PLACES],
            entry: [0; MOST_PLACES],
            look_pointer: 0,
            fetch_pointer: 0,
            check_pointer: 0,
            settled: 0,
            check: Check::default(),
            checked: 0,
            take: Count::default(),
            dropped: Count::default(),
        }
    }

    /// The place whose line is looked up.
    #[inline]
    pub(super) fn look_place(&self) -> Option<u32> {
        round_robin(self.look, self.look_pointer)
    }

    #[inline]
    pub(super) fn line_at(&self, place: u32) -> u16 {
        line_of(self.pc[place as usize])
    }

    #[inline]
    pub(super) fn want(&self) -> Option<Want> {
        let want = |place| Want { place: place as u8, line: self.line_at(place) };
        round_robin(self.fetch, self.fetch_pointer).map(want)
    }

    /// The places that an answer may be for.
    #[inline]
    pub(super) fn awaits(&self) -> u64 {
        self.look | self.fetch | self.fill
    }

    #[inline]
    pub(super) fn check(&self) -> &Check {
        &self.check
    }

    #[inline]
    pub(super) fn counts(&self) -> (Count, Count) {
        (self.take, self.dropped)
    }

    /// Even places of pairs whose halves are both held and have one pc.
    #[inline]
    pub(super) fn same(&self) -> u64 {
        self.held & self.held >> 1 & self.same_pc
    }

    #[inline]
    pub(super) fn full(&self) -> u64 {
        self.full
    }

    #[inline]
    pub(super) fn pc(&self) -> &[u16; MOST_PLACES] {
        &self.pc
    }

    /// A cycle with these `ready` and `waits` and all other inputs low changes nothing.
    pub(super) fn is_quiet(&self, ready: u64, waits: u64) -> bool {
        let checks = self.check.warps | self.checked | self.held & !(ready | waits);
        let moves = self.take.count | self.dropped.count;
        self.look | self.fetch | checks == 0 && moves == 0 && self.settled == ready | waits
    }

    fn after(&self, place: u32) -> u32 {
        if place + 1 == self.parameters.places() as u32 {
            0
        } else {
            place + 1
        }
    }

    fn set_pc(&mut self, place: usize, pc: u16) {
        self.pc[place] = pc;
        let even = place & !1;
        let same = self.pc[even] == self.pc[even + 1];
        self.same_pc = self.same_pc & !(1 << even) | (same as u64) << even;
    }

    /// The edge. The answer is for these places only.
    pub(super) fn step(&mut self, pins: &WarpStatusTableIn, answered: u64) {
        self.move_turns(&pins.asked);
        self.answer(&pins.answer, answered);
        self.dropped = Count::default();
        let issued = pins.halves.places() | pins.wave.places(self.parameters.wave);
        assert!(issued & !self.held == 0, "warp_status_table: a place issues and is not held");
        self.issue_halves(&pins.halves, &pins.next);
        self.issue_wave(&pins.wave);
        self.start(pins.start);
        assert!(pins.wake & !self.halted == 0, "warp_status_table: wake of a place that has not halted");
        self.halted &= !pins.wake;
        self.look |= pins.wake;
        self.settled = pins.ready & !issued | pins.waits;
        self.choose_check();
    }

    fn move_turns(&mut self, asked: &Offer<u8>) {
        if let Some(place) = self.look_place() {
            self.look_pointer = self.after(place);
        }
        if let Some(place) = asked.get() {
            self.fetch_pointer = self.after(place as u32);
        }
    }

    fn answer(&mut self, pins: &AnswerPins, answered: u64) {
        self.take.count = 0;
        if pins.answer == AnswerPins::NONE {
            return;
        }
        let mut of_line = 0;
        for place in bits(self.awaits() & answered) {
            of_line |= ((line_of(self.pc[place]) == pins.line) as u64) << place;
        }
        match pins.answer {
            AnswerPins::HIT => self.hold(of_line, pins.entry),
            AnswerPins::MISS => self.fetch |= of_line & self.look,
            _ => {
                self.fill |= of_line;
                self.fetch &= !of_line;
            }
        }
        self.look &= !of_line;
    }

    fn hold(&mut self, places: u64, entry: u16) {
        self.fetch &= !places;
        self.fill &= !places;
        self.held |= places;
        bits(places).for_each(|place| self.entry[place] = entry);
        self.take = Count { count: places.count_ones() as u8, entry };
    }

    /// A place gives up its reference.
    fn drop_reference(&mut self, place: usize) {
        self.held &= !(1 << place);
        self.dropped = Count { count: self.dropped.count + 1, entry: self.entry[place] };
    }

    fn issue_halves(&mut self, halves: &Halves, next: &[Next; 2]) {
        for place in bits(halves.places()) {
            let Next { next, pc, full } = next[place % 2];
            let bit = 1 << place;
            if next != GOES_ON || line_of(pc) != line_of(self.pc[place]) {
                self.drop_reference(place);
                match next {
                    GOES_ON => self.look |= bit,
                    HALTS => self.halted |= bit,
                    _ => {}
                }
            }
            self.full = self.full & !bit | (full as u64) << place;
            self.set_pc(place, pc);
        }
    }

    fn issue_wave(&mut self, wave: &Wave) {
        for place in bits(wave.places(self.parameters.wave)) {
            let pc = self.pc[place].wrapping_add(1);
            if line_of(pc) != line_of(self.pc[place]) {
                self.drop_reference(place);
                self.look |= 1 << place;
            }
            self.set_pc(place, pc);
        }
    }

    fn start(&mut self, places: u64) {
        let used = self.look | self.fetch | self.fill | self.held | self.halted;
        assert!(places & used == 0, "warp_status_table: start of a place that is not free");
        self.look |= places;
        self.full |= places;
        bits(places).for_each(|place| self.set_pc(place, 0));
    }

    /// What is checked in the next cycle. What became ready or waits by a check of this cycle or of the previous one is not
    /// known yet.
    fn choose_check(&mut self) {
        let candidates = self.held & !(self.settled | self.check.warps | self.checked);
        self.checked = self.check.warps;
        self.check.warps = 0;
        let Some(first) = round_robin(candidates, self.check_pointer) else { return };
        self.check_pointer = self.after(first);
        let pc = self.pc[first as usize];
        let mut warps = 0;
        for place in bits(candidates) {
            warps |= ((self.pc[place] == pc) as u64) << place;
        }
        self.check = Check { warps, entry: self.entry[first as usize], slot: pc % 2 == 1 };
    }
}

impl Unit for WarpStatusTable {
    type In = WarpStatusTableIn;
    type Out = WarpStatusTableOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> WarpStatusTableOut {
        WarpStatusTableOut {
            look: self.look_place().map(|place| self.line_at(place)).into(),
            want: self.want().into(),
            check_warps: self.check.warps,
            check_valid: self.check.warps != 0,
            check_entry: self.check.entry,
            check_slot: self.check.slot,
            take: self.take,
            dropped: self.dropped,
            same: pairs(self.same()),
            full: self.full,
            pc: self.pc,
        }
    }

    fn clock(&mut self, pins: &WarpStatusTableIn) {
        self.step(pins, u64::MAX);
    }

    fn reset(&mut self) {
        *self = Self::empty(&self.parameters);
    }
}

#[cfg(test)]
mod tests;
