//! Legal random inputs of `hwwl_core`: threads, a memory, the ICRN with other cores behind it, and for a core without
//! redistribution unit of its own (gsorting) that unit. Every ID comes out once, and DONE is told only when there is no work.

use super::ledger::Ledger;
use super::memory::{has_room_for_four_loads, Base, Memory, Served, MANNERS};
use super::other_cores::{Moved, OtherCores};
use super::outer_wru::OuterWru;
use super::threads::{Answers, Lanes, Manner, May, Request, Threads, FILL, FILLING, FULL, QUIET, THOUSANDS};
use crate::stimulus::{events, phases, AnyFindings, Chance, Counts, Coverage, Phases, Rng, Stimulus};
use sim::units::hwwl::pins::{CoreIn, CoreOut, ExternalCoreIn, ExternalCoreOut};
use sim::units::hwwl::{Parameters, Refill, Scheme};

events! { HwwlCoreStimulus:
    PullId = "a pull gets an ID",
    PullMoved = "a pull gets an ID that another lane pushed",
    PullForeign = "a pull gets an ID of another core",
    Wait = "a pull waits",
    WaitForAnother = "a pull waits while another gets an ID",
    WaitUnsettled = "a pull waits although all have done",
    DoneSingle = "done in single-buffer mode",
    DoneDouble = "done in double-buffer mode",
    DoneWithPushed = "done while the push side holds IDs",
    AllLanesPull = "all lanes pull",
    AllLanesPush = "all lanes push",
    PushWaits = "pushes are not welcome",
    LeaveAndPull = "a thread leaves and pulls again",
    LeaveAlone = "a thread leaves",
    Overflow = "overflow",
    Store = "store of a full line",
    PartialStore = "store of a partial line",
    Load = "load",
    PartialLoad = "load of a partial line",
    FourLoads = "four loads on their way",
    OutOfOrder = "a load is overtaken by a later one",
    RequestWaits = "a request waits for memory",
    Pending = "a refill is wanted",
    ExchangeObeyed = "kernel_end obeyed",
    ExchangeRefused = "kernel_end ignored in double-buffer mode",
    ExchangeSingle = "kernel_end in single-buffer mode",
    ConfiguredSingle = "configured as single",
    ConfiguredDouble = "configured as double",
    ConfigureRefused = "configure of a core that holds IDs",
    InitRefused = "init of a core that holds IDs",
    Greedy = "greedy",
    OutPull = "an ID of the pull partition leaves for another core",
    OutPush = "an ID of the push partition leaves for another core",
    OutWaits = "an ID for another core waits",
    InPull = "an ID of the pull partition arrives",
    InPush = "an ID of the push partition arrives",
    InWaits = "an arriving ID waits",
    InTurnedAway = "a bank turns down an arrived ID",
    Given = "a bank gives an ID to the outer redistribution unit",
    NotGiven = "a bank gives none to the outer redistribution unit",
    Taken = "a bank takes an ID of the outer redistribution unit",
    NotTaken = "a bank turns down an ID of the outer redistribution unit",
    BufferFirst = "a buffer is given before the mode is set",
    Thousands = "4,096 IDs in the core",
    Drained = "the core becomes empty",
    Reset = "reset of a core that holds IDs",
}

