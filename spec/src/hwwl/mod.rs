//! HWWL: hardware worklists (MICRO 2014).

pub mod parameters;
pub mod pins;
pub mod units;

pub use parameters::*;
pub use units::*;
