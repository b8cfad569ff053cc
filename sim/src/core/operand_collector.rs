//! Operand collection: issue registers, collector units, and the banks of the register file that they read from.
//!
//! A register of a warp lies in bank (register + warp slot) mod banks, all its lanes together, whatever its width. A bank serves one
//! warp register a cycle. Results are written first and never wait; what they leave goes to the collector units, the
//! oldest first, each from as many banks as it needs. The cycles of an instruction without conflicts: issue register, unit,
//! operands (`collector_latency` from unit to leaving it; one cycle without operands), dispatch register.

use super::in_flight::InFlight;
use super::path::{Issue, Reads, PIPELINES};
use crate::config::Config;
use std::collections::VecDeque;

#[derive(Clone, Copy, Debug)]
struct CollectorUnit {
    op: InFlight,
    pipeline: usize,
    reads: Reads,
    /// Cycle in which it can leave, once nothing is left to read.
    ready: u64,
}

/// PipeQueue into one kind of pipeline.
#[derive(Clone, Debug)]
struct PipeQueue {
    issue: VecDeque<InFlight>,
    dispatch: VecDeque<InFlight>,
    width: usize,
    units: usize,
    used: usize,
}

#[derive(Clone, Debug)]
pub struct OperandCollector {
    queues: [PipeQueue; PIPELINES],
    /// Oldest first.
    units: Vec<CollectorUnit>,
    /// Instructions in issue registers.
    issued: usize,
    /// One bit for each pipeline whose issue register has room.
    room: u32,
    /// One bit for each pipeline for which instructions wait with their operands.
    waiting: u32,
    latency: u64,
    banks: usize,
    /// Cycles that operands have waited for their bank, each.
    pub conflicts: u64,
}

impl OperandCollector {
    pub fn new(config: &Config) -> Self {
        let c = &config.core;
        let queue = |width, units| PipeQueue {
            issue: VecDeque::with_capacity(width),
            dispatch: VecDeque::with_capacity(width),
            width,
            units,
            used: 0,
        };
        OperandCollector {
            queues: [
                queue(c.sp_width, c.sp_collectors),
                queue(c.sfu_width, c.sfu_collectors),
                queue(c.dp_width, c.dp_collectors),
                queue(c.mem_width, c.mem_collectors),
            ],
            units: Vec::with_capacity(c.sp_collectors + c.sfu_collectors + c.dp_collectors + c.mem_collectors),
            issued: 0,
            room: (1 << PIPELINES) - 1,
            waiting: 0,
            latency: c.collector_latency,
            banks: c.register_banks,
            conflicts: 0,
        }
    }

    /// One bit for each pipeline whose issue register has room.
    pub fn room(&self) -> u32 {
        self.room
    }

    /// Instructions that the issue register of a pipeline takes in the next cycle for certain: before it does, those in it move to
    /// collector units that are free already.
    pub fn room_next(&self, pipeline: usize) -> usize {
        let queue = &self.queues[pipeline];
        queue.width - queue.issue.len().saturating_sub(queue.units - queue.used)
    }

    pub fn push(&mut self, pipeline: usize, op: InFlight) {
        let queue = &mut self.queues[pipeline];
        queue.issue.push_back(op);
        self.room &= !(((queue.issue.len() >= queue.width) as u32) << pipeline);
        self.issued += 1;
    }

    /// The next instruction for a pipeline.
    #[inline(always)]
    pub fn next(&self, pipeline: usize) -> Option<InFlight> {
        self.queues[pipeline].dispatch.front().copied()
    }

    #[inline(always)]
    pub fn pop(&mut self, pipeline: usize) -> Option<InFlight> {
        let dispatch = &mut self.queues[pipeline].dispatch;
        let op = dispatch.pop_front();
        self.waiting &= !((dispatch.is_empty() as u32) << pipeline);
        op
    }

    /// One bit for each pipeline for which instructions wait with their operands.
    #[inline(always)]
    pub fn waiting(&self) -> u32 {
        self.waiting
    }

    /// One cycle. `written`: banks that are written in it. `slot` gives an instruction's warp slot. True if anything moved.
    pub fn step(&mut self, now: u64, written: u32, issue: &[Issue], slot: impl Fn(InFlight) -> usize) -> bool {
        let mut moved = false;
        if !self.units.is_empty() {
            moved |= self.read(now, written);
            moved |= self.dispatch(now);
        }
        if self.issued > 0 {
            moved |= self.allocate(now, issue, slot);
        }
        moved
    }

