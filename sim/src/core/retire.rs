//! CTAs come into the core with their warps, and retire when nothing of them is on its way.

use super::back_end::BackEnd;
use super::kernel::Kernel;
use super::warp::{Barrier, FirstLoad};
use super::warp_set::WarpId;
use crate::exec::{cta_place, WarpInfo};

impl BackEnd {
    /// A CTA slot whose warps have all left.
    pub(super) fn free_cta(&self) -> Option<usize> {
        (self.free_ctas != 0).then_some(self.free_ctas.trailing_zeros() as usize)
    }

    /// Starts a CTA in a free slot.
    pub(super) fn start_cta(&mut self, now: u64, kernel: &Kernel, slot: usize, number: u64) {
        let ctaid = cta_place(number, kernel.grid);
        self.free_ctas &= !(1 << slot);
        self.ctas[slot].shared.fill(0);
        self.ctas[slot].resident = kernel.warps_per_cta as u32;
        self.ctas[slot].barriers.fill(Barrier::default());
        for i in 0..kernel.warps_per_cta {
            let warp_slot = slot * kernel.warps_per_cta + i;
            let first_thread = (i * self.config.warp_size) as u32;
            let info = WarpInfo {
                ctaid,
                ntid: kernel.block,
                nctaid: kernel.grid,
                first_thread,
                threads: WarpInfo::threads(kernel.block, first_thread, self.config.warp_size as u32),
                size: self.config.warp_size as u32,
                warp_slot: warp_slot as u32,
                warp_slots: self.config.max_warps as u32,
                core: self.index as u32,
                cores: kernel.cores,
                grid: kernel.number,
                clock: now,
                clock_mhz: self.config.clock_mhz,
                dynamic_shared_bytes: kernel.dynamic_shared,
            };
            self.start_warp(self.residents.id(warp_slot), slot, info, kernel);
        }
        self.stats.ctas += 1;
    }

    fn start_warp(&mut self, id: WarpId, cta: usize, info: WarpInfo, kernel: &Kernel) {
        let warp = &mut self.residents.warps[id];
        warp.cta = cta;
        warp.info = info;
        warp.stack.start(warp.info.threads, kernel.program.code.len() as u32);
        warp.registers.start(kernel.program.slots);
        warp.local.clear();
        warp.local.resize(kernel.program.local_bytes as usize * kernel.warp_size, 0);
        (warp.buffered, warp.fetch_pc) = (0, 0);
        (warp.started, warp.first_load) = (warp.info.clock, FirstLoad::NotIssued);
        self.ctas[cta].live.insert(id);
        self.residents.start(id);
    }

    /// CTAs that have started and not ended.
    pub(super) fn running_ctas(&self) -> u64 {
        self.ctas.len() as u64 - u64::from(self.free_ctas.count_ones())
    }

    /// Warps that have ended and have nothing on its way leave; so do CTAs whose warps have all left.
    pub(super) fn retire(&mut self, now: u64) -> bool {
        let mut moved = false;
        for s in 0..self.config.schedulers {
            let sets = &self.residents.schedulers[s].sets;
            let mut ended = sets.ended & sets.resident;
            while ended != 0 {
                let id = WarpId::at(s, ended.trailing_zeros() as usize);
                ended &= ended - 1;
                let warp = &self.residents.warps[id];
                if warp.is_quiet() {
                    if let FirstLoad::Served(served) = warp.first_load {
                        self.stats.loading_warps += 1;
                        self.stats.loading_warp_cycles += now - warp.started;
                        self.stats.cycles_to_first_load += served - warp.started;
                    }
                    let cta = &mut self.ctas[warp.cta];
                    cta.resident -= 1;
                    self.free_ctas |= ((cta.resident == 0) as u64) << warp.cta;
                    self.residents.remove(id);
                    moved = true;
                }
            }
        }
        if moved && !self.has_warps() {
            self.load_store.l1d.clear();
        }
        moved
    }
}
