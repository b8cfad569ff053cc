//! Arithmetic rounded towards zero, down or up, which the processor's own instructions do not offer.

use super::float_bits::{f32_of, finish_f32, finish_f64, flush, is_tiny};
use super::fused::fma_to_odd;
use super::lanes::Lanes;
use crate::ptx::isa::Slot;
use crate::ptx::op::{FloatModes, FloatOp, FloatType, FloatUnaryOp, Operand, Rounding};
use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

/// The software's name of a rounding.
pub fn round(rounding: Rounding) -> Round {
    match rounding {
        Rounding::Nearest => Round::NearestTiesToEven,
        Rounding::Zero => Round::TowardZero,
        Rounding::Down => Round::TowardNegative,
        Rounding::Up => Round::TowardPositive,
    }
}

/// Row of an f16 that a value is rounded to; NaN is 0x7fff.
pub fn half_row(value: f64, rounding: Rounding) -> u64 {
    half_bits(Double::from_bits(value.to_bits().into()).convert_r(round(rounding), &mut false).value)
}

/// Row of an f16: every NaN is 0x7fff.
pub fn half_bits(half: Half) -> u64 {
    if half.is_nan() {
        0x7FFF
    } else {
        half.to_bits() as u64
    }
}

/// Row of the f16 that an integer is rounded to.
pub fn half_of_int(value: i128, rounding: Rounding) -> u64 {
    Half::from_i128_r(value, round(rounding)).value.to_bits() as u64
}

/// The exact value of an f16.
pub fn of_half(row: u64) -> f64 {
    let double: Double = Half::from_bits(u128::from(row as u16)).convert(&mut false).value;
    f64::from_bits(double.to_bits() as u64)
}

/// A result that no rounding makes subnormal.
const NORMAL: f64 = 1.0;

/// Applies a function to the numbers of each lane, under `.ftz` and `.sat`.
fn map<const N: usize>(
    lanes: &mut Lanes,
    ty: FloatType,
    modes: FloatModes,
    dst: Slot,
    operands: [Operand; N],
    single: impl Fn([Single; N], Round) -> Single,
    double: impl Fn([Double; N], Round) -> Double,
    // The result in single precision, with as many more bits as tell whether it is flushed.
    exact: impl Fn([f32; N]) -> f64,
) {
    let rounding = round(modes.rounding);
    lanes.map_each(dst, operands, |x| match ty {
        FloatType::F64 => {
            let value = f64::from_bits(double(x.map(|row| Double::from_bits(row.into())), rounding).to_bits() as u64);
            finish_f64(value, x, modes)
        }
        _ => {
            let x = x.map(f32_of).map(|value| if modes.ftz { flush(value) } else { value });
            let number = |value: f32| Single::from_bits(value.to_bits().into());
            let result = f32::from_bits(single(x.map(number), rounding).to_bits() as u32);
            let is_flushed =
                modes.ftz && is_tiny(exact(x), modes.rounding, f32::MIN_POSITIVE.into(), f32::MANTISSA_DIGITS);
            finish_f32(if is_flushed { 0f32.copysign(result) } else { result }, modes)
        }
    });
}

pub fn binary(lanes: &mut Lanes, op: FloatOp, ty: FloatType, modes: FloatModes, dst: Slot, operands: [Operand; 2]) {
    macro_rules! apply {
        ($method:ident, $exact:expr) => {{
            let double = |[a, b]: [Double; 2], r| a.$method(b, r).value;
            map(lanes, ty, modes, dst, operands, |[a, b], r| a.$method(b, r).value, double, $exact)
        }};
    }
    match op {
        FloatOp::Add => apply!(add_r, |_| NORMAL),
        FloatOp::Sub => apply!(sub_r, |_| NORMAL),
        FloatOp::Mul => apply!(mul_r, |[a, b]| f64::from(a) * f64::from(b)),
        FloatOp::Div | FloatOp::DivApprox => {
            let [a, b] = operands;
            // See `float::binary` for the order.
            let double = |[b, a]: [Double; 2], r| a.div_r(b, r).value;
            let exact = |[b, a]: [f32; 2]| f64::from(a) / f64::from(b);
            map(lanes, ty, modes, dst, [b, a], |[b, a], r| a.div_r(b, r).value, double, exact);
        }
        FloatOp::Min | FloatOp::Max | FloatOp::CopySign => unreachable!("nothing to round: the decoder refuses it"),
    }
}

pub fn fma(lanes: &mut Lanes, ty: FloatType, modes: FloatModes, dst: Slot, operands: [Operand; 3]) {
    let single = |[a, b, c]: [Single; 3], r| a.mul_add_r(b, c, r).value;
    let double = |[a, b, c]: [Double; 3], r| a.mul_add_r(b, c, r).value;
    map(lanes, ty, modes, dst, operands, single, double, |[a, b, c]| fma_to_odd(a, b, c));
}

/// `rcp` and `sqrt`.
pub fn unary(lanes: &mut Lanes, op: FloatUnaryOp, ty: FloatType, modes: FloatModes, dst: Slot, a: [Operand; 1]) {
    if op == FloatUnaryOp::Rcp {
        let one = |[x]: [Single; 1], r| Single::from_bits(1f32.to_bits().into()).div_r(x, r).value;
        let double = |[x]: [Double; 1], r| Double::from_bits(1f64.to_bits().into()).div_r(x, r).value;
        return map(lanes, ty, modes, dst, a, one, double, |[x]| 1.0 / f64::from(x));
    }
    lanes.map_each(dst, a, |[x]| match ty {
        FloatType::F64 => finish_f64(sqrt_f64(f64::from_bits(x), modes.rounding), [x], modes),
        _ => {
            let x = f32_of(x);
            finish_f32(sqrt_f32(if modes.ftz { flush(x) } else { x }, modes.rounding), modes)
        }
    });
}

/// The root rounded to nearest is at most one step from the others; whether it is too large or too small shows in its square, which
/// is exact in f64.
fn sqrt_f32(x: f32, rounding: Rounding) -> f32 {
    let root = x.sqrt();
    if !(root.is_finite() && root > 0.0) {
        return root;
    }
    let excess = f64::from(root) * f64::from(root) - f64::from(x);
    match rounding {
        Rounding::Zero | Rounding::Down if excess > 0.0 => root.next_down(),
        Rounding::Up if excess < 0.0 => root.next_up(),
        _ => root,
    }
}

/// The same, with a fused operation for the square; tiny numbers are scaled so that no bit of it is lost.
fn sqrt_f64(x: f64, rounding: Rounding) -> f64 {
    const TINY: f64 = 1e-250;
    const SCALE: f64 = (1u128 << 100) as f64;
    let root = x.sqrt();
    if !(root.is_finite() && root > 0.0) {
        return root;
    }
    if x < TINY {
        return sqrt_f64(x * SCALE * SCALE, rounding) / SCALE;
    }
    let excess = libm::fma(root, root, -x);
    match rounding {
        Rounding::Zero | Rounding::Down if excess > 0.0 => root.next_down(),
        Rounding::Up if excess < 0.0 => root.next_up(),
        _ => root,
    }
}
