//! Legal random inputs of `iru_hash`: every index, array and pair of enables.

use super::elements;
use crate::stimulus::{events, Chance, Rng, Stimulus};
use sim::units::iru::element::INDEX_MASK;
use sim::units::iru::pins::{IruHashIn, IruHashOut};

events! { IruHashStimulus:
    Both = "both stages take",
    First = "stage 1 alone takes",
    Second = "stage 2 alone takes",
    Waits = "neither stage takes",
    Stream = "64 cycles in which both take",
    Wraps = "an access beyond the last address",
    LargestIndex = "the largest index",
    Bytes = "elements of a byte",
    Lines = "elements of a line",
    Reset = "reset, after which the stages are as before",
}

pub struct IruHashStimulus {
    rng: Rng,
    enables: [Chance; 2],
    /// Cycles in which both stages take by all means: at first, so that there is something to compare.
    settling: u8,
    stream: u32,
    findings: Findings,
}

impl IruHashStimulus {
    pub fn new(seed: u64) -> Self {
        IruHashStimulus {
            rng: Rng::new(seed),
            enables: [Chance::ALWAYS; 2],
            settling: 2,
            stream: 0,
            findings: Findings::default(),
        }
    }
}

impl Stimulus for IruHashStimulus {
    type In = IruHashIn;
    type Out = IruHashOut;

    fn next(&mut self, _outputs: &IruHashOut, pins: &mut IruHashIn) -> bool {
        if self.settling > 0 {
            self.settling -= 1;
        } else if self.rng.one_in(100) {
            let chances = [Chance::ALWAYS, Chance::ALWAYS, Chance(128), Chance(20)];
            self.enables = [chances[self.rng.below(4) as usize], chances[self.rng.below(4) as usize]];
            if self.rng.one_in(16) {
                self.findings.count(Event::Reset, true);
                self.stream = 0;
                return true;
            }
        }
        let [enable_1, enable_2] = self.enables;
        pins.enable_1 = enable_1.happens(&mut self.rng);
        pins.enable_2 = enable_2.happens(&mut self.rng);
        pins.access = elements::access(&mut self.rng);
        pins.index = match self.rng.below(8) {
            0 => INDEX_MASK,
            1 => 1 << self.rng.below(24),
            _ => self.rng.draw() as u32 & INDEX_MASK,
        };
        self.stream = if pins.enable_1 && pins.enable_2 { self.stream + 1 } else { 0 };
        let c = &mut self.findings;
        c.count(Event::Both, pins.enable_1 && pins.enable_2);
        c.count(Event::First, pins.enable_1 && !pins.enable_2);
        c.count(Event::Second, !pins.enable_1 && pins.enable_2);
        c.count(Event::Waits, !pins.enable_1 && !pins.enable_2);
        c.count(Event::Stream, self.stream == 64);
        let address = pins.access.target + (u64::from(pins.index) << pins.access.size);
        c.count(Event::Wraps, pins.enable_1 && address >> 39 != 0);
        c.count(Event::LargestIndex, pins.enable_1 && pins.index == INDEX_MASK);
        c.count(Event::Bytes, pins.enable_1 && pins.access.size == 0);
        c.count(Event::Lines, pins.enable_1 && pins.access.size == 7);
        false
    }
}
