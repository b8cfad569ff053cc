//! Questions and orders of the host to the systems of a GPU.

use crate::attach::hwwl::timeline::ActiveThreads;
use crate::attach::hwwl::{HwwlSystem, Region};
use crate::attach::iru::{IruSystem, Reorder, ReorderError};
use crate::gpu::Gpu;

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
}
