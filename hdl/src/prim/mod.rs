//! Blocks that belong to no paper in particular.

pub mod register;
pub mod sram_1rw;
