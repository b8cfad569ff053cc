//! Pins of `hwwl`, the worklist of so many cores with so many lanes.

use super::{HwwlCoreIn, HwwlCoreOut};
use crate::pins::pins;

impl HwwlCoreIn {
    /// No request; IDs that go with none stay as they are.
    pub fn clear(&mut self) {
        (self.pull, self.push, self.leave) = (0, 0, 0);
        (self.memory.mem_ready, self.memory.line_valid) = (false, false);
    }
}

pins! {
    /// Inputs of `hwwl`.
    HwwlIn((cores, lanes): (usize, usize)) {
        configure: bool,
        double_buffer: bool,
        init: bool,
        kernel_end: bool,
    }
    all (cores) {
        cores: [HwwlCoreIn] by "init_base_" = HwwlCoreIn::list(lanes)
    }
}

pins! {
    /// Outputs of `hwwl`.
    HwwlOut((cores, lanes): (usize, usize)) {
        held: u8 = 7,
    }
    all (cores) {
        cores: [HwwlCoreOut] by "status_" = HwwlCoreOut::list(lanes)
    }
}

impl HwwlIn {
    /// Something is asked of some core.
    pub fn asks(&self) -> bool {
        self.configure | self.init | self.kernel_end || self.cores.iter().any(HwwlCoreIn::asks_for_ids)
    }

    /// No request; IDs that go with none stay as they are.
    pub fn clear(&mut self) {
        (self.configure, self.init, self.kernel_end) = (false, false, false);
        self.cores.iter_mut().for_each(HwwlCoreIn::clear);
    }
}
