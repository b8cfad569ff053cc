//! IRU: the irregular accesses reorder unit (Segura, Arnau, Gonzalez, section 3).

pub mod element;
pub mod parameters;
pub mod pins;
pub mod units;

pub use parameters::*;
pub use units::*;
