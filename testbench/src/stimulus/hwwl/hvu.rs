//! Legal random inputs of `hvu`: spills, banks that accept fills or not, a memory. Every ID that was spilled and not dropped
//! comes out once, to a bank, while its partition is the pull side.

use super::ledger::{Label, Ledger};
use super::memory::{Base, Memory, MANNERS};
use crate::stimulus::{bits, events, phases, Chance, Coverage, Phases, Rng, Stimulus};
use sim::units::hwwl::pins::{HvuIn, HvuOut, LINE_IDS, MAX_LANES};
use sim::units::hwwl::{Parameters, Refill};

events! { HvuStimulus:
    Spill = "spill",
    SpillOfAll = "spill of all lanes",
    SpillWaits = "spills are not welcome",
    Overflow = "overflow",
    OverflowWithoutLines = "overflow without a buffer",
    OverflowOfLarge = "overflow of a buffer of more than four lines",
    Store = "store of a full line",
    PartialStore = "store of a partial line",
    LowerLine = "store to a lower line than before",
    RequestWaits = "a request waits for memory",
    Load = "load",
    PartialLoad = "load of a partial line",
    FourLoads = "four loads on their way",
    OutOfOrder = "a load is overtaken by a later one",
    LineWaits = "memory waits for the line register",
    Bypass = "IDs of the line buffer go straight to the line register",
    Fill = "fill accepted",
    FillRefused = "fill turned away",
    Unreserve = "unreserve",
    SwapEmpty = "sides exchanged, nothing in the line buffer",
    SwapPartial = "sides exchanged with a partial line",
    BothSides = "IDs of both partitions inside",
    Pending = "a refill is wanted",
    Wish = "a pull found its bank empty",
    Drained = "the unit becomes empty",
    ConfiguredSingle = "configured as single",
    ConfiguredDouble = "configured as double",
    ConfiguredFirst = "configured between reset and the first buffer",
    FarLine = "a store to one of the last 2,048 line numbers",
    LongRing = "more than 256 stores without a new buffer",
    Quiet = "only a ring has IDs, in a power of two of lines",
    InitOdd = "an odd number of lines in double-buffer mode",
    Reset = "reset of a unit that holds IDs",
}

phases! {
    /// `spill`: a cycle has spills. `lane`: each lane has one. `accept`: a bank accepts a fill.
    PHASES: Phase (spill, lane, room, demand, accept, swap, configure)
    // Fill, drain.
    (200, 256, 10, 4, 128, 4, 4)
    (0, 0, 256, 250, 256, 40, 4)
    (0, 0, 200, 40, 100, 40, 40)
    // Trickle in and out: partial lines, bypass.
    (20, 20, 200, 60, 200, 20, 4)
    (6, 10, 256, 128, 240, 60, 4)
    // A steady flow.
    (100, 100, 256, 200, 256, 10, 4)
    (60, 200, 100, 100, 60, 10, 4)
    // Partial lines come back to banks of which some take and others do not; lines that are nearly full go straight back.
    (40, 128, 128, 128, 60, 128, 4)
    // Loads pile up; banks do not take.
    (100, 128, 256, 256, 4, 4, 4)
    (0, 0, 0, 128, 256, 128, 128)
}

phases! {
    /// Phases in which a large ring fills, goes round and is emptied.
    LONG: LongPhase (spill, room, swap)
    (256, 0, 0)
    (256, 0, 0)
    (256, 0, 0)
    (256, 10, 4)
    (256, 256, 40)
    (0, 256, 100)
}

phases! {
    /// Phases of a huge ring, one after the other: it is filled, goes round, is filled again and emptied.
    LIFE: LifePhase (spill, room, swap, configure)
    (256, 0, 0, 128)
    (256, 256, 40, 0)
    (256, 0, 0, 0)
    (0, 256, 100, 0)
}

