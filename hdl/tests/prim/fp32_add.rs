//! The adder against the addition of this machine, which is IEEE 754.

use crate::common::{clock, connected, Random, Word};
use hdl::prim::fp32_add::Fp32Add;

/// The sums of all pairs, one pair a cycle.
fn sums(pairs: &[(u32, u32)]) -> Vec<u32> {
    let mut adder = connected!(Fp32Add::default());
    let mut sums = vec![];
    for i in 0..pairs.len() + 3 {
        let (a, b) = pairs.get(i).copied().unwrap_or_default();
        (adder.a.next, adder.b.next) = ((a as u64).into(), (b as u64).into());
        clock!(adder);
        sums.push(adder.sum.word() as u32);
    }
    sums.split_off(3)
}

fn expected(a: u32, b: u32) -> u32 {
    let sum = f32::from_bits(a) + f32::from_bits(b);
    if sum.is_nan() {
        0x7fff_ffff
    } else {
        sum.to_bits()
    }
}

fn check(pairs: &[(u32, u32)]) {
    for (&(a, b), sum) in pairs.iter().zip(sums(pairs)) {
        assert_eq!(sum, expected(a, b), "{a:08x} + {b:08x} gives {sum:08x}, not {:08x}", expected(a, b));
    }
}

#[test]
fn known_sums_take_four_cycles() {
    let pairs = [(1.5f32, 2.25f32), (1.0, -1.0), (-0.0, -0.0), (0.0, -0.0), (f32::MAX, f32::MAX), (1e-45, 1e-45)];
    let bits: Vec<_> = pairs.map(|(a, b)| (a.to_bits(), b.to_bits())).to_vec();
    let known = [3.75f32, 0.0, -0.0, 0.0, f32::INFINITY, 3e-45].map(f32::to_bits);
    assert_eq!(sums(&bits), known);
    assert_eq!(sums(&[(0x7f80_0000, 0xff80_0000), (0xffc0_0001, 0)]), [0x7fff_ffff; 2]);
}

#[test]
fn every_pair_of_corner_cases() {
    let zero_and_subnormals = [0, 1, 2, 3, 0x0000ffff, 0x007ffffe, 0x007fffff];
    let smallest_normals = [0x00800000, 0x00800001, 0x00ffffff, 0x01000000, 0x01000001];
    let ties_beside_1 = [0x33800000, 0x33800001, 0x33000000, 0x33000001, 0x32ffffff, 0x33ffffff];
    let about_1 = [0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fffffff, 0x40000000, 0x4b7fffff, 0x4b800000, 0x4b800001];
    let half_a_unit_of_the_largest = [0x73000000, 0x72800000, 0x72ffffff, 0x73800000];
    let largest = [0x7effffff, 0x7f000000, 0x7f7ffffe, 0x7f7fffff];
    let infinity_and_nan = [0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff];
    let magnitudes = [
        &zero_and_subnormals[..],
        &smallest_normals,
        &ties_beside_1,
        &about_1,
        &half_a_unit_of_the_largest,
        &largest,
        &infinity_and_nan,
    ]
    .concat();
    let words: Vec<u32> = magnitudes.iter().flat_map(|&m: &u32| [m, m | 1 << 31]).collect();
    let pairs: Vec<_> = words.iter().flat_map(|&a| words.iter().map(move |&b| (a, b))).collect();
    check(&pairs);
}

#[test]
fn random_pairs_of_all_kinds() {
    let mut random = Random(7);
    let mut random = || random.bits() as u32;
    let mut pairs = vec![];
    for _ in 0..5_000 {
        let (a, b, c) = (random(), random(), random());
        pairs.push((a, b));
        // Exponents that differ by up to 31, so that the significands meet.
        let near = (a >> 23 & 0xff).saturating_add_signed((c % 63) as i32 - 31) & 0xff;
        pairs.push((a, b & 0x807f_ffff | near << 23));
        // Long carries and long borrows.
        pairs.push((a & 0xffff_0000, (a ^ 1 << 31) & 0xffff_ff00 | c & 0xff));
        // Subnormals.
        pairs.push((a & 0x80ff_ffff, b & 0x80ff_ffff));
    }
    check(&pairs);
}
