//! Helpers of several tests.

pub mod units;
pub mod wide_fifo;
