//! Logic, bit counting and bit fields.

use proptest::prelude::*;

use super::lane::{check_op, ints, run_once, Expected};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn logic(a in ints(), b in ints()) {
        for (bits, mask) in [("b16", 0xFFFF), ("b32", 0xFFFF_FFFF), ("b64", u64::MAX)] {
            let op = |op, expected: Expected| check_op(&format!("{op}.{bits}"), bits, &[(bits, a), (bits, b)], expected);
            op("and", &|i| a[i] & b[i] & mask)?;
            op("or", &|i| (a[i] | b[i]) & mask)?;
            op("xor", &|i| (a[i] ^ b[i]) & mask)?;
            let op = |op, expected: Expected| check_op(&format!("{op}.{bits}"), bits, &[(bits, a)], expected);
            op("not", &|i| !a[i] & mask)?;
            op("cnot", &|i| u64::from(a[i] & mask == 0))?;
        }
    }

    #[test]
    fn counting(a in ints()) {
        let op = |op, bits, expected: Expected| check_op(op, "b32", &[(bits, a)], expected);
        op("popc.b32", "b32", &|i| u64::from((a[i] as u32).count_ones()))?;
        op("popc.b64", "b64", &|i| u64::from(a[i].count_ones()))?;
        op("clz.b32", "b32", &|i| u64::from((a[i] as u32).leading_zeros()))?;
        op("clz.b64", "b64", &|i| u64::from(a[i].leading_zeros()))?;
        op("bfind.u32", "b32", &|i| u64::from((a[i] as u32).checked_ilog2().unwrap_or(u32::MAX)))?;
        op("bfind.u64", "b64", &|i| u64::from(a[i].checked_ilog2().unwrap_or(u32::MAX)))?;
        op("bfind.s32", "b32", &|i| {
            let x = a[i] as i32;
            u64::from(((x ^ (x >> 31)) as u32).checked_ilog2().unwrap_or(u32::MAX))
        })?;
        op("bfind.shiftamt.u32", "b32", &|i| match a[i] as u32 {
            0 => u64::from(u32::MAX),
            x => u64::from(x.leading_zeros()),
        })?;
        check_op("brev.b32", "b32", &[("b32", a)], &|i| u64::from((a[i] as u32).reverse_bits()))?;
        check_op("brev.b64", "b64", &[("b64", a)], &|i| a[i].reverse_bits())?;
    }

    /// Bit by bit, as the PTX manual defines it.
    #[test]
    fn bit_fields(a in ints(), b in ints(), from in ints(), length in ints()) {
        for (ty, width) in [("u32", 32), ("s32", 32), ("u64", 64), ("s64", 64)] {
            let bits = &format!("b{width}");
            let inputs = [(bits.as_str(), a), ("b32", from), ("b32", length)];
            check_op(&format!("bfe.{ty}"), bits, &inputs, &|i| {
                let (pos, len, msb) = (from[i] & 0xFF, length[i] & 0xFF, width - 1);
                let sign = ty.starts_with('s') && len > 0 && a[i] >> (pos + len - 1).min(msb) & 1 == 1;
                let bit = |k| if k < len && pos + k <= msb { a[i] >> (pos + k) & 1 } else { u64::from(sign) };
                (0..=msb).map(|k| bit(k) << k).sum()
            })?;
        }
        for width in [32, 64] {
            let bits = &format!("b{width}");
            let inputs = [(bits.as_str(), a), (bits.as_str(), b), ("b32", from), ("b32", length)];
            check_op(&format!("bfi.b{width}"), bits, &inputs, &|i| {
                let (pos, len) = (from[i] & 0xFF, length[i] & 0xFF);
                let source = |k| if k >= pos && k < pos + len { a[i] >> (k - pos) } else { b[i] >> k };
                (0..width).map(|k| (source(k) & 1) << k).sum()
            })?;
        }
    }

    #[test]
    fn funnel_shifts(a in ints(), b in ints(), c in ints()) {
        let op = |op, expected: Expected| check_op(op, "b32", &[("b32", a), ("b32", b), ("b32", c)], expected);
        let both = |i: usize| u128::from((b[i] & 0xFFFF_FFFF) << 32 | a[i] & 0xFFFF_FFFF);
        let clamp = |i: usize| u32::min(c[i] as u32, 32);
        let wrap = |i: usize| c[i] as u32 & 31;
        op("shf.l.clamp.b32", &|i| (both(i) << clamp(i) >> 32) as u64 & 0xFFFF_FFFF)?;
        op("shf.l.wrap.b32", &|i| (both(i) << wrap(i) >> 32) as u64 & 0xFFFF_FFFF)?;
        op("shf.r.clamp.b32", &|i| (both(i) >> clamp(i)) as u64 & 0xFFFF_FFFF)?;
        op("shf.r.wrap.b32", &|i| (both(i) >> wrap(i)) as u64 & 0xFFFF_FFFF)?;
    }
}

#[test]
fn byte_permutation() {
    let prmt = |selectors| {
        run_once("prmt.b32 %d, %a, %b, %c;", "b32", &[("b32", 0x8382_0100), ("b32", 0x0706_0584), ("b32", selectors)])
    };
    assert_eq!(prmt(0x3210), 0x8382_0100);
    assert_eq!(prmt(0x7654), 0x0706_0584);
    assert_eq!(prmt(0x0123), 0x0001_8283);
    // The top bit of a selector asks for copies of the byte's sign.
    assert_eq!(prmt(0xBC98), 0xFFFF_0000);
}

#[test]
fn packing_and_unpacking() {
    let halves = "mov.b32 {%h0, %h1}, %a; mov.b32 %d, {%h1, %h0};";
    assert_eq!(run_once(halves, "b32", &[("b32", 0x1234_5678)]), 0x5678_1234);
    let words = "mov.b64 {%r0, _}, %a; mov.b64 %d, {%r0, 7};";
    assert_eq!(run_once(words, "b64", &[("b64", 0x1111_2222_3333_4444)]), 0x7_3333_4444);
    let quarters = "mov.b64 {%h0, %h1, %h2, %h3}, %a; mov.b64 %d, {%h3, %h2, %h1, %h0};";
    assert_eq!(run_once(quarters, "b64", &[("b64", 0x1111_2222_3333_4444)]), 0x4444_3333_2222_1111);
}

/// The modes of `prmt`, as the manual's table gives them: bytes of the result from the most significant on.
#[test]
fn permutations_by_table() {
    let (a, b) = (0x3322_1100u64, 0x7766_5544u64);
    let op =
        |mode: &str, c: u64| run_once(&format!("prmt.b32.{mode} %d, %a, %b, {c};"), "b32", &[("b32", a), ("b32", b)]);
    let all = |mode: &str| [0, 1, 2, 3].map(|c| op(mode, c));
    assert_eq!(all("f4e"), [0x3322_1100, 0x4433_2211, 0x5544_3322, 0x6655_4433]);
    assert_eq!(all("b4e"), [0x5566_7700, 0x6677_0011, 0x7700_1122, 0x0011_2233]);
    assert_eq!(all("rc8"), [0, 0x1111_1111, 0x2222_2222, 0x3333_3333]);
    assert_eq!(all("ecl"), [0x3322_1100, 0x3322_1111, 0x3322_2222, 0x3333_3333]);
    assert_eq!(all("ecr"), [0, 0x1111_1100, 0x2222_1100, 0x3322_1100]);
    assert_eq!(all("rc16"), [0x1100_1100, 0x3322_3322, 0x1100_1100, 0x3322_3322]);
}
