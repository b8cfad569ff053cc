//! Networks, slices and channels, clocked together.

use super::address::AddressMap;
use super::crossbar::Crossbar;
use super::dram::Channel;
use super::l2_slice::{L2Slice, Transfer};
use super::request::Request;
use crate::config::Config;
use crate::stats::{Counters, Stats};
use std::collections::VecDeque;

/// A channel with what lies between it and its slices.
struct Partition {
    channel: Channel,
    /// Fixed latency, with the core cycle at which each transfer reaches the channel's queue.
    delay: VecDeque<(u64, Transfer)>,
    /// Slice that was served last.
    last: usize,
    /// Command cycle in which the channel has to be looked at.
    wake: u64,
}

pub struct MemorySystem {
    map: AddressMap,
    requests: Crossbar<Request>,
    replies: Crossbar<Request>,
    slices: Vec<L2Slice>,
    /// Cycle in which each slice has to be looked at.
    slice_wake: Vec<u64>,
    partitions: Vec<Partition>,
    slices_per_channel: usize,
    dram_latency: u64,
    core_mhz: u64,
    dram_mhz: u64,
}

/// Sends `reply` back without data or with the sector that was asked for.
fn reply_bytes(reply: &Request) -> u32 {
    if reply.kind.is_write() {
        0
    } else {
        reply.bytes
    }
}

impl MemorySystem {
    pub fn new(config: &Config) -> Self {
        let partition = |_| Partition {
            channel: Channel::new(config),
            delay: VecDeque::with_capacity(config.dram.latency as usize * 4),
            last: 0,
            wake: 0,
        };
        let slices = config.slices();
        MemorySystem {
            map: AddressMap::new(config),
            requests: Crossbar::new(config.core.count, slices, &config.network),
            replies: Crossbar::new(slices, config.core.count, &config.network),
            slices: (0..slices).map(|i| L2Slice::new(i, config)).collect(),
            slice_wake: vec![0; slices],
            partitions: (0..config.dram.channels).map(partition).collect(),
            slices_per_channel: config.l2.slices_per_channel,
            dram_latency: config.dram.latency,
            core_mhz: config.core.clock_mhz as u64,
            dram_mhz: config.dram.clock_mhz as u64,
        }
    }

    /// DRAM command cycles that have passed at the end of core cycle `now`.
    fn ticks(&self, now: u64) -> u64 {
        now * self.dram_mhz / self.core_mhz
    }

    /// Core cycle in which a DRAM command cycle falls.
    fn cycle_of_tick(&self, tick: u64) -> u64 {
        tick.saturating_mul(self.core_mhz).div_ceil(self.dram_mhz)
    }

    /// The network can take `request` from its core.
    pub fn has_room(&self, request: &Request) -> bool {
        self.requests.has_room(request.core as usize, request_bytes(request))
    }

    pub fn send(&mut self, request: Request) {
        let slice = self.map.slice(request.address);
        self.requests.push(request.core as usize, slice, request_bytes(&request), request);
    }

    /// The next reply for a core.
    pub fn receive(&mut self, core: usize, now: u64) -> Option<Request> {
        self.replies.pop(core, now)
    }

    /// Cycle at which the next reply reaches the core.
    pub fn arrival(&self, core: usize) -> u64 {
        self.replies.arrival(core)
    }

    /// A copy from the host leaves these bytes in the slices.
    pub fn install(&mut self, address: u64, bytes: u64) {
        let sector = super::request::SECTOR_BYTES;
        for n in address / sector..(address + bytes).div_ceil(sector) {
            self.slices[self.map.slice(n * sector)].install(n * sector);
        }
    }

    /// One core cycle. `answered` sees each request as its slice answers it: the moment at which atomics are done.
    pub fn step<F: FnMut(&Request)>(&mut self, now: u64, mut answered: F) {
        self.send_replies(now);
        for tick in self.ticks(now - 1) + 1..=self.ticks(now) {
            self.step_dram(now, tick);
        }
        self.step_slices(now, &mut answered);
        self.requests.step(now);
        self.replies.step(now);
    }

