//! Legal random inputs of `wru_sorting`: occupancies that banks could have, answers that banks could give.

use super::{events, Coverage, Rng, Traffic};
use sim::units::hwwl::pins::{WruIn, WruOut, MAX_LANES};
use sim::units::hwwl::Parameters;

events! {
    Pop = "cycles with a pop",
    PopOfMany = "several pops in a cycle",
    PopAnswered = "a pop is answered",
    PopUnanswered = "a pop is not answered",
    Push = "cycles with a push",
    PushAccepted = "a push is accepted",
    PushTurnedAway = "a push is turned away",
    Ends = "an event ends",
    Long = "an event lasts longer than the interval",
    PullSide = "single-buffer mode: an event starts",
    DoublePull = "double-buffer mode: an event on the pull partition starts",
    DoublePush = "double-buffer mode: an event on the push partition starts",
    Exchange = "the sides are exchanged during an event",
    ResetMoving = "reset during an event",
}

pub struct WruTraffic {
    rng: Rng,
    lanes: usize,
    entries: u32,
    threshold: u32,
    interval: u32,
    remaining: u32,
    /// Chance that a bank answers, in 256ths.
    answer: u32,
    /// Requests of the last cycle, to which the banks answer in this one.
    popped: u32,
    pushed: u32,
    was_moving: u32,
    counters: Counters,
}

impl WruTraffic {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        WruTraffic {
            rng: Rng::new(seed),
            lanes: parameters.lanes,
            entries: parameters.entries as u32,
            threshold: parameters.threshold,
            interval: parameters.interval,
            remaining: 0,
            answer: 0,
            popped: 0,
            pushed: 0,
            was_moving: 0,
            counters: Counters::default(),
        }
    }

    /// A new situation: mode, sides, occupancies of a certain kind.
    fn choose_phase(&mut self, pins: &mut WruIn) {
        self.remaining = 1 + self.rng.below(6 * self.interval);
        self.answer = [0, 20, 128, 230, 256][self.rng.below(5) as usize];
        if self.rng.one_in(4) {
            pins.double = self.rng.one_in(2);
        }
        pins.pull_part = pins.double && self.rng.one_in(2);
        let capacity = self.entries >> pins.double as u32;
        let mut pull = [0; MAX_LANES];
        let mut push = [0; MAX_LANES];
        self.occupancies(&mut pull, capacity);
        if pins.double {
            self.occupancies(&mut push, capacity);
        }
        (pins.pull_occupancy, pins.push_occupancy) = (pull, push);
    }

    fn occupancies(&mut self, side: &mut [u32; MAX_LANES], capacity: u32) {
        let kind = self.rng.below(7);
        let base = self.rng.below(capacity + 1);
        let threshold = self.threshold.min(capacity);
        for (lane, occupancy) in (0..).zip(&mut side[..self.lanes]) {
            *occupancy = match kind {
                0 => self.rng.below(capacity + 1),
                // Around the threshold, and ties.
                1 => (threshold + self.rng.below(4)).saturating_sub(2).min(capacity),
                2 => self.rng.below(4).min(capacity),
                3 => base,
                4 => (base + lane).min(capacity),
                5 => {
                    if self.rng.one_in(4) {
                        capacity
                    } else {
                        0
                    }
                }
                _ => (base + self.rng.below(3)).min(capacity),
            };
        }
    }

    /// Each bank of `asked` answers with the chance of this phase.
    fn answers(&mut self, asked: u32) -> u32 {
        let mut answers = 0;
        for lane in (0..self.lanes).filter(|lane| asked >> lane & 1 == 1) {
            answers |= u32::from(self.rng.below(256) < self.answer) << lane;
        }
        answers
    }

    /// One bank gets or loses an ID.
    fn drift(&mut self, pins: &mut WruIn) {
        let capacity = self.entries >> pins.double as u32;
        let choice = self.rng.draw();
        let lane = (choice % self.lanes as u64) as usize;
        let push_side = pins.double && choice >> 32 & 1 == 1;
        let side = if push_side { &mut pins.push_occupancy } else { &mut pins.pull_occupancy };
        side[lane] = if choice >> 33 & 1 == 1 { (side[lane] + 1).min(capacity) } else { side[lane].saturating_sub(1) };
    }

    fn observe(&mut self, outputs: &WruOut, pins: &WruIn) {
        let c = &mut self.counters;
        c.count(Event::Pop, outputs.pop != 0);
        c.count(Event::PopOfMany, outputs.pop.count_ones() > 1);
        c.count(Event::Push, outputs.push != 0);
        c.count(Event::Ends, self.was_moving > 0 && !outputs.moving);
        c.count(Event::Long, self.was_moving == self.interval);
        let starts = outputs.moving && self.was_moving == 0;
        c.count(Event::PullSide, starts && !pins.double);
        c.count(Event::DoublePull, starts && pins.double && outputs.part == pins.pull_part);
        c.count(Event::DoublePush, starts && pins.double && outputs.part != pins.pull_part);
    }
}

impl Traffic for WruTraffic {
    type In = WruIn;
    type Out = WruOut;

    fn next(&mut self, outputs: &WruOut, pins: &mut WruIn) -> bool {
        self.observe(outputs, pins);
        self.was_moving = if outputs.moving { self.was_moving + 1 } else { 0 };
        if self.remaining == 0 {
            let before = pins.pull_part;
            self.choose_phase(pins);
            self.counters.count(Event::Exchange, outputs.moving && before != pins.pull_part);
            if self.rng.one_in(32) {
                self.counters.count(Event::ResetMoving, outputs.moving);
                (self.popped, self.pushed, self.was_moving) = (0, 0, 0);
                return true;
            }
        }
        self.remaining -= 1;
        self.drift(pins);
        pins.wru_valid = self.answers(self.popped);
        pins.wru_accepted = self.answers(self.pushed);
        let random = self.rng.draw() as u32;
        for (lane, id) in (0..).zip(&mut pins.id[..self.lanes]) {
            *id = random.rotate_left(lane) & 0xff_ffff;
        }
        self.counters.count(Event::PopAnswered, pins.wru_valid != 0);
        self.counters.count(Event::PopUnanswered, self.popped & !pins.wru_valid != 0);
        self.counters.count(Event::PushAccepted, pins.wru_accepted != 0);
        self.counters.count(Event::PushTurnedAway, self.pushed & !pins.wru_accepted != 0);
        (self.popped, self.pushed) = (outputs.pop, outputs.push);
        false
    }

    fn coverage(&self) -> Coverage {
        self.counters.coverage()
    }
}
