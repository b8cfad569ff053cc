//! Floating-point arithmetic.

use proptest::prelude::*;

use super::lane::{check_op, f32_of, f32s, f64s, row, run, run_once, run_op, Expected, Row, NAN_F32};

/// As `check_op`, of doubles; any NaN is as good as another.
fn check_f64(op: &str, operands: &[Row], expected: impl Fn(usize) -> f64) -> Result<(), TestCaseError> {
    let inputs: Vec<_> = operands.iter().map(|row| ("f64", *row)).collect();
    for (lane, found) in run_op(op, "f64", &inputs).into_iter().enumerate() {
        let expected = expected(lane);
        let equal = found == expected.to_bits() || (expected.is_nan() && f64::from_bits(found).is_nan());
        prop_assert!(equal, "{}, lane {}: {:#x} instead of {:#x}", op, lane, found, expected.to_bits());
    }
    Ok(())
}

/// The IEEE 754-2008 minimum of two numbers, with -0 below +0.
fn minimum(x: f64, y: f64) -> f64 {
    match (x.is_nan(), y.is_nan()) {
        (true, _) => y,
        (_, true) => x,
        _ if x.total_cmp(&y).is_lt() => x,
        _ => y,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn f32_arithmetic(a in f32s(), b in f32s(), c in f32s()) {
        let op = |op, expected: Expected| check_op(op, "f32", &[("f32", a), ("f32", b)], expected);
        let [x, y, z] = [a, b, c].map(|r| r.map(f32_of));
        op("add.f32", &|i| row(x[i] + y[i]))?;
        op("sub.rn.f32", &|i| row(x[i] - y[i]))?;
        op("mul.f32", &|i| row(x[i] * y[i]))?;
        op("div.rn.f32", &|i| row(x[i] / y[i]))?;
        op("min.f32", &|i| row(minimum(x[i].into(), y[i].into()) as f32))?;
        op("max.f32", &|i| row(-minimum(-f64::from(x[i]), -f64::from(y[i])) as f32))?;
        op("copysign.f32", &|i| u64::from(y[i].copysign(x[i]).to_bits()))?;
        let inputs = [("f32", a), ("f32", b), ("f32", c)];
        check_op("fma.rn.f32", "f32", &inputs, &|i| row(x[i].mul_add(y[i], z[i])))?;
        let op = |op, expected: Expected| check_op(op, "f32", &[("f32", a)], expected);
        op("sqrt.rn.f32", &|i| row(x[i].sqrt()))?;
        op("rcp.rn.f32", &|i| row(1.0 / x[i]))?;
        op("neg.f32", &|i| row(-x[i]))?;
        op("abs.f32", &|i| row(x[i].abs()))?;
    }

    /// Sums that cancel, and products that round: where a product rounded on its own would show.
    #[test]
    fn fused_means_rounded_once(a in f32s(), b in f32s(), jitter in -2..3i32) {
        let c: Row = std::array::from_fn(|i| {
            let product = -(f32_of(a[i]) * f32_of(b[i]));
            u64::from(product.to_bits().wrapping_add_signed(jitter))
        });
        let inputs = [("f32", a), ("f32", b), ("f32", c)];
        check_op("fma.rn.f32", "f32", &inputs, &|i| row(f32_of(a[i]).mul_add(f32_of(b[i]), f32_of(c[i]))))?;
    }

    #[test]
    fn f64_arithmetic(a in f64s(), b in f64s(), c in f64s()) {
        let [x, y, z] = [a, b, c].map(|r| r.map(f64::from_bits));
        check_f64("add.f64", &[a, b], |i| x[i] + y[i])?;
        check_f64("sub.f64", &[a, b], |i| x[i] - y[i])?;
        check_f64("mul.f64", &[a, b], |i| x[i] * y[i])?;
        check_f64("div.rn.f64", &[a, b], |i| x[i] / y[i])?;
        check_f64("min.f64", &[a, b], |i| minimum(x[i], y[i]))?;
        check_f64("max.f64", &[a, b], |i| -minimum(-x[i], -y[i]))?;
        check_f64("fma.rn.f64", &[a, b, c], |i| x[i].mul_add(y[i], z[i]))?;
        check_f64("sqrt.rn.f64", &[a], |i| x[i].sqrt())?;
        check_f64("rcp.rn.f64", &[a], |i| 1.0 / x[i])?;
        check_f64("neg.f64", &[a], |i| -x[i])?;
        check_f64("abs.f64", &[a], |i| x[i].abs())?;
    }

    /// The hardware promises an error of about 2^-21; ours is smaller.
    #[test]
    fn approximations_are_close(a in prop::array::uniform32(0.001f32..30.0)) {
        let bits: Row = a.map(|x| u64::from(x.to_bits()));
        let op = |op: &str| run(&format!("{op}.approx.f32 %d, %a;"), "f32", &[("f32", bits)]).map(f32_of);
        let close = |name: &str, f: fn(f64) -> f64| {
            for (found, x) in op(name).into_iter().zip(a) {
                let expected = f(f64::from(x));
                let error = (f64::from(found) - expected).abs();
                prop_assert!(error <= expected.abs() * 1.2e-7 + 1e-7, "{} of {}: {} instead of {}", name, x, found, expected);
            }
            Ok(())
        };
        close("sin", f64::sin)?;
        close("cos", f64::cos)?;
        close("ex2", f64::exp2)?;
        close("lg2", f64::log2)?;
        close("tanh", f64::tanh)?;
        close("rsqrt", |x| 1.0 / x.sqrt())?;
        close("rcp", |x| 1.0 / x)?;
        close("sqrt", f64::sqrt)?;
    }
}

#[test]
fn saturation_and_flushing() {
    let add = |op: &str, x: f32| {
        let sum = run_once(&format!("{op} %d, %a, 0f00000000;"), "f32", &[("f32", x.to_bits().into())]);
        f32_of(sum)
    };
    assert_eq!(add("add.sat.f32", 1.5), 1.0);
    assert_eq!(add("add.sat.f32", -1.5), 0.0);
    assert_eq!(add("add.sat.f32", 0.25), 0.25);
    assert_eq!(add("add.sat.f32", f32::NAN).to_bits(), 0);
    assert_eq!(add("add.ftz.f32", 1e-45), 0.0);
    assert_eq!(add("add.f32", 1e-45), 1e-45);
    // Results are flushed as well, with their sign.
    let half = run_once("mul.ftz.f32 %d, %a, 0fBF000000;", "f32", &[("f32", f32::MIN_POSITIVE.to_bits().into())]);
    assert_eq!(half, 0x8000_0000);
}

#[test]
fn nan_of_f64_keeps_its_payload() {
    let add = |a: u64, b: u64| run_once("add.f64 %d, %a, %b;", "f64", &[("f64", a), ("f64", b)]);
    assert_eq!(add(0x7FF0_0000_0000_1234, 1.0f64.to_bits()), 0x7FF8_0000_0000_1234);
    assert_eq!(add(1.0f64.to_bits(), 0xFFF8_0000_0000_0001), 0xFFF8_0000_0000_0001);
    assert_eq!(add(f64::INFINITY.to_bits(), f64::NEG_INFINITY.to_bits()), 0xFFF8_0000_0000_0000);
}

#[test]
fn zeros_have_an_order_for_min_and_max() {
    let op = |op: &str, a: f32, b: f32| {
        run_once(&format!("{op}.f32 %d, %a, %b;"), "f32", &[("f32", a.to_bits().into()), ("f32", b.to_bits().into())])
    };
    assert_eq!(op("min", 0.0, -0.0), 0x8000_0000);
    assert_eq!(op("min", -0.0, 0.0), 0x8000_0000);
    assert_eq!(op("max", 0.0, -0.0), 0);
    assert_eq!(op("max", f32::NAN, -3.0), u64::from((-3.0f32).to_bits()));
    assert_eq!(op("min", f32::NAN, f32::NAN), NAN_F32);
}

#[test]
fn literals_of_either_width() {
    assert_eq!(run_once("mov.f32 %d, 1.5;", "f32", &[]), u64::from(1.5f32.to_bits()));
    assert_eq!(run_once("mov.f64 %d, 0d3FF8000000000000;", "f64", &[]), 1.5f64.to_bits());
    assert_eq!(run_once("mov.f32 %d, -0f3F800000;", "f32", &[]), u64::from((-1f32).to_bits()));
}
