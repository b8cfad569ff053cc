//! Units that all systems share.

pub mod parameters;
pub mod pins;
pub mod units;

pub use parameters::*;
pub use units::*;
