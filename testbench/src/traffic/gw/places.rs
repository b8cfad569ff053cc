//! Sets of places: a bit for each.

use crate::traffic::{bits, Chance, Rng};
use sim::units::gw::pins::Done;

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

/// Those of the places for which something holds.
pub fn those(places: u64, holds: impl Fn(usize) -> bool) -> u64 {
    bits(places).filter(|place| holds(*place)).fold(0, |mask, place| mask | 1 << place)
}

/// Registers are written of these halves of a pair.
pub fn done(halves: u64, writes: u32) -> Done {
    let pair = halves.trailing_zeros() / 2;
    let [even, odd] = [0, 1].map(|half| halves >> (2 * pair + half) & 1 == 1);
    Done { even, odd, pair: pair as u8, writes }
}

/// The places of a group, from bit 0 up.
pub fn group(places: u64, group: usize, wave: usize) -> u64 {
    places >> (group * wave) & all(wave)
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
        assert_eq!(group(0xab_cdef, 1, 8), 0xcd);
    }
}
