//! The last stage of `fp32_add`: rounding, and the shift of leading zeros.
//!
//! ```text
//!  sum, exponent --> where the count of zeros stops --+--> one of the upper three places: choose, round --> fraction, carry
//!                                                     '--> below: count zeros, shift ------------------> fraction
//! ```
//!
//! A sum that stops below the upper three places is the difference of neighbours, and exact.

use super::fp32_format::{EXPONENT, FRACTION, SIGNIFICAND, SUM};
use crate::circuit::net::{Builder, Net};

/// The lowest place of the sum that a count of zeros looks at: lower ones are low if it gets there.
const LOWEST: usize = 2;

/// Facts on the exponent from stage 3, so that stage 4 need not wait for it.
pub(super) struct Early<'a> {
    /// The exponent is below 32.
    low: Net<'a>,
    /// Two bits: the exponent is 1, and it is 2.
    is: [Net<'a>; 2],
}

impl<'a> Early<'a> {
    pub(super) fn of(b: &'a Builder, exponent: Net<'a>) -> Self {
        Self {
            low: b.delay("exponent_low_3", !exponent.slice(5, EXPONENT - 5).any()),
            is: [1, 2].map(|n| b.delay(format!("exponent_is_{n}_3"), exponent.is(n))),
        }
    }
}

/// The largest shift of a sum to the left: to exponent 1. The exponent is decoded in two parts, `fours` and `ones`.
pub(super) struct Limit<'a> {
    early: Early<'a>,
    fours: Vec<Net<'a>>,
    ones: Vec<Net<'a>>,
}

impl<'a> Limit<'a> {
    pub(super) fn of(exponent: Net<'a>, early: Early<'a>) -> Self {
        let fours = (0..7).map(|n| (early.low & exponent.slice(2, 3).is(n)).name(format!("limit_fours_{n}")));
        let ones = (0..4).map(|n| exponent.slice(0, 2).is(n).name(format!("limit_ones_{n}")));
        Self { fours: fours.collect(), ones: ones.collect(), early }
    }

    /// One bit per place of the sum from 2 up to below the carry: the count of zeros stops there, at a high bit or at
    /// the last one that may be shifted to the top.
    pub(super) fn stops(&self, sum: Net<'a>) -> Vec<Net<'a>> {
        let last = |shift: usize| match shift {
            1 | 2 => self.early.is[shift - 1],
            _ => self.fours[shift / 4] & self.ones[shift % 4],
        };
        let stop = |place: usize| {
            let stop = sum.bit(place) | last(SUM - 1 - place);
            // Nobody asks for the last one: a count that gets there ends.
            if place == LOWEST {
                stop
            } else {
                stop.name(format!("stops_{place}"))
            }
        };
        (LOWEST..SUM - 1).map(stop).collect()
    }
}

/// At which of the upper three places of the sum its count of zeros stops.
pub(super) struct Place<'a> {
    pub(super) carry: Net<'a>,
    pub(super) first: Net<'a>,
    pub(super) second: Net<'a>,
}

impl<'a> Place<'a> {
    pub(super) fn of(sum: Net<'a>, stops: &[Net<'a>]) -> Self {
        let [.., second, first] = stops else { panic!("a sum has more places") };
        let carry = sum.bit(SUM - 1);
        Self {
            carry,
            first: (!carry & *first).name("stops_at_first"),
            second: (!carry & !*first & *second).name("stops_at_second"),
        }
    }
}

/// A rounded fraction, and its carry.
pub(super) struct Rounded<'a> {
    pub(super) fraction: Net<'a>,
    pub(super) carry: Net<'a>,
}

/// Rounds the sum that stops at one of the upper three places; 0 elsewhere, and where the carry makes an infinity.
pub(super) fn round<'a>(b: &'a Builder, sum: Net<'a>, place: &Place<'a>, exponent: Net<'a>) -> Rounded<'a> {
    let overflow = exponent.is(254).name("carry_overflows");
    let carry = (place.carry & !overflow).name("carry_rounds");
    let select = [carry, place.first, place.second];
    let choose = |name: &str, of: &dyn Fn(usize) -> Net<'a>| b.one_of(&select, &[3, 2, 1].map(of)).name(name);
    let fraction = choose("unrounded", &|guard| sum.slice(guard + 1, FRACTION));
    let guard = choose("guard", &|guard| sum.bit(guard));
    let sticky = choose("sticky", &|guard| sum.slice(0, guard).any());
    let up = (guard & (sticky | fraction.bit(0))).name("round_up");
    increment(b, fraction, up)
}

/// `fraction` and one more where it goes `up`. That comes late: what the bits say of the carry is found before it.
fn increment<'a>(b: &'a Builder, fraction: Net<'a>, up: Net<'a>) -> Rounded<'a> {
    const GROUP: usize = 6;
    let low = (!fraction).name("unrounded_low");
    let all = |from: usize, width: usize| !low.slice(from, width).any();
    let mut carries = vec![];
    let mut below = b.high();
    for from in (0..FRACTION).step_by(GROUP) {
        let width = GROUP.min(FRACTION - from);
        let comes = if from == 0 { up } else { (up & below).name(format!("carry_into_{from}")) };
        carries.extend((0..width).map(|bit| if bit == 0 { comes } else { comes & all(from, bit) }));
        below = (below & all(from, width)).name(format!("all_high_below_{}", from + width));
    }
    let rounded = (fraction ^ b.bits(&carries)).name("rounded");
    Rounded { fraction: rounded, carry: (up & below).name("round_carries") }
}

/// The significand below the upper two places of `sum`, shifted to where the count of zeros stops, and by how many places.
pub(super) fn shift_out_zeros<'a>(b: &'a Builder, sum: Net<'a>, stops: &[Net<'a>]) -> (Net<'a>, Net<'a>) {
    let zeros = count_zeros(b, &stops[..SIGNIFICAND]);
    let mut shifted = sum.slice(LOWEST, SIGNIFICAND).name("sum_below_upper");
    for step in (0..zeros.width()).rev() {
        let by = 1 << step;
        let left = b.bits(&[b.constant(0, by), shifted.slice(0, SIGNIFICAND - by)]);
        shifted = zeros.bit(step).mux(left, shifted).name(format!("sum_by_{by}"));
    }
    (shifted, zeros)
}

/// The number of low bits above the highest high one.
fn count_zeros<'a>(b: &'a Builder, bits: &[Net<'a>]) -> Net<'a> {
    let mut nodes: Vec<_> = bits.iter().rev().map(|&bit| (bit, vec![])).collect();
    for level in 0.. {
        let last = nodes.len().div_ceil(2) - 1;
        let node = |(n, pair): (usize, &[(Net<'a>, Vec<Net<'a>>)])| match pair {
            [(upper_any, upper), (lower_any, lower)] => {
                let any = *upper_any | *lower_any;
                // Nobody asks below the last one.
                let any = if n == last { any } else { any.name(format!("some_{level}_{n}")) };
                let choose = |(&upper, &lower): (&Net<'a>, &Net<'a>)| upper_any.mux(upper, lower);
                let mut zeros: Vec<_> = upper.iter().zip(lower).map(choose).collect();
                zeros.push(!*upper_any);
                (any, zeros)
            }
            _ => {
                let (any, mut zeros) = pair[0].clone();
                zeros.push(b.low());
                (any, zeros)
            }
        };
        nodes = nodes.chunks(2).enumerate().map(node).collect();
        if let [(_, zeros)] = &nodes[..] {
            return b.bits(zeros).name("zeros");
        }
    }
    unreachable!("a tree has a root")
}
