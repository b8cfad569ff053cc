//! Legal random inputs of `wru_threshold`, `wru_sorting`, `wru_serial` and `wru_global`: occupancies that banks could have, answers that
//! banks and the network between cores could give.

use crate::stimulus::{bits, events, Chance, Coverage, Rng, Stimulus};
use sim::units::hwwl::pins::{WruIn, WruOut, MAX_BANKS};
use sim::units::hwwl::Parameters;

events! { WruStimulus:
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
    GivenUp = "an event ends without a push",
    Greedy = "greedy in one partition alone",
    Out = "an ID for another core",
    OutPull = "an ID of the pull partition for another core",
    OutPush = "an ID of the push partition for another core",
    OutTaken = "an ID for another core is taken at once",
    OutWaits = "an ID for another core waits",
    OutBeside = "an ID for another core waits beside an event",
    HeldBack = "an event of a greedy core that may not send",
    ResetMoving = "reset during an event",
    ResetOut = "reset while an ID waits for another core",
}

#[derive(Default)]
pub struct WruStimulus {
    rng: Rng,
    banks: usize,
    entries: u32,
    threshold: u32,
    interval: u32,
    /// The unit moves one ID at a time.
    is_serial: bool,
    remaining: u32,
    /// Chances of this phase: a bank answers, the network takes an ID.
    answer: Chance,
    take: Chance,
    /// Requests of the last cycle, to which the banks answer in this one.
    popped: u64,
    pushed: u64,
    was_moving: u32,
    has_pushed: bool,
    was_out: bool,
    findings: Findings,
}

impl WruStimulus {
    /// For a unit over `banks` banks.
    pub fn new(parameters: &Parameters, banks: usize, seed: u64) -> Self {
        WruStimulus {
            rng: Rng::new(seed),
            banks,
            entries: parameters.entries as u32,
            threshold: parameters.threshold,
            interval: parameters.interval,
            ..Default::default()
        }
    }

    /// For a unit that moves one ID at a time.
    pub fn serial(parameters: &Parameters, seed: u64) -> Self {
        WruStimulus { is_serial: true, ..Self::new(parameters, parameters.lanes, seed) }
    }

    /// A new situation: mode, sides, occupancies of a certain kind.
    fn choose_phase(&mut self, pins: &mut WruIn) {
        self.remaining = 1 + self.rng.below(6 * self.interval);
        self.answer = [0, 20, 128, 230, 256].map(Chance)[self.rng.below(5) as usize];
        self.take = [0, 10, 128, 256].map(Chance)[self.rng.below(4) as usize];
        pins.send = self.rng.any_of(&[0, 1, 2, 3, 3, 3]);
        if self.rng.one_in(4) {
            pins.double_buffer = self.rng.one_in(2);
        }
        pins.pull_part = pins.double_buffer && self.rng.one_in(2);
        let capacity = self.entries >> pins.double_buffer as u32;
        self.occupancies(&mut pins.pull_occupancy, capacity);
        self.occupancies(&mut pins.push_occupancy, if pins.double_buffer { capacity } else { 0 });
    }

    fn occupancies(&mut self, side: &mut [u32; MAX_BANKS], capacity: u32) {
        let kind = self.rng.below(7);
        let base = self.rng.below(capacity + 1);
        let threshold = self.threshold.min(capacity);
        for (bank, occupancy) in (0..).zip(&mut side[..self.banks]) {
            *occupancy = match kind {
                0 => self.rng.below(capacity + 1),
                // Around the threshold, and ties.
                1 => (threshold + self.rng.below(4)).saturating_sub(2).min(capacity),
                2 => self.rng.below(4).min(capacity),
                3 => base,
                4 => (base + bank).min(capacity),
                5 if self.rng.one_in(4) => capacity,
                5 => 0,
                _ => (base + self.rng.below(3)).min(capacity),
            };
        }
    }

    /// Each bank of `asked` answers with the chance of this phase.
    fn answers(&mut self, asked: u64) -> u64 {
        let answer = self.answer;
        bits(asked).fold(0, |answers, bank| answers | u64::from(answer.happens(&mut self.rng)) << bank)
    }

    /// One bank gets or loses an ID.
    fn drift(&mut self, pins: &mut WruIn) {
        let capacity = self.entries >> pins.double_buffer as u32;
        let choice = self.rng.draw();
        let bank = (choice % self.banks as u64) as usize;
        let push_side = pins.double_buffer && choice >> 32 & 1 == 1;
        let side = if push_side { &mut pins.push_occupancy } else { &mut pins.pull_occupancy };
        let occupancy = &mut side[bank];
        *occupancy = if choice >> 33 & 1 == 1 { (*occupancy + 1).min(capacity) } else { occupancy.saturating_sub(1) };
    }

