//! The fields of a binary32 number, and of a sum before it is rounded.

/// Bits of a significand, the hidden one included.
pub(super) const SIGNIFICAND: usize = 24;

/// Bits of a fraction.
pub(super) const FRACTION: usize = SIGNIFICAND - 1;

/// Bits of the sum: carry, significand, guard, round, sticky.
pub(super) const SUM: usize = SIGNIFICAND + 4;

/// Bits of an exponent.
pub(super) const EXPONENT: usize = 8;
