//! Laplace's equation in a cube: a seven-point stencil, a launch a step, planes of tiles in shared memory.
//!
//! No value is negative, so a step's sum of six is off by at most five roundings of itself, the constant 1/6 by one and the
//! product by one: seven of 2^-24 (to first order; an eighth covers the second). A mean never enlarges errors, so all
//! that can add up is what each step rounds: 8 x 2^-24 of the largest value a step is the tolerance.

use super::check::{self, Bounded};
use super::session::{kernels, Session};
use super::{inputs, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;

pub const SIZE: Size = Size { meaning: "cells a side of the cube", default: 64, max: 512 };

/// Threads of a CTA, along a row and across.
const TILE: [u32; 2] = [32, 4];
const STEPS: u32 = 4;

/// Gives the values, plane by plane and row by row.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let [step] = kernels(kernels::LAPLACE, ["laplace_step"])?;
    let mut session = Session::new(gpu, watch);
    let cells = (size as usize).pow(3);
    let first = inputs::floats(cells, 1, 0.0, 1.0);
    let (mut from, mut to) = (session.upload_f32(&first)?, session.alloc(cells));
    let [x, y] = TILE.map(|side| size.div_ceil(side));
    for level in 0..STEPS {
        let params = Params::default().u64(from).u64(to).u32(size);
        session.launch(&step, Start { level, work: cells as u64 }, [x, y, 1], [TILE[0], TILE[1], 1], params)?;
        (from, to) = (to, from);
    }
    let found = session.read(from, cells)?;
    let first: Vec<f64> = first.into_iter().map(f64::from).collect();
    let checked = compare(&found, reference(first, size as usize), size as usize)?;
    Ok(session.finish(found, checked))
}

fn compare(found: &[u32], expected: Vec<f64>, n: usize) -> Result<String> {
    // The largest value of all steps is at most the first's, 1.
    let tolerance = STEPS as f64 * 8.0 / (1 << 24) as f64;
    let expected: Vec<_> = expected.into_iter().map(|value| Bounded { value, tolerance }).collect();
    let place = |i: usize| format!("plane {}, row {}, column {}", i / (n * n), i / n % n, i % n);
    let worst = check::within("cells".into(), place, found, &expected)?;
    Ok(format!("values after {STEPS} steps within {worst:.0} % of what rounding may do"))
}

/// The definition, in 64-bit floats.
fn reference(first: Vec<f64>, n: usize) -> Vec<f64> {
    let mut now = first;
    for _ in 0..STEPS {
        let cell = |i: usize| {
            let is_inside = [i / (n * n), i / n % n, i % n].into_iter().all(|place| place > 0 && place + 1 < n);
            match is_inside {
                true => [1, n, n * n].into_iter().map(|apart| now[i - apart] + now[i + apart]).sum::<f64>() / 6.0,
                false => now[i],
            }
        };
        now = (0..n * n * n).map(cell).collect();
    }
    now
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(n: usize, value: impl Fn([f64; 3]) -> f64) -> Vec<f64> {
        (0..n * n * n).map(|i| value([i / (n * n), i / n % n, i % n].map(|place| place as f64))).collect()
    }

    /// What is linear is a solution already; without anything on the faces, what is inside flows away.
    #[test]
    fn reference_keeps_solutions_and_levels_the_rest() {
        let linear = cube(6, |[z, y, x]| z + 2.0 * y - 3.0 * x);
        let kept = reference(linear.clone(), 6);
        assert!(linear.iter().zip(&kept).all(|(a, b)| (a - b).abs() < 1e-12));
        let bump = cube(9, |place| f64::from(u8::from(place == [4.0; 3])));
        let levelled = reference(bump, 9);
        assert!((levelled.iter().sum::<f64>() - (1.0 - 6.0 / 6f64.powi(4))).abs() < 1e-12);
        // 90 walks of four steps on the cubic lattice come back.
        assert!((levelled[4 * 81 + 4 * 9 + 4] - 90.0 / 6f64.powi(4)).abs() < 1e-12);
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
