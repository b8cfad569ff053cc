//! setp, set, selp and slct.

use proptest::prelude::*;
use std::cmp::Ordering;

use super::lane::{check, check_op, f32_of, f32s, f64s, ints, run, run_once, Row};

/// The predicate of a `setp`, as 0 or 1.
fn setp(comparison: &str, ty: &str, bits: &str, a: Row, b: Row) -> Row {
    run(&format!("setp.{comparison}.{ty} %p0, %a, %b; selp.u32 %d, 1, 0, %p0;"), "b32", &[(bits, a), (bits, b)])
}

type Test = fn(Ordering) -> bool;

/// The comparisons of what is ordered.
const TESTS: [(&str, Test); 6] = [
    ("eq", Ordering::is_eq),
    ("ne", Ordering::is_ne),
    ("lt", Ordering::is_lt),
    ("le", Ordering::is_le),
    ("gt", Ordering::is_gt),
    ("ge", Ordering::is_ge),
];

macro_rules! integers {
    ($test:ident, $type:ty, $suffix:literal, $bits:literal) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(16))]
            #[test]
            fn $test(a in ints(), b in ints()) {
                // Equal operands now and then.
                let b: Row = std::array::from_fn(|i| if i % 4 == 0 { a[i] } else { b[i] });
                for (name, test) in TESTS {
                    let found = setp(name, $suffix, $bits, a, b);
                    check(&format!("setp.{name}.{}", $suffix), found, |i| {
                        u64::from(test((a[i] as $type).cmp(&(b[i] as $type))))
                    })?;
                }
            }
        }
    };
}

integers!(u16_comparisons, u16, "u16", "b16");
integers!(s16_comparisons, i16, "s16", "b16");
integers!(u32_comparisons, u32, "u32", "b32");
integers!(s32_comparisons, i32, "s32", "b32");
integers!(u64_comparisons, u64, "u64", "b64");
integers!(s64_comparisons, i64, "s64", "b64");

