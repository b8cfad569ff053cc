//! One scheduler of the baseline: its warps, their instruction buffers and pending registers, and what is on its way to issue.

use crate::unit::{rule, Fault};
use crate::units::bits::bits;
use crate::units::gw::mask::{round_robin, Paths};
use crate::units::gw::parameters::MOST_PLACES;
use crate::units::gw::pins::next::{ENDS, GOES_ON};
use crate::units::gw::pins::{B32Answer, B32Fill, B32SliceIn, B32SliceOut};
use crate::units::gw::record::{registers, Record, Registers};

/// The record in the memory of a slot: what the check needs of it.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    record: Record,
    /// The next pc is not known before the answer.
    flow: bool,
}

impl Entry {
    fn unpack(bits: u128) -> Self {
        let record = Record::unpack(bits);
        Entry { record, flow: record.scalar }
    }
}

/// The instruction of a place and a slot.
#[derive(Clone, Copy, Debug)]
struct Head {
    place: usize,
    slot: usize,
}

impl Head {
    fn bit(self) -> u64 {
        1 << self.place
    }
}

/// The result of the check: what happens to the instruction in the check register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// There is none.
    Empty,
    Dropped,
    Held,
    Fails,
    Passes,
}

#[derive(Clone, Debug)]
pub(super) struct Scheduler {
    places: u32,
    running: u64,
    /// Valid slots.
    slots: [u64; 2],
    entries: [[Entry; 2]; MOST_PLACES],
    asked: u64,
    ready: u64,
    paths: Paths,
    waits: u64,
    open: u64,
    /// Places whose instruction has issued and waits for its answer.
    asks: u64,
    pc: [u16; MOST_PLACES],
    pending: [Registers; MOST_PLACES],
    /// In the read register.
    read: Option<usize>,
    check: Option<(Head, Entry)>,
    /// In the fetch register.
    fetch: Option<usize>,
    issue: Option<usize>,
    read_pointer: u32,
    fetch_pointer: u32,
    issue_pointer: u32,
    lowest: bool,
}

fn bit(place: Option<usize>) -> u64 {
    place.map_or(0, |place| 1 << place)
}

impl Scheduler {
    /// `lowest`: the lowest place issues first, not the next in turn.
    pub fn new(places: usize, lowest: bool) -> Self {
        Scheduler {
            places: places as u32,
            lowest,
            running: 0,
            slots: [0; 2],
            entries: [[Entry::default(); 2]; MOST_PLACES],
            asked: 0,
            ready: 0,
            paths: Paths::new(&[0; MOST_PLACES]),
            waits: 0,
            open: 0,
            asks: 0,
            pc: [0; MOST_PLACES],
            pending: [0; MOST_PLACES],
            read: None,
            check: None,
            fetch: None,
            issue: None,
            read_pointer: 0,
            fetch_pointer: 0,
            issue_pointer: 0,
        }
    }

    pub fn outputs(&self) -> B32SliceOut {
        B32SliceOut {
            issue: self.issue.map(|place| place as u8).into(),
            issue_pc: self.issue.map_or(0, |place| self.pc[place]),
            ready: self.ready,
        }
    }

    fn has_head(&self) -> u64 {
        self.slots[0] | self.slots[1]
    }

    /// The place in the check register.
    fn checked(&self) -> Option<usize> {
        self.check.map(|(head, _)| head.place)
    }

    fn is_head(&self, Head { place, slot }: Head) -> bool {
        self.slots[slot] >> place & 1 == 1 && (slot == 0 || self.slots[0] >> place & 1 == 0)
    }

    /// Places of which the instruction at the pc has left the buffer.
    fn ahead(&self) -> u64 {
        self.ready | bit(self.issue)
    }

    /// The place in the fetch register and the line that it wants.
    pub fn wanted(&self) -> Option<(u8, u16)> {
        let place = self.fetch?;
        let usable = self.running & !self.open & !self.has_head();
        let ahead = (self.ahead() >> place & 1) as u16;
        (usable >> place & 1 == 1).then(|| (place as u8, self.pc[place].wrapping_add(ahead) / 2))
    }

