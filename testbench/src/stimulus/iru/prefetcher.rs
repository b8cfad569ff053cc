//! Legal random inputs of `prefetcher`: jobs of all lengths, memory, and a classifier that takes groups when it likes. Every
//! group of the partition's part comes once, in order, with what memory holds.

use super::elements::Indices;
use super::fetches::Fetches;
use super::handshake::Sink;
use crate::stimulus::{events, AnyFindings, Chance, Counts, Coverage, Rng, Stimulus};
use sim::units::iru::element::{Job, INDEX_BITS};
use sim::units::iru::pins::{ElementGroup, PrefetcherIn, PrefetcherOut};
use sim::units::iru::Parameters;

events! { PrefetcherStimulus:
    Start = "start",
    StartAtOnce = "start in the first cycle in which the unit is done",
    Nothing = "a job without a chunk for this partition",
    WithSecondary = "a job with secondary array is done",
    WithoutSecondary = "a job without secondary array is done",
    Longest = "a job of 2^24 elements",
    Long = "a job of more than 2^16 elements is done",
    LineWraps = "the number of a line wraps",
    GroupWaits = "a group waits",
    GroupsInTurn = "groups in successive cycles",
    PartialGroup = "a group of fewer than eight elements",
    Reset = "reset while fetching",
}

/// Resets from one long job to the next.
const RESETS: u32 = 6;

#[derive(Default)]
pub struct PrefetcherStimulus {
    rng: Rng,
    partition: u8,
    parameters: Parameters,
    fetches: Fetches,
    takes: Chance,
    remaining: u32,
    /// Cycles until a job may start.
    pause: u32,
    running: bool,
    with_secondary: bool,
    /// The next job, or the one that runs, goes to its end, however long, and at full speed.
    is_long: bool,
    long_jobs: u32,
    resets: u32,
    count: u32,
    /// Elements that have not come.
    left: u32,
    was_done: bool,
    sink: Sink<ElementGroup>,
    took: bool,
    findings: Findings,
}

impl PrefetcherStimulus {
    pub fn new(parameters: &Parameters, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        PrefetcherStimulus {
            partition: rng.below(parameters.partitions as u32) as u8,
            rng,
            parameters: *parameters,
            fetches: Fetches::new(parameters),
            takes: Chance::ALWAYS,
            ..Default::default()
        }
    }

    fn job(&mut self) -> Job {
        let rng = &mut self.rng;
        let bits = 18 + rng.below(5);
        let count = match rng.below(16) {
            _ if self.is_long => match self.long_jobs {
                0 => (1 << 20) - 1,
                // To the upper half of all positions, or to the last one.
                1 if rng.one_in(3) => 1 << INDEX_BITS,
                1 => (1 << (INDEX_BITS - 1)) + rng.below(1 << (INDEX_BITS - 1)),
                _ => (1 << 16) + 1 + rng.below(1 << bits),
            },
            0..=3 => 1 + rng.below(32),
            4..=11 => 1 + rng.below(600),
            12..=14 => 1 + rng.below(4_000),
            // A reset ends those.
            _ if rng.one_in(2) => 1 + rng.below(1 << INDEX_BITS),
            // All ones after every second reset.
            _ => (1 << INDEX_BITS) - (self.resets & 1),
        };
        let line = |rng: &mut Rng| if rng.one_in(8) { u32::MAX - rng.below(8) } else { rng.draw() as u32 };
        Job {
            index_line: line(rng),
            secondary_line: line(rng),
            with_secondary: !self.is_long && rng.one_in(2),
            count,
            ..Default::default()
        }
    }

    fn start(&mut self, pins: &mut PrefetcherIn, at_once: bool) {
        let job = self.job();
        let indices = Indices::any(&mut self.rng);
        self.fetches.start(&job, self.partition, indices, &mut self.rng);
        let Job { index_line, secondary_line, with_secondary, count, .. } = job;
        pins.start = true;
        (pins.index_line, pins.secondary_line) = (index_line, secondary_line);
        (pins.with_secondary, pins.count) = (with_secondary, count);
        self.left = self.fetches.elements();
        self.running = true;
        (self.with_secondary, self.count) = (with_secondary, count);
        let c = &mut self.findings;
        c.count(Event::Start, true);
        c.count(Event::StartAtOnce, at_once);
        c.count(Event::Nothing, self.left == 0);
        c.count(Event::Longest, count == 1 << INDEX_BITS);
        c.count(Event::LineWraps, self.left > 0 && index_line.checked_add(count.div_ceil(32)).is_none());
    }

    fn reset(&mut self) {
        self.findings.count(Event::Reset, self.left > 0);
        self.fetches.reset();
        (self.running, self.left, self.pause, self.took) = (false, 0, 0, false);
        self.sink = Sink::default();
        self.partition = self.rng.below(self.parameters.partitions as u32) as u8;
        self.resets += 1;
        self.is_long = self.resets % RESETS == RESETS / 2;
    }

    fn observe(&mut self, outputs: &PrefetcherOut, pins: &mut PrefetcherIn) -> Result<(), String> {
        self.fetches.serve(&outputs.request, &mut pins.mem_ready, &mut pins.sector, &mut self.rng)?;
        pins.group_ready = self.takes.happens(&mut self.rng);
        let group = self.sink.take(&outputs.group, pins.group_ready)?;
        self.findings.count(Event::GroupWaits, outputs.group.valid && !pins.group_ready);
        self.findings.count(Event::GroupsInTurn, self.took && group.is_some());
        self.took = group.is_some();
        if let Some(group) = group {
            self.fetches.check(&group)?;
            self.findings.count(Event::PartialGroup, group.count < 8);
            let count = u32::from(group.count);
            self.left = self.left.checked_sub(count).ok_or_else(|| format!("{group:x?}, but all has come"))?;
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        if self.left > 0 {
            return Err(format!("done, but {} elements have not come", self.left));
        }
        self.findings.count(Event::WithSecondary, self.with_secondary);
        self.findings.count(Event::WithoutSecondary, !self.with_secondary);
        self.findings.count(Event::Long, self.count > 1 << 16);
        self.long_jobs += u32::from(self.is_long);
        (self.running, self.is_long) = (false, false);
        self.pause = self.rng.any_of(&[0, 0, 1, 40]);
        Ok(())
    }
}

impl Stimulus for PrefetcherStimulus {
    type In = PrefetcherIn;
    type Out = PrefetcherOut;

    fn next(&mut self, outputs: &PrefetcherOut, pins: &mut PrefetcherIn) -> bool {
        if self.remaining == 0 {
            self.remaining = 10 + self.rng.below(600);
            if self.is_long {
                self.fetches.hurry();
                self.takes = Chance::ALWAYS;
            } else {
                self.fetches.behave(&mut self.rng);
                self.takes = self.rng.any_of(&[Chance::ALWAYS, Chance::ALWAYS, Chance(128), Chance(20)]);
            }
            if !self.is_long && self.rng.one_in(20) {
                self.reset();
                return true;
            }
        }
        self.remaining -= 1;
        pins.partition = self.partition;
        let started = std::mem::take(&mut pins.start);
        let mut seen = self.observe(outputs, pins);
        if self.running && outputs.done && !started && seen.is_ok() {
            seen = self.end();
        }
        self.findings.check(seen);
        if !self.running && self.pause > 0 {
            self.pause -= 1;
        } else if !self.running && outputs.done {
            self.start(pins, !self.was_done);
        }
        self.was_done = outputs.done;
        false
    }

    fn coverage(&self) -> Coverage {
        [self.findings(), self.fetches.findings()].into_iter().flat_map(AnyFindings::coverage).collect()
    }
}
