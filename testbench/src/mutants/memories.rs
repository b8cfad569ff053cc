//! Words of a memory that stand at other places.

use std::collections::BTreeMap;

/// The latches of a memory, by word and bit.
type Words = BTreeMap<usize, BTreeMap<usize, usize>>;

/// Ways in which the words of one memory may be moved, if the mutant reaches all of its latches at once, as with an address, and does that
/// before it reaches any other memory: one bit of the address is inverted, always or while another bit has a value. Each gives for all latches, of which `names` are
/// the wires, the latch whose bit it gets. `reached`: the cycle in which the mutant reaches each latch.
pub(super) fn moves(names: &[String], reached: &[Option<u32>]) -> Vec<Vec<usize>> {
    let memories = of(names);
    let first = |words: &Words| {
        let mut cycles = words.values().flat_map(BTreeMap::values).map(|&latch| reached[latch]);
        let first = cycles.next()??;
        cycles.all(|cycle| cycle == Some(first)).then_some(first)
    };
    let whole = memories.values().filter(|words| is_whole(words));
    let whole: Vec<(u32, &Words)> = whole.filter_map(|words| Some((first(words)?, words))).collect();
    let earliest = whole.iter().map(|(cycle, _)| *cycle).min();
    let moved = whole.iter().filter(|(cycle, _)| Some(*cycle) == earliest).flat_map(|&(_, words)| {
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

/// All words have all bits.
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
        let in_cycles = |cycles: [u32; 5]| moves(&names, &cycles.map(|cycle| (cycle != 0).then_some(cycle)));
        assert_eq!(in_cycles([1, 2, 2, 1, 1]), [[0, 2, 1, 3, 4]], "a word of the second memory is missing");
        assert!(in_cycles([1, 1, 0, 1, 1]).is_empty(), "not own");
        assert!(in_cycles([1, 1, 2, 1, 1]).is_empty(), "not at once");
    }

    #[test]
    fn words_of_the_memory_that_is_reached_first_are_moved() {
        let names = ["a.words[0][0]", "a.words[1][0]", "b.words[0][0]", "b.words[1][0]"].map(String::from);
        let in_cycles = |cycles: [u32; 4]| moves(&names, &cycles.map(Some));
        assert_eq!(in_cycles([2, 2, 3, 3]), [[1, 0, 2, 3]]);
        assert_eq!(in_cycles([1, 1, 1, 1]).len(), 2, "both");
    }
}