    fn send_replies(&mut self, now: u64) {
        for (i, slice) in self.slices.iter_mut().enumerate() {
            let Some(reply) = slice.replies.front() else { continue };
            let bytes = reply_bytes(reply);
            if self.replies.has_room(i, bytes) {
                self.replies.push(i, reply.core as usize, bytes, *reply);
                slice.replies.pop_front();
                // Room in the reply queue may let the slice go on.
                self.slice_wake[i] = self.slice_wake[i].min(now);
            }
        }
    }

    fn step_dram(&mut self, now: u64, tick: u64) {
        for (i, p) in self.partitions.iter_mut().enumerate() {
            let first = i * self.slices_per_channel;
            if let Some(transfer) = p.channel.done.front().copied() {
                if self.slices[transfer.slice].can_fill() {
                    self.slices[transfer.slice].from_dram.push_back(transfer.address);
                    self.slice_wake[transfer.slice] = now;
                    p.channel.done.pop_front();
                    // Reads may have waited for room in the return queue.
                    p.wake = p.wake.min(tick);
                }
            }
            if p.wake <= tick {
                p.channel.step(tick);
                p.wake = p.channel.next_event();
            }
            p.take_from(now, self.dram_latency, &mut self.slices[first..first + self.slices_per_channel]);
            if p.channel.can_accept() && p.delay.front().is_some_and(|(at, _)| *at <= now) {
                if let Some((_, transfer)) = p.delay.pop_front() {
                    p.channel.push(transfer);
                    p.wake = tick + 1;
                }
            }
        }
    }

    fn step_slices<F: FnMut(&Request)>(&mut self, now: u64, answered: &mut F) {
        for (i, slice) in self.slices.iter_mut().enumerate() {
            if self.requests.arrival(i) <= now {
                if slice.can_accept() {
                    if let Some(request) = self.requests.pop(i, now) {
                        slice.accept(now, request);
                        self.slice_wake[i] = self.slice_wake[i].min(slice.next_event(now));
                    }
                } else {
                    slice.stats.input_stall_cycles += 1;
                }
            }
            if self.slice_wake[i] <= now {
                slice.step(now, &mut *answered);
                self.slice_wake[i] = slice.next_event(now);
            }
        }
    }

    /// Next cycle after `now` in which something can move, if no core sends anything.
    pub fn next_event(&self, now: u64) -> u64 {
        if self.requests.is_arbitrating() || self.replies.is_arbitrating() {
            return now + 1;
        }
        let mut next = u64::MAX;
        for (i, slice) in self.slices.iter().enumerate() {
            if !slice.replies.is_empty() || !slice.to_dram.is_empty() {
                return now + 1;
            }
            next = next.min(self.slice_wake[i]).min(self.requests.arrival(i));
        }
        for p in &self.partitions {
            if !p.channel.done.is_empty() {
                return now + 1;
            }
            next = next.min(p.delay.front().map_or(u64::MAX, |(at, _)| *at));
            if !p.channel.is_idle() {
                next = next.min(self.cycle_of_tick(p.wake));
            }
        }
        next.max(now + 1)
    }

    /// Nothing is on its way.
    pub fn is_idle(&self) -> bool {
        self.requests.is_empty()
            && self.replies.is_empty()
            && self.slices.iter().all(L2Slice::is_idle)
            && self.partitions.iter().all(|p| p.delay.is_empty() && p.channel.is_idle())
    }

    /// Adds all counters up to cycle `now`.
    pub fn count(&self, now: u64, stats: &mut Stats) {
        stats.requests.add(&self.requests.stats);
        stats.replies.add(&self.replies.stats);
        self.slices.iter().for_each(|slice| stats.l2.add(&slice.stats));
        self.partitions.iter().for_each(|p| stats.dram.add(&p.channel.stats));
        stats.dram.cycles += self.ticks(now) * self.partitions.len() as u64;
    }
}

