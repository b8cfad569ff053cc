//! The queens' problem: the host places the queens of the first rows in every way, a thread for each of these beginnings counts
//! in how many ways the others can be placed. Threads differ much in how long they search.

use super::session::{kernels, Session};
use super::{check, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;

pub const SIZE: Size = Size { meaning: "rows of the board", default: 10, max: 16 };

/// Threads a CTA, and most rows that are left to one, as in the kernel.
const BLOCK: u32 = 64;
const ROWS: u32 = 12;

/// Gives a count for each beginning, in the order of the columns of the first queen, the second and so on.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let [count] = kernels(kernels::NQUEENS, ["nqueens_count"])?;
    let mut session = Session::new(gpu, watch);
    let placed = (size / 2).min(SIZE.max - ROWS);
    let beginnings = beginnings(size, placed);
    let sets: [fn(&[u32]) -> u32; 3] = [columns, left, right];
    let words: Vec<u32> = sets.iter().flat_map(|set| beginnings.iter().map(|queens| set(queens))).collect();
    let (prefix, counts) = (session.upload(&words)?, session.alloc(beginnings.len()));
    let prefixes = beginnings.len() as u32;
    let params = Params::default().u64(prefix).u64(counts).u32(prefixes).u32(size).u32(size - placed);
    let start = Start { level: 0, work: prefixes as u64 };
    session.launch(&count, start, [prefixes.div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1], params)?;
    let found = session.read(counts, beginnings.len())?;
    let expected: Vec<_> = beginnings.into_iter().map(|mut queens| ways(size, &mut queens)).collect();
    check::array(&found, &expected, |count| format!("{count} ways"))?;
    let all: u64 = found.iter().map(|&count| count as u64).sum();
    Ok(session.finish(found, format!("all counts equal, {all} ways in all")))
}

/// Where queens attack in the row after theirs: straight on, and along the two diagonals. A bit a column.
fn columns(queens: &[u32]) -> u32 {
    queens.iter().fold(0, |set, column| set | 1 << column)
}

fn left(queens: &[u32]) -> u32 {
    queens.iter().fold(0, |set, column| (set | 1 << column) << 1)
}

fn right(queens: &[u32]) -> u32 {
    queens.iter().fold(0, |set, column| (set | 1 << column) >> 1)
}

/// A queen in the next row, in this column, would be attacked by none of these.
fn is_safe(queens: &[u32], column: u32) -> bool {
    queens.iter().rev().zip(1..).all(|(&queen, rows)| queen != column && queen.abs_diff(column) != rows)
}

/// All ways to place queens in so many rows, by their columns.
fn beginnings(side: u32, rows: u32) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    for _ in 0..rows {
        let longer = |queens: &Vec<u32>| -> Vec<Vec<u32>> {
            let columns = (0..side).filter(|&column| is_safe(queens, column));
            columns.map(|column| [&queens[..], &[column]].concat()).collect()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// In how many ways the board can be filled up, by the rules.
fn ways(side: u32, queens: &mut Vec<u32>) -> u32 {
    if queens.len() as u32 == side {
        return 1;
    }
    let mut count = 0;
    for column in 0..side {
        if is_safe(queens, column) {
            queens.push(column);
            count += ways(side, queens);
            queens.pop();
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attach::Units;
    use crate::config::Config;

    /// OEIS A000170.
    const KNOWN: [u32; 9] = [1, 0, 0, 2, 10, 4, 40, 92, 352];

    #[test]
    fn references_and_kernels_counts_are_the_known_ones() {
        for (side, known) in (1..).zip(KNOWN) {
            assert_eq!(ways(side, &mut vec![]), known, "side {side}");
            let mut gpu = Gpu::new(&Config::preset("gw-fermi-b32").unwrap(), Units::default());
            let result = run(&mut gpu, side, &mut |_| {}).unwrap().result;
            assert_eq!(result.iter().sum::<u32>(), known, "side {side}");
        }
    }

    #[test]
    fn sets_are_those_of_the_attacked_columns() {
        let queens = [2, 0, 3];
        assert_eq!(columns(&queens), 0b1101);
        // From the rows three, two and one before: columns 2, 0 and 3, that much to one side or the other.
        assert_eq!(left(&queens), 1 << 5 | 1 << 2 | 1 << 4);
        assert_eq!(right(&queens), 1 << 2);
    }
}
