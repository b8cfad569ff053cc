//! A cycle-level GPU model that runs real CUDA kernels, with behavioural models of the hardware units.

#![forbid(unsafe_code)]

pub mod attach;
pub mod config;
pub mod core;
pub mod exec;
pub mod gpu;
pub mod graph;
mod host;
pub mod kernels;
pub mod launch;
pub mod mem;
pub mod microbench;
pub mod number;
pub mod preset;
pub mod ptx;
pub mod stats;
pub mod unit;
pub mod units;
pub mod workload;
