//! Legal random inputs of `hwwl_core`.

use super::{events, Coverage, Rng, Traffic};
use sim::units::hwwl::pins::{status, CoreIn, CoreOut};
use sim::units::hwwl::Parameters;

events! {
    PullId = "a pull gets an ID",
    PullMoved = "a pull gets an ID that another lane pushed",
    Wait = "a pull waits",
    Done = "a pull is done",
    DoneWithPushed = "done while the push side holds IDs",
    AllLanesPull = "all lanes pull",
    AllLanesPush = "all lanes push",
    Overflow = "overflow",
    ExchangeObeyed = "kernel_end obeyed",
    ExchangeRefused = "kernel_end ignored",
    ConfigureObeyed = "configure obeyed",
    ConfigureRefused = "configure of a core that holds IDs",
    Drained = "the core becomes empty",
    Reset = "reset of a core that holds IDs",
}

/// Which lanes take part.
#[derive(Clone, Copy)]
enum Lanes {
    All,
    Random,
    /// The same few in the whole phase: the others live from redistribution.
    Fixed,
}

/// Probabilities in 256ths.
#[derive(Clone, Copy)]
struct Phase {
    pull: u8,
    push: u8,
    kernel_end: u8,
    configure: u8,
    pullers: Lanes,
    pushers: Lanes,
}

const PHASES: &[Phase] = &[
    Phase { pull: 0, push: 200, kernel_end: 2, configure: 1, pullers: Lanes::All, pushers: Lanes::Random },
    Phase { pull: 200, push: 0, kernel_end: 8, configure: 1, pullers: Lanes::Random, pushers: Lanes::All },
    Phase { pull: 250, push: 4, kernel_end: 2, configure: 1, pullers: Lanes::All, pushers: Lanes::Fixed },
    Phase { pull: 30, push: 30, kernel_end: 2, configure: 1, pullers: Lanes::All, pushers: Lanes::All },
    // One lane expands a hub, all others wait for its IDs.
    Phase { pull: 60, push: 60, kernel_end: 2, configure: 1, pullers: Lanes::Random, pushers: Lanes::Fixed },
    Phase { pull: 20, push: 10, kernel_end: 1, configure: 0, pullers: Lanes::Fixed, pushers: Lanes::Fixed },
    Phase { pull: 100, push: 100, kernel_end: 20, configure: 4, pullers: Lanes::Random, pushers: Lanes::Random },
    // Drained and reconfigured.
    Phase { pull: 120, push: 2, kernel_end: 60, configure: 40, pullers: Lanes::All, pushers: Lanes::Random },
    // Redistribution alone.
    Phase { pull: 2, push: 2, kernel_end: 2, configure: 2, pullers: Lanes::Random, pushers: Lanes::Random },
];

pub struct CoreTraffic {
    rng: Rng,
    lanes: usize,
    entries: u32,
    phase: Phase,
    fixed: u32,
    remaining: u32,
    last: CoreIn,
    count_before: u32,
    pull_part_before: bool,
    after_reset: bool,
    counters: Counters,
}

impl CoreTraffic {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        CoreTraffic {
            rng: Rng::new(seed),
            lanes: parameters.lanes,
            entries: parameters.entries as u32,
            phase: PHASES[0],
            fixed: 1,
            remaining: 0,
            last: CoreIn::default(),
            count_before: 0,
            pull_part_before: false,
            after_reset: true,
            counters: Counters::default(),
        }
    }

    fn all_lanes(&self) -> u32 {
        u32::MAX >> (32 - self.lanes)
    }

    fn choose_phase(&mut self) {
        self.phase = PHASES[self.rng.below(PHASES.len() as u32) as usize];
        self.remaining = 8 + self.rng.below(6 * self.entries);
        self.fixed = 1 << self.rng.below(self.lanes as u32);
        if self.rng.one_in(2) {
            self.fixed |= 1 << self.rng.below(self.lanes as u32);
        }
    }

    fn mask(&mut self, lanes: Lanes) -> u32 {
        match lanes {
            Lanes::All => self.all_lanes(),
            Lanes::Random => self.rng.draw() as u32 & self.all_lanes(),
            Lanes::Fixed => self.fixed,
        }
    }

    fn observe(&mut self, outputs: &CoreOut) {
        if self.after_reset {
            self.after_reset = false;
            return;
        }
        let last = &self.last;
        let c = &mut self.counters;
        let all = u32::MAX >> (32 - self.lanes);
        for lane in (0..self.lanes).filter(|lane| last.pull >> lane & 1 == 1) {
            let answer = outputs.status(lane);
            c.count(Event::PullId, answer == status::ID);
            c.count(Event::PullMoved, answer == status::ID && (outputs.id[lane] & 31) as usize != lane);
            c.count(Event::Wait, answer == status::WAIT);
            c.count(Event::Done, answer == status::DONE);
            c.count(Event::DoneWithPushed, answer == status::DONE && outputs.count > 0);
        }
        c.count(Event::AllLanesPull, last.pull == all);
        c.count(Event::AllLanesPush, last.push == all);
        c.count(Event::Overflow, outputs.overflow != 0);
        let exchanged = outputs.pull_part != self.pull_part_before;
        c.count(Event::ExchangeObeyed, last.kernel_end && exchanged);
        c.count(Event::ExchangeRefused, last.kernel_end && !exchanged);
        c.count(Event::ConfigureObeyed, last.configure && self.count_before == 0);
        c.count(Event::ConfigureRefused, last.configure && self.count_before > 0);
        c.count(Event::Drained, self.count_before > 0 && outputs.count == 0);
    }

    fn choose(&mut self, pins: &mut CoreIn) {
        let choice = self.rng.draw();
        let byte = |i: u32| (choice >> (8 * i)) as u8;
        let phase = self.phase;
        *pins = CoreIn { double: choice >> 40 & 1 == 1, ..CoreIn::default() };
        if byte(1) < phase.configure {
            pins.configure = true;
        } else if byte(2) < phase.kernel_end {
            pins.kernel_end = true;
        } else if byte(0) < phase.pull {
            pins.pull = self.mask(phase.pullers);
        } else if byte(0) < phase.pull.saturating_add(phase.push) {
            pins.push = self.mask(phase.pushers);
        }
        if pins.push != 0 {
            // The low bits say who pushed it.
            for lane in 0..self.lanes {
                pins.push_id[lane] = self.rng.draw() as u32 & 0xff_ffe0 | lane as u32;
            }
        }
    }
}

impl Traffic for CoreTraffic {
    type In = CoreIn;
    type Out = CoreOut;

    fn next(&mut self, outputs: &CoreOut, pins: &mut CoreIn) -> bool {
        self.observe(outputs);
        if self.remaining == 0 {
            self.choose_phase();
            if self.rng.one_in(32) {
                self.counters.count(Event::Reset, outputs.count > 0);
                self.after_reset = true;
                return true;
            }
        }
        self.remaining -= 1;
        self.choose(pins);
        self.last = pins.clone();
        self.count_before = outputs.count;
        self.pull_part_before = outputs.pull_part;
        false
    }

    fn coverage(&self) -> Coverage {
        self.counters.coverage()
    }
}
