//! Rounding towards zero, down and up, against the definition: the result and its neighbour enclose the exact value, which is
//! computed with integers of any size.

use num_bigint::BigInt;
use proptest::prelude::*;
use std::cmp::Ordering;

use super::lane::{f32_of, f32s, f64s, run, run_once, Row};

/// `mantissa * 2^exponent`
#[derive(Clone, Debug)]
struct Exact {
    mantissa: BigInt,
    exponent: i64,
}

impl Exact {
    /// The value of a finite number.
    fn of(value: f64) -> Self {
        let bits = value.to_bits();
        let (field, fraction) = (bits >> 52 & 0x7FF, bits & ((1 << 52) - 1));
        let magnitude = if field == 0 { fraction } else { fraction | 1 << 52 };
        let mantissa = BigInt::from(magnitude) * if value.is_sign_negative() { -1 } else { 1 };
        Exact { mantissa, exponent: field.max(1) as i64 - 1075 }
    }

    fn times(&self, other: &Self) -> Self {
        Exact { mantissa: &self.mantissa * &other.mantissa, exponent: self.exponent + other.exponent }
    }

    fn at(&self, exponent: i64) -> BigInt {
        &self.mantissa << (self.exponent - exponent) as usize
    }

    fn plus(&self, other: &Self) -> Self {
        let exponent = self.exponent.min(other.exponent);
        Exact { mantissa: self.at(exponent) + other.at(exponent), exponent }
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let exponent = self.exponent.min(other.exponent);
        self.at(exponent).cmp(&other.at(exponent))
    }

    fn sign(&self) -> Ordering {
        self.mantissa.cmp(&BigInt::ZERO)
    }
}

/// Order of a candidate and the exact result of an operation on finite numbers.
fn compare(op: &str, candidate: f64, x: &[f64]) -> Ordering {
    if candidate.is_infinite() {
        return if candidate > 0.0 { Ordering::Greater } else { Ordering::Less };
    }
    let candidate = Exact::of(candidate);
    let x: Vec<_> = x.iter().map(|x| Exact::of(*x)).collect();
    let minus_one = Exact::of(-1.0);
    // candidate against a / b is candidate * b against a, the other way round if b is negative.
    let quotient = |a: &Exact, b: &Exact| match b.sign() {
        Ordering::Less => candidate.times(b).cmp(a).reverse(),
        _ => candidate.times(b).cmp(a),
    };
    match op {
        "add" => candidate.cmp(&x[0].plus(&x[1])),
        "sub" => candidate.cmp(&x[0].plus(&x[1].times(&minus_one))),
        "mul" => candidate.cmp(&x[0].times(&x[1])),
        "fma" => candidate.cmp(&x[0].times(&x[1]).plus(&x[2])),
        "div" => quotient(&x[0], &x[1]),
        "rcp" => quotient(&Exact::of(1.0), &x[0]),
        "sqrt" => candidate.times(&candidate).cmp(&x[0]),
        _ => unreachable!(),
    }
}

/// The processor's result, rounded to nearest: right for every rounding where a NaN or an infinity comes in, or a pole.
fn native(op: &str, x: &[f64]) -> f64 {
    match op {
        "add" => x[0] + x[1],
        "sub" => x[0] - x[1],
        "mul" => x[0] * x[1],
        "fma" => x[0].mul_add(x[1], x[2]),
        "div" => x[0] / x[1],
        "rcp" => 1.0 / x[0],
        "sqrt" => x[0].sqrt(),
        _ => unreachable!(),
    }
}

