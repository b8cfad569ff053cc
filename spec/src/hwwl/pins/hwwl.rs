//! Pins of `hwwl`, the worklist of so many cores with so many lanes.

use super::hwwl_core::pulled_id;
use super::{MemoryIn, MemoryOut, COUNT_BITS, ID_BITS, MAX_LANES};
use crate::pins::{group, pins};

group! {
    /// Inputs of one core of `hwwl`.
    HwwlCoreIn(lanes: usize) {
        init_base: u32 = 32,
        init_lines: u16 = 16,
        pull: u32 = lanes as u32,
        push: u32 = lanes as u32,
        leave: u32 = lanes as u32,
        memory: MemoryIn as "",
    }
    each (lanes) {
        push_id: [u32; MAX_LANES] = ID_BITS,
    }
}

group! {
    /// Outputs of one core of `hwwl`.
    HwwlCoreOut(lanes: usize) {
        status: u64 = 2 * lanes as u32,
        push_ready: bool,
        overflow: bool,
        pending: bool,
        count: u32 = COUNT_BITS,
        pull_part: bool,
        double_mode: bool,
        memory: MemoryOut as "",
    }
    each (lanes) {
        id: [u32; MAX_LANES] as "" = pulled_id(),
    }
}

impl HwwlCoreIn {
    /// No request; IDs that go with none stay as they are.
    pub fn clear(&mut self) {
        (self.pull, self.push, self.leave) = (0, 0, 0);
        (self.memory.mem_ready, self.memory.line_valid) = (false, false);
    }
}

impl HwwlCoreOut {
    pub fn status(&self, lane: usize) -> u64 {
        self.status >> (2 * lane) & 3
    }
}

pins! {
    /// Inputs of `hwwl`.
    HwwlIn((cores, lanes): (usize, usize)) {
        configure: bool,
        double: bool as "double_buffer",
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
    /// No request; IDs that go with none stay as they are.
    pub fn clear(&mut self) {
        (self.configure, self.init, self.kernel_end) = (false, false, false);
        self.cores.iter_mut().for_each(HwwlCoreIn::clear);
    }
}