/// Cycles after reset before the first `init` at most.
const WITHOUT_BUFFER: u32 = 100;
/// Cycles of a ring that is neither reset nor replaced.
const LONG_RING: u32 = 20_000;
/// One reset in so many is followed by such a ring.
const LONG_EVERY: u32 = 20;
/// So many lines before the last of all are far away.
const FAR: u32 = 2_048;
/// Cycles of a run behind which a ring is huge now and then. Campaigns end a segment before that.
const HUGE_BEHIND: u64 = 1 << 16;
/// Cycles of ordinary rings, at least, between two huge ones.
const ORDINARY: u64 = 1 << 17;
/// The least lines of huge rings, by turns: an odd number of them, as every second one is of one side. The largest come twice, once
/// with one side and once with two.
const HUGE: [u16; 7] = [1 << 14, 1 << 11, 1 << 12, 1 << 10, 1 << 13, 1 << 15, 1 << 15];
/// Cycles for which a huge ring goes round, for each line.
const ROUND: u32 = 4;
/// Cycles in which nothing comes or goes, once a ring has a power of two of lines.
const PAUSE: u32 = 60;
/// Stores that a place of eight bits cannot count.
const MANY_STORES: u32 = 256;

#[derive(Default)]
pub struct HvuStimulus {
    rng: Rng,
    lanes: usize,
    refill_words: u32,
    demand: bool,
    bins: bool,
    phase: Phases<Phase>,
    memory: Memory,
    ledger: Ledger,
    double_mode: bool,
    pull_part: bool,
    lines: u16,
    /// Cycles until the next `init`, if there are no lines.
    without_buffer: u32,
    /// Nothing has been set since reset.
    is_new: bool,
    /// Cycles for which the ring stays as it is.
    long: u32,
    /// Stores since the last `init`.
    stores: u32,
    /// Cycles of the run.
    age: u64,
    huge: Option<Huge>,
    /// Cycles of the run behind which the next ring is huge.
    huge_behind: u64,
    /// Huge rings so far.
    turns: usize,
    /// Spills stop when a side comes to a power of two of lines. For how many cycles, and at how many IDs the sides
    /// came to one last.
    aims: bool,
    pause: u32,
    powers: [u32; 2],
    /// Entries that each bank has promised.
    reserved: [u32; MAX_LANES],
    /// Spilled IDs of the cycle before the last, which may have been dropped, and of the last cycle.
    judged: u32,
    spilled: u32,
    spilled_id: [u32; MAX_LANES],
    /// The last cycle: fills to which banks answer now, whether the unit held IDs.
    filled: u32,
    filled_id: [u32; MAX_LANES],
    held: bool,
    findings: Findings,
}

/// A ring so large that a run has few of them.
#[derive(Clone, Copy, Default)]
struct Huge {
    /// In [`LIFE`].
    phase: usize,
    /// Cycles of it so far.
    cycles: u32,
}

