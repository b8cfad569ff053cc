//! Legal random inputs of `hwwl`: the threads of all cores and a memory for each. Every ID comes out once, on whatever core, and
//! DONE is told only when no core has work.

use super::hwwl_core::{DRAIN, FULLEST, SLOWEST};
use super::ledger::Ledger;
use super::memory::{has_room_for_four_loads, Base, Memory, Served, MANNERS};
use super::threads::{Answers, Lanes, Manner, May, Request, Threads, FILL, FILLING, FULL, QUIET, THOUSANDS};
use crate::stimulus::{events, phases, Chance, Coverage, Phases, Rng, Stimulus};
use sim::units::hwwl::pins::{HwwlCoreOut, HwwlIn, HwwlOut};
use sim::units::hwwl::{Parameters, Refill, Scheme};

events! { HwwlStimulus:
    PullId = "a pull gets an ID",
    PullMoved = "a pull gets an ID that another lane pushed",
    PullForeign = "a pull gets an ID that another core pushed",
    Wait = "a pull waits",
    DoneSingle = "done in single-buffer mode",
    DoneDouble = "done in double-buffer mode",
    DoneWithPushed = "done while the push side holds IDs",
    DoneOfAll = "all cores are done in one cycle",
    AllPull = "all lanes of all cores pull",
    AllPush = "all lanes of all cores push",
    PushWaits = "pushes are not welcome",
    Leave = "a thread leaves",
    Between = "IDs are between cores",
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
    ConfigureRefused = "configure while all cores hold IDs",
    InitRefused = "init while cores hold IDs",
    BufferFirst = "buffers are given before the mode is set",
    Thousands = "4,096 IDs in one core",
    Drained = "all becomes empty",
    Reset = "reset while IDs are inside",
}

phases! {
    /// `cores`: a core takes part in this phase; the others go on as before.
    PHASES: Phase (threads: Manner, cores, kernel_end, configure, init)
    // Fill, one core fills, drain.
    (Manner::new((0, All), (240, Random), 60), 256, 2, 1, 1)
    (Manner::new((0, All), (255, All), 60), 256, 1, 0, 0)
    (Manner::new((0, All), (240, Random), 60), 100, 1, 0, 0)
    (Manner::new((200, Random), (0, All), 256), 256, 8, 1, 1)
    (Manner::new((255, All), (0, All), 256), 256, 2, 1, 1)
    (Manner::new((250, All), (4, Fixed), 128), 200, 2, 1, 1)
    // Some cores work, the others live from them.
    (Manner::new((60, Random), (60, Fixed), 200), 128, 2, 1, 1)
    (Manner::new((20, Fixed), (40, Fixed), 60), 60, 1, 0, 0)
    (Manner::new((100, Random), (100, Random), 60), 200, 10, 4, 1)
    // Drained, exchanged, reconfigured.
    (Manner::new((120, All), (2, Random), 256), 256, 20, 10, 10)
    (Manner::new((250, All), (0, All), 256), 256, 20, 2, 1)
    (Manner::new((20, All), (0, All), 256), 256, 20, 40, 40)
    (Manner::new((200, All), (0, All), 256), 256, 0, 0, 0)
    // Redistribution, spills and refills alone.
    (Manner::new((2, Random), (2, Random), 128), 256, 2, 2, 2)
}

use Lanes::{All, Fixed, Random};

/// Cycles without IDs and pushes after which all cores obey a `configure`.
const EMPTY: u32 = 16;
/// Cycles after which all cores know of IDs that threads pushed without having pulled one, if the ICRN is next to them.
const KNOWN: u32 = 12;
/// Cycles of a run behind which two resets begin something else, a [`Turn`] each. Campaigns end a segment before that.
const TURNS_BEHIND: u64 = 1 << 17;
/// Cycles of a [`Turn::Crowd`].
const CROWDING: u32 = 20_000;
/// Cycles at its beginning, in which threads that hold no ID push. Later those who hold one push, and nobody waits for them.
const SEEDING: u32 = 100;
/// Cycles for which a core is modest in it, or is not, on average.
const ROLE: u32 = 150;
/// A modest core has so many IDs a lane, and is not greedy.
const MODEST: u32 = 3;
/// In a crowd all lanes pull in a cycle, or all push: what comes from other cores has to wait.
const CROWD_PULLS: Manner = Manner::new((255, All), (0, All), 0);
const CROWD_PUSHES: Manner = Manner::new((4, All), (251, All), 0);
/// Cycles for which a system that has overflowed goes on at most.
const AFTER_OVERFLOW: u32 = 100;

