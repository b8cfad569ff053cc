//! Results of kernels, from PTX text on, against Rust's own arithmetic.

mod atomics;
mod barriers;
mod bits;
mod carries;
mod comparisons;
mod control;
mod conversions;
mod dispatch;
mod floats;
mod integers;
mod lane;
mod memory;
mod messages;
mod rounding;
mod runner;
mod warp_wide;
