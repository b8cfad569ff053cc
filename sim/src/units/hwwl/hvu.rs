//! `hvu`: virtualization (III-D). Work IDs that find their bank full go to an overflow buffer in memory, a line at a time, and
//! come back a line at a time. Behaviourally: a bag of pushed IDs, a line that is being written, two queues of lines that
//! stand in memory (of which only their lengths are known here), and a line that is being dealt out to the banks.

use super::hvu_bins::Bins;
use super::pins::{HvuIn, HvuOut, LINE_IDS, MAX_LANES};
use super::{Parameters, Refill};
use crate::unit::{rule, Fault, Interface, Unit};
use crate::units::bits::bits;
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;
use std::collections::VecDeque;

/// Loads that can be under way: one for each tag.
const TAGS: usize = 4;

/// A partition's lines in memory, oldest first.
#[derive(Clone, Debug, Default)]
struct Ring {
    /// Number of its first line, and of its lines.
    base: u32,
    lines: u32,
    /// Place of the oldest line.
    head: u32,
    /// IDs in each line.
    lengths: VecDeque<u8>,
}

impl Ring {
    fn new() -> Self {
        Ring { lengths: VecDeque::with_capacity(1 << 16), ..Default::default() }
    }

    fn set(&mut self, base: u32, lines: u32) {
        (self.base, self.lines, self.head) = (base, lines, 0);
        self.lengths.clear();
    }

    fn oldest(&self) -> u32 {
        self.base.wrapping_add(self.head)
    }

    fn next(&self) -> u32 {
        self.base.wrapping_add((self.head + self.lengths.len() as u32) % self.lines)
    }

    fn take(&mut self) {
        self.lengths.pop_front();
        self.head = (self.head + 1) % self.lines;
    }
}

/// A request to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    Store { part: usize },
    Load { part: usize },
}

/// A granted refill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Grant {
    /// Asks for the oldest line of the pull side.
    Load { tag: usize, length: u8 },
    /// Deals out the line that is being written: there is none before it.
    Direct,
}

/// The line that is dealt out.
#[derive(Clone, Debug, Default)]
struct Deal {
    ids: [u32; LINE_IDS],
    length: usize,
    tag: Option<usize>,
    /// Word that each bank gets next, counted within the bank; its `fill_push` waits for the answer.
    word: [u8; MAX_LANES],
    asked: u32,
    /// Banks that have not had all their words; 0: the register is empty.
    unfinished: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Hvu {
    parameters: Parameters,
    double_mode: bool,
    pull_part: usize,
    base: u32,
    lines: u32,
    /// Spilled IDs that are not yet in the line: lanes, and the ID of each.
    holding: u32,
    holding_id: [u32; MAX_LANES],
    /// The IDs that were spilled in the previous cycle found at most one line left (`nearly_full`), or no place (`refused`).
    nearly_full: bool,
    refused: bool,
    /// The holding register was filled in the previous cycle.
    fresh: bool,
    /// With bins: where spilled IDs wait before they become a line.
    bins: Bins,
    /// The line that is being written.
    line: [u32; LINE_IDS],
    line_length: usize,
    /// The line belongs to what is now the pull side, and is stored as it is.
    closing: bool,
    rings: [Ring; 2],
    request: Option<Request>,
    /// IDs of the load under way with each tag; its tag is taken until it is dealt out.
    loads: [Option<u8>; TAGS],
    deal: Deal,
    counter: u32,
    wish: bool,
    /// IDs in the unit.
    held: u32,
    out: HvuOut,
}

impl Hvu {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check(&spec::hwwl::HVU)?;
        Ok(Self::empty(parameters))
    }

    pub(super) fn empty(parameters: &Parameters) -> Self {
        let rings = [Ring::new(), Ring::new()];
        let mut hvu = Hvu { parameters: *parameters, rings, bins: Bins::new(parameters.bins), ..Default::default() };
        hvu.show();
        hvu
    }

