//! A one-stage crossbar: input queues, one rotating arbiter an output, ejection queues.
//!
//! A cycle has `speedup` slots, and a flit takes one slot of its input and of its output. Each packet takes `allocation` slots
//! more of both: there is one virtual channel, and it is given to the next packet only when the last flit has left. Only the first packet of an input can be
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
    /// Winner of the arbitration that is under way, and its distance from `next`.
    grant: Option<(usize, usize)>,
}

#[derive(Clone, Debug)]
pub struct Crossbar<T> {
    inputs: Vec<Input<T>>,
    outputs: Vec<Output<T>>,
    config: Network,
    /// Inputs with packets, in ascending order, and outputs that have been granted.
    active: Vec<usize>,
    granted: Vec<usize>,
    /// Packets in input queues, and in ejection queues.
    queued: usize,
    ejecting: usize,
    pub stats: NetworkStats,
}

impl<T: Copy> Crossbar<T> {
    pub fn new(inputs: usize, outputs: usize, config: &Network) -> Self {
        let input = || Input { queue: VecDeque::with_capacity(config.input_buffer as usize), flits: 0, free_at: 0 };
        let output =
            || Output { queue: VecDeque::with_capacity(config.ejection_buffer), free_at: 0, next: 0, grant: None };
        Crossbar {
            inputs: (0..inputs).map(|_| input()).collect(),
            outputs: (0..outputs).map(|_| output()).collect(),
            config: config.clone(),
            active: Vec::with_capacity(inputs),
            granted: Vec::with_capacity(outputs),
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
        if self.inputs[input].queue.is_empty() {
            let at = self.active.partition_point(|i| *i < input);
            self.active.insert(at, input);
        }
        self.inputs[input].flits += flits;
        self.inputs[input].queue.push_back((output, flits, packet));
        self.queued += 1;
    }

    /// Arbitrates for one cycle. `sent` is told the output of each packet that is granted, and the cycle at
    /// which it will be there.
    pub fn step<F: FnMut(usize, u64)>(&mut self, now: u64, mut sent: F) {
        for slot in 0..self.config.speedup as u64 {
            if self.queued == 0 {
                return;
            }
            self.arbitrate(now * self.config.speedup as u64 + slot);
            self.transfer(now, now * self.config.speedup as u64 + slot, &mut sent);
        }
    }

    fn arbitrate(&mut self, slot: u64) {
        let count = self.inputs.len();
        for i in self.active.iter().copied() {
            let input = &self.inputs[i];
            let Some((to, ..)) = input.queue.front().filter(|_| input.free_at <= slot) else { continue };
            let output = &mut self.outputs[*to];
            if output.free_at > slot || output.queue.len() >= self.config.ejection_buffer {
                continue;
            }
            let distance = if i >= output.next { i - output.next } else { i + count - output.next };
            match output.grant {
                None => self.granted.push(*to),
                Some((_, other)) if other < distance => continue,
                Some(_) => {}
            }
            output.grant = Some((i, distance));
        }
    }

    fn transfer(&mut self, now: u64, slot: u64, sent: &mut impl FnMut(usize, u64)) {
        let count = self.inputs.len();
        while let Some(to) = self.granted.pop() {
            let output = &mut self.outputs[to];
            let Some((i, _)) = output.grant.take() else { continue };
            let input = &mut self.inputs[i];
            let Some((_, flits, packet)) = input.queue.pop_front() else { continue };
            input.flits -= flits;
            let free_at = slot + (flits + self.config.allocation) as u64;
            (input.free_at, output.free_at) = (free_at, free_at);
            output.next = if i + 1 == count { 0 } else { i + 1 };
            let arrival = now + self.config.latency + (flits as u64 - 1);
            output.queue.push_back((arrival, packet));
            if input.queue.is_empty() {
                self.active.retain(|other| *other != i);
            }
            self.queued -= 1;
            self.ejecting += 1;
            sent(to, arrival);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use proptest::prelude::*;

    fn network() -> Network {
        Config::preset("hwwl-micro14").unwrap().network
    }

    #[test]
    fn an_empty_crossbar_takes_its_latency_and_a_cycle_more_for_each_further_flit() {
        for (bytes, flits) in [(0, 1), (32, 1), (128, 4)] {
            let mut x = Crossbar::new(2, 2, &network());
            x.push(0, 1, bytes, 'a');
            x.step(10, |_, _| {});
            let arrival = 10 + network().latency + flits - 1;
            assert_eq!(x.arrival(1), arrival);
            assert_eq!(x.pop(1, arrival - 1), None);
            assert_eq!(x.pop(1, arrival), Some('a'));
            assert_eq!(x.stats, NetworkStats { packets: 1, flits, bytes: 8 + bytes as u64 });
        }
    }

    #[test]
    fn inputs_that_want_one_output_take_turns() {
        let mut x = Crossbar::new(3, 1, &network());
        for _ in 0..4 {
            (0..3).for_each(|input| x.push(input, 0, 0, input));
        }
        // A flit and its allocation take the two slots of a cycle: one packet a cycle.
        (1..=12).for_each(|now| {
            x.step(now, |_, _| {});
            assert_eq!(x.stats.packets - x.queued as u64, now);
        });
        let order: Vec<usize> = std::iter::from_fn(|| x.pop(0, 100)).collect();
        assert_eq!(order, [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
    }

    proptest! {
        /// Every packet arrives once, at its output, and packets of one input to one output stay in order.
        #[test]
        fn packets_arrive_once_and_in_order(packets in prop::collection::vec((0usize..4, 0usize..3, 0u32..160), 1..300)) {
            let mut network = network();
            network.ejection_buffer = 2;
            let mut x = Crossbar::new(4, 3, &network);
            let mut sent = vec![Vec::new(); 12];
            let mut got = sent.clone();
            let mut waiting = packets.iter().enumerate().peekable();
            let mut now = 0;
            while waiting.peek().is_some() || !x.is_empty() {
                now += 1;
                prop_assert!(now < 100_000);
                if let Some((id, (from, to, bytes))) = waiting.next_if(|(_, (from, _, bytes))| x.has_room(*from, *bytes)) {
                    x.push(*from, *to, *bytes, (*from, id));
                    sent[from * 3 + to].push(id);
                }
                x.step(now, |_, _| {});
                for to in 0..3 {
                    if let Some((from, id)) = x.pop(to, now) {
                        got[from * 3 + to].push(id);
                    }
                }
            }
            prop_assert_eq!(got, sent);
        }
    }
}
