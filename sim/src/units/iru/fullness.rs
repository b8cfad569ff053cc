//! Occupancies of the sets of a bank: the fullest one and the complete ones are found without reading every set.

use super::element::LINE;

/// Most sets of a bank, in words of 64.
const WORDS: usize = 8;

/// Occupancy of each set, and for each occupancy the sets that have it.
#[derive(Clone, Debug)]
pub(super) struct Fullness {
    occupancy: Vec<u8>,
    /// Bit s of row n: set s has n elements. Row 0 is not kept.
    with: Box<[[u64; WORDS]; LINE + 1]>,
    /// Bit n: some set has n elements, n > 0.
    levels: u64,
    total: u32,
}

impl Fullness {
    /// `sets` empty sets.
    pub fn new(sets: usize) -> Self {
        assert!(sets <= 64 * WORDS);
        Fullness { occupancy: vec![0; sets], with: Box::new([[0; WORDS]; LINE + 1]), levels: 0, total: 0 }
    }

    #[inline]
    pub fn of(&self, set: usize) -> usize {
        self.occupancy[set] as usize
    }

    #[inline]
    pub fn is_full(&self, set: usize) -> bool {
        self.of(set) == LINE
    }

    /// Elements in all sets.
    #[inline]
    pub fn total(&self) -> u32 {
        self.total
    }

    pub fn change(&mut self, set: usize, elements: usize) {
        let before = self.of(set);
        let (word, bit) = (set / 64, 1 << (set % 64));
        if before > 0 {
            self.with[before][word] &= !bit;
            if self.with[before] == [0; WORDS] {
                self.levels &= !(1 << before);
            }
        }
        if elements > 0 {
            self.with[elements][word] |= bit;
            self.levels |= 1 << elements;
        }
        self.occupancy[set] = elements as u8;
        self.total = self.total + elements as u32 - before as u32;
    }

    /// The fullest set, the lowest one of equals, and its elements.
    #[inline]
    pub fn fullest(&self) -> (usize, usize) {
        if self.levels == 0 {
            return (0, 0);
        }
        let most = self.levels.ilog2() as usize;
        (first(&self.with[most]).unwrap_or_default(), most)
    }

    /// The first full set, from `pointer` on, wrapping around, that is not `except`.
    #[inline]
    pub fn first_full(&self, pointer: usize, except: Option<usize>) -> Option<usize> {
        if self.levels >> LINE == 0 {
            return None;
        }
        let mut full = self.with[LINE];
        if let Some(set) = except {
            full[set / 64] &= !(1 << (set % 64));
        }
        let mut from_pointer = full;
        from_pointer[..pointer / 64].fill(0);
        from_pointer[pointer / 64] &= u64::MAX << (pointer % 64);
        first(&from_pointer).or_else(|| first(&full))
    }
}

/// The lowest bit that is set.
#[inline]
fn first(bits: &[u64; WORDS]) -> Option<usize> {
    let word = bits.iter().position(|word| *word != 0)?;
    Some(64 * word + bits[word].trailing_zeros() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn agrees_with_a_look_at_every_set(
            log_sets in 1..10u32,
            changes in prop::collection::vec((any::<u16>(), prop_oneof![Just(0usize), Just(32), Just(31), 0..33usize]), 1..300),
            turns in any::<u16>(),
        ) {
            let sets = 1usize << log_sets;
            let mut fullness = Fullness::new(sets);
            let mut plain = vec![0; sets];
            for (i, (set, elements)) in changes.into_iter().enumerate() {
                let set = set as usize % sets;
                fullness.change(set, elements);
                plain[set] = elements;
                let most = *plain.iter().max().unwrap();
                let fullest = plain.iter().position(|n| *n == most).unwrap();
                prop_assert_eq!(fullness.fullest(), (fullest, most));
                prop_assert_eq!(fullness.total() as usize, plain.iter().sum::<usize>());
                let pointer = (turns as usize + i) % sets;
                let except = (i % 2 == 0).then_some(set);
                let first = (pointer..sets).chain(0..pointer).find(|s| plain[*s] == 32 && Some(*s) != except);
                prop_assert_eq!(fullness.first_full(pointer, except), first);
            }
        }
    }
}