    /// This cycle's output pins, without a copy.
    #[inline]
    pub(super) fn pins(&self) -> &HvuOut {
        &self.out
    }

    /// A refill is triggered in this cycle, so the unit samples `room`.
    #[inline]
    pub(super) fn looks_at_room(&self) -> bool {
        self.trigger() && self.held > 0
    }

    /// Nothing is in the unit, and without inputs only the counter moves.
    #[inline]
    pub(super) fn is_at_rest(&self) -> bool {
        self.held == 0 && self.deal.unfinished == 0 && !self.wish && !self.out.overflow
    }

    /// The edge of a cycle at rest without inputs.
    #[inline]
    pub(super) fn rest(&mut self) {
        self.count();
    }

    fn trigger(&self) -> bool {
        match self.parameters.refill {
            Refill::Interval => self.counter == self.parameters.refill_interval - 1,
            Refill::Demand => self.wish,
        }
    }

    fn push_part(&self) -> usize {
        if self.double_mode {
            1 - self.pull_part
        } else {
            0
        }
    }

    fn empty_rings(&mut self) {
        let lines = if self.double_mode { self.lines / 2 } else { self.lines };
        self.rings[0].set(self.base, lines);
        self.rings[1].set(self.base.wrapping_add(lines), if self.double_mode { lines } else { 0 });
    }

    /// Spills of this cycle. Whether they fit shows in the next one.
    /// `waiting`: IDs that wait for a line as the cycle begins.
    fn hold(&mut self, pins: &HvuIn, waiting: usize) {
        let ids = waiting + pins.spill.count_ones() as usize;
        let ring = &self.rings[self.push_part()];
        let (used, lines) = (ring.lengths.len(), ring.lines as usize);
        self.refused = used + ids.div_ceil(LINE_IDS) > lines;
        self.nearly_full = used + 1 >= lines;
        self.holding = pins.spill;
        self.fresh = true;
        self.held += pins.spill.count_ones();
        for lane in bits(pins.spill) {
            self.holding_id[lane] = pins.spill_id[lane];
        }
    }

    /// Drops what was spilled in the previous cycle and did not fit.
    fn judge(&mut self) {
        self.out.overflow = self.refused;
        if self.refused {
            self.held -= self.holding.count_ones();
            self.holding = 0;
        }
        (self.nearly_full, self.refused, self.fresh) = (false, false, false);
    }

    /// One held ID a cycle joins the line, or its bin.
    fn move_held(&mut self) {
        let id = self.held_id();
        if self.bins.exist() {
            self.bins.push(id);
        } else {
            self.join_line(id);
        }
        self.holding &= self.holding - 1;
    }

    /// The ID that leaves the holding register next.
    fn held_id(&self) -> u32 {
        self.holding_id[self.holding.trailing_zeros() as usize]
    }

    fn join_line(&mut self, id: u32) {
        self.line[self.line_length] = id;
        self.line_length += 1;
    }

    /// Nothing of what was spilled waits in front of the line.
    fn is_line_last(&self) -> bool {
        self.bins.held() == 0
    }

    /// A held ID may move in this cycle.
    fn may_move(&self) -> bool {
        if self.holding == 0 || self.closing {
            return false;
        }
        if self.bins.exist() {
            !self.fresh && self.bins.has_room(self.held_id())
        } else {
            self.line_length < LINE_IDS && !self.nearly_full
        }
    }

    /// Bins are emptied into the line: a full one; what is left when the sides were exchanged; or, in single-buffer mode, what
    /// there is if nothing else can come back.
    fn bins_may_open(&self) -> bool {
        self.closing || (!self.double_mode && self.line_length == 0 && self.holding == 0 && self.nothing_returns())
    }

    /// Neither ring nor loads nor line register have IDs for the pull side.
    fn nothing_returns(&self) -> bool {
        let in_memory = !self.rings[self.pull_part].lengths.is_empty();
        !in_memory && self.loads == [None; TAGS] && self.deal.unfinished == 0
    }

