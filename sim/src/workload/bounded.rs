//! Numbers that a kernel computes with 32-bit floats: each operation gives the exact result, and how far the kernel's may be.
//!
//! An operation passes on the errors of its operands and rounds once, by at most 2^-24 of what it rounds: the simulator's
//! sums, products, quotients and square roots are those of IEEE 754, and its other functions are computed in f64 and
//! rounded. A fused product and sum rounds less often than the two that stand here, so the bound holds for both.

use super::check::Bounded;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Half a unit in the last place as a part of a value. The thousandth more covers what f64 itself rounds.
pub const ROUNDOFF: f64 = 1.001 / (1 << 24) as f64;
/// Half the least subnormal number, 2^-150.
const UNDERFLOW: f64 = f32::MIN_POSITIVE as f64 / (1u64 << 24) as f64;

impl Bounded {
    /// A float that the kernel gets as it is.
    pub fn exact(value: f32) -> Bounded {
        Bounded { value: f64::from(value), tolerance: 0.0 }
    }

    /// A number that a kernel has as the nearest float.
    pub fn nearest(value: f64) -> Bounded {
        Bounded::rounded(value, 0.0)
    }

    /// Result of operands that make this much difference, as the kernel rounds it.
    pub fn rounded(value: f64, inherited: f64) -> Bounded {
        Bounded { value, tolerance: inherited + ROUNDOFF * (value.abs() + inherited) + UNDERFLOW }
    }

    /// The root of a number whose error is smaller than itself.
    pub fn sqrt(self) -> Bounded {
        let root = self.value.sqrt();
        let least = (self.value - self.tolerance).sqrt();
        Bounded::rounded(root, self.tolerance / (root + least))
    }

    pub fn exp2(self) -> Bounded {
        let power = libm::exp2(self.value);
        Bounded::rounded(power, power * (libm::exp2(self.tolerance) - 1.0))
    }
}

impl Add for Bounded {
    type Output = Bounded;
    fn add(self, other: Bounded) -> Bounded {
        Bounded::rounded(self.value + other.value, self.tolerance + other.tolerance)
    }
}

impl Neg for Bounded {
    type Output = Bounded;
    fn neg(self) -> Bounded {
        Bounded { value: -self.value, ..self }
    }
}

impl Sub for Bounded {
    type Output = Bounded;
    fn sub(self, other: Bounded) -> Bounded {
        self + -other
    }
}

impl Mul for Bounded {
    type Output = Bounded;
    fn mul(self, other: Bounded) -> Bounded {
        let (a, b) = (self.value.abs() + self.tolerance, other.value.abs());
        Bounded::rounded(self.value * other.value, a * other.tolerance + b * self.tolerance)
    }
}

impl Div for Bounded {
    type Output = Bounded;
    /// By a number whose error is smaller than itself.
    fn div(self, other: Bounded) -> Bounded {
        let quotient = self.value / other.value;
        let inherited = self.tolerance + quotient.abs() * other.tolerance;
        Bounded::rounded(quotient, inherited / (other.value.abs() - other.tolerance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::inputs;

    /// A random walk through all operations, in f32 and with bounds: the former stays within the latter, and uses a good part.
    #[test]
    fn floats_stay_within_their_bounds() {
        let mut most: f64 = 0.0;
        for seed in 0..200 {
            let inputs = inputs::floats(10, seed, 0.5, 2.0);
            let (mut float, mut bounded) = (inputs[0], Bounded::exact(inputs[0]));
            for (i, &x) in inputs.iter().enumerate() {
                let y = Bounded::exact(x);
                (float, bounded) = match i % 5 {
                    0 => (float * x + x, bounded * y + y),
                    1 => (float / x, bounded / y),
                    2 => (float.sqrt(), bounded.sqrt()),
                    3 => (libm::exp2(f64::from(x - float)) as f32, (y - bounded).exp2()),
                    _ => (float * 0.7 - x, bounded * Bounded::nearest(0.7) - y),
                };
                if float <= 0.0 {
                    (float, bounded) = (x, y);
                }
                let error = (f64::from(float) - bounded.value).abs();
                assert!(error <= bounded.tolerance, "{seed} {i}: {float} {bounded:?}");
                assert!(bounded.tolerance < 1e-4 * (1.0 + bounded.value.abs()), "{seed} {i}: {float} {bounded:?}");
                most = most.max(error / bounded.tolerance);
            }
        }
        assert!(most > 0.3, "{most}");
    }
}
