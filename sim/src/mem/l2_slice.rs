//! One slice of the L2: sectored, write back, a store miss allocates without fetching. Atomics are done here.
//!
//! network -> fixed delay (ROP) -> input queue -> tags -> MSHRs and miss queue -> DRAM, and back. One access a cycle;
//! requests have been split into sectors. An atomic does all its lanes on different words in that one access; lanes on the same
//! word take turns, and everything behind them waits. Times are L2 cycles.

use super::address::AddressMap;
use super::mshr::{Mshrs, Refused};
use super::request::{Kind, Request, LINE_BYTES, SECTORS, SECTOR_BYTES};
use super::tags::{Evicted, Place, Probe, Sectors, Tags};
use crate::config::Config;
use crate::stats::L2Stats;
use std::collections::VecDeque;

/// A request to DRAM: one sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    pub address: u64,
    pub write: bool,
    /// Where it comes from.
    pub slice: usize,
}

#[derive(Clone, Debug)]
pub struct L2Slice {
    index: usize,
    map: AddressMap,
    tags: Tags,
    mshrs: Mshrs<Request>,
    delay: VecDeque<(u64, Request)>,
    input: VecDeque<Request>,
    misses: VecDeque<Transfer>,
    pub to_dram: VecDeque<Transfer>,
    pub from_dram: VecDeque<u64>,
    pub replies: VecDeque<Request>,
    queue: usize,
    miss_queue: usize,
    rop_latency: u64,
    port_bytes: u64,
    port_free_at: u64,
    atomic_interval: u64,
    /// The atomic at the head of the input queue has taken its turns.
    turns_taken: bool,
    pub stats: L2Stats,
}

/// Room that a request needs in the input queue at most: one entry a sector.
const SPLIT: usize = SECTORS;

fn sector_of(address: u64) -> usize {
    (address / SECTOR_BYTES) as usize % SECTORS
}

impl L2Slice {
    pub fn new(index: usize, config: &Config) -> Self {
        let l2 = &config.l2;
        L2Slice {
            index,
            map: AddressMap::new(config),
            tags: Tags::new(l2.sets, l2.ways),
            mshrs: Mshrs::new(l2.mshrs, l2.merges),
            delay: VecDeque::with_capacity(2 * l2.queue + l2.rop_latency as usize * SPLIT),
            input: VecDeque::with_capacity(l2.queue),
            misses: VecDeque::with_capacity(l2.miss_queue + SECTORS),
            to_dram: VecDeque::with_capacity(l2.queue),
            from_dram: VecDeque::with_capacity(l2.queue),
            replies: VecDeque::with_capacity(l2.queue),
            queue: l2.queue,
            miss_queue: l2.miss_queue,
            rop_latency: l2.rop_latency,
            port_bytes: l2.data_port_bytes as u64,
            port_free_at: 0,
            atomic_interval: l2.atomic_interval,
            turns_taken: false,
            stats: L2Stats::default(),
        }
    }

    /// A request from the network can be taken: its sectors will find room after the delay.
    pub fn can_accept(&self) -> bool {
        self.input.len() + SPLIT <= self.queue
    }

    pub fn accept(&mut self, now: u64, request: Request) {
        for n in (0..request.sectors()).filter(|n| request.touches(*n)) {
            self.delay.push_back((now + self.rop_latency, request.sector(n)));
        }
    }

    /// A sector that a copy from the host brings: present and unchanged.
    pub fn install(&mut self, address: u64) {
        let (set, line, bit) = (self.map.set(address), address / LINE_BYTES, 1 << sector_of(address));
        match self.tags.probe(set, line, bit) {
            Probe::Hit(place) | Probe::SectorMiss(place) | Probe::Waiting(place) => self.tags.touch(place),
            Probe::Miss(place) => {
                self.tags.allocate(place, line);
            }
            Probe::Full => return,
        }
        self.tags.fill(set, line, bit);
    }

