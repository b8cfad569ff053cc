//! Legal random inputs of `bank`.

use crate::stimulus::{events, phases, Coverage, Phases, Rng, Stimulus};
use sim::units::hwwl::pins::{BankIn, BankOut, LINE_IDS};

events! { BankStimulus:
    PullFound = "pull finds an ID",
    PullEmpty = "pull of an empty side",
    PullReserved = "pull of a side that has reserved entries alone",
    Push = "push",
    Filled = "push side fills up",
    FilledByReserve = "a side fills up by reserved entries",
    Wrapped = "pointer of a partition wraps",
    SwapObeyed = "swap obeyed",
    SwapRefused = "swap of a pull side that holds IDs",
    SwapReserved = "swap of a pull side that has reserved entries alone",
    SwapInSingle = "swap in single-buffer mode",
    SwapBesideWru = "swap beside a WRU request",
    SwapBesideFill = "swap beside a fill",
    ConfiguredSingle = "configured as single",
    ConfiguredDouble = "configured as double",
    ConfigureRefused = "configure of a bank that holds IDs",
    ConfigureReserved = "configure of a bank that has reserved entries alone",
    ConfigureBesidePop = "configure beside a wru_pop",
    WruPopDone = "wru_pop",
    WruPopBlocked = "wru_pop while a lane has the port",
    WruPopEmpty = "wru_pop of an empty partition",
    WruPopBesideMiss = "wru_pop beside a pull that leaves the port free",
    WruPopOfOtherMode = "wru_pop of partition 1 in single-buffer mode",
    WruPushDone = "wru_push",
    WruPushBlocked = "wru_push while a lane has the port",
    WruPushFull = "wru_push to a full partition",
    WruPushBesideMiss = "wru_push beside a pull that leaves the port free",
    FillDone = "fill",
    FillReservedDone = "fill of a reserved entry",
    FillReservedFull = "fill of a reserved entry of a full side",
    FillReservedAtOnce = "fill of an entry that is reserved in the same cycle",
    FillBlockedByLane = "fill while a lane has the port",
    FillBlockedByWru = "fill while the WRU has the port",
    FillFull = "fill of a full partition",
    FillBesideMiss = "fill beside requests that leave the port free",
    AllThree = "lane, WRU and fill in one cycle",
    Reserve = "reserve",
    ReserveAgain = "reserve with entries that are reserved already",
    Unreserve = "unreserve",
    UnreserveBesideFill = "unreserve beside a fill of a reserved entry",
    Reset = "reset of a bank that holds IDs",
}

phases! {
    /// Chances in 256ths. What `pull` and `push` leave over is shared by `swap` and nothing.
    PHASES: Phase (
        pull: u8,
        push: u8,
        swap: u8,
        wru_pop: u8,
        wru_push: u8,
        fill: u8,
        reserve: u8,
        unreserve: u8,
        configure: u8,
    )
    // Fill, drain.
    (8, 216, 0, 16, 16, 16, 4, 4, 1)
    (216, 8, 16, 16, 16, 16, 4, 4, 1)
    // The WRU alone.
    (0, 0, 8, 16, 200, 0, 0, 0, 1)
    (0, 0, 8, 200, 16, 0, 0, 40, 1)
    // Fills alone, into reserved entries and others; promises that are not kept.
    (0, 0, 2, 4, 4, 220, 40, 2, 1)
    (0, 0, 8, 0, 0, 10, 60, 0, 1)
    (40, 4, 20, 10, 0, 40, 4, 120, 4)
    (120, 10, 4, 20, 10, 200, 60, 20, 2)
    // Everything meets everything.
    (100, 100, 40, 120, 120, 128, 30, 20, 2)
    (120, 60, 60, 60, 60, 128, 60, 60, 2)
    // Streams through one side.
    (128, 128, 0, 0, 0, 0, 0, 0, 0)
    // Mostly empty, mode changes.
    (180, 20, 40, 100, 10, 10, 4, 80, 60)
    (30, 0, 60, 60, 0, 0, 60, 0, 60)
    // Hardly anything.
    (4, 4, 4, 4, 4, 4, 4, 4, 4)
}

/// One reset in so many phases.
const RESET: u32 = 4096;

#[derive(Default)]
pub struct BankStimulus {
    rng: Rng,
    entries: u32,
    /// Entries that one `reserve` promises.
    refill: u32,
    phase: Phases<Phase>,
    /// Mode, partition that is the pull side, and promised entries: followed from what the bank was told and what it shows.
    double_mode: bool,
    pull_part: bool,
    reserved: u32,
    /// The last cycle: its inputs, its outputs, and the promises before it.
    last: BankIn,
    before: BankOut,
    reserved_before: u32,
    after_reset: bool,
    /// IDs appended to each partition since its pointers were cleared.
    appended: [u32; 2],
    findings: Findings,
}

