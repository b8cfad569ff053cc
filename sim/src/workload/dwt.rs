//! Haar's wavelets in one dimension: each level makes sums and differences of neighbours, over the root of two; the next one goes on
//! with the sums. A CTA does up to ten levels of its samples, and another launch goes on with what is left of each CTA.

use super::check::{self, Bounded};
use super::session::{kernels, Session};
use super::{inputs, Outcome, Params, Result, Size, Start, Watch, WorkloadError};
use crate::gpu::Gpu;
use crate::kernels;
use std::f64::consts::FRAC_1_SQRT_2;

pub const SIZE: Size = Size { meaning: "levels, of 2^levels samples", default: 12, max: 22 };

/// Threads of a CTA, two samples each, as in the kernel.
const MOST_THREADS: u32 = 512;

/// Gives the last sum, and then the differences, from the last level's to the first one's.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let [clear, levels] = kernels(kernels::DWT, ["dwt_clear", "dwt_levels"])?;
    let mut session = Session::new(gpu, watch);
    let count = 1usize << size;
    let samples = inputs::floats(count, 1, -1.0, 1.0);
    let (mut from, out) = (session.upload_f32(&samples)?, session.alloc(count));
    let mut left = count as u32;
    let mut start = Start { level: 0, work: u64::from(left / 2) };
    let threads = (left / 2).min(MOST_THREADS);
    session.launch(&clear, start, [left / 2 / threads, 1, 1], [threads, 1, 1], Params::default().u64(out))?;
    while left > 1 {
        let threads = (left / 2).min(MOST_THREADS);
        let (ctas, done) = (left / 2 / threads, (2 * threads).ilog2());
        let mean = session.alloc(ctas as usize);
        let params = Params::default().u64(from).u64(out).u64(mean).u32(done);
        start = Start { level: start.level + 1, work: u64::from(left) };
        session.launch(&levels, start, [ctas, 1, 1], [threads, 1, 1], params)?;
        (from, left) = (mean, ctas);
    }
    session.write(out, &[session.read_word(from)?])?;
    session.finish_with(out, count, |found| compare(found, &samples))
}

fn compare(found: &[u32], samples: &[f32]) -> Result<String> {
    let expected = reference(samples);
    let worst = check::within("values".into(), |i| format!("value {i}"), found, &expected)?;
    let energy = check_energy(found, samples, &expected)?;
    Ok(format!("values within {worst:.0} % of what rounding may do, energy within {energy:.0e} of the samples'"))
}

/// Sums of squares are the same before and after, but for what the values' tolerances allow. Gives the relative difference.
fn check_energy(found: &[u32], samples: &[f32], expected: &[Bounded]) -> Result<f64> {
    let before: f64 = samples.iter().map(|&x| f64::from(x).powi(2)).sum();
    let after: f64 = found.iter().map(|&bits| f64::from(f32::from_bits(bits)).powi(2)).sum();
    let allowed: f64 = expected.iter().map(|e| (2.0 * e.value.abs() + e.tolerance) * e.tolerance).sum();
    let apart = (after - before).abs();
    if apart <= allowed + 1e-12 * before {
        return Ok(apart / before);
    }
    let (place, found, expected) =
        ("the sum of all squares".into(), format!("{after:e}"), format!("{before:e} within {allowed:.1e}"));
    Err(WorkloadError::Wrong { wrong: 1, count: 1, what: "energies".into(), place, found, expected })
}

/// The definition, level by level.
fn reference(samples: &[f32]) -> Vec<Bounded> {
    let half = Bounded::nearest(FRAC_1_SQRT_2);
    let mut sums: Vec<_> = samples.iter().copied().map(Bounded::exact).collect();
    let mut out = sums.clone();
    while sums.len() > 1 {
        let count = sums.len() / 2;
        for (i, pair) in sums.chunks(2).enumerate() {
            out[count + i] = (pair[0] - pair[1]) * half;
        }
        sums = sums.chunks(2).map(|pair| (pair[0] + pair[1]) * half).collect();
    }
    out[0] = sums[0];
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: &[Bounded], expected: &[f64]) {
        assert!(found.iter().zip(expected).all(|(a, b)| (a.value - b).abs() < 1e-12), "{found:?}");
    }

    #[test]
    fn reference_is_haars() {
        let root = 2f64.sqrt();
        close(&reference(&[1.0, 1.0, 1.0, 1.0]), &[2.0, 0.0, 0.0, 0.0]);
        close(&reference(&[4.0, 2.0, -1.0, 5.0]), &[5.0, 1.0, root, -3.0 * root]);
        let samples = inputs::floats(1 << 10, 2, -1.0, 1.0);
        let energy = |values: &mut dyn Iterator<Item = f64>| values.map(|x| x * x).sum::<f64>();
        let before = energy(&mut samples.iter().map(|&x| f64::from(x)));
        let after = energy(&mut reference(&samples).iter().map(|x| x.value));
        assert!((before - after).abs() < 1e-9 * before);
    }

    #[test]
    fn an_error_above_the_tolerance_is_found() {
        let samples = inputs::floats(64, 1, -1.0, 1.0);
        let mut found: Vec<u32> = reference(&samples).iter().map(|x| (x.value as f32).to_bits()).collect();
        assert!(compare(&found, &samples).is_ok());
        found[9] ^= 1 << 6;
        let message = compare(&found, &samples).unwrap_err().to_string();
        assert!(message.contains("1 of 64 values; the first is value 9"), "{message}");
        assert!(check_energy(&vec![0; 64], &samples, &reference(&samples)).is_err());
    }
}
