//! Pins of `hvu` with so many lanes, among them those between a core and its load-store unit.

use super::{ID_BITS, LINE_IDS, MAX_LANES};
use crate::pins::{group, numbered, pins};

group! {
    /// From the load-store unit.
    MemoryIn() {
        mem_ready: bool,
        line_valid: bool,
        line_tag: u8 = 2,
        line_id: [u32; LINE_IDS] = numbered(LINE_IDS, ID_BITS),
    }
}

group! {
    /// To the load-store unit.
    MemoryOut() {
        mem_valid: bool,
        mem_write: bool,
        mem_line if mem_valid: u32 = 32,
        mem_tag if mem_valid: u8 = 2,
        mem_count if mem_write: u8 = 6,
        line_ready: bool,
        mem_id if mem_write: [u32; LINE_IDS] = numbered(LINE_IDS, ID_BITS),
    }
}

pins! {
    /// Inputs of `hvu`.
    HvuIn(lanes: usize) {
        configure: bool,
        double_buffer: bool,
        init: bool,
        init_base: u32 = 32,
        init_lines: u16 = 16,
        swap: bool,
        pull_part: bool,
        spill: u32 = lanes as u32,
        room: bool,
        demand: bool,
        fill_accepted: u32 = lanes as u32,
        memory: MemoryIn as "",
    }
    each (lanes) { spill_id: [u32; MAX_LANES] = ID_BITS, }
}

pins! {
    /// Outputs of `hvu`.
    HvuOut(lanes: usize) {
        push_ready: bool,
        overflow: bool,
        reserve: bool,
        fill_push: u32 = lanes as u32,
        unreserve: u32 = lanes as u32,
        pull_busy: bool,
        pending: bool,
        holds: bool,
        memory: MemoryOut as "",
    }
    each (lanes) { fill_id if fill_push: [u32; MAX_LANES] = ID_BITS, }
}
