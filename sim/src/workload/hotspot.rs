//! Temperature of a chip over time: a five-point stencil, two steps a launch, with a ghost zone.
//!
//! A step takes a cell to a weighted mean of its own temperature, its neighbours' and the ambient one (weights that are
//! not negative and add up to 1), plus a little heat. A mean never enlarges errors, so all that can add up is what each
//! step rounds: the last addition by half a unit in the last place of the temperature, and the much smaller change that
//! it adds, by less. Twice half a unit per step, 2^-23 of the highest temperature, is the tolerance.

use super::check::Elements;
use super::session::{kernels, Session};
use super::{inputs, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;

pub const SIZE: Size = Size { meaning: "cells a side of the chip", default: 512, max: 8192 };

/// Threads a side of a CTA, and how many cells on each side are computed for the neighbour's sake, as in the kernel.
const TILE: u32 = 16;
const GHOST: u32 = 2;
const STEPS: u32 = 6;

/// Heat that flows in a step, per kelvin of difference: between neighbours, and to the heat sink.
const BETWEEN: f32 = 0.125;
const TO_SINK: f32 = 0.015625;
/// Kelvin.
const AMBIENT: f32 = 300.0;

/// Gives the temperatures, row by row.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let [program] = kernels(kernels::HOTSPOT, ["hotspot_steps"])?;
    let mut session = Session::new(gpu, watch);
    let cells = size as usize * size as usize;
    let (heat, first) = (inputs::floats(cells, 1, 0.0, 0.5), inputs::floats(cells, 2, 320.0, 340.0));
    let power = session.upload_f32(&heat)?;
    let (mut from, mut to) = (session.upload_f32(&first)?, session.alloc(cells));
    let tiles = size.div_ceil(TILE - 2 * GHOST);
    for (level, step) in (0..STEPS).step_by(GHOST as usize).enumerate() {
        let steps = GHOST.min(STEPS - step);
        let arrays = Params::default().u64(power).u64(from).u64(to).u32(size).u32(steps);
        let params = arrays.f32(BETWEEN).f32(TO_SINK).f32(AMBIENT);
        let start = Start { level: level as u32, work: cells as u64 };
        session.launch(&program, start, [tiles, tiles, 1], [TILE, TILE, 1], params)?;
        (from, to) = (to, from);
    }
    let found = session.read(from, cells)?;
    let checked = compare(&found, &reference(&heat, &first, size as usize), size as usize)?;
    Ok(session.finish(found, checked))
}

fn compare(found: &[u32], expected: &[f64], n: usize) -> Result<String> {
    let highest = expected.iter().copied().fold(0.0, f64::max);
    let tolerance = STEPS as f64 * highest / (1 << 23) as f64;
    let error = |i: usize| (f32::from_bits(found[i]) as f64 - expected[i]).abs();
    let shown = |i: usize| {
        let kelvin = format!("{} K within {tolerance:.1e} K", expected[i]);
        [format!("row {}, column {}", i / n, i % n), format!("{} K", f32::from_bits(found[i])), kelvin]
    };
    let cells = Elements { what: "cells".into(), count: expected.len(), shown: &shown };
    cells.check(|i| error(i) <= tolerance)?;
    let worst = (0..expected.len()).map(error).fold(0.0, f64::max);
    Ok(format!("temperatures within {worst:.1e} K, tolerance {tolerance:.1e} K"))
}

/// The definition, in 64-bit floats.
fn reference(heat: &[f32], first: &[f32], n: usize) -> Vec<f64> {
    let mut now: Vec<f64> = first.iter().map(|&t| t as f64).collect();
    for _ in 0..STEPS {
        let cell = |i: usize| {
            let (row, column, t) = (i / n, i % n, now[i]);
            // At the edge of the chip, the cell itself: no heat flows.
            let up = if row > 0 { now[i - n] } else { t };
            let down = if row + 1 < n { now[i + n] } else { t };
            let left = if column > 0 { now[i - 1] } else { t };
            let right = if column + 1 < n { now[i + 1] } else { t };
            let flow = BETWEEN as f64 * (up + down + left + right - 4.0 * t);
            t + heat[i] as f64 + flow + TO_SINK as f64 * (AMBIENT as f64 - t)
        };
        now = (0..n * n).map(cell).collect();
    }
    now
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without a heat sink's pull (all at ambient temperature) the chip's heat is what was put in, wherever it flows.
    #[test]
    fn reference_conserves_heat() {
        let mut heat = vec![0.0; 81];
        heat[4 * 9 + 4] = 1.0;
        let ambient = vec![AMBIENT; 81];
        let sum: f64 = reference(&heat, &ambient, 9).iter().map(|t| t - AMBIENT as f64).sum();
        let kept = 1.0 - TO_SINK as f64;
        let expected: f64 = (0..STEPS as i32).map(|step| kept.powi(step)).sum();
        assert!((sum - expected).abs() < 1e-9, "{sum}, {expected}");
        assert_eq!(reference(&vec![0.0; 81], &ambient, 9), vec![AMBIENT as f64; 81]);
    }

    #[test]
    fn an_error_above_the_tolerance_is_found() {
        let expected = vec![330.0; 4];
        let mut found = vec![330f32.to_bits(); 4];
        assert!(compare(&found, &expected, 2).is_ok());
        found[2] = 330.01f32.to_bits();
        let message = compare(&found, &expected, 2).unwrap_err().to_string();
        assert!(message.contains("the first is row 1, column 0: 330.01 K, should be 330 K within"), "{message}");
    }
}
