//! Networks, slices and channels, each in its clock domain.
//!
//! Each component says in which cycle of its clock domain it next has something to do. Cycles before that cost nothing.

use super::address::AddressMap;
use super::clock::{Clock, Clocks};
use super::crossbar::Crossbar;
use super::dram::Channel;
use super::l2_slice::{Access, L2Slice, Transfer};
use super::perfect::Perfect;
use super::request::{Kind, Request, SECTOR_BYTES};
use crate::config::Config;
use crate::stats::{Counters, Stats};
use std::collections::VecDeque;

/// A channel with what lies between it and its slices.
struct Partition {
    channel: Channel,
    /// Fixed latency, with the L2 cycle at which each transfer reaches the channel's queue.
    delay: VecDeque<(u64, Transfer)>,
    /// Slice that was served last.
    last: usize,
    /// Command cycle in which the channel has to be looked at, and that for the partition as a whole.
    channel_wake: u64,
    wake: u64,
}

/// Next cycle of each domain in which something can move.
#[derive(Clone, Copy, Debug)]
struct Wake {
    network: u64,
    l2: u64,
    dram: u64,
}

pub struct MemorySystem {
    /// Answers all requests in place of what follows.
    perfect: Option<Perfect>,
    map: AddressMap,
    clocks: Clocks,
    requests: Crossbar<Request>,
    replies: Crossbar<Request>,
    /// Core cycle at which the next reply reaches each core.
    arrivals: Vec<u64>,
    slices: Vec<L2Slice>,
    /// L2 cycle in which each slice has to be looked at.
    slice_wake: Vec<u64>,
    partitions: Vec<Partition>,
    slices_per_channel: usize,
    dram_latency: u64,
    wake: Wake,
    /// Network and L2 cycle of the last core cycle.
    network_now: u64,
    l2_now: u64,
    skip_idle: bool,
    beside: Vec<Beside>,
}

/// The place of a system beside a memory partition.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// Messages from cores that have come.
    pub messages: VecDeque<Request>,
    /// Sectors that the system asked for.
    pub sectors: VecDeque<Request>,
    /// Accesses of the slices, if the system looks at them.
    pub accesses: VecDeque<Access>,
    /// Accesses that the queue had no room for.
    pub accesses_lost: u64,
}

/// Accesses of the slices of a partition that wait for the system beside.
pub const ACCESS_QUEUE: usize = 16;

impl Beside {
    fn see(&mut self, access: Access) {
        match self.accesses.len() < ACCESS_QUEUE {
            true => self.accesses.push_back(access),
            false => self.accesses_lost += 1,
        }
    }

    fn is_empty(&self) -> bool {
        self.messages.is_empty() && self.sectors.is_empty() && self.accesses.is_empty()
    }
}

impl MemorySystem {
    pub fn new(config: &Config) -> Self {
        let partition = |_| Partition {
            channel: Channel::new(config),
            delay: VecDeque::with_capacity(config.dram.latency as usize * 4),
            last: 0,
            channel_wake: u64::MAX,
            wake: u64::MAX,
        };
        let slices = config.slices();
        let requests = config.core.max_warps * config.core.warp_size;
        let perfect = || Perfect::new(config.memory.perfect_latency, config.core.count, requests);
        MemorySystem {
            perfect: config.memory.perfect.then(perfect),
            map: AddressMap::new(config),
            clocks: Clocks {
                core: Clock::new(config.core.clock_mhz),
                network: Clock::new(config.network.clock_mhz),
                l2: Clock::new(config.l2.clock_mhz),
                dram: Clock::new(config.dram.clock_mhz),
            },
            requests: Crossbar::new(config.core.count, slices, &config.network),
            replies: Crossbar::new(slices, config.core.count, &config.network),
            arrivals: vec![u64::MAX; config.core.count],
            slices: (0..slices).map(|i| L2Slice::new(i, config)).collect(),
            slice_wake: vec![u64::MAX; slices],
            partitions: (0..config.dram.channels).map(partition).collect(),
            slices_per_channel: config.l2.slices_per_channel,
            dram_latency: config.dram.latency,
            wake: Wake { network: u64::MAX, l2: u64::MAX, dram: u64::MAX },
            network_now: 0,
            l2_now: 0,
            skip_idle: true,
            beside: vec![Beside::default(); config.dram.channels],
        }
    }

