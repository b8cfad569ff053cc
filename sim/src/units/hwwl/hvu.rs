//! `hvu`: virtualization (III-D). Work IDs that find their bank full go to an overflow buffer in memory, a line at a time, and
//! come back a line at a time. Behaviourally: a bag of pushed IDs, a line that is being written, two queues of lines that
//! stand in memory (of which only their lengths are known here), and a line that is being dealt out to the banks.

use super::lanes_of;
use super::pins::{hvu_interface, HvuIn, HvuOut, Line, LINE_IDS, MAX_LANES};
use super::{Parameters, Refill};
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;
use std::collections::VecDeque;

/// Loads that can be under way: one for each tag.
const TAGS: usize = 4;

/// A partition's lines in memory, oldest first.
#[derive(Clone, Debug)]
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
        Ring { base: 0, lines: 0, head: 0, lengths: VecDeque::with_capacity(1 << 16) }
    }

    fn set(&mut self, base: u32, lines: u32) {
        (self.base, self.lines, self.head) = (base, lines, 0);
        self.lengths.clear();
    }

    fn oldest(&self) -> u32 {
        self.base + self.head
    }

    fn next(&self) -> u32 {
        self.base + (self.head + self.lengths.len() as u32) % self.lines
    }

    fn take(&mut self) {
        self.lengths.pop_front();
        self.head = (self.head + 1) % self.lines;
    }
}

/// What the unit asks of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Request {
    Store { part: usize },
    Load { part: usize },
}

/// What a granted refill does.
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
    ids: Line,
    length: usize,
    tag: Option<usize>,
    /// Word that each bank gets next, counted within the bank; its `fill_push` waits for the answer.
    word: [u8; MAX_LANES],
    asked: u32,
    /// Banks that have not had all their words; 0: the register is empty.
    unfinished: u32,
}

#[derive(Clone, Debug)]
pub struct Hvu {
    lanes: usize,
    refill_words: u8,
    refill: Refill,
    refill_interval: u32,
    double: bool,
    pull_part: usize,
    base: u32,
    lines: u32,
    /// Spilled IDs that are not yet in the line: lanes, and the ID of each.
    holding: u32,
    holding_id: [u32; MAX_LANES],
    /// The line that is being written.
    line: Line,
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
    out: HvuOut,
}

