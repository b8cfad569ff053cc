//! The units of HWWL against `docs/hwwl.md`, in RustHDL's own simulation.

mod bank;
#[path = "../common/mod.rs"]
mod common;
mod hvu;
mod hvu_bins;
mod hwwl;
mod hwwl_core;
mod icrn;
mod wru;
mod wru_global;
mod wru_sorting;
mod wru_threshold;
