//! Barriers: warps arrive, wait, and go on when nobody is missing.

use super::back_end::{BackEnd, Notice};
use super::kernel::Kernel;
use super::warp_set::WarpId;
use crate::exec::fault::Cause;
use crate::exec::{self, Arrival, Fault};

impl BackEnd {
    pub(super) fn arrive(&mut self, id: WarpId, pc: u32, arrival: Arrival, kernel: &Kernel) {
        let warp = &mut self.residents.warps[id];
        warp.barrier = Some((pc, arrival));
        let cta = warp.cta;
        if !self.ctas[cta].barriers[arrival.id as usize].arrive(id, arrival) {
            let (lane, cause) = (arrival.lanes.trailing_zeros(), Cause::BarrierDiffers { id: arrival.id });
            self.notices.push(Notice::Fault(Fault::new(kernel.program, pc, &warp.info, lane, cause)));
            return;
        }
        match arrival.passes() {
            true => self.progress += 1,
            false => self.residents.sets_mut(id).at_barrier |= id.bit(),
        }
        self.open_barriers(cta, kernel);
    }

    /// Lets the warps go on for which nobody is missing any more; reductions have their result then.
    pub(super) fn open_barriers(&mut self, cta: usize, kernel: &Kernel) {
        while let Some(barrier) = self.ctas[cta].open_barrier() {
            self.progress += u64::from(barrier.warps.is_some());
            for id in barrier.waiting.iter() {
                self.residents.sets_mut(id).at_barrier &= !id.bit();
                let warp = &mut self.residents.warps[id];
                let Some((pc, Arrival { action, lanes, .. })) = warp.barrier else { continue };
                self.progress += u64::from(!kernel.program.code[pc as usize].writes.as_slice().is_empty());
                exec::reduction(kernel.program, action, lanes, barrier.lanes, barrier.votes, &mut warp.registers);
            }
        }
    }
}
