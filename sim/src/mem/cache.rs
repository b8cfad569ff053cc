//! A cache of a core: tags, MSHRs and miss queue.
//!
//! A miss asks for a sector; a cache is unsectored if the sector is the whole line. Each 32 bytes come in a reply of their own.

use super::mshr::{Mshrs, Refused};
use super::request::{Kind, Request, SECTORS, SECTOR_BYTES};
use super::tags::{Evicted, Place, Probe, Sectors, Tags, ALL};
use crate::config::{GlobalStores, L1d, LocalStores, ReadOnlyCache, SetIndex, TextureCache};
use crate::stats::CacheStats;
use std::collections::VecDeque;

/// Why a look-up has to be tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Busy {
    /// Every way of the set waits for a fill.
    Line,
    Mshr,
    Merge,
    Queue,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Hit,
    /// On its way; a read has been put on the list.
    Miss,
    /// A store that missed, and stays here nevertheless.
    Allocated,
    Busy(Busy),
}

/// Size and policies of a cache.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub sets: usize,
    pub ways: usize,
    pub line_bytes: u64,
    /// [`SECTOR_BYTES`], or the whole line.
    pub sector_bytes: u64,
    pub set_index: SetIndex,
    pub global_stores: GlobalStores,
    pub local_stores: LocalStores,
    pub mshrs: usize,
    pub merges: usize,
    pub miss_queue: usize,
}

impl From<&L1d> for Shape {
    fn from(c: &L1d) -> Shape {
        Shape {
            sets: c.sets,
            ways: c.ways,
            line_bytes: c.line_bytes,
            sector_bytes: c.sector_bytes,
            set_index: c.set_index,
            global_stores: c.global_stores,
            local_stores: c.local_stores,
            mshrs: c.mshrs,
            merges: c.merges,
            miss_queue: c.miss_queue,
        }
    }
}

impl From<&ReadOnlyCache> for Shape {
    fn from(c: &ReadOnlyCache) -> Shape {
        Shape {
            sets: c.sets,
            ways: c.ways,
            line_bytes: c.line_bytes,
            sector_bytes: c.line_bytes,
            set_index: SetIndex::Linear,
            global_stores: GlobalStores::Evict,
            local_stores: LocalStores::NoAllocate,
            mshrs: c.mshrs,
            merges: c.merges,
            miss_queue: c.miss_queue,
        }
    }
}

impl From<&TextureCache> for Shape {
    fn from(c: &TextureCache) -> Shape {
        let TextureCache { sets, ways, line_bytes, latency: _, mshrs, merges, miss_queue } = *c;
        Shape::from(&ReadOnlyCache { sets, ways, line_bytes, mshrs, merges, miss_queue })
    }
}

/// `T` is what waits for data.
#[derive(Clone, Debug)]
pub struct Cache<T> {
    shape: Shape,
    tags: Tags,
    mshrs: Mshrs<T>,
    /// On their way to the network.
    pub outgoing: VecDeque<Request>,
    core: usize,
    kind: Kind,
    pub stats: CacheStats,
}

impl<T> Cache<T> {
    /// `kind` is that of the requests for its misses.
    pub fn new(core: usize, kind: Kind, shape: Shape) -> Self {
        Cache {
            shape,
            tags: Tags::new(shape.sets, shape.ways),
            mshrs: Mshrs::new(shape.mshrs, shape.merges),
            outgoing: VecDeque::with_capacity(shape.miss_queue),
            core,
            kind,
            stats: CacheStats::default(),
        }
    }

    fn line(&self, address: u64) -> u64 {
        address / self.shape.line_bytes
    }

    fn set(&self, address: u64) -> usize {
        self.shape.set_index.of(self.line(address), self.shape.sets)
    }

    /// Sectors that have to be present for `bytes` from `address` on, which lie in one line.
    fn sectors(&self, address: u64, bytes: u64) -> Sectors {
        if self.shape.sector_bytes == self.shape.line_bytes {
            return ALL;
        }
        let first = sector_of(address);
        let last = sector_of(address + bytes - 1);
        (ALL >> (SECTORS - 1 - last)) & (ALL << first)
    }

    /// `more` requests fit the miss queue.
    fn queue_has_room(&self, more: usize) -> bool {
        self.outgoing.len() + more <= self.shape.miss_queue
    }

