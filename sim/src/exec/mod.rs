//! What instructions do, without any notion of time.

pub mod atomic;
mod builtin;
mod compare;
mod convert;
pub mod device_heap;
pub mod effect;
pub mod execute;
pub mod fault;
mod float;
mod float_bits;
mod half;
mod int;
mod lanes;
pub mod memory;
pub mod output;
mod print;
mod print_float;
pub mod registers;
mod rounded;
mod scalar;
mod special;
mod state_space;
pub mod texture;
mod texture_access;
pub mod warp;
mod warp_wide;

pub use effect::{Access, AccessKind, Arrival, Control, Effect};
pub use execute::{execute, reduction, write_back, write_back_elements, Elements};
pub use fault::{Cause, Fault, MemoryAccess};
pub use memory::{AddressError, Memory};
pub use output::Printed;
pub use registers::Registers;
pub use scalar::execute_checked;
pub use warp::{Scratch, Spaces, WarpInfo};
