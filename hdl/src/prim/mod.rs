//! Blocks that belong to no paper in particular.

pub mod all;
pub mod counter;
pub mod crossbar;
pub mod fp32_add;
mod fp32_format;
mod fp32_round;
pub mod link;
pub mod queue;
pub mod register;
pub mod sorter;
pub mod sorting_network;
pub mod sram_1r1w;
pub mod sram_1rw;
