//! Fourier transforms of 512 complex points each, a CTA a transform.
//!
//! Only the size of the whole error of a transform has a bound, its norm (the root of the sum of squares): a rounding error of one
//! point spreads over many. Relative to the norm of what they give, with u = 2^-24,
//!
//! * a layer of sums and differences is off by u; there are 9;
//! * a product of complex numbers is off by 2^1.5 u (Higham, 3.6), and by the error of its factor. In each of the 3 transforms of 8
//!   points the factor is a root of a half, off by u, after a sum more, whose error has been counted: 4 u in all. Between them, 2
//!   times, it has an angle of at most 5.5, which is a product of two numbers, one of which was rounded before, so that it is off
//!   by 11 u; sine and cosine are rounded as well: 15 u with the product.
//!
//! That is 9 + 3 x 4 + 2 x 15 = 51 times u, to first order; one more covers the second.

use super::check::Elements;
use super::session::{kernels, Session};
use super::{inputs, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;
use std::f64::consts::TAU;

pub const SIZE: Size = Size { meaning: "transforms of 512 points", default: 1024, max: 1 << 14 };

const POINTS: usize = 512;
/// Threads of a CTA.
const THREADS: u32 = 64;
/// Norm of the error of a transform, as a part of that of the transform.
const TOLERANCE: f64 = 52.0 / (1 << 24) as f64;

type Complex = [f64; 2];

/// Gives the transforms one after the other, from frequency 0 on, a real and an imaginary part each.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let [transform] = kernels(kernels::FFT, ["fft_512"])?;
    let mut session = Session::new(gpu, watch);
    let words = size as usize * POINTS * 2;
    let points = inputs::floats(words, 1, -1.0, 1.0);
    let (from, to) = (session.upload_f32(&points)?, session.alloc(words));
    let start = Start { level: 0, work: u64::from(size) * POINTS as u64 };
    session.launch(&transform, start, [size, 1, 1], [THREADS, 1, 1], Params::default().u64(from).u64(to))?;
    session.finish_with(to, words, |found| {
        compare(&complex(found.iter().copied().map(f32::from_bits)), &complex(points.iter().copied()))
    })
}

fn complex(values: impl Iterator<Item = f32>) -> Vec<Complex> {
    let values: Vec<f64> = values.map(f64::from).collect();
    values.as_chunks().0.to_vec()
}

fn compare(found: &[Complex], points: &[Complex]) -> Result<String> {
    let roots = roots();
    let transforms: Vec<Transform> = found
        .chunks(POINTS)
        .zip(points.chunks(POINTS))
        .map(|(found, points)| Transform::new(found, points, &reference(points, &roots)))
        .collect();
    let shown = |i: usize| {
        let Transform { error, norm, .. } = transforms[i];
        [format!("transform {i}"), format!("off by {error:.1e}"), format!("off by at most {:.1e}", TOLERANCE * norm)]
    };
    let all = Elements { what: "transforms".into(), count: transforms.len(), shown: &shown };
    all.check(|i| transforms[i].error <= TOLERANCE * transforms[i].norm)?;
    let worst = transforms.iter().map(|t| t.error / t.norm).fold(0.0, f64::max);
    check_energy(&transforms)?;
    Ok(format!(
        "transforms within {:.0} % of what rounding may do, energies as Parseval says",
        100.0 * worst / TOLERANCE
    ))
}

/// Parseval: the squares of a transform add up to 512 times those of its points.
fn check_energy(transforms: &[Transform]) -> Result<()> {
    let shown = |i: usize| {
        let Transform { energy, norm, .. } = transforms[i];
        [format!("transform {i}"), format!("squares of {energy:e}"), format!("squares of {:e}", norm * norm)]
    };
    let all = Elements { what: "energies".into(), count: transforms.len(), shown: &shown };
    // A bit more than the tolerance twice, for its square.
    all.check(|i| (transforms[i].energy / transforms[i].norm.powi(2) - 1.0).abs() <= 2.001 * TOLERANCE)
}

/// Measures of a transform.
struct Transform {
    /// Norm of the difference from the reference.
    error: f64,
    /// Norm that is expected, by the points.
    norm: f64,
    /// Sum of the squares found.
    energy: f64,
}

impl Transform {
    fn new(found: &[Complex], points: &[Complex], expected: &[Complex]) -> Transform {
        let differences = found.iter().zip(expected).map(|(a, b)| [a[0] - b[0], a[1] - b[1]]);
        let energy_before = squares(points.iter().copied());
        Transform {
            error: squares(differences).sqrt(),
            norm: (POINTS as f64 * energy_before).sqrt(),
            energy: squares(found.iter().copied()),
        }
    }
}

fn squares(values: impl Iterator<Item = Complex>) -> f64 {
    values.map(|[x, y]| x * x + y * y).sum()
}

/// The parts of a turn, backwards.
fn roots() -> Vec<Complex> {
    let part = |i: usize| {
        let (sine, cosine) = libm::sincos(TAU * i as f64 / POINTS as f64);
        [cosine, -sine]
    };
    (0..POINTS).map(part).collect()
}

/// The definition.
fn reference(points: &[Complex], roots: &[Complex]) -> Vec<Complex> {
    let at = |frequency: usize| {
        points.iter().enumerate().fold([0.0; 2], |[x, y], (i, [a, b])| {
            let [c, s] = roots[i * frequency % POINTS];
            [x + a * c - b * s, y + a * s + b * c]
        })
    };
    (0..POINTS).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Complex, b: Complex) -> bool {
        squares([[a[0] - b[0], a[1] - b[1]]].into_iter()) < 1e-20
    }

    /// A point alone has all frequencies; a wave has one.
    #[test]
    fn reference_finds_frequencies() {
        let roots = roots();
        let mut alone = vec![[0.0; 2]; POINTS];
        alone[3] = [0.0, 1.0];
        let found = reference(&alone, &roots);
        // i times the root.
        assert!((0..POINTS).all(|f| close(found[f], [-roots[3 * f % POINTS][1], roots[3 * f % POINTS][0]])));
        let wave: Vec<Complex> = (0..POINTS).map(|i| roots[(POINTS - 7) * i % POINTS]).collect();
        let found = reference(&wave, &roots);
        assert!((0..POINTS).all(|f| close(found[f], [if f == 7 { 512.0 } else { 0.0 }, 0.0])));
    }

    #[test]
    fn two_frequencies_in_each_others_places_are_found() {
        let points = complex(inputs::floats(4 * POINTS, 1, -1.0, 1.0).into_iter());
        let mut found: Vec<Complex> = points.chunks(POINTS).flat_map(|points| reference(points, &roots())).collect();
        assert!(compare(&found, &points).is_ok());
        found.swap(POINTS + 8, POINTS + 64);
        let message = compare(&found, &points).unwrap_err().to_string();
        assert!(message.contains("1 of 2 transforms; the first is transform 1: off by"), "{message}");
        let silent = Transform::new(&vec![[0.0; 2]; POINTS], &points[..POINTS], &found[..POINTS]);
        assert!(check_energy(&[silent]).is_err());
    }
}
