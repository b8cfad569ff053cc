//! Floating-point arithmetic as the hardware does it: IEEE 754, round to nearest even, and NaN results in one fixed form. What is not in
//! half precision ([`super::half`]) nor in double precision is in single.

use super::float_bits::{f32_of, finish_f32, finish_f64, flush, flush_exact, nan_of, row_f32, row_f64};
use super::fused::{fma_f32, fma_to_odd};
use super::lanes::Lanes;
use super::{half, rounded};
use crate::ptx::isa::Slot;
use crate::ptx::op::{FloatModes, FloatOp, FloatProperty, FloatType, FloatUnaryOp, Operand, Rounding};

/// Row of an f32 sum, as atomics compute it.
pub fn add_f32(a: u64, b: u64) -> u64 {
    row_f32(f32_of(a) + f32_of(b))
}

/// Row of an f32 sum with subnormal numbers as zeros.
pub fn add_flushed(a: u64, b: u64) -> u64 {
    row_f32(flush(flush(f32_of(a)) + flush(f32_of(b))))
}

/// Row of an f64 sum, as atomics compute it.
pub fn add_f64(a: u64, b: u64) -> u64 {
    row_f64(f64::from_bits(a) + f64::from_bits(b), [a, b])
}

/// The same, but a NaN stays as it is.
pub fn add_unquiet(a: u64, b: u64) -> u64 {
    nan_of([a, b]).unwrap_or_else(|| add_f64(a, b))
}

macro_rules! min_and_max {
    ($float:ident, $min:ident, $max:ident) => {
        /// The smaller; a NaN only if both are. -0 is less than +0.
        #[inline(always)]
        fn $min(a: $float, b: $float) -> $float {
            if a < b || b.is_nan() || (a == b && a.is_sign_negative()) {
                a
            } else {
                b
            }
        }

        /// The larger, likewise.
        #[inline(always)]
        fn $max(a: $float, b: $float) -> $float {
            if a > b || b.is_nan() || (a == b && a.is_sign_positive()) {
                a
            } else {
                b
            }
        }
    };
}

min_and_max!(f32, min_f32, max_f32);
min_and_max!(f64, min_f64, max_f64);

#[inline(always)]
fn map_f32<const N: usize>(
    lanes: &mut Lanes,
    modes: FloatModes,
    dst: Slot,
    operands: [Operand; N],
    f: impl Fn([f32; N]) -> f32,
) {
    if modes == FloatModes::default() {
        lanes.map(dst, operands, |x| row_f32(f(x.map(f32_of))));
        return;
    }
    lanes.map(dst, operands, |x| {
        let x = x.map(f32_of);
        finish_f32(f(if modes.ftz { x.map(flush) } else { x }), modes)
    });
}

#[inline(always)]
fn map_f64<const N: usize>(
    lanes: &mut Lanes,
    modes: FloatModes,
    dst: Slot,
    operands: [Operand; N],
    f: impl Fn([f64; N]) -> f64,
) {
    lanes.map(dst, operands, |x| finish_f64(f(x.map(f64::from_bits)), x, modes));
}

/// `div.approx` multiplies by a reciprocal, which is zero beyond 2^126 (PTX ISA, `div`).
fn divide_approximately(a: f32, b: f32) -> f32 {
    const MOST: f32 = (1u128 << 126) as f32;
    if b.abs() > MOST {
        a * 0f32.copysign(b)
    } else {
        a / b
    }
}

