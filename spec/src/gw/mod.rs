//! Graph-Waving: the front end of a SIMD processor of narrow warps (Yilmazer-Metin, sections 6.1 to 6.3).

pub mod parameters;
pub mod pins;
pub mod units;

pub use parameters::*;
pub use units::*;
