//! Legal random inputs of `link`.

use super::words::any_word;
use crate::stimulus::{events, phases, Phases, Rng, Stimulus};
use sim::units::prim::pins::{LinkIn, LinkOut, Wide};
use std::collections::VecDeque;

events! { LinkStimulus:
    Enter = "an element enters",
    Leave = "an element leaves",
    Both = "one enters and one leaves in one cycle",
    Waits = "an element waits for a credit",
    Held = "an element waits at the other end",
    Full = "as many are inside as there are credits",
    LastCredit = "an element enters with the last credit",
    Stream = "an element every cycle, as often as there are credits, twice over",
    Alone = "the only element leaves",
    Emptied = "empty again",
    Reset = "reset of a link that holds elements",
}

phases! {
    PHASES: Phase (comes, taken)
    (256, 256) (128, 128) (256, 0) (256, 60) (0, 256) (60, 256) (200, 200) (10, 10)
}

#[derive(Default)]
pub struct LinkStimulus {
    rng: Rng,
    width: u32,
    /// Cycles of the way, and credits.
    stages: u64,
    credits: usize,
    phase: Phases<Phase>,
    now: u64,
    source: Option<Wide>,
    /// Elements, and when each came.
    inside: VecDeque<(Wide, u64)>,
    /// When the elements left whose credits are not home.
    returning: VecDeque<u64>,
    stream: usize,
    was_busy: bool,
    findings: Findings,
}

impl LinkStimulus {
    pub fn new(width: u32, stages: usize, seed: u64) -> Self {
        let credits = (2 * stages + 3).next_power_of_two();
        LinkStimulus {
            rng: Rng::new(seed),
            width,
            stages: stages as u64,
            credits,
            phase: Phases::new(PHASES, 4..4 + 4 * credits as u32, 16),
            ..Default::default()
        }
    }

    /// Elements come out in order, none before its way is over, and as many are inside as credits are used.
    fn observe(&mut self, outputs: &LinkOut) {
        while self.returning.front().is_some_and(|left| left + self.stages < self.now) {
            self.returning.pop_front();
        }
        let used = self.inside.len() + self.returning.len();
        let expected = self.inside.front().filter(|(_, came)| came + self.stages < self.now);
        if outputs.out_valid && expected.is_none_or(|(word, _)| *word != outputs.out_data) {
            self.findings.complain(format!("{:x?} is out, but {expected:x?} is first", outputs.out_data));
        }
        if outputs.empty != (used == 0) || outputs.in_ready != (used < self.credits) {
            self.findings.complain(format!("{outputs:x?}, but {used} of {} credits are used", self.credits));
        }
        self.findings.count(Event::Full, self.inside.len() == self.credits);
        self.findings.count(Event::Emptied, used == 0 && self.was_busy);
        self.was_busy = used > 0;
    }

    fn restart(&mut self) {
        self.findings.count(Event::Reset, !self.inside.is_empty());
        self.inside.clear();
        self.returning.clear();
        (self.source, self.stream, self.was_busy) = (None, 0, false);
    }
}

impl Stimulus for LinkStimulus {
    type In = LinkIn;
    type Out = LinkOut;

    fn next(&mut self, outputs: &LinkOut, pins: &mut LinkIn) -> bool {
        self.now += 1;
        self.observe(outputs);
        if self.phase.next(&mut self.rng) {
            self.restart();
            return true;
        }
        // What was not taken stays.
        if self.source.is_none() && self.phase.comes.happens(&mut self.rng) {
            self.source = Some(any_word(&mut self.rng, self.width));
        }
        pins.in_valid = self.source.is_some();
        pins.in_data = self.source.unwrap_or_else(|| any_word(&mut self.rng, self.width));
        pins.out_ready = self.phase.taken.happens(&mut self.rng);
        let (enters, leaves) = (pins.in_valid && outputs.in_ready, pins.out_ready && outputs.out_valid);
        let used = self.inside.len() + self.returning.len();
        self.stream = if enters && leaves { self.stream + 1 } else { 0 };
        let c = &mut self.findings;
        c.count(Event::Enter, enters);
        c.count(Event::Leave, leaves);
        c.count(Event::Both, enters && leaves);
        c.count(Event::Waits, pins.in_valid && !enters);
        c.count(Event::Held, outputs.out_valid && !leaves);
        c.count(Event::LastCredit, enters && used + 1 == self.credits);
        c.count(Event::Stream, self.stream == 2 * self.credits);
        c.count(Event::Alone, leaves && self.inside.len() == 1);
        if leaves {
            self.inside.pop_front();
            self.returning.push_back(self.now);
        }
        if enters {
            self.inside.extend(self.source.take().map(|word| (word, self.now)));
        }
        false
    }
}
