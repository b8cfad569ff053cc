//! Pins of `hvu` with so many lanes, among them those between a core and its load-store unit.

use super::{ID_BITS, LINE_IDS, MAX_LANES};
use crate::pins::{group, numbered, pins};

group! {
    /// From the load-store unit.
    MemoryIn() {
        /// the load-store unit takes the request
        mem_ready: bool,
        /// a load has come back; only while `line_ready`
        line_valid: bool,
        line_tag: u8 = 2,
        /// its IDs, the lower 24 bits of each word
        line_id: [u32; LINE_IDS] = numbered(LINE_IDS, ID_BITS),
    }
}

group! {
    /// To the load-store unit.
    MemoryOut() {
        /// a request; stays with all that belongs to it until `mem_ready`. `mem_write` is 0 while `mem_valid` is 0
        mem_valid: bool,
        mem_write: bool,
        /// line number; valid while `mem_valid`
        mem_line if mem_valid: u32 = 32,
        /// of a load; 0 in a store; valid while `mem_valid`
        mem_tag if mem_valid: u8 = 2,
        /// IDs in a store, from word 0 on; valid while `mem_write`
        mem_count if mem_write: u8 = 6,
        /// the line register is empty
        line_ready: bool,
        /// IDs of a store; those beyond `mem_count` are 0; valid while `mem_write`
        mem_id if mem_write: [u32; LINE_IDS] = numbered(LINE_IDS, ID_BITS),
    }
}

pins! {
    /// Inputs of `hvu`.
    HvuIn(lanes: usize) {
        /// set the mode; empties the rings. Comes only when `holds` is 0, and never with `init`, `swap` or `spill`
        configure: bool,
        double_buffer: bool,
        /// take `init_base` (line number: address / 128) and `init_lines` as the core's part of the overflow buffer;
        /// empties the rings. Comes only when the unit holds nothing, and never with `configure`, `swap` or `spill`. In
        /// double-buffer mode an odd last line is not used. After line 2^32 - 1 comes line 0
        init: bool,
        init_base: u32 = 32,
        init_lines: u16 = 16,
        /// the sides are exchanged at the end of this cycle (double-buffer mode). Comes only when `pull_busy` is 0 and no
        /// spill is in the holding register, and never with `spill`
        swap: bool,
        /// before the exchange. For `pull_busy` the unit also follows `configure` and `swap` itself
        pull_part: bool,
        /// lane i pushes `spill_id_i` and its bank is full; only while `push_ready`
        spill: u32 = lanes as u32,
        /// every bank's pull side has R + 2 or more free entries
        room: bool,
        /// a pull found its bank empty
        demand: bool,
        /// bit i from bank i
        fill_accepted: u32 = lanes as u32,
        memory: MemoryIn as "",
    }
    each (lanes) {
        /// from lane i
        spill_id: [u32; MAX_LANES] = ID_BITS,
    }
}

pins! {
    /// Outputs of `hvu`.
    HvuOut(lanes: usize) {
        /// the holding register is empty and no store of a partial line waits: spills are welcome
        push_ready: bool,
        /// spills of the cycle before the last did not fit into the overflow buffer. They are dropped, and the GPU raises
        /// an exception
        overflow: bool,
        /// to all banks
        reserve: bool,
        /// to bank i, reserved
        fill_push: u32 = lanes as u32,
        /// to bank i
        unreserve: u32 = lanes as u32,
        /// IDs of the pull side are in its ring, in a partial line that waits to be stored, in a returning line or in the
        /// line register (single-buffer mode: anywhere in the unit)
        pull_busy: bool,
        /// policy `demand`: a refill is wanted or in flight
        pending: bool,
        /// the unit has an ID: in the holding register, line buffer, rings, loads in flight or line register
        holds: bool,
        memory: MemoryOut as "",
    }
    each (lanes) {
        /// valid while `fill_push[i]`
        fill_id if fill_push: [u32; MAX_LANES] = ID_BITS,
    }
}