phases! {
    PHASES: Phase (threads: Manner, kernel_end, configure, init, outer)
    // Fill, drain.
    (Manner::new((0, All), (240, Random), 60), 2, 1, 1, 20)
    (Manner::new((4, Random), (120, Random), 60), 4, 1, 1, 20)
    (Manner::new((200, Random), (0, All), 256), 8, 1, 1, 60)
    (Manner::new((250, All), (4, Fixed), 128), 2, 1, 1, 60)
    (Manner::new((30, All), (30, All), 128), 2, 1, 1, 100)
    // One lane expands a hub, all others wait for its IDs.
    (Manner::new((60, Random), (60, Fixed), 200), 2, 1, 1, 100)
    (Manner::new((20, Fixed), (40, Fixed), 60), 1, 0, 0, 100)
    (Manner::new((0, All), (200, Fixed), 60), 1, 0, 0, 200)
    // A lane pushes in nearly every cycle: its bank is full before an ID that moves to it is in.
    (Manner::new((0, All), (255, Fixed), 0), 0, 0, 0, 100)
    (Manner::new((100, Random), (100, Random), 60), 10, 4, 1, 40)
    // Drained and reconfigured.
    (Manner::new((120, All), (2, Random), 256), 20, 20, 10, 40)
    (Manner::new((250, All), (0, All), 256), 10, 2, 1, 10)
    (Manner::new((60, All), (0, All), 256), 40, 40, 40, 10)
    // Redistribution, spills and refills alone.
    (Manner::new((2, Random), (2, Random), 128), 2, 2, 2, 200)
}

use Lanes::{All, Fixed, Random};

/// Cycles after which the register of an arrived ID is empty if the first bank accepts it.
const ARRIVAL: u8 = 3;
/// Cycles of a run behind which the core is filled after a reset now and then, and emptied again. Campaigns end a segment before that.
const HUGE_BEHIND: u64 = 1 << 16;
/// Cycles at least between that and the next time.
const ORDINARY: u64 = 1 << 17;
/// By turns such a core gets so many IDs.
const FULLS: [u32; 4] = [FULL, 2 * FULL, FULLEST, FULLEST / 2];
/// The highest bit of `count`: only one ring of all lines and the banks together have so many.
pub(super) const FULLEST: u32 = 1 << 21;
/// The least lines of its buffer.
const HUGE_LINES: u16 = 1 << 15;
/// Cycles for an ID that goes to memory or comes back, at most.
pub(super) const SLOWEST: u32 = 4;
/// Manner that empties a core.
pub(super) const DRAIN: Manner = Manner::new((255, All), (0, All), 256);
/// Once in a while a few lanes push while a partial line is dealt out: the words of their banks wait, those of others are through.
const BUSY: Manner = Manner::new((0, All), (255, Fixed), 0);
/// Cycles for which they do.
const DEALING: u8 = 16;
/// Cycles for which a core that has overflowed goes on at most.
const AFTER_OVERFLOW: u32 = 100;

#[derive(Default)]
pub struct HwwlCoreStimulus {
    rng: Rng,
    parameters: Parameters,
    phase: Phases<Phase>,
    threads: Threads,
    ledger: Ledger,
    memory: Memory,
    other_cores: OtherCores,
    /// Cycles after reset in which mode and buffer are usually set.
    opening: u8,
    /// The buffer is given before the mode is set.
    buffer_first: bool,
    /// Cycles for which it is filled, with how many IDs, and cycles for which it is emptied then.
    filling: u32,
    full: u32,
    draining: u32,
    /// Cycles of the run, those behind which the core is filled, and how often that has been done.
    age: u64,
    huge_behind: u64,
    turns: u32,
    /// Some IDs were dropped; which, the pins do not tell.
    overflowed: bool,
    /// Cycles since the last request of a thread; a `kernel_end` is wanted.
    quiet: u32,
    ends: bool,
    /// Cycles since an ID arrived.
    since_arrival: u8,
    /// Cycles for which a few lanes push.
    busy: u8,
    /// The last cycle: its inputs other than IDs, and what was shown.
    last: Last,
    findings: Findings,
}

#[derive(Clone, Copy, Default)]
struct Last {
    configure: bool,
    /// The core held nothing then, nor in the cycle before.
    configured: bool,
    kernel_end: bool,
    all_done: bool,
    count: u32,
    pull_part: bool,
    double_mode: bool,
}