    /// Counts a cycle in which a look-up could not be done, `cycles` times.
    pub fn count_busy(&mut self, busy: Busy, cycles: u64) {
        let counter = match busy {
            Busy::Line => &mut self.stats.fail_line,
            Busy::Mshr => &mut self.stats.fail_mshr,
            Busy::Merge => &mut self.stats.fail_merge,
            Busy::Queue => &mut self.stats.fail_queue,
        };
        *counter += cycles;
    }

    /// Reads the sector of `address` for `waiting`. [`Outcome::Busy`] changes nothing.
    pub fn read(&mut self, address: u64, waiting: T) -> Outcome {
        let sectors = self.sectors(address, 1);
        let probe = self.tags.probe(self.set(address), self.line(address), sectors);
        match probe {
            Probe::Hit(place) => {
                self.tags.touch(place);
                self.stats.accesses += 1;
                self.stats.hits += 1;
                return Outcome::Hit;
            }
            Probe::Full => return Outcome::Busy(Busy::Line),
            Probe::Waiting(_) | Probe::Miss(_) | Probe::SectorMiss(_) => {}
        };
        // A miss may need two entries: the request and a line that it throws out.
        if !self.queue_has_room(2) {
            return Outcome::Busy(Busy::Queue);
        }
        self.miss(address, waiting, probe, sectors)
    }

    fn miss(&mut self, address: u64, waiting: T, probe: Probe, sectors: Sectors) -> Outcome {
        let (Probe::Waiting(place) | Probe::Miss(place) | Probe::SectorMiss(place) | Probe::Hit(place)) = probe else {
            return Outcome::Busy(Busy::Line);
        };
        let bytes = self.shape.sector_bytes;
        let block = address / bytes;
        match self.mshrs.check(block) {
            Err(Refused::NoEntry) => return Outcome::Busy(Busy::Mshr),
            Err(Refused::NoMerge) => return Outcome::Busy(Busy::Merge),
            Ok(Some(entry)) => {
                self.tags.touch(place);
                self.stats.mshr_merges += 1;
                self.mshrs.merge(entry, waiting);
            }
            Ok(None) => {
                self.stats.misses += 1;
                match probe {
                    Probe::Miss(_) => self.allocate(place, self.line(address)),
                    _ => {
                        self.stats.sector_misses += 1;
                        self.tags.touch(place);
                    }
                }
                self.tags.wait(place, sectors);
                self.outgoing.push_back(Request::read(self.kind, self.core, block * bytes, bytes));
                self.mshrs.start(block, (bytes / SECTOR_BYTES) as u32, waiting);
            }
        }
        self.stats.accesses += 1;
        Outcome::Miss
    }

    fn allocate(&mut self, place: Place, line: u64) {
        let bytes = self.shape.line_bytes;
        if let Some(Evicted { line, written, .. }) = self.tags.allocate(place, line) {
            self.stats.evictions += 1;
            self.stats.write_backs += 1;
            let mut request = Request::read(Kind::WriteBack, self.core, line * bytes, bytes);
            request.written = written;
            request.shrink();
            self.outgoing.push_back(request);
        }
    }

    /// A global store: it goes on to memory, and a miss allocates nothing. A hit throws the line out or updates it.
    pub fn write_through(&mut self, store: Request) -> Outcome {
        if !self.queue_has_room(1) {
            return Outcome::Busy(Busy::Queue);
        }
        let outcome = match self.probe_store(&store) {
            Probe::Hit(place) => {
                match self.shape.global_stores {
                    GlobalStores::Evict => {
                        self.tags.evict(place);
                        self.stats.evictions += 1;
                    }
                    GlobalStores::Update => self.tags.touch(place),
                }
                Outcome::Hit
            }
            _ => Outcome::Miss,
        };
        self.count_write(outcome);
        self.outgoing.push_back(store);
        outcome
    }

    /// A local store: a hit stays here. A miss goes on to memory, or takes a line without fetching it.
    pub fn write_back(&mut self, store: Request) -> Outcome {
        let probe = self.probe_store(&store);
        let outcome = match (probe, self.shape.local_stores) {
            (Probe::Hit(place), _) => {
                self.tags.touch(place);
                self.tags.dirty(place, self.sectors(store.address, store.bytes as u64));
                Outcome::Hit
            }
            (_, LocalStores::NoAllocate) => {
                if !self.queue_has_room(1) {
                    return Outcome::Busy(Busy::Queue);
                }
                self.outgoing.push_back(store);
                Outcome::Miss
            }
            (Probe::Full, LocalStores::Allocate) => return Outcome::Busy(Busy::Line),
            (Probe::Miss(place), LocalStores::Allocate) => {
                if !self.queue_has_room(1) {
                    return Outcome::Busy(Busy::Queue);
                }
                self.allocate(place, self.line(store.address));
                self.write_bytes(place, &store)
            }
            (Probe::Waiting(place) | Probe::SectorMiss(place), LocalStores::Allocate) => {
                self.tags.touch(place);
                self.write_bytes(place, &store)
            }
        };
        self.count_write(outcome);
        outcome
    }

