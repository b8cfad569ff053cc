//! Any inputs at all, legal or not: what stands beside a reset.

use super::Rng;
use sim::unit::Pin;

/// A cycle's inputs, as [`sim::unit::Pins::store`] would give them.
pub struct AnyInputs {
    /// The bits that a pin has, of each word.
    masks: Vec<u64>,
    words: Vec<u64>,
    rng: Rng,
}

impl AnyInputs {
    pub fn new(pins: &[Pin], seed: u64) -> Self {
        let of_pin = |pin: &Pin| {
            (0..pin.words() as u32).map(|word| u64::MAX >> (64 - (pin.width - 64 * word).min(64))).collect::<Vec<_>>()
        };
        let masks: Vec<_> = pins.iter().flat_map(of_pin).collect();
        AnyInputs { words: vec![0; masks.len()], masks, rng: Rng::new(seed) }
    }

    /// All pins low in every draw.
    pub fn low(self) -> Self {
        AnyInputs { masks: vec![0; self.masks.len()], ..self }
    }

    /// All pins high every fourth time; else each bit is high or low.
    pub fn draw(&mut self) -> &[u64] {
        let all = if self.rng.one_in(4) { u64::MAX } else { 0 };
        for (word, mask) in self.words.iter_mut().zip(&self.masks) {
            *word = (all | self.rng.draw()) & mask;
        }
        &self.words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_of_every_pin_is_high_and_low_and_no_other() {
        let mut inputs = AnyInputs::new(&[Pin::new("go", 1), Pin::new("wide", 100), Pin::new("id", 24)], 1);
        let (mut ones, mut zeros) = ([0; 4], [0; 4]);
        for _ in 0..100 {
            for (i, word) in inputs.draw().iter().enumerate() {
                ones[i] |= word;
                zeros[i] |= !word;
            }
        }
        assert_eq!(ones, [1, u64::MAX, (1 << 36) - 1, (1 << 24) - 1]);
        assert_eq!(zeros, [u64::MAX; 4]);
    }
}
