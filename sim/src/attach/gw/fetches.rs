//! Fetch and decode for a front end that is a unit: lines that it asks for come from the instruction cache, decoded.

use super::records::Records;
use crate::config::Config;
use crate::core::front_end::{CODE_BASE, INSTRUCTION_BYTES};
use crate::core::load_store;
use crate::mem::cache::{Busy, Cache, Outcome};
use crate::mem::request::Kind;
use crate::mem::system::MemorySystem;
use crate::stats::{CacheStats, CoreStats};
use std::collections::VecDeque;

/// Fetches that wait for the instruction cache; one more can be on its way to them.
const FETCHES: usize = 2;
/// Most entries that lines can be fetched for: one for each warp, or 64 sets of 8 of a storage.
const ENTRIES: usize = 512;

pub struct Fetches {
    cache: Cache<u16>,
    /// Entries and lines to fetch.
    queue: VecDeque<(u16, u16)>,
    /// Line that each entry waits for.
    lines: [u16; ENTRIES],
    /// On its way from fetch to decode: an entry.
    fetched: Option<u16>,
    /// Why the last fetch has to be tried again.
    busy: Option<Busy>,
}

impl Fetches {
    pub fn new(core: usize, config: &Config) -> Self {
        Fetches {
            cache: Cache::new(core, Kind::Instruction, (&config.l1i).into()),
            queue: VecDeque::with_capacity(FETCHES + 2),
            lines: [0; ENTRIES],
            fetched: None,
            busy: None,
        }
    }

    pub fn clear(&mut self) {
        self.cache.clear();
        self.queue.clear();
        self.fetched = None;
    }

    pub fn ask(&mut self, entry: u16, line: u16) {
        self.queue.push_back((entry, line));
        self.lines[entry as usize] = line;
    }

    /// The entry whose line was fetched in the previous cycle, and the line's records.
    pub fn decode(&mut self, records: &Records, stats: &mut CoreStats) -> Option<(u16, [u128; 2])> {
        let entry = self.fetched.take()?;
        let first = u32::from(self.lines[entry as usize]) * 2;
        let records = [first, first + 1].map(|pc| records.record(pc));
        stats.decodes += records.iter().flatten().count() as u64;
        Some((entry, records.map(Option::unwrap_or_default)))
    }

    /// The next fetch. True if anything moved.
    pub fn fetch(&mut self, stats: &mut CoreStats) -> bool {
        self.busy = None;
        if let Some(entry) = self.cache.take_ready() {
            self.fetched = Some(entry);
            return true;
        }
        let Some((entry, line)) = self.queue.front().copied() else { return false };
        match self.cache.read(CODE_BASE + u64::from(line) * 2 * INSTRUCTION_BYTES, entry) {
            Outcome::Hit => self.fetched = Some(entry),
            Outcome::Miss | Outcome::Allocated => {}
            Outcome::Busy(busy) => {
                self.busy = Some(busy);
                return false;
            }
        }
        self.queue.pop_front();
        stats.fetches += 1;
        true
    }

    pub fn have_room(&self) -> bool {
        self.queue.len() < FETCHES
    }

    /// A line of code has come.
    pub fn fill(&mut self, address: u64) {
        self.cache.fill(address);
    }

    /// Sends requests to memory. True if anything moved.
    pub fn send(&mut self, mem: &mut MemorySystem) -> bool {
        load_store::send(&mut self.cache, mem)
    }

    pub fn count_cycles(&mut self, cycles: u64) {
        if let Some(busy) = self.busy {
            self.cache.count_busy(busy, cycles);
        }
    }

    pub fn are_sending(&self) -> bool {
        !self.cache.outgoing.is_empty()
    }

    /// Nothing moves before a line comes.
    pub fn are_quiet(&self) -> bool {
        self.queue.is_empty() && self.fetched.is_none()
    }

    pub fn are_idle(&self) -> bool {
        self.are_quiet() && self.cache.is_idle()
    }

    pub fn cache_stats(&self) -> &CacheStats {
        &self.cache.stats
    }
}
