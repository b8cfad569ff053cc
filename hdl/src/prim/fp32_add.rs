//! IEEE 754 binary32 addition: round to nearest, ties to even, subnormals kept.
//!
//! ```text
//!  a, b --> unpack, larger --[r]--> align to --[r]--> add or --[r]--> shift out --[r]--> round, --[r]--> sum
//!           magnitude first         the larger        subtract        leading zeros      pack
//! ```
//!
//! Latency 5, one a cycle. The significand of 24 bits goes on with a guard, a round and a sticky bit, and one bit above
//! for the carry. Leading zeros are shifted out until the exponent would fall below that of the subnormals: a marker bit
//! at that place stops the count. A NaN result is 0x7FFFFFFF, as CUDA's; x + (-x) is +0. The pipeline holds data alone and
//! is not reset.

use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Bits of a significand, the hidden one included.
const SIGNIFICAND: usize = 24;

/// Bits of the sum: carry, significand, guard, round, sticky.
const SUM: usize = SIGNIFICAND + 4;

network! {
    /// `sum` is a + b five cycles later.
    pub struct Fp32Add, inputs Inputs, clocked {
        in a: Signal<In, Bits<32>>,
        in b: Signal<In, Bits<32>>,
        out sum: Signal<Out, Bits<32>>,
    }
}

impl Default for Fp32Add {
    fn default() -> Self {
        Self::describe_as(|b, i| describe(b, &i))
    }
}

/// An operand, taken apart.
struct Operand<'a> {
    sign: Net<'a>,
    /// That of the subnormals is 1, as that of the smallest normals.
    exponent: Net<'a>,
    significand: Net<'a>,
    infinite: Net<'a>,
    nan: Net<'a>,
}

/// What goes beside the significands through the stages.
#[derive(Clone, Copy)]
struct Beside<'a> {
    sign: Net<'a>,
    subtract: Net<'a>,
    infinite: Net<'a>,
    nan: Net<'a>,
}

impl<'a> Beside<'a> {
    fn next_stage(self, b: &'a Builder, stage: usize) -> Self {
        let delay = |name: &str, net| b.delay(format!("{name}_{stage}"), net);
        Self {
            sign: delay("sign", self.sign),
            subtract: delay("subtract", self.subtract),
            infinite: delay("infinite", self.infinite),
            nan: delay("nan", self.nan),
        }
    }
}