    /// Memory takes the request.
    fn request_taken(&mut self, request: Request) {
        match request {
            Request::Store { part } => {
                self.rings[part].lengths.push_back(self.line_length as u8);
                self.line_length = 0;
                self.closing &= !self.is_line_last();
            }
            Request::Load { part } => self.rings[part].take(),
        }
        self.request = None;
        self.out.memory.mem_valid = false;
        self.out.memory.mem_write = false;
    }

    fn start_store(&mut self) {
        let part = if self.closing { self.pull_part } else { self.push_part() };
        self.request = Some(Request::Store { part });
        let memory = &mut self.out.memory;
        (memory.mem_valid, memory.mem_write, memory.mem_tag) = (true, true, 0);
        memory.mem_line = self.rings[part].next();
        memory.mem_count = self.line_length as u8;
        memory.mem_id = self.line;
        memory.mem_id[self.line_length..].fill(0);
    }

    /// The refill that is possible in this cycle.
    fn grant(&self) -> Option<Grant> {
        let lengths = &self.rings[self.pull_part].lengths;
        if let Some(&length) = lengths.front() {
            let tag = self.loads.iter().position(Option::is_none)?;
            return Some(Grant::Load { tag, length });
        }
        let settled = !self.double_mode && self.holding == 0 && self.line_length > 0 && !self.bins.is_open();
        let direct = settled && self.nothing_returns();
        direct.then_some(Grant::Direct)
    }

    fn start_refill(&mut self, grant: Grant) {
        self.out.reserve = true;
        match grant {
            Grant::Load { tag, length } => {
                let part = self.pull_part;
                self.request = Some(Request::Load { part });
                self.loads[tag] = Some(length);
                let memory = &mut self.out.memory;
                (memory.mem_valid, memory.mem_write, memory.mem_tag) = (true, false, tag as u8);
                memory.mem_line = self.rings[part].oldest();
            }
            Grant::Direct => {
                self.start_deal(self.line, self.line_length, None);
                self.line_length = 0;
            }
        }
    }

    fn start_deal(&mut self, ids: [u32; LINE_IDS], length: usize, tag: Option<usize>) {
        let unfinished = u32::MAX >> (32 - self.parameters.lanes);
        self.deal = Deal { ids, length, tag, word: [0; MAX_LANES], asked: 0, unfinished };
    }

    /// The banks' answers of this cycle, and what each was told to give back.
    fn look_at_banks(&mut self, pins: &HvuIn) {
        let answered = self.deal.asked;
        let accepted = answered & pins.fill_accepted;
        self.held -= accepted.count_ones();
        self.deal.asked = self.out.fill_push;
        let words = self.parameters.refill_words() as u8;
        for lane in bits(accepted | self.out.unreserve) {
            self.deal.word[lane] += 1;
            if self.deal.word[lane] == words {
                self.deal.unfinished &= !(1 << lane);
            }
        }
        if self.deal.unfinished == 0 {
            if let Some(tag) = self.deal.tag.take() {
                self.loads[tag] = None;
            }
        }
    }

    /// Shows what each bank gets in the next cycle.
    fn show_deal(&mut self) {
        (self.out.fill_push, self.out.unreserve) = (0, 0);
        for lane in bits(self.deal.unfinished & !self.deal.asked) {
            let word = self.deal.word[lane] as usize * self.parameters.lanes + lane;
            if word < self.deal.length {
                self.out.fill_push |= 1 << lane;
                self.out.fill_id[lane] = self.deal.ids[word];
            } else {
                self.out.unreserve |= 1 << lane;
            }
        }
    }

