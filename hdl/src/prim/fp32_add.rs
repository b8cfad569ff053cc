//! IEEE 754 binary32 addition: round to nearest, ties to even, subnormals kept.
//!
//! ```text
//!  a, b --> unpack, larger --[r]--> align to --[r]--> add or --[r]-+-> up to two places, round --+--[r]--> sum
//!           magnitude first         the larger        subtract     '-> shift out more zeros -----'
//! ```
//!
//! Latency 4, one a cycle. The significand of 24 bits goes on with a guard, a round and a sticky bit, and one bit above
//! for the carry. A sum that loses more than two leading places is exact, so that the shift and the rounding stand side
//! by side. Leading zeros are shifted out until the exponent would fall below that of the subnormals: a marker bit at that
//! place stops the count. An infinity goes through as a number with the exponent 255, a NaN as one with all bits high; the
//! other operand is then as far away as possible, and what it changes is rounded away. A NaN result is 0x7FFFFFFF, as
//! CUDA's; x + (-x) is +0. The pipeline holds data alone and is not reset.

use super::fp32_format::{EXPONENT, FRACTION, SIGNIFICAND, SUM};
use super::fp32_round::{round, shift_out_zeros, Early, Limit, Place};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// `sum` is a + b four cycles later.
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
    /// The number is an infinity or a NaN.
    top: Net<'a>,
    nan: Net<'a>,
}

/// Values that go through the stages with the significands.
#[derive(Clone, Copy)]
struct Beside<'a> {
    /// The exponent of the larger operand.
    exponent: Net<'a>,
    sign: Net<'a>,
    subtract: Net<'a>,
}

impl<'a> Beside<'a> {
    fn next_stage(self, b: &'a Builder, stage: usize) -> Self {
        let delay = |name: &str, net| b.delay(format!("{name}_{stage}"), net);
        Self {
            exponent: delay("exponent", self.exponent),
            sign: delay("sign", self.sign),
            subtract: delay("subtract", self.subtract),
        }
    }
}

fn describe<'a>(b: &'a Builder, i: &Inputs<'a>) {
    b.comment("Stage 1: take apart, larger magnitude first.");
    let (x, y) = (unpack(b, "a", i.a), unpack(b, "b", i.b));
    let (distance, order) = compare(b, x.exponent, y.exponent);
    let swap = order.lower | (order.equal & x.significand.below(y.significand));
    let swap = swap.name("swap");
    let subtract = (x.sign ^ y.sign).name("signs_differ");
    let nan = (x.nan | y.nan | (x.top & y.top & subtract)).name("nan");
    let sign = !nan & swap.mux(y.sign, x.sign);
    let beside = Beside { exponent: swap.mux(y.exponent, x.exponent), sign, subtract };
    let beside = beside.next_stage(b, 1);
    let large = b.delay("large_1", swap.mux(y.significand, x.significand) | nan.repeat(SIGNIFICAND));
    let small = b.delay("small_1", swap.mux(x.significand, y.significand));
    let distance = b.delay("distance_1", distance);
    let top = b.delay("top_1", x.top | y.top);

    b.comment("Stage 2: shift the smaller one to the larger one's place; what falls out makes the sticky bit.");
    let aligned = align(b, small, distance, top);
    let inverse = beside.subtract.repeat(SUM - 1);
    let aligned = b.delay("aligned_2", aligned ^ inverse);
    let large = b.delay("large_2", large);
    let beside = beside.next_stage(b, 2);

    b.comment("Stage 3: add or subtract.");
    let subtract = beside.subtract;
    let small = b.bits(&[aligned, subtract]).name("wide_small");
    let large = b.bits(&[b.constant(0, 3), large, b.low()]).name("wide_large");
    let carried = (b.bits(&[subtract, large]) + b.bits(&[subtract, small])).name("sum_and_carry_in");
    let _ = carried.bit(0).name("unused_sum");
    let sum = b.delay("sum_3", carried.slice(1, SUM));
    let early = Early::of(b, beside.exponent);
    let beside = beside.next_stage(b, 3);

    b.comment("Stage 4: round what is shifted by up to two places, or shift out more zeros.");
    let stops = Limit::of(beside.exponent, early).stops(sum);
    let place = Place::of(sum, &stops);
    let rounded = round(b, sum, &place, beside.exponent);
    let (shifted, shift) = shift_out_zeros(b, sum, &stops);

    b.comment("Pack. A carry out of the fraction goes on into the exponent.");
    let upper = (place.carry | place.first).name("upper_place");
    // Less the shift and one: its inverse.
    let change = b.bits(&[!shift, b.high().repeat(EXPONENT - 5)]) & (!upper).repeat(EXPONENT);
    let change = (change | place.carry.extend(EXPONENT)).name("exponent_change");
    let carried = b.bits(&[rounded.carry, beside.exponent]) + b.bits(&[rounded.carry, change]);
    let carried = carried.name("exponent_and_carry_in");
    let _ = carried.bit(0).name("unused_exponent");
    let normal = place.carry | place.first.mux(sum.bit(SUM - 2), shifted.bit(FRACTION));
    let exponent = carried.slice(1, EXPONENT) & normal.name("normal").repeat(EXPONENT);
    let few = (upper | place.second).name("few_places");
    let fraction = few.mux(rounded.fraction, shifted.slice(0, FRACTION));
    // A difference of nothing is +0.
    let negative = beside.sign & !(beside.subtract & !sum.any());
    b.output("sum", b.delay("sum", b.bits(&[fraction, exponent, negative])));
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
        top,
        nan: named("nan", top & fraction),
    }
}

