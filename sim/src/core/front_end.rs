//! Fetch and decode: one fetch a cycle, into the instruction buffer of a warp whose buffer is empty.

use super::kernel::Kernel;
use super::warp::Warp;
use crate::config::Config;
use crate::mem::cache::{Busy, Cache, Outcome};
use crate::mem::request::Kind;

/// Code starts here; an instruction has 8 bytes.
const CODE_BASE: u64 = 0xF000_0000;
const INSTRUCTION_BYTES: u64 = 8;

pub struct FrontEnd {
    pub cache: Cache<u8>,
    line_bytes: u64,
    fetch_bytes: u64,
    /// On the way from fetch to decode: warp, first instruction, number of instructions.
    fetched: Option<(usize, u32, u32)>,
    last_warp: usize,
    /// Warps that wait for a line.
    missing: u64,
    /// Why the last fetch has to be tried again.
    pub busy: Option<Busy>,
}

impl FrontEnd {
    pub fn new(core: usize, config: &Config) -> Self {
        let c = &config.l1i;
        FrontEnd {
            cache: Cache::new(core, Kind::Instruction, c.into()),
            line_bytes: c.line_bytes,
            fetch_bytes: config.core.fetch_bytes,
            fetched: None,
            last_warp: config.core.max_warps - 1,
            missing: 0,
            busy: None,
        }
    }

    /// Another kernel's code lies at the same addresses.
    pub fn clear(&mut self) {
        self.cache.clear();
    }

    /// A new warp: it waits for nothing.
    pub fn start(&mut self, warp: usize) {
        self.missing &= !(1 << warp);
    }

    /// Instructions that one fetch from `pc` on gives: it ends with the line.
    fn instructions(&self, kernel: &Kernel, pc: u32) -> u32 {
        let offset = pc as u64 * INSTRUCTION_BYTES % self.line_bytes;
        let bytes = self.fetch_bytes.min(self.line_bytes - offset);
        ((bytes / INSTRUCTION_BYTES) as u32).min(kernel.program.code.len() as u32 - pc)
    }

    /// Decode, then fetch for one of the `empty` warps (one bit each), in turns. True if anything moved.
    pub fn step(&mut self, kernel: &Kernel, warps: &mut [Warp], buffered: &mut u64, running: u64) -> bool {
        self.busy = None;
        let decoded = self.decode(warps, buffered, running);
        let fetched = self.fetch(kernel, warps, running & !*buffered);
        decoded | fetched
    }

    fn decode(&mut self, warps: &mut [Warp], buffered: &mut u64, running: u64) -> bool {
        let Some((warp, pc, count)) = self.fetched.take() else { return false };
        if running >> warp & 1 == 1 {
            (warps[warp].buffer_pc, warps[warp].buffered) = (pc, count);
            *buffered |= 1 << warp;
        }
        true
    }

    fn fetch(&mut self, kernel: &Kernel, warps: &mut [Warp], empty: u64) -> bool {
        if let Some(warp) = self.cache.take_ready() {
            let warp = warp as usize;
            self.missing &= !(1 << warp);
            if empty >> warp & 1 == 1 {
                self.deliver(kernel, warps, warp);
            }
            return true;
        }
        let wanting = empty & !self.missing;
        if wanting == 0 {
            return false;
        }
        let later = wanting & (u64::MAX << self.last_warp << 1);
        let warp = if later != 0 { later.trailing_zeros() } else { wanting.trailing_zeros() } as usize;
        let pc = fetch_pc(kernel, &warps[warp]);
        match self.cache.read(CODE_BASE + pc as u64 * INSTRUCTION_BYTES, warp as u8) {
            Outcome::Hit => self.deliver(kernel, warps, warp),
            Outcome::Miss | Outcome::Allocated => self.missing |= 1 << warp,
            Outcome::Busy(busy) => {
                self.busy = Some(busy);
                return false;
            }
        }
        self.last_warp = warp;
        true
    }

    fn deliver(&mut self, kernel: &Kernel, warps: &[Warp], warp: usize) {
        let pc = fetch_pc(kernel, &warps[warp]);
        self.fetched = Some((warp, pc, self.instructions(kernel, pc)));
    }
}

/// Where the warp's next fetch goes. Past the end of the kernel there is nothing to fetch: there the stack knows better.
fn fetch_pc(kernel: &Kernel, warp: &Warp) -> u32 {
    if (warp.fetch_pc as usize) < kernel.program.code.len() {
        return warp.fetch_pc;
    }
    warp.stack.top().map_or(0, |(pc, _)| pc)
}
