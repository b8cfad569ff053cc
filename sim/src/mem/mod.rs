//! The memory system: when a request moves. What it reads or writes is `exec`'s.
//!
//! core -> [`crossbar`] -> [`l2_slice`] -> [`dram`] and back, or [`perfect`] in place of all that. Times are core cycles unless they say otherwise.

pub mod address;
pub mod cache;
pub mod clock;
pub mod crossbar;
pub mod dram;
pub mod l2_slice;
pub mod mshr;
pub mod perfect;
pub mod request;
pub mod system;
pub mod tags;
