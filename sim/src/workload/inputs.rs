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

#[cfg(test)]
mod tests {
    use super::*;

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