impl Partition {
    /// Takes one transfer from the slices, in turns.
    fn take_from(&mut self, now: u64, latency: u64, slices: &mut [L2Slice]) {
        if !self.channel.can_accept() {
            return;
        }
        for n in 1..=slices.len() {
            let i = (self.last + n) % slices.len();
            if let Some(transfer) = slices[i].to_dram.pop_front() {
                self.delay.push_back((now + latency, transfer));
                self.last = i;
                return;
            }
        }
    }
}

/// Bytes that travel with a request besides its header. An atomic counts like a read.
fn request_bytes(request: &Request) -> u32 {
    if request.kind.is_write() {
        request.bytes
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::request::Kind;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const HEAP: u64 = 0xC000_0000;

    /// Sends the requests as fast as they go; gives how often each sector of each core was answered, and the cycle of the end.
    fn run(system: &mut MemorySystem, cores: usize, requests: &[Request]) -> (BTreeMap<(u16, u64), u32>, u64) {
        let (mut answers, mut left) = (BTreeMap::new(), requests.iter().peekable());
        let mut now = 0;
        while left.peek().is_some() || !system.is_idle() {
            now += 1;
            assert!(now < 1_000_000, "requests are lost");
            system.step(now, |_| {});
            for core in 0..cores {
                if let Some(reply) = system.receive(core, now) {
                    *answers.entry((reply.core, reply.address)).or_insert(0) += 1;
                }
            }
            if let Some(request) = left.next_if(|r| system.has_room(r)) {
                system.send(*request);
            }
        }
        (answers, now)
    }

    fn request() -> impl Strategy<Value = Request> {
        let kinds = [Kind::Read, Kind::Write, Kind::Atomic, Kind::WriteBack, Kind::Instruction, Kind::Constant];
        (0u16..4, 0u64..600, prop::sample::select(kinds.to_vec()), any::<u128>()).prop_map(
            |(core, line, kind, written)| {
                let bytes = if kind == Kind::Atomic { 32 } else { 128 };
                // Lines that share sets, slices and banks.
                let address = HEAP + line % 40 * 128 + line / 40 * 393_216;
                Request { core, written, lanes: 1, ..Request::read(kind, 0, address, bytes) }
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Network, slices and channels together, with queues small enough to be full: every sector of every request is
        /// answered exactly once, a write-back never.
        #[test]
        fn every_request_is_answered_once(requests in prop::collection::vec(request(), 1..400), small in any::<bool>()) {
            let mut config = Config::preset("hwwl-micro14").unwrap();
            if small {
                for change in ["l2.queue=4", "l2.sets=2", "l2.ways=2", "l2.mshrs=3", "l2.merges=1", "dram.queue=2",
                    "dram.return_queue=1", "network.ejection_buffer=1"] {
                    config.set(change).unwrap();
                }
            }
            let mut system = MemorySystem::new(&config);
            let (answers, _) = run(&mut system, 4, &requests);
            let mut expected = BTreeMap::new();
            for request in requests.iter().filter(|r| r.kind != Kind::WriteBack) {
                for n in 0..request.sectors() {
                    *expected.entry((request.core, request.sector(n).address)).or_insert(0) += 1;
                }
            }
            prop_assert_eq!(answers, expected);
        }
    }

    #[test]
    fn what_the_host_copied_is_in_the_l2() {
        let config = Config::preset("hwwl-micro14").unwrap();
        let read = [Request::read(Kind::Read, 0, HEAP + 4096, 128)];
        let mut warm = MemorySystem::new(&config);
        warm.install(HEAP, 8192);
        let (_, hit) = run(&mut warm, 1, &read);
        let mut cold = MemorySystem::new(&config);
        let (_, miss) = run(&mut cold, 1, &read);
        assert!(miss > hit + config.dram.latency);
        let mut stats = Stats::default();
        warm.count(hit, &mut stats);
        assert_eq!((stats.l2.cache.hits, stats.dram.reads), (4, 0));
    }
}