/// Name, value if ordered, value if unordered. With a `u` a comparison is true of what is unordered.
fn float_tests() -> Vec<(String, Test, bool)> {
    let mut all: Vec<(String, Test, bool)> = vec![("num".into(), |_| true, false), ("nan".into(), |_| false, true)];
    for (name, test) in TESTS {
        all.extend([(name.into(), test, false), (format!("{name}u"), test, true)]);
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn float_comparisons(a in f32s(), b in f32s(), c in f64s(), d in f64s()) {
        let b: Row = std::array::from_fn(|i| if i % 4 == 0 { a[i] } else { b[i] });
        for (name, ordered, unordered) in float_tests() {
            let name = name.as_str();
            check(name, setp(name, "f32", "f32", a, b), |i| {
                u64::from(f32_of(a[i]).partial_cmp(&f32_of(b[i])).map_or(unordered, ordered))
            })?;
            check(name, setp(name, "f64", "f64", c, d), |i| {
                u64::from(f64::from_bits(c[i]).partial_cmp(&f64::from_bits(d[i])).map_or(unordered, ordered))
            })?;
        }
    }

    #[test]
    fn combined_with_a_predicate(a in ints(), b in ints(), c in ints()) {
        let c: Row = c.map(|x| x & 1);
        for (op, f) in [("and", (|x, y| x & y) as fn(bool, bool) -> bool), ("or", |x, y| x | y), ("xor", |x, y| x ^ y)] {
            let body = format!(
                "setp.ne.u32 %p0, %c, 0; setp.lt.{op}.s32 %p1|%p2, %a, %b, !%p0;
                 selp.u32 %d, 1, 0, %p1; @%p2 add.u32 %d, %d, 2;"
            );
            let found = run(&body, "b32", &[("b32", a), ("b32", b), ("b32", c)]);
            check(op, found, |i| {
                let less = (a[i] as i32) < (b[i] as i32);
                u64::from(f(less, c[i] == 0)) + 2 * u64::from(f(!less, c[i] == 0))
            })?;
        }
    }

    #[test]
    fn selection(a in ints(), b in ints(), c in ints(), f in f32s()) {
        let inputs = [("b64", a), ("b64", b), ("b32", c)];
        check_op("slct.u64.s32", "b64", &inputs, &|i| if c[i] as i32 >= 0 { a[i] } else { b[i] })?;
        let by_float = [("b64", a), ("b64", b), ("f32", f)];
        check_op("slct.b64.f32", "b64", &by_float, &|i| if f32_of(f[i]) >= 0.0 { a[i] } else { b[i] })?;
        let found = run("setp.gt.s32 %p0, %c, 0; selp.b64 %d, %a, %b, %p0;", "b64", &inputs);
        check("selp.b64", found, |i| if c[i] as i32 > 0 { a[i] } else { b[i] })?;
    }
}

#[test]
fn unsigned_names_of_comparisons() {
    let low = |name| setp(name, "u32", "b32", [1; 32], [0xFFFF_FFFF; 32])[0];
    assert_eq!(["lo", "ls", "hi", "hs"].map(low), [1, 1, 0, 0]);
}

#[test]
fn set_writes_ones_or_a_float() {
    let inputs = [("b32", 1), ("b32", 2)];
    assert_eq!(run_once("set.lt.u32.s32 %d, %a, %b;", "b32", &inputs), 0xFFFF_FFFF);
    assert_eq!(run_once("set.lt.f32.s32 %d, %a, %b;", "f32", &inputs), u64::from(1f32.to_bits()));
    assert_eq!(run_once("set.gt.s32.u32 %d, %a, %b;", "b32", &inputs), 0);
}

#[test]
fn subnormal_numbers_compare_as_zero_under_ftz() {
    let tiny = u64::from(1e-45f32.to_bits());
    assert_eq!(setp("eq", "f32", "f32", [tiny; 32], [0; 32])[0], 0);
    assert_eq!(setp("eq.ftz", "f32", "f32", [tiny; 32], [0; 32])[0], 1);
}

#[test]
fn predicates_have_logic() {
    let body = "setp.ne.u32 %p0, %a, 0; setp.ne.u32 %p1, %b, 0; and.pred %p2, %p0, %p1; or.pred %p3, %p0, %p1;
        xor.pred %p0, %p0, %p1; not.pred %p1, %p1; mov.pred %p1, %p1;
        selp.u32 %d, 1, 0, %p2; @%p3 add.u32 %d, %d, 2; @%p0 add.u32 %d, %d, 4; @%p1 add.u32 %d, %d, 8;";
    let found = |a, b| run_once(body, "b32", &[("b32", a), ("b32", b)]);
    assert_eq!([found(0, 0), found(0, 1), found(1, 0), found(1, 1)], [8, 6, 14, 3]);
}

#[test]
fn properties_of_numbers() {
    let numbers = [1.0, 0.0, -0.0, f32::MIN_POSITIVE, 1e-45, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
    let test = |ty: &str, property: &str, bits: u64| {
        let body = format!("testp.{property}.{ty} %p0, %a; selp.u32 %d, 1, 0, %p0;");
        run(&body, "b32", &[(ty, [bits; 32])])[0] == 1
    };
    for x in numbers {
        let wide = if x == 1e-45 { 5e-324 } else { f64::from(x) };
        let has = |property: &str, expected: bool| {
            assert_eq!(test("f32", property, x.to_bits().into()), expected, "{property} {x}");
            let expected_wide = if x == f32::MIN_POSITIVE && property == "normal" { true } else { expected };
            assert_eq!(test("f64", property, wide.to_bits()), expected_wide, "{property} {x} as f64");
        };
        has("finite", x.is_finite());
        has("infinite", x.is_infinite());
        has("number", !x.is_nan());
        has("notanumber", x.is_nan());
        has("normal", x.is_normal() || x == 0.0);
        has("subnormal", x.is_subnormal());
    }
}
