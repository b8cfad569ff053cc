//! Why a kernel does not get on: which warps wait, where, for what.

use super::core::Core;
use super::kernel::Kernel;
use super::scoreboard::Writer;
use super::warp_set::WarpId;
use std::fmt::Write;

/// Warps that are named one by one.
const NAMED: usize = 16;

/// One line a waiting warp, the first of them.
pub fn diagnose(cores: &[Core], kernel: &Kernel) -> String {
    let mut text = String::new();
    let mut waiting = 0;
    for core in cores {
        for (w, id) in core.residents.all() {
            waiting += 1;
            if waiting <= NAMED {
                let [x, y, z] = core.residents.warps[id].info.ctaid;
                let (pc, what) = core.waits_for(id, kernel);
                let place = kernel.program.place(pc);
                // Writing to a string cannot fail.
                let _ = write!(text, "\n  core {} warp {w} (CTA {x},{y},{z}) at {place}: {what}", core.index);
            }
        }
    }
    if waiting > NAMED {
        let _ = write!(text, "\n  and {} more", waiting - NAMED);
    }
    if waiting == 0 {
        text.push_str(" no warp");
    }
    text
}

impl Core {
    fn waits_for(&self, id: WarpId, kernel: &Kernel) -> (u32, String) {
        let warp = &self.residents.warps[id];
        let (sets, bit) = (&self.residents.schedulers[id.scheduler()].sets, id.bit());
        let Some((pc, _)) = warp.stack.top() else {
            return (kernel.program.code.len() as u32 - 1, format!("has ended; {} stores on their way", warp.stores));
        };
        if sets.at_barrier & bit != 0 {
            let cta = &self.ctas[warp.cta];
            let number = cta.barriers.iter().position(|barrier| barrier.waiting.contains(id)).unwrap_or(0);
            let missing = cta.barriers[number].missing(&cta.live);
            return (warp.barrier_pc, format!("waits at barrier {number} for {missing} more warps of its CTA"));
        }
        let what = if sets.in_atomic & bit != 0 {
            format!("waits for {} replies of an atomic", warp.atomics)
        } else if sets.in_fence & bit != 0 {
            format!("waits at a fence for {} stores", warp.stores)
        } else if warp.buffered == 0 && !self.is_waving() {
            "waits for instructions".into()
        } else {
            match self.residents.conflict(id, pc, kernel) {
                Some(Writer::Memory) => "waits for data from memory".into(),
                Some(Writer::Worklist) => "waits for an answer of the worklist".into(),
                Some(Writer::Arithmetic) => "waits for a result".into(),
                None => "runs, but stores nothing".into(),
            }
        };
        (pc, what)
    }
}
