//! Legal random inputs of `sram_1r1w`.

use super::words::Words;
use crate::stimulus::{events, Chance, Rng, Stimulus};
use sim::units::prim::pins::{Sram1r1wIn, Sram1r1wOut};

events! { Sram1r1wStimulus:
    Write = "write",
    Read = "read",
    Both = "read and write in one cycle",
    ReadBack = "a word is read in the cycle after its write",
    Held = "the word on show is overwritten",
    Last = "the last word is read",
    Reset = "reset, after which words and rdata are as before",
}

/// Words that have been written are read: what others hold means nothing.
#[derive(Default)]
pub struct Sram1r1wStimulus {
    rng: Rng,
    words: Words,
    cycle: u64,
    read: Chance,
    write: Chance,
    last_write: Option<u32>,
    findings: Findings,
}

impl Sram1r1wStimulus {
    pub fn new(width: u32, words: usize, seed: u64) -> Self {
        Sram1r1wStimulus {
            rng: Rng::new(seed),
            words: Words::new(width, words),
            read: Chance::ALWAYS,
            write: Chance::ALWAYS,
            ..Default::default()
        }
    }

    fn choose(&mut self, pins: &mut Sram1r1wIn) {
        let words = self.words.len();
        pins.write = self.write.happens(&mut self.rng);
        pins.write_addr = self.rng.below(words);
        pins.wdata = self.words.any(&mut self.rng);
        pins.read_addr = match self.last_write {
            Some(last) if self.rng.one_in(4) => last,
            _ => self.rng.below(words),
        };
        let is_written = pins.write && pins.write_addr == pins.read_addr;
        let known = self.words.is_known(pins.read_addr);
        pins.read = !is_written && known && self.read.happens(&mut self.rng);
        if self.cycle <= 2 {
            // The first word is written, then read, so that there is something to compare.
            (pins.write, pins.write_addr) = (self.cycle == 1, 0);
            (pins.read, pins.read_addr) = (self.cycle == 2, 0);
        }
    }
}

impl Stimulus for Sram1r1wStimulus {
    type In = Sram1r1wIn;
    type Out = Sram1r1wOut;

    fn next(&mut self, outputs: &Sram1r1wOut, pins: &mut Sram1r1wIn) -> bool {
        self.findings.check(self.words.check(&outputs.rdata));
        self.cycle += 1;
        if self.cycle > 2 && self.rng.one_in(64) {
            let phases = [Chance(0), Chance(60), Chance(200), Chance::ALWAYS];
            self.read = self.rng.any_of(&phases);
            self.write = self.rng.any_of(&phases);
            if self.rng.one_in(64) {
                self.findings.count(Event::Reset, true);
                self.last_write = None;
                return true;
            }
        }
        self.choose(pins);
        let c = &mut self.findings;
        c.count(Event::Write, pins.write);
        c.count(Event::Read, pins.read);
        c.count(Event::Both, pins.read && pins.write);
        c.count(Event::ReadBack, pins.read && self.last_write == Some(pins.read_addr));
        c.count(Event::Held, pins.write && !pins.read && self.words.shown() == Some(pins.write_addr));
        c.count(Event::Last, pins.read && pins.read_addr == self.words.len() - 1);
        if pins.read {
            self.words.read(pins.read_addr);
        }
        self.last_write = pins.write.then_some(pins.write_addr);
        if pins.write {
            self.words.write(pins.write_addr, pins.wdata);
        }
        false
    }
}
