//! Matches of short reads in a reference: for each of the first six bases of a read, how far the read matches from there on anywhere in
//! the reference. Threads walk through its suffix tree, which the host builds.

use super::check::Elements;
use super::session::{kernels, Session};
use super::suffix_tree::{SuffixTree, LETTERS};
use super::{inputs, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::graph::SplitMix64;
use crate::kernels;

pub const SIZE: Size =
    Size { meaning: "reads of 25 bases, with 28 bases of the reference each", default: 50_000, max: 1 << 20 };

/// Threads of a CTA.
const BLOCK: u32 = 256;
/// Bases of a read, and of the shortest match that is asked for: starts behind leave less.
const LENGTH: usize = 25;
const SHORTEST: usize = 20;
const STARTS: usize = LENGTH - SHORTEST + 1;
/// Bases of the reference for each read.
const REFERENCE: usize = 28;
/// One base in so many of a read is drawn anew.
const ERRORS: usize = 16;
/// Bits of a base in a window, and bases that fit in one.
const BITS: u32 = 3;
const WINDOW: usize = 128 / BITS as usize;

/// Gives the length of the longest match for each read and start.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let [walk] = kernels(kernels::MUM, ["mum_match"])?;
    let mut session = Session::new(gpu, watch);
    let count = size as usize;
    let reference: Vec<u8> =
        inputs::integers(REFERENCE * count, 1, 0, LETTERS as i32 - 1).map(|base| base as u8).collect();
    let reads = reads(&reference, count);
    let tree = SuffixTree::new(&reference);
    let nodes: Vec<u32> = tree.nodes.iter().flat_map(|node| [node.from, node.to, node.link]).collect();
    let children: Vec<u32> = tree.nodes.iter().flat_map(|node| node.children).collect();
    // Behind the reference stands no base.
    let text: Vec<u8> = reference.iter().copied().chain([LETTERS as u8]).collect();
    let (nodes, children) = (session.upload(&nodes)?, session.upload(&children)?);
    let (text, read) = (session.upload(&as_words(&text))?, session.upload(&as_words(&reads))?);
    let results = count * STARTS;
    let (node, matched) = (session.alloc(results), session.alloc(results));
    let params = Params::default().u64(nodes).u64(children).u64(text).u64(read).u64(node).u64(matched);
    let params = params.u32(size).u32(LENGTH as u32).u32(STARTS as u32);
    session.launch(
        &walk,
        Start { level: 0, work: u64::from(size) },
        [size.div_ceil(BLOCK), 1, 1],
        [BLOCK, 1, 1],
        params,
    )?;
    let ends = session.read(node, results)?;
    session.finish_with(matched, results, |found| {
        compare(found, &matches(&reference, &reads))?;
        check_places(found, &ends, &tree, &reference, &reads)?;
        let long = found.iter().filter(|&&length| length as usize >= SHORTEST).count();
        Ok(format!("all matches as long as the longest, {long} of at least {SHORTEST} bases"))
    })
}

/// From random places of the reference, with errors.
fn reads(reference: &[u8], count: usize) -> Vec<u8> {
    let mut random = SplitMix64(2);
    let mut reads = Vec::with_capacity(count * LENGTH);
    for _ in 0..count {
        let place = random.below(reference.len() - LENGTH + 1);
        for &base in &reference[place..place + LENGTH] {
            reads.push(if random.below(ERRORS) == 0 { random.below(LETTERS) as u8 } else { base });
        }
    }
    reads
}

fn as_words(bytes: &[u8]) -> Vec<u32> {
    let word = |part: &[u8]| part.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    bytes.chunks(4).map(word).collect()
}

/// Task of a thread, as messages call it.
fn place(i: usize) -> String {
    format!("read {}, from base {}", i / STARTS, i % STARTS)
}

fn compare(found: &[u32], expected: &[u32]) -> Result<()> {
    let bases = |length: u32| format!("{length} bases");
    let shown = |i: usize| [place(i), bases(found[i]), bases(expected[i])];
    let all = Elements { what: "matches".into(), count: expected.len(), shown: &shown };
    all.check(|i| found[i] == expected[i])
}