    fn verdict(&self) -> Verdict {
        let Some((head, Entry { record, .. })) = self.check else { return Verdict::Empty };
        let touches = self.pending[head.place] & (record.reads | record.writes) != 0;
        match () {
            () if !self.is_head(head) => Verdict::Dropped,
            () if (self.ready | self.open) & head.bit() != 0 => Verdict::Held,
            () if touches => Verdict::Fails,
            () => Verdict::Passes,
        }
    }

    /// Candidates of the read, while done names these places, and an answer says that these go on.
    fn readable(&self, named: u64, going_on: u64) -> u64 {
        let on_the_way = bit(self.read) | bit(self.checked());
        let held_back = self.waits & !named | self.open & !going_on;
        self.running & self.has_head() & !self.ready & !on_the_way & !held_back
    }

    /// The place in the check register, if slot 1 follows on the instruction there.
    fn next_in_line(&self) -> Option<usize> {
        let (Head { place, slot }, _) = self.check.filter(|_| self.read.is_none())?;
        (slot == 0 && self.slots[1] >> place & 1 == 1).then_some(place)
    }

    /// Candidates for the fetch register, while this place is answered.
    fn fetchable(&self, answered: u64) -> u64 {
        let empty = !self.has_head() & !self.open & !bit(self.fetch);
        let is_last = |(head, entry): &(Head, Entry)| head.slot == 1 && self.is_head(*head) && !entry.flow;
        let last = bit(self.check.filter(is_last).map(|(head, _)| head.place));
        let last = last & !self.ready & !self.open & !self.waits;
        self.running & !self.asked & (empty | answered | last)
    }

    /// The edge. `fill` is for this scheduler; `granted`: its fetch is on the pins in the next cycle.
    pub fn clock(&mut self, pins: &B32SliceIn, fill: Option<&B32Fill>, granted: bool) -> Result<(), Fault> {
        self.check_rules(pins, fill)?;
        let verdict = self.verdict();
        let named = pins.done.iter().filter_map(|done| done.get()).fold(0, |named, done| named | 1 << done.place);
        let answer = pins.answer.get();
        let answered = answer.map_or(0, |answer| 1 << answer.place);
        let going_on = answer.filter(|answer| answer.next == GOES_ON).map_or(0, |answer| 1 << answer.place);
        let readable = self.readable(named, going_on);
        let read = round_robin(readable, self.read_pointer);
        let read = read.map(|place| {
            self.read_pointer = (place + 1) % self.places;
            place as usize
        });
        let read = read.or_else(|| self.next_in_line());
        let filled = fill.map(|fill| self.first_of(fill));
        let fetch = self.next_fetch(granted, answered);
        let ready = self.paths.with(pins.room) & self.ready;
        let issue = round_robin(ready, self.issue_pointer).map(|place| place as usize);

        // From here on the state changes.
        let passed = self.check.filter(|_| verdict == Verdict::Passes);
        let failed = bit(self.check.filter(|_| verdict == Verdict::Fails).map(|(head, _)| head.place));
        self.asked |= if granted { bit(self.fetch) } else { 0 };
        self.fetch = fetch;
        self.move_to_check(read, filled, matches!(verdict, Verdict::Held | Verdict::Fails));
        if let Some(answer) = answer {
            self.answer(&answer);
        }
        self.leave_issue();
        self.waits = (self.waits | failed) & !named;
        for done in pins.done.iter().filter_map(|done| done.get()) {
            self.pending[done.place as usize] &= !registers(done.writes as u64);
        }
        if let Some(place) = issue {
            self.ready &= !(1 << place);
            self.issue_pointer = if self.lowest { 0 } else { (place as u32 + 1) % self.places };
        }
        self.issue = issue;
        if let Some((head, entry)) = passed {
            self.pass(head, &entry, pins.room);
        }
        if let Some(fill) = fill {
            self.fill(fill, filled);
        }
        for place in bits(pins.start) {
            self.pc[place] = 0;
        }
        self.running |= pins.start;
        self.open &= !pins.wake;
        Ok(())
    }

