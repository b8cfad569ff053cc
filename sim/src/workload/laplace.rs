//! Laplace's equation in a cube: a seven-point stencil, one step, three planes of a tile in shared memory.
//!
//! No value is negative, so a step's sum of six is off by at most five roundings of itself, the constant 1/6 by one and the
//! product by one: seven of 2^-24 (to first order; an eighth covers the second). 8 x 2^-24 of the largest value, 1, is the
//! tolerance.

use super::check::{self, Bounded};
use super::session::{kernels, Session};
use super::{Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;

pub const SIZE: Size = Size { meaning: "cells a side of the cube", default: 100, max: 512 };

/// Threads of a CTA, along a row and across.
const TILE: [u32; 2] = [32, 4];

/// Gives the values after a step from 1 on the faces and 0 inside, plane by plane and row by row.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let n = size as usize;
    let first = (0..n.pow(3)).map(|i| if is_inside(i, n) { 0.0 } else { 1.0 }).collect();
    step(gpu, size, first, watch)
}

/// The values after a step from these, none negative or above 1.
fn step(gpu: &mut Gpu, size: u32, first: Vec<f32>, watch: Watch) -> Result<Outcome> {
    let [program] = kernels(kernels::LAPLACE, ["laplace_step"])?;
    let mut session = Session::new(gpu, watch);
    let cells = first.len();
    let (from, to) = (session.upload_f32(&first)?, session.alloc(cells));
    let [x, y] = TILE.map(|side| size.div_ceil(side));
    let params = Params::default().u64(from).u64(to).u32(size);
    let start = Start { level: 0, work: cells as u64 };
    session.launch(&program, start, [x, y, 1], [TILE[0], TILE[1], 1], params)?;
    let found = session.read(to, cells)?;
    let first: Vec<f64> = first.into_iter().map(f64::from).collect();
    let checked = compare(&found, reference(&first, size as usize), size as usize)?;
    Ok(session.finish(found, checked))
}

/// Cell `i` lies on no face.
fn is_inside(i: usize, n: usize) -> bool {
    [i / (n * n), i / n % n, i % n].into_iter().all(|place| place > 0 && place + 1 < n)
}

fn compare(found: &[u32], expected: Vec<f64>, n: usize) -> Result<String> {
    // No value is above 1.
    let tolerance = 8.0 / (1 << 24) as f64;
    let expected: Vec<_> = expected.into_iter().map(|value| Bounded { value, tolerance }).collect();
    let place = |i: usize| format!("plane {}, row {}, column {}", i / (n * n), i / n % n, i % n);
    let worst = check::within("cells".into(), place, found, &expected)?;
    Ok(format!("values within {worst:.0} % of what rounding may do"))
}

/// The definition, in 64-bit floats.
fn reference(now: &[f64], n: usize) -> Vec<f64> {
    let cell = |i: usize| match is_inside(i, n) {
        true => [1, n, n * n].into_iter().map(|apart| now[i - apart] + now[i + apart]).sum::<f64>() / 6.0,
        false => now[i],
    };
    (0..n * n * n).map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::workload::inputs;

    fn cube(n: usize, value: impl Fn([f64; 3]) -> f64) -> Vec<f64> {
        (0..n * n * n).map(|i| value([i / (n * n), i / n % n, i % n].map(|place| place as f64))).collect()
    }

    /// A linear field is a solution already; a value in one cell goes to its six neighbours.
    #[test]
    fn reference_keeps_solutions_and_levels_the_rest() {
        let linear = cube(6, |[z, y, x]| z + 2.0 * y - 3.0 * x);
        let kept = reference(&linear, 6);
        assert!(linear.iter().zip(&kept).all(|(a, b)| (a - b).abs() < 1e-12));
        let bump = cube(9, |place| f64::from(u8::from(place == [4.0; 3])));
        let levelled = reference(&bump, 9);
        assert!((levelled.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(levelled.iter().filter(|&&value| value > 0.0).count(), 6);
    }

    /// The cube of a run is 0 nearly everywhere: here each cell has a value of its own.
    #[test]
    fn every_cell_takes_the_mean_of_its_own_neighbours() {
        for size in [3, 14, 35] {
            let mut gpu = Gpu::new(&Config::preset("gw-fermi-gw8").unwrap(), Vec::new());
            step(&mut gpu, size, inputs::floats((size as usize).pow(3), 1, 0.0, 1.0), &mut |_| {}).unwrap();
        }
    }

    #[test]
    fn an_error_above_the_tolerance_is_found() {
        let mut found = vec![0.5f32.to_bits(); 8];
        assert!(compare(&found, vec![0.5; 8], 2).is_ok());
        found[5] = 0.50001f32.to_bits();
        let message = compare(&found, vec![0.5; 8], 2).unwrap_err().to_string();
        assert!(message.contains("the first is plane 1, row 0, column 1: 5.0001e-1, should be 5e-1"), "{message}");
    }
}
