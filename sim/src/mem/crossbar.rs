//! A one-stage crossbar: input queues, one rotating arbiter an output, ejection queues.
//!
//! A cycle has `speedup` slots, and a flit takes one slot of its input and of its output. Only the first packet of an input can be
//! granted, and only if its output's ejection queue has room for it. Ejection queues are emptied by one packet a cycle.

use crate::config::Network;
use crate::stats::NetworkStats;
use std::collections::VecDeque;

#[derive(Clone, Debug)]
struct Input<T> {
    queue: VecDeque<(usize, u32, T)>,
    flits: u32,
    /// Slot (cycle x speedup) from which it is free.
    free_at: u64,
}

#[derive(Clone, Debug)]
struct Output<T> {
    /// With the cycle at which the whole packet is there.
    queue: VecDeque<(u64, T)>,
    free_at: u64,
    /// Input that is looked at first.
    next: usize,
    /// Winner of the arbitration that is under way.
    grant: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Crossbar<T> {
    inputs: Vec<Input<T>>,
    outputs: Vec<Output<T>>,
    config: Network,
    /// Packets in input queues, and in ejection queues.
    queued: usize,
    ejecting: usize,
    pub stats: NetworkStats,
}

impl<T: Copy> Crossbar<T> {
    pub fn new(inputs: usize, outputs: usize, config: &Network) -> Self {
        let input =
            || Input { queue: VecDeque::with_capacity(config.input_buffer as usize), flits: 0, free_at: 0 };
        let output =
            || Output { queue: VecDeque::with_capacity(config.ejection_buffer), free_at: 0, next: 0, grant: None };
        Crossbar {
            inputs: (0..inputs).map(|_| input()).collect(),
            outputs: (0..outputs).map(|_| output()).collect(),
            config: config.clone(),
            queued: 0,
            ejecting: 0,
            stats: NetworkStats::default(),
        }
    }

    /// Flits of a packet with `bytes` of data (a packet without data is a header).
    fn flits(&self, bytes: u32) -> u32 {
        (self.config.header_bytes + bytes).div_ceil(self.config.flit_bytes)
    }

    /// `input` can take a packet with `bytes` of data.
    pub fn has_room(&self, input: usize, bytes: u32) -> bool {
        self.inputs[input].flits + self.flits(bytes) <= self.config.input_buffer
    }

    /// Sends a packet with `bytes` of data; it takes part in arbitration from the next [`Crossbar::step`] on.
    pub fn push(&mut self, input: usize, output: usize, bytes: u32, packet: T) {
        let flits = self.flits(bytes);
        self.stats.packets += 1;
        self.stats.flits += flits as u64;
        self.stats.bytes += (self.config.header_bytes + bytes) as u64;
        self.inputs[input].flits += flits;
        self.inputs[input].queue.push_back((output, flits, packet));
        self.queued += 1;
    }

    /// Arbitrates for one cycle.
    pub fn step(&mut self, now: u64) {
        for slot in 0..self.config.speedup as u64 {
            if self.queued == 0 {
                return;
            }
            self.step_slot(now, now * self.config.speedup as u64 + slot);
        }
    }

    fn step_slot(&mut self, now: u64, slot: u64) {
        let inputs = self.inputs.len();
        for (i, input) in self.inputs.iter().enumerate().filter(|(_, input)| input.free_at <= slot) {
            let Some((to, ..)) = input.queue.front() else { continue };
            let output = &mut self.outputs[*to];
            if output.free_at > slot || output.queue.len() >= self.config.ejection_buffer {
                continue;
            }
            let distance = |i: usize| (i + inputs - output.next) % inputs;
            if output.grant.is_none_or(|other| distance(i) < distance(other)) {
                output.grant = Some(i);
            }
        }
        for output in &mut self.outputs {
            let Some(i) = output.grant.take() else { continue };
            let input = &mut self.inputs[i];
            let Some((_, flits, packet)) = input.queue.pop_front() else { continue };
            input.flits -= flits;
            input.free_at = slot + flits as u64;
            output.free_at = slot + flits as u64;
            output.next = (i + 1) % inputs;
            output.queue.push_back((now + self.config.latency + (flits as u64 - 1), packet));
            self.queued -= 1;
            self.ejecting += 1;
        }
    }

    /// The packet that `output` can take in cycle `now`.
    pub fn peek(&self, output: usize, now: u64) -> Option<&T> {
        self.outputs[output].queue.front().filter(|(at, _)| *at <= now).map(|(_, packet)| packet)
    }

    pub fn pop(&mut self, output: usize, now: u64) -> Option<T> {
        self.peek(output, now)?;
        self.ejecting -= 1;
        self.outputs[output].queue.pop_front().map(|(_, packet)| packet)
    }

    /// Cycle at which the next packet for `output` is there.
    pub fn arrival(&self, output: usize) -> u64 {
        self.outputs[output].queue.front().map_or(u64::MAX, |(at, _)| *at)
    }

    /// Some packet waits for arbitration.
    pub fn is_arbitrating(&self) -> bool {
        self.queued > 0
    }

    pub fn is_empty(&self) -> bool {
        self.queued == 0 && self.ejecting == 0
    }
}
