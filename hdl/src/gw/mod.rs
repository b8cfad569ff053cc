//! Graph-Waving: Yilmazer-Metin, *Graph-Waving architecture: efficient execution of graph applications on GPUs*, JPDC 2021,
//! sections 6.1 to 6.3.
//!
//! `docs/graph-waving.md` says what these units do, cycle by cycle.

pub mod asked;
pub mod b32_arbiter;
pub mod b32_check;
pub mod b32_fetch;
pub mod b32_fills;
pub mod b32_front_end;
pub mod b32_issue;
pub mod b32_reader;
pub mod b32_scheduler;
pub mod b32_warps;
pub mod buffer_heads;
pub mod fetch_arbiter;
pub mod front_end;
pub mod gw_front_end;
pub mod instruction_buffer;
pub mod issue;
pub mod record;
pub mod round_robin_scheduler;
pub mod select;
pub mod storage_order;

/// Bits of a pc.
pub const PC_BITS: usize = 16;

/// Bits of a line: two instructions.
pub const LINE_BITS: usize = PC_BITS - 1;

/// Bits of a number of warps that give a reference back in one cycle.
pub const DROP_BITS: usize = 5;

/// Bits that number `count` things, at least 1.
pub const fn number_bits(count: usize) -> usize {
    match count {
        0..=2 => 1,
        _ => (count - 1).ilog2() as usize + 1,
    }
}

/// Bits of the number of an entry of the storage: way x sets + set. `sets` is a power of two.
pub const fn entry_bits(sets: usize, ways: usize) -> usize {
    sets.ilog2() as usize + number_bits(ways)
}