    fn write_bytes(&mut self, place: Place, store: &Request) -> Outcome {
        let first = sector_of(store.address);
        for n in 0..store.sectors() {
            match store.sector(n).written as u32 {
                0 => {}
                bytes => self.tags.write_bytes(place, first + n, bytes),
            }
        }
        Outcome::Allocated
    }

    fn probe_store(&self, store: &Request) -> Probe {
        let sectors = self.sectors(store.address, store.bytes as u64);
        self.tags.probe(self.set(store.address), self.line(store.address), sectors)
    }

    fn count_write(&mut self, outcome: Outcome) {
        self.stats.accesses += 1;
        self.stats.write_accesses += 1;
        match outcome {
            Outcome::Hit => self.stats.hits += 1,
            _ => {
                self.stats.misses += 1;
                self.stats.write_misses += 1;
            }
        }
    }

    /// 32 bytes have come.
    pub fn fill(&mut self, address: u64) {
        if self.mshrs.reply(address / self.shape.sector_bytes) {
            let (set, line, sectors) = (self.set(address), self.line(address), self.sectors(address, 1));
            self.tags.fill(set, line, sectors);
        }
    }

    /// Something whose data has come can be taken.
    pub fn has_ready(&self) -> bool {
        self.mshrs.has_ready()
    }

    pub fn take_ready(&mut self) -> Option<T> {
        self.mshrs.take()
    }

    /// Forgets all lines. Changed lines of local memory are forgotten too: their threads are gone.
    pub fn clear(&mut self) {
        self.tags.clear();
    }

    /// Nothing is on its way.
    pub fn is_idle(&self) -> bool {
        self.mshrs.is_empty() && self.outgoing.is_empty()
    }
}