    /// One cycle. `answered` sees each request as its answer enters the reply queue.
    pub fn step<F: FnMut(&Request)>(&mut self, now: u64, mut answered: F) {
        self.answer_miss(&mut answered);
        self.fill();
        self.send_miss();
        self.access(now, &mut answered);
        self.leave_delay(now);
    }

    fn replies_full(&self) -> bool {
        self.replies.len() >= self.queue
    }

    fn answer_miss<F: FnMut(&Request)>(&mut self, answered: &mut F) {
        if self.replies_full() {
            return;
        }
        if let Some(request) = self.mshrs.take() {
            answered(&request);
            self.replies.push_back(request);
        }
    }

    fn fill(&mut self) {
        if let Some(address) = self.from_dram.pop_front() {
            self.mshrs.reply(address / SECTOR_BYTES);
            self.tags.fill(self.map.set(address), address / LINE_BYTES, 1 << sector_of(address));
        }
    }

    fn send_miss(&mut self) {
        if self.to_dram.len() < self.queue {
            self.to_dram.extend(self.misses.pop_front());
        }
    }

    fn leave_delay(&mut self, now: u64) {
        if self.input.len() < self.queue && self.delay.front().is_some_and(|(at, _)| *at <= now) {
            self.input.extend(self.delay.pop_front().map(|(_, request)| request));
        }
    }

    fn access<F: FnMut(&Request)>(&mut self, now: u64, answered: &mut F) {
        if self.to_dram.len() >= self.queue || self.replies_full() || self.port_free_at > now {
            return;
        }
        let Some(request) = self.input.front().copied() else { return };
        if request.kind == Kind::Atomic && !self.turns_taken {
            self.turns_taken = true;
            self.port_free_at = now + (request.atomic.same_word[0] as u64 - 1) * self.atomic_interval;
            if self.port_free_at > now {
                return;
            }
        }
        let set = self.map.set(request.address);
        let line = request.address / LINE_BYTES;
        let probe = self.tags.probe(set, line, 1 << sector_of(request.address));
        let done =
            if request.kind.is_write() { self.write(now, &request, probe) } else { self.read(now, &request, probe) };
        let Some(reply) = done else { return };
        self.input.pop_front();
        self.turns_taken = false;
        self.count(&request);
        if reply {
            answered(&request);
            self.replies.push_back(request);
        }
    }

    fn count(&mut self, request: &Request) {
        self.stats.cache.accesses += 1;
        match request.kind {
            Kind::Write => self.stats.writes += 1,
            Kind::WriteBack => self.stats.l1_write_backs += 1,
            Kind::Atomic => {
                self.stats.atomics += 1;
                self.stats.atomic_lanes += request.atomic.lanes[0].count_ones() as u64;
            }
            Kind::Read | Kind::Uncached | Kind::Instruction | Kind::Constant => self.stats.reads += 1,
        }
        self.stats.cache.write_accesses += request.kind.is_write() as u64;
    }

    fn use_port(&mut self, now: u64, bytes: u64) {
        self.port_free_at = now + bytes.div_ceil(self.port_bytes);
    }

    /// `None`: to be tried again. Else whether the request is answered at once.
    fn read(&mut self, now: u64, request: &Request, probe: Probe) -> Option<bool> {
        let (place, sector_miss) = match probe {
            Probe::Hit(place) => {
                self.tags.touch(place);
                self.stats.cache.hits += 1;
                self.use_port(now, request.bytes as u64);
                if request.kind == Kind::Atomic {
                    self.tags.dirty(place, 1 << sector_of(request.address));
                }
                return Some(true);
            }
            Probe::Full => return self.busy(|s| &mut s.stats.cache.fail_line),
            Probe::Waiting(place) | Probe::SectorMiss(place) => (place, true),
            Probe::Miss(place) => (place, false),
        };
        if self.misses.len() + 2 > self.miss_queue {
            return self.busy(|s| &mut s.stats.cache.fail_queue);
        }
        let block = request.address / SECTOR_BYTES;
        match self.mshrs.check(block) {
            Err(Refused::NoEntry) => return self.busy(|s| &mut s.stats.cache.fail_mshr),
            Err(Refused::NoMerge) => return self.busy(|s| &mut s.stats.cache.fail_merge),
            Ok(Some(entry)) => {
                self.tags.touch(place);
                self.stats.cache.mshr_merges += 1;
                self.mshrs.merge(entry, *request);
            }
            Ok(None) => {
                self.stats.cache.misses += 1;
                self.stats.cache.sector_misses += sector_miss as u64;
                self.fetch(now, request.address, place, !sector_miss);
                self.mshrs.start(block, 1, *request);
            }
        }
        if request.kind == Kind::Atomic {
            self.tags.dirty(place, 1 << sector_of(request.address));
        }
        Some(false)
    }

