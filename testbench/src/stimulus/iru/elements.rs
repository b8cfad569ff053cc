//! Elements at random: indices from all over the array or from a corner of it, secondaries with ties and special numbers.

use crate::stimulus::Rng;
use sim::units::iru::element::{Access, Bundle, Element, Filter, Placed, INDEX_MASK};

pub const FILTERS: [Filter; 3] = [Filter::None, Filter::Minimum, Filter::Addition];

/// Cycles of a run behind which a job of [`LONG`] elements goes to its end. Campaigns end a segment before that.
pub const LONG_BEHIND: u64 = 1 << 17;
/// Enough for the highest bit of a position.
pub const LONG: u32 = (1 << 23) + (1 << 17);

/// As an array may lie: anywhere, elements of 1 to 128 bytes. Every second address has a run of ones, through which carries go.
pub fn access(rng: &mut Rng) -> Access {
    let ones = if rng.one_in(2) { u64::MAX >> rng.below(64) & u64::MAX << rng.below(39) } else { 0 };
    let target = (rng.draw() | ones) & ((1 << 39) - 1);
    Access { target, size: [2, 2, 2, rng.below(8) as u8][rng.below(4) as usize] }
}

/// Indices from `first` on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Indices {
    first: u32,
    /// Number of different indices.
    number: u32,
}

/// One; one that is next to another; a block; a few; many; all.
const NUMBERS: [u32; 8] = [1, 2, 32, 100, 300, 2_000, 20_000, INDEX_MASK];

impl Indices {
    pub fn any(rng: &mut Rng) -> Self {
        let size = rng.any_of(&[24, 24, 20, 12, 4]);
        Indices {
            first: rng.draw() as u32 & (INDEX_MASK >> (24 - size)),
            number: NUMBERS[rng.below(NUMBERS.len() as u32) as usize],
        }
    }

    /// From all over the array.
    pub fn all() -> Self {
        Indices { first: 0, number: INDEX_MASK }
    }

    /// Always the same.
    pub fn is_single(&self) -> bool {
        self.number == 1
    }

    /// All of them are of one block of memory, so of one set.
    pub fn are_of_one_block(&self, access: &Access) -> bool {
        let last = u64::from(self.first) + u64::from(self.number) - 1;
        let block_of = |index| block(&Element { index, ..Default::default() }, access);
        last <= u64::from(INDEX_MASK) && block_of(self.first) == block_of(last as u32)
    }

    #[inline]
    pub fn draw(&self, rng: &mut Rng) -> u32 {
        self.first.wrapping_add(rng.below(self.number)) & INDEX_MASK
    }
}

/// A secondary: often one of few, so that minima are often equal; a number whose sum with another cancels; else any.
#[inline]
pub fn secondary(rng: &mut Rng) -> u32 {
    let random = rng.draw();
    match random >> 61 {
        0 | 1 => (random & 3) as u32,
        2 => 0xffff_fffc | (random & 3) as u32,
        3 => f32::to_bits((random & 0xff) as f32),
        4..=6 => near_a_power(random),
        _ => random as u32,
    }
}

/// Number of either sign, next to a power of two: so many upper bits of the fraction are all ones or all zeros. A sum
/// of two loses up to all bits of its significand, or as many as a small exponent leaves it.
fn near_a_power(random: u64) -> u32 {
    let field = |first: u32, bits: u32| (random >> first) as u32 & ((1 << bits) - 1);
    let (sign, upper) = (field(23, 1), (1 + field(27, 5)).min(23));
    // Subnormal or small; near one; the largest.
    let exponent = match field(24, 3) {
        0..=4 => field(33, 5),
        5 | 6 => 127 + field(38, 1),
        _ => 254 + field(38, 1),
    };
    let ones = ((1 << 23) - 1) & !((1 << (23 - upper)) - 1);
    let fraction = match field(32, 1) {
        0 => field(0, 23) & !ones,
        _ => field(0, 23) | ones,
    };
    sign << 31 | exponent << 23 | fraction
}

/// Odd, so that no two elements have one position.
const SPREAD: u32 = 0x37_79b9;

/// The position of an element, by the number of those that came before: any, and each once.
#[inline]
pub fn position(number: u32) -> u32 {
    number.wrapping_mul(SPREAD) & INDEX_MASK
}

/// The number of the element at a [`position`].
#[inline]
pub fn number(position: u32) -> u32 {
    // Newton's iteration: each step doubles the number of bits that are right, from three on.
    let inverse = (0..4).fold(SPREAD, |x, _| x.wrapping_mul(2u32.wrapping_sub(SPREAD.wrapping_mul(x))));
    position.wrapping_mul(inverse) & INDEX_MASK
}

/// A place of so many bits for an element: the same for all of a block, and spread over all places.
pub fn place(element: &Element, access: &Access, bits: u32) -> u16 {
    (block(element, access).wrapping_mul(0x9e37_79b9) >> (32 - bits)) as u16
}

/// The number of the block of memory that the access touches.
pub fn block(element: &Element, access: &Access) -> u32 {
    (access.target.wrapping_add(u64::from(element.index) << access.size) >> 7) as u32
}

/// `first` and up to `most` - 1 more elements: of those that `next` gives, as long as `is_beside` says that they have its place.
/// A narrow unit draws nothing.
pub fn bundle(
    rng: &mut Rng,
    first: Placed,
    most: usize,
    mut next: impl FnMut(&mut Rng) -> Element,
    is_beside: impl Fn(&Element) -> bool,
) -> Bundle {
    let mut bundle = Bundle::of(first);
    while bundle.count() < most && rng.one_in(2) {
        let element = next(rng);
        // The block's others, one of which may be the first element's equal.
        let neighbour = Element { index: first.element.index ^ rng.below(4), ..element };
        let equal = Element { index: first.element.index, ..element };
        let candidates = [element, neighbour, equal];
        bundle.push(*candidates.iter().find(|element| is_beside(element)).unwrap_or(&equal));
    }
    bundle
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sums of two secondaries lose each number of leading bits; with each small exponent some have none left to lose.
    #[test]
    fn sums_cancel() {
        let mut rng = Rng::new(1);
        let (mut lost, mut subnormal) = ([0; 24], [0; 23]);
        for _ in 0..4_000_000 {
            let [a, b] = [0, 1].map(|_| f32::from_bits(secondary(&mut rng)));
            let exponent = |x: f32| (x.to_bits() >> 23 & 0xff) as usize;
            let (larger, sum) = (exponent(a).max(exponent(b)), a + b);
            if sum.is_normal() && exponent(sum) < larger {
                lost[(larger - exponent(sum)).min(23)] += 1;
            } else if sum.is_subnormal() && (1..24).contains(&larger) {
                subnormal[larger - 1] += 1;
            }
        }
        assert!(lost[1..].iter().chain(&subnormal).all(|&times| times > 0), "{lost:?} {subnormal:?}");
    }

    #[test]
    fn each_element_has_a_position_of_its_own() {
        let numbers = [0, 1, 2, 1_000, 0x12_3456, INDEX_MASK];
        assert_eq!(numbers.map(|n| number(position(n))), numbers);
        assert_eq!((0..32).fold(0, |bits, n| bits | position(n)), INDEX_MASK);
    }
}