    /// Off: every component is clocked in each of its cycles, with the same results. Set this before the first cycle.
    pub fn set_skip_idle(&mut self, on: bool) {
        self.skip_idle = on;
        if !on && self.perfect.is_none() {
            self.wake = Wake { network: 1, l2: 1, dram: 1 };
        }
    }

    /// The network can take `request` from its core.
    pub fn has_room(&self, request: &Request) -> bool {
        self.perfect.is_some() || self.requests.has_room(request.core as usize, request.sent_bytes())
    }

    /// To be called after [`MemorySystem::step`] of a core cycle.
    pub fn send(&mut self, request: Request) {
        if let Some(perfect) = &mut self.perfect {
            return perfect.send(request);
        }
        let slice = self.map.slice(request.address);
        self.requests.push(request.core as usize, slice, request.sent_bytes(), request);
        self.wake.network = self.wake.network.min(self.network_now + 1);
    }

    /// The next reply for a core.
    pub fn receive(&mut self, core: usize, now: u64) -> Option<Request> {
        if self.arrivals[core] > now {
            return None;
        }
        if let Some(perfect) = &mut self.perfect {
            let reply = perfect.receive(core);
            self.arrivals[core] = if perfect.has_reply(core) { now } else { u64::MAX };
            return reply;
        }
        let reply = self.replies.pop(core, self.network_now);
        self.arrivals[core] = self.clocks.core.first_at(self.clocks.network, self.replies.arrival(core));
        reply
    }

    /// Messages, sectors and accesses that wait for the system beside a channel.
    pub fn beside(&mut self, channel: usize) -> &mut Beside {
        &mut self.beside[channel]
    }

    /// From now on the systems beside the channels are shown what the slices do. Set this before the first cycle.
    pub fn watch_slices(&mut self) {
        self.slices.iter_mut().for_each(|slice| slice.is_watched = true);
        self.beside.iter_mut().for_each(|beside| beside.accesses.reserve(ACCESS_QUEUE));
    }

    /// The channel whose slices have an address.
    pub fn channel(&self, address: u64) -> usize {
        self.map.slice(address) / self.slices_per_channel
    }

    /// An access or a sector waits beside a channel.
    pub fn has_news_beside(&self) -> bool {
        self.beside.iter().any(|beside| !beside.accesses.is_empty() || !beside.sectors.is_empty())
    }

    /// A message from a core waits beside a channel.
    pub fn has_messages(&self) -> bool {
        self.beside.iter().any(|beside| !beside.messages.is_empty())
    }

    /// A system beside a channel asks its slices for a line, past the network. False: not now. To be called after [`MemorySystem::step`].
    pub fn read_beside(&mut self, request: Request) -> bool {
        let i = self.map.slice(request.address);
        if !self.slices[i].can_accept_beside() {
            return false;
        }
        self.slices[i].accept_beside(request);
        self.slice_wake[i] = self.slice_wake[i].min(self.l2_now + 1);
        self.wake.l2 = self.wake.l2.min(self.l2_now + 1);
        true
    }

    /// A system beside a channel sends a message of so many `bytes` to a core. False: the network has no room. To be called after
    /// [`MemorySystem::step`].
    pub fn send_message(&mut self, channel: usize, bytes: u32, message: Request) -> bool {
        let from = channel * self.slices_per_channel;
        if !self.replies.has_room(from, bytes) {
            return false;
        }
        self.replies.push(from, message.core as usize, bytes, message);
        self.wake.network = self.wake.network.min(self.network_now + 1);
        true
    }

    /// Core cycle at which the next reply reaches the core.
    pub fn arrival(&self, core: usize) -> u64 {
        self.arrivals[core]
    }

    /// A copy from the host leaves these bytes in the slices.
    pub fn install(&mut self, address: u64, bytes: u64) {
        for n in address / SECTOR_BYTES..(address + bytes).div_ceil(SECTOR_BYTES) {
            self.slices[self.map.slice(n * SECTOR_BYTES)].install(n * SECTOR_BYTES);
        }
    }