impl BankStimulus {
    pub fn new(entries: usize, lanes: usize, seed: u64) -> Self {
        BankStimulus {
            rng: Rng::new(seed),
            entries: entries as u32,
            refill: (LINE_IDS / lanes) as u32,
            phase: Phases::new(PHASES, 8..8 + 3 * entries as u32, RESET / (entries as u32).clamp(16, 1024)),
            after_reset: true,
            ..Default::default()
        }
    }

    fn capacity(&self) -> u32 {
        self.entries >> self.double_mode as u32
    }

    fn clear_pointers(&mut self) {
        self.pull_part = false;
        self.appended = [0; 2];
    }

    fn append(&mut self, part: bool) {
        let capacity = self.capacity();
        let appended = &mut self.appended[part as usize];
        *appended += 1;
        if *appended == capacity {
            *appended = 0;
            self.findings.count(Event::Wrapped, true);
        }
    }

    /// Effects of the last cycle, seen from outside: its inputs, its outputs, and the outputs after it.
    fn observe(&mut self, after: &BankOut) {
        if self.after_reset {
            self.after_reset = false;
            return;
        }
        let last = self.last;
        self.count_lane(&last, after);
        self.count_wru(&last, after);
        self.count_fill(&last, after);
        if last.push {
            self.append(self.pull_part != self.double_mode);
        }
        if after.wru_accepted {
            self.append(last.wru_part);
        }
        if after.fill_accepted {
            self.append(if last.fill_reserved { self.pull_part } else { last.fill_part });
        }
        let kept = u32::from(after.fill_accepted && last.fill_reserved) + u32::from(last.unreserve);
        self.reserved = self.reserved + u32::from(last.reserve) * self.refill - kept;
        if last.swap {
            self.observe_swap(&last);
        }
        if last.configure {
            self.observe_configure(&last);
        }
    }

    fn lane_took_port(last: &BankIn, after: &BankOut) -> bool {
        last.push || after.pull_valid
    }

    fn count_lane(&mut self, last: &BankIn, after: &BankOut) {
        let before = &self.before;
        let c = &mut self.findings;
        c.count(Event::PullFound, after.pull_valid);
        c.count(Event::PullEmpty, last.pull && !after.pull_valid);
        c.count(Event::PullReserved, last.pull && !after.pull_valid && self.reserved_before > 0);
        c.count(Event::Push, last.push);
        let filled = after.full && !before.full && !last.swap;
        c.count(Event::Filled, filled);
        c.count(Event::FilledByReserve, filled && last.reserve);
    }

    fn count_wru(&mut self, last: &BankIn, after: &BankOut) {
        let lane = Self::lane_took_port(last, after);
        let miss = last.pull && !after.pull_valid;
        let c = &mut self.findings;
        c.count(Event::WruPopDone, after.wru_valid);
        c.count(Event::WruPopBlocked, last.wru_pop && lane);
        c.count(Event::WruPopEmpty, last.wru_pop && !lane && !after.wru_valid);
        c.count(Event::WruPopBesideMiss, after.wru_valid && miss);
        c.count(Event::WruPopOfOtherMode, last.wru_pop && last.wru_part && !self.double_mode);
        c.count(Event::WruPushDone, after.wru_accepted);
        c.count(Event::WruPushBlocked, last.wru_push && lane);
        c.count(Event::WruPushFull, last.wru_push && !lane && !after.wru_accepted);
        c.count(Event::WruPushBesideMiss, after.wru_accepted && miss);
    }

    fn count_fill(&mut self, last: &BankIn, after: &BankOut) {
        let lane = Self::lane_took_port(last, after);
        let wru = after.wru_valid || after.wru_accepted;
        let miss = !lane && !wru && (last.pull || last.wru_pop || last.wru_push);
        let reserved = after.fill_accepted && last.fill_reserved;
        let c = &mut self.findings;
        c.count(Event::FillDone, after.fill_accepted && !last.fill_reserved);
        c.count(Event::FillReservedDone, reserved);
        c.count(
            Event::FillReservedFull,
            reserved && self.before.pull_occupancy == self.entries >> self.double_mode as u32,
        );
        c.count(Event::FillReservedAtOnce, reserved && self.reserved_before == 0);
        c.count(Event::FillBlockedByLane, last.fill_push && lane);
        c.count(Event::FillBlockedByWru, last.fill_push && wru);
        c.count(Event::FillFull, last.fill_push && !lane && !wru && !after.fill_accepted);
        c.count(Event::FillBesideMiss, after.fill_accepted && miss);
        c.count(Event::AllThree, (last.pull || last.push) && (last.wru_pop || last.wru_push) && last.fill_push);
        c.count(Event::Reserve, last.reserve);
        c.count(Event::ReserveAgain, last.reserve && self.reserved_before > 0);
        c.count(Event::Unreserve, last.unreserve);
        c.count(Event::UnreserveBesideFill, last.unreserve && last.fill_push && last.fill_reserved);
    }