/// `down` and `up` are the neighbours of `found` in its own format.
fn verify(op: &str, mode: &str, x: &[f64], found: f64, down: f64, up: f64) -> Result<(), TestCaseError> {
    let pole = (op == "div" && x[1] == 0.0) || (op == "rcp" && x[0] == 0.0) || (op == "sqrt" && x[0] <= 0.0);
    if pole || !x.iter().all(|x| x.is_finite()) {
        let expected = native(op, x);
        let same = expected == found || (expected.is_nan() && found.is_nan());
        prop_assert!(same, "{}.{} of {:?}: {:e} instead of {:e}", op, mode, x, found, expected);
        return Ok(());
    }
    let against = |candidate| compare(op, candidate, x);
    let is_down = against(found) != Ordering::Greater && against(up) == Ordering::Greater;
    let is_up = against(found) != Ordering::Less && against(down) == Ordering::Less;
    let right = match mode {
        "rm" => is_down,
        "rp" => is_up,
        _ => against(0.0) == Ordering::Greater && is_up || against(0.0) != Ordering::Greater && is_down,
    };
    prop_assert!(right, "{}.{} of {:?} gave {:e}", op, mode, x, found);
    Ok(())
}

const OPS: [(&str, usize); 7] = [("add", 2), ("sub", 2), ("mul", 2), ("div", 2), ("fma", 3), ("rcp", 1), ("sqrt", 1)];

fn all_modes(
    ty: &str,
    rows: [Row; 3],
    value: fn(u64) -> f64,
    neighbours: fn(u64) -> (f64, f64),
) -> Result<(), TestCaseError> {
    for (op, operands) in OPS {
        for mode in ["rz", "rm", "rp"] {
            let names = ["%a", "%b", "%c"][..operands].join(", ");
            let inputs: Vec<_> = rows[..operands].iter().map(|row| (ty, *row)).collect();
            let found = run(&format!("{op}.{mode}.{ty} %d, {names};"), ty, &inputs);
            for lane in 0..32 {
                let x: Vec<_> = rows[..operands].iter().map(|row| value(row[lane])).collect();
                let (down, up) = neighbours(found[lane]);
                verify(op, mode, &x, value(found[lane]), down, up)?;
            }
        }
    }
    Ok(())
}

fn neighbours_f32(row: u64) -> (f64, f64) {
    (f32_of(row).next_down().into(), f32_of(row).next_up().into())
}

fn neighbours_f64(row: u64) -> (f64, f64) {
    (f64::from_bits(row).next_down(), f64::from_bits(row).next_up())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn f32_arithmetic(a in f32s(), b in f32s(), c in f32s()) {
        all_modes("f32", [a, b, c], |row| f32_of(row).into(), neighbours_f32)?;
    }

    #[test]
    fn f64_arithmetic(a in f64s(), b in f64s(), c in f64s()) {
        all_modes("f64", [a, b, c], f64::from_bits, neighbours_f64)?;
    }

    /// To half precision, whose neighbours are told by their bits.
    #[test]
    fn to_half(a in f32s(), b in f64s()) {
        for mode in ["rn", "rz", "rm", "rp"] {
            let from_f32 = run(&format!("cvt.{mode}.f16.f32 %d, %a;"), "b16", &[("f32", a)]);
            let from_f64 = run(&format!("cvt.{mode}.f16.f64 %d, %a;"), "b16", &[("f64", b)]);
            for lane in 0..32 {
                rounds_to_half(mode, f32_of(a[lane]).into(), from_f32[lane] as u16)?;
                rounds_to_half(mode, f64::from_bits(b[lane]), from_f64[lane] as u16)?;
            }
        }
    }
}

/// The value of a half, by its definition.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// The next larger half of the same sign.
fn away(bits: u16) -> f64 {
    half(bits + 1)
}

fn rounds_to_half(mode: &str, x: f64, found: u16) -> Result<(), TestCaseError> {
    let value = half(found);
    if x.is_nan() || x.is_infinite() {
        prop_assert!(x == value || (x.is_nan() && value.is_nan()), "{}: {:e} to {:#x}", mode, x, found);
        return Ok(());
    }
    prop_assert_eq!(value.is_sign_negative(), x.is_sign_negative());
    let (size, result) = (x.abs(), value.abs());
    let towards_zero = mode == "rz" || mode == if x < 0.0 { "rp" } else { "rm" };
    let magnitude = found & 0x7FFF;
    let smaller = |bits: u16| if bits == 0 { f64::NEG_INFINITY } else { half(bits - 1) };
    let right = match mode {
        // Beyond the middle between the largest half and the number after it.
        "rn" if size >= 65520.0 => result.is_infinite(),
        "rn" => {
            let error = (size - result).abs();
            let others = [smaller(magnitude), if magnitude < 0x7BFF { away(magnitude) } else { 65536.0 }];
            let nearest = others.into_iter().map(|other| (size - other).abs()).fold(f64::INFINITY, f64::min);
            error < nearest || (error == nearest && magnitude & 1 == 0)
        }
        _ if towards_zero => result <= size && (magnitude == 0x7BFF || away(magnitude) > size),
        _ => result >= size && smaller(magnitude) < size,
    };
    prop_assert!(right, "{}: {:e} to {:#x}", mode, x, found);
    Ok(())
}

