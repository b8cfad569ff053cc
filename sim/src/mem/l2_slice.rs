//! One slice of the L2: sectored, write back, a store miss allocates without fetching. Atomics are done here.
//!
//! network -> fixed delay (ROP) -> input queue -> tags -> MSHRs and miss queue -> DRAM, and back; the requests of a system beside the partition
//! enter the input queue from beside. One access a cycle; requests have been split into sectors. An atomic does all its lanes
//! on different words in that one access; lanes on the same word take turns, and everything behind them waits. Times are L2
//! cycles.

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

/// A request at the tags: it has found its data, or has been taken in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// One sector.
    pub request: Request,
    pub hit: bool,
}

#[derive(Clone, Debug)]
pub struct L2Slice {
    index: usize,
    map: AddressMap,
    tags: Tags,
    mshrs: Mshrs<Request>,
    /// With the cycle in which each request has passed, and the next of its sectors.
    delay: VecDeque<(u64, usize, Request)>,
    /// The next sector of a request from beside, and whether the last one that entered was such.
    beside: Option<(usize, Request)>,
    beside_last: bool,
    input: VecDeque<Request>,
    misses: VecDeque<Transfer>,
    pub to_dram: VecDeque<Transfer>,
    pub from_dram: VecDeque<u64>,
    pub replies: VecDeque<Request>,
    queue: usize,
    miss_queue: usize,
    rop_latency: u64,
    port_bytes: u64,
    /// Sectors that one DRAM command moves.
    burst_sectors: usize,
    port_free_at: u64,
    atomic_interval: u64,
    /// The sector of the last atomic, and the cycle from which another one there may begin.
    last_atomic: (u64, u64),
    /// The atomic at the head of the input queue has taken its turns.
    turns_taken: bool,
    /// Somebody looks at accesses.
    pub is_watched: bool,
    /// The access of the last cycle, if somebody looks.
    pub access: Option<Access>,
    pub stats: L2Stats,
}

/// Room that a request needs in the input queue at most: one entry a sector.
const SPLIT: usize = SECTORS;