struct Core {
    threads: Threads,
    memory: Memory,
    manner: Manner,
    is_modest: bool,
}

/// Stimulus that a reset begins.
#[derive(Clone, Copy, Default, PartialEq)]
enum Turn {
    #[default]
    Usual,
    /// The cores send each other IDs that find no place: the ICRN fills up.
    Crowd,
    /// Each core gets as many IDs as it can have, and is emptied again.
    Fullest,
}

const TURNS: [Turn; 2] = [Turn::Crowd, Turn::Fullest];

#[derive(Default)]
pub struct HwwlStimulus {
    rng: Rng,
    parameters: Parameters,
    phase: Phases<Phase>,
    cores: Vec<Core>,
    ledger: Ledger,
    opening: u8,
    buffer_first: bool,
    /// Cycles for which all cores are filled, with how many IDs, and cycles of what the turn does then.
    filling: u32,
    full: u32,
    turning: u32,
    turn: Turn,
    /// Cycles of the run, and turns behind [`TURNS_BEHIND`].
    age: u64,
    turns: usize,
    overflowed: bool,
    /// Cycles since the last request of a thread, since the last pull, since the last push of a thread that held no ID, since
    /// the last push or ID.
    quiet: u32,
    since_pull: u32,
    since_seed: u32,
    empty: u32,
    ends: bool,
    last: Last,
    findings: Findings,
}

#[derive(Clone, Copy, Default)]
struct Last {
    configure: bool,
    kernel_end: bool,
    inside: u32,
    pull_part: bool,
    double_mode: bool,
}

