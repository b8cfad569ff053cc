//! Carry chains against integers of twice the width and more.

use num_bigint::{BigInt, BigUint, Sign};
use proptest::prelude::*;

use super::lane::{check, check_op, ints, run, Expected, Row};

/// A number of several words, the least significant first.
fn number(words: &[u64]) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |n, word| (n << 64) + word)
}

fn word(n: &BigUint, index: usize) -> u64 {
    n.iter_u64_digits().nth(index).unwrap_or(0)
}

/// Sum or difference modulo 2^128 of the two-word numbers `b:a` and `e:c`; gives the two words.
fn chain(first: &str, second: &str, [a, b, c, e]: [Row; 4]) -> [Row; 2] {
    let inputs = [("b64", a), ("b64", b), ("b64", c), ("b64", e)];
    let word = |result: &str| {
        let body = format!("{first}.cc.u64 %l0, %a, %c; {second}.u64 %l1, %b, %e; mov.u64 %d, {result};");
        run(&body, "b64", &inputs)
    };
    [word("%l0"), word("%l1")]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn sums_and_differences_of_two_words(a in ints(), b in ints(), c in ints(), e in ints()) {
        let [low, high] = chain("add", "addc", [a, b, c, e]);
        let sum = |i: usize| number(&[a[i], b[i]]) + number(&[c[i], e[i]]);
        check("add.cc", low, |i| word(&sum(i), 0))?;
        check("addc", high, |i| word(&sum(i), 1))?;
        let [low, high] = chain("sub", "subc", [a, b, c, e]);
        let difference = |i: usize| (number(&[0, 0, 1]) + number(&[a[i], b[i]])) - number(&[c[i], e[i]]);
        check("sub.cc", low, |i| word(&difference(i), 0))?;
        check("subc", high, |i| word(&difference(i), 1))?;
    }

    /// The carry goes through an addition that has one in and one out, and comes out as a number.
    #[test]
    fn three_words_of_32_bits(a in ints(), b in ints()) {
        let body = "mov.b64 {%r0, %r1}, %a; mov.b64 {%r2, %r3}, %b;
            add.cc.u32 %r4, %r0, %r2; addc.cc.u32 %r5, %r1, %r3; addc.u32 %r6, 0, 0; ";
        let low = run(&format!("{body} mov.b64 %d, {{%r4, %r5}};"), "b64", &[("b64", a), ("b64", b)]);
        let top = run(&format!("{body} cvt.u64.u32 %d, %r6;"), "b64", &[("b64", a), ("b64", b)]);
        check("add.cc, addc.cc", low, |i| a[i].wrapping_add(b[i]))?;
        check("addc", top, |i| u64::from(a[i].checked_add(b[i]).is_none()))?;
    }

    /// A product of two 64-bit numbers from 32-bit ones, as compilers write it.
    #[test]
    fn products_add_up(a in ints(), b in ints()) {
        let body = "mov.b64 {%r0, %r1}, %a; mov.b64 {%r2, %r3}, %b;
            mul.lo.u32 %r4, %r0, %r2; mul.hi.u32 %r5, %r0, %r2;
            mad.lo.cc.u32 %r5, %r0, %r3, %r5; madc.hi.u32 %r6, %r0, %r3, 0;
            mad.lo.cc.u32 %r5, %r1, %r2, %r5; madc.hi.cc.u32 %r6, %r1, %r2, %r6; addc.u32 %r7, 0, 0;
            mad.lo.cc.u32 %r6, %r1, %r3, %r6; madc.hi.u32 %r7, %r1, %r3, %r7;";
        let product = |i: usize| BigUint::from(a[i]) * BigUint::from(b[i]);
        let low = run(&format!("{body} mov.b64 %d, {{%r4, %r5}};"), "b64", &[("b64", a), ("b64", b)]);
        check("low half", low, |i| word(&product(i), 0))?;
        let high = run(&format!("{body} mov.b64 %d, {{%r6, %r7}};"), "b64", &[("b64", a), ("b64", b)]);
        check("high half", high, |i| word(&product(i), 1))?;
    }

    /// The upper half of a signed product is signed.
    #[test]
    fn signed_halves(a in ints(), b in ints(), c in ints()) {
        let inputs = [("b64", a), ("b64", b), ("b64", c)];
        let found = run("add.cc.u64 %l0, -1, 1; madc.hi.s64 %d, %a, %b, %c;", "b64", &inputs);
        check("madc.hi.s64", found, |i| {
            let product = BigInt::from(a[i] as i64) * BigInt::from(b[i] as i64);
            let sum: BigInt = (product >> 64usize) + BigInt::from(c[i]) + 1 + (BigInt::from(1) << 128usize);
            assert_ne!(sum.sign(), Sign::Minus);
            word(sum.magnitude(), 0)
        })?;
    }

    #[test]
    fn products_of_24_bits(a in ints(), b in ints(), c in ints()) {
        let (a, b, c) = (a.map(|x| x & 0xFFFF_FFFF), b.map(|x| x & 0xFFFF_FFFF), c.map(|x| x & 0xFFFF_FFFF));
        let inputs = [("b32", a), ("b32", b), ("b32", c)];
        let op = |op, expected: Expected| check_op(op, "b32", &inputs[..2], expected);
        let signed = |x: u64| i64::from((x as i32) << 8 >> 8);
        let unsigned = |x: u64| x & 0xFF_FFFF;
        op("mul24.lo.u32", &|i| unsigned(a[i]) * unsigned(b[i]) & 0xFFFF_FFFF)?;
        op("mul24.hi.u32", &|i| unsigned(a[i]) * unsigned(b[i]) >> 16)?;
        op("mul24.lo.s32", &|i| (signed(a[i]) * signed(b[i])) as u64 & 0xFFFF_FFFF)?;
        let high = |i: usize| (signed(a[i]) * signed(b[i]) >> 16) as u64;
        op("mul24.hi.s32", &|i| high(i) & 0xFFFF_FFFF)?;
        check_op("mad24.hi.s32", "b32", &inputs, &|i| high(i).wrapping_add(c[i]) & 0xFFFF_FFFF)?;
    }
}