impl HwwlCoreStimulus {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let mut stimulus = HwwlCoreStimulus {
            rng: Rng::new(seed),
            parameters: *parameters,
            phase: Phases::new(PHASES, 8..8 + (6 * parameters.entries as u32).max(300), 32),
            threads: Threads::new(0, parameters.lanes),
            memory: Memory::new(),
            other_cores: OtherCores::new(),
            since_arrival: u8::MAX,
            huge_behind: HUGE_BEHIND,
            ..Default::default()
        };
        stimulus.restart();
        stimulus.filling = if stimulus.rng.one_in(2) { FILLING } else { 0 };
        stimulus
    }

    /// As after reset.
    fn restart(&mut self) {
        self.threads.clear();
        self.ledger.clear();
        self.memory.clear();
        self.other_cores.clear();
        (self.opening, self.filling, self.buffer_first) = (2, 0, self.rng.one_in(4));
        self.full = FULL;
        if self.age > self.huge_behind {
            self.full = FULLS[self.turns as usize % FULLS.len()];
            (self.filling, self.draining) = (SLOWEST * self.full, SLOWEST * self.full);
            self.turns += 1;
        }
        (self.overflowed, self.quiet, self.ends) = (false, 0, false);
        self.since_arrival = u8::MAX;
        self.last = Last::default();
    }

    fn begin_phase(&mut self) {
        self.threads.choose_fixed(&mut self.rng);
        self.memory.choose_manner(&mut self.rng);
        self.other_cores.choose_manner(&mut self.rng);
    }

    /// IDs in the core: all but those that the ICRN, and `between` that the outer redistribution unit, still offers to it.
    fn inside(&self, between: u32) -> u32 {
        self.ledger.total() - self.other_cores.offered() - between
    }

    fn observe(&mut self, out: &CoreOut, between: u32) {
        let last = self.last;
        let answers = self.threads.answers(out.status, &out.id, last.pull_part, &mut self.ledger);
        // An ID counts in the cycle in which it is handed out.
        let mut inside = self.inside(between);
        match answers {
            Ok(answers) => {
                inside += answers.ids.count_ones();
                self.observe_answers(&answers, &last, out);
            }
            Err(text) => self.findings.complain(text),
        }
        if !self.overflowed && !out.overflow && out.count != inside {
            self.findings.complain(format!("count is {}, but {inside} IDs are inside", out.count));
        }
        let c = &mut self.findings;
        c.count(Event::Overflow, out.overflow);
        c.count(Event::Pending, out.pending);
        c.count(Event::Greedy, out.icrn.greedy != 0);
        let exchanged = out.pull_part != last.pull_part;
        c.count(Event::ExchangeObeyed, last.kernel_end && exchanged);
        c.count(Event::ExchangeRefused, last.kernel_end && last.double_mode && !exchanged);
        c.count(Event::ExchangeSingle, last.kernel_end && !last.double_mode);
        c.count(Event::ConfiguredSingle, last.configured && !out.double_mode);
        c.count(Event::ConfiguredDouble, last.configured && out.double_mode);
        c.count(Event::ConfigureRefused, last.configure && !last.configured);
        c.count(Event::Thousands, last.count < THOUSANDS && out.count >= THOUSANDS);
        c.count(Event::Drained, last.count > 0 && out.count == 0);
        if exchanged && !last.kernel_end && !last.configure {
            self.findings.complain("the sides are exchanged without kernel_end".into());
        }
        if out.overflow && !self.overflowed {
            self.overflowed = true;
            self.phase.ends_in(AFTER_OVERFLOW);
        }
    }

    fn observe_answers(&mut self, answers: &Answers, last: &Last, out: &CoreOut) {
        let all = self.threads.all_lanes();
        let asked = self.threads.asked();
        let c = &mut self.findings;
        c.count(Event::PullId, answers.ids != 0);
        c.count(Event::PullMoved, answers.moved & !answers.foreign != 0);
        c.count(Event::PullForeign, answers.foreign != 0);
        c.count(Event::Wait, answers.waits != 0);
        c.count(Event::WaitForAnother, answers.waits != 0 && answers.ids != 0);
        c.count(Event::WaitUnsettled, answers.waits != 0 && last.all_done);
        c.count(Event::DoneSingle, answers.dones != 0 && !last.double_mode);
        c.count(Event::DoneDouble, answers.dones != 0 && last.double_mode);
        c.count(Event::DoneWithPushed, answers.dones != 0 && out.count > 0);
        c.count(Event::AllLanesPull, asked == all);
        if answers.dones != 0 && !self.overflowed {
            let left = self.ledger.inside()[last.pull_part as usize];
            if left > 0 {
                self.findings.complain(format!("a thread is told DONE, but {left} IDs can be pulled"));
            }
            if !last.double_mode && self.threads.active() > 0 {
                self.findings
                    .complain(format!("a thread is told DONE, but threads hold {} IDs", self.threads.active()));
            }
        }
    }

    /// Requests of the core's own: mode, buffer, exchange. True if the threads have to be silent in this cycle.
    fn control(&mut self, out: &CoreOut, pins: &mut CoreIn, may_configure: bool) -> bool {
        (pins.configure, pins.init, pins.kernel_end) = (false, false, false);
        if self.opening > 0 {
            self.opening -= 1;
            let usual = !self.rng.one_in(4) || self.filling > 0;
            if usual && (self.opening == 1) != self.buffer_first {
                (pins.configure, pins.double_buffer) = (true, self.rng.one_in(2) && self.full < FULLEST);
            } else if usual {
                self.findings.count(Event::BufferFirst, self.opening == 1);
                self.init(out, pins);
            }
            return true;
        }
        if self.filling > 0 {
            self.memory.manner = MANNERS[0];
            let enough = out.count >= self.full || self.overflowed && self.age > HUGE_BEHIND;
            self.filling = if enough { 0 } else { self.filling - 1 };
            return false;
        }
        if self.draining > 0 {
            self.huge_behind = self.age + ORDINARY;
            self.memory.manner = MANNERS[0];
            self.draining = if out.count == 0 || self.overflowed { 0 } else { self.draining - 1 };
        }
        if self.ends {
            pins.kernel_end = self.quiet >= QUIET && out.push_ready;
            // Once more now and then, too early to be obeyed.
            self.ends = !(pins.kernel_end && self.rng.one_in(2));
            return true;
        }
        let choice = self.rng.draw();
        let chosen = |shift: u32, chance: Chance| choice >> shift & 0x3ff < u64::from(chance.0);
        if chosen(0, self.phase.kernel_end) {
            self.ends = true;
            return true;
        }
        if self.draining > 0 {
            return false;
        }
        if chosen(10, self.phase.configure) && may_configure && self.other_cores.is_empty() {
            pins.configure = true;
            pins.double_buffer = choice >> 63 == 1;
            return true;
        }
        if chosen(20, self.phase.init) {
            self.init(out, pins);
            return true;
        }
        false
    }

    fn init(&mut self, out: &CoreOut, pins: &mut CoreIn) {
        pins.init = true;
        let choose = if self.filling > 0 { Memory::choose_large_buffer } else { Memory::choose_buffer };
        (pins.init_base, pins.init_lines) = choose(&mut self.rng, Base::HalfOrByte);
        if self.filling > 0 && self.age > HUGE_BEHIND {
            pins.init_lines |= if self.full < FULLEST { HUGE_LINES } else { u16::MAX };
        }
        if out.count == 0 {
            self.memory.clear();
        }
        self.findings.count(Event::InitRefused, out.count > 0);
    }

    fn choose(&mut self, out: &CoreOut, pins: &mut CoreIn, may_configure: bool) {
        self.busy = self.busy.saturating_sub(1);
        let silent = self.control(out, pins, may_configure);
        let request =
            Request { pull: &mut pins.pull, push: &mut pins.push, leave: &mut pins.leave, push_id: &mut pins.push_id };
        if silent {
            self.threads.rest(request);
        } else {
            let part = out.double_mode && !out.pull_part;
            let may = May { pull: true, push: out.push_ready, active_alone: false };
            let manner = match (self.filling, self.draining) {
                (0, 0) if self.busy > 0 => &BUSY,
                (0, 0) => &self.phase.threads,
                (0, _) => &DRAIN,
                _ => &FILL,
            };
            self.threads.ask(&mut self.rng, manner, may, part, &mut self.ledger, request);
        }
        self.quiet = if pins.pull | pins.push | pins.leave == 0 { self.quiet + 1 } else { 0 };
        let c = &mut self.findings;
        c.count(Event::PushWaits, !out.push_ready);
        c.count(Event::AllLanesPush, pins.push == self.threads.all_lanes());
        c.count(Event::LeaveAndPull, pins.leave & pins.pull != 0);
        c.count(Event::LeaveAlone, pins.leave & !pins.pull != 0);
    }

    fn count_memory(&mut self, served: &Served) {
        let c = &mut self.findings;
        c.count(Event::Store, served.store);
        c.count(Event::PartialStore, served.partial_store);
        c.count(Event::Load, served.load);
        c.count(Event::PartialLoad, served.partial_load);
        c.count(Event::FourLoads, served.four_loads);
        c.count(Event::OutOfOrder, served.out_of_order);
        c.count(Event::RequestWaits, served.waits);
    }

    fn count_moves(&mut self, moved: &Moved, out: &CoreOut) {
        let is = |part: Option<bool>, pull: bool| part.is_some_and(|part| (part == out.pull_part) == pull);
        let c = &mut self.findings;
        c.count(Event::OutPull, is(moved.out, true));
        c.count(Event::OutPush, is(moved.out, false));
        c.count(Event::OutWaits, moved.out_waits);
        c.count(Event::InPull, is(moved.into, true));
        c.count(Event::InPush, is(moved.into, false));
        c.count(Event::InWaits, moved.in_waits);
        // Taken, offered to a bank, accepted: then the register is empty.
        c.count(Event::InTurnedAway, self.since_arrival == ARRIVAL && !out.icrn.in_ready);
        self.since_arrival = if moved.into.is_some() { 1 } else { self.since_arrival.saturating_add(1) };
    }

    /// The cycle, but for the outer redistribution unit; `between` IDs are not in the core.
    fn drive(&mut self, out: &CoreOut, pins: &mut CoreIn, between: u32, may_configure: bool) -> bool {
        self.observe(out, between);
        self.age += 1;
        if self.phase.begins(&mut self.rng) {
            self.begin_phase();
            if self.filling == 0 && self.draining == 0 && self.phase.resets_if(self.overflowed, &mut self.rng) {
                self.findings.count(Event::Reset, out.count > 0);
                self.restart();
                return true;
            }
        }
        self.choose(out, pins, may_configure);
        match self.memory.serve(&mut self.rng, &out.memory, &mut pins.memory) {
            Ok(served) => {
                self.count_memory(&served);
                if served.partial_reply && self.rng.one_in(2) {
                    self.threads.choose_fixed(&mut self.rng);
                    self.busy = DEALING;
                }
            }
            Err(text) => self.findings.complain(text),
        }
        let (part, double) = (out.pull_part, out.double_mode);
        match self.other_cores.serve(&mut self.rng, &out.icrn, &mut pins.icrn, &mut self.ledger, part, double) {
            Ok(moved) => self.count_moves(&moved, out),
            Err(text) => self.findings.complain(text),
        }
        let configured = pins.configure && out.count == 0 && self.last.count == 0;
        if configured {
            self.other_cores.empty_others();
        }
        self.last = Last {
            configure: pins.configure,
            configured,
            kernel_end: pins.kernel_end,
            all_done: pins.icrn.all_done,
            count: out.count,
            pull_part: part,
            double_mode: double,
        };
        false
    }
}

