//! A cycle-level GPU model that runs real CUDA kernels, with behavioural models of the hardware units.

pub mod graph;
pub mod unit;
pub mod units;
