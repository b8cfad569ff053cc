//! Legal random inputs of `combiner`. Every key must come out once, with the sum that a map of all lanes has.

use crate::pins::{CombinerIn, CombinerOut};
use crate::KEY_BITS;
use std::collections::BTreeMap;
use testbench::stimulus::{events, Phases, Rng, Stimulus};

events! { CombinerStimulus:
    AllDiffer = "all lanes, all keys differ",
    AllEqual = "all lanes have one key",
    Merged = "several keys of several lanes",
    OneLane = "one lane",
    AtOnce = "start in the first cycle in which the unit is ready",
    Wraps = "a sum wraps",
    Reset = "reset while lanes are left",
}

/// A phase: how many keys there are, one start in how many cycles, and one lane in how many is missing.
const PHASES: [(u64, u32, u32); 5] = [(1, 1, 99), (3, 1, 4), (1 << KEY_BITS, 2, 99), (6, 9, 2), (1 << KEY_BITS, 1, 1)];

pub struct CombinerStimulus {
    rng: Rng,
    lanes: u32,
    phase: Phases<(u64, u32, u32)>,
    /// Sums that have not come out, by the first lane of each key.
    expected: BTreeMap<u8, u32>,
    was_ready: bool,
    findings: Findings,
}

impl CombinerStimulus {
    pub fn new(lanes: usize, seed: u64) -> Self {
        CombinerStimulus {
            rng: Rng::new(seed),
            lanes: lanes as u32,
            phase: Phases::new(&PHASES, 50..400, 8),
            expected: BTreeMap::new(),
            was_ready: false,
            findings: Findings::default(),
        }
    }

    fn observe(&mut self, out: &CombinerOut) {
        if out.out_valid {
            let sum = self.expected.remove(&out.out_lane);
            if sum != Some(out.out_value) || out.out_last != self.expected.is_empty() {
                self.findings.complain(format!("{out:x?}, where {sum:x?} is expected, and then {:x?}", self.expected));
            }
        }
    }

    fn start(&mut self, pins: &mut CombinerIn) {
        let (keys, _, missing) = *self.phase;
        let base = self.rng.draw();
        let present = (0..self.lanes).filter(|_| !self.rng.one_in(missing)).fold(0, |mask, lane| mask | 1 << lane);
        pins.mask = if present == 0 { 1 << self.rng.below(self.lanes) } else { present };
        let (mut sums, mut wraps) = (BTreeMap::<u64, (u8, u32)>::new(), false);
        for lane in (0..self.lanes as usize).filter(|lane| pins.mask >> lane & 1 == 1) {
            pins.key[lane] = base.wrapping_add(self.rng.draw() % keys) % (1 << KEY_BITS);
            pins.value[lane] = self.rng.draw() as u32;
            let (_, sum) = sums.entry(pins.key[lane]).or_insert((lane as u8, 0));
            let (next, carry) = sum.overflowing_add(pins.value[lane]);
            (*sum, wraps) = (next, wraps | carry);
        }
        let lanes = pins.mask.count_ones();
        self.findings.count(Event::AllDiffer, lanes == self.lanes && sums.len() == lanes as usize);
        self.findings.count(Event::AllEqual, lanes == self.lanes && sums.len() == 1);
        self.findings.count(Event::Merged, sums.len() > 1 && sums.len() < lanes as usize);
        self.findings.count(Event::OneLane, lanes == 1);
        self.findings.count(Event::AtOnce, !self.was_ready);
        self.findings.count(Event::Wraps, wraps);
        self.expected.extend(sums.into_values());
    }
}

impl Stimulus for CombinerStimulus {
    type In = CombinerIn;
    type Out = CombinerOut;

    fn next(&mut self, out: &CombinerOut, pins: &mut CombinerIn) -> bool {
        self.observe(out);
        if self.phase.next(&mut self.rng) {
            self.findings.count(Event::Reset, !out.ready);
            self.expected.clear();
            return true;
        }
        // The last sum is on the pins in the first ready cycle.
        pins.start = out.ready && self.rng.one_in(self.phase.1);
        if pins.start {
            self.start(pins);
        }
        self.was_ready = out.ready;
        false
    }
}