    fn busy(&mut self, counter: fn(&mut Self) -> &mut u64) -> Option<bool> {
        *counter(self) += 1;
        None
    }

    fn fetch(&mut self, now: u64, address: u64, place: Place, allocate: bool) {
        if allocate {
            self.allocate(now, place, address / LINE_BYTES);
        } else {
            self.tags.touch(place);
        }
        self.tags.wait(place, 1 << sector_of(address));
        let address = address / SECTOR_BYTES * SECTOR_BYTES;
        self.misses.push_back(Transfer { address, write: false, slice: self.index });
    }

    fn write(&mut self, now: u64, request: &Request, probe: Probe) -> Option<bool> {
        let sector = sector_of(request.address);
        let answer = Some(request.kind == Kind::Write);
        let place = match probe {
            Probe::Hit(place) => {
                self.tags.touch(place);
                self.tags.dirty(place, 1 << sector);
                self.stats.cache.hits += 1;
                self.use_port(now, request.bytes as u64);
                return answer;
            }
            Probe::Full => return self.busy(|s| &mut s.stats.cache.fail_line),
            Probe::Waiting(place) | Probe::SectorMiss(place) => {
                self.tags.touch(place);
                self.stats.cache.sector_misses += 1;
                place
            }
            Probe::Miss(place) => {
                if self.misses.len() + 1 > self.miss_queue {
                    return self.busy(|s| &mut s.stats.cache.fail_queue);
                }
                self.allocate(now, place, request.address / LINE_BYTES);
                place
            }
        };
        self.tags.write_bytes(place, sector, request.written as u32);
        self.stats.cache.misses += 1;
        self.stats.cache.write_misses += 1;
        answer
    }

    fn allocate(&mut self, now: u64, place: Place, line: u64) {
        if let Some(Evicted { line, dirty, .. }) = self.tags.allocate(place, line) {
            self.stats.cache.evictions += 1;
            self.stats.cache.write_backs += dirty.count_ones() as u64;
            self.use_port(now, dirty.count_ones() as u64 * SECTOR_BYTES);
            for sector in (0..SECTORS).filter(|s| dirty >> s & 1 == (1 as Sectors)) {
                let address = line * LINE_BYTES + sector as u64 * SECTOR_BYTES;
                self.misses.push_back(Transfer { address, write: true, slice: self.index });
            }
        }
    }

    /// A reply from DRAM can be taken.
    pub fn can_fill(&self) -> bool {
        self.from_dram.len() < self.queue
    }

    /// Next cycle after `now` in which something can move, if nothing comes from outside.
    pub fn next_event(&self, now: u64) -> u64 {
        if !self.replies.is_empty()
            || !self.misses.is_empty()
            || !self.from_dram.is_empty()
            || self.mshrs.has_ready()
            || !self.input.is_empty()
        {
            return now + 1;
        }
        self.delay.front().map_or(u64::MAX, |(at, _)| (*at).max(now + 1))
    }

    pub fn is_idle(&self) -> bool {
        self.delay.is_empty()
            && self.input.is_empty()
            && self.misses.is_empty()
            && self.to_dram.is_empty()
            && self.from_dram.is_empty()
            && self.replies.is_empty()
            && self.mshrs.is_empty()
    }
}
