//! Pins of `hvu`, among them those between a core and its load-store unit.

use super::{COUNT_BITS, ID_BITS, LINE_IDS, MAX_LANES};
use crate::unit::{Condition, Interface, Pin};
use crate::units::pins::{flag, group, numbered, numbered_if_bit, pins};

group! {
    /// From the load-store unit.
    MemoryIn {
        mem_ready: bool,
        line_valid: bool,
        line_tag: u8,
        line_id: [u32; LINE_IDS],
    }
}

group! {
    /// To the load-store unit.
    MemoryOut {
        mem_valid: bool,
        mem_write: bool,
        mem_line: u32,
        mem_tag: u8,
        mem_count: u8,
        line_ready: bool,
        mem_id: [u32; LINE_IDS],
    }
}

pins! {
    /// Inputs of `hvu`.
    HvuIn {
        configure: bool,
        double: bool,
        init: bool,
        init_base: u32,
        init_lines: u16,
        swap: bool,
        pull_part: bool,
        spill: u32,
        room: bool,
        demand: bool,
        fill_accepted: u32,
        memory: MemoryIn,
    }
    each {
        spill_id: [u32; MAX_LANES],
    }
}

pins! {
    /// Outputs of `hvu`.
    HvuOut {
        push_ready: bool,
        overflow: bool,
        reserve: bool,
        fill_push: u32,
        unreserve: u32,
        pull_busy: bool,
        pending: bool,
        held: u32,
        memory: MemoryOut,
    }
    each {
        fill_id: [u32; MAX_LANES],
    }
}

/// The pins of [`MemoryIn`].
pub(super) fn memory_inputs() -> Vec<Pin> {
    let mut pins = vec![flag("mem_ready"), flag("line_valid"), Pin::new("line_tag", 2)];
    pins.extend(numbered("line_id", LINE_IDS, ID_BITS));
    pins
}

/// The pins of [`MemoryOut`].
pub(super) fn memory_outputs() -> Vec<Pin> {
    let if_request = || Condition::bit("mem_valid", 0);
    let if_store = || Condition::bit("mem_write", 0);
    let mut pins = vec![
        flag("mem_valid"),
        flag("mem_write"),
        Pin::new("mem_line", 32).valid_if(if_request()),
        Pin::new("mem_tag", 2).valid_if(if_request()),
        Pin::new("mem_count", 6).valid_if(if_store()),
        flag("line_ready"),
    ];
    pins.extend(numbered("mem_id", LINE_IDS, ID_BITS).map(|pin| pin.valid_if(if_store())));
    pins
}

pub fn hvu_interface(lanes: usize) -> Interface {
    let l = lanes as u32;
    let mut inputs = vec![
        flag("configure"),
        flag("double_buffer"),
        flag("init"),
        Pin::new("init_base", 32),
        Pin::new("init_lines", 16),
        flag("swap"),
        flag("pull_part"),
        Pin::new("spill", l),
        flag("room"),
        flag("demand"),
        Pin::new("fill_accepted", l),
    ];
    inputs.extend(memory_inputs());
    inputs.extend(numbered("spill_id", lanes, ID_BITS));
    let mut outputs = vec![
        flag("push_ready"),
        flag("overflow"),
        flag("reserve"),
        Pin::new("fill_push", l),
        Pin::new("unreserve", l),
        flag("pull_busy"),
        flag("pending"),
        Pin::new("held", COUNT_BITS),
    ];
    outputs.extend(memory_outputs());
    outputs.extend(numbered_if_bit("fill_id", lanes, ID_BITS, "fill_push"));
    Interface { inputs, outputs }
}
