//! The units of Unruly as RustHDL blocks: what becomes silicon.
//!
//! [`catalog`] lists every unit with its parameters and elaborates it. `prim` holds blocks that belong to no paper in
//! particular, the other modules are one paper each. Blocks are written as *kernels* (`#[hdl_gen]`, for
//! control), as *networks* ([`circuit`], for structure whose shape depends on parameters) or, where a parent only connects,
//! as [`circuit::wiring`].

#![forbid(unsafe_code)]

pub mod catalog;
pub mod gw;
pub mod hwwl;
pub mod iru;
pub mod prim;

pub use circuit;
pub use circuit::{kernel, network, signal_name, unconnected, wire, wire_bits, wire_groups, wired};
