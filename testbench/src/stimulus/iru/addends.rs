//! Numbers that a job adds: their sums are exact in any order, or they are rounded.

use crate::stimulus::Rng;

/// Powers of two between the smallest and the largest magnitude of numbers of any magnitude.
const MAGNITUDES: u32 = 24;
/// Bits of a fraction.
const FRACTION: u32 = 23;
/// Exponents begin here, and there are as many: sums of all elements of a job are no infinity.
const LEAST: u32 = 27;
const EXPONENTS: u32 = 200;

pub enum Addends {
    /// Multiples of `unit` up to `most`, whose sums are exact in any order. Half of them are of nearly one magnitude: where their signs
    /// differ, most leading bits cancel.
    Exact { unit: f32, most: u32 },
    /// Any numbers of some magnitudes.
    Any { exponent: u32 },
    /// Numbers that differ in some lower bits alone: where their signs differ, any number of leading bits cancel.
    Near { base: u32 },
    /// Numbers whose fraction ends with ones, but for one zero perhaps, and others of about half of their last place: what is rounded up
    /// carries through any number of places.
    Carrying { exponent: u32 },
}

/// The lowest `bits` bits.
fn ones(bits: u32) -> u32 {
    (1 << bits) - 1
}

impl Addends {
    /// For a job of `count` elements.
    pub fn draw(rng: &mut Rng, count: usize) -> Self {
        let exponent = LEAST + rng.below(EXPONENTS);
        match rng.below(6) {
            0 => Addends::Any { exponent: exponent.min(EXPONENTS) },
            1 => Addends::Near { base: rng.draw() as u32 & ones(FRACTION) | exponent << FRACTION },
            2 => Addends::Carrying { exponent: exponent.max(LEAST + FRACTION) },
            _ => Addends::Exact { unit: f32::from_bits(exponent << FRACTION), most: (1 << 24) / count as u32 },
        }
    }

    /// Sums depend on their order.
    pub fn round(&self) -> bool {
        !matches!(self, Addends::Exact { .. })
    }

    /// One of them.
    pub fn next(&self, rng: &mut Rng) -> u32 {
        let random = rng.draw();
        let (fraction, sign) = (random as u32 & ones(FRACTION), (random >> 32) as u32 & 1 << 31);
        match *self {
            Addends::Exact { unit, most } => {
                let magnitude = if rng.one_in(2) { most.saturating_sub(rng.below(8)) } else { rng.below(most + 1) };
                (if sign == 0 { unit } else { -unit } * magnitude as f32).to_bits()
            }
            Addends::Any { exponent } => sign | (exponent + rng.below(MAGNITUDES)) << FRACTION | fraction,
            Addends::Near { base } => sign | base ^ (fraction & ones(rng.below(FRACTION + 1))),
            Addends::Carrying { exponent } if rng.one_in(2) => {
                let zero = u32::from(rng.one_in(2)) << rng.below(FRACTION);
                exponent << FRACTION | (fraction | ones(rng.below(FRACTION + 1))) & !zero
            }
            Addends::Carrying { exponent } => (exponent - FRACTION - rng.below(2)) << FRACTION | fraction,
        }
    }
}
