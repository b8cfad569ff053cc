//! A cache of a core: tags, MSHRs and miss queue. Lines are filled whole; each sector comes in a reply of its own.

use super::mshr::{Mshrs, Refused};
use super::request::{Kind, Request, SECTOR_BYTES};
use super::tags::{Place, Probe, Tags, ALL};
use crate::config::{L1d, ReadOnlyCache, SetIndex};
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
    /// On its way; whoever asked has been put on the list.
    Miss,
    Busy(Busy),
}

/// Size of a cache.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub sets: usize,
    pub ways: usize,
    pub line_bytes: u64,
    pub set_index: SetIndex,
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
            set_index: c.set_index,
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
            set_index: SetIndex::Linear,
            mshrs: c.mshrs,
            merges: c.merges,
            miss_queue: c.miss_queue,
        }
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
        let line = self.line(address);
        let index = match self.shape.set_index {
            SetIndex::Linear => line,
            SetIndex::Fermi => {
                let bit = |from: u32, to: u32| (address >> from & 1) << to;
                line ^ (bit(13, 0) | bit(14, 1) | bit(15, 2) | bit(17, 3) | bit(19, 4))
            }
        };
        index as usize % self.shape.sets
    }

    fn probe(&self, address: u64) -> Probe {
        self.tags.probe(self.set(address), self.line(address), ALL)
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

    /// Reads the line of `address` for `waiting`. [`Outcome::Busy`] changes nothing.
    pub fn read(&mut self, address: u64, waiting: T) -> Outcome {
        let victim = match self.probe(address) {
            Probe::Hit(place) => {
                self.tags.touch(place);
                self.stats.accesses += 1;
                self.stats.hits += 1;
                return Outcome::Hit;
            }
            Probe::Full => return Outcome::Busy(Busy::Line),
            Probe::Waiting(place) => (place, false),
            Probe::Miss(place) | Probe::SectorMiss(place) => (place, true),
        };
        // A miss may need two entries: the request and a line that it throws out.
        if !self.queue_has_room(2) {
            return Outcome::Busy(Busy::Queue);
        }
        self.miss(address, waiting, victim.0, victim.1)
    }

    fn miss(&mut self, address: u64, waiting: T, place: Place, allocate: bool) -> Outcome {
        let line = self.line(address);
        match self.mshrs.check(line) {
            Err(Refused::NoEntry) => return Outcome::Busy(Busy::Mshr),
            Err(Refused::NoMerge) => return Outcome::Busy(Busy::Merge),
            Ok(true) => {
                self.tags.touch(place);
                self.stats.mshr_merges += 1;
            }
            Ok(false) => {
                self.stats.misses += 1;
                if allocate {
                    self.allocate(place, line);
                }
                self.tags.wait(place, ALL);
                let bytes = self.shape.line_bytes;
                self.outgoing.push_back(Request::read(self.kind, self.core, line * bytes, bytes));
            }
        }
        self.stats.accesses += 1;
        self.mshrs.wait(line, (self.shape.line_bytes / SECTOR_BYTES) as u32, waiting);
        Outcome::Miss
    }

    fn allocate(&mut self, place: Place, line: u64) {
        let bytes = self.shape.line_bytes;
        if let Some(evicted) = self.tags.allocate(place, line) {
            self.stats.evictions += 1;
            self.stats.write_backs += 1;
            let mut request = Request::read(Kind::WriteBack, self.core, evicted.line * bytes, bytes);
            request.written = u128::MAX;
            self.outgoing.push_back(request);
        }
    }

    /// Write through, no allocation; a hit throws the line out. The store goes on to memory in either case.
    pub fn write_through(&mut self, store: Request) -> Outcome {
        if !self.queue_has_room(1) {
            return Outcome::Busy(Busy::Queue);
        }
        let outcome = match self.probe(store.address) {
            Probe::Hit(place) => {
                self.tags.evict(place);
                self.stats.evictions += 1;
                Outcome::Hit
            }
            _ => Outcome::Miss,
        };
        self.count_write(outcome);
        self.outgoing.push_back(store);
        outcome
    }

    /// Write back: a hit stays here; a miss goes on to memory, without allocation.
    pub fn write_back(&mut self, store: Request) -> Outcome {
        if let Probe::Hit(place) = self.probe(store.address) {
            self.tags.touch(place);
            self.tags.dirty(place, ALL);
            self.count_write(Outcome::Hit);
            return Outcome::Hit;
        }
        if !self.queue_has_room(1) {
            return Outcome::Busy(Busy::Queue);
        }
        self.count_write(Outcome::Miss);
        self.outgoing.push_back(store);
        Outcome::Miss
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

    /// A sector has come.
    pub fn fill(&mut self, address: u64) {
        let line = self.line(address);
        if self.mshrs.reply(line) {
            let set = self.set(address);
            self.tags.fill(set, line, ALL);
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shape() -> Shape {
        Shape { sets: 2, ways: 2, line_bytes: 128, set_index: SetIndex::Linear, mshrs: 3, merges: 2, miss_queue: 4 }
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

    proptest! {
        /// Random reads and stores against a memory that answers in any order: every read is answered exactly once.
        #[test]
        fn every_read_is_answered_once(steps in prop::collection::vec((0u64..12, 0u8..4, any::<u16>()), 1..400)) {
            let mut cache = Cache::new(0, Kind::Read, shape());
            let mut on_the_way: Vec<u64> = Vec::new();
            let (mut asked, mut answered) = (Vec::new(), Vec::new());
            let mut id = 0u32;
            let serve = |cache: &mut Cache<u32>, pick: u16, on_the_way: &mut Vec<u64>, answered: &mut Vec<u32>| {
                if let Some(request) = cache.outgoing.pop_front() {
                    if request.kind == Kind::Read {
                        on_the_way.extend((0..4).map(|n| request.sector(n).address));
                    }
                }
                if !on_the_way.is_empty() {
                    let i = pick as usize % on_the_way.len();
                    cache.fill(on_the_way.swap_remove(i));
                }
                answered.extend(cache.take_ready());
            };
            for (line, action, pick) in steps {
                match action {
                    0 | 1 => {
                        match cache.read(128 * line, id) {
                            Outcome::Hit => { asked.push(id); answered.push(id) }
                            Outcome::Miss => asked.push(id),
                            Outcome::Busy(_) => {}
                        }
                        id += 1;
                    }
                    2 => { cache.write_through(store(Kind::Write, 128 * line)); }
                    _ => { cache.write_back(store(Kind::Write, 128 * line)); }
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
