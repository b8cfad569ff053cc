//! Hash join: for each key of a table the row of a smaller table that has it. The keys of the smaller one are all different (primary
//! keys); three in four keys of the other one refer to one of them. The host builds the hash table; a launch
//! hashes, and one probes.

use super::rounds::{Edges, Frontier};
use super::session::{kernels, Session};
use super::{check, inputs, Outcome, Params, Result, Size, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::SplitMix64;
use crate::kernels;
use crate::units::iru::Filter;
use std::collections::HashMap;

pub const VARIANTS: &[Variant] = &[Variant::Thread, Variant::ThreadIru];
pub const SIZE: Size =
    Size { meaning: "rows of the larger table, four for each of the smaller one", default: 1 << 18, max: 1 << 24 };

/// Rows of the larger table for each of the smaller one.
const RATIO: usize = 4;
/// 2^32 over the golden ratio, as in the kernel.
const FACTOR: u32 = 2_654_435_769;
/// Row of a key that the smaller table has not.
const NONE: u32 = u32::MAX;

/// Gives for each row of the larger table the row of the smaller one with its key.
pub fn run(gpu: &mut Gpu, size: u32, variant: Variant, watch: Watch) -> Result<Outcome> {
    let ptx = if variant.needs_iru() { kernels::JOIN_IRU } else { kernels::JOIN };
    let [hash, probe] = kernels(ptx, ["join_hash", "join_probe"])?;
    let mut session = Session::new(gpu, watch);
    let (small, large) = tables(size as usize);
    let table = HashTable::new(&small);
    let (keys, rows) = (session.upload(&table.keys)?, session.upload(&table.rows)?);
    let probes = session.upload_for_iru(&large)?;
    let slots = session.alloc_for_iru(large.len());
    let [positions, found] = [(); 2].map(|()| session.alloc(large.len()));
    let matches = session.upload(&[0])?;
    let params = Params::default().u64(probes).u32(size).u32(table.shift).u64(slots);
    session.launch_threads(&hash, 0, size.into(), params)?;
    let elements = Frontier::of(slots);
    let taken = Edges { frontier: &elements, count: size, weights: Some(probes), label: keys, filter: Filter::None };
    let table = Params::default().u64(keys).u64(rows).u32(table.keys.len() as u32 - 1);
    let params = table.then(&Params::default().u64(positions).u64(found).u64(matches));
    session.contract(variant, &probe, 1, &taken, params)?;
    let count = session.read_word(matches)?;
    let [positions, found] = [positions, found].map(|array| session.read(array, large.len().min(count as usize)));
    let joined = compare(count, &positions?, &found?, &reference(&small, &large))?;
    Ok(session.finish(joined, format!("all {count} matches equal")))
}

/// Keys of the smaller and of the larger table.
fn tables(size: usize) -> (Vec<u32>, Vec<u32>) {
    let rows = size.div_ceil(RATIO);
    // The first of them is 0, which is no key.
    let keys: Vec<u32> = inputs::distinct(1 + rows + rows.div_ceil(3)).skip(1).collect();
    let mut random = SplitMix64(1);
    let large = (0..size).map(|_| keys[random.below(keys.len())]).collect();
    (keys[..rows].to_vec(), large)
}

/// Keys and rows by place: each is in the first free place from its hash on. A key of 0 is a free place.
struct HashTable {
    keys: Vec<u32>,
    rows: Vec<u32>,
    /// Bits of a product that are not in a hash.
    shift: u32,
}

impl HashTable {
    /// At least half of the places are free.
    fn new(small: &[u32]) -> Self {
        let places = (2 * small.len()).next_power_of_two();
        let shift = u32::BITS - places.ilog2();
        let (mut keys, mut rows) = (vec![0; places], vec![NONE; places]);
        for (row, &key) in (0..).zip(small) {
            let mut place = (key.wrapping_mul(FACTOR) >> shift) as usize;
            while keys[place] != 0 {
                place = (place + 1) % places;
            }
            (keys[place], rows[place]) = (key, row);
        }
        HashTable { keys, rows, shift }
    }
}

fn reference(small: &[u32], large: &[u32]) -> Vec<u32> {
    let rows: HashMap<u32, u32> = small.iter().copied().zip(0..).collect();
    large.iter().map(|key| rows.get(key).copied().unwrap_or(NONE)).collect()
}

/// Matches come in any order. Gives the row for each row of the larger table.
fn compare(count: u32, positions: &[u32], rows: &[u32], expected: &[u32]) -> Result<Vec<u32>> {
    let matches = expected.iter().filter(|&&row| row != NONE).count() as u32;
    check::listed(["number", "numbers of matches"], &[count], &[matches], |count| format!("{count} matches"))?;
    let mut joined = vec![NONE; expected.len()];
    for (&position, &row) in positions.iter().zip(rows) {
        if let Some(place) = joined.get_mut(position as usize) {
            *place = row;
        }
    }
    let text = |row| if row == NONE { "no match".into() } else { format!("row {row}") };
    check::listed(["row", "rows of the larger table"], &joined, expected, text)?;
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_in_four_rows_find_one_by_key() {
        let (small, large) = tables(40_000);
        let joined = reference(&small, &large);
        let matches = joined.iter().filter(|&&row| row != NONE).count();
        assert!(matches.abs_diff(30_000) < 500, "{matches}");
        for (key, row) in large.iter().zip(joined) {
            let found = small.iter().position(|other| other == key).map_or(NONE, |row| row as u32);
            assert_eq!(row, found, "{key}");
        }
    }

    #[test]
    fn wrong_matches_are_found() {
        let expected = [4, NONE, 0, 4];
        assert_eq!(compare(3, &[3, 0, 2], &[4, 4, 0], &expected).unwrap(), expected);
        for (count, positions, rows, message) in [
            (2, vec![3, 0], vec![4, 4], "number 0: 2 matches, should be 3 matches"),
            (
                3,
                vec![3, 0, 0],
                vec![4, 4, 4],
                "1 of 4 rows of the larger table; the first is row 2: no match, should be row 0",
            ),
            (3, vec![3, 0, 2], vec![4, 4, 1], "row 2: row 1, should be row 0"),
            (3, vec![3, 0, 9], vec![4, 4, 0], "row 2: no match, should be row 0"),
        ] {
            let found = compare(count, &positions, &rows, &expected).unwrap_err().to_string();
            assert!(found.contains(message), "{found}");
        }
    }
}
