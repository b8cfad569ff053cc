//! Operands of `fp32_add`: any two numbers are legal. Random ones, and those that are hard to add: subnormals, ties,
//! cancellation, infinities, NaN.

use crate::stimulus::{events, Rng, Stimulus};
use sim::units::prim::pins::{Fp32AddIn, Fp32AddOut};

events! { Fp32AddStimulus:
    Exact = "a sum that need not be rounded",
    TieUp = "a tie that goes away from zero",
    TieDown = "a tie that goes towards zero",
    Inexact = "a sum that is rounded, but no tie",
    Grows = "the exponent grows",
    GrowsByRounding = "the exponent grows by rounding",
    Far = "the smaller operand is less than half an ulp of the larger",
    Zero = "x + (-x)",
    NegativeZero = "-0 + -0",
    ZeroAndNumber = "0 and a number",
    Cancels = "more than ten leading bits cancel",
    Subnormal = "a subnormal operand",
    Subnormals = "two subnormal operands",
    SubnormalSum = "a subnormal sum of normal operands",
    LeavesSubnormals = "a normal sum of subnormal operands",
    Overflow = "overflow",
    LargestSum = "the largest number as the sum",
    Infinity = "an infinity and a number",
    SameInfinities = "two equal infinities",
    OppositeInfinities = "two opposite infinities",
    Nan = "a NaN",
    Nans = "two NaN",
}

const SIGN: u32 = 1 << 31;
const INFINITY: u32 = 0x7f80_0000;
const FRACTION: u32 = 0x007f_ffff;
const LARGEST: u32 = 0x7f7f_ffff;

pub struct Fp32AddStimulus {
    rng: Rng,
    findings: Findings,
}

fn exponent(a: u32) -> u32 {
    a >> 23 & 0xff
}

fn is_subnormal(a: u32) -> bool {
    exponent(a) == 0 && a & FRACTION != 0
}

fn is_nan(a: u32) -> bool {
    a & !SIGN > INFINITY
}

fn is_infinite(a: u32) -> bool {
    a & !SIGN == INFINITY
}

impl Fp32AddStimulus {
    pub fn new(seed: u64) -> Self {
        Fp32AddStimulus { rng: Rng::new(seed), findings: Findings::default() }
    }

    /// Fractions with few ones or few zeros as often as any.
    fn fraction(&mut self) -> u32 {
        let random = self.rng.draw();
        let bits = random as u32 & FRACTION;
        match random >> 61 {
            0 => bits & (random >> 32) as u32 & (random >> 38) as u32,
            1 => (1 << ((random >> 32) % 24)) - 1,
            2 => FRACTION & !((1 << ((random >> 32) % 24)) - 1),
            _ => bits,
        }
    }

    fn operands(&mut self) -> (u32, u32) {
        let random = self.rng.draw();
        let (a, b) = (random as u32, (random >> 32) as u32);
        let kind = self.rng.below(13);
        match kind {
            // Exponents that are close.
            0..=2 => {
                let exponent = (exponent(a) + self.rng.below(60)).saturating_sub(30).min(254);
                (a & (SIGN | INFINITY) | self.fraction(), b & SIGN | exponent << 23 | self.fraction())
            }
            // Nearly or exactly opposite.
            3 if b >> 31 == 0 => (a, (a ^ SIGN).wrapping_add(b % 5).wrapping_sub(2)),
            // A single bit is left.
            3 => (a, a ^ SIGN ^ 1 << (b % 23)),
            4 => (a, a ^ SIGN ^ b & ((1 << (b >> 27)) - 1) & FRACTION),
            // The smaller one ends half an ulp below the larger.
            5 => self.tie(a, b),
            // Subnormals, and their neighbours.
            6 => (a & (SIGN | FRACTION), b & (SIGN | FRACTION)),
            7 => (a & (SIGN | 0x01ff_ffff), b & (SIGN | 0x00ff_ffff)),
            // Near overflow.
            8 => (a & SIGN | (LARGEST - (b & 3)), a & SIGN | 0x7300_0000 | b & 0x0fff_ffff),
            9 => (self.special(), b),
            10 => (self.special(), self.special()),
            // Small exponents: what is left when they cancel is subnormal, or nearly.
            11 => self.small_exponents(a, b),
            _ => (a, b),
        }
    }

    /// Bits of the smaller significand below the larger's last one are 1000...
    fn tie(&mut self, a: u32, b: u32) -> (u32, u32) {
        let distance = 1 + (b >> 8) % 24;
        let larger = exponent(a).clamp(distance + 1, 254);
        let below = self.fraction() & !((1 << distance) - 1) | 1 << (distance - 1);
        (a & (SIGN | FRACTION) | larger << 23, b & SIGN | (larger - distance) << 23 | below & FRACTION)
    }