    /// One core cycle: the cycles of the other domains since the last one, in order of time. `answered` sees each request as its
    /// slice answers it: the moment at which atomics are done.
    pub fn step<F: FnMut(&Request)>(&mut self, now: u64, mut answered: F) {
        if let Some(perfect) = &mut self.perfect {
            return perfect.step(now, answered, |core| self.arrivals[core] = self.arrivals[core].min(now));
        }
        let Clocks { core, network, l2, dram } = self.clocks;
        self.network_now = network.elapsed(core, now);
        let (l2_now, dram_now) = (l2.elapsed(core, now), dram.elapsed(core, now));
        self.l2_now = l2_now;
        loop {
            let Wake { network: n, l2: l, dram: d } = self.wake;
            let (n_due, l_due, d_due) = (n <= self.network_now, l <= l2_now, d <= dram_now);
            if d_due && !(l_due && !dram.not_after(d, l2, l)) && !(n_due && !dram.not_after(d, network, n)) {
                self.step_dram(d);
            } else if l_due && !(n_due && !l2.not_after(l, network, n)) {
                self.step_l2(l, &mut answered);
            } else if n_due {
                self.step_network(n);
            } else {
                return;
            }
        }
    }

    fn step_network(&mut self, now: u64) {
        let MemorySystem { clocks: Clocks { core, network, l2, .. }, wake, slice_wake, arrivals, .. } = self;
        self.requests.step(now, |slice, arrival| {
            let at = l2.first_at(*network, arrival);
            slice_wake[slice] = slice_wake[slice].min(at);
            wake.l2 = wake.l2.min(at);
        });
        self.replies.step(now, |to, arrival| arrivals[to] = arrivals[to].min(core.first_at(*network, arrival)));
        let moving = self.requests.is_arbitrating() || self.replies.is_arbitrating() || !self.skip_idle;
        self.wake.network = if moving { now + 1 } else { u64::MAX };
    }

    fn step_l2<F: FnMut(&Request)>(&mut self, now: u64, answered: &mut F) {
        let network = self.clocks.network.elapsed(self.clocks.l2, now);
        self.wake.l2 = u64::MAX;
        for i in 0..self.slices.len() {
            if self.slice_wake[i] <= now || !self.skip_idle {
                self.step_slice(i, now, network, answered);
            }
            self.wake.l2 = self.wake.l2.min(self.slice_wake[i]);
        }
        if !self.skip_idle {
            self.wake.l2 = now + 1;
        }
    }

    fn step_slice<F: FnMut(&Request)>(&mut self, i: usize, now: u64, network: u64, answered: &mut F) {
        let Clocks { network: network_clock, l2, dram, .. } = self.clocks;
        let slice = &mut self.slices[i];
        if let Some(sector) = slice.replies.pop_front_if(|reply| reply.kind == Kind::Beside) {
            self.beside[i / self.slices_per_channel].sectors.push_back(sector);
        } else if let Some(reply) = slice.replies.front() {
            let bytes = reply.returned_bytes();
            if self.replies.has_room(i, bytes) {
                self.replies.push(i, reply.core as usize, bytes, *reply);
                slice.replies.pop_front();
                self.wake.network = self.wake.network.min(network_clock.first_at(l2, now));
            }
        }
        if self.requests.arrival(i) <= network {
            if slice.can_accept() {
                match self.requests.pop(i, network) {
                    Some(request) if request.kind == Kind::Message => {
                        self.beside[i / self.slices_per_channel].messages.push_back(request);
                    }
                    Some(request) => slice.accept(now, request),
                    None => {}
                }
            } else {
                slice.stats.input_stall_cycles += 1;
            }
        }
        slice.step(now, &mut *answered);
        if let Some(access) = slice.access.take() {
            self.beside[i / self.slices_per_channel].see(access);
        }
        let next_request = l2.first_at(network_clock, self.requests.arrival(i));
        self.slice_wake[i] = slice.next_event(now).min(next_request.max(now + 1));
        if !slice.to_dram.is_empty() {
            let partition = &mut self.partitions[i / self.slices_per_channel];
            partition.wake = partition.wake.min(dram.elapsed(l2, now) + 1);
            self.wake.dram = self.wake.dram.min(partition.wake);
        }
    }

    fn step_dram(&mut self, now: u64) {
        let l2 = self.clocks.l2.first_at(self.clocks.dram, now);
        self.wake.dram = u64::MAX;
        for i in 0..self.partitions.len() {
            if self.partitions[i].wake <= now || !self.skip_idle {
                self.step_partition(i, now, l2);
            }
            self.wake.dram = self.wake.dram.min(self.partitions[i].wake);
        }
        if !self.skip_idle {
            self.wake.dram = now + 1;
        }
    }