pub fn binary(lanes: &mut Lanes, op: FloatOp, ty: FloatType, modes: FloatModes, dst: Slot, a: Operand, b: Operand) {
    if ty.is_half() {
        return half::binary(lanes, op, ty, modes, dst, [a, b]);
    }
    if modes.rounding != Rounding::Nearest {
        return rounded::binary(lanes, op, ty, modes, dst, [a, b]);
    }
    match ty {
        FloatType::F64 => match op {
            FloatOp::Add => map_f64(lanes, modes, dst, [a, b], |[a, b]| a + b),
            FloatOp::Sub => map_f64(lanes, modes, dst, [a, b], |[a, b]| a - b),
            FloatOp::Mul => map_f64(lanes, modes, dst, [a, b], |[a, b]| a * b),
            // The GPU divides with a program, which prefers the other NaN.
            FloatOp::Div | FloatOp::DivApprox => map_f64(lanes, modes, dst, [b, a], |[b, a]| a / b),
            FloatOp::Min => map_f64(lanes, modes, dst, [a, b], |[a, b]| min_f64(a, b)),
            FloatOp::Max => map_f64(lanes, modes, dst, [a, b], |[a, b]| max_f64(a, b)),
            FloatOp::CopySign => lanes.map(dst, [a, b], |[a, b]| (a & 1 << 63) | (b & !(1 << 63))),
        },
        _ => match op {
            FloatOp::Add => map_f32(lanes, modes, dst, [a, b], |[a, b]| a + b),
            FloatOp::Sub => map_f32(lanes, modes, dst, [a, b], |[a, b]| a - b),
            FloatOp::Mul if modes.ftz => {
                map_f32(lanes, modes, dst, [a, b], |[a, b]| flush_exact(f64::from(a) * f64::from(b)));
            }
            FloatOp::Mul => map_f32(lanes, modes, dst, [a, b], |[a, b]| a * b),
            FloatOp::Div => map_f32(lanes, modes, dst, [a, b], |[a, b]| a / b),
            FloatOp::DivApprox => map_f32(lanes, modes, dst, [a, b], |[a, b]| divide_approximately(a, b)),
            FloatOp::Min => map_f32(lanes, modes, dst, [a, b], |[a, b]| min_f32(a, b)),
            FloatOp::Max => map_f32(lanes, modes, dst, [a, b], |[a, b]| max_f32(a, b)),
            FloatOp::CopySign => lanes.map(dst, [a, b], |[a, b]| (a & 1 << 31) | (b & 0x7FFF_FFFF)),
        },
    }
}

pub fn fma(lanes: &mut Lanes, ty: FloatType, modes: FloatModes, dst: Slot, operands: [Operand; 3]) {
    if ty.is_half() {
        return half::fma(lanes, ty, modes, dst, operands);
    }
    if modes.rounding != Rounding::Nearest {
        return rounded::fma(lanes, ty, modes, dst, operands);
    }
    match ty {
        FloatType::F64 => map_f64(lanes, modes, dst, operands, |[a, b, c]| libm::fma(a, b, c)),
        _ if modes.ftz => map_f32(lanes, modes, dst, operands, |[a, b, c]| flush_exact(fma_to_odd(a, b, c))),
        _ => map_f32(lanes, modes, dst, operands, |[a, b, c]| fma_f32(a, b, c)),
    }
}

pub fn unary(lanes: &mut Lanes, op: FloatUnaryOp, ty: FloatType, modes: FloatModes, dst: Slot, a: Operand) {
    if ty.is_half() {
        return half::unary(lanes, op, ty, modes, dst, a);
    }
    if modes.rounding != Rounding::Nearest {
        return rounded::unary(lanes, op, ty, modes, dst, [a]);
    }
    match ty {
        FloatType::F64 => unary_f64(lanes, op, modes, dst, [a]),
        _ => unary_f32(lanes, op, modes, dst, [a]),
    }
}

/// f32 functions other than division and square root are computed in f64 and rounded: closer than the hardware, and, with
/// the functions of `libm`, the same on every machine.
fn unary_f32(lanes: &mut Lanes, op: FloatUnaryOp, modes: FloatModes, dst: Slot, a: [Operand; 1]) {
    let transcendental = |lanes: &mut Lanes, f: fn(f64) -> f64| {
        lanes.map_each(dst, a, |[x]| {
            let x = if modes.ftz { flush(f32_of(x)) } else { f32_of(x) };
            finish_f32(f(f64::from(x)) as f32, modes)
        });
    };
    match op {
        FloatUnaryOp::Neg => map_f32(lanes, modes, dst, a, |[x]| -x),
        FloatUnaryOp::Abs => map_f32(lanes, modes, dst, a, |[x]| x.abs()),
        FloatUnaryOp::Sqrt => map_f32(lanes, modes, dst, a, |[x]| x.sqrt()),
        FloatUnaryOp::Rcp => map_f32(lanes, modes, dst, a, |[x]| 1.0 / x),
        FloatUnaryOp::Rsqrt => transcendental(lanes, |x| 1.0 / x.sqrt()),
        FloatUnaryOp::Sin => transcendental(lanes, libm::sin),
        FloatUnaryOp::Cos => transcendental(lanes, libm::cos),
        FloatUnaryOp::Ex2 => transcendental(lanes, libm::exp2),
        FloatUnaryOp::Lg2 => transcendental(lanes, libm::log2),
        FloatUnaryOp::Tanh => transcendental(lanes, libm::tanh),
    }
}

