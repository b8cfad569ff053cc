//! cvt.

use proptest::prelude::*;

use super::lane::{check, f32_of, f32s, f64s, ints, row, run, run_once, Expected, Row};

fn converted(types: &str, result: &str, from: &str, a: Row) -> Row {
    run(&format!("cvt.{types} %d, %a;"), result, &[(from, a)])
}

fn cvt(types: &str, result: &str, from: &str, a: Row, expected: Expected) -> Result<(), TestCaseError> {
    check(types, converted(types, result, from, a), expected)
}

fn neighbour(value: f32, above: bool) -> f32 {
    if above {
        value.next_up()
    } else {
        value.next_down()
    }
}

/// `value` is `exact`, or next to it on the side asked for, `next` being the one on the other side.
fn is_neighbour<T: PartialOrd>(value: T, next: T, exact: T, below: bool) -> bool {
    value == exact || if below { value < exact && next > exact } else { value > exact && next < exact }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn integers_truncate_and_extend(a in ints()) {
        cvt("s64.s32", "b64", "b32", a, &|i| a[i] as i32 as u64)?;
        cvt("u64.u32", "b64", "b32", a, &|i| u64::from(a[i] as u32))?;
        cvt("u32.u64", "b32", "b64", a, &|i| u64::from(a[i] as u32))?;
        cvt("s16.s32", "b16", "b32", a, &|i| u64::from(a[i] as u16))?;
        // A destination wider than the type takes the extended value.
        cvt("s8.s32", "b32", "b32", a, &|i| u64::from(a[i] as i8 as u32))?;
        cvt("u8.u32", "b32", "b32", a, &|i| u64::from(a[i] as u8))?;
        cvt("s32.s8", "b32", "b32", a, &|i| u64::from(a[i] as i8 as u32))?;
        cvt("u16.s8", "b16", "b16", a, &|i| u64::from(a[i] as i8 as u16))?;
    }

    #[test]
    fn integers_saturate(a in ints()) {
        cvt("sat.s8.s32", "b32", "b32", a, &|i| u64::from((a[i] as i32).clamp(-128, 127) as u32))?;
        cvt("sat.u8.s32", "b32", "b32", a, &|i| (a[i] as i32).clamp(0, 255) as u64)?;
        cvt("sat.s32.u32", "b32", "b32", a, &|i| u64::from((a[i] as u32).min(0x7FFF_FFFF)))?;
        cvt("sat.u32.s64", "b32", "b64", a, &|i| (a[i] as i64).clamp(0, 0xFFFF_FFFF) as u64)?;
    }

    /// Rust's own conversions saturate in the same way.
    #[test]
    fn floats_to_integers(a in f32s(), b in f64s()) {
        let (x, y) = (a.map(f32_of), b.map(f64::from_bits));
        cvt("rzi.s32.f32", "b32", "f32", a, &|i| u64::from(x[i] as i32 as u32))?;
        cvt("rni.u32.f32", "b32", "f32", a, &|i| u64::from(x[i].round_ties_even() as u32))?;
        cvt("rmi.s32.f32", "b32", "f32", a, &|i| u64::from(x[i].floor() as i32 as u32))?;
        cvt("rpi.s32.f32", "b32", "f32", a, &|i| u64::from(x[i].ceil() as i32 as u32))?;
        cvt("rzi.u16.f32", "b16", "f32", a, &|i| u64::from(x[i] as u16))?;
        cvt("rzi.s64.f32", "b64", "f32", a, &|i| if x[i].is_nan() { 1 << 63 } else { x[i] as i64 as u64 })?;
        cvt("rzi.u64.f64", "b64", "f64", b, &|i| if y[i].is_nan() { 1 << 63 } else { y[i] as u64 })?;
        cvt("rzi.s32.f64", "b32", "f64", b, &|i| if y[i].is_nan() { 1 << 31 } else { u64::from(y[i] as i32 as u32) })?;
    }

    #[test]
    fn integers_to_floats(a in ints()) {
        cvt("rn.f32.u32", "f32", "b32", a, &|i| u64::from((a[i] as u32 as f32).to_bits()))?;
        cvt("rn.f32.s32", "f32", "b32", a, &|i| u64::from((a[i] as i32 as f32).to_bits()))?;
        cvt("rn.f32.u64", "f32", "b64", a, &|i| u64::from((a[i] as f32).to_bits()))?;
        cvt("rn.f64.s64", "f64", "b64", a, &|i| (a[i] as i64 as f64).to_bits())?;
        cvt("rn.f64.u32", "f64", "b32", a, &|i| f64::from(a[i] as u32).to_bits())?;
        cvt("rn.f32.s16", "f32", "b16", a, &|i| u64::from(f32::from(a[i] as i16).to_bits()))?;
    }

    /// The result is on the right side, and no number of the type lies between.
    #[test]
    fn directed_roundings(a in ints(), b in f64s()) {
        for below in [true, false] {
            let rounding = if below { "rm" } else { "rp" };
            let found = converted(&format!("{rounding}.f32.s64"), "f32", "b64", a);
            for (found, exact) in found.into_iter().map(f32_of).zip(a.map(|x| i128::from(x as i64))) {
                prop_assert!(is_neighbour(found as i128, neighbour(found, below) as i128, exact, below));
            }
            let found = converted(&format!("{rounding}.f32.f64"), "f32", "f64", b);
            for (found, exact) in found.into_iter().map(f32_of).zip(b.map(f64::from_bits)) {
                let next = f64::from(neighbour(found, below));
                let right = is_neighbour(f64::from(found), next, exact, below);
                prop_assert!(right || exact.is_nan() && found.is_nan());
            }
        }
        for (found, exact) in converted("rz.f32.f64", "f32", "f64", b).into_iter().map(f32_of).zip(b.map(f64::from_bits)) {
            prop_assert!(exact.is_nan() || f64::from(found.abs()) <= exact.abs());
        }
    }

    #[test]
    fn between_floats(a in f32s(), b in f64s()) {
        let (x, y) = (a.map(f32_of), b.map(f64::from_bits));
        // A NaN keeps its sign and the upper bits of its fraction, and is made quiet.
        let wide = |v: u64| v >> 31 << 63 | 0x7FF8 << 48 | (v & 0x3F_FFFF) << 29;
        let narrow = |v: u64| v >> 63 << 31 | 0x7FC0_0000 | v << 13 >> 42;
        cvt("f64.f32", "f64", "f32", a, &|i| if x[i].is_nan() { wide(a[i]) } else { f64::from(x[i]).to_bits() })?;
        cvt("rn.f32.f64", "f32", "f64", b, &|i| if y[i].is_nan() { narrow(b[i]) } else { row(y[i] as f32) })?;
        cvt("rni.f32.f32", "f32", "f32", a, &|i| row(x[i].round_ties_even()))?;
        cvt("rzi.f32.f32", "f32", "f32", a, &|i| row(x[i].trunc()))?;
        cvt("sat.f32.f32", "f32", "f32", a, &|i| if x[i] > 0.0 { u64::from(x[i].min(1.0).to_bits()) } else { 0 })?;
    }
}

#[test]
fn corner_cases_of_float_to_integer() {
    let cvt = |instruction: &str, x: f32| {
        run_once(&format!("cvt.{instruction} %d, %a;"), "b32", &[("f32", x.to_bits().into())])
    };
    assert_eq!(cvt("rzi.s32.f32", f32::NAN), 0);
    assert_eq!(cvt("rzi.s32.f32", 3e9), 0x7FFF_FFFF);
    assert_eq!(cvt("rzi.s32.f32", -3e9), 0x8000_0000);
    assert_eq!(cvt("rzi.u32.f32", -1.0), 0);
    assert_eq!(cvt("rni.s32.f32", 2.5), 2);
    assert_eq!(cvt("rni.s32.f32", 3.5), 4);
    assert_eq!(cvt("rpi.s32.f32", 1e-45), 1);
    assert_eq!(cvt("rpi.ftz.s32.f32", 1e-45), 0);
    assert_eq!(cvt("rzi.s8.f32", -200.0), 0xFFFF_FF80);
}
