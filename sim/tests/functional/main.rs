//! What kernels compute, from PTX text on, against Rust's own arithmetic.

mod bits;
mod comparisons;
mod control;
mod conversions;
mod floats;
mod integers;
mod lane;
mod memory;
mod messages;
mod runner;
mod warp_wide;
