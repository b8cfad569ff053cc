//! The generator splitmix64 (Steele, Lea and Flood, OOPSLA 2014).

pub struct SplitMix64(pub u64);

impl SplitMix64 {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// 0 to `end` - 1, for an `end` so far below 2^64 that the remainder favours nobody noticeably.
    pub fn below(&mut self, end: usize) -> usize {
        (self.draw() % end as u64) as usize
    }

    /// 0 to 1 - 2^-53, every multiple of 2^-53 equally likely.
    pub fn unit(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The numbers below `count` in random order (Fisher and Yates).
pub fn permutation(random: &mut SplitMix64, count: usize) -> Vec<u32> {
    let mut numbers: Vec<_> = (0..count as u32).collect();
    for last in (1..count).rev() {
        numbers.swap(last, random.below(last + 1));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first values for seed 0, as Java's SplittableRandom and the xoshiro authors' splitmix64.c give them.
    #[test]
    fn draws_the_published_sequence() {
        let mut random = SplitMix64(0);
        let drawn: Vec<_> = (0..3).map(|_| random.draw()).collect();
        assert_eq!(drawn, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
    }
}
