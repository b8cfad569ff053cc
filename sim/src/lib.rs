//! A cycle-level GPU model that runs real CUDA kernels, with behavioural models of the hardware units.

pub mod exec;
pub mod graph;
pub mod kernels;
pub mod ptx;
pub mod unit;
pub mod units;
