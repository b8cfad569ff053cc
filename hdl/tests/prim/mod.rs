//! The units that belong to no paper, in RustHDL's own simulation, and one that another crate adds.

mod fp32_add;
mod joined;
mod queue;
mod sorter;
mod sram_1r1w;
mod sram_1rw;