    fn show(&mut self) {
        self.out.push_ready = self.holding == 0 && !self.closing;
        self.out.holds = self.held > 0;
        self.out.memory.line_ready = self.deal.unfinished == 0;
        let under_way = self.deal.unfinished != 0 || self.loads != [None; TAGS];
        let in_memory = !self.rings[self.pull_part].lengths.is_empty();
        self.out.pull_busy =
            if self.double_mode { in_memory || under_way || self.closing } else { self.held > 0 || under_way };
        self.out.pending = self.parameters.refill == Refill::Demand && (self.wish || under_way);
    }

    fn check_rules(&self, pins: &HvuIn) -> Result<(), Fault> {
        let restarts = pins.configure || pins.init;
        rule(!restarts || self.held == 0, "hvu: configure or init while the unit holds IDs")?;
        let is_alone = !(pins.swap || pins.spill != 0 || (pins.configure && pins.init));
        rule(!restarts || is_alone, "hvu: configure or init together with swap, spill or each other")?;
        rule(pins.spill == 0 || self.out.push_ready, "hvu: spill while push_ready is low")?;
        rule(!(pins.swap && pins.spill != 0), "hvu: swap together with spill")?;
        let may_swap = self.double_mode && !self.out.pull_busy && self.holding == 0;
        rule(!pins.swap || may_swap, "hvu: swap while the pull side or the holding register has IDs")?;
        let memory = &pins.memory;
        rule(!memory.line_valid || self.out.memory.line_ready, "hvu: line_valid while line_ready is low")?;
        let is_loaded = |tag: u8| self.loads[tag as usize].is_some();
        rule(!memory.line_valid || is_loaded(memory.line_tag), "hvu: a line with a tag that is not under way")?;
        rule(pins.pull_part as usize == self.pull_part, "hvu: pull_part is not that of the exchanges")
    }

    /// [`Unit::clock`].
    #[inline]
    pub(super) fn step(&mut self, pins: &HvuIn) -> Result<(), Fault> {
        self.check_rules(pins)?;
        self.out.overflow = false;
        let quiet = self.held == 0 && self.deal.unfinished == 0;
        if quiet && pins.spill == 0 && !(pins.configure | pins.init | pins.swap | pins.demand | self.wish) {
            self.count();
            return Ok(());
        }
        self.transfer(pins);
        self.count();
        self.wish = pins.demand && self.parameters.refill == Refill::Demand;
        self.show();
        Ok(())
    }

    fn count(&mut self) {
        self.counter = if self.counter == self.parameters.refill_interval - 1 { 0 } else { self.counter + 1 };
    }

    /// All that moves IDs in this cycle. What starts is decided from the state that the cycle began with.
    fn transfer(&mut self, pins: &HvuIn) {
        let last = self.closing && self.is_line_last();
        let store = self.request.is_none() && (self.line_length == LINE_IDS || last);
        let may_refill = self.request.is_none() && !store && !self.out.reserve && pins.room;
        let refill = if may_refill && self.trigger() { self.grant() } else { None };
        let moves = self.may_move();
        let waiting = self.bins.held() + self.line_length;
        let binned = self.bins.step(LINE_IDS - self.line_length, self.bins_may_open());
        let line_closes = pins.swap && waiting > 0;
        self.judge();
        if pins.spill != 0 {
            self.hold(pins, waiting);
        }
        if self.deal.unfinished != 0 {
            self.look_at_banks(pins);
        }
        if pins.memory.line_valid {
            self.take_line(pins);
        }
        self.out.reserve = false;
        if store {
            self.start_store();
        } else if let Some(request) = self.request.filter(|_| pins.memory.mem_ready) {
            self.request_taken(request);
        } else if let Some(grant) = refill {
            self.start_refill(grant);
        }
        if let Some(id) = binned {
            self.join_line(id);
        }
        if moves {
            self.move_held();
        }
        if pins.swap {
            self.pull_part = 1 - self.pull_part;
            // Its store may have been taken in this very cycle.
            self.closing = line_closes && self.bins.held() + self.line_length > 0;
        }
        self.control(pins);
        self.show_deal();
    }

