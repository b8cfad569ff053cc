//! Blocks that belong to no paper in particular.

pub mod counter;
pub mod crossbar;
pub mod register;
pub mod sorter;
pub mod sorting_network;
pub mod sram_1rw;
