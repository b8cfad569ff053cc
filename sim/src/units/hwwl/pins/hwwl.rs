//! Pins of `hwwl`, the worklist of all cores.

use super::hvu::{memory_inputs, memory_outputs};
use super::hwwl_core::pulled_ids;
use super::{MemoryIn, MemoryOut, COUNT_BITS, ID_BITS, MAX_LANES};
use crate::unit::{Interface, Pin};
use crate::units::pins::{each, flag, group, numbered, pins};

group! {
    /// Inputs of one core of `hwwl`.
    HwwlCoreIn {
        init_base: u32,
        init_lines: u16,
        pull: u32,
        push: u32,
        leave: u32,
        memory: MemoryIn,
    }
    each {
        push_id: [u32; MAX_LANES],
    }
}

group! {
    /// Outputs of one core of `hwwl`.
    HwwlCoreOut {
        /// Two bits a lane, see [`status`](super::status).
        status: u64,
        push_ready: bool,
        overflow: bool,
        pending: bool,
        count: u32,
        pull_part: bool,
        double_mode: bool,
        memory: MemoryOut,
    }
    each {
        id: [u32; MAX_LANES],
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
    HwwlIn {
        configure: bool,
        double: bool,
        init: bool,
        kernel_end: bool,
    }
    all {
        cores: [HwwlCoreIn] by "init_base_"
    }
}

pins! {
    /// Outputs of `hwwl`.
    HwwlOut {
        /// IDs in the hub.
        held: u8,
    }
    all {
        cores: [HwwlCoreOut] by "status_"
    }
}

impl HwwlIn {
    /// No request; IDs that go with none stay as they are.
    pub fn clear(&mut self) {
        (self.configure, self.init, self.kernel_end) = (false, false, false);
        self.cores.iter_mut().for_each(HwwlCoreIn::clear);
    }
}

pub fn hwwl_interface(cores: usize, lanes: usize) -> Interface {
    let l = lanes as u32;
    let mut core_in = vec![
        Pin::new("init_base", 32),
        Pin::new("init_lines", 16),
        Pin::new("pull", l),
        Pin::new("push", l),
        Pin::new("leave", l),
    ];
    core_in.extend(memory_inputs());
    core_in.extend(numbered("push_id", lanes, ID_BITS));
    let mut core_out = vec![
        Pin::new("status", 2 * l),
        flag("push_ready"),
        flag("overflow"),
        flag("pending"),
        Pin::new("count", COUNT_BITS),
        flag("pull_part"),
        flag("double_mode"),
    ];
    core_out.extend(memory_outputs());
    core_out.extend(pulled_ids(lanes));
    let mut inputs = vec![flag("configure"), flag("double_buffer"), flag("init"), flag("kernel_end")];
    let mut outputs = vec![Pin::new("held", 7)];
    inputs.extend(each(cores, core_in));
    outputs.extend(each(cores, core_out));
    Interface { inputs, outputs }
}