fn describe<'a>(b: &'a Builder, i: &Inputs<'a>) {
    b.comment("Stage 1: take apart, larger magnitude first.");
    let (x, y) = (unpack(b, "a", i.a), unpack(b, "b", i.b));
    let swap = i.a.slice(0, 31).below(i.b.slice(0, 31)).name("swap");
    let subtract = (x.sign ^ y.sign).name("signs_differ");
    let beside = Beside {
        sign: swap.mux(y.sign, x.sign),
        subtract,
        infinite: x.infinite | y.infinite,
        nan: x.nan | y.nan | (x.infinite & y.infinite & subtract),
    };
    let beside = beside.next_stage(b, 1);
    let exponent = b.delay("exponent_1", swap.mux(y.exponent, x.exponent));
    let distance = b.delay("distance_1", swap.mux(y.exponent - x.exponent, x.exponent - y.exponent));
    let large = b.delay("large_1", swap.mux(y.significand, x.significand));
    let small = b.delay("small_1", swap.mux(x.significand, y.significand));

    b.comment("Stage 2: shift the smaller one to the larger one's place; what falls out makes the sticky bit.");
    let aligned = b.delay("aligned_2", align(b, small, distance));
    let large = b.delay("large_2", large);
    let exponent = b.delay("exponent_2", exponent);
    let beside = beside.next_stage(b, 2);

    b.comment("Stage 3: add or subtract; mark how far the sum may be shifted.");
    let (wide_large, wide_small) = (b.bits(&[b.constant(0, 3), large, b.low()]), aligned.extend(SUM));
    let (wide_large, wide_small) = (wide_large.name("wide_large"), wide_small.name("wide_small"));
    let sum = b.delay("sum_3", beside.subtract.mux(wide_large - wide_small, wide_large + wide_small));
    let limit: Vec<_> = (0..SUM).map(|place| exponent.is((SUM - 1 - place) as u64)).collect();
    let limit = b.delay("limit_3", b.bits(&limit).name("limit"));
    let exponent = b.delay("exponent_3", exponent.increment());
    let beside = beside.next_stage(b, 3);

    b.comment("Stage 4: shift leading zeros out.");
    let (shifted, shift) = shift_out_zeros(b, sum, limit);
    let shifted = b.delay("shifted_4", shifted);
    let exponent = b.delay("exponent_4", exponent - shift.extend(8));
    let beside = beside.next_stage(b, 4);

    b.comment("Stage 5: round and pack. A carry out of the fraction goes on into the exponent.");
    let normal = shifted.bit(SUM - 1);
    let unrounded = b.bits(&[shifted.slice(4, SIGNIFICAND - 1), normal.repeat(8) & exponent]).name("unrounded");
    let guard = shifted.bit(3);
    let up = (guard & (shifted.slice(0, 3).any() | shifted.bit(4))).name("round_up");
    let rounded = (unrounded + up.extend(31)).name("rounded");
    let overflow = normal & exponent.is(255);
    let infinite = (beside.infinite | overflow).name("result_infinite");
    // A difference of nothing is +0.
    let sign = (beside.sign & !(beside.subtract & !shifted.any())).name("result_sign");
    let finite = b.bits(&[rounded, sign]);
    let infinity = b.bits(&[b.constant(0xff << 23, 31), sign]);
    let number = infinite.mux(infinity, finite);
    b.output("sum", b.delay("sum", beside.nan.mux(b.constant(0x7fff_ffff, 32), number)));
}

fn unpack<'a>(b: &'a Builder, name: &str, word: Net<'a>) -> Operand<'a> {
    let named = |part: &str, net: Net<'a>| net.name(format!("{part}_of_{name}"));
    let field = named("field", word.slice(23, 8));
    let normal = named("normal", field.any());
    let top = named("top", field.is(255));
    let fraction = named("fraction", word.slice(0, 23).any());
    Operand {
        sign: word.bit(31),
        exponent: named("exponent", b.bits(&[field.bit(0) | !normal, field.slice(1, 7)])),
        significand: named("significand", b.bits(&[word.slice(0, 23), normal])),
        infinite: named("infinite", top & !fraction),
        nan: named("nan", top & fraction),
    }
}

/// Significand, guard, round and sticky bit of `small`, shifted right by `distance`.
fn align<'a>(b: &'a Builder, small: Net<'a>, distance: Net<'a>) -> Net<'a> {
    const WIDTH: usize = SIGNIFICAND + 2;
    let far = distance.slice(5, 3).any().name("far");
    let mut shifted = b.bits(&[b.constant(0, 2), small]).name("small_wide");
    let mut sticky = (far & small.any()).name("sticky_far");
    for step in (0..5).rev() {
        let (by, shift) = (1 << step, distance.bit(step));
        let right = b.bits(&[shifted.slice(by, WIDTH - by), b.constant(0, by)]);
        sticky = (sticky | (shift & shifted.slice(0, by).any())).name(format!("sticky_{by}"));
        shifted = shift.mux(right, shifted).name(format!("small_by_{by}"));
    }
    b.bits(&[sticky, (!far).repeat(WIDTH) & shifted])
}

