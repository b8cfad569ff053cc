//! Legal random inputs of a unit of the user's own at a core: calls, replies of memory, and a core that does not always take answers.

use super::{replies, Pace, Reads};
use crate::stimulus::{events, Phases, Rng, Stimulus};
use sim::attach::user_unit::core::pins::{CoreIn, CoreOut, TAG_BITS};

events! { CoreStimulus:
    Called = "a call is taken",
    ManyOpen = "eight calls are open",
    Answered = "an answer is taken",
    PartlyAnswered = "an answer for some lanes of a call",
    AnswerWaits = "an answer waits",
    Read = "a read is taken",
    Written = "a write is taken",
    RequestWaits = "a request to memory waits",
    Replied = "data is taken",
    ReplyWaits = "data waits",
    Reset = "reset while the unit is busy",
}

const TAGS: usize = 1 << TAG_BITS;

/// Operations of the kernel's calls.
#[derive(Clone, Debug, Default)]
pub struct Operations {
    /// Operations of `unit_call`.
    pub answered: Vec<u8>,
    /// Operations of `unit_do`.
    pub silent: Vec<u8>,
}

pub struct CoreStimulus {
    rng: Rng,
    lanes: usize,
    operations: Operations,
    pace: Phases<Pace>,
    /// By tag: lanes that have no answer.
    open: [u32; TAGS],
    reading: Reads,
    pins: CoreIn,
    findings: Findings,
}

impl CoreStimulus {
    pub fn new(lanes: usize, operations: &Operations, seed: u64) -> Self {
        CoreStimulus {
            rng: Rng::new(seed),
            lanes,
            operations: operations.clone(),
            pace: Pace::phases(),
            open: [0; TAGS],
            reading: Reads::default(),
            pins: CoreIn { lanes, ..CoreIn::default() },
            findings: Findings::default(),
        }
    }

    fn reset(&mut self) {
        self.open = [0; TAGS];
        self.reading = Reads::default();
        self.pins = CoreIn { lanes: self.lanes, ..CoreIn::default() };
    }

    /// Transfers of this cycle.
    fn hand_over(&mut self, out: &CoreOut) {
        self.take_answer(out);
        self.take_request(out);
        self.take_reply(out);
        let pins = &mut self.pins;
        if pins.request_valid && out.request_ready {
            let is_answered = self.operations.answered.contains(&pins.request_operation);
            self.open[usize::from(pins.request_tag)] = if is_answered { pins.request_lanes } else { 0 };
            pins.request_valid = false;
            self.findings.count(Event::Called, true);
        }
    }

    fn take_answer(&mut self, out: &CoreOut) {
        self.findings.count(Event::AnswerWaits, out.answer_valid && !self.pins.answer_ready);
        if !out.answer_valid {
            return;
        }
        let (tag, lanes) = (usize::from(out.answer_tag), out.answer_lanes);
        let open = self.open[tag];
        if lanes == 0 || lanes & !open != 0 {
            self.findings
                .complain(format!("an answer to tag {tag} for lanes {lanes:#x}, and lanes {open:#x} have none"));
        }
        if self.pins.answer_ready {
            self.open[tag] &= !lanes;
            self.findings.count(Event::Answered, true);
            self.findings.count(Event::PartlyAnswered, self.open[tag] != 0);
        }
    }

    fn take_request(&mut self, out: &CoreOut) {
        self.findings.count(Event::RequestWaits, out.memory_valid && !self.pins.memory_ready);
        if !out.memory_valid {
            return;
        }
        let size = out.memory_size;
        if !(2..=5).contains(&size) || !out.memory_address.is_multiple_of(1 << size) {
            self.findings.complain(format!("a request of size {size} to {:#x}", out.memory_address));
        }
        if !out.memory_write {
            self.findings.check(self.reading.ask(out.memory_tag, self.pins.memory_ready));
        }
        if self.pins.memory_ready {
            self.findings.count(if out.memory_write { Event::Written } else { Event::Read }, true);
        }
    }

    fn check_busy(&mut self, out: &CoreOut) {
        let has_work = self.open.iter().any(|lanes| *lanes != 0) || self.reading.any();
        if !out.busy && (has_work || out.answer_valid || out.memory_valid) {
            self.findings.complain("busy is low, although a call is open or memory is asked".into());
        }
    }

    /// A new call, if there is a tag for it.
    fn call(&mut self) {
        let rng = &mut self.rng;
        let tag = rng.below(TAGS as u32) as usize;
        if self.open[tag] != 0 {
            return;
        }
        let all = [&self.operations.answered[..], &self.operations.silent].concat();
        let present = rng.draw() as u32 | if rng.one_in(2) { u32::MAX } else { 0 };
        let lanes = present & (u32::MAX >> (32 - self.lanes));
        let pins = &mut self.pins;
        pins.request_valid = true;
        pins.request_operation = rng.any_of(&all);
        pins.request_tag = tag as u8;
        pins.request_warp = rng.below(48) as u8;
        pins.request_lanes = if lanes == 0 { 1 } else { lanes };
        for words in [&mut pins.request_a, &mut pins.request_b] {
            let mask = self.pace.mask();
            let shared = rng.draw() as u32;
            words[..self.lanes].iter_mut().for_each(|word| *word = shared ^ (rng.draw() as u32 & mask));
        }
    }
}

replies! { CoreStimulus, CoreOut }

impl Stimulus for CoreStimulus {
    type In = CoreIn;
    type Out = CoreOut;

    fn next(&mut self, out: &CoreOut, pins: &mut CoreIn) -> bool {
        if self.pace.next(&mut self.rng) {
            self.findings.count(Event::Reset, out.busy);
            self.reset();
            return true;
        }
        self.check_busy(out);
        let Pace { asks, answers, takes, .. } = *self.pace;
        if !self.pins.request_valid && asks.happens(&mut self.rng) {
            self.call();
        }
        if !self.pins.reply_valid && answers.happens(&mut self.rng) {
            self.reply();
        }
        self.pins.answer_ready = takes.happens(&mut self.rng);
        self.pins.memory_ready = takes.happens(&mut self.rng) && out.memory_valid;
        pins.clone_from(&self.pins);
        self.hand_over(out);
        let open = self.open.iter().filter(|lanes| **lanes != 0).count();
        self.findings.count(Event::ManyOpen, open >= 8);
        false
    }
}
