//! From RustHDL blocks to readable Verilog, area and timing.

mod build;
mod check;
mod connect;
pub mod elaborate;
mod error;
pub mod ir;
mod lower;
mod merge;
mod names;
mod print;
mod register;
mod walk;

pub use elaborate::{elaborate, elaborate_all, Design, Verilog};
pub use error::{Error, Result};
