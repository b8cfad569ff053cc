//! Pins of `hwwl`, the worklist of so many cores with so many lanes.

use super::{CoreIn, HwwlCoreIn, HwwlCoreOut};
use crate::hwwl::{held_bits, Parameters};
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
    HwwlIn(p: &Parameters) {
        configure: bool,
        double_buffer: bool,
        init: bool,
        kernel_end: bool,
    }
    all (p.cores) {
        cores: [HwwlCoreIn] by "init_base_" = HwwlCoreIn::list(p.lanes)
    }
}

pins! {
    /// Outputs of `hwwl`.
    HwwlOut(p: &Parameters) {
        held: u16 = held_bits(p.link),
    }
    all (p.cores) {
        cores: [HwwlCoreOut] by "status_" = HwwlCoreOut::list(p.lanes)
    }
}

impl HwwlIn {
    /// Something is asked of some core.
    pub fn asks(&self) -> bool {
        self.configure | self.init | self.kernel_end || self.cores.iter().any(HwwlCoreIn::has_request)
    }

    /// No request; IDs that go with none stay as they are.
    pub fn clear(&mut self) {
        (self.configure, self.init, self.kernel_end) = (false, false, false);
        self.cores.iter_mut().for_each(HwwlCoreIn::clear);
    }
}

impl CoreIn {
    /// Takes the inputs that a core of `system` has. IDs that go with no request stay as they are.
    #[inline]
    pub fn take(&mut self, system: &HwwlIn, core: &HwwlCoreIn) {
        (self.configure, self.double_buffer) = (system.configure, system.double_buffer);
        (self.init, self.kernel_end) = (system.init, system.kernel_end);
        (self.init_base, self.init_lines) = (core.init_base, core.init_lines);
        (self.pull, self.push, self.leave) = (core.pull, core.push, core.leave);
        if core.push != 0 {
            self.push_id = core.push_id;
        }
        (self.memory.mem_ready, self.memory.line_valid) = (core.memory.mem_ready, core.memory.line_valid);
        if core.memory.line_valid {
            self.memory = core.memory;
        }
    }
}
