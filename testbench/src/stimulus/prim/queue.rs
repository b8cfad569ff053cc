//! Legal random inputs of `queue`.

use super::words::any_word;
use crate::stimulus::{events, phases, Phases, Rng, Stimulus};
use sim::units::prim::pins::{QueueIn, QueueOut, Wide};
use std::collections::VecDeque;

events! { QueueStimulus:
    Push = "push",
    Take = "take",
    Both = "push and take in one cycle",
    IntoEmpty = "push into an empty queue",
    PushAsHeadGoes = "push while the only entry is taken",
    Full = "full",
    FullTaken = "take while full",
    Emptied = "empty again",
    Wrapped = "as many entries as fit have gone through",
    Stream = "an entry every cycle, as often as entries fit",
    Waits = "the head waits",
    Reset = "reset of a queue that holds entries",
}

phases! {
    PHASES: Phase (push, take)
    (256, 256) (128, 128) (256, 0) (256, 60) (0, 256) (60, 256) (200, 200) (10, 10)
}

#[derive(Default)]
pub struct QueueStimulus {
    rng: Rng,
    width: u32,
    capacity: u32,
    phase: Phases<Phase>,
    inside: VecDeque<Wide>,
    gone: u32,
    stream: u32,
    findings: Findings,
}

impl QueueStimulus {
    pub fn new(width: u32, entries: usize, seed: u64) -> Self {
        QueueStimulus {
            rng: Rng::new(seed),
            width,
            capacity: entries as u32,
            phase: Phases::new(PHASES, 4..4 + 3 * entries as u32, 16),
            ..Default::default()
        }
    }

    fn observe(&mut self, outputs: &QueueOut) {
        let wrong = outputs.empty != self.inside.is_empty()
            || outputs.head_valid && self.inside.front() != Some(&outputs.head_data);
        if wrong {
            self.findings.complain(format!("{outputs:x?}, but inside are {:x?}", self.inside.front()));
        }
    }
}

impl Stimulus for QueueStimulus {
    type In = QueueIn;
    type Out = QueueOut;

    fn next(&mut self, outputs: &QueueOut, pins: &mut QueueIn) -> bool {
        self.observe(outputs);
        if self.phase.next(&mut self.rng) {
            self.findings.count(Event::Reset, !self.inside.is_empty());
            self.inside.clear();
            (self.gone, self.stream) = (0, 0);
            return true;
        }
        pins.push = !outputs.full && self.phase.push.happens(&mut self.rng);
        pins.push_data = any_word(&mut self.rng, self.width);
        pins.take = outputs.head_valid && self.phase.take.happens(&mut self.rng);
        let both = pins.push && pins.take;
        self.stream = if both { self.stream + 1 } else { 0 };
        let c = &mut self.findings;
        c.count(Event::Push, pins.push);
        c.count(Event::Take, pins.take);
        c.count(Event::Both, both);
        c.count(Event::IntoEmpty, pins.push && outputs.empty);
        c.count(Event::PushAsHeadGoes, both && self.inside.len() == 1);
        c.count(Event::Full, outputs.full);
        c.count(Event::FullTaken, outputs.full && pins.take);
        c.count(Event::Emptied, pins.take && !pins.push && self.inside.len() == 1);
        c.count(Event::Stream, self.stream == self.capacity);
        c.count(Event::Waits, outputs.head_valid && !pins.take);
        if pins.take {
            self.inside.pop_front();
            self.gone += 1;
            self.findings.count(Event::Wrapped, self.gone == self.capacity);
        }
        if pins.push {
            self.inside.push_back(pins.push_data);
        }
        false
    }
}
