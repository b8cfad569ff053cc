//! Cheapest ways through a grid of costs, row by row: dynamic programming with a ghost zone in shared memory.

use super::session::{kernels, Session};
use super::{check, inputs, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;

pub const SIZE: Size = Size { meaning: "columns of the grid of costs", default: 100_000, max: 1 << 21 };

const ROWS: u32 = 100;
/// Threads a CTA, and how many columns on either side are computed for the neighbour's sake, as in the kernel.
const BLOCK: u32 = 256;
const HALO: u32 = 20;

/// Gives the cost of the cheapest way to each cell of the last row.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let [rows] = kernels(kernels::PATHFINDER, ["pathfinder_rows"])?;
    let mut session = Session::new(gpu, watch);
    let columns = size as usize;
    let costs: Vec<_> = inputs::integers(columns * ROWS as usize, 1, 0, 9).map(|cost| cost as u32).collect();
    let cost = session.upload(&costs)?;
    let (mut from, mut to) = (session.upload(&costs[..columns])?, session.alloc(columns));
    for (level, row) in (1..ROWS).step_by(HALO as usize).enumerate() {
        let steps = HALO.min(ROWS - row);
        let params = Params::default().u64(cost).u64(from).u64(to).u32(size).u32(row).u32(steps);
        let start = Start { level: level as u32, work: size as u64 };
        session.launch(&rows, start, [size.div_ceil(BLOCK - 2 * HALO), 1, 1], [BLOCK, 1, 1], params)?;
        (from, to) = (to, from);
    }
    let found = session.read(from, columns)?;
    check::array(&found, &reference(&costs, columns), |cost| format!("cost {cost}"))?;
    Ok(session.finish(found, "all costs equal".into()))
}

fn reference(costs: &[u32], columns: usize) -> Vec<u32> {
    let mut rows = costs.chunks(columns);
    let first = rows.next().expect("a first row").to_vec();
    rows.fold(first, |above, row| {
        let cheapest = |c: usize| *above[c.saturating_sub(1)..(c + 2).min(columns)].iter().min().expect("a way");
        row.iter().enumerate().map(|(c, cost)| cost + cheapest(c)).collect()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn reference_takes_the_cheapest_of_three() {
        assert_eq!(super::reference(&[5, 1, 9, 9, /**/ 1, 1, 1, 1, /**/ 0, 7, 0, 0], 4), [2, 9, 2, 2]);
    }
}
