//! What the host tells and asks: the systems of the papers, and what kernels print and allocate.

use super::Gpu;
use crate::attach::hwwl::timeline::ActiveThreads;
use crate::attach::hwwl::{HwwlSystem, Region};
use crate::attach::iru::{IruSystem, Reorder, ReorderError};
use crate::exec::Printed;
use crate::ptx::program::STACK_BYTES;

impl Gpu {
    /// `configure_iru` (IRU, section 4), for the next kernel that has a `load_iru`.
    ///
    /// # Errors
    /// See [`ReorderError`].
    pub fn configure_iru(&mut self, reorder: Reorder) -> Result<(), ReorderError> {
        let Some((iru, memory)) = self.system_mut::<IruSystem>() else {
            return Err(ReorderError {
                what: "configuration",
                value: self.config().name.clone(),
                rule: "has no reorder unit; add an [iru] table".into(),
            });
        };
        iru.configure(reorder, memory)
    }

    /// IDs in all worklists: the sum of their `count` pins.
    pub fn worklist_count(&self) -> u64 {
        self.system::<HwwlSystem>().map_or(0, HwwlSystem::count)
    }

    /// Base and bytes of the last `wlinit`.
    pub fn worklist_region(&self) -> Option<Region> {
        self.system::<HwwlSystem>().and_then(HwwlSystem::region)
    }

    /// Threads with work from the worklist over the cycles of all launches. `None`: there is no worklist.
    pub fn active_threads(&self) -> Option<ActiveThreads> {
        Some(self.system::<HwwlSystem>()?.active_threads(self.cycle()))
    }

    /// Takes what kernels have printed since the last time. It is there after a launch that failed, too.
    pub fn take_output(&mut self) -> Printed {
        self.memory_mut().output.take()
    }

    /// Sets how many bytes of printed text are kept until the host takes them; 1 MiB unless set.
    pub fn set_output_limit(&mut self, bytes: usize) {
        self.memory_mut().output.set_limit(bytes);
    }

    /// Sets the size of the heap of `malloc` in kernels, 8 MiB unless set; false if a kernel has allocated from it already.
    pub fn set_device_heap(&mut self, bytes: u64) -> bool {
        self.memory_mut().device_heap.set_limit(bytes)
    }

    /// Sets the stack of a thread (`cudaLimitStackSize`). The call stack has twice as many bytes, as its frames also hold what a
    /// compiler keeps in registers, and never less than [`STACK_BYTES`].
    pub fn set_stack_limit(&mut self, bytes: u32) {
        self.stack_bytes = STACK_BYTES.max(bytes.saturating_mul(2)).next_multiple_of(16);
    }
}
