//! Legal random inputs of `sram_1r1w` and `queue`.

use crate::traffic::chance::Chance;
use crate::traffic::{Coverage, Rng, Traffic};
pub use queue::QueueTraffic;
use sim::units::iru::pins::{QueueIn, QueueOut, SramIn, SramOut, Wide};
pub use sram::SramTraffic;
use std::collections::VecDeque;

/// A word of `width` bits.
fn word(rng: &mut Rng, width: u32) -> Wide {
    let mut left = width;
    Wide::default().map(|_| {
        let bits = left.min(64);
        left -= bits;
        if bits == 0 {
            0
        } else {
            rng.draw() >> (64 - bits)
        }
    })
}

mod sram {
    use super::*;
    use crate::traffic::events;

    events! {
        Write = "write",
        Read = "read",
        Both = "read and write in one cycle",
        ReadBack = "a word is read in the cycle after its write",
        Held = "the word on show is overwritten",
        Last = "the last word is read",
        Reset = "reset, after which words and rdata are as before",
    }

    /// Words that have been written are read: what others hold means nothing.
    pub struct SramTraffic {
        rng: Rng,
        width: u32,
        words: Vec<Option<Wide>>,
        shown: Option<u32>,
        expected: Option<Wide>,
        cycle: u64,
        read: Chance,
        write: Chance,
        last_write: Option<u32>,
        counters: Counters,
        violation: Option<String>,
    }

    impl SramTraffic {
        pub fn new(width: u32, words: usize, seed: u64) -> Self {
            SramTraffic {
                rng: Rng::new(seed),
                width,
                words: vec![None; words],
                shown: None,
                expected: None,
                cycle: 0,
                read: Chance::ALWAYS,
                write: Chance::ALWAYS,
                last_write: None,
                counters: Counters::default(),
                violation: None,
            }
        }

        fn choose(&mut self, pins: &mut SramIn) {
            let words = self.words.len() as u32;
            pins.write = self.write.happens(&mut self.rng);
            pins.write_addr = self.rng.below(words);
            pins.wdata = word(&mut self.rng, self.width);
            pins.read_addr = match self.last_write {
                Some(last) if self.rng.one_in(4) => last,
                _ => self.rng.below(words),
            };
            let is_written = pins.write && pins.write_addr == pins.read_addr;
            let known = self.words[pins.read_addr as usize].is_some();
            pins.read = !is_written && known && self.read.happens(&mut self.rng);
            if self.cycle <= 2 {
                // The first word is written, then read, so that there is something to compare.
                (pins.write, pins.write_addr) = (self.cycle == 1, 0);
                (pins.read, pins.read_addr) = (self.cycle == 2, 0);
            }
        }
    }

    impl Traffic for SramTraffic {
        type In = SramIn;
        type Out = SramOut;

        fn next(&mut self, outputs: &SramOut, pins: &mut SramIn) -> bool {
            if self.expected.is_some_and(|word| word != outputs.rdata) {
                self.violation = Some(format!("rdata is {:x?}, written was {:x?}", outputs.rdata, self.expected));
            }
            self.cycle += 1;
            if self.cycle > 2 && self.rng.one_in(64) {
                let phases = [Chance(0), Chance(60), Chance(200), Chance::ALWAYS];
                self.read = phases[self.rng.below(4) as usize];
                self.write = phases[self.rng.below(4) as usize];
                if self.rng.one_in(64) {
                    self.counters.count(Event::Reset, true);
                    self.last_write = None;
                    return true;
                }
            }
            self.choose(pins);
            let c = &mut self.counters;
            c.count(Event::Write, pins.write);
            c.count(Event::Read, pins.read);
            c.count(Event::Both, pins.read && pins.write);
            c.count(Event::ReadBack, pins.read && self.last_write == Some(pins.read_addr));
            c.count(Event::Held, pins.write && !pins.read && self.shown == Some(pins.write_addr));
            c.count(Event::Last, pins.read && pins.read_addr as usize == self.words.len() - 1);
            if pins.read {
                self.shown = Some(pins.read_addr);
                self.expected = self.words[pins.read_addr as usize];
            }
            self.last_write = pins.write.then_some(pins.write_addr);
            if pins.write {
                self.words[pins.write_addr as usize] = Some(pins.wdata);
            }
            false
        }

        fn coverage(&self) -> Coverage {
            self.counters.coverage(&[])
        }

        fn violation(&self) -> Option<&str> {
            self.violation.as_deref()
        }
    }
}

mod queue {
    use super::*;
    use crate::traffic::events;

    events! {
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

    pub struct QueueTraffic {
        rng: Rng,
        width: u32,
        capacity: u32,
        push: Chance,
        take: Chance,
        remaining: u32,
        inside: VecDeque<Wide>,
        gone: u32,
        stream: u32,
        counters: Counters,
        violation: Option<String>,
    }

    /// Chances of push and take.
    const PHASES: [(u16, u16); 8] =
        [(256, 256), (128, 128), (256, 0), (256, 60), (0, 256), (60, 256), (200, 200), (10, 10)];

    impl QueueTraffic {
        pub fn new(width: u32, entries: usize, seed: u64) -> Self {
            QueueTraffic {
                rng: Rng::new(seed),
                width,
                capacity: entries as u32,
                push: Chance::NEVER,
                take: Chance::NEVER,
                remaining: 0,
                inside: VecDeque::new(),
                gone: 0,
                stream: 0,
                counters: Counters::default(),
                violation: None,
            }
        }

        fn observe(&mut self, outputs: &QueueOut) {
            let wrong = outputs.empty != self.inside.is_empty()
                || outputs.head_valid && self.inside.front() != Some(&outputs.head_data);
            if wrong {
                self.violation = Some(format!("{outputs:x?}, but inside are {:x?}", self.inside.front()));
            }
        }
    }

    impl Traffic for QueueTraffic {
        type In = QueueIn;
        type Out = QueueOut;

        fn next(&mut self, outputs: &QueueOut, pins: &mut QueueIn) -> bool {
            self.observe(outputs);
            if self.remaining == 0 {
                let (push, take) = PHASES[self.rng.below(PHASES.len() as u32) as usize];
                (self.push, self.take) = (Chance(push), Chance(take));
                self.remaining = 4 + self.rng.below(3 * self.capacity);
                if self.rng.one_in(16) {
                    self.counters.count(Event::Reset, !self.inside.is_empty());
                    self.inside.clear();
                    (self.gone, self.stream) = (0, 0);
                    return true;
                }
            }
            self.remaining -= 1;
            pins.push = !outputs.full && self.push.happens(&mut self.rng);
            pins.push_data = word(&mut self.rng, self.width);
            pins.take = outputs.head_valid && self.take.happens(&mut self.rng);
            let both = pins.push && pins.take;
            self.stream = if both { self.stream + 1 } else { 0 };
            let c = &mut self.counters;
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
                self.counters.count(Event::Wrapped, self.gone == self.capacity);
            }
            if pins.push {
                self.inside.push_back(pins.push_data);
            }
            false
        }

        fn coverage(&self) -> Coverage {
            self.counters.coverage(&[])
        }

        fn violation(&self) -> Option<&str> {
            self.violation.as_deref()
        }
    }
}
