//! Fetch and decode: one fetch a cycle, into the instruction buffer of a warp whose buffer is empty.

use super::back_end::{BackEnd, World};
use super::front_end::{FrontEnd, CODE_BASE, INSTRUCTION_BYTES};
use super::kernel::Kernel;
use super::load_store;
use super::residents::Residents;
use super::warp::Warp;
use super::warp_set::{Layout, WarpId, WarpSet};
use crate::config::Config;
use crate::mem::cache::{Busy, Cache, Outcome};
use crate::mem::request::Kind;
use crate::stats::{CacheStats, CoreStats};

/// A front end with an instruction buffer for each warp.
pub struct Buffers {
    cache: Cache<WarpId>,
    line_bytes: u64,
    fetch_bytes: u64,
    /// On the way from fetch to decode: warp, first instruction, number of instructions.
    fetched: Option<(WarpId, u32, u32)>,
    last_warp: WarpId,
    /// Warps that wait for a line.
    missing: WarpSet,
    /// Why the last fetch has to be tried again.
    busy: Option<Busy>,
}

impl Buffers {
    pub fn new(core: usize, config: &Config) -> Self {
        let c = &config.l1i;
        Buffers {
            cache: Cache::new(core, Kind::Instruction, c.into()),
            line_bytes: c.line_bytes,
            fetch_bytes: config.core.fetch_bytes,
            fetched: None,
            last_warp: Layout { schedulers: config.core.schedulers, in_twos: false }.id(config.core.max_warps - 1),
            missing: WarpSet::default(),
            busy: None,
        }
    }

    /// Instructions that one fetch from `pc` on gives: it ends with the line.
    fn instructions(&self, kernel: &Kernel, pc: u32) -> u32 {
        let offset = pc as u64 * INSTRUCTION_BYTES % self.line_bytes;
        let bytes = self.fetch_bytes.min(self.line_bytes - offset);
        ((bytes / INSTRUCTION_BYTES) as u32).min(kernel.program.code.len() as u32 - pc)
    }

    /// Decode, then fetch for one of the warps with an empty buffer, round robin. True if anything moved.
    fn decode_and_fetch(&mut self, kernel: &Kernel, residents: &mut Residents, stats: &mut CoreStats) -> bool {
        self.busy = None;
        let decoded = self.decode(residents, stats);
        decoded | self.fetch(kernel, residents, stats)
    }

    fn decode(&mut self, residents: &mut Residents, stats: &mut CoreStats) -> bool {
        let Some((id, pc, count)) = self.fetched.take() else { return false };
        stats.decodes += u64::from(count);
        let sets = residents.sets_mut(id);
        if sets.resident & !sets.ended & id.bit() != 0 {
            sets.buffered |= id.bit();
            let warp = &mut residents.warps[id];
            (warp.buffer_pc, warp.buffered) = (pc, count);
        }
        true
    }

    fn fetch(&mut self, kernel: &Kernel, residents: &Residents, stats: &mut CoreStats) -> bool {
        if let Some(warp) = self.cache.take_ready() {
            self.missing.remove(warp);
            if residents.sets(warp).empty() & warp.bit() != 0 {
                self.deliver(kernel, residents, warp);
            }
            return true;
        }
        let mut wanting = WarpSet::default();
        let mut any = 0;
        for (s, scheduler) in residents.schedulers.iter().enumerate() {
            wanting.0[s] = scheduler.sets.empty() & !self.missing.0[s];
            any |= wanting.0[s];
        }
        if any == 0 {
            return false;
        }
        let Some(warp) = wanting.next_after(self.last_warp) else { return false };
        let pc = fetch_pc(kernel, &residents.warps[warp]);
        match self.cache.read(CODE_BASE + pc as u64 * INSTRUCTION_BYTES, warp) {
            Outcome::Hit => self.deliver(kernel, residents, warp),
            Outcome::Miss | Outcome::Allocated => self.missing.insert(warp),
            Outcome::Busy(busy) => {
                self.busy = Some(busy);
                return false;
            }
        }
        self.last_warp = warp;
        stats.fetches += 1;
        true
    }

    fn deliver(&mut self, kernel: &Kernel, residents: &Residents, warp: WarpId) {
        let pc = fetch_pc(kernel, &residents.warps[warp]);
        self.fetched = Some((warp, pc, self.instructions(kernel, pc)));
    }
}

impl FrontEnd for Buffers {
    fn is_unit(&self) -> bool {
        false
    }

    fn clear(&mut self) {
        self.cache.clear();
    }

    fn start(&mut self, warp: WarpId) {
        self.missing.remove(warp);
    }

    fn fill(&mut self, address: u64) {
        self.cache.fill(address);
    }

    fn step(&mut self, now: u64, kernel: &Kernel, back: &mut BackEnd, world: &mut World) -> bool {
        let mut moved = back.issue(now, kernel, world);
        moved |= self.decode_and_fetch(kernel, &mut back.residents, &mut back.stats);
        moved | load_store::send(&mut self.cache, world.mem)
    }

    fn count_cycles(&mut self, cycles: u64, _active: bool, _stats: &mut CoreStats) {
        if let Some(busy) = self.busy {
            self.cache.count_busy(busy, cycles);
        }
    }

    fn is_sending(&self) -> bool {
        !self.cache.outgoing.is_empty()
    }

    fn is_idle(&self) -> bool {
        self.cache.is_idle()
    }

    fn cache_stats(&self) -> &CacheStats {
        &self.cache.stats
    }
}

/// Where the warp's next fetch goes. Past the end of the kernel there is nothing to fetch: there the stack knows better.
fn fetch_pc(kernel: &Kernel, warp: &Warp) -> u32 {
    if (warp.fetch_pc as usize) < kernel.program.code.len() {
        return warp.fetch_pc;
    }
    warp.stack.top().map_or(0, |(pc, _)| pc)
}
