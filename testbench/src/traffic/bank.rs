//! Legal random inputs of `bank`.

use super::{events, Coverage, Rng, Traffic};
use sim::units::hwwl::pins::{BankIn, BankOut};

events! {
    PullFound = "pull finds an ID",
    PullEmpty = "pull of an empty side",
    PushDone = "push",
    PushFull = "push to a full side",
    SideFilled = "push side fills up",
    Wrapped = "pointer of a partition wraps",
    SwapObeyed = "swap obeyed",
    SwapRefused = "swap of a pull side that is not empty",
    SwapInSingle = "swap in single-buffer mode",
    SwapBesideWru = "swap beside a WRU request",
    ConfiguredSingle = "configured as single",
    ConfiguredDouble = "configured as double",
    ConfigureRefused = "configure of a bank that holds IDs",
    WruPopDone = "wru_pop",
    WruPopBlocked = "wru_pop while a lane has the port",
    WruPopEmpty = "wru_pop of an empty partition",
    WruPopBesideMiss = "wru_pop beside a lane request that leaves the port free",
    WruPushDone = "wru_push",
    WruPushBlocked = "wru_push while a lane has the port",
    WruPushFull = "wru_push to a full partition",
    WruPushBesideMiss = "wru_push beside a lane request that leaves the port free",
    Reset = "reset of a bank that holds IDs",
}

/// Probabilities in 256ths. What `pull` and `push` leave over is shared by `swap` and nothing.
#[derive(Clone, Copy)]
struct Phase {
    pull: u8,
    push: u8,
    swap: u8,
    wru_pop: u8,
    wru_push: u8,
    configure: u8,
}

const PHASES: &[Phase] = &[
    // Fill, drain.
    Phase { pull: 8, push: 216, swap: 0, wru_pop: 16, wru_push: 16, configure: 1 },
    Phase { pull: 216, push: 8, swap: 16, wru_pop: 16, wru_push: 16, configure: 1 },
    // The WRU alone.
    Phase { pull: 0, push: 0, swap: 8, wru_pop: 16, wru_push: 200, configure: 1 },
    Phase { pull: 0, push: 0, swap: 8, wru_pop: 200, wru_push: 16, configure: 1 },
    // Everything meets everything.
    Phase { pull: 100, push: 100, swap: 40, wru_pop: 120, wru_push: 120, configure: 2 },
    Phase { pull: 120, push: 60, swap: 60, wru_pop: 60, wru_push: 60, configure: 2 },
    // Streams through one side.
    Phase { pull: 128, push: 128, swap: 0, wru_pop: 0, wru_push: 0, configure: 0 },
    // Mostly empty, mode changes.
    Phase { pull: 180, push: 20, swap: 40, wru_pop: 100, wru_push: 10, configure: 60 },
    // Hardly anything.
    Phase { pull: 4, push: 4, swap: 4, wru_pop: 4, wru_push: 4, configure: 4 },
];

/// One reset in so many cycles.
const RESET: u32 = 4096;

pub struct BankTraffic {
    rng: Rng,
    entries: u32,
    phase: Phase,
    remaining: u32,
    /// Mode, and the partition that is the pull side: followed from what the bank was told and what it shows.
    double: bool,
    pull_part: bool,
    /// The last cycle: its inputs and its outputs.
    last: BankIn,
    before: BankOut,
    after_reset: bool,
    /// IDs appended to each partition since its pointers were cleared.
    appended: [u32; 2],
    counters: Counters,
}

impl BankTraffic {
    pub fn new(entries: usize, seed: u64) -> Self {
        BankTraffic {
            rng: Rng::new(seed),
            entries: entries as u32,
            phase: PHASES[0],
            remaining: 0,
            double: false,
            pull_part: false,
            last: BankIn::default(),
            before: BankOut::default(),
            after_reset: true,
            appended: [0; 2],
            counters: Counters::default(),
        }
    }