impl HwwlStimulus {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let core = |core| Core {
            threads: Threads::new(core, parameters.lanes),
            memory: Memory::new(),
            manner: PHASES[0].threads,
            is_modest: false,
        };
        let mut stimulus = HwwlStimulus {
            rng: Rng::new(seed),
            parameters: *parameters,
            phase: Phases::new(PHASES, 8..8 + (6 * parameters.entries as u32).max(400), 32),
            cores: (0..parameters.cores).map(core).collect(),
            ..Default::default()
        };
        stimulus.restart();
        stimulus.filling = if stimulus.rng.one_in(2) { FILLING } else { 0 };
        stimulus
    }

    /// As after reset.
    fn restart(&mut self) {
        for core in &mut self.cores {
            core.threads.clear();
            core.memory.clear();
        }
        self.ledger.clear();
        (self.opening, self.buffer_first) = (2, self.rng.one_in(4));
        self.begin_turn();
        (self.overflowed, self.ends) = (false, false);
        (self.quiet, self.since_pull, self.since_seed, self.empty) = (0, 0, self.known(), 0);
        self.last = Last::default();
    }

    fn begin_turn(&mut self) {
        let next = TURNS.get(self.turns).filter(|_| self.age > TURNS_BEHIND);
        self.turns += usize::from(next.is_some());
        self.turn = next.copied().unwrap_or_default();
        (self.full, self.filling, self.turning) = match self.turn {
            Turn::Usual => (FULL, 0, 0),
            Turn::Crowd => (FULL, 0, CROWDING),
            Turn::Fullest => (FULLEST, SLOWEST * FULLEST, SLOWEST * FULLEST),
        };
    }

    fn begin_phase(&mut self) {
        for core in &mut self.cores {
            core.threads.choose_fixed(&mut self.rng);
            core.memory.choose_manner(&mut self.rng);
            if self.turn == Turn::Usual && self.phase.cores.happens(&mut self.rng) {
                core.manner = self.phase.threads;
            }
        }
    }

    fn observe(&mut self, out: &HwwlOut) {
        let handed_out = self.observe_answers(out);
        let counted = out.cores.iter().map(|core| core.count).sum::<u32>() + u32::from(out.held);
        let inside = self.ledger.total();
        let overflow = out.cores.iter().any(|core| core.overflow);
        // An ID counts in the cycle in which it is handed out.
        if !self.overflowed && !overflow && counted != inside + handed_out {
            self.findings.complain(format!(
                "the sum of count and held is {counted}, but {inside} IDs are inside and {handed_out} are handed out"
            ));
        }
        let (part, double) = (out.cores[0].pull_part, out.cores[0].double_mode);
        if out.cores.iter().any(|core| (core.pull_part, core.double_mode) != (part, double)) {
            self.findings.complain("cores do not agree on mode and pull side".into());
        }
        self.observe_control(out, inside);
        if overflow && !self.overflowed {
            self.overflowed = true;
            self.phase.ends_in(AFTER_OVERFLOW);
        }
        let c = &mut self.findings;
        c.count(Event::Overflow, overflow);
        c.count(Event::Between, out.held > 0);
        c.count(Event::Thousands, out.cores.iter().any(|core| core.count == THOUSANDS));
        c.count(Event::Pending, out.cores.iter().any(|core| core.pending));
        c.count(Event::PushWaits, out.cores.iter().any(|core| !core.push_ready));
    }

    fn observe_control(&mut self, out: &HwwlOut, inside: u32) {
        let (last, first) = (self.last, &out.cores[0]);
        let exchanged = first.pull_part != last.pull_part;
        let c = &mut self.findings;
        c.count(Event::ExchangeObeyed, last.kernel_end && exchanged);
        c.count(Event::ExchangeRefused, last.kernel_end && last.double_mode && !exchanged);
        c.count(Event::ExchangeSingle, last.kernel_end && !last.double_mode);
        let obeyed = last.configure && last.inside == 0;
        c.count(Event::ConfiguredSingle, obeyed && !first.double_mode);
        c.count(Event::ConfiguredDouble, obeyed && first.double_mode);
        c.count(Event::ConfigureRefused, last.configure && last.inside > 0);
        c.count(Event::Drained, last.inside > 0 && inside == 0);
    }

    /// Gives how many IDs are handed out.
    fn observe_answers(&mut self, out: &HwwlOut) -> u32 {
        let mut all = Answers::default();
        let (mut handed_out, mut done) = (0, 0);
        for (core, out) in self.cores.iter_mut().zip(&out.cores) {
            match core.threads.answers(out.status, &out.id, self.last.pull_part, &mut self.ledger) {
                Ok(answers) => {
                    handed_out += answers.ids.count_ones();
                    all.ids |= answers.ids;
                    all.moved |= answers.moved & !answers.foreign;
                    all.foreign |= answers.foreign;
                    all.waits |= answers.waits;
                    all.dones |= answers.dones;
                    done += usize::from(answers.dones != 0);
                }
                Err(text) => {
                    self.findings.complain(text);
                }
            }
        }
        let (double, everybody) = (self.last.double_mode, self.cores[0].threads.all_lanes());
        let inside = self.ledger.inside();
        let c = &mut self.findings;
        c.count(Event::PullId, all.ids != 0);
        c.count(Event::PullMoved, all.moved != 0);
        c.count(Event::PullForeign, all.foreign != 0);
        c.count(Event::Wait, all.waits != 0);
        c.count(Event::DoneSingle, all.dones != 0 && !double);
        c.count(Event::DoneDouble, all.dones != 0 && double);
        c.count(Event::DoneWithPushed, all.dones != 0 && inside != [0; 2]);
        c.count(Event::DoneOfAll, done == self.cores.len());
        c.count(Event::AllPull, self.cores.iter().all(|core| core.threads.asked() == everybody));
        if all.dones == 0 || self.overflowed {
            return handed_out;
        }
        let left = inside[self.last.pull_part as usize];
        let active: u32 = self.cores.iter().map(|core| core.threads.active()).sum();
        if left > 0 || !double && active > 0 {
            self.findings
                .complain(format!("a thread is told DONE, but {left} IDs can be pulled and threads hold {active}"));
        }
        handed_out
    }

    /// Requests to all cores: mode, buffers, exchange. True if the threads have to be silent in this cycle.
    fn control(&mut self, out: &HwwlOut, pins: &mut HwwlIn) -> bool {
        (pins.configure, pins.init, pins.kernel_end) = (false, false, false);
        if self.opening > 0 {
            self.opening -= 1;
            let usual = !self.rng.one_in(4) || self.filling > 0 || self.turn != Turn::Usual;
            if usual && (self.opening == 1) != self.buffer_first {
                (pins.configure, pins.double_buffer) = (true, self.rng.one_in(2) && self.turn == Turn::Usual);
            } else if usual {
                self.findings.count(Event::BufferFirst, self.opening == 1);
                self.init(out, pins);
            }
            return true;
        }
        if self.filling > 0 {
            self.cores.iter_mut().for_each(|core| core.memory.manner = MANNERS[0]);
            let are_full = out.cores.iter().all(|core| core.count >= self.full);
            let is_over = are_full || self.overflowed && self.turn != Turn::Usual;
            self.filling = if is_over { 0 } else { self.filling - 1 };
            return false;
        }
        if self.turn != Turn::Usual {
            self.go_on_with_turn(out);
            return false;
        }
        if self.ends {
            pins.kernel_end = self.quiet >= QUIET && out.cores.iter().all(|core| core.push_ready);
            self.ends = !(pins.kernel_end && self.rng.one_in(2));
            return true;
        }
        let choice = self.rng.draw();
        let chosen = |shift: u32, chance: Chance| choice >> shift & 0x3ff < u64::from(chance.0);
        if chosen(0, self.phase.kernel_end) {
            self.ends = true;
            return true;
        }
        if chosen(10, self.phase.configure) {
            // All obey, or all ignore it.
            let all_hold = out.held == 0 && out.cores.iter().all(|core| core.count > 0);
            if all_hold || self.empty >= EMPTY {
                (pins.configure, pins.double_buffer) = (true, choice >> 63 == 1);
            }
            return true;
        }
        if chosen(20, self.phase.init) {
            self.init(out, pins);
            return true;
        }
        false
    }

    /// A cycle of a crowd, or one in which full cores become empty.
    fn go_on_with_turn(&mut self, out: &HwwlOut) {
        let is_crowd = self.turn == Turn::Crowd;
        for (core, out) in self.cores.iter_mut().zip(&out.cores) {
            core.memory.manner = MANNERS[0];
            core.is_modest ^= self.rng.one_in(ROLE);
            core.manner = match core.is_modest && out.count > MODEST * self.parameters.lanes as u32 {
                _ if !is_crowd => DRAIN,
                true => CROWD_PULLS,
                false => CROWD_PUSHES,
            };
        }
        let is_over = self.overflowed || !is_crowd && self.ledger.total() == 0;
        self.turning = if is_over { 0 } else { self.turning - 1 };
        if self.turning == 0 {
            self.turn = Turn::Usual;
        }
    }

    fn init(&mut self, out: &HwwlOut, pins: &mut HwwlIn) {
        pins.init = true;
        let choose = if self.filling > 0 { Memory::choose_large_buffer } else { Memory::choose_buffer };
        for ((core, pins), out) in self.cores.iter_mut().zip(&mut pins.cores).zip(&out.cores) {
            (pins.init_base, pins.init_lines) = choose(&mut self.rng, Base::Half);
            if self.turn != Turn::Usual {
                pins.init_lines = u16::MAX;
            }
            if out.count == 0 {
                core.memory.clear();
            }
        }
        self.findings.count(Event::InitRefused, out.cores.iter().any(|core| core.count > 0));
    }

    fn known(&self) -> u32 {
        KNOWN + 2 * self.parameters.link as u32
    }

    /// Requests that the threads of a core may make. In single-buffer mode those who hold no ID push only while nobody
    /// pulls: DONE would be told although they push later.
    fn may(&self, out: &HwwlCoreOut) -> May {
        let single = !out.double_mode;
        May {
            pull: !single || self.since_seed >= self.known(),
            push: out.push_ready,
            active_alone: single && self.since_pull < 2,
        }
    }

    fn choose(&mut self, out: &HwwlOut, pins: &mut HwwlIn) {
        let silent = self.control(out, pins);
        // In single-buffer mode a cycle has pulls, or pushes of threads that hold no ID.
        let fills = self.filling > 0 && self.turn == Turn::Fullest;
        let is_crowd = self.turn == Turn::Crowd && self.turning <= CROWDING - SEEDING;
        let may_seed = !out.cores[0].double_mode && self.since_pull >= 2 && !is_crowd;
        let seeds = may_seed && (self.rng.one_in(2) || fills);
        let (mut any, mut pulls, mut pushes, mut seeded) = (false, false, false, false);
        for c in 0..self.cores.len() {
            let mut may = self.may(&out.cores[c]);
            may.pull &= !seeds;
            may.active_alone |= !out.cores[c].double_mode && !seeds;
            may.push &= !fills || out.cores[c].count < self.full;
            let (core, pins, out) = (&mut self.cores[c], &mut pins.cores[c], &out.cores[c]);
            let request = Request {
                pull: &mut pins.pull,
                push: &mut pins.push,
                leave: &mut pins.leave,
                push_id: &mut pins.push_id,
            };
            if silent {
                core.threads.rest(request);
                continue;
            }
            let part = out.double_mode && !out.pull_part;
            let manner = if self.filling > 0 { &FILL } else { &core.manner };
            core.threads.ask(&mut self.rng, manner, may, part, &mut self.ledger, request);
            any |= pins.pull | pins.push | pins.leave != 0;
            pulls |= pins.pull != 0;
            pushes |= pins.push != 0;
            seeded |= pins.push != 0 && !may.active_alone;
            self.findings.count(Event::Leave, pins.leave != 0);
        }
        let all = self.cores[0].threads.all_lanes();
        self.findings.count(Event::AllPush, pins.cores.iter().all(|pins| pins.push == all));
        let since = |cycles: u32, now: bool| if now { 0 } else { cycles + 1 };
        self.quiet = since(self.quiet, any);
        self.since_pull = since(self.since_pull, pulls);
        self.since_seed = since(self.since_seed, seeded);
        let holds = out.held > 0 || out.cores.iter().any(|core| core.count > 0);
        self.empty = since(self.empty, pushes || holds);
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
}

