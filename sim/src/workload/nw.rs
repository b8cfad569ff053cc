//! Global alignment of two random sequences of bases (Needleman and Wunsch): a wavefront over tiles in shared memory, a launch
//! a diagonal. Bases score as in EDNAFULL, a gap as in Rodinia.

use super::session::{kernels, Session};
use super::{check, inputs, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;

pub const SIZE: Size = Size { meaning: "bases of each of the two sequences", default: 512, max: 8192 };

/// Columns of a tile, a thread each, and its rows.
const TILE: u32 = 16;
const EQUAL: i32 = 5;
const DIFFERENT: i32 = -4;
const GAP: i32 = 10;

/// Gives the scores of aligning each beginning of the one sequence with each of the other, from the empty ones; signed.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let [diagonal] = kernels(kernels::NW, ["nw_diagonal"])?;
    let mut session = Session::new(gpu, watch);
    let [a, b] = [1, 2].map(|seed| inputs::integers(size as usize, seed, 0, 3).collect::<Vec<_>>());
    let similarities: Vec<u32> = a.iter().flat_map(|a| b.iter().map(move |b| similarity(a, b) as u32)).collect();
    let width = size as usize + 1;
    let mut first = vec![0; width * width];
    for i in 0..width {
        let gaps = (-GAP * i as i32) as u32;
        (first[i], first[i * width]) = (gaps, gaps);
    }
    let (similar, score) = (session.upload(&similarities)?, session.upload(&first)?);
    let tiles = size.div_ceil(TILE);
    for level in 0..2 * tiles - 1 {
        let (first, last) = (level.saturating_sub(tiles - 1), level.min(tiles - 1));
        let ctas = last - first + 1;
        let params = Params::default().u64(similar).u64(score).u32(size).u32(GAP as u32).u32(level).u32(first);
        let start = Start { level, work: (ctas * TILE * TILE) as u64 };
        session.launch(&diagonal, start, [ctas, 1, 1], [TILE, 1, 1], params)?;
    }
    let found = session.read(score, width * width)?;
    check::array(&found, &reference(&a, &b), |score| format!("score {}", score as i32))?;
    let checked = format!("all scores equal, {} for the whole", found[found.len() - 1] as i32);
    Ok(session.finish(found, checked))
}

fn similarity(a: &i32, b: &i32) -> i32 {
    if a == b {
        EQUAL
    } else {
        DIFFERENT
    }
}

/// Row by row: two bases beside each other, or one and a gap.
fn reference(a: &[i32], b: &[i32]) -> Vec<u32> {
    let mut above: Vec<i32> = (0..=b.len() as i32).map(|gaps| -GAP * gaps).collect();
    let mut scores = above.clone();
    for a in a {
        let mut row = vec![above[0] - GAP];
        for (j, b) in b.iter().enumerate() {
            row.push((above[j] + similarity(a, b)).max(above[j + 1] - GAP).max(row[j] - GAP));
        }
        scores.extend(&row);
        above = row;
    }
    scores.into_iter().map(|score| score as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every alignment there is.
    fn best(a: &[i32], b: &[i32]) -> i32 {
        match (a, b) {
            ([], rest) | (rest, []) => -GAP * rest.len() as i32,
            ([x, more_a @ ..], [y, more_b @ ..]) => {
                let side_by_side = similarity(x, y) + best(more_a, more_b);
                side_by_side.max(best(more_a, b) - GAP).max(best(a, more_b) - GAP)
            }
        }
    }

    #[test]
    fn reference_finds_the_best_alignment() {
        let (a, b) = ([0, 1, 2, 3, 0, 0, 1], [1, 2, 3, 3, 0, 1]);
        let last = |a: &[i32], b: &[i32]| reference(a, b).pop().map(|score| score as i32);
        assert_eq!(last(&a, &b), Some(best(&a, &b)));
        assert_eq!(last(&a, &a), Some(7 * EQUAL));
        assert_eq!(last(&a[..3], &b[..2]), Some(2 * EQUAL - GAP), "a gap for the first");
        assert_eq!(last(&a, &[]), Some(-7 * GAP));
    }
}
