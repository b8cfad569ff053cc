//! Integer arithmetic and shifts.

use proptest::prelude::*;

use super::lane::{check_op, ints, run, run_once, Expected, Row};

/// `instruction %d, %a, %b` for a type of Rust.
macro_rules! binary {
    ($a:expr, $b:expr, $name:expr, $bits:literal, $type:ty, $unsigned:ty, $f:expr) => {{
        let f: fn($type, $type) -> $type = $f;
        let inputs = [($bits, $a), ($bits, $b)];
        check_op(&$name, $bits, &inputs, &|i| f($a[i] as $type, $b[i] as $type) as $unsigned as u64)?;
    }};
}

macro_rules! arithmetic {
    ($test:ident, $type:ty, $unsigned:ty, $wide:ty, $suffix:literal, $bits:literal) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(24))]
            #[test]
            fn $test(a in ints(), b in ints()) {
                macro_rules! op {
                    ($name:literal, $f:expr) => {
                        binary!(a, b, format!("{}.{}", $name, $suffix), $bits, $type, $unsigned, $f)
                    };
                }
                op!("add", |x, y| x.wrapping_add(y));
                op!("sub", |x, y| x.wrapping_sub(y));
                op!("mul.lo", |x, y| x.wrapping_mul(y));
                op!("mul.hi", |x, y| ((x as $wide * y as $wide) >> <$type>::BITS) as $type);
                op!("div", |x, y| if y == 0 { !0 } else { x.wrapping_div(y) });
                op!("rem", |x, y| if y == 0 { !0 } else { x.wrapping_rem(y) });
                op!("min", |x, y| if x < y { x } else { y });
                op!("max", |x, y| if x > y { x } else { y });
            }
        }
    };
}

arithmetic!(u16_arithmetic, u16, u16, u32, "u16", "b16");
arithmetic!(s16_arithmetic, i16, u16, i32, "s16", "b16");
arithmetic!(u32_arithmetic, u32, u32, u64, "u32", "b32");
arithmetic!(s32_arithmetic, i32, u32, i64, "s32", "b32");
arithmetic!(u64_arithmetic, u64, u64, u128, "u64", "b64");
arithmetic!(s64_arithmetic, i64, u64, i128, "s64", "b64");

/// Shift counts are clamped to the width; a signed shift to the right fills with the sign.
macro_rules! shifts {
    ($test:ident, $type:ty, $signed:ty, $bits:literal, $width:literal) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(24))]
            #[test]
            fn $test(a in ints(), counts in ints()) {
                let b: Row = counts.map(|c| u64::from(c as u32));
                let one = |op: &str, expected: Expected| {
                    check_op(&format!("{op}{}", $width), $bits, &[($bits, a), ("b32", b)], expected)
                };
                let count = |i: usize| b[i].min($width) as u32;
                one("shl.b", &|i| (a[i] as $type).checked_shl(count(i)).unwrap_or(0).into())?;
                one("shr.u", &|i| (a[i] as $type).checked_shr(count(i)).unwrap_or(0).into())?;
                one("shr.b", &|i| (a[i] as $type).checked_shr(count(i)).unwrap_or(0).into())?;
                one("shr.s", &|i| {
                    let sign = if (a[i] as $signed) < 0 { !0 } else { 0 };
                    let shifted = (a[i] as $signed).checked_shr(count(i)).unwrap_or(sign);
                    (shifted as $type).into()
                })?;
            }
        }
    };
}