fn unary_f64(lanes: &mut Lanes, op: FloatUnaryOp, modes: FloatModes, dst: Slot, a: [Operand; 1]) {
    match op {
        // The sign of a NaN stays.
        FloatUnaryOp::Neg => map_f64(lanes, modes, dst, a, |[x]| -x),
        FloatUnaryOp::Abs => map_f64(lanes, modes, dst, a, |[x]| x.abs()),
        FloatUnaryOp::Rcp if modes.ftz => map_gross(lanes, dst, a, |x| 1.0 / x),
        FloatUnaryOp::Rsqrt if modes.ftz => map_gross(lanes, dst, a, |x| 1.0 / x.sqrt()),
        FloatUnaryOp::Sqrt => map_f64(lanes, modes, dst, a, |[x]| x.sqrt()),
        FloatUnaryOp::Rcp => map_f64(lanes, modes, dst, a, |[x]| 1.0 / x),
        FloatUnaryOp::Rsqrt => map_f64(lanes, modes, dst, a, |[x]| 1.0 / x.sqrt()),
        FloatUnaryOp::Sin => map_f64(lanes, modes, dst, a, |[x]| libm::sin(x)),
        FloatUnaryOp::Cos => map_f64(lanes, modes, dst, a, |[x]| libm::cos(x)),
        FloatUnaryOp::Ex2 => map_f64(lanes, modes, dst, a, |[x]| libm::exp2(x)),
        FloatUnaryOp::Lg2 => map_f64(lanes, modes, dst, a, |[x]| libm::log2(x)),
        FloatUnaryOp::Tanh => map_f64(lanes, modes, dst, a, |[x]| libm::tanh(x)),
    }
}

/// A function of the upper words of f64 numbers, cut to such a word (`rcp.approx.ftz.f64`).
fn map_gross(lanes: &mut Lanes, dst: Slot, a: [Operand; 1], f: fn(f64) -> f64) {
    const UPPER: u64 = !0 << 32;
    const NAN: u64 = 0x7FFF_FFFF << 32;
    let flush = |value: f64| if value.is_subnormal() { 0f64.copysign(value) } else { value };
    lanes.map(dst, a, |[x]| {
        let value = flush(f(flush(f64::from_bits(x & UPPER))));
        if value.is_nan() {
            NAN
        } else {
            value.to_bits() & UPPER
        }
    });
}

/// `testp`
pub fn test_property(lanes: &mut Lanes, property: FloatProperty, ty: FloatType, dst: Slot, a: Operand) {
    use std::num::FpCategory;
    let row = lanes.row(a);
    let holds = lanes.mask_of(|lane| {
        let category = match ty {
            FloatType::F64 => f64::from_bits(row[lane]).classify(),
            _ => f32_of(row[lane]).classify(),
        };
        match property {
            FloatProperty::Finite => !matches!(category, FpCategory::Nan | FpCategory::Infinite),
            FloatProperty::Infinite => category == FpCategory::Infinite,
            FloatProperty::Number => category != FpCategory::Nan,
            FloatProperty::NotANumber => category == FpCategory::Nan,
            // Zero counts as normal.
            FloatProperty::Normal => matches!(category, FpCategory::Normal | FpCategory::Zero),
            FloatProperty::Subnormal => category == FpCategory::Subnormal,
        }
    });
    lanes.write_predicate(dst, holds);
}
