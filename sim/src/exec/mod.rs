//! What instructions do, without any notion of time.

pub mod atomic;
pub mod effect;
pub mod execute;
pub mod fault;
pub mod float;
pub mod memory;
pub mod registers;
pub mod warp;

pub use effect::{Access, AccessKind, AtomicOp, Effect};
pub use execute::{execute, write_back};
pub use fault::{Cause, Fault};
pub use memory::{AddressError, Memory};
pub use registers::Registers;
pub use warp::{Scratch, Spaces, WarpInfo};