const OF_OUTER: [Event; 4] = [Event::Given, Event::NotGiven, Event::Taken, Event::NotTaken];
const OF_SENDING: [Event; 3] = [Event::Greedy, Event::OutPull, Event::OutWaits];

impl Stimulus for HwwlCoreStimulus {
    type In = CoreIn;
    type Out = CoreOut;

    fn next(&mut self, out: &CoreOut, pins: &mut CoreIn) -> bool {
        self.drive(out, pins, 0, true)
    }

    fn coverage(&self) -> Coverage {
        let Parameters { scheme, refill, entries, threshold, .. } = self.parameters;
        // Nobody is greedy who cannot hold more than the threshold.
        let is_local = matches!(scheme, Scheme::Threshold | Scheme::LocalSorting | Scheme::Serial);
        let sends = |capacity: usize| is_local && capacity > threshold as usize;
        self.findings.coverage_without(&[
            (scheme != Scheme::GlobalSorting, &OF_OUTER),
            (!sends(entries), &OF_SENDING),
            (!sends(entries / 2), &[Event::OutPush]),
            (scheme == Scheme::None, &[Event::PullMoved]),
            (refill != Refill::Demand, &[Event::Pending]),
            (!has_room_for_four_loads(&self.parameters), &[Event::FourLoads]),
        ])
    }
}

