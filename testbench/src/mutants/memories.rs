//! Words of a memory that stand at other places.

use std::collections::BTreeMap;

/// The latches of a memory, by word and bit.
type Words = BTreeMap<usize, BTreeMap<usize, usize>>;

/// Ways in which the words of one memory may be moved, all of whose latches are the mutant's own: one bit of the address is inverted,
/// always or while another bit has a value. Each gives for all latches, of which `names` are the wires, the latch whose bit it gets.
pub(super) fn moves(names: &[String], own: &[bool]) -> Vec<Vec<usize>> {
    let is_own = |words: &Words| words.values().flat_map(BTreeMap::values).all(|&latch| own[latch]);
    let memories = of(names);
    let moved = memories.values().filter(|words| is_whole(words) && is_own(words)).flat_map(|words| {
        moves_of_addresses(words.len()).map(move |target| {
            let mut latches: Vec<usize> = (0..names.len()).collect();
            for (&word, bits) in words {
                for (bit, &latch) in bits {
                    latches[latch] = words[&target(word)][bit];
                }
            }
            latches
        })
    });
    moved.collect()
}

/// Whether all words have all bits.
fn is_whole(words: &Words) -> bool {
    words.keys().copied().eq(0..words.len()) && words.values().all(|bits| bits.keys().eq(words[&0].keys()))
}

/// Words that stand in for each other, of memories whose number of words is a power of two.
fn moves_of_addresses(words: usize) -> impl Iterator<Item = impl Fn(usize) -> usize> {
    let bits = if words.is_power_of_two() { words.trailing_zeros() } else { 0 };
    (0..bits).flat_map(move |inverted| {
        // Bits of the address that are looked at, and their value.
        let conditions =
            (0..bits).filter(move |&bit| bit != inverted).flat_map(|bit| [(1 << bit, 0), (1 << bit, 1 << bit)]);
        let conditions = std::iter::once((0, 0)).chain(conditions);
        conditions
            .map(move |(mask, value)| move |word: usize| if word & mask == value { word ^ 1 << inverted } else { word })
    })
}

/// The memories among latches of these names: `sram.words[5][3]` is bit 3 of word 5.
fn of(names: &[String]) -> BTreeMap<&str, Words> {
    let mut memories: BTreeMap<&str, Words> = BTreeMap::new();
    for (latch, name) in names.iter().enumerate() {
        if let Some((memory, word, bit)) = name.split(' ').find_map(bit_of_word) {
            memories.entry(memory).or_default().entry(word).or_default().insert(bit, latch);
        }
    }
    memories
}

fn bit_of_word(name: &str) -> Option<(&str, usize, usize)> {
    let (word, bit) = index(name)?;
    let (memory, word) = index(word)?;
    Some((memory, word, bit))
}

fn index(name: &str) -> Option<(&str, usize)> {
    let (rest, number) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((rest, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_has_another_place_and_no_two_the_same() {
        let all: Vec<Vec<usize>> = moves_of_addresses(4).map(|target| (0..4).map(target).collect()).collect();
        assert_eq!(all.len(), 6);
        assert_eq!(all[0], [1, 0, 3, 2], "bit 0 is inverted");
        assert_eq!(all[1], [1, 0, 2, 3], "bit 0 is inverted while bit 1 is 0");
        for places in all {
            let mut sorted = places.clone();
            sorted.sort();
            assert_eq!(sorted, [0, 1, 2, 3], "{places:?}");
        }
        assert_eq!(moves_of_addresses(3).count(), 0);
    }

    #[test]
    fn words_of_an_own_memory_are_moved_bit_by_bit() {
        let names =
            ["count_q[0]", "a.words[0][0]", "a.words[1][0] x", "b.words[0][0]", "b.words[2][0]"].map(String::from);
        assert_eq!(moves(&names, &[true; 5]), [[0, 2, 1, 3, 4]], "a word of the second memory is missing");
        assert!(moves(&names, &[true, true, false, true, true]).is_empty(), "not own");
    }
}