impl Hvu {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check_hvu("hvu")?;
        let mut hvu = Hvu {
            lanes: parameters.lanes,
            refill_words: parameters.refill_words() as u8,
            refill: parameters.refill,
            refill_interval: parameters.refill_interval,
            double: false,
            pull_part: 0,
            base: 0,
            lines: 0,
            holding: 0,
            holding_id: [0; MAX_LANES],
            line: Line::default(),
            line_length: 0,
            closing: false,
            rings: [Ring::new(), Ring::new()],
            request: None,
            loads: [None; TAGS],
            deal: Deal::default(),
            counter: 0,
            wish: false,
            out: HvuOut::default(),
        };
        hvu.show();
        Ok(hvu)
    }

    /// This cycle's output pins, without a copy.
    #[inline]
    pub(super) fn pins(&self) -> &HvuOut {
        &self.out
    }

    /// A refill is looked for in this cycle: `room` is looked at.
    #[inline]
    pub(super) fn looks_at_room(&self) -> bool {
        self.trigger() && self.out.held > 0
    }

    fn trigger(&self) -> bool {
        match self.refill {
            Refill::Interval => self.counter == self.refill_interval - 1,
            Refill::Demand => self.wish,
        }
    }

    fn push_part(&self) -> usize {
        if self.double {
            1 - self.pull_part
        } else {
            0
        }
    }

    fn empty_rings(&mut self) {
        let lines = if self.double { self.lines / 2 } else { self.lines };
        self.rings[0].set(self.base, lines);
        self.rings[1].set(self.base + lines, if self.double { lines } else { 0 });
    }

    /// Spills of this cycle: all of them, or none with an overflow.
    fn hold(&mut self, pins: &HvuIn) {
        let ids = self.line_length + pins.spill.count_ones() as usize;
        let ring = &self.rings[self.push_part()];
        let fits = ring.lengths.len() + ids.div_ceil(LINE_IDS) <= ring.lines as usize;
        self.out.overflow = !fits;
        if fits {
            self.holding = pins.spill;
            self.out.held += pins.spill.count_ones();
            for lane in lanes_of(pins.spill) {
                self.holding_id[lane] = pins.spill_id[lane];
            }
        }
    }

    /// One held ID a cycle joins the line.
    fn write_line(&mut self) {
        let lane = self.holding.trailing_zeros() as usize;
        self.line.0[self.line_length] = self.holding_id[lane];
        self.line_length += 1;
        self.holding &= self.holding - 1;
    }

    /// Memory takes the request.
    fn request_taken(&mut self, request: Request) {
        match request {
            Request::Store { part } => {
                self.rings[part].lengths.push_back(self.line_length as u8);
                self.line_length = 0;
                self.closing = false;
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
        memory.mem_id.0[self.line_length..].fill(0);
    }

    /// The refill that is possible in this cycle.
    fn grant(&self) -> Option<Grant> {
        let lengths = &self.rings[self.pull_part].lengths;
        if let Some(&length) = lengths.front() {
            let tag = self.loads.iter().position(Option::is_none)?;
            return Some(Grant::Load { tag, length });
        }
        let nothing_before = self.loads == [None; TAGS] && self.deal.unfinished == 0;
        let direct = !self.double && nothing_before && self.holding == 0 && self.line_length > 0;
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

    fn start_deal(&mut self, ids: Line, length: usize, tag: Option<usize>) {
        let unfinished = u32::MAX >> (32 - self.lanes);
        self.deal = Deal { ids, length, tag, word: [0; MAX_LANES], asked: 0, unfinished };
    }

    /// The banks' answers of this cycle, and what each was told to give back.
    fn look_at_banks(&mut self, pins: &HvuIn) {
        let answered = self.deal.asked;
        let accepted = answered & pins.fill_accepted;
        self.out.held -= accepted.count_ones();
        self.deal.asked = self.out.fill_push;
        for lane in lanes_of(accepted | self.out.unreserve) {
            self.deal.word[lane] += 1;
            if self.deal.word[lane] == self.refill_words {
                self.deal.unfinished &= !(1 << lane);
            }
        }
        if self.deal.unfinished == 0 {
            if let Some(tag) = self.deal.tag.take() {
                self.loads[tag] = None;
            }
        }
    }

    /// What each bank gets in the next cycle.
    fn show_deal(&mut self) {
        (self.out.fill_push, self.out.unreserve) = (0, 0);
        for lane in lanes_of(self.deal.unfinished & !self.deal.asked) {
            let word = self.deal.word[lane] as usize * self.lanes + lane;
            if word < self.deal.length {
                self.out.fill_push |= 1 << lane;
                self.out.fill_id[lane] = self.deal.ids.0[word];
            } else {
                self.out.unreserve |= 1 << lane;
            }
        }
    }

    fn show(&mut self) {
        self.out.push_ready = self.holding == 0 && !self.closing;
        self.out.memory.line_ready = self.deal.unfinished == 0;
        let under_way = self.deal.unfinished != 0 || self.loads != [None; TAGS];
        let in_memory = !self.rings[self.pull_part].lengths.is_empty();
        self.out.pull_busy =
            if self.double { in_memory || under_way || self.closing } else { self.out.held > 0 || under_way };
        self.out.pending = self.refill == Refill::Demand && (self.wish || under_way);
    }

    fn check_rules(&self, pins: &HvuIn) {
        let alone = !(pins.configure || pins.init) || self.out.held == 0;
        debug_assert!(alone, "hvu: configure or init while the unit holds IDs");
        debug_assert!(pins.spill == 0 || self.out.push_ready, "hvu: spill while push_ready is low");
        debug_assert!(!(pins.swap && pins.spill != 0), "hvu: swap together with spill");
        let may_swap = self.double && !self.out.pull_busy && self.holding == 0;
        debug_assert!(!pins.swap || may_swap, "hvu: swap while the pull side or the holding register has IDs");
        debug_assert!(!pins.memory.line_valid || self.out.memory.line_ready, "hvu: line_valid while line_ready is low");
        debug_assert_eq!(pins.pull_part as usize, self.pull_part, "hvu: pull_part is not that of the exchanges");
    }

    /// [`Unit::clock`].
    #[inline]
    pub(super) fn step(&mut self, pins: &HvuIn) {
        self.check_rules(pins);
        self.out.overflow = false;
        let quiet = self.out.held == 0 && self.deal.unfinished == 0;
        if quiet && pins.spill == 0 && !(pins.configure | pins.init | pins.swap | pins.demand | self.wish) {
            self.count();
            return;
        }
        self.transfer(pins);
        self.count();
        self.wish = pins.demand && self.refill == Refill::Demand;
        self.show();
    }

    fn count(&mut self) {
        self.counter = if self.counter == self.refill_interval - 1 { 0 } else { self.counter + 1 };
    }

    /// All that moves IDs in this cycle. What starts looks at the state that the cycle began with.
    fn transfer(&mut self, pins: &HvuIn) {
        let store = self.request.is_none() && (self.line_length == LINE_IDS || self.closing);
        let may_refill = self.request.is_none() && !store && !self.out.reserve && pins.room;
        let refill = if may_refill && self.trigger() { self.grant() } else { None };
        let grows = self.holding != 0 && self.line_length < LINE_IDS && !self.closing;
        let line_closes = pins.swap && self.line_length > 0;
        if pins.spill != 0 {
            self.hold(pins);
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
        if grows {
            self.write_line();
        }
        if pins.swap {
            self.pull_part = 1 - self.pull_part;
            // Its store may have been taken in this very cycle.
            self.closing = line_closes && self.line_length > 0;
        }
        self.control(pins);
        self.show_deal();
    }

    fn take_line(&mut self, pins: &HvuIn) {
        let tag = pins.memory.line_tag as usize;
        debug_assert!(self.loads[tag].is_some(), "hvu: a line with a tag that is not under way");
        let length = self.loads[tag].unwrap_or(0);
        self.start_deal(pins.memory.line_id, length as usize, Some(tag));
    }

    fn control(&mut self, pins: &HvuIn) {
        if pins.configure {
            (self.double, self.pull_part) = (pins.double, 0);
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
        hvu_interface(self.lanes)
    }

    fn outputs(&self) -> HvuOut {
        self.out.clone()
    }

    fn clock(&mut self, pins: &HvuIn) {
        self.step(pins);
    }

    fn reset(&mut self) {
        (self.double, self.pull_part, self.base, self.lines) = (false, 0, 0, 0);
        (self.holding, self.line_length, self.closing, self.request) = (0, 0, false, None);
        self.loads = [None; TAGS];
        self.deal = Deal::default();
        (self.counter, self.wish) = (0, false);
        self.out = HvuOut::default();
        self.empty_rings();
        self.show();
    }
}
