//! Floating-point numbers as registers hold them: NaN results in one fixed form, subnormals flushed, values saturated.

use crate::ptx::op::{FloatModes, Rounding};

/// The NaN that f32 arithmetic gives.
const NAN_F32: u32 = 0x7FFF_FFFF;
/// The NaN that f64 arithmetic gives when no operand is NaN.
const NAN_F64: u64 = 0xFFF8_0000_0000_0000;
const QUIET_F64: u64 = 0x0008_0000_0000_0000;

/// The f32 in a row.
#[inline(always)]
pub fn f32_of(row: u64) -> f32 {
    f32::from_bits(row as u32)
}

/// Row of an f32 result, NaN in its canonical form.
#[inline(always)]
pub fn row_f32(value: f32) -> u64 {
    u64::from(if value.is_nan() { NAN_F32 } else { value.to_bits() })
}

/// Row of an f64 result; a NaN is that of the second operand, else of the third, else of the first, made quiet.
#[inline(always)]
pub fn row_f64<const N: usize>(value: f64, operands: [u64; N]) -> u64 {
    if value.is_nan() {
        nan_of(operands).map_or(NAN_F64, quiet)
    } else {
        value.to_bits()
    }
}

/// The NaN that a result takes over from its operands.
pub fn nan_of<const N: usize>(mut operands: [u64; N]) -> Option<u64> {
    operands.rotate_left(1);
    operands.into_iter().find(|x| f64::from_bits(*x).is_nan())
}

/// Makes a NaN quiet.
pub fn quiet(nan: u64) -> u64 {
    nan | QUIET_F64
}

/// An exact result, rounded to the nearest f32 under `.ftz`.
#[inline(always)]
pub fn flush_exact(exact: f64) -> f32 {
    if is_tiny(exact, Rounding::Nearest, f32::MIN_POSITIVE.into(), f32::MANTISSA_DIGITS) {
        0f32.copysign(exact as f32)
    } else {
        exact as f32
    }
}

/// An exact result is flushed: rounded to so many bits, with exponents of any size, it is less than the least normal
/// number.
#[inline(always)]
pub fn is_tiny(exact: f64, rounding: Rounding, least: f64, bits: u32) -> bool {
    // From the least normal number down to the number of so many bits before it.
    let step = least / (1u64 << bits) as f64;
    let is_away = match rounding {
        Rounding::Nearest => return exact.abs() < least - step / 2.0,
        Rounding::Zero => false,
        Rounding::Down => exact < 0.0,
        Rounding::Up => exact > 0.0,
    };
    if is_away {
        exact.abs() <= least - step
    } else {
        exact.abs() < least
    }
}

/// Subnormal numbers to zero of the same sign.
#[inline(always)]
pub fn flush(value: f32) -> f32 {
    if value.abs() < f32::MIN_POSITIVE {
        f32::from_bits(value.to_bits() & 1 << 31)
    } else {
        value
    }
}

/// Row of an f32 result under `.ftz` and `.sat`; the latter makes NaN +0.
#[inline(always)]
pub fn finish_f32(value: f32, modes: FloatModes) -> u64 {
    let value = if modes.ftz { flush(value) } else { value };
    row_f32(if modes.saturate { saturate_f32(value) } else { value })
}

#[inline(always)]
fn saturate_f32(value: f32) -> f32 {
    // Written so that NaN and -0 give +0.
    if value > 0.0 {
        value.min(1.0)
    } else {
        0.0
    }
}

/// To 0..=1; NaN gives +0.
#[inline(always)]
pub fn saturate_f64(value: f64) -> f64 {
    if value > 0.0 {
        value.min(1.0)
    } else {
        0.0
    }
}

/// Row of an f64 result under `.sat`; see [`row_f64`] for the operands.
#[inline(always)]
pub fn finish_f64<const N: usize>(value: f64, operands: [u64; N], modes: FloatModes) -> u64 {
    if modes.saturate {
        saturate_f64(value).to_bits()
    } else {
        row_f64(value, operands)
    }
}
