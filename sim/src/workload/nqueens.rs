//! The queens' problem: the host places the queens of the first two rows, a thread for each of these beginnings counts in how
//! many ways the others can be placed. The left half of the first row is enough: the right one is its mirror image.

use super::session::{kernels, Session};
use super::{check, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;

pub const SIZE: Size = Size { meaning: "rows of the board", default: 8, max: DEPTH + 2 };

/// Threads a CTA, and most rows that are left to one, as in the kernel.
const BLOCK: u32 = 96;
const DEPTH: u32 = 10;
/// CTAs, whether or not there is a beginning for them.
const CTAS: u32 = 256;

/// Gives a sum for each CTA, of the ways to go on from the beginnings of its threads.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let [count] = kernels(kernels::NQUEENS, ["nqueens_count"])?;
    let mut session = Session::new(gpu, watch);
    let placed = placed(size);
    let beginnings = half(size);
    let sets: [fn(&[u32]) -> u32; 3] = [columns, left, right];
    let words: Vec<u32> = sets.iter().flat_map(|set| beginnings.iter().map(|queens| set(queens))).collect();
    let (board, sums) = (session.upload(&words)?, session.alloc(CTAS as usize));
    let boards = beginnings.len() as u32;
    let params = Params::default().u64(board).u64(sums).u32(boards).u32(size).u32(size - placed);
    session.launch(&count, Start { level: 0, work: boards.into() }, [CTAS, 1, 1], [BLOCK, 1, 1], params)?;
    let found = session.read(sums, CTAS as usize)?;
    let of_threads: Vec<_> = beginnings.into_iter().map(|mut queens| ways(size, &mut queens)).collect();
    let mut expected: Vec<u32> = of_threads.chunks(BLOCK as usize).map(|counts| counts.iter().sum()).collect();
    expected.resize(CTAS as usize, 0);
    check::array(&found, &expected, |count| format!("{count} ways"))?;
    let all = found.iter().sum::<u32>() * images(size);
    check::array(&[all], &[ways(size, &mut vec![])], |count| format!("{count} ways in all"))?;
    Ok(session.finish(found, format!("all sums equal, {all} ways in all")))
}

/// Rows that the host fills.
fn placed(side: u32) -> u32 {
    2.min(side - 1)
}

/// For how many boards each of [`half`] stands: that of one row is its own mirror image.
fn images(side: u32) -> u32 {
    2.min(side)
}

/// The ways to place queens in the first rows that have one in the left half of the first row, or else in its middle and
/// in the left half of the second: one of each two that are mirror images.
fn half(side: u32) -> Vec<Vec<u32>> {
    let is_left = |queens: &Vec<u32>| {
        let aside = queens.iter().map(|&column| (2 * column + 1).cmp(&side)).find(|order| order.is_ne());
        aside.is_none_or(|order| order.is_lt())
    };
    let mut all = beginnings(side, placed(side));
    all.retain(is_left);
    all
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
    use crate::config::Config;

    /// OEIS A000170.
    const KNOWN: [u32; 9] = [1, 0, 0, 2, 10, 4, 40, 92, 352];

    #[test]
    fn references_and_kernels_counts_are_the_known_ones() {
        for (side, known) in (1..).zip(KNOWN) {
            assert_eq!(ways(side, &mut vec![]), known, "side {side}");
            let mut gpu = Gpu::new(&Config::preset("gw-fermi-b32").unwrap(), Vec::new());
            let result = run(&mut gpu, side, &mut |_| {}).unwrap().result;
            assert_eq!(result.iter().sum::<u32>() * images(side), known, "side {side}");
        }
    }

    /// As shipped: 21 boards for 256 CTAs of 96.
    #[test]
    fn the_host_places_half_of_the_boards() {
        assert_eq!(half(8).len(), 21);
        assert_eq!(half(5), [vec![0, 2], vec![0, 3], vec![0, 4], vec![1, 3], vec![1, 4], vec![2, 0]]);
        for side in 2..13 {
            let all: Vec<_> = half(side)
                .iter()
                .flat_map(|queens| [queens.clone(), queens.iter().map(|q| side - 1 - q).collect()])
                .collect();
            assert_eq!(
                all.iter().collect::<std::collections::BTreeSet<_>>().len(),
                beginnings(side, placed(side)).len()
            );
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