/// The node at which a match ends spells it: there may be several, in as many places of the reference.
fn check_places(found: &[u32], ends: &[u32], tree: &SuffixTree, reference: &[u8], reads: &[u8]) -> Result<()> {
    let depths = tree.depths();
    let spelled = |i: usize| {
        let node = ends[i] as usize;
        let from = tree.nodes.get(node)?.to as usize - depths[node] as usize;
        reference.get(from..from + found[i] as usize)
    };
    let asked = |i: usize| {
        let start = i / STARTS * LENGTH + i % STARTS;
        &reads[start..start + found[i] as usize]
    };
    let shown = |i: usize| [place(i), format!("node {} spells {:?}", ends[i], spelled(i)), format!("{:?}", asked(i))];
    let all = Elements { what: "places of matches".into(), count: found.len(), shown: &shown };
    all.check(|i| spelled(i) == Some(asked(i)))
}

/// Bases as a number, the first the highest: so that numbers are in the order of the words, and those that begin alike are beside
/// each other. What follows the last is no base.
fn window(bases: &[u8], behind: u128) -> u128 {
    let base = |i: usize| bases.get(i).map_or(behind, |&base| u128::from(base) + 1);
    (0..WINDOW).fold(0, |window, i| window << BITS | base(i))
}

/// The longest match of each read and start, found in the sorted windows of the reference: one of the two neighbours of a read's own
/// window has as much in common with it as any.
fn matches(reference: &[u8], reads: &[u8]) -> Vec<u32> {
    let mut windows: Vec<u128> = (0..reference.len()).map(|i| window(&reference[i..], 0)).collect();
    windows.sort_unstable();
    let unused = 128 - BITS * WINDOW as u32;
    let longest = |bases: &[u8]| {
        // Letters after the read are like none in the reference.
        let own = window(bases, 7);
        let place = windows.partition_point(|&other| other < own);
        let common = |other: &u128| ((own ^ other).leading_zeros() - unused) / BITS;
        windows[place.saturating_sub(1)..(place + 1).min(windows.len())].iter().map(common).max().unwrap_or(0)
    };
    reads.chunks(LENGTH).flat_map(|read| (0..STARTS).map(move |start| &read[start..])).map(longest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bases(count: usize, seed: u64, kinds: i32) -> Vec<u8> {
        inputs::integers(count, seed, 0, kinds - 1).map(|base| base as u8).collect()
    }

    /// Base by base, from every place of the reference.
    #[test]
    fn reference_finds_the_longest_matches() {
        for (length, kinds) in [(28, 4), (400, 4), (60, 2), (30, 1)] {
            let reference = bases(length, 1, kinds);
            let reads = [reads(&reference, 8), bases(5 * LENGTH, 2, 4)].concat();
            let common = |a: &[u8], b: &[u8]| a.iter().zip(b).take_while(|(a, b)| a == b).count() as u32;
            let longest = |read: &[u8]| (0..length).map(|place| common(&reference[place..], read)).max().unwrap();
            let naive: Vec<u32> =
                reads.chunks(LENGTH).flat_map(|read| (0..STARTS).map(move |s| &read[s..])).map(longest).collect();
            assert_eq!(matches(&reference, &reads), naive, "{length} {kinds}");
        }
    }

    #[test]
    fn wrong_lengths_and_places_are_found() {
        let reference = bases(100, 1, 4);
        let reads = reference[40..65].to_vec();
        let tree = SuffixTree::new(&reference);
        let mut found = matches(&reference, &reads);
        assert_eq!(found, [25, 24, 23, 22, 21, 20]);
        // The leaves of the suffixes from there on.
        let ends: Vec<u32> = (40..46)
            .map(|start| {
                let (leaf, _) = tree
                    .depths()
                    .into_iter()
                    .enumerate()
                    .find(|&(i, depth)| tree.nodes[i].to as usize == 101 && depth as usize == 101 - start)
                    .unwrap();
                leaf as u32
            })
            .collect();
        assert!(check_places(&found, &ends, &tree, &reference, &reads).is_ok());
        let message = check_places(&found, &[ends[1]; 6], &tree, &reference, &reads).unwrap_err().to_string();
        assert!(message.contains("5 of 6 places of matches; the first is read 0, from base 0"), "{message}");
        found[2] -= 1;
        let message = compare(&found, &matches(&reference, &reads)).unwrap_err().to_string();
        assert!(
            message.contains("1 of 6 matches; the first is read 0, from base 2: 22 bases, should be 23"),
            "{message}"
        );
    }
}