impl HvuStimulus {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let mut stimulus = HvuStimulus {
            rng: Rng::new(seed),
            lanes: parameters.lanes,
            refill_words: (LINE_IDS / parameters.lanes) as u32,
            demand: parameters.refill == Refill::Demand,
            bins: parameters.bins > 0,
            phase: Phases::new(PHASES, 20..620, 16),
            memory: Memory::new(),
            huge_behind: HUGE_BEHIND,
            ..Default::default()
        };
        stimulus.restart();
        stimulus
    }

    /// As after reset.
    fn restart(&mut self) {
        self.memory.clear();
        // With bins: every other time IDs gather in a few of them, so that they fill.
        if self.bins {
            self.ledger.begin(self.rng.one_in(2));
        } else {
            self.ledger.clear();
        }
        (self.double_mode, self.pull_part, self.lines) = (false, false, 0);
        self.without_buffer = self.rng.below(WITHOUT_BUFFER);
        self.long = if self.rng.one_in(LONG_EVERY) { LONG_RING } else { 0 };
        (self.is_new, self.stores, self.pause) = (true, 0, 0);
        self.huge = (self.age > self.huge_behind).then(Huge::default);
        self.turns += usize::from(self.huge.is_some());
        self.reserved = [0; MAX_LANES];
        (self.judged, self.spilled, self.filled, self.held) = (0, 0, 0, false);
    }

    /// A phase of a large ring, with memory as fast as it goes.
    fn go_round(&mut self) {
        let LongPhase { spill, room, swap } = self.rng.any_of(LONG);
        let (always, never) = (Chance::ALWAYS, Chance::NEVER);
        *self.phase = Phase { spill, lane: always, room, demand: room, accept: always, swap, configure: never };
        self.memory.manner = MANNERS[0];
    }

    /// The next part of a huge ring's life, when its time has come; true if the life is over.
    fn live(&mut self, mut huge: Huge, out: &HvuOut) -> bool {
        huge.cycles += 1;
        let goes_on = match huge.phase {
            0 | 2 => out.overflow && self.lines > 0,
            1 => huge.cycles > ROUND * u32::from(self.lines),
            _ => !out.holds,
        };
        if goes_on {
            (huge.phase, huge.cycles) = (huge.phase + 1, 0);
        }
        let Some(&LifePhase { spill, room, swap, configure }) = LIFE.get(huge.phase) else { return true };
        let always = Chance::ALWAYS;
        *self.phase = Phase { spill, lane: always, room, demand: room, accept: always, swap, configure };
        self.memory.manner = MANNERS[0];
        (self.huge, self.aims) = (Some(huge), true);
        false
    }

    /// Nothing comes or goes for a while: a ring that has a power of two of lines is alone then.
    fn pauses(&mut self, out: &HvuOut) -> bool {
        if self.pause > 0 {
            self.pause -= 1;
            let busy = out.memory.mem_valid || !out.memory.line_ready || self.memory.is_waiting();
            self.findings.count(Event::Quiet, self.pause == 0 && out.holds && !busy);
            return true;
        }
        let promised: u32 = self.reserved[..self.lanes].iter().sum();
        let mut ids = self.ledger.inside();
        let pulled = &mut ids[self.pull_part as usize];
        *pulled = pulled.saturating_sub(promised);
        let is_power = |ids: u32| ids.is_multiple_of(LINE_IDS as u32) && (ids / LINE_IDS as u32).is_power_of_two();
        for (ids, power) in ids.into_iter().zip(&mut self.powers) {
            if is_power(ids) && ids != *power && self.aims {
                self.pause = PAUSE;
            }
            if is_power(ids) || ids == 0 {
                *power = ids;
            }
        }
        self.pause > 0
    }

    /// Some lanes of `spill`: no more than the side's ring misses to the next power of two of lines.
    fn up_to_power(&self, mut spill: u32, part: bool) -> u32 {
        let ids = self.ledger.inside()[part as usize];
        let next = LINE_IDS as u32 * (ids / LINE_IDS as u32 + 1).next_power_of_two();
        while spill.count_ones() > next - ids {
            spill &= spill - 1;
        }
        spill
    }

    fn all_lanes(&self) -> u32 {
        u32::MAX >> (32 - self.lanes)
    }

    fn observe(&mut self, out: &HvuOut) {
        let c = &mut self.findings;
        c.count(Event::Overflow, out.overflow);
        c.count(Event::OverflowWithoutLines, out.overflow && self.lines == 0);
        c.count(Event::OverflowOfLarge, out.overflow && self.lines > 4);
        c.count(Event::Pending, out.pending);
        if out.overflow {
            for lane in bits(self.judged) {
                self.ledger.take(self.spilled_id[lane]);
            }
        }
        let inside = self.ledger.inside();
        self.findings.count(Event::BothSides, self.double_mode && inside[0] > 0 && inside[1] > 0);
        self.findings.count(Event::Drained, self.held && !out.holds);
        if out.holds != (self.ledger.total() > 0) {
            self.findings.complain(format!("holds is {}, but {} IDs are inside", out.holds, self.ledger.total()));
        }
        if !out.pull_busy && inside[self.pull_part as usize] > 0 {
            let n = inside[self.pull_part as usize];
            self.findings.complain(format!("pull_busy is low, but {n} IDs of the pull side are inside"));
        }
        self.held = out.holds;
        self.promise(out);
    }

    /// Follows the promises of the banks.
    fn promise(&mut self, out: &HvuOut) {
        if out.reserve {
            self.reserved[..self.lanes].iter_mut().for_each(|reserved| *reserved += self.refill_words);
        }
        let is_load = out.memory.mem_valid && !out.memory.mem_write;
        self.findings.count(Event::Bypass, out.reserve && !is_load);
        self.findings.count(Event::Unreserve, out.unreserve != 0);
        for lane in bits(out.unreserve) {
            self.give_back(lane);
        }
    }

    fn give_back(&mut self, lane: usize) {
        match self.reserved[lane].checked_sub(1) {
            Some(left) => self.reserved[lane] = left,
            None => self.findings.complain(format!("lane {lane}: more fills and unreserves than were reserved")),
        }
    }

    /// Answers of the banks to the fills of the last cycle.
    fn accept(&mut self, pins: &mut HvuIn) {
        pins.fill_accepted = self.phase.accept.of_each(&mut self.rng, self.filled);
        self.findings.count(Event::Fill, pins.fill_accepted != 0);
        self.findings.count(Event::FillRefused, self.filled & !pins.fill_accepted != 0);
        for lane in bits(pins.fill_accepted) {
            self.give_back(lane);
            let id = self.filled_id[lane];
            match self.ledger.take(id) {
                None => self.findings.complain(format!("lane {lane} is filled with ID {id:#x}, which is not inside")),
                Some(label) if label.part != self.pull_part => {
                    self.findings.complain(format!("lane {lane} is filled with ID {id:#x} of the push side"));
                }
                Some(_) => {}
            }
        }
    }

    fn spill(&mut self, out: &HvuOut, pins: &mut HvuIn) {
        pins.spill = 0;
        self.judged = std::mem::take(&mut self.spilled);
        if self.pause == 0 && self.phase.spill.happens(&mut self.rng) {
            self.findings.count(Event::SpillWaits, !out.push_ready);
            if out.push_ready {
                let all = self.all_lanes();
                pins.spill = self.phase.lane.of_each(&mut self.rng, all);
            }
        }
        let part = self.double_mode && !self.pull_part;
        if self.aims {
            pins.spill = self.up_to_power(pins.spill, part);
        }
        for lane in bits(pins.spill) {
            pins.spill_id[lane] = self.ledger.issue(Label { part, owner: lane as u16 });
            self.spilled_id[lane] = pins.spill_id[lane];
        }
        self.spilled = pins.spill;
        self.findings.count(Event::Spill, pins.spill != 0);
        self.findings.count(Event::SpillOfAll, pins.spill == self.all_lanes());
    }

    /// Mode, buffer, exchange of sides: each where it may come.
    fn control(&mut self, out: &HvuOut, pins: &mut HvuIn) {
        (pins.configure, pins.init, pins.swap) = (false, false, false);
        pins.pull_part = self.pull_part;
        let nothing_promised = self.reserved[..self.lanes].iter().all(|reserved| *reserved == 0);
        let may_configure = !out.holds && nothing_promised;
        if self.without_buffer > 0 {
            self.without_buffer -= 1;
            if may_configure && self.rng.one_in(32) {
                self.findings.count(Event::ConfiguredFirst, self.is_new);
                self.configure(pins);
                return;
            }
        } else if !out.holds && (self.lines == 0 || self.long == 0 && self.phase.configure.happens(&mut self.rng)) {
            if may_configure && self.rng.one_in(2) {
                self.configure(pins);
            } else {
                self.init(pins);
            }
            return;
        }
        if self.double_mode && !out.pull_busy && out.push_ready && nothing_promised {
            pins.swap = self.phase.swap.happens(&mut self.rng);
        }
    }

    fn configure(&mut self, pins: &mut HvuIn) {
        pins.configure = true;
        pins.double_buffer = if self.huge.is_some() { self.turns.is_multiple_of(2) } else { self.rng.one_in(2) };
        (self.double_mode, self.pull_part) = (pins.double_buffer, false);
        self.findings.count(Event::ConfiguredSingle, !pins.double_buffer);
        self.findings.count(Event::ConfiguredDouble, pins.double_buffer);
    }

    fn init(&mut self, pins: &mut HvuIn) {
        pins.init = true;
        let choose = if self.long > 0 { Memory::choose_large_buffer } else { Memory::choose_buffer };
        (pins.init_base, pins.init_lines) = choose(&mut self.rng, Base::HalfOrByte);
        if self.huge.is_some() {
            let least = HUGE[self.turns % HUGE.len()];
            // Any lines, but no more of the largest rings than time allows.
            let lines = if least < 1 << 15 { self.rng.draw() as u16 } else { pins.init_lines };
            pins.init_lines = least | lines & (least - 1);
        }
        self.lines = pins.init_lines;
        (self.is_new, self.stores) = (false, 0);
        if self.lines == 0 {
            self.without_buffer = self.rng.below(WITHOUT_BUFFER);
        }
        self.findings.count(Event::InitOdd, self.double_mode && pins.init_lines % 2 == 1);
    }

    fn swap(&mut self) {
        let inside = self.ledger.inside()[!self.pull_part as usize];
        // Full lines are stored as they are; what is over is in the line buffer.
        let partial = !inside.is_multiple_of(LINE_IDS as u32);
        self.findings.count(Event::SwapPartial, partial);
        self.findings.count(Event::SwapEmpty, !partial);
        self.pull_part = !self.pull_part;
    }

    fn serve_memory(&mut self, out: &HvuOut, pins: &mut HvuIn) {
        let served = self.memory.serve(&mut self.rng, &out.memory, &mut pins.memory);
        self.findings.count(Event::LineWaits, self.memory.is_waiting() && !out.memory.line_ready);
        match served {
            Ok(served) => {
                let c = &mut self.findings;
                let stored = served.store | served.partial_store;
                self.stores += u32::from(stored);
                c.count(Event::FarLine, served.store && out.memory.mem_line > u32::MAX - FAR);
                c.count(Event::LongRing, stored && self.stores == MANY_STORES + 1);
                c.count(Event::Store, served.store);
                c.count(Event::PartialStore, served.partial_store);
                c.count(Event::LowerLine, served.lower_line);
                c.count(Event::RequestWaits, served.waits);
                c.count(Event::Load, served.load);
                c.count(Event::PartialLoad, served.partial_load);
                c.count(Event::FourLoads, served.four_loads);
                c.count(Event::OutOfOrder, served.out_of_order);
            }
            Err(text) => self.findings.complain(text),
        }
    }
}

