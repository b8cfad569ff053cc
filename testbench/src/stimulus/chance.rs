//! Probabilities in 256ths.

use super::Rng;

#[derive(Clone, Copy, Debug, Default)]
pub struct Chance(pub u16);

impl Chance {
    pub const NEVER: Chance = Chance(0);
    pub const ALWAYS: Chance = Chance(256);

    #[inline]
    pub fn happens(self, rng: &mut Rng) -> bool {
        (rng.draw() >> 56) < u64::from(self.0)
    }

    /// Each bit of `mask` stays with this chance, up to 32 of them.
    #[inline]
    pub fn of_each(self, rng: &mut Rng, mask: u32) -> u32 {
        match self.0 {
            0 => 0,
            256.. => mask,
            // The binary digits of the chance, least significant first: an OR halves the way to 1, an AND that to 0.
            _ => {
                let mut bits = 0;
                for pair in 0..4 {
                    let random = rng.draw();
                    for (digit, random) in [(2 * pair, random as u32), (2 * pair + 1, (random >> 32) as u32)] {
                        bits = if self.0 >> digit & 1 == 1 { bits | random } else { bits & random };
                    }
                }
                bits & mask
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_stay_as_often_as_the_chance_says() {
        let mut rng = Rng::new(3);
        for chance in [0, 1, 4, 100, 255, 256] {
            let (mut bits, mut happened) = (0, 0);
            for _ in 0..20_000 {
                bits += Chance(chance).of_each(&mut rng, 0xffff_fff0).count_ones();
                happened += u32::from(Chance(chance).happens(&mut rng));
            }
            let share = |n: u32, of: u32| f64::from(n) / f64::from(of) - f64::from(chance) / 256.0;
            assert!(share(bits, 28 * 20_000).abs() < 0.005, "{chance}: {bits}");
            assert!(share(happened, 20_000).abs() < 0.02, "{chance}: {happened}");
        }
    }
}
