//! Kernels of the user's own, with units of the user's own, as runs of a sweep.

mod check;
pub mod entry;
mod loaded;

pub use loaded::Loaded;