/// The first sector of the request, from the n-th on, in which there is something to do.
fn touched(request: &Request, n: usize) -> Option<usize> {
    (n..request.sectors()).find(|n| request.touches(*n))
}

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
            burst_sectors: (config.dram.transfer_bytes() / SECTOR_BYTES).min(SECTORS as u64) as usize,
            beside: None,
            beside_last: false,
            port_free_at: 0,
            atomic_interval: l2.atomic_interval,
            last_atomic: (0, 0),
            turns_taken: false,
            is_watched: false,
            access: None,
            stats: L2Stats::default(),
        }
    }

    /// A request from the network can be taken: its sectors will find room after the delay.
    pub fn can_accept(&self) -> bool {
        self.input.len() + SPLIT <= self.queue
    }

    /// A request of a system beside the partition can be taken.
    pub fn can_accept_beside(&self) -> bool {
        self.beside.is_none()
    }

    /// Takes a request of a system beside the partition. Such a request does not come over the network, and does not wait in the queues for requests that do.
    pub fn accept_beside(&mut self, request: Request) {
        self.beside = touched(&request, 0).map(|first| (first, request));
    }

    pub fn accept(&mut self, now: u64, request: Request) {
        if let Some(first) = touched(&request, 0) {
            self.delay.push_back((now + self.rop_latency, first, request));
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
        self.enter(now);
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

    /// One sector enters: of a request from the network or of one from beside, in turns if both have one.
    fn enter(&mut self, now: u64) {
        if self.input.len() >= self.queue {
            return;
        }
        let from_network = self.delay.front().is_some_and(|(at, ..)| *at <= now);
        self.beside_last = self.beside.is_some() && !(from_network && self.beside_last);
        if self.beside_last {
            self.enter_from_beside();
        } else if from_network {
            self.enter_from_network();
        }
    }

    fn enter_from_beside(&mut self) {
        let Some((sector, request)) = self.beside.take() else { return };
        self.input.push_back(request.sector(sector));
        self.beside = touched(&request, sector + 1).map(|next| (next, request));
    }

    fn enter_from_network(&mut self) {
        let Some((_, sector, request)) = self.delay.front_mut() else { return };
        self.input.push_back(request.sector(*sector));
        match touched(request, *sector + 1) {
            Some(next) => *sector = next,
            None => {
                self.delay.pop_front();
            }
        }
    }

    fn access<F: FnMut(&Request)>(&mut self, now: u64, answered: &mut F) {
        if self.to_dram.len() >= self.queue || self.replies_full() || self.port_free_at > now {
            return;
        }
        let Some(request) = self.input.front().copied() else { return };
        if request.kind == Kind::Atomic && !self.turns_taken {
            self.turns_taken = true;
            let (sector, free_at) = self.last_atomic;
            let begin = if sector == request.address { now.max(free_at) } else { now };
            self.port_free_at = begin + (request.atomic.same_word[0] as u64 - 1) * self.atomic_interval;
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
        if request.kind == Kind::Atomic {
            self.last_atomic = (request.address, now + self.atomic_interval);
        }
        self.count(&request);
        if self.is_watched && request.kind != Kind::Beside {
            self.access = Some(Access { request, hit: matches!(probe, Probe::Hit(_)) });
        }
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
            Kind::PortWrite => self.stats.spills += 1,
            Kind::PortRead => self.stats.refills += 1,
            Kind::Atomic => {
                self.stats.atomics += 1;
                self.stats.atomic_lanes += request.atomic.lanes[0].count_ones() as u64;
            }
            Kind::Beside => self.stats.prefetches += 1,
            Kind::Read | Kind::Uncached | Kind::Instruction | Kind::Constant | Kind::Texture | Kind::Message => {
                self.stats.reads += 1
            }
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
            // One command writes all that is changed of the bytes that it moves.
            for first in (0..SECTORS).step_by(self.burst_sectors) {
                if dirty >> first & ((1 << self.burst_sectors) - 1) as Sectors != 0 {
                    let address = line * LINE_BYTES + first as u64 * SECTOR_BYTES;
                    self.misses.push_back(Transfer { address, write: true, slice: self.index });
                }
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
            || self.beside.is_some()
        {
            return now + 1;
        }
        self.delay.front().map_or(u64::MAX, |(at, ..)| (*at).max(now + 1))
    }

    pub fn is_idle(&self) -> bool {
        self.delay.is_empty()
            && self.beside.is_none()
            && self.input.is_empty()
            && self.misses.is_empty()
            && self.to_dram.is_empty()
            && self.from_dram.is_empty()
            && self.replies.is_empty()
            && self.mshrs.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::request::Lanes;

    const HEAP: u64 = 0xC000_0000;
    /// From one line to the next of the same set and slice: 6 channels, 2 slices, 64 sets.
    const NEXT: u64 = 12 * 64 * 128;
    const ROP: u64 = 120;
    const DRAM: u64 = 50;

    /// A slice whose DRAM answers after [`DRAM`] cycles, and what it has done, with the cycle of each.
    struct Bench {
        slice: L2Slice,
        now: u64,
        dram: VecDeque<(u64, u64)>,
        answers: Vec<(u64, Kind, u64)>,
        reads: Vec<u64>,
        writes: Vec<u64>,
    }

    fn bench(changes: &[&str]) -> Bench {
        let mut config = Config::preset("hwwl-micro14").unwrap();
        changes.iter().for_each(|change| config.set(change).unwrap());
        let index = AddressMap::new(&config).slice(HEAP);
        let slice = L2Slice::new(index, &config);
        Bench { slice, now: 0, dram: VecDeque::new(), answers: Vec::new(), reads: Vec::new(), writes: Vec::new() }
    }

    impl Bench {
        /// Sends these one a cycle, from cycle 1 on, and lets everything come to its end.
        fn run(&mut self, requests: &[Request]) -> &mut Self {
            (self.now, self.answers) = (0, Vec::new());
            (self.slice.port_free_at, self.slice.last_atomic) = (0, (0, 0));
            let mut left = requests.iter();
            while left.len() > 0 || !self.slice.is_idle() || !self.dram.is_empty() {
                self.now += 1;
                assert!(self.now < 10_000);
                if self.slice.can_accept() {
                    left.next().into_iter().for_each(|request| self.slice.accept(self.now, *request));
                }
                self.step();
            }
            self
        }

        fn step(&mut self) {
            if self.dram.front().is_some_and(|(at, _)| *at <= self.now) && self.slice.can_fill() {
                self.slice.from_dram.extend(self.dram.pop_front().map(|(_, address)| address));
            }
            let (now, answers) = (self.now, &mut self.answers);
            self.slice.step(now, |request| answers.push((now, request.kind, request.address)));
            self.slice.replies.clear();
            match self.slice.to_dram.pop_front() {
                Some(Transfer { address, write: true, .. }) => self.writes.push(address),
                Some(Transfer { address, .. }) => {
                    self.reads.push(address);
                    self.dram.push_back((self.now + DRAM, address));
                }
                None => {}
            }
        }

        fn cycles(&self) -> Vec<u64> {
            self.answers.iter().map(|(cycle, ..)| *cycle).collect()
        }
    }

    fn read(address: u64) -> Request {
        Request::read(Kind::Read, 0, HEAP + address, 32)
    }

    fn store(address: u64, written: u128) -> Request {
        Request { written, ..Request::read(Kind::Write, 0, HEAP + address, 32) }
    }

    fn atomic(address: u64, lanes: u32, same_word: u8) -> Request {
        let atomic = Lanes { lanes: [lanes, 0, 0, 0], same_word: [same_word, 0, 0, 0], ..Lanes::default() };
        Request { atomic, ..Request::read(Kind::Atomic, 0, HEAP + address, 128) }
    }

    /// A line from beside hits without the delay; its sectors take turns with what comes out of the delay in the same cycles.
    #[test]
    fn what_comes_from_beside_does_not_wait_for_the_way_from_the_network() {
        let mut b = bench(&[]);
        let line = |kind| Request::read(kind, 0, HEAP, 128);
        b.run(&[line(Kind::Read)]);
        (b.now, b.answers) = (0, Vec::new());
        assert!(b.slice.can_accept_beside());
        b.slice.accept_beside(line(Kind::Beside));
        assert!(!b.slice.can_accept_beside());
        b.run(&[]);
        let prefetched = b.answers.len();
        assert_eq!((prefetched, b.answers[0].0, b.slice.stats.prefetches), (4, 2, 4));
        b.slice.accept(0, line(Kind::Read));
        b.now = ROP - 1;
        b.slice.accept_beside(line(Kind::Beside));
        b.answers.clear();
        (0..12).for_each(|_| {
            b.now += 1;
            b.step();
        });
        let kinds: Vec<_> = b.answers.iter().map(|(_, kind, _)| *kind).collect();
        let (read, beside) = (Kind::Read, Kind::Beside);
        assert_eq!(kinds, [beside, read, beside, read, beside, read, beside, read]);
    }

    #[test]
    fn a_miss_is_fetched_once_for_all_who_wait_and_then_hits() {
        let mut b = bench(&[]);
        b.run(&[read(0), read(0), read(32)]);
        assert_eq!(b.reads, [HEAP, HEAP + 32]);
        let cache = &b.slice.stats.cache;
        assert_eq!((cache.accesses, cache.misses, cache.sector_misses, cache.mshr_merges), (3, 2, 1, 1));
        assert!(b.cycles().iter().all(|at| *at >= 1 + ROP + DRAM), "{:?}", b.answers);
        // Hits leave one a cycle, after the delay and a cycle of the input queue.
        let requests = [read(0), read(32), read(0)];
        assert_eq!(b.run(&requests).cycles(), [2 + ROP, 3 + ROP, 4 + ROP]);
        assert_eq!((b.slice.stats.cache.hits, b.reads.len()), (3, 2));
    }

    #[test]
    fn a_line_is_taken_apart_into_sectors() {
        let mut b = bench(&[]);
        b.run(&[Request { bytes: 128, ..read(0) }]);
        assert_eq!(b.reads, [0, 32, 64, 96].map(|offset| HEAP + offset));
        assert_eq!((b.answers.len(), b.slice.stats.reads), (4, 4));
    }

    #[test]
    fn a_store_allocates_without_fetching_and_a_read_of_the_rest_fetches() {
        let mut b = bench(&[]);
        b.run(&[store(0, 0xffff_ffff), store(32, 0xff), read(0)]);
        assert_eq!((b.reads.len(), b.slice.stats.cache.write_misses, b.slice.stats.cache.hits), (0, 2, 1));
        b.run(&[read(32)]);
        assert_eq!(b.reads, [HEAP + 32]);
        assert!(b.writes.is_empty());
    }

    #[test]
    fn a_changed_line_goes_back_in_whole_bursts() {
        // Two ways, and a burst moves two sectors.
        let mut b = bench(&["l2.ways=2"]);
        b.run(&[store(0, 1), store(32, 1), store(64, 1), store(NEXT, 1), store(2 * NEXT, 1)]);
        assert_eq!(b.writes, [HEAP, HEAP + 64]);
        assert_eq!((b.slice.stats.cache.evictions, b.slice.stats.cache.write_backs), (1, 3));
        // A channel that moves one sector with a burst needs a command for each.
        let mut b = bench(&["l2.ways=2", "dram.bus_bytes=4"]);
        b.run(&[store(0, 1), store(32, 1), store(64, 1), store(NEXT, 1), store(2 * NEXT, 1)]);
        assert_eq!(b.writes, [HEAP, HEAP + 32, HEAP + 64]);
    }

    #[test]
    fn atomics_take_a_turn_for_each_lane_on_the_same_word() {
        let mut b = bench(&[]);
        let cycles = |b: &mut Bench| b.run(&[atomic(0, 0xff, 1), atomic(0, 0xf, 4), read(0)]).cycles();
        cycles(&mut b);
        assert_eq!(b.reads, [HEAP], "an atomic needs the old value");
        assert_eq!(cycles(&mut b), [2 + ROP, 6 + ROP, 7 + ROP]);
        assert_eq!((b.slice.stats.atomics, b.slice.stats.atomic_lanes), (4, 24));
        let mut slow = bench(&["l2.atomic_interval=9"]);
        cycles(&mut slow);
        assert_eq!(cycles(&mut slow), [2 + ROP, 2 + ROP + 4 * 9, 3 + ROP + 4 * 9], "they follow one another");
        let apart = |b: &mut Bench| b.run(&[atomic(0, 1, 1), atomic(32, 1, 1), atomic(64, 1, 1)]).cycles();
        apart(&mut slow);
        assert_eq!(apart(&mut slow), [2 + ROP, 3 + ROP, 4 + ROP], "other sectors need not wait");
        // Bytes that an atomic has changed are written back.
        let mut b = bench(&["l2.ways=1"]);
        b.run(&[atomic(0, 1, 1)]).run(&[read(NEXT)]);
        assert_eq!(b.writes, [HEAP]);
    }

    #[test]
    fn what_has_to_wait_is_counted_by_reason_and_comes_in_the_end() {
        let fails = |change: &str, requests: &[Request]| {
            let mut b = bench(&[change]);
            b.run(requests);
            assert_eq!(b.answers.len(), requests.len());
            let c = &b.slice.stats.cache;
            [c.fail_mshr, c.fail_merge, c.fail_line].map(|cycles| cycles > 0)
        };
        assert_eq!(fails("l2.mshrs=1", &[read(0), read(32)]), [true, false, false]);
        assert_eq!(fails("l2.merges=1", &[read(0), read(0)]), [false, true, false]);
        assert_eq!(fails("l2.ways=1", &[read(0), read(NEXT)]), [false, false, true]);
        assert_eq!(fails("l2.ways=2", &[read(0), read(NEXT)]), [false, false, false]);
    }

    #[test]
    fn what_the_host_copied_hits_and_is_not_written_back() {
        let mut b = bench(&["l2.ways=1"]);
        b.slice.install(HEAP);
        b.run(&[read(0), read(NEXT)]);
        assert_eq!((b.slice.stats.cache.hits, b.reads.as_slice(), b.writes.len()), (1, [HEAP + NEXT].as_slice(), 0));
    }
}
