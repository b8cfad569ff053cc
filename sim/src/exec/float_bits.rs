//! Floating-point numbers as registers hold them: NaN results in one fixed form, subnormals flushed, values saturated.

use crate::ptx::op::FloatModes;

/// The NaN that f32 arithmetic gives.
const NAN_F32: u32 = 0x7FFF_FFFF;
/// The NaN that f64 arithmetic gives when no operand is NaN.
pub const NAN_F64: u64 = 0xFFF8_0000_0000_0000;
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

/// Row of an f64 result; a NaN is the first NaN of the operands, made quiet.
#[inline(always)]
pub fn row_f64<const N: usize>(value: f64, operands: [u64; N]) -> u64 {
    if !value.is_nan() {
        return value.to_bits();
    }
    match operands.into_iter().find(|x| f64::from_bits(*x).is_nan()) {
        Some(nan) => nan | QUIET_F64,
        None => NAN_F64,
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
