//! Proves that RTL and model are equal: Verilator harness, lock-step, random legal stimulus, RTL inside the GPU.
//!
//! Comparisons and their times: see the crate's README.

// Only `bridge` calls into verilated models, each call with the reason why it is sound.
#![deny(unsafe_code, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod abc;
mod aig;
pub mod bridge;
pub mod bugs;
pub mod by_name;
pub mod campaign;
mod choices;
mod comparison;
pub mod cosim;
pub mod cpp;
pub mod error;
mod exhaust;
mod follower;
pub mod in_gpu;
pub mod input_log;
mod installation;
pub mod lockstep;
mod memory_files;
pub mod model_cache;
pub mod mutants;
pub mod pages;
pub mod places;
mod preprocess;
pub mod prove;
mod resting;
pub mod rtl;
mod shim;
mod source_line;
pub mod stimulus;
pub mod systems;
mod tally;
pub mod toggles;
mod tool;
pub mod trace;
pub mod trailing;
pub mod user_cosim;
pub mod user_unit;
pub mod user_verilog;
pub mod verilate;
pub mod waivers;
pub mod watch;
mod words;
mod yosys;

pub use error::{Error, Result};
