//! Inputs of the regular kernels: random, seeded, the same everywhere.

use crate::graph::SplitMix64;

pub fn words(count: usize, seed: u64) -> impl Iterator<Item = u32> {
    let mut random = SplitMix64(seed);
    (0..count).map(move |_| random.draw() as u32)
}

/// `least` to `most`.
pub fn integers(count: usize, seed: u64, least: i32, most: i32) -> impl Iterator<Item = i32> {
    let mut random = SplitMix64(seed);
    (0..count).map(move |_| least + random.below((most - least + 1) as usize) as i32)
}

/// `least` to `most`.
pub fn floats(count: usize, seed: u64, least: f32, most: f32) -> Vec<f32> {
    let mut random = SplitMix64(seed);
    (0..count).map(|_| least + (most - least) * random.unit() as f32).collect()
}

/// Random words, all different, the first of them 0: the last step of MurmurHash3, which maps 32 bits to 32 bits one to one.
pub fn distinct(count: usize) -> impl Iterator<Item = u32> {
    let mix = |x: u32, shift: u32, factor: u32| (x ^ x >> shift).wrapping_mul(factor);
    let value = move |v: u32| mix(mix(v, 16, 0x85eb_ca6b), 13, 0xc2b2_ae35);
    (0..count as u32).map(move |v| value(v) ^ value(v) >> 16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn distinct_words_are_all_different() {
        let values: Vec<_> = distinct(100_000).collect();
        assert_eq!((values[0], values.iter().collect::<BTreeSet<_>>().len()), (0, values.len()));
        assert!(values.iter().filter(|&&value| value > u32::MAX / 2).count().abs_diff(50_000) < 1000);
    }

    #[test]
    fn values_fill_their_range() {
        let mut counts = [0; 17];
        integers(17_000, 1, -8, 8).for_each(|value| counts[(value + 8) as usize] += 1);
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        let floats = floats(1000, 1, 320.0, 340.0);
        assert!(floats.iter().all(|value| (320.0..=340.0).contains(value)));
        assert!(floats.iter().any(|&value| value < 321.0) && floats.iter().any(|&value| value > 339.0));
        assert_eq!(words(3, 5).collect::<Vec<_>>(), words(3, 5).collect::<Vec<_>>());
    }
}
