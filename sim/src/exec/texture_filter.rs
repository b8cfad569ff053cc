//! Linear filtering: weights of texels and their weighted sum, to the last bit as an NVIDIA GPU rounds them.

use super::float_bits::flush;
use super::rounded::of_half;
use super::texel::{sign_extended, ChannelKind};

/// Fractions and weights are in parts of this.
pub const ONE: u32 = 256;

/// Weights of the texels on both sides of a place along three axes, from the fractions of the way to the second side. Bit 0 of an
/// index is the side along x. The weights add up to [`ONE`].
///
/// A weight is shared out along z, then x, then y. Halves go to the sides that x and y name first and second.
pub fn weights([x, y, z]: [u32; 3]) -> [u32; 8] {
    let half_up = |parts: u32| (parts + ONE / 2) / ONE;
    let half_down = |parts: u32| (parts + ONE / 2 - 1) / ONE;
    let mut weights = [0; 8];
    for (plane, at) in [ONE - z, z].into_iter().zip([0, 4]) {
        let right = half_up(plane * x);
        let left = plane - right;
        let (left_up, right_up) = (half_down(left * y), half_up(right * y));
        weights[at..at + 4].copy_from_slice(&[left - left_up, right - right_up, left_up, right_up]);
    }
    weights
}

/// The sum of texels, each a word of so many bits, with these weights.
pub fn sum(kind: ChannelKind, bits: u8, texels: [u32; 8], weights: [u32; 8]) -> f32 {
    let integers = |value: fn(u32, u8) -> i64| -> i64 {
        texels.iter().zip(weights).map(|(texel, weight)| value(*texel, bits) * i64::from(weight)).sum()
    };
    match (kind, bits) {
        (_, 0) => 0.0,
        (ChannelKind::Float, 16) => of_floats(texels.map(|texel| of_half(texel.into()) as f32), weights, HALF),
        (ChannelKind::Float, _) => of_floats(texels.map(f32::from_bits), weights, SINGLE),
        (ChannelKind::Unsigned, 8) => unsigned(integers(|texel, _| i64::from(texel) * 257)),
        (ChannelKind::Unsigned, _) => unsigned(integers(|texel, _| i64::from(texel))),
        (ChannelKind::Signed, 8) => signed(wider(integers(|texel, bits| sign_extended(texel, bits).into()))),
        (ChannelKind::Signed, _) => signed(nearest(integers(|texel, bits| sign_extended(texel, bits).into()))),
    }
}

/// A sum in whole units, halves up.
fn nearest(sum: i64) -> i64 {
    let one = i64::from(ONE);
    (sum + one / 2).div_euclid(one)
}

/// From 0 to 1: the sum has 16 bits.
fn unsigned(sum: i64) -> f32 {
    (nearest(sum) as f64 / f64::from(u16::MAX)) as f32
}

/// From -1 to 1.
fn signed(sum: i64) -> f32 {
    (sum as f64 / f64::from(i16::MAX)).max(-1.0) as f32
}

/// A sum of signed bytes in units of 1/32767 instead of 1/127, by shifts and with three bits behind the point.
fn wider(sum: i64) -> i64 {
    ((sum << 3) + (sum >> 4) + (sum >> 12) + 4) >> 3
}

/// The form of numbers that texels are, and their sum is rounded to.
#[derive(Clone, Copy)]
struct Form {
    digits: i32,
    /// Numbers are multiples of 2 to the power of this. (Those of f32 that would not be are zeros.)
    least: i32,
    /// As an f32.
    nan: u32,
}
const SINGLE: Form = Form { digits: 24, least: i32::MIN / 2, nan: 0x7FFF_FFFF };
const HALF: Form = Form { digits: 11, least: -24, nan: 0x7FFF_E000 };

/// The sum of each plane along z is exact but for the alignment of its texels; the sum of both is rounded to nearest, halves away
/// from zero. Subnormal numbers are zeros.
fn of_floats(texels: [f32; 8], weights: [u32; 8], form: Form) -> f32 {
    let texels = texels.map(flush);
    if texels.iter().any(|texel| !texel.is_finite()) {
        let sum: f64 = texels.iter().zip(weights).map(|(texel, weight)| f64::from(*texel) * f64::from(weight)).sum();
        return if sum.is_nan() { f32::from_bits(form.nan) } else { sum as f32 };
    }
    let planes = [0, 4].map(|at| plane(&texels[at..at + 4], &weights[at..at + 4], form.digits + 4));
    let Some(unit) = planes.iter().flatten().map(|(_, unit)| unit - 1).max() else {
        let is_negative = texels.iter().zip(weights).all(|(texel, weight)| weight == 0 || texel.is_sign_negative());
        return if is_negative { -0.0 } else { 0.0 };
    };
    let sum: i64 =
        planes.iter().flatten().map(|(sum, of)| if *of > unit { sum << 1 } else { sum >> (unit - of).min(63) }).sum();
    let length = 64 - sum.unsigned_abs().leading_zeros() as i32;
    let extra = (length - form.digits).max(form.least - unit).clamp(0, 62);
    let rounded = (sum.unsigned_abs() + (1 << extra >> 1)) >> extra << extra;
    let magnitude = flush(libm::scalbn(rounded as f64, unit) as f32);
    if sum < 0 {
        -magnitude
    } else {
        magnitude
    }
}

/// The weighted sum of four texels in units of a power of two, and its exponent; `None` if all are zeros. Texels are aligned to the
/// one with the largest exponent, with so many bits kept.
fn plane(texels: &[f32], weights: &[u32], kept: i32) -> Option<(i64, i32)> {
    let counted = || {
        texels
            .iter()
            .zip(weights)
            .filter(|(texel, weight)| **weight > 0 && **texel != 0.0)
            .map(|(t, w)| (f64::from(*t), *w))
    };
    let unit = counted().map(|(texel, _)| libm::frexp(texel).1).max()? - kept;
    let sum = counted().map(|(texel, weight)| libm::scalbn(texel, -unit) as i64 * i64::from(weight)).sum();
    Some((sum, unit - ONE.ilog2() as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_shares_of_one() {
        for [x, y, z] in (0..64).flat_map(|i| (0..64).map(move |j| [i * 37 % ONE, j * 41 % ONE, (i + j) * 53 % ONE])) {
            let weights = weights([x, y, z]);
            assert_eq!(weights.iter().sum::<u32>(), ONE);
            for (corner, weight) in weights.into_iter().enumerate() {
                let share = |axis: usize, at: u32| if corner >> axis & 1 == 1 { at } else { ONE - at };
                let product = f64::from(share(0, x) * share(1, y) * share(2, z)) / f64::from(ONE * ONE);
                assert!((f64::from(weight) - product).abs() < 1.5, "{x} {y} {z}: {weights:?}");
            }
        }
    }

    /// With one and two axes: no texel on the far side of an axis that is not there.
    #[test]
    fn weights_along_an_axis_are_exact() {
        for x in 0..ONE {
            assert_eq!(weights([x, 0, 0]), [ONE - x, x, 0, 0, 0, 0, 0, 0]);
            assert_eq!(weights([0, x, 0]), [ONE - x, 0, x, 0, 0, 0, 0, 0]);
            assert_eq!(weights([0, 0, x]), [ONE - x, 0, 0, 0, x, 0, 0, 0]);
        }
    }
}
