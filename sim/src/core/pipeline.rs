//! From issue to write-back: issue registers, operand collectors, arithmetic pipelines, result bus.
//!
//! Cycles of a dependent pair: issue, collector (2), pipeline (latency + 1), write-back and issue of the next: latency + 6.

use super::kernel::{Issue, Kernel};
use crate::config::{Config, Timing};
use std::collections::VecDeque;

/// An issued instruction. `slot` is what its pipeline keeps about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    pub warp: u8,
    pub slot: u16,
    pub pc: u32,
}

/// Issue register, collector units and dispatch register of one kind of pipeline.
#[derive(Clone, Debug)]
pub struct Feed {
    issue: VecDeque<Op>,
    collectors: VecDeque<(u64, Op)>,
    pub dispatch: VecDeque<Op>,
    width: usize,
    units: usize,
    latency: u64,
}

impl Feed {
    pub fn new(width: usize, units: usize, latency: u64) -> Self {
        Feed {
            issue: VecDeque::with_capacity(width),
            collectors: VecDeque::with_capacity(units),
            dispatch: VecDeque::with_capacity(width),
            width,
            units,
            latency,
        }
    }

    pub fn has_room(&self) -> bool {
        self.issue.len() < self.width
    }

    pub fn push(&mut self, op: Op) {
        self.issue.push_back(op);
    }

    /// One cycle. True if anything moved.
    pub fn step(&mut self, now: u64, issue: &[Issue]) -> bool {
        let mut moved = false;
        while self.dispatch.len() < self.width && self.collectors.front().is_some_and(|(at, _)| *at <= now) {
            self.dispatch.extend(self.collectors.pop_front().map(|(_, op)| op));
            moved = true;
        }
        while self.collectors.len() < self.units {
            let Some(op) = self.issue.pop_front() else { break };
            // Without operands there is nothing to wait for but the next cycle.
            let latency = if issue[op.pc as usize].reads { self.latency } else { 1 };
            self.collectors.push_back((now + latency, op));
            moved = true;
        }
        moved
    }

    /// Cycle in which the next collector is ready.
    pub fn next_event(&self) -> u64 {
        match self.dispatch.len() < self.width {
            true => self.collectors.front().map_or(u64::MAX, |(at, _)| *at),
            false => u64::MAX,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.issue.is_empty() && self.collectors.is_empty() && self.dispatch.is_empty()
    }
}

/// A power of two above the longest latency.
const RING: usize = 1024;

/// Results by the cycle in which they are written.
#[derive(Clone, Debug)]
struct Results {
    ops: Vec<Op>,
    count: [u8; RING],
    /// Pipelines that have a result in that cycle.
    units: [u16; RING],
    occupied: [u64; RING / 64],
    width: usize,
}

impl Results {
    fn new(width: usize) -> Self {
        let none = Op { warp: 0, slot: 0, pc: 0 };
        Results { ops: vec![none; RING * width], count: [0; RING], units: [0; RING], occupied: [0; RING / 64], width }
    }

    fn has_room(&self, at: u64, unit: usize) -> bool {
        let i = at as usize % RING;
        (self.count[i] as usize) < self.width && self.units[i] >> unit & 1 == 0
    }

    fn add(&mut self, at: u64, unit: usize, op: Op) {
        let i = at as usize % RING;
        self.ops[i * self.width + self.count[i] as usize] = op;
        self.count[i] += 1;
        self.units[i] |= 1 << unit;
        self.occupied[i / 64] |= 1 << (i % 64);
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

/// The arithmetic pipelines of a core.
#[derive(Clone, Debug)]
pub struct Arithmetic {
    pub sp: Feed,
    pub sfu: Feed,
    /// Cycle from which each SP, then each SFU, can start an instruction.
    free_at: Vec<u64>,
    sp_units: usize,
    results: Results,
}

/// Cycles between the start of an instruction and its write-back, besides its latency.
const AROUND: u64 = 2;

impl Arithmetic {
    pub fn new(config: &Config) -> Self {
        let c = &config.core;
        Arithmetic {
            sp: Feed::new(c.sp_width, c.sp_collectors, c.collector_latency),
            sfu: Feed::new(c.sfu_width, c.sfu_collectors, c.collector_latency),
            free_at: vec![0; c.sp_units + c.sfu_units],
            sp_units: c.sp_units,
            results: Results::new(c.writeback_width),
        }
    }

    /// Hands out the results of cycle `now`. True if there were any.
    pub fn write_back(&mut self, now: u64, mut done: impl FnMut(Op)) -> bool {
        let r = &mut self.results;
        let i = now as usize % RING;
        let count = r.count[i] as usize;
        if count == 0 {
            return false;
        }
        r.ops[i * r.width..][..count].iter().for_each(|op| done(*op));
        r.count[i] = 0;
        r.units[i] = 0;
        r.occupied[i / 64] &= !(1 << (i % 64));
        true
    }

    /// Results that are written in cycle `now`, if asked before [`Arithmetic::write_back`].
    pub fn results(&self, now: u64) -> usize {
        self.results.count[now as usize % RING] as usize
    }

    /// Starts what can be started, then moves the feeds. True if anything moved.
    pub fn step(&mut self, now: u64, kernel: &Kernel) -> bool {
        let mut moved = false;
        for unit in 0..self.free_at.len() {
            let feed = if unit < self.sp_units { &mut self.sp } else { &mut self.sfu };
            let Some(op) = feed.dispatch.front().copied() else { continue };
            let Timing { latency, interval } = kernel.issue[op.pc as usize].timing;
            let at = now + latency + AROUND;
            if self.free_at[unit] <= now && self.results.has_room(at, unit) {
                feed.dispatch.pop_front();
                self.free_at[unit] = now + interval;
                self.results.add(at, unit, op);
                moved = true;
            }
        }
        moved |= self.sp.step(now, &kernel.issue);
        moved | self.sfu.step(now, &kernel.issue)
    }

    /// Next cycle after `now` in which something can move by itself.
    pub fn next_event(&self, now: u64) -> u64 {
        if !self.sp.is_empty() || !self.sfu.is_empty() {
            return now + 1;
        }
        self.results.next(now + 1)
    }
}