    fn observe_swap(&mut self, last: &BankIn) {
        let holds = self.before.pull_occupancy > self.reserved_before;
        let obeyed = self.double_mode && self.before.empty;
        self.pull_part ^= obeyed;
        let c = &mut self.findings;
        c.count(Event::SwapObeyed, obeyed);
        c.count(Event::SwapRefused, self.double_mode && holds);
        c.count(Event::SwapReserved, self.double_mode && !holds && self.reserved_before > 0);
        c.count(Event::SwapInSingle, !self.double_mode);
        c.count(Event::SwapBesideWru, obeyed && (last.wru_pop || last.wru_push));
        c.count(Event::SwapBesideFill, obeyed && last.fill_push);
    }

    fn observe_configure(&mut self, last: &BankIn) {
        let (holds, reserved) = (self.before.held > 0, self.reserved_before > 0);
        let obeyed = !holds && !reserved;
        if obeyed {
            self.double_mode = last.double_buffer;
            self.clear_pointers();
        }
        let c = &mut self.findings;
        c.count(Event::ConfiguredSingle, obeyed && !last.double_buffer);
        c.count(Event::ConfiguredDouble, obeyed && last.double_buffer);
        c.count(Event::ConfigureRefused, holds);
        c.count(Event::ConfigureReserved, !holds && reserved);
        c.count(Event::ConfigureBesidePop, last.wru_pop);
    }

    fn choose(&mut self, outputs: &BankOut, pins: &mut BankIn) {
        let (choice, ids) = (self.rng.draw(), self.rng.draw());
        let byte = |i: u32| (choice >> (8 * i)) as u8;
        let phase = *self.phase;
        pins.push_id = ids as u32 & 0xff_ffff;
        pins.wru_id = (ids >> 32) as u32 & 0xff_ffff;
        pins.double_buffer = choice >> 48 & 1 == 1;
        // Pin values that no request goes with are as random as the others.
        pins.wru_part = self.double_mode && choice >> 49 & 1 == 1;
        pins.configure = byte(2) < phase.configure;
        let (lane, wru) = (byte(0), byte(1));
        let (pull, push) = (phase.pull, phase.pull.saturating_add(phase.push));
        let others = !pins.configure;
        pins.pull = others && lane < pull;
        pins.push = others && lane >= pull && lane < push && !outputs.full;
        pins.swap = others && lane >= push && byte(3) < phase.swap.saturating_mul(4);
        pins.wru_pop = wru < phase.wru_pop;
        pins.wru_push = others && wru >= phase.wru_pop && wru < phase.wru_pop.saturating_add(phase.wru_push);
        if pins.wru_pop && !self.double_mode {
            pins.wru_part = choice >> 50 & 15 == 0;
        }
        self.choose_fill(outputs, pins);
    }

    fn choose_fill(&mut self, outputs: &BankOut, pins: &mut BankIn) {
        let choice = self.rng.draw();
        let byte = |i: u32| (choice >> (8 * i)) as u8;
        let phase = *self.phase;
        let alone = !pins.configure && !pins.swap;
        pins.fill_id = (choice >> 40) as u32;
        pins.fill_part = self.double_mode && byte(3) & 1 == 1;
        pins.fill_reserved = byte(3) & 2 == 2;
        // One more ID may come to the pull side in this cycle.
        let free = self.capacity() - outputs.pull_occupancy;
        pins.reserve = alone && byte(1) < phase.reserve && free > self.refill;
        let promised = self.reserved + u32::from(pins.reserve) * self.refill;
        pins.fill_push = !pins.configure && byte(0) < phase.fill && (!pins.fill_reserved || promised > 0);
        let filled = u32::from(pins.fill_push && pins.fill_reserved);
        pins.unreserve = alone && byte(2) < phase.unreserve && promised > filled;
    }
}

/// Events of a bank with room for a refill.
const OF_REFILLS: [Event; 11] = [
    Event::PullReserved,
    Event::FilledByReserve,
    Event::SwapReserved,
    Event::ConfigureReserved,
    Event::FillReservedDone,
    Event::FillReservedFull,
    Event::FillReservedAtOnce,
    Event::Reserve,
    Event::ReserveAgain,
    Event::Unreserve,
    Event::UnreserveBesideFill,
];

impl Stimulus for BankStimulus {
    type In = BankIn;
    type Out = BankOut;

    fn next(&mut self, outputs: &BankOut, pins: &mut BankIn) -> bool {
        self.observe(outputs);
        if self.phase.next(&mut self.rng) {
            self.findings.count(Event::Reset, outputs.held > 0);
            (self.double_mode, self.reserved) = (false, 0);
            self.clear_pointers();
            self.after_reset = true;
            return true;
        }
        self.choose(outputs, pins);
        self.last = *pins;
        self.before = *outputs;
        self.reserved_before = self.reserved;
        false
    }

    fn coverage(&self) -> Coverage {
        let has_room = |entries: u32| entries > self.refill;
        let half = !has_room(self.entries / 2);
        self.findings.coverage_without(&[(!has_room(self.entries), &OF_REFILLS), (half, &[Event::SwapReserved])])
    }
}
