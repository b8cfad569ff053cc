//! IRU: Segura, Arnau, Gonzalez, *Irregular accesses reorder unit: improving GPGPU memory coalescing for graph-based
//! workloads*, section 3.
//!
//! `docs/iru.md` says what these units do, cycle by cycle.

pub mod bank_port;
pub mod beat;
mod bundler;
pub mod classifier;
pub mod data_replier;
mod distant;
pub mod element;
pub mod element_queue;
pub mod filter;
mod flight;
pub mod intake;
#[allow(clippy::module_inception)] // A unit and its system may have one name.
pub mod iru;
pub mod iru_hash;
pub mod iru_partition;
pub mod occupancy;
pub mod partition_state;
pub mod pick;
pub mod prefetcher;
pub mod priority;
pub mod reorder_bank;
pub mod replier_control;
pub mod reply_fifo;
pub mod request_port;
mod ring_link;
pub mod ring_stop;
pub mod route;
pub mod take;
mod token_link;
pub mod unit_state;
pub mod wide_bank;
pub mod wide_filter;
pub mod wide_intake;
pub mod wide_port;

/// Bits of an index (Table 1).
pub const INDEX_BITS: usize = 24;

/// Bits of a secondary value.
pub const SECONDARY_BITS: usize = 32;

/// Bits of a position in the arrays.
pub const POSITION_BITS: usize = 24;

/// Bits of an element without its position.
pub const VALUE_BITS: usize = INDEX_BITS + SECONDARY_BITS;

/// Bits of an element as a word: index, secondary value, position, the index on top.
pub const ELEMENT_BITS: usize = INDEX_BITS + SECONDARY_BITS + POSITION_BITS;

/// Bits of the address of an array that will be accessed.
pub const TARGET_BITS: usize = 39;

/// Elements of a sector of 32 bytes.
pub const GROUP: usize = 8;

/// Bits of an element's number in its group.
pub const NUMBER_BITS: usize = GROUP.ilog2() as usize;

/// Elements that a set holds.
pub const SLOTS: usize = 32;

/// Bits of the number of a slot.
pub const SLOT_BITS: usize = 5;

/// Bits of a request of the cores.
pub const REQUEST_BITS: usize = 16;

/// Cycles that one who goes second waits at most while others pass (3.2.2).
pub const CREDIT: u64 = 8;
