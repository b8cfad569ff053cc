//! Bits of a unit's pins that were high, and that were low: what a run has not moved, it has not tested.

use sim::unit::{words, Pin};
use std::collections::BTreeMap;

/// Toggles of the pins of one direction.
#[derive(Clone, Debug)]
pub struct Toggles {
    pins: Vec<Pin>,
    high: Vec<u64>,
    low: Vec<u64>,
}

impl Toggles {
    pub fn new(pins: &[Pin]) -> Self {
        let none = vec![0; words(pins)];
        Toggles { pins: pins.into(), high: none.clone(), low: none }
    }

    /// A cycle's values from a word on, as [`sim::unit::Pins::store`] gives them.
    #[inline]
    pub fn see(&mut self, first: usize, words: &[u64]) {
        for ((high, low), word) in self.high[first..].iter_mut().zip(&mut self.low[first..]).zip(words) {
            *high |= word;
            *low |= !word;
        }
    }

    /// Bits that were high or low in another run of the same unit are added.
    pub fn join(&mut self, other: &Toggles) {
        self.high.iter_mut().zip(&other.high).for_each(|(all, high)| *all |= high);
        self.low.iter_mut().zip(&other.low).for_each(|(all, low)| *all |= low);
    }

    /// Bits that were never high or never low, ascending, by the names of their pins.
    pub fn still(&self) -> BTreeMap<String, Vec<u32>> {
        let mut first = 0;
        let mut still = BTreeMap::new();
        for pin in &self.pins {
            let moved = |bit: u32| {
                (self.high[first + bit as usize / 64] & self.low[first + bit as usize / 64]) >> (bit % 64) & 1 == 1
            };
            let bits: Vec<u32> = (0..pin.width).filter(|&bit| !moved(bit)).collect();
            if !bits.is_empty() {
                still.insert(pin.name.clone(), bits);
            }
            first += pin.words();
        }
        still
    }
}

/// Ascending numbers as `9:6, 3`, the highest first.
pub fn ranges(bits: &[u32]) -> String {
    let runs: Vec<String> = bits
        .chunk_by(|a, b| a + 1 == *b)
        .rev()
        .map(|run| match run {
            [bit] => bit.to_string(),
            run => format!("{}:{}", run[run.len() - 1], run[0]),
        })
        .collect();
    runs.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_that_never_changed_are_named() {
        let mut toggles = Toggles::new(&[Pin::new("go", 1), Pin::new("wide", 70), Pin::new("id", 4)]);
        toggles.see(0, &[0, u64::MAX, 0, 0b0001]);
        toggles.see(0, &[1, u64::MAX, 0b111111, 0b0110]);
        let texts = |toggles: &Toggles| toggles.still().values().map(|bits| ranges(bits)).collect::<Vec<_>>();
        assert_eq!(toggles.still().keys().collect::<Vec<_>>(), ["id", "wide"]);
        assert_eq!(texts(&toggles), ["3", "63:0"]);
        let mut other = Toggles::new(&[Pin::new("go", 1), Pin::new("wide", 70), Pin::new("id", 4)]);
        other.see(1, &[!0b1110, 0, 0b1000]);
        toggles.join(&other);
        assert_eq!(texts(&toggles), ["63:4, 0"]);
    }
}