    /// `l2`: the L2 cycle in which this command cycle falls.
    fn step_partition(&mut self, i: usize, now: u64, l2: u64) {
        let first = i * self.slices_per_channel;
        let slices = &mut self.slices[first..first + self.slices_per_channel];
        let p = &mut self.partitions[i];
        if let Some(transfer) = p.channel.done.front().copied() {
            let slice = &mut slices[transfer.slice - first];
            if slice.can_fill() {
                slice.from_dram.push_back(transfer.address);
                p.channel.done.pop_front();
                self.slice_wake[transfer.slice] = self.slice_wake[transfer.slice].min(l2);
                self.wake.l2 = self.wake.l2.min(l2);
                // Reads may have waited for room in the return queue.
                p.channel_wake = p.channel_wake.min(now);
            }
        }
        if p.channel_wake <= now || !self.skip_idle {
            p.channel.step(now);
            p.channel_wake = p.channel.next_event();
        }
        p.take_from(l2, self.dram_latency, slices);
        if p.channel.can_accept() && p.delay.front().is_some_and(|(at, _)| *at <= l2) {
            if let Some((_, transfer)) = p.delay.pop_front() {
                p.channel.push(transfer);
                p.channel_wake = now + 1;
            }
        }
        let poll = !p.channel.done.is_empty() || slices.iter().any(|slice| !slice.to_dram.is_empty());
        let next_push =
            p.delay.front().map_or(u64::MAX, |(at, _)| self.clocks.dram.elapsed(self.clocks.l2, at - 1) + 1);
        p.wake = if poll { now + 1 } else { p.channel_wake.min(next_push).max(now + 1) };
    }

    /// Next cycle after `now` in which something can move, if no core sends anything.
    pub fn next_event(&self, now: u64) -> u64 {
        if let Some(perfect) = &self.perfect {
            return perfect.next_event().max(now + 1);
        }
        let Clocks { core, network, l2, dram } = self.clocks;
        let network = core.first_at(network, self.wake.network);
        let l2 = core.first_at(l2, self.wake.l2);
        network.min(l2).min(core.first_at(dram, self.wake.dram)).max(now + 1)
    }

    /// Nothing is on its way.
    pub fn is_idle(&self) -> bool {
        self.perfect.as_ref().is_none_or(Perfect::is_idle)
            && self.requests.is_empty()
            && self.replies.is_empty()
            && self.slices.iter().all(L2Slice::is_idle)
            && self.partitions.iter().all(|p| p.delay.is_empty() && p.channel.is_idle())
            && self.beside.iter().all(Beside::is_empty)
    }