/// The order of two exponents.
struct Order<'a> {
    lower: Net<'a>,
    equal: Net<'a>,
}

/// The distance of two exponents, and their order. One difference serves both signs: `x + !y` is x - y - 1, so that its
/// inverse is y - x, and with its own carry added it is x - y.
fn compare<'a>(b: &'a Builder, x: Net<'a>, y: Net<'a>) -> (Net<'a>, Order<'a>) {
    let inverse = (!y).name("inverse");
    let raw = (x.extend(EXPONENT + 1) + inverse.extend(EXPONENT + 1)).name("difference");
    let _ = raw.slice(0, EXPONENT).name("unused_difference");
    let higher = raw.bit(EXPONENT);
    let carried = (b.bits(&[higher, x]) + b.bits(&[higher, inverse])).name("difference_and_carry_in");
    let _ = carried.bit(0).name("unused_carry_in");
    let distance = (carried.slice(1, EXPONENT) ^ (!higher).repeat(EXPONENT)).name("distance");
    let equal = x.equals(y).name("exponents_equal");
    (distance, Order { lower: !higher & !equal, equal })
}

/// Significand, guard, round and sticky bit of `small`, shifted right by `distance`, or as far as possible: then the sticky
/// bit alone is left.
fn align<'a>(b: &'a Builder, small: Net<'a>, distance: Net<'a>, farthest: Net<'a>) -> Net<'a> {
    const WIDTH: usize = SIGNIFICAND + 2;
    let far = (farthest | distance.slice(5, EXPONENT - 5).any()).name("far");
    let mut shifted = b.bits(&[b.constant(0, 2), small]).name("small_wide");
    let mut sticky = b.low();
    for step in (0..5).rev() {
        let by = 1 << step;
        let shift = (far | distance.bit(step)).name(format!("shifts_by_{by}"));
        let right = b.bits(&[shifted.slice(by, WIDTH - by), b.constant(0, by)]);
        sticky = (sticky | (shift & shifted.slice(0, by).any())).name(format!("sticky_{by}"));
        shifted = shift.mux(right, shifted).name(format!("small_by_{by}"));
    }
    b.bits(&[sticky, shifted])
}