    fn capacity(&self) -> u32 {
        self.entries >> self.double as u32
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
            self.counters.count(Event::Wrapped, true);
        }
    }

    /// What the last cycle did, seen from outside: its inputs, its outputs, and the outputs after it.
    fn observe(&mut self, after: &BankOut) {
        if self.after_reset {
            self.after_reset = false;
            return;
        }
        let (last, before) = (self.last.clone(), self.before.clone());
        let c = &mut self.counters;
        let miss = last.pull && !after.pull_valid || last.push && after.overflow;
        let took_port = (last.pull || last.push) && !miss;
        c.count(Event::PullFound, after.pull_valid);
        c.count(Event::PullEmpty, last.pull && !after.pull_valid);
        c.count(Event::PushDone, last.push && !after.overflow);
        c.count(Event::PushFull, after.overflow);
        c.count(Event::SideFilled, after.full && !before.full);
        c.count(Event::WruPopDone, after.wru_valid);
        c.count(Event::WruPopBlocked, last.wru_pop && took_port);
        c.count(Event::WruPopEmpty, last.wru_pop && !took_port && !after.wru_valid);
        c.count(Event::WruPopBesideMiss, after.wru_valid && miss);
        c.count(Event::WruPushDone, after.wru_accepted);
        c.count(Event::WruPushBlocked, last.wru_push && took_port);
        c.count(Event::WruPushFull, last.wru_push && !took_port && !after.wru_accepted);
        c.count(Event::WruPushBesideMiss, after.wru_accepted && miss);
        if last.push && !after.overflow {
            self.append(self.pull_part != self.double);
        }
        if after.wru_accepted {
            self.append(last.wru_part);
        }
        if last.swap {
            self.observe_swap(&last, &before);
        }
        if last.configure {
            self.observe_configure(&last, &before);
        }
    }

    fn observe_swap(&mut self, last: &BankIn, before: &BankOut) {
        let obeyed = self.double && before.empty;
        self.pull_part ^= obeyed;
        self.counters.count(Event::SwapObeyed, obeyed);
        self.counters.count(Event::SwapRefused, self.double && !before.empty);
        self.counters.count(Event::SwapInSingle, !self.double);
        self.counters.count(Event::SwapBesideWru, obeyed && (last.wru_pop || last.wru_push));
    }

    fn observe_configure(&mut self, last: &BankIn, before: &BankOut) {
        let obeyed = before.pull_occupancy + before.push_occupancy == 0;
        if obeyed {
            self.double = last.double;
            self.clear_pointers();
        }
        self.counters.count(Event::ConfiguredSingle, obeyed && !last.double);
        self.counters.count(Event::ConfiguredDouble, obeyed && last.double);
        self.counters.count(Event::ConfigureRefused, !obeyed);
    }

    fn choose_phase(&mut self) {
        self.phase = PHASES[self.rng.below(PHASES.len() as u32) as usize];
        self.remaining = 8 + self.rng.below(3 * self.entries);
    }

    fn choose(&mut self, pins: &mut BankIn) {
        let (choice, ids) = (self.rng.draw(), self.rng.draw());
        let byte = |i: u32| (choice >> (8 * i)) as u8;
        let phase = self.phase;
        pins.push_id = ids as u32 & 0xff_ffff;
        pins.wru_id = (ids >> 32) as u32 & 0xff_ffff;
        pins.double = choice >> 48 & 1 == 1;
        // Pin values that no request goes with are as random as the others.
        pins.wru_part = self.double && choice >> 49 & 1 == 1;
        pins.configure = byte(2) < phase.configure;
        let lane = byte(0);
        let wru = byte(1);
        let (pull, push) = (phase.pull, phase.pull.saturating_add(phase.push));
        let others = !pins.configure;
        pins.pull = others && lane < pull;
        pins.push = others && lane >= pull && lane < push;
        pins.swap = others && lane >= push && byte(3) < phase.swap.saturating_mul(4);
        pins.wru_pop = others && wru < phase.wru_pop;
        pins.wru_push = others && wru >= phase.wru_pop && wru < phase.wru_pop.saturating_add(phase.wru_push);
    }
}

impl Traffic for BankTraffic {
    type In = BankIn;
    type Out = BankOut;

    fn next(&mut self, outputs: &BankOut, pins: &mut BankIn) -> bool {
        self.observe(outputs);
        if self.remaining == 0 {
            self.choose_phase();
            if self.rng.one_in(RESET / self.entries.clamp(16, 1024)) {
                self.counters.count(Event::Reset, outputs.pull_occupancy + outputs.push_occupancy > 0);
                self.double = false;
                self.clear_pointers();
                self.after_reset = true;
                return true;
            }
        }
        self.remaining -= 1;
        self.choose(pins);
        self.last = pins.clone();
        self.before = outputs.clone();
        false
    }

    fn coverage(&self) -> Coverage {
        self.counters.coverage()
    }
}
