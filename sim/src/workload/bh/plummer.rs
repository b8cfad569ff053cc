//! A cluster of stars as Plummer's model has it, drawn by the recipe of Aarseth, Hénon and Wielen (1974): equal masses that add up to 1,
//! scaled so that the total energy is -1/4. As in the inputs of LonestarGPU, the outermost thousandth is left out.

use crate::graph::SplitMix64;

/// By body; of each array x, y and z.
pub struct Bodies {
    pub position: [Vec<f32>; 3],
    pub velocity: [Vec<f32>; 3],
}

pub fn cluster(bodies: usize, seed: u64) -> Bodies {
    let mut random = SplitMix64(seed);
    let scale = 3.0 * std::f64::consts::PI / 16.0;
    let [mut position, mut velocity] = [(); 2].map(|_| [(); 3].map(|_| Vec::with_capacity(bodies)));
    for _ in 0..bodies {
        let inside = (0.999 * random.unit()).max(f64::MIN_POSITIVE);
        // The sphere of this radius holds that part of the mass.
        let root = libm::cbrt(1.0 / inside);
        let radius = 1.0 / (root * root - 1.0).sqrt();
        let escape = (2.0 / (1.0 + radius * radius).sqrt()).sqrt();
        let speed = escape * part_of_escape(&mut random);
        put(&mut position, direction(&mut random), scale * radius);
        put(&mut velocity, direction(&mut random), speed / scale.sqrt());
    }
    Bodies { position, velocity }
}

fn put(arrays: &mut [Vec<f32>; 3], direction: [f64; 3], length: f64) {
    arrays.iter_mut().zip(direction).for_each(|(array, part)| array.push((part * length) as f32));
}

/// Vector of length 1: a point in a ball, moved out to its surface.
fn direction(random: &mut SplitMix64) -> [f64; 3] {
    loop {
        let point = [(); 3].map(|_| 2.0 * random.unit() - 1.0);
        let square: f64 = point.iter().map(|part| part * part).sum();
        if square > 0.0 && square <= 1.0 {
            return point.map(|part| part / square.sqrt());
        }
    }
}

/// Speed by the speed of escape, whose density is proportional to q^2 (1 - q^2)^3.5 (von Neumann's rejection).
fn part_of_escape(random: &mut SplitMix64) -> f64 {
    loop {
        let (q, height) = (random.unit(), 0.1 * random.unit());
        let rest = 1.0 - q * q;
        if height < q * q * rest * rest * rest * rest.sqrt() {
            return q;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(arrays: &[Vec<f32>; 3], i: usize) -> f64 {
        arrays.iter().map(|array| (array[i] as f64).powi(2)).sum::<f64>().sqrt()
    }

    /// Half of the mass lies within 1.305 of the model's radii; the kinetic energy is a quarter (virial theorem).
    #[test]
    fn half_mass_radius_and_energy_are_the_models() {
        let bodies = cluster(20_000, 7);
        let mut radii: Vec<_> = (0..20_000).map(|i| length(&bodies.position, i)).collect();
        radii.sort_by(f64::total_cmp);
        let half = radii[10_000] / (3.0 * std::f64::consts::PI / 16.0);
        assert!((half - 1.305).abs() < 0.03, "{half}");
        let energy = (0..20_000).map(|i| length(&bodies.velocity, i).powi(2)).sum::<f64>() / 40_000.0;
        assert!((energy - 0.25).abs() < 0.01, "{energy}");
        for arrays in [&bodies.position, &bodies.velocity] {
            assert!(arrays.iter().all(|array| array.iter().sum::<f32>().abs() / 20_000.0 < 0.05));
        }
    }
}