/// For a core whose redistribution unit is outside.
pub struct ExternalCoreStimulus {
    core: HwwlCoreStimulus,
    outer: OuterWru,
}

impl ExternalCoreStimulus {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let parameters = Parameters { scheme: Scheme::GlobalSorting, ..*parameters };
        ExternalCoreStimulus { core: HwwlCoreStimulus::new(&parameters, seed), outer: OuterWru::new(parameters.lanes) }
    }
}

impl Counts for ExternalCoreStimulus {
    fn findings(&self) -> &dyn AnyFindings {
        self.core.findings()
    }
}

impl Stimulus for ExternalCoreStimulus {
    type In = ExternalCoreIn;
    type Out = ExternalCoreOut;

    fn next(&mut self, out: &ExternalCoreOut, pins: &mut ExternalCoreIn) -> bool {
        let between = self.outer.offered();
        let may_configure = self.outer.is_empty();
        if self.core.drive(&out.core, &mut pins.core, between, may_configure) {
            self.outer.clear();
            return true;
        }
        let HwwlCoreStimulus { rng, ledger, findings, phase, .. } = &mut self.core;
        self.outer.start = if pins.core.configure { Chance::NEVER } else { phase.outer };
        let served = self.outer.serve(rng, &out.wru, &out.core.id, &mut pins.wru, ledger, out.core.double_mode);
        match served {
            Ok(outcome) => {
                findings.count(Event::Given, outcome.given);
                findings.count(Event::NotGiven, outcome.not_given);
                findings.count(Event::Taken, outcome.taken);
                findings.count(Event::NotTaken, outcome.not_taken);
            }
            Err(text) => findings.complain(text),
        }
        false
    }

    fn coverage(&self) -> Coverage {
        self.core.coverage()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::play;
    use sim::units::hwwl::HwwlCore;

    #[test]
    fn the_fullest_core_moves_the_highest_bit_of_count() {
        let parameters = Parameters { lanes: 4, ..Default::default() };
        let mut stimulus = HwwlCoreStimulus::new(&parameters, 1);
        let fullest = FULLS.iter().position(|&full| full == FULLEST).unwrap() as u32;
        (stimulus.age, stimulus.turns) = (HUGE_BEHIND, fullest);
        let mut count = 0;
        play(HwwlCore::new(&parameters).unwrap(), &mut stimulus, |stimulus, out| {
            count = out.count;
            count < FULLEST && stimulus.turns <= fullest + 1 && stimulus.violation().is_none()
        });
        // All lanes push in a cycle: it may be some more.
        assert_eq!((count >= FULLEST, stimulus.violation()), (true, None));
    }
}