    fn take_line(&mut self, pins: &HvuIn) {
        let tag = pins.memory.line_tag as usize;
        let length = self.loads[tag].unwrap_or(0);
        self.start_deal(pins.memory.line_id, length as usize, Some(tag));
    }

    fn control(&mut self, pins: &HvuIn) {
        if pins.configure {
            (self.double_mode, self.pull_part) = (pins.double_buffer, 0);
        }
        if pins.init {
            (self.base, self.lines) = (pins.init_base, pins.init_lines as u32);
        }
        if pins.configure || pins.init {
            self.empty_rings();
        }
    }
}

impl Unit for Hvu {
    type In = HvuIn;
    type Out = HvuOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(self.parameters.lanes)
    }

    fn outputs(&self) -> HvuOut {
        self.out
    }

    fn clock(&mut self, pins: &HvuIn) -> Result<(), Fault> {
        self.step(pins)
    }

    fn reset(&mut self) {
        *self = Self::empty(&self.parameters);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: u32 = 1000;

    /// A unit of sixteen lanes with `lines` lines.
    fn hvu(double: bool, lines: u16, refill: Refill) -> Hvu {
        let mut hvu = Hvu::new(&Parameters { refill, ..Default::default() }).unwrap();
        hvu.clock(&HvuIn { configure: true, double_buffer: double, ..Default::default() }).unwrap();
        hvu.clock(&HvuIn { init: true, init_base: BASE, init_lines: lines, ..Default::default() }).unwrap();
        hvu
    }

    fn spill(lanes: u32, first_id: u32) -> HvuIn {
        let mut pins = HvuIn { spill: lanes, ..Default::default() };
        for (id, lane) in (first_id..).zip(bits(lanes)) {
            pins.spill_id[lane] = id;
        }
        pins
    }

    fn after(hvu: &mut Hvu, pins: &HvuIn) -> HvuOut {
        hvu.clock(pins).unwrap();
        hvu.outputs()
    }

    fn idle(pull_part: bool) -> HvuIn {
        HvuIn { pull_part, ..Default::default() }
    }

    fn ready(pull_part: bool) -> HvuIn {
        let mut pins = idle(pull_part);
        pins.memory.mem_ready = true;
        pins
    }

    /// Cycles until `until`, with the inputs of `pins`.
    fn wait(hvu: &mut Hvu, pins: &HvuIn, until: impl Fn(&HvuOut) -> bool) -> usize {
        let cycles = (0..1_000).find(|_| until(&hvu.outputs()) || after(hvu, pins) == HvuOut::default());
        cycles.expect("within a thousand cycles")
    }

    /// Spills 32 IDs from `first_id` on, and lets memory take the line; gives its number.
    fn store_line(hvu: &mut Hvu, first_id: u32) -> u32 {
        for half in 0..2 {
            wait(hvu, &idle(false), |out| out.push_ready);
            assert!(!after(hvu, &spill(0xffff, first_id + 16 * half)).overflow);
        }
        wait(hvu, &idle(false), |out| out.memory.mem_write);
        let memory = hvu.outputs().memory;
        assert_eq!(memory.mem_count, 32);
        assert_eq!(memory.mem_id.to_vec(), (first_id..first_id + 32).collect::<Vec<_>>());
        assert!(!after(hvu, &ready(false)).memory.mem_valid);
        memory.mem_line
    }

    #[test]
    fn spills_are_gathered_to_a_line_one_id_a_cycle() {
        let mut hvu = hvu(false, 4, Refill::Interval);
        let out = after(&mut hvu, &spill(0xffff, 0));
        assert_eq!((out.push_ready, hvu.held, out.overflow), (false, 16, false));
        assert_eq!(wait(&mut hvu, &idle(false), |out| out.push_ready), 16);
        hvu.clock(&spill(0xffff, 16)).unwrap();
        // 16 more cycles fill the line; it is seen full in the next, and the request is out in the one after.
        assert_eq!(wait(&mut hvu, &idle(false), |out| out.memory.mem_valid), 17);
        for _ in 0..5 {
            let out = after(&mut hvu, &idle(false));
            let memory = &out.memory;
            assert_eq!((memory.mem_valid, memory.mem_write, memory.mem_line, memory.mem_count), (true, true, BASE, 32));
            assert_eq!(memory.mem_id.to_vec(), (0..32).collect::<Vec<_>>());
        }
        hvu.clock(&ready(false)).unwrap();
        assert_eq!(hvu.held, 32);
    }

    #[test]
    fn lines_go_round_in_the_ring() {
        let mut hvu = hvu(false, 3, Refill::Interval);
        for line in 0..3 {
            assert_eq!(store_line(&mut hvu, 100 * line), BASE + line);
        }
        let take = HvuIn { room: true, ..idle(false) };
        wait(&mut hvu, &take, |out| out.memory.mem_valid);
        assert_eq!(hvu.outputs().memory.mem_line, BASE, "the oldest first");
        hvu.clock(&ready(false)).unwrap();
        assert_eq!(store_line(&mut hvu, 500), BASE);
    }

    #[test]
    fn overflow_exactly_when_the_buffer_is_full() {
        let mut hvu = hvu(false, 2, Refill::Interval);
        store_line(&mut hvu, 0);
        for id in 0..31 {
            hvu.clock(&spill(1, id)).unwrap();
            // One line is left: the ID moves a cycle later.
            assert!(!after(&mut hvu, &idle(false)).push_ready);
            assert!(!hvu.outputs().overflow);
            hvu.clock(&idle(false)).unwrap();
        }
        // 31 IDs wait: one more fits, two do not, and both of them are dropped.
        let out = after(&mut hvu, &spill(0b11, 77));
        assert_eq!((out.overflow, out.push_ready, hvu.held), (false, false, 65));
        let out = after(&mut hvu, &idle(false));
        assert_eq!((out.overflow, out.push_ready, hvu.held), (true, true, 63));
        hvu.clock(&spill(0b10, 78)).unwrap();
        assert!(!after(&mut hvu, &idle(false)).overflow);
        assert_eq!(hvu.held, 64);
        wait(&mut hvu, &idle(false), |out| out.push_ready);
        hvu.clock(&spill(1, 79)).unwrap();
        assert!(after(&mut hvu, &idle(false)).overflow);
        assert!(!after(&mut hvu, &idle(false)).overflow, "for one cycle");
    }

    #[test]
    fn without_lines_every_spill_overflows() {
        let mut hvu = Hvu::new(&Parameters::default()).unwrap();
        let out = after(&mut hvu, &spill(1, 1));
        assert_eq!((out.overflow, hvu.held, out.push_ready), (false, 1, false));
        let out = after(&mut hvu, &idle(false));
        assert_eq!((out.overflow, hvu.held, out.push_ready), (true, 0, true));
    }

    #[test]
    fn in_double_buffer_mode_each_side_has_half_of_the_lines() {
        let mut hvu = hvu(true, 5, Refill::Interval);
        assert_eq!(store_line(&mut hvu, 0), BASE + 2, "partition 1 is the push side");
        assert_eq!(store_line(&mut hvu, 50), BASE + 3);
        hvu.clock(&spill(1, 99)).unwrap();
        let out = after(&mut hvu, &idle(false));
        assert!(out.overflow && !out.pull_busy, "an odd last line is not used");
    }

    #[test]
    fn a_line_comes_back_to_the_banks() {
        let mut hvu = hvu(true, 8, Refill::Interval);
        store_line(&mut hvu, 0);
        let out = after(&mut hvu, &HvuIn { swap: true, ..idle(false) });
        assert!(out.pull_busy);
        assert!(wait(&mut hvu, &HvuIn { room: true, ..idle(true) }, |out| out.reserve) <= 10);
        let memory = hvu.outputs().memory;
        assert_eq!((memory.mem_valid, memory.mem_write, memory.mem_line, memory.mem_tag), (true, false, BASE + 4, 0));
        let out = after(&mut hvu, &ready(true));
        assert_eq!((out.reserve, out.memory.mem_valid, out.pull_busy), (false, false, true));
        let mut line = idle(true);
        line.memory.line_valid = true;
        line.memory.line_id = std::array::from_fn(|word| word as u32 + 200);
        let out = after(&mut hvu, &line);
        assert_eq!((out.fill_push, out.fill_id[3], out.memory.line_ready), (0xffff, 203, false));
        // Bank 3 refuses once.
        hvu.clock(&idle(true)).unwrap();
        assert_eq!(hvu.outputs().fill_push, 0);
        let out = after(&mut hvu, &HvuIn { fill_accepted: 0xffff & !8, ..idle(true) });
        assert_eq!((out.fill_push, out.fill_id[3], out.fill_id[4], hvu.held), (0xffff, 203, 220, 17));
        hvu.clock(&idle(true)).unwrap();
        let out = after(&mut hvu, &HvuIn { fill_accepted: 0xffff, ..idle(true) });
        assert_eq!((out.fill_push, out.fill_id[3], hvu.held, out.pull_busy), (8, 219, 1, true));
        hvu.clock(&idle(true)).unwrap();
        let out = after(&mut hvu, &HvuIn { fill_accepted: 8, ..idle(true) });
        assert_eq!((hvu.held, out.pull_busy, out.memory.line_ready), (0, false, true));
    }

    #[test]
    fn a_partial_line_is_stored_at_the_exchange_and_what_was_reserved_too_much_is_given_back() {
        let mut hvu = hvu(true, 8, Refill::Interval);
        hvu.clock(&spill(0b111, 60)).unwrap();
        wait(&mut hvu, &idle(false), |out| out.push_ready);
        let out = after(&mut hvu, &HvuIn { swap: true, ..idle(false) });
        assert_eq!((out.push_ready, out.pull_busy, out.memory.mem_valid), (false, true, false));
        let memory = after(&mut hvu, &idle(true)).memory;
        assert_eq!((memory.mem_write, memory.mem_line, memory.mem_count), (true, BASE + 4, 3));
        assert_eq!(memory.mem_id[..5], [60, 61, 62, 0, 0]);
        let out = after(&mut hvu, &ready(true));
        assert!(out.push_ready && out.pull_busy);
        wait(&mut hvu, &HvuIn { room: true, ..ready(true) }, |out| out.memory.mem_valid);
        hvu.clock(&ready(true)).unwrap();
        let mut line = idle(true);
        line.memory.line_valid = true;
        line.memory.line_id = [7; LINE_IDS];
        let out = after(&mut hvu, &line);
        assert_eq!((out.fill_push, out.unreserve), (0b111, 0xfff8));
        let out = after(&mut hvu, &idle(true));
        assert_eq!((out.fill_push, out.unreserve), (0, 0xfff8), "the second word of the others");
        let out = after(&mut hvu, &HvuIn { fill_accepted: 0b111, ..idle(true) });
        assert_eq!((out.fill_push, out.unreserve, hvu.held), (0, 0b111, 0));
        assert!(after(&mut hvu, &idle(true)).memory.line_ready);
    }

    #[test]
    fn a_full_line_that_memory_takes_at_the_exchange_is_stored_once() {
        let mut hvu = hvu(true, 8, Refill::Interval);
        hvu.clock(&spill(0xffff, 0)).unwrap();
        wait(&mut hvu, &idle(false), |out| out.push_ready);
        hvu.clock(&spill(0xffff, 16)).unwrap();
        wait(&mut hvu, &idle(false), |out| out.memory.mem_valid);
        let out = after(&mut hvu, &HvuIn { swap: true, ..ready(false) });
        assert!(out.push_ready && out.pull_busy && !out.memory.mem_valid);
        for _ in 0..5 {
            assert!(!after(&mut hvu, &ready(true)).memory.mem_valid);
        }
    }

    #[test]
    fn in_single_buffer_mode_a_lonely_partial_line_goes_straight_to_the_banks() {
        let mut hvu = hvu(false, 8, Refill::Interval);
        hvu.clock(&spill(1 << 9, 5)).unwrap();
        wait(&mut hvu, &idle(false), |out| out.push_ready);
        wait(&mut hvu, &HvuIn { room: true, ..idle(false) }, |out| out.reserve);
        let out = hvu.outputs();
        assert_eq!((out.fill_push, out.fill_id[0], out.memory.mem_valid), (1, 5, false));
    }

    #[test]
    fn at_most_four_loads_are_under_way() {
        let mut hvu = hvu(true, 20, Refill::Interval);
        for line in 0..6 {
            store_line(&mut hvu, 100 * line);
        }
        hvu.clock(&HvuIn { swap: true, ..idle(false) }).unwrap();
        let mut tags = Vec::new();
        for _ in 0..200 {
            let out = hvu.outputs();
            if out.memory.mem_valid {
                tags.push((out.memory.mem_line, out.memory.mem_tag));
            }
            hvu.clock(&HvuIn { room: true, ..ready(true) }).unwrap();
        }
        assert_eq!(tags, [(BASE + 10, 0), (BASE + 11, 1), (BASE + 12, 2), (BASE + 13, 3)]);
    }

    #[test]
    fn nothing_is_fetched_without_room() {
        let mut hvu = hvu(true, 20, Refill::Interval);
        store_line(&mut hvu, 0);
        hvu.clock(&HvuIn { swap: true, ..idle(false) }).unwrap();
        for _ in 0..50 {
            let out = after(&mut hvu, &ready(true));
            assert!(!out.reserve && !out.memory.mem_valid);
        }
    }

    #[test]
    fn on_demand_a_pull_of_an_empty_bank_asks_and_pending_lasts_until_the_line_is_dealt_out() {
        let mut hvu = hvu(true, 8, Refill::Demand);
        store_line(&mut hvu, 0);
        hvu.clock(&HvuIn { swap: true, ..idle(false) }).unwrap();
        for _ in 0..30 {
            assert!(!after(&mut hvu, &HvuIn { room: true, ..ready(true) }).memory.mem_valid, "nobody asked");
        }
        let out = after(&mut hvu, &HvuIn { demand: true, ..idle(true) });
        assert!(out.pending);
        let out = after(&mut hvu, &idle(true));
        assert!(!out.pending && !out.reserve, "no room: the wish is gone");
        hvu.clock(&HvuIn { demand: true, ..idle(true) }).unwrap();
        let out = after(&mut hvu, &HvuIn { room: true, ..idle(true) });
        assert!(out.pending && out.reserve && out.memory.mem_valid);
        hvu.clock(&ready(true)).unwrap();
        assert!(after(&mut hvu, &idle(true)).pending);
        let mut line = idle(true);
        line.memory.line_valid = true;
        hvu.clock(&line).unwrap();
        for _ in 0..2 {
            assert!(hvu.outputs().pending);
            hvu.clock(&idle(true)).unwrap();
            hvu.clock(&HvuIn { fill_accepted: 0xffff, ..idle(true) }).unwrap();
        }
        assert!(!hvu.outputs().pending);
    }

    #[test]
    fn parameters_are_checked() {
        let error = Hvu::new(&Parameters { refill_interval: 0, ..Default::default() }).unwrap_err();
        assert_eq!(error.to_string(), "hvu: refill_interval = 0, but it must be from 2 to 65536");
    }
}
