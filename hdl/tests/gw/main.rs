//! The units of Graph-Waving against `docs/graph-waving.md`, in RustHDL's own simulation.

#[path = "../common/mod.rs"]
mod common;
mod fetch_arbiter;
mod instruction_storage;
mod warp_status_table;
