//! Legal random inputs of `sram_1rw`.

use super::words::Words;
use crate::stimulus::{events, phases, Phases, Rng, Stimulus};
use sim::units::prim::pins::{Sram1rwIn, Sram1rwOut};

events! { Sram1rwStimulus:
    Write = "write",
    Read = "read",
    Off = "we without en",
    Stream = "a read in each of two cycles",
    ReadBack = "a word is read in the cycle after its write",
    Held = "the word on show is overwritten",
    Kept = "a word is read that a cycle without en would have changed",
    Last = "the last word is read",
    Reset = "reset, after which words and rdata are as before",
}

phases! {
    PHASES: Phase (en, we)
    (256, 128) (256, 20) (200, 250) (60, 100) (128, 128) (10, 256)
}

/// Words that have been written are read: what others hold means nothing.
#[derive(Default)]
pub struct Sram1rwStimulus {
    rng: Rng,
    words: Words,
    phase: Phases<Phase>,
    cycle: u64,
    last: Sram1rwIn,
    /// The last word that `we` without `en` was about.
    spared: Option<u32>,
    findings: Findings,
}

impl Sram1rwStimulus {
    pub fn new(width: u32, words: usize, seed: u64) -> Self {
        Sram1rwStimulus {
            rng: Rng::new(seed),
            words: Words::new(width, words),
            phase: Phases::new(PHASES, 4..4 + 4 * words as u32, 16),
            ..Default::default()
        }
    }

    fn choose(&mut self, pins: &mut Sram1rwIn) {
        pins.en = self.phase.en.happens(&mut self.rng);
        pins.we = self.phase.we.happens(&mut self.rng);
        pins.wdata = self.words.any(&mut self.rng);
        pins.addr = if self.rng.one_in(4) { self.last.addr } else { self.rng.below(self.words.len()) };
        pins.en &= pins.we || self.words.is_known(pins.addr);
    }

    fn count(&mut self, pins: &Sram1rwIn) {
        let (writes, reads) = (pins.en && pins.we, pins.en && !pins.we);
        let same = self.last.en && pins.addr == self.last.addr;
        let c = &mut self.findings;
        c.count(Event::Write, writes);
        c.count(Event::Read, reads);
        c.count(Event::Off, pins.we && !pins.en);
        c.count(Event::Stream, reads && self.last.en && !self.last.we);
        c.count(Event::ReadBack, reads && same && self.last.we);
        c.count(Event::Held, writes && self.words.shown() == Some(pins.addr));
        c.count(Event::Kept, reads && self.spared == Some(pins.addr));
        c.count(Event::Last, reads && pins.addr == self.words.len() - 1);
    }

    fn clock(&mut self, pins: &Sram1rwIn) {
        match (pins.en, pins.we) {
            (true, true) => self.words.write(pins.addr, pins.wdata),
            (true, false) => self.words.read(pins.addr),
            (false, true) => self.spared = Some(pins.addr),
            (false, false) => {}
        }
        if pins.en && pins.we && self.spared == Some(pins.addr) {
            self.spared = None;
        }
        self.last = *pins;
    }
}

impl Stimulus for Sram1rwStimulus {
    type In = Sram1rwIn;
    type Out = Sram1rwOut;

    fn next(&mut self, outputs: &Sram1rwOut, pins: &mut Sram1rwIn) -> bool {
        self.findings.check(self.words.check(&outputs.rdata));
        self.cycle += 1;
        if self.cycle <= 2 {
            // The first word is written, then read: there is something to compare from then on.
            *pins = Sram1rwIn { en: true, we: self.cycle == 1, addr: 0, wdata: self.words.any(&mut self.rng) };
        } else if self.phase.next(&mut self.rng) {
            self.findings.count(Event::Reset, true);
            self.last = Sram1rwIn::default();
            return true;
        } else {
            self.choose(pins);
        }
        self.count(pins);
        self.clock(pins);
        false
    }
}