    /// Adds all counters up to cycle `now`.
    pub fn count(&self, now: u64, stats: &mut Stats) {
        if self.perfect.is_some() {
            return;
        }
        stats.requests.add(&self.requests.stats);
        stats.replies.add(&self.replies.stats);
        self.slices.iter().for_each(|slice| stats.l2.add(&slice.stats));
        self.partitions.iter().for_each(|p| stats.dram.add(&p.channel.stats));
        stats.dram.cycles += self.clocks.dram.elapsed(self.clocks.core, now) * self.partitions.len() as u64;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::request::Lanes;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const HEAP: u64 = 0xC000_0000;

    /// Sends the requests as fast as they go; gives how often each sector of each core was answered, and the cycle of the end.
    fn run(system: &mut MemorySystem, cores: usize, requests: &[Request]) -> (BTreeMap<(u16, u64), u32>, u64) {
        let (mut answers, mut left) = (BTreeMap::new(), requests.iter().peekable());
        let mut now = 0;
        while left.peek().is_some() || !system.is_idle() {
            now += 1;
            assert!(now < 10_000_000, "requests are lost");
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
        let kinds =
            [Kind::Read, Kind::Write, Kind::Atomic, Kind::WriteBack, Kind::Instruction, Kind::Constant, Kind::Uncached];
        let sizes = prop::sample::select(vec![32u64, 64, 128]);
        (0u16..4, 0u64..600, prop::sample::select(kinds.to_vec()), any::<u128>(), sizes, any::<[u32; 4]>()).prop_map(
            |(core, line, kind, written, size, lanes)| {
                // Lines that share sets, slices and banks.
                let address = HEAP + line % 40 * 128 + line / 40 * 393_216;
                let bytes = if kind == Kind::Atomic { 128 } else { size };
                // Each lane is on one sector.
                let lanes = [0, 1, 2, 3].map(|n| lanes[n] & 0xff << (8 * n));
                let same_word = lanes.map(|lanes| (lanes.count_ones() as u8).div_ceil(3));
                let atomic = Lanes { lanes, same_word, operand_bytes: 16, result_bytes: 8 };
                Request { core, written, atomic, ..Request::read(kind, 0, address, bytes) }
            },
        )
    }

    /// A legal configuration whose queues are small enough to be full, in clock domains of any ratio.
    fn config() -> impl Strategy<Value = Config> {
        let clock = || prop::sample::select(vec![700u32, 350, 1400, 924, 1127, 97]);
        let shape = (0usize..3, 0u32..4, any::<bool>(), any::<bool>(), 1usize..4, any::<bool>());
        (clock(), clock(), clock(), clock(), shape).prop_map(|(core, network, l2, dram, shape)| {
            let (channels, slices, xor, small, merges, hashed) = shape;
            let mut config = Config::preset("hwwl-micro14").unwrap();
            let mut set = |change: String| config.set(&change).unwrap();
            set(format!("core.clock_mhz={core}"));
            set(format!("network.clock_mhz={network}"));
            set(format!("l2.clock_mhz={l2}"));
            set(format!("dram.clock_mhz={dram}"));
            set(format!("dram.channels={}", [1, 4, 6][channels]));
            set(format!("l2.slices_per_channel={}", 1 << slices));
            set(format!("l2.merges={merges}"));
            if xor && channels < 2 {
                set("dram.channel_select=xor".into());
            }
            if hashed {
                set("l2.set_index=xor".into());
            }
            if small {
                for change in
                    ["l2.queue=4", "l2.sets=2", "l2.ways=2", "l2.mshrs=3", "dram.queue=2", "dram.return_queue=1"]
                {
                    set(change.into());
                }
                set("network.ejection_buffer=1".into());
                set("network.input_buffer=13".into());
            }
            config
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Network, slices and channels together: every sector of every request is answered exactly once, a write-back never;
        /// looking at everything in every cycle changes nothing.
        #[test]
        fn every_request_is_answered_once(requests in prop::collection::vec(request(), 1..300), config in config()) {
            let mut system = MemorySystem::new(&config);
            let (answers, end) = run(&mut system, 4, &requests);
            let mut expected = BTreeMap::new();
            for request in requests.iter().filter(|r| r.kind != Kind::WriteBack) {
                for n in (0..request.sectors()).filter(|n| request.touches(*n)) {
                    *expected.entry((request.core, request.sector(n).address)).or_insert(0) += 1;
                }
            }
            prop_assert_eq!(&answers, &expected);
            let mut stats = Stats::default();
            system.count(end, &mut stats);
            prop_assert!(stats.dram.busy_cycles <= stats.dram.cycles);
            prop_assert_eq!(stats.replies.packets as usize, requests.iter().map(Request::replies).sum::<usize>());
            let mut every_cycle = MemorySystem::new(&config);
            every_cycle.set_skip_idle(false);
            prop_assert_eq!(run(&mut every_cycle, 4, &requests), (answers, end));
            let mut same = Stats::default();
            every_cycle.count(end, &mut same);
            prop_assert_eq!(stats, same);
        }

        /// No answer comes before the latencies on its way have passed.
        #[test]
        fn nothing_is_faster_than_light(config in config(), address in 0u64..1 << 20) {
            let request = Request::read(Kind::Read, 0, HEAP + address / 32 * 32, 32);
            let (_, end) = run(&mut MemorySystem::new(&config), 1, &[request]);
            let (d, t) = (&config.dram, &config.dram.timing);
            let nanoseconds = |cycles: u64, mhz: u32| cycles as f64 * 1000.0 / mhz as f64;
            let minimum = nanoseconds(2 * config.network.latency, config.network.clock_mhz)
                + nanoseconds(config.l2.rop_latency + d.latency, config.l2.clock_mhz)
                + nanoseconds(t.rcd + t.cl + d.transfer_cycles(), d.clock_mhz);
            // Each hand-over waits for the next cycle of its domain, and a queue takes a cycle.
            let hand_over = nanoseconds(4, config.network.clock_mhz)
                + nanoseconds(8, config.l2.clock_mhz)
                + nanoseconds(8, d.clock_mhz)
                + nanoseconds(3, config.core.clock_mhz);
            let taken = nanoseconds(end, config.core.clock_mhz);
            prop_assert!(taken >= minimum, "{} ns, not {}", taken, minimum);
            prop_assert!(taken <= minimum + hand_over, "{} ns, not {}", taken, minimum);
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
