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
        in a, b: Signal<In, Bits<32>>,
        out sum: Signal<Out, Bits<32>>,
    } described by describe
}

/// An operand, taken apart.
struct Operand<'a> {
    sign: Net<'a>,
    /// The exponent. Subnormals have 1, like the smallest normal numbers.
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