impl Stimulus for HwwlStimulus {
    type In = HwwlIn;
    type Out = HwwlOut;

    fn next(&mut self, out: &HwwlOut, pins: &mut HwwlIn) -> bool {
        self.observe(out);
        self.age += 1;
        if self.phase.begins(&mut self.rng) {
            self.begin_phase();
            if self.filling == 0 && self.turn == Turn::Usual && self.phase.resets_if(self.overflowed, &mut self.rng) {
                self.findings.count(Event::Reset, self.ledger.total() > 0);
                self.restart();
                return true;
            }
        }
        let inside = self.ledger.total();
        self.choose(out, pins);
        for c in 0..self.cores.len() {
            let (out, pins) = (&out.cores[c].memory, &mut pins.cores[c].memory);
            match self.cores[c].memory.serve(&mut self.rng, out, pins) {
                Ok(served) => self.count_memory(&served),
                Err(text) => self.findings.complain(format!("core {c}: {text}")),
            }
        }
        self.last = Last {
            configure: pins.configure,
            kernel_end: pins.kernel_end,
            inside,
            pull_part: out.cores[0].pull_part,
            double_mode: out.cores[0].double_mode,
        };
        false
    }

    fn coverage(&self) -> Coverage {
        let Parameters { scheme, refill, .. } = self.parameters;
        self.findings.coverage_without(&[
            (scheme == Scheme::None, &[Event::PullMoved, Event::PullForeign, Event::Between]),
            (refill != Refill::Demand, &[Event::Pending]),
            (!has_room_for_four_loads(&self.parameters), &[Event::FourLoads]),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stimulus::play;
    use sim::units::hwwl::Hwwl;

    /// The most IDs that are between `cores` cores in the first crowd.
    fn most_between(cores: usize, scheme: Scheme, link: usize) -> u16 {
        let parameters = Parameters { cores, lanes: 4, scheme, link, ..Default::default() };
        let mut stimulus = HwwlStimulus::new(&parameters, 1);
        stimulus.age = TURNS_BEHIND;
        let mut most = 0;
        play(Hwwl::new(&parameters).unwrap(), &mut stimulus, |stimulus, out| {
            most = most.max(out.held);
            stimulus.turn != Turn::Fullest && stimulus.age < TURNS_BEHIND + 100_000
        });
        assert_eq!((stimulus.turns, stimulus.violation()), (2, None));
        most
    }

    #[test]
    fn a_crowd_fills_the_icrn_and_its_links() {
        for scheme in [Scheme::Threshold, Scheme::LocalSorting] {
            assert!(most_between(2, scheme, 0) >= 4);
            assert!(most_between(4, scheme, 0) >= 8);
            assert!(most_between(2, scheme, 2) >= 9);
        }
    }
}