#[test]
fn every_half_is_exact_in_the_wider_types() {
    for first in (0..=0xFFFFu64).step_by(32) {
        let row: Row = std::array::from_fn(|lane| first + lane as u64);
        let to_f32 = run("cvt.f32.f16 %d, %a;", "f32", &[("b16", row)]);
        let to_f64 = run("cvt.f64.f16 %d, %a;", "f64", &[("b16", row)]);
        for lane in 0..32 {
            let expected = half(row[lane] as u16);
            let is = |found: f64| found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan());
            assert!(is(f32_of(to_f32[lane]).into()) && is(f64::from_bits(to_f64[lane])), "{:#x}", row[lane]);
        }
    }
}

#[test]
fn integers_and_halves() {
    let to_half = |mode: &str, value: i64| {
        run_once(&format!("cvt.{mode}.f16.s64 %d, %a;"), "b16", &[("b64", value as u64)]) as u16
    };
    assert_eq!(half(to_half("rn", 2049)), 2048.0);
    assert_eq!(half(to_half("rp", 2049)), 2050.0);
    assert_eq!(half(to_half("rm", -2049)), -2050.0);
    assert_eq!(half(to_half("rn", 70000)), f64::INFINITY);
    assert_eq!(half(to_half("rz", -70000)), -65504.0);
    let to_int =
        |mode: &str, bits: u64| run_once(&format!("cvt.{mode}.s32.f16 %d, %a;"), "b32", &[("b16", bits)]) as i32;
    // -2.5
    assert_eq!(["rni", "rzi", "rmi", "rpi"].map(|mode| to_int(mode, 0xC100)), [-2, -2, -3, -2]);
    assert_eq!(to_int("rni", 0x7C01), 0);
}

#[test]
fn sums_that_are_zero_are_negative_only_when_rounded_down() {
    let one = 1f32.to_bits().into();
    let difference = |mode: &str| run_once(&format!("sub.{mode}.f32 %d, %a, %a;"), "f32", &[("f32", one)]);
    assert_eq!(["rn", "rz", "rm", "rp"].map(difference), [0, 0, 0x8000_0000, 0]);
    let one = 1f64.to_bits();
    let difference =
        |mode: &str| run_once(&format!("fma.{mode}.f64 %d, %a, %a, 0dBFF0000000000000;"), "f64", &[("f64", one)]);
    assert_eq!(["rn", "rz", "rm", "rp"].map(difference), [0, 0, 1 << 63, 0]);
}

#[test]
fn overflow_stops_at_the_largest_number_where_the_rounding_says_so() {
    let (largest, infinity) = (u64::from(f32::MAX.to_bits()), u64::from(f32::INFINITY.to_bits()));
    let twice = |mode: &str| run_once(&format!("add.{mode}.f32 %d, %a, %a;"), "f32", &[("f32", largest)]);
    assert_eq!(["rn", "rz", "rm", "rp"].map(twice), [infinity, largest, largest, infinity]);
}

#[test]
fn modes_combine_with_flushing_and_saturation() {
    let smallest = f32::MIN_POSITIVE.to_bits().into();
    let half = |op: &str| run_once(&format!("mul.{op}.f32 %d, %a, 0f3F000000;"), "f32", &[("f32", smallest)]);
    assert_eq!([half("rp"), half("rp.ftz")], [0x0040_0000, 0]);
    let two = 2f32.to_bits().into();
    assert_eq!(f32_of(run_once("add.rz.sat.f32 %d, %a, %a;", "f32", &[("f32", two)])), 1.0);
}
