//! The units that belong to no paper, in RustHDL's own simulation, and one that another crate adds.

mod counter;
mod crossbar;
mod fp32_add;
mod joined;
mod link;
mod queue;
mod sorter;
mod sorting_network;
mod sram_1r1w;
mod sram_1rw;
