//! Sets of places: a bit for each.

use crate::stimulus::{bits, Chance, Rng};

/// The first `count` places.
pub fn all(count: usize) -> u64 {
    u64::MAX >> (64 - count)
}

/// The first place at or after `from`, wrapping around.
pub fn round_robin(places: u64, from: usize) -> Option<usize> {
    let behind = places & u64::MAX.checked_shl(from as u32).unwrap_or(0);
    let chosen = if behind == 0 { places } else { behind };
    (chosen != 0).then(|| chosen.trailing_zeros() as usize)
}

/// Each place stays with this chance.
pub fn some(rng: &mut Rng, chance: Chance, places: u64) -> u64 {
    if places == 0 {
        return 0;
    }
    let high = u64::from(chance.of_each(rng, (places >> 32) as u32));
    high << 32 | u64::from(chance.of_each(rng, places as u32))
}

/// One of the places.
pub fn any(rng: &mut Rng, places: u64) -> Option<usize> {
    let count = places.count_ones();
    (count > 0).then(|| bits(places).nth(rng.below(count) as usize))?
}

/// Places for which `holds` is true.
pub fn those(places: u64, holds: impl Fn(usize) -> bool) -> u64 {
    bits(places).filter(|place| holds(*place)).fold(0, |mask, place| mask | 1 << place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_wraps() {
        assert_eq!(round_robin(0b1010, 0), Some(1));
        assert_eq!(round_robin(0b1010, 2), Some(3));
        assert_eq!(round_robin(0b1010, 4), Some(1));
        assert_eq!(round_robin(1 << 63 | 1, 64), Some(0));
        assert_eq!(round_robin(0, 3), None);
        assert_eq!(all(64), u64::MAX);
    }
}
