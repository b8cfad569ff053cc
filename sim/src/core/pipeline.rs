//! Arithmetic pipelines and the result bus.
//!
//! Cycles of a dependent pair: issue, collector (2), pipeline (latency + 1), write-back and issue of the next: latency + 6.

use super::in_flight::InFlight;
use super::operand_collector::OperandCollector;
use super::path::{Issue, Path};
use crate::config::{Config, Timing};

/// A power of two above the longest latency.
const RING: usize = 1024;

/// Results by the cycle in which they are written.
#[derive(Clone, Debug)]
struct Results {
    ops: Vec<InFlight>,
    count: [u8; RING],
    /// Pipelines that have a result in that cycle.
    units: [u32; RING],
    occupied: [u64; RING / 64],
    width: usize,
}

impl Results {
    fn new(width: usize) -> Self {
        Results {
            ops: vec![InFlight::default(); RING * width],
            count: [0; RING],
            units: [0; RING],
            occupied: [0; RING / 64],
            width,
        }
    }

    fn has_room(&self, at: u64, unit: usize) -> bool {
        let i = at as usize % RING;
        (self.count[i] as usize) < self.width && self.units[i] >> unit & 1 == 0
    }

    fn add(&mut self, at: u64, unit: usize, op: InFlight) {
        let i = at as usize % RING;
        self.ops[i * self.width + self.count[i] as usize] = op;
        self.count[i] += 1;
        self.units[i] |= 1 << unit;
        self.occupied[i / 64] |= 1 << (i % 64);
    }

    fn of(&self, at: u64) -> &[InFlight] {
        let i = at as usize % RING;
        &self.ops[i * self.width..][..self.count[i] as usize]
    }

    /// First cycle from `now` on with a result.
    fn next(&self, now: u64) -> u64 {
        let start = now as usize % RING;
        let first = self.occupied[start / 64] & (u64::MAX << (start % 64));
        if first != 0 {
            return now + (first.trailing_zeros() as usize - start % 64) as u64;
        }
        for n in 1..=RING / 64 {
            let word = (start / 64 + n) % (RING / 64);
            if self.occupied[word] != 0 {
                let i = word * 64 + self.occupied[word].trailing_zeros() as usize;
                return now + ((i + RING - start) % RING) as u64;
            }
        }
        u64::MAX
    }
}

/// A pipeline.
#[derive(Clone, Copy, Debug)]
struct Unit {
    path: Path,
    /// Cycle from which it can start an instruction.
    free_at: u64,
}

/// The arithmetic pipelines of a core. Those of a kind are one pool: any scheduler's instruction goes to any of them.
#[derive(Clone, Debug)]
pub struct Arithmetic {
    units: Vec<Unit>,
    results: Results,
    /// Cycles before its write-back in which a result is told.
    ahead: u64,
}

/// Cycles between the start of an instruction and its write-back, besides its latency.
const AROUND: u64 = 2;

/// The paths that lead here, one bit each.
const ARITHMETIC: u32 = 1 << Path::Sp.index() | 1 << Path::Sfu.index() | 1 << Path::Dp.index();

impl Arithmetic {
    /// `ahead`: cycles before its write-back in which a result is told.
    pub fn new(config: &Config, ahead: u64) -> Self {
        let c = &config.core;
        let kinds = [(Path::Sp, c.sp_units), (Path::Sfu, c.sfu_units), (Path::Dp, c.dp_units)];
        let units = kinds.into_iter().flat_map(|(path, count)| vec![Unit { path, free_at: 0 }; count]);
        Arithmetic { units: units.collect(), results: Results::new(c.writeback_width), ahead }
    }

    /// Tells what will be written so many cycles after `now`. True if there is any.
    pub fn foretell(&self, now: u64, mut told: impl FnMut(InFlight)) -> bool {
        if self.ahead == 0 {
            return false;
        }
        let ops = self.results.of(now + self.ahead);
        ops.iter().for_each(|op| told(*op));
        !ops.is_empty()
    }

    /// Hands out the results of cycle `now`. True if there were any.
    pub fn write_back(&mut self, now: u64, mut done: impl FnMut(InFlight)) -> bool {
        let r = &mut self.results;
        let i = now as usize % RING;
        if r.count[i] == 0 {
            return false;
        }
        r.of(now).iter().for_each(|op| done(*op));
        r.count[i] = 0;
        r.units[i] = 0;
        r.occupied[i / 64] &= !(1 << (i % 64));
        true
    }

    /// Starts what can be started. True if anything was.
    #[inline(always)]
    pub fn step(&mut self, now: u64, collector: &mut OperandCollector, issue: &[Issue]) -> bool {
        let mut moved = false;
        if collector.waiting() & ARITHMETIC == 0 {
            return moved;
        }
        for (i, unit) in self.units.iter_mut().enumerate() {
            let Some(op) = collector.next(unit.path.index()) else { continue };
            let Timing { latency, interval } = issue[op.pc as usize].timing;
            let at = now + latency + AROUND;
            if unit.free_at <= now && self.results.has_room(at, i) {
                collector.pop(unit.path.index());
                unit.free_at = now + interval;
                self.results.add(at, i, op);
                moved = true;
            }
        }
        moved
    }

    /// Next cycle after `now` in which a result is written or told.
    pub fn next_event(&self, now: u64) -> u64 {
        let written = self.results.next(now + 1);
        match self.ahead {
            0 => written,
            ahead => written.min(self.results.next(now + 1 + ahead).saturating_sub(ahead)),
        }
    }
}
