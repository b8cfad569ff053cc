//! The place of a system in front of a core: fetch, decode and issue.

use super::back_end::{BackEnd, World};
use super::kernel::Kernel;
use super::warp_set::WarpId;
use crate::stats::{CacheStats, CoreStats};
use std::any::Any;

/// Code starts here; an instruction has 8 bytes.
pub const CODE_BASE: u64 = 0xF000_0000;
pub const INSTRUCTION_BYTES: u64 = 8;

/// Fetches, decodes and issues what the back end executes.
pub trait FrontEnd: Any {
    /// It is a unit, which has its own instruction buffers. It is told what is over by [`super::residents::Residents::retired`].
    fn is_unit(&self) -> bool;

    /// Such a unit hears of results of arithmetic `core.done_ahead` cycles before they are written.
    fn hears_early(&self) -> bool {
        false
    }

    /// Another kernel's code lies at the same addresses. No warp is there.
    fn clear(&mut self);

    /// A new warp: it waits for nothing.
    fn start(&mut self, warp: WarpId);

    /// A line of code has come.
    fn fill(&mut self, address: u64);

    /// Issue, decode, fetch. True if anything moved.
    fn step(&mut self, now: u64, kernel: &Kernel, back: &mut BackEnd, world: &mut World) -> bool;

    /// Counts cycles that were all like the last one. `active`: the core has warps.
    fn count_cycles(&mut self, cycles: u64, active: bool, stats: &mut CoreStats);

    /// A request waits for the network, which says nothing when it has room again.
    fn is_sending(&self) -> bool;

    /// Nothing is on its way to or from the instruction cache.
    fn is_idle(&self) -> bool;

    fn cache_stats(&self) -> &CacheStats;

    /// Why it can no longer be trusted.
    fn fault(&self) -> Option<String> {
        None
    }
}