shifts!(shifts_16, u16, i16, "b16", 16);
shifts!(shifts_32, u32, i32, "b32", 32);
shifts!(shifts_64, u64, i64, "b64", 64);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn wide_products_and_sums(a in ints(), b in ints(), c in ints()) {
        let wide = |op, from, to, expected: Expected| check_op(op, to, &[(from, a), (from, b)], expected);
        wide("mul.wide.u16", "b16", "b32", &|i| u64::from(a[i] as u16 as u32 * b[i] as u16 as u32))?;
        wide("mul.wide.s16", "b16", "b32", &|i| u64::from((i32::from(a[i] as i16) * i32::from(b[i] as i16)) as u32))?;
        wide("mul.wide.u32", "b32", "b64", &|i| (a[i] & 0xFFFF_FFFF) * (b[i] & 0xFFFF_FFFF))?;
        wide("mul.wide.s32", "b32", "b64", &|i| (i64::from(a[i] as i32) * i64::from(b[i] as i32)) as u64)?;
        let mad = |op, from, to, expected: Expected| check_op(op, to, &[(from, a), (from, b), (to, c)], expected);
        mad("mad.lo.s32", "b32", "b32", &|i| {
            u64::from((a[i] as u32).wrapping_mul(b[i] as u32).wrapping_add(c[i] as u32))
        })?;
        mad("mad.hi.u32", "b32", "b32", &|i| {
            let product = (a[i] & 0xFFFF_FFFF) * (b[i] & 0xFFFF_FFFF);
            u64::from(((product >> 32) as u32).wrapping_add(c[i] as u32))
        })?;
        mad("mad.hi.s64", "b64", "b64", &|i| {
            let product = i128::from(a[i] as i64) * i128::from(b[i] as i64);
            ((product >> 64) as u64).wrapping_add(c[i])
        })?;
        mad("mad.wide.s32", "b32", "b64", &|i| {
            ((i64::from(a[i] as i32) * i64::from(b[i] as i32)) as u64).wrapping_add(c[i])
        })?;
        mad("mad.wide.u16", "b16", "b32", &|i| {
            u64::from((a[i] as u16 as u32 * b[i] as u16 as u32).wrapping_add(c[i] as u32))
        })?;
        mad("mad.wide.s16", "b16", "b32", &|i| {
            u64::from((i32::from(a[i] as i16) * i32::from(b[i] as i16)).wrapping_add(c[i] as i32) as u32)
        })?;
        mad("sad.s32", "b32", "b32", &|i| u64::from((a[i] as i32).abs_diff(b[i] as i32).wrapping_add(c[i] as u32)))?;
        mad("sad.u16", "b16", "b16", &|i| u64::from((a[i] as u16).abs_diff(b[i] as u16).wrapping_add(c[i] as u16)))?;
    }

    #[test]
    fn saturating_sums(a in ints(), b in ints()) {
        let op = |op, expected: Expected| check_op(op, "b32", &[("b32", a), ("b32", b)], expected);
        op("add.sat.s32", &|i| u64::from((a[i] as i32).saturating_add(b[i] as i32) as u32))?;
        op("sub.sat.s32", &|i| u64::from((a[i] as i32).saturating_sub(b[i] as i32) as u32))?;
    }

    #[test]
    fn one_operand(a in ints()) {
        let op = |op, bits, expected: Expected| check_op(op, bits, &[(bits, a)], expected);
        op("neg.s16", "b16", &|i| u64::from((a[i] as u16).wrapping_neg()))?;
        op("neg.s32", "b32", &|i| u64::from((a[i] as u32).wrapping_neg()))?;
        op("neg.s64", "b64", &|i| a[i].wrapping_neg())?;
        op("abs.s16", "b16", &|i| u64::from((a[i] as i16).unsigned_abs()))?;
        op("abs.s32", "b32", &|i| u64::from((a[i] as i32).unsigned_abs()))?;
        op("abs.s64", "b64", &|i| (a[i] as i64).unsigned_abs())?;
    }
}

#[test]
fn divisions_that_have_no_quotient() {
    let divide = |op: &str, a: u64, b: u64| run_once(&format!("{op} %d, %a, %b;"), "b32", &[("b32", a), ("b32", b)]);
    assert_eq!(divide("div.u32", 7, 0), 0xFFFF_FFFF);
    assert_eq!(divide("rem.u32", 7, 0), 0xFFFF_FFFF);
    assert_eq!(divide("div.s32", 7, 0), 0xFFFF_FFFF);
    assert_eq!(divide("div.s32", 0x8000_0000, 0xFFFF_FFFF), 0x8000_0000);
    assert_eq!(divide("rem.s32", 0x8000_0000, 0xFFFF_FFFF), 0);
}

#[test]
fn immediates_are_operands_too() {
    assert_eq!(run_once("add.s32 %d, %a, -5;", "b32", &[("b32", 3)]), 0xFFFF_FFFE);
    assert_eq!(run_once("sub.s64 %d, 0x10, %a;", "b64", &[("b64", 1)]), 15);
    assert_eq!(run_once("mul.wide.s32 %d, %a, -2;", "b64", &[("b32", 3)]), -6i64 as u64);
    assert_eq!(run_once("mov.u32 %d, WARP_SZ;", "b32", &[]), 32);
}

#[test]
fn a_guard_keeps_the_other_lanes() {
    let a: Row = std::array::from_fn(|lane| lane as u64);
    let found = run(
        "setp.lt.u32 %p0, %a, 10; mov.u32 %d, 7; @%p0 add.s32 %d, %d, %a; @!%p0 div.u32 %d, %a, 4;",
        "b32",
        &[("b32", a)],
    );
    let expected: Row = std::array::from_fn(|lane| if lane < 10 { lane as u64 + 7 } else { lane as u64 / 4 });
    assert_eq!(found, expected);
}
