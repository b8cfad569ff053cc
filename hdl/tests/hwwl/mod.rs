//! The units of HWWL against `docs/hwwl.md`, in RustHDL's own simulation.

mod bank;
mod edge_expander;
mod hvu;
mod hvu_bins;
#[allow(clippy::module_inception)] // A unit and its system may have one name.
mod hwwl;
mod hwwl_core;
mod icrn;
mod wru;
mod wru_global;
mod wru_serial;
mod wru_sorting;
mod wru_threshold;
