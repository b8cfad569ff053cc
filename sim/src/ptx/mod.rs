//! From PTX text to decoded kernels.
//!
//! `lexer` → `parser` → `symbols` and `module` → `decode` (with `control_flow`, `liveness`, `divergence`, `promises` and `scalar`) →
//! [`program::Program`]. A PTX instruction becomes one [`instr::Instr`], so that instruction counts mean what they mean elsewhere.

pub mod address_map;
mod ast;
pub(crate) mod control_flow;
pub(crate) mod counts;
mod dataflow;
mod decode;
mod divergence;
pub mod error;
pub mod instr;
pub mod isa;
mod lexer;
mod liveness;
pub mod loops;
pub mod module;
pub mod op;
mod parser;
pub mod program;
mod promises;
pub mod scalar;
mod symbols;
pub mod system_op;

pub use error::PtxError;
pub use module::Module;
