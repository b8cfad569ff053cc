//! From RustHDL blocks to readable Verilog, area and timing.

#![forbid(unsafe_code)]

mod boundary;
mod budget;
pub mod buffer;
mod build;
mod check;
mod connect;
pub mod digest;
pub mod elaborate;
mod error;
mod exceptions;
pub mod fo4;
pub mod fpga;
mod function;
pub mod layout;
pub mod liberty;
mod logic;
mod lower;
mod macros;
mod manifest;
pub mod memory_area;
mod merge;
mod names;
mod netlist;
pub mod order;
pub mod output;
pub mod parameters;
pub mod report;
pub mod rules;
pub mod sdc;
mod select;
pub mod sram;
pub mod storage;
pub mod synth;
pub mod table;
pub mod target;
pub mod text;
pub mod timing;
pub mod tool;
mod vector;
mod walk;
mod wrapper;

pub use elaborate::{elaborate, elaborate_all, elaborate_beside, Design, Verilog};
pub use error::{Error, Result};
pub use verilog::names::is_keyword;
pub use verilog::tree::{Direction, Memory, Port};
