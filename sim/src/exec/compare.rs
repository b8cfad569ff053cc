//! Comparisons and selection.

use super::float_bits::flush;
use super::half::half_of;
use super::int::{with_int, Int};
use super::lanes::{Lanes, Row};
use super::rounded::of_half;
use crate::ptx::isa::Slot;
use crate::ptx::op::{BoolOp, Compare, Comparison, FloatType, IntType, Numeric, Operand, Predicate, SetResult};

/// Lanes in which the comparison holds, before it is combined.
fn holds(lanes: &Lanes, compare: &Compare) -> u32 {
    let (a, b) = (lanes.row(compare.a), lanes.row(compare.b));
    match compare.ty {
        Numeric::Int(ty) => with_int!(ty, T => compare_rows(lanes, a, b, compare.comparison, T::of, |_| false)),
        Numeric::Float(FloatType::F32) if compare.ftz => {
            compare_rows(lanes, a, b, compare.comparison, |x| flush(f32::from_bits(x as u32)), |x| x.is_nan())
        }
        Numeric::Float(FloatType::F32) => {
            compare_rows(lanes, a, b, compare.comparison, |x| f32::from_bits(x as u32), |x| x.is_nan())
        }
        Numeric::Float(FloatType::F16 | FloatType::F16x2) => compare_halves(lanes, compare, false),
        Numeric::Float(FloatType::F64) => compare_rows(lanes, a, b, compare.comparison, f64::from_bits, |x| x.is_nan()),
    }
}

/// A comparison in half precision: of the low halves of the registers or the high ones.
fn compare_halves(lanes: &Lanes, compare: &Compare, high: bool) -> u32 {
    let [a, b] = [compare.a, compare.b].map(|operand| half_of(lanes.row(operand), high));
    compare_rows(lanes, &a, &b, compare.comparison, of_half, |x| x.is_nan())
}

fn compare_rows<T: PartialOrd + Copy>(
    lanes: &Lanes,
    a: &Row,
    b: &Row,
    comparison: Comparison,
    of: impl Fn(u64) -> T,
    is_nan: impl Fn(T) -> bool,
) -> u32 {
    let unordered = |x: T, y: T| is_nan(x) || is_nan(y);
    macro_rules! each {
        ($test:expr) => {
            lanes.mask_of(|lane| $test(of(a[lane]), of(b[lane])))
        };
    }
    match comparison {
        Comparison::Eq => each!(|x, y| x == y),
        // Unlike Rust's, the ordered `ne` is false for NaN.
        Comparison::Ne => each!(|x, y| x != y && !unordered(x, y)),
        Comparison::Lt => each!(|x, y| x < y),
        Comparison::Le => each!(|x, y| x <= y),
        Comparison::Gt => each!(|x, y| x > y),
        Comparison::Ge => each!(|x, y| x >= y),
        Comparison::EqU => each!(|x, y| x == y || unordered(x, y)),
        Comparison::NeU => each!(|x, y| x != y),
        Comparison::LtU => each!(|x, y| x < y || unordered(x, y)),
        Comparison::LeU => each!(|x, y| x <= y || unordered(x, y)),
        Comparison::GtU => each!(|x, y| x > y || unordered(x, y)),
        Comparison::GeU => each!(|x, y| x >= y || unordered(x, y)),
        Comparison::Num => each!(|x, y| !unordered(x, y)),
        Comparison::Nan => each!(unordered),
    }
}

pub fn logic(op: BoolOp, a: u32, b: u32) -> u32 {
    match op {
        BoolOp::And => a & b,
        BoolOp::Or => a | b,
        BoolOp::Xor => a ^ b,
    }
}

fn combined(lanes: &Lanes, compare: &Compare, holds: u32) -> u32 {
    match compare.combine {
        Some((op, predicate)) => logic(op, holds, lanes.predicate(predicate)),
        None => holds,
    }
}

pub fn setp(lanes: &mut Lanes, compare: &Compare, dst: Slot, complement: Option<Slot>) {
    let holds = holds(lanes, compare);
    // The second destination takes the complement of the comparison, combined in the same way; of pairs the comparison of the high
    // halves.
    let other = match compare.ty {
        Numeric::Float(FloatType::F16x2) => compare_halves(lanes, compare, true),
        _ => !holds,
    };
    let second = complement.map(|slot| (slot, combined(lanes, compare, other)));
    let first = combined(lanes, compare, holds);
    lanes.write_predicate(dst, first);
    if let Some((slot, values)) = second {
        lanes.write_predicate(slot, values);
    }
}

fn select(lanes: &mut Lanes, dst: Slot, a: Operand, b: Operand, choice: u32) {
    let (rows_a, rows_b) = (lanes.row(a), lanes.row(b));
    let out = std::array::from_fn(|lane| if choice >> lane & 1 == 1 { rows_a[lane] } else { rows_b[lane] });
    lanes.write(dst, &out);
}

pub fn set(lanes: &mut Lanes, compare: &Compare, result: SetResult, dst: Slot) {
    let values = combined(lanes, compare, holds(lanes, compare));
    let truth = match result {
        SetResult::Ones32 => u64::from(u32::MAX),
        SetResult::One => u64::from(1f32.to_bits()),
    };
    let out = std::array::from_fn(|lane| if values >> lane & 1 == 1 { truth } else { 0 });
    lanes.write(dst, &out);
}

pub fn selp(lanes: &mut Lanes, dst: Slot, a: Operand, b: Operand, choice: Predicate) {
    let choice = lanes.predicate(choice);
    select(lanes, dst, a, b, choice);
}

pub fn slct(lanes: &mut Lanes, dst: Slot, [a, b, c]: [Operand; 3], by: Numeric, ftz: bool) {
    let selector = lanes.row(c);
    let choice = lanes.mask_of(|lane| match by {
        Numeric::Int(_) => selector[lane] as i32 >= 0,
        Numeric::Float(_) => {
            let value = f32::from_bits(selector[lane] as u32);
            (if ftz { flush(value) } else { value }) >= 0.0
        }
    });
    select(lanes, dst, a, b, choice);
}
