//! Masks of places.

/// The first bit of `mask` at or after `pointer`, wrapping around.
#[inline]
pub fn round_robin(mask: u64, pointer: u32) -> Option<u32> {
    let behind = mask & u64::MAX << pointer;
    let from = if behind == 0 { mask } else { behind };
    (from != 0).then(|| from.trailing_zeros())
}

/// The even places.
pub const EVEN: u64 = 0x5555_5555_5555_5555;

/// A bit for each pair from the bit of its even place.
#[inline]
pub fn pairs(even: u64) -> u32 {
    let mut mask = even & EVEN;
    for (shift, keep) in [
        (1, 0x3333_3333_3333_3333),
        (2, 0x0f0f_0f0f_0f0f_0f0f),
        (4, 0x00ff_00ff_00ff_00ff),
        (8, 0x0000_ffff_0000_ffff),
        (16, 0xffff_ffff),
    ] {
        mask = (mask | mask >> shift) & keep;
    }
    mask as u32
}

/// The even places of these pairs.
#[inline]
pub fn even_places(pairs: u32) -> u64 {
    let mut mask = pairs as u64;
    for (shift, keep) in [
        (16, 0x0000_ffff_0000_ffff),
        (8, 0x00ff_00ff_00ff_00ff),
        (4, 0x0f0f_0f0f_0f0f_0f0f),
        (2, 0x3333_3333_3333_3333),
        (1, EVEN),
    ] {
        mask = (mask | mask << shift) & keep;
    }
    mask
}

/// For each path the places whose instruction takes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Paths([u64; 4]);

impl Paths {
    /// `path`, of each place.
    pub fn new(path: &[u8]) -> Self {
        let mut paths = [0; 4];
        path.iter().enumerate().for_each(|(place, path)| paths[*path as usize & 3] |= 1 << place);
        Paths(paths)
    }

    #[inline]
    pub fn set(&mut self, places: u64, path: u8) {
        self.0.iter_mut().for_each(|mask| *mask &= !places);
        self.0[path as usize & 3] |= places;
    }

    /// The places whose path has its bit in `room`.
    #[inline]
    pub fn with(&self, room: u8) -> u64 {
        let of = |path: usize| if room >> path & 1 == 1 { self.0[path] } else { 0 };
        of(0) | of(1) | of(2) | of(3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::bits::bits;

    #[test]
    fn round_robin_wraps_around() {
        assert_eq!(round_robin(0, 5), None);
        assert_eq!(round_robin(0b1001, 0), Some(0));
        assert_eq!(round_robin(0b1001, 1), Some(3));
        assert_eq!(round_robin(0b1001, 4), Some(0));
        assert_eq!(round_robin(1 << 63, 63), Some(63));
    }

    #[test]
    fn pairs_and_even_places_are_inverse() {
        assert_eq!(pairs(0b0100_0001), 0b1001);
        for mask in [0, 1, u32::MAX, 0x8000_0001, 0xdead_beef] {
            assert_eq!(pairs(even_places(mask)), mask);
            assert!(bits(even_places(mask)).all(|place| place % 2 == 0 && mask >> (place / 2) & 1 == 1));
        }
    }

    #[test]
    fn a_place_has_one_path() {
        let mut paths = Paths::new(&[0, 1, 2, 3]);
        assert_eq!([0b0001, 0b0010, 0b0100, 0b1000].map(|room| paths.with(room)), [0b0001, 0b0010, 0b0100, 0b1000]);
        assert_eq!(paths.with(0b1010), 0b1010);
        paths.set(0b0110, 3);
        assert_eq!((paths.with(0b1000), paths.with(0b0110)), (0b1110, 0));
    }
}