    fn observe(&mut self, outputs: &WruOut, pins: &WruIn) {
        let c = &mut self.findings;
        c.count(Event::Pop, outputs.pop != 0);
        c.count(Event::PopOfMany, outputs.pop.count_ones() > 1);
        c.count(Event::Push, outputs.push != 0);
        c.count(Event::Ends, self.was_moving > 0 && !outputs.moving);
        c.count(Event::Long, self.was_moving == self.interval);
        let starts = outputs.moving && self.was_moving == 0;
        c.count(Event::PullSide, starts && !pins.double_buffer);
        c.count(Event::DoublePull, starts && pins.double_buffer && outputs.part == pins.pull_part);
        c.count(Event::DoublePush, starts && pins.double_buffer && outputs.part != pins.pull_part);
        c.count(Event::GivenUp, self.was_moving > 0 && !outputs.moving && !self.has_pushed);
        c.count(Event::Greedy, matches!(outputs.greedy, 1 | 2));
        c.count(Event::HeldBack, starts && outputs.greedy >> u8::from(outputs.part) & 1 == 1 && pins.send == 0);
        let starts = outputs.out_valid && !self.was_out;
        c.count(Event::Out, starts);
        c.count(Event::OutPull, starts && outputs.out_part == pins.pull_part);
        c.count(Event::OutPush, starts && outputs.out_part != pins.pull_part);
        c.count(Event::OutBeside, outputs.out_valid && outputs.moving);
        self.has_pushed = outputs.moving && (self.has_pushed || outputs.push != 0);
    }
}

impl Stimulus for WruStimulus {
    type In = WruIn;
    type Out = WruOut;

    fn next(&mut self, outputs: &WruOut, pins: &mut WruIn) -> bool {
        self.observe(outputs, pins);
        self.was_moving = if outputs.moving { self.was_moving + 1 } else { 0 };
        if self.remaining == 0 {
            let before = pins.pull_part;
            self.choose_phase(pins);
            self.findings.count(Event::Exchange, outputs.moving && before != pins.pull_part);
            if self.rng.one_in(32) {
                self.findings.count(Event::ResetMoving, outputs.moving);
                self.findings.count(Event::ResetOut, outputs.out_valid);
                (self.popped, self.pushed, self.was_moving) = (0, 0, 0);
                (self.has_pushed, self.was_out) = (false, false);
                return true;
            }
        }
        self.remaining -= 1;
        self.drift(pins);
        pins.wru_valid = self.answers(self.popped);
        pins.wru_accepted = self.answers(self.pushed);
        let random = self.rng.draw() as u32;
        for (bank, id) in (0..).zip(&mut pins.id[..self.banks]) {
            *id = random.rotate_left(bank) & 0xff_ffff;
        }
        // `out_ready` is high whenever the network has room, whether there is an ID or not.
        pins.out_ready = self.take.happens(&mut self.rng);
        self.findings.count(Event::OutTaken, outputs.out_valid && !self.was_out && pins.out_ready);
        self.findings.count(Event::OutWaits, outputs.out_valid && !pins.out_ready);
        self.was_out = outputs.out_valid && !pins.out_ready;
        self.findings.count(Event::PopAnswered, pins.wru_valid != 0);
        self.findings.count(Event::PopUnanswered, self.popped & !pins.wru_valid != 0);
        self.findings.count(Event::PushAccepted, pins.wru_accepted != 0);
        self.findings.count(Event::PushTurnedAway, self.pushed & !pins.wru_accepted != 0);
        (self.popped, self.pushed) = (outputs.pop, outputs.push);
        false
    }

    fn coverage(&self) -> Coverage {
        let of_sending = [
            Event::Out,
            Event::OutPull,
            Event::OutTaken,
            Event::OutWaits,
            Event::OutBeside,
            Event::HeldBack,
            Event::ResetOut,
        ];
        // Nobody is greedy who cannot hold more than the threshold.
        let greedy = |capacity: u32| capacity > self.threshold;
        self.findings.coverage_without(&[
            (!greedy(self.entries), &of_sending),
            (!greedy(self.entries / 2), &[Event::OutPush]),
            (!greedy(self.entries), &[Event::Greedy]),
            (self.is_serial, &[Event::PopOfMany]),
        ])
    }
}
