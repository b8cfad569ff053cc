//! A cycle-level GPU model that runs real CUDA kernels, with behavioural models of the hardware units.

pub mod config;
pub mod core;
pub mod exec;
pub mod gpu;
pub mod graph;
pub mod kernels;
pub mod mem;
pub mod number;
pub mod preset;
pub mod ptx;
pub mod reorder;
pub mod stats;
pub mod timeline;
pub mod unit;
pub mod units;
pub mod worklists;
pub mod workload;
