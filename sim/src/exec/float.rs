//! Floating-point arithmetic as the hardware does it: IEEE 754, round to nearest even, and NaN results in one fixed form.

/// The NaN that f32 arithmetic gives.
pub const NAN_F32: u32 = 0x7FFF_FFFF;
/// The NaN that f64 arithmetic gives when no operand is NaN.
pub const NAN_F64: u64 = 0xFFF8_0000_0000_0000;
const QUIET_F64: u64 = 0x0008_0000_0000_0000;

/// An f32 result, with NaN in its canonical form.
#[inline(always)]
pub fn canonical(value: f32) -> f32 {
    if value.is_nan() {
        f32::from_bits(NAN_F32)
    } else {
        value
    }
}

pub fn add_f32(a: f32, b: f32) -> f32 {
    canonical(a + b)
}

/// An f64 result; a NaN is the first NaN of the operands, made quiet.
#[inline(always)]
pub fn propagate(value: f64, operands: &[f64]) -> f64 {
    if !value.is_nan() {
        return value;
    }
    match operands.iter().find(|x| x.is_nan()) {
        Some(nan) => f64::from_bits(nan.to_bits() | QUIET_F64),
        None => f64::from_bits(NAN_F64),
    }
}