/// `sum` without its leading zeros, but not beyond the bit that `limit` marks, and by how many places it was shifted.
fn shift_out_zeros<'a>(b: &'a Builder, sum: Net<'a>, limit: Net<'a>) -> (Net<'a>, Net<'a>) {
    const STEPS: usize = 5;
    let mut shifted = sum;
    // A step looks at the upper `by` bits of 2 x `by` - 1; the others belong to the steps after it.
    let mut seen = b.bits(&[b.constant(0, (1 << STEPS) - 1 - SUM), sum | limit]).name("sum_and_limit");
    let mut places = vec![];
    for step in (0..STEPS).rev() {
        let by = 1 << step;
        let zeros = (!seen.slice(by - 1, by).any()).name(format!("zeros_{by}"));
        let left = b.bits(&[b.constant(0, by), shifted.slice(0, SUM - by)]);
        shifted = zeros.mux(left, shifted).name(format!("sum_by_{by}"));
        if step > 0 {
            seen = zeros.mux(seen.slice(0, by - 1), seen.slice(by, by - 1)).name(format!("seen_by_{by}"));
        }
        places.insert(0, zeros);
    }
    (shifted, b.bits(&places))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sums of all pairs, one pair a cycle.
    fn sums(pairs: &[(u32, u32)]) -> Vec<u32> {
        let mut adder = Box::new(Fp32Add::default());
        adder.connect_all();
        check_all(&*adder).unwrap();
        let mut sums = vec![];
        for i in 0..pairs.len() + 4 {
            let (a, b) = pairs.get(i).copied().unwrap_or_default();
            (adder.a.next, adder.b.next) = ((a as u64).into(), (b as u64).into());
            for level in [false, true] {
                adder.clock.next = level.into();
                assert!(simulate(&mut *adder, 100));
            }
            sums.push(adder.sum.val().to_u64() as u32);
        }
        sums.split_off(4)
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
    fn known_sums_take_five_cycles() {
        let pairs = [(1.5f32, 2.25f32), (1.0, -1.0), (-0.0, -0.0), (0.0, -0.0), (f32::MAX, f32::MAX), (1e-45, 1e-45)];
        let bits: Vec<_> = pairs.map(|(a, b)| (a.to_bits(), b.to_bits())).to_vec();
        let known = [3.75f32, 0.0, -0.0, 0.0, f32::INFINITY, 3e-45].map(f32::to_bits);
        assert_eq!(sums(&bits), known);
        assert_eq!(sums(&[(0x7f80_0000, 0xff80_0000), (0xffc0_0001, 0)]), [0x7fff_ffff; 2]);
    }

    #[test]
    fn every_pair_of_corner_cases() {
        let magnitudes = [
            0,
            1,
            2,
            3,
            0x0000_ffff,
            0x007f_fffe,
            0x007f_ffff, // zero and subnormals
            0x0080_0000,
            0x0080_0001,
            0x00ff_ffff,
            0x0100_0000,
            0x0100_0001, // the smallest normals
            0x3380_0000,
            0x3380_0001,
            0x3300_0000,
            0x3300_0001,
            0x32ff_ffff,
            0x33ff_ffff, // ties beside 1
            0x3f7f_ffff,
            0x3f80_0000,
            0x3f80_0001,
            0x3fff_ffff,
            0x4000_0000,
            0x4b7f_ffff,
            0x4b80_0000,
            0x4b80_0001,
            0x7300_0000,
            0x7280_0000,
            0x72ff_ffff,
            0x7380_0000, // half a unit of the largest
            0x7eff_ffff,
            0x7f00_0000,
            0x7f7f_fffe,
            0x7f7f_ffff, // the largest
            0x7f80_0000,
            0x7f80_0001,
            0x7fc0_0000,
            0x7fff_ffff, // infinity and NaN
        ];
        let words: Vec<u32> = magnitudes.iter().flat_map(|&m: &u32| [m, m | 1 << 31]).collect();
        let pairs: Vec<_> = words.iter().flat_map(|&a| words.iter().map(move |&b| (a, b))).collect();
        check(&pairs);
    }

    #[test]
    fn random_pairs_of_all_kinds() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 32) as u32
        };
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
}
