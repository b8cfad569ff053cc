//! Units that all systems share.

pub mod pins;
pub mod units;

pub use units::*;
