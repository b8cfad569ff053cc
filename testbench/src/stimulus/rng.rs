//! splitmix64 (Steele, Lea and Flood, OOPSLA 2014): fast, any seed will do.

#[derive(Clone, Debug, Default)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    #[inline]
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 to `bound` - 1.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.draw() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// Each with the same probability.
    #[inline]
    pub fn any_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }

    /// True once in `n` on average.
    #[inline]
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_sequence() {
        let mut rng = Rng::new(1234567);
        assert_eq!([rng.draw(), rng.draw()], [6457827717110365317, 3203168211198807973]);
    }
}
