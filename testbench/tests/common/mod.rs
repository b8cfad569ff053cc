//! What several tests need.

pub mod units;
pub mod wide_fifo;
