//! `fp32_add`: the adder of the filter (3.3). Behaviourally: `+` and a delay line.

use super::pins::{Fp32AddIn, Fp32AddOut};
use crate::unit::{Fault, Interface, Unit};
use crate::units::pins::interface;

/// Every NaN result, as CUDA's.
const NAN: u32 = 0x7fff_ffff;
/// Cycles from the operands to their sum.
pub(in crate::units) const LATENCY: usize = 4;

/// IEEE 754 binary32 addition, round to nearest, ties to even, subnormals kept.
#[inline]
pub(in crate::units) fn add(a: u32, b: u32) -> u32 {
    let sum = f32::from_bits(a) + f32::from_bits(b);
    if sum.is_nan() {
        NAN
    } else {
        sum.to_bits()
    }
}

#[derive(Clone, Debug, Default)]
pub struct Fp32Add {
    /// Sums under way; the next to come out is at `oldest`.
    sums: [u32; LATENCY],
    oldest: usize,
}

impl Fp32Add {
    pub fn new() -> Self {
        Self::default()
    }
}

impl Unit for Fp32Add {
    type In = Fp32AddIn;
    type Out = Fp32AddOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(())
    }

    fn outputs(&self) -> Fp32AddOut {
        Fp32AddOut { sum: self.sums[self.oldest] }
    }

    fn clock(&mut self, pins: &Fp32AddIn) -> Result<(), Fault> {
        self.sums[self.oldest] = add(pins.a, pins.b);
        self.oldest = (self.oldest + 1) % LATENCY;
        Ok(())
    }

    /// The pipeline is not reset.
    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rustc_apfloat::ieee::Single;
    use rustc_apfloat::Float;

    const CORNERS: [u32; 24] = [
        0x0000_0000,
        0x8000_0000,
        0x0000_0001,
        0x8000_0001,
        0x007f_ffff,
        0x807f_ffff,
        0x0080_0000,
        0x8080_0000,
        0x0080_0001,
        0x3f80_0000,
        0xbf80_0000,
        0x3f80_0001,
        0x3f7f_ffff,
        0x3400_0000,
        0x3380_0000,
        0x3380_0001,
        0x7f7f_ffff,
        0xff7f_ffff,
        0x7300_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0x7f80_0001,
        0xffff_ffff,
    ];

    /// The sum by another library.
    fn reference(a: u32, b: u32) -> u32 {
        let sum = (Single::from_bits(a as u128) + Single::from_bits(b as u128)).value;
        if sum.is_nan() {
            0x7fff_ffff
        } else {
            sum.to_bits() as u32
        }
    }

    #[test]
    fn corner_cases_agree_with_soft_float() {
        for a in CORNERS {
            for b in CORNERS {
                assert_eq!(add(a, b), reference(a, b), "{a:#x} + {b:#x}");
            }
        }
    }

    #[test]
    fn special_results() {
        let (one, infinity, largest) = (0x3f80_0000, 0x7f80_0000, 0x7f7f_ffff);
        assert_eq!(add(one, one ^ 1 << 31), 0, "x + (-x) = +0");
        assert_eq!(add(1 << 31, 1 << 31), 1 << 31, "-0 + -0 = -0");
        assert_eq!(add(1, 2), 3, "subnormals are kept");
        assert_eq!(add(0x0080_0000, 0x8000_0001), 0x007f_ffff, "and come out");
        assert_eq!(add(largest, 0x7300_0000), infinity, "half an ulp above the largest");
        assert_eq!(add(infinity, infinity ^ 1 << 31), NAN);
        assert_eq!(add(0xffc1_2345, one), NAN);
        assert_eq!(add(one, 0x3380_0000), one, "a tie goes to even");
        assert_eq!(add(one + 1, 0x3380_0000), one + 2, "a tie goes to even");
    }

    #[test]
    fn a_sum_is_there_four_cycles_later_one_a_cycle() {
        let mut unit = Fp32Add::new();
        let pins = |i: u32| Fp32AddIn { a: (i as f32).to_bits(), b: 0 };
        for i in 0..50 {
            if i >= 4 {
                assert_eq!(f32::from_bits(unit.outputs().sum), (i - 4) as f32);
            }
            unit.clock(&pins(i)).unwrap();
        }
    }

    proptest! {
        #[test]
        fn sums_agree_with_soft_float(a in any::<u32>(), b in any::<u32>(), near in any::<bool>()) {
            // Exponents that are close, so that something is rounded or cancelled.
            let b = if near { b & 0x80ff_ffff | a & 0x7f00_0000 } else { b };
            prop_assert_eq!(add(a, b), reference(a, b));
        }
    }
}
