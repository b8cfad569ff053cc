//! Arithmetic in half precision, of one number or of two in a register: rounded to nearest even, once. Every NaN is 0x7fff.

use super::float_bits::is_tiny;
use super::lanes::{Lanes, Row};
use super::rounded::{half_bits, half_row, of_half};
use crate::ptx::isa::Slot;
use crate::ptx::op::{FloatModes, FloatOp, FloatType, FloatUnaryOp, Operand, Rounding};
use rustc_apfloat::ieee::Half;
use rustc_apfloat::Float;

const NAN: u64 = 0x7FFF;
const SIGN: u64 = 0x8000;
/// The least exponent bit: numbers below it are subnormal.
const LEAST_NORMAL: u64 = 0x0400;

/// Row of a result that is known exactly and rounded, under `.ftz`.
fn flush_tiny(exact: f64, rounded: u64, ftz: bool) -> u64 {
    const BITS: u32 = 11;
    if ftz && is_tiny(exact, Rounding::Nearest, of_half(LEAST_NORMAL), BITS) {
        rounded & SIGN
    } else {
        rounded
    }
}

/// Sum of two numbers, as atomics compute it.
pub fn add(a: u64, b: u64) -> u64 {
    half_bits((number(a & 0xFFFF) + number(b & 0xFFFF)).value)
}

/// Sums of both numbers in two registers.
pub fn add_pairs(a: u64, b: u64) -> u64 {
    add(a, b) | add(a >> 16, b >> 16) << 16
}

fn flush(row: u64) -> u64 {
    match row & !SIGN {
        magnitude if magnitude < LEAST_NORMAL => row & SIGN,
        _ => row,
    }
}

/// To 0..=1; NaN gives +0.
fn saturate(row: u64) -> u64 {
    match of_half(row) {
        value if value > 0.0 => half_row(value.min(1.0), Rounding::Nearest),
        _ => 0,
    }
}

/// Applies a function to the bits of the numbers in each lane, under `.ftz` and `.sat`.
fn map<const N: usize>(
    lanes: &mut Lanes,
    ty: FloatType,
    modes: FloatModes,
    dst: Slot,
    operands: [Operand; N],
    f: impl Fn([u64; N]) -> u64,
) {
    let one = |x: [u64; N]| {
        let x = x.map(|row| if modes.ftz { flush(row & 0xFFFF) } else { row & 0xFFFF });
        let result = f(x);
        let result = if modes.ftz { flush(result) } else { result };
        if modes.saturate {
            saturate(result)
        } else {
            result
        }
    };
    lanes.map_each(dst, operands, |x| match ty {
        FloatType::F16x2 => one(x) | one(x.map(|row| row >> 16)) << 16,
        _ => one(x),
    });
}

fn number(row: u64) -> Half {
    Half::from_bits(row.into())
}

/// The smaller, or the larger; a NaN only if both are. -0 is less than +0.
fn choose(a: u64, b: u64, smaller: bool) -> u64 {
    let [x, y] = [a, b].map(of_half);
    let first = if smaller { x < y } else { x > y };
    let equal = x == y && (a & SIGN != 0) == smaller;
    match (x.is_nan(), y.is_nan()) {
        (true, true) => NAN,
        (false, true) => a,
        (true, false) => b,
        (false, false) if first || equal => a,
        _ => b,
    }
}

pub fn binary(lanes: &mut Lanes, op: FloatOp, ty: FloatType, modes: FloatModes, dst: Slot, operands: [Operand; 2]) {
    map(lanes, ty, modes, dst, operands, |[a, b]| match op {
        FloatOp::Add => half_bits((number(a) + number(b)).value),
        FloatOp::Sub => half_bits((number(a) - number(b)).value),
        FloatOp::Mul => flush_tiny(of_half(a) * of_half(b), half_bits((number(a) * number(b)).value), modes.ftz),
        FloatOp::Div | FloatOp::DivApprox => half_bits((number(a) / number(b)).value),
        FloatOp::Min | FloatOp::Max => choose(a, b, op == FloatOp::Min),
        FloatOp::CopySign => a & SIGN | b & !SIGN,
    });
}

pub fn fma(lanes: &mut Lanes, ty: FloatType, modes: FloatModes, dst: Slot, operands: [Operand; 3]) {
    map(lanes, ty, modes, dst, operands, |[a, b, c]| {
        // A subnormal sum is exact in f64: its parts have few digits, and either both are small or they cancel.
        let exact = of_half(a) * of_half(b) + of_half(c);
        flush_tiny(exact, half_bits(number(a).mul_add(number(b), number(c)).value), modes.ftz)
    });
}

/// Functions are computed in double precision and rounded.
pub fn unary(lanes: &mut Lanes, op: FloatUnaryOp, ty: FloatType, modes: FloatModes, dst: Slot, a: Operand) {
    let function = |f: fn(f64) -> f64, row| half_row(f(of_half(row)), Rounding::Nearest);
    map(lanes, ty, modes, dst, [a], |[x]| match op {
        FloatUnaryOp::Neg | FloatUnaryOp::Abs if of_half(x).is_nan() => NAN,
        FloatUnaryOp::Neg => x ^ SIGN,
        FloatUnaryOp::Abs => x & !SIGN,
        FloatUnaryOp::Sqrt => function(f64::sqrt, x),
        FloatUnaryOp::Rcp => function(f64::recip, x),
        FloatUnaryOp::Rsqrt => function(|x| 1.0 / x.sqrt(), x),
        FloatUnaryOp::Sin => function(libm::sin, x),
        FloatUnaryOp::Cos => function(libm::cos, x),
        FloatUnaryOp::Ex2 => function(libm::exp2, x),
        FloatUnaryOp::Lg2 => function(libm::log2, x),
        FloatUnaryOp::Tanh => function(libm::tanh, x),
    });
}

/// The numbers of one half of a row.
pub fn half_of(row: &Row, high: bool) -> Row {
    row.map(|bits| if high { bits >> 16 } else { bits } & 0xFFFF)
}
