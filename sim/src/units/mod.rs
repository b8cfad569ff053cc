//! Behavioural models of the hardware units, written from the papers, never from the RTL.

pub mod bits;
pub mod gw;
pub mod hwwl;
pub mod iru;
mod past;
pub mod prim;

pub use spec::{parameter, pins};