impl Stimulus for HvuStimulus {
    type In = HvuIn;
    type Out = HvuOut;

    fn next(&mut self, out: &HvuOut, pins: &mut HvuIn) -> bool {
        self.observe(out);
        self.long = self.long.saturating_sub(1);
        self.age += 1;
        if let Some(huge) = self.huge {
            if self.live(huge, out) {
                self.huge_behind = self.age + ORDINARY;
                self.restart();
                return true;
            }
        } else if self.phase.begins(&mut self.rng) {
            self.aims = self.rng.one_in(2);
            self.memory.choose_manner(&mut self.rng);
            if self.long > 0 {
                self.go_round();
            } else if self.phase.resets(&mut self.rng) {
                self.findings.count(Event::Reset, out.holds);
                self.restart();
                return true;
            }
        }
        self.accept(pins);
        let pauses = self.pauses(out);
        self.control(out, pins);
        if pins.configure || pins.init || pins.swap {
            pins.spill = 0;
            self.judged = std::mem::take(&mut self.spilled);
        } else {
            self.spill(out, pins);
        }
        if pins.swap {
            self.swap();
        }
        pins.room = self.phase.room.happens(&mut self.rng) && !pauses;
        pins.demand = self.phase.demand.happens(&mut self.rng);
        self.findings.count(Event::Wish, pins.demand);
        self.serve_memory(out, pins);
        (self.filled, self.filled_id) = (out.fill_push, out.fill_id);
        false
    }

    fn coverage(&self) -> Coverage {
        self.findings.coverage_without(&[(!self.demand, &[Event::Pending])])
    }
}