fn sector_of(address: u64) -> usize {
    (address / SECTOR_BYTES) as usize % SECTORS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shape() -> Shape {
        Shape {
            sets: 2,
            ways: 2,
            line_bytes: 128,
            sector_bytes: 128,
            set_index: SetIndex::Linear,
            global_stores: GlobalStores::Evict,
            local_stores: LocalStores::NoAllocate,
            mshrs: 3,
            merges: 2,
            miss_queue: 4,
        }
    }

    fn sectored() -> Shape {
        Shape { sector_bytes: 32, global_stores: GlobalStores::Update, local_stores: LocalStores::Allocate, ..shape() }
    }

    fn store(kind: Kind, address: u64) -> Request {
        Request { written: 0xf, ..Request::read(kind, 0, address, 32) }
    }

    #[test]
    fn a_global_store_throws_the_line_out_and_a_local_one_keeps_it() {
        let mut cache = Cache::new(0, Kind::Read, shape());
        cache.read(0, 1);
        cache.outgoing.clear();
        (0..4).for_each(|sector| cache.fill(32 * sector));
        assert_eq!(cache.take_ready(), Some(1));
        assert_eq!(cache.write_back(store(Kind::Write, 0)), Outcome::Hit);
        assert!(cache.outgoing.is_empty());
        assert_eq!(cache.read(0, 2), Outcome::Hit);
        assert_eq!(cache.write_through(store(Kind::Write, 0)), Outcome::Hit);
        assert_eq!(cache.outgoing.pop_front().unwrap().kind, Kind::Write);
        assert_eq!(cache.read(0, 3), Outcome::Miss);
    }

    #[test]
    fn a_changed_line_that_leaves_is_written_back() {
        let mut cache = Cache::new(0, Kind::Read, shape());
        for line in [0, 2] {
            cache.read(128 * line, line);
            (0..4).for_each(|sector| cache.fill(128 * line + 32 * sector));
            cache.take_ready();
        }
        cache.write_back(store(Kind::Write, 0));
        cache.read(256, 9);
        cache.outgoing.clear();
        cache.read(512, 9);
        let kinds: Vec<(Kind, u64)> = cache.outgoing.iter().map(|r| (r.kind, r.address)).collect();
        assert_eq!(kinds, [(Kind::WriteBack, 0), (Kind::Read, 512)]);
    }

    /// Reads and serves what it asks for.
    fn fetch(cache: &mut Cache<u64>, address: u64) {
        assert_eq!(cache.read(address, address), Outcome::Miss);
        let request = cache.outgoing.pop_back().unwrap();
        (0..request.sectors()).for_each(|n| cache.fill(request.sector(n).address));
        assert_eq!(cache.take_ready(), Some(address));
    }

    #[test]
    fn a_sectored_cache_fetches_only_the_sector_and_a_hit_updates_it() {
        let mut cache = Cache::new(0, Kind::Read, sectored());
        fetch(&mut cache, 32);
        assert_eq!(cache.read(36, 0), Outcome::Hit);
        fetch(&mut cache, 64);
        assert_eq!((cache.stats.misses, cache.stats.sector_misses), (2, 1));
        assert_eq!(cache.write_through(store(Kind::Write, 32)), Outcome::Hit);
        assert_eq!(cache.write_through(store(Kind::Write, 96)), Outcome::Miss);
        assert_eq!(cache.outgoing.len(), 2, "both go on to memory");
        assert_eq!(cache.read(32, 0), Outcome::Hit);
        assert_eq!(cache.read(96, 0), Outcome::Miss);
    }

    #[test]
    fn local_stores_that_allocate_are_written_back_as_far_as_they_went() {
        let mut cache = Cache::new(0, Kind::Read, sectored());
        let whole = Request { written: 0xffff_ffff, ..store(Kind::Write, 32) };
        assert_eq!(cache.write_back(whole), Outcome::Allocated);
        assert_eq!(cache.write_back(store(Kind::Write, 64)), Outcome::Allocated);
        assert_eq!(cache.write_back(whole), Outcome::Hit);
        assert_eq!(cache.read(32, 0), Outcome::Hit, "all of it has been written");
        assert!(cache.outgoing.is_empty());
        fetch(&mut cache, 64);
        fetch(&mut cache, 256);
        // The third line of the set: the first leaves, its changed half with it.
        assert_eq!(cache.read(512, 0), Outcome::Miss);
        let back = cache.outgoing.pop_front().unwrap();
        assert_eq!((back.kind, back.address, back.bytes), (Kind::WriteBack, 0, 128));
        assert_eq!(back.written, 0xffff_ffff_ffff_ffff << 32);
        assert_eq!((0..4).map(|n| back.touches(n)).collect::<Vec<_>>(), [false, true, true, false]);
        assert_eq!((cache.stats.evictions, cache.stats.write_backs), (1, 1));
    }

    proptest! {
        /// Random reads and stores against a memory that answers in any order: every read is answered exactly once.
        #[test]
        fn every_read_is_answered_once(
            steps in prop::collection::vec((0u64..48, 0u8..4, any::<u16>()), 1..400),
            sectors in any::<bool>(),
        ) {
            let mut cache = Cache::new(0, Kind::Read, if sectors { sectored() } else { shape() });
            let mut on_the_way: Vec<u64> = Vec::new();
            let (mut asked, mut answered) = (Vec::new(), Vec::new());
            let mut id = 0u32;
            let serve = |cache: &mut Cache<u32>, pick: u16, on_the_way: &mut Vec<u64>, answered: &mut Vec<u32>| {
                if let Some(request) = cache.outgoing.pop_front() {
                    if request.kind == Kind::Read {
                        on_the_way.extend((0..request.sectors()).map(|n| request.sector(n).address));
                    }
                }
                if !on_the_way.is_empty() {
                    let i = pick as usize % on_the_way.len();
                    cache.fill(on_the_way.swap_remove(i));
                }
                answered.extend(cache.take_ready());
            };
            for (sector, action, pick) in steps {
                match action {
                    0 | 1 => {
                        match cache.read(32 * sector, id) {
                            Outcome::Hit => { asked.push(id); answered.push(id) }
                            Outcome::Miss | Outcome::Allocated => asked.push(id),
                            Outcome::Busy(_) => {}
                        }
                        id += 1;
                    }
                    2 => { cache.write_through(store(Kind::Write, 32 * sector)); }
                    _ => { cache.write_back(store(Kind::Write, 32 * sector)); }
                }
                serve(&mut cache, pick, &mut on_the_way, &mut answered);
            }
            while !cache.is_idle() {
                serve(&mut cache, 0, &mut on_the_way, &mut answered);
            }
            answered.sort_unstable();
            prop_assert_eq!(asked, answered);
            let s = &cache.stats;
            prop_assert_eq!(s.accesses, s.hits + s.mshr_merges + s.misses);
        }
    }
}
