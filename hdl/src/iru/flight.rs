//! Flights of elements through a bank's filter: an element is in flight 1 a cycle after its set was read, and moves on by one
//! each cycle until it is written.

/// The flight that writes with the minimum.
pub const MINIMUM: usize = 3;

/// The flight that writes with the addition: the adder takes four cycles.
pub const ADDITION: usize = 6;

/// Flights whose sets are seen, before the one that ends next.
pub const EARLY: usize = ADDITION - 2;