    fn check_rules(&self, pins: &B32SliceIn, fill: Option<&B32Fill>) -> Result<(), Fault> {
        rule(pins.start & self.running == 0, "b32_front_end: start of a place that runs")?;
        let halted = self.running & self.open & !self.ahead() & !self.asks;
        rule(pins.wake & !halted == 0, "b32_front_end: wake of a place that has not halted")?;
        if let Some(answer) = pins.answer.get() {
            rule(self.asks >> answer.place & 1 == 1, "b32_front_end: an answer to a place that does not wait for one")?;
        }
        if let Some(fill) = fill {
            rule(self.asked >> fill.place & 1 == 1, "b32_front_end: a fill that was not asked for")?;
        }
        Ok(())
    }

    /// The first instruction that a fill gives.
    fn first_of(&self, fill: &B32Fill) -> (Head, Entry) {
        let place = fill.place as usize;
        let even = self.pc[place] & 1 == 0 || self.ahead() >> place & 1 == 1;
        let slot = usize::from(!even);
        (Head { place, slot }, Entry::unpack(fill.records[slot]))
    }

    fn next_fetch(&mut self, granted: bool, answered: u64) -> Option<usize> {
        if self.wanted().is_some() && !granted {
            return self.fetch;
        }
        let place = round_robin(self.fetchable(answered), self.fetch_pointer)?;
        self.fetch_pointer = (place + 1) % self.places;
        Some(place as usize)
    }

    /// Updates the read register and the check register. `keeps`: the check register may keep what it has.
    fn move_to_check(&mut self, read: Option<usize>, filled: Option<(Head, Entry)>, keeps: bool) {
        let here = self.checked();
        let comes = self.read.filter(|place| Some(*place) != here);
        let stays = self.read.filter(|place| Some(*place) == here);
        let kept = self.check.filter(|_| keeps);
        self.check = match (comes, filled) {
            (Some(place), _) => {
                let slot = usize::from(self.slots[0] >> place & 1 == 0);
                Some((Head { place, slot }, self.entries[place][slot]))
            }
            (None, Some(filled)) if self.read.is_none() => Some(filled),
            _ => kept,
        };
        self.read = read.or(stays);
    }

    fn answer(&mut self, &B32Answer { place, next, pc }: &B32Answer) {
        let (this, place) = (1 << place, usize::from(place));
        let ends = next == ENDS;
        if ends || pc != self.pc[place] {
            self.slots.iter_mut().for_each(|slot| *slot &= !this);
        }
        if ends || next == GOES_ON {
            self.open &= !this;
        }
        self.running &= !if ends { this } else { 0 };
        self.asks &= !this;
        self.pc[place] = pc;
    }

    /// The place on the issue pins is behind its instruction from now on.
    fn leave_issue(&mut self) {
        let Some(place) = self.issue else { return };
        self.pc[place] = self.pc[place].wrapping_add(1);
        self.asks |= self.open & 1 << place;
    }

    fn pass(&mut self, head: Head, entry: &Entry, room: u8) {
        self.slots[head.slot] &= !head.bit();
        self.pending[head.place] |= entry.record.writes;
        self.open |= if entry.flow { head.bit() } else { 0 };
        if self.issue.is_none() && room >> entry.record.path & 1 == 1 {
            self.issue = Some(head.place);
        } else {
            self.ready |= head.bit();
            self.paths.set(head.bit(), entry.record.path);
        }
    }

    fn fill(&mut self, fill: &B32Fill, first: Option<(Head, Entry)>) {
        let place = fill.place as usize;
        self.entries[place] = fill.records.map(Entry::unpack);
        self.asked &= !(1 << place);
        self.slots[1] |= 1 << place;
        self.slots[0] |= u64::from(first.is_some_and(|(head, _)| head.slot == 0)) << place;
    }

    /// Nothing changes before an input says something, whatever room there is.
    pub fn is_quiet(&self) -> bool {
        let waits = |head: &Head| (self.waits | self.open) & head.bit() != 0;
        let check_rests = match self.verdict() {
            Verdict::Empty => true,
            Verdict::Held | Verdict::Fails => self.check.is_some_and(|(head, _)| waits(&head)),
            Verdict::Dropped | Verdict::Passes => false,
        };
        let read_rests = match self.read {
            Some(place) => Some(place) == self.checked(),
            None => self.next_in_line().is_none(),
        };
        check_rests
            && read_rests
            && self.issue.is_none()
            && self.ready == 0
            && self.fetch.is_none()
            && self.readable(0, 0) == 0
            && self.fetchable(0) == 0
    }
}