    fn read(&mut self, now: u64, written: u32) -> bool {
        let mut free = !written;
        let mut moved = false;
        for unit in self.units.iter_mut().filter(|unit| !unit.reads.is_empty()) {
            free &= !unit.reads.take(free);
            self.conflicts += unit.reads.left() as u64;
            unit.ready = now + self.latency - 1;
            moved = true;
        }
        moved
    }

    fn dispatch(&mut self, now: u64) -> bool {
        let mut kept = 0;
        for i in 0..self.units.len() {
            let unit = &self.units[i];
            let queue = &mut self.queues[unit.pipeline];
            if unit.reads.is_empty() && unit.ready <= now && queue.dispatch.len() < queue.width {
                queue.dispatch.push_back(unit.op);
                self.waiting |= 1 << unit.pipeline;
                queue.used -= 1;
                continue;
            }
            if kept != i {
                self.units[kept] = *unit;
            }
            kept += 1;
        }
        let moved = kept != self.units.len();
        self.units.truncate(kept);
        moved
    }

    fn allocate(&mut self, now: u64, issue: &[Issue], slot: impl Fn(InFlight) -> usize) -> bool {
        let before = self.issued;
        for (pipeline, queue) in self.queues.iter_mut().enumerate() {
            while queue.used < queue.units {
                let Some(op) = queue.issue.pop_front() else { break };
                let reads = issue[op.pc as usize].reads.of_warp(slot(op), self.banks);
                self.units.push(CollectorUnit { op, pipeline, reads, ready: now + 1 });
                queue.used += 1;
                self.room |= 1 << pipeline;
                self.issued -= 1;
            }
        }
        self.issued != before
    }

    /// Next cycle after `now` in which something can move by itself, if nothing but `pipeline` takes instructions by events
    /// of its own.
    pub fn next_event(&self, now: u64, pipeline: usize) -> u64 {
        let others = |p: usize| p != pipeline && (!self.queues[p].issue.is_empty() || self.waiting >> p & 1 == 1);
        if (0..PIPELINES).any(others) {
            return now + 1;
        }
        let queue = &self.queues[pipeline];
        let full = queue.dispatch.len() >= queue.width;
        let leaves = |unit: &CollectorUnit| match unit.pipeline == pipeline && unit.reads.is_empty() {
            true if full => u64::MAX,
            true => unit.ready.max(now + 1),
            false => now + 1,
        };
        self.units.iter().map(leaves).min().unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Timing;
    use crate::core::path::{Path, NO_PORT};
    use crate::core::warp_set::WarpId;

    /// Cycle in which each instruction leaves its unit; instruction i reads `reads[i]`. `written` of a cycle: banks.
    fn leave(reads: &[&[u16]], written: impl Fn(u64) -> u32) -> (Vec<u64>, u64) {
        let mut config = Config::preset("hwwl-micro14").unwrap();
        config.core.sp_width = 8;
        let timing = Timing { latency: 1, interval: 1 };
        let issue: Vec<Issue> = reads
            .iter()
            .map(|r| Issue { path: Path::Sp, timing, reads: Reads::new(r, 16), writes: 0, port: NO_PORT })
            .collect();
        let mut collector = OperandCollector::new(&config);
        for pc in 0..reads.len() as u32 {
            collector.push(0, InFlight::of_warp(WarpId::default(), pc));
        }
        let mut left = vec![0; reads.len()];
        for now in 0..50 {
            collector.step(now, written(now), &issue, |_| 0);
            while let Some(op) = collector.pop(0) {
                left[op.pc as usize] = now;
            }
        }
        (left, collector.conflicts)
    }

    #[test]
    fn operands_in_different_banks_are_read_together() {
        assert_eq!(leave(&[&[0, 1, 2], &[3, 4, 5], &[]], |_| 0), (vec![2, 2, 1], 0));
    }

    #[test]
    fn a_bank_gives_one_register_a_cycle_to_the_oldest_first() {
        assert_eq!(leave(&[&[0, 16, 32]], |_| 0), (vec![4], 2 + 1));
        assert_eq!(leave(&[&[0, 1], &[1, 2], &[17]], |_| 0), (vec![2, 3, 4], 1 + 1 + 1));
    }

    #[test]
    fn a_write_goes_first() {
        assert_eq!(leave(&[&[5, 6]], |now| ((1..4).contains(&now) as u32) << 5), (vec![5], 3));
    }
}