    /// Opposite but for the last bits. One number of four is a power of two.
    fn small_exponents(&mut self, a: u32, b: u32) -> (u32, u32) {
        let fraction = if a & 3 == 0 { 0 } else { self.fraction() };
        let number = a & SIGN | self.rng.below(40) << 23 | fraction;
        let near = match b & 1 {
            0 => number.wrapping_add((b >> 1) % 5).wrapping_sub(2),
            _ => number ^ (b >> 1 & ((1 << ((b >> 26) % 24)) - 1)),
        };
        (number, near ^ SIGN)
    }

    fn special(&mut self) -> u32 {
        const NUMBERS: [u32; 12] = [
            0,
            SIGN,
            1,
            FRACTION,
            FRACTION + 1,
            LARGEST,
            INFINITY,
            SIGN | INFINITY,
            0x7fc0_0000,
            0x7f80_0001,
            0xffff_ffff,
            0x3f80_0000,
        ];
        let random = self.rng.draw() as u32;
        NUMBERS[self.rng.below(NUMBERS.len() as u32) as usize] ^ random & SIGN
    }

    fn count_numbers(&mut self, a: u32, b: u32) {
        let [x, y] = [a, b].map(f32::from_bits);
        let sum = x + y;
        // Exact if the exponents are not too far apart.
        let exact = f64::from(x) + f64::from(y);
        let is_exact = exact - f64::from(x) == f64::from(y) && exact - f64::from(y) == f64::from(x);
        let larger = exponent(a).max(exponent(b));
        let rounded = f64::from(sum) != exact;
        let up = f64::from(sum).abs() > exact.abs();
        let normal = sum.is_normal();
        let tie = is_exact && rounded && normal && exact.to_bits() & 0x1fff_ffff == 0x1000_0000;
        let number = |a: u32| a & !SIGN != 0;
        let subnormals = [a, b].map(is_subnormal);
        let both = number(a) && number(b);
        let c = &mut self.findings;
        c.count(Event::Exact, both && is_exact && !rounded);
        c.count(Event::TieUp, tie && up);
        c.count(Event::TieDown, tie && !up);
        c.count(Event::Inexact, is_exact && rounded && normal && !tie);
        c.count(Event::Grows, normal && exponent(sum.to_bits()) > larger);
        let below_power = exact.abs() < f64::from(sum).abs() && sum.to_bits() & FRACTION == 0;
        c.count(Event::GrowsByRounding, is_exact && normal && below_power);
        c.count(Event::Far, both && exponent(a).abs_diff(exponent(b)) > 25);
        c.count(Event::Zero, both && a == b ^ SIGN);
        c.count(Event::NegativeZero, (a, b) == (SIGN, SIGN));
        c.count(Event::ZeroAndNumber, number(a) != number(b));
        c.count(Event::Cancels, sum != 0.0 && exponent(sum.to_bits()) + 10 < larger);
        c.count(Event::Subnormal, subnormals[0] != subnormals[1]);
        c.count(Event::Subnormals, subnormals == [true; 2]);
        let normals = [x, y].iter().all(|x| x.is_normal());
        c.count(Event::SubnormalSum, normals && sum.is_subnormal());
        c.count(Event::LeavesSubnormals, subnormals == [true; 2] && normal);
        c.count(Event::Overflow, sum.is_infinite());
        c.count(Event::LargestSum, sum.to_bits() & !SIGN == LARGEST);
    }

    fn observe(&mut self, a: u32, b: u32) {
        let infinite = [a, b].map(is_infinite);
        let nan = [a, b].map(is_nan);
        if infinite == [false; 2] && nan == [false; 2] {
            self.count_numbers(a, b);
            return;
        }
        let c = &mut self.findings;
        c.count(Event::Infinity, nan == [false; 2] && infinite[0] != infinite[1]);
        c.count(Event::SameInfinities, infinite == [true; 2] && a == b);
        c.count(Event::OppositeInfinities, infinite == [true; 2] && a != b);
        c.count(Event::Nan, nan[0] != nan[1]);
        c.count(Event::Nans, nan == [true; 2]);
    }
}

impl Stimulus for Fp32AddStimulus {
    type In = Fp32AddIn;
    type Out = Fp32AddOut;

    /// The pipeline is not reset: what reset makes of the sums under way means nothing, so there is none.
    fn next(&mut self, _outputs: &Fp32AddOut, pins: &mut Fp32AddIn) -> bool {
        let (a, b) = self.operands();
        (pins.a, pins.b) = if self.rng.one_in(2) { (a, b) } else { (b, a) };
        self.observe(a, b);
        false
    }
}
