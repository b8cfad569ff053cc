//! A network of four layers that tells digits apart, on images of 29 x 29: two layers of maps, whose units see windows of 5 x 5, and
//! two of units that see all of the layer before. Images and weights are random: what is computed does not depend on
//! what the network has learnt.
//!
//! Each layer is checked from what the GPU has found for the layer before, so that errors do not add up.

use super::check::{self, Bounded};
use super::session::{kernels, Session};
use super::{inputs, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;
use crate::workload::bounded::ROUNDOFF;

pub const SIZE: Size = Size { meaning: "images of 29 x 29", default: 28, max: 1024 };

/// Cells a side of an image, and of the maps of the two layers, as in the kernels.
const IMAGE: usize = 29;
const SIDES: [usize; 2] = [13, 5];
const MAPS: [usize; 2] = [6, 50];
/// Units of the other layers.
const UNITS: [usize; 2] = [100, 10];
const WINDOW: usize = 5;
/// Cells between the windows of neighbouring units.
const STRIDE: usize = 2;

/// Constants of a unit's answer, HEIGHT x tanh(STEEPNESS x sum).
const HEIGHT: f32 = 1.7159;
const STEEPNESS: f32 = 2.0 / 3.0;

/// A layer of the network: maps of `side` x `side` units, each with a weight that is always added, and one for each cell that it
/// sees of each map before.
struct Layer {
    kernel: &'static str,
    maps: usize,
    side: usize,
    /// Maps before, and their cells a side.
    before: [usize; 2],
    /// Cells a side of what a unit sees of each map.
    window: usize,
    /// Weights of a map, some of which nobody reads in the second layer.
    room: usize,
}

const LAYERS: [Layer; 4] = [
    Layer { kernel: "nn_first", maps: MAPS[0], side: SIDES[0], before: [1, IMAGE], window: WINDOW, room: 26 },
    Layer {
        kernel: "nn_second",
        maps: MAPS[1],
        side: SIDES[1],
        before: [MAPS[0], SIDES[0]],
        window: WINDOW,
        room: 156,
    },
    Layer { kernel: "nn_third", maps: UNITS[0], side: 1, before: [MAPS[1], SIDES[1]], window: SIDES[1], room: 1251 },
    Layer { kernel: "nn_fourth", maps: UNITS[1], side: 1, before: [UNITS[0], 1], window: 1, room: 101 },
];

/// Gives what the units answer: those of the first layer for all images, then the others'.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let programs = kernels(kernels::NN, LAYERS.map(|layer| layer.kernel))?;
    let mut session = Session::new(gpu, watch);
    let images = size as usize;
    let mut before: Vec<u32> =
        inputs::floats(images * IMAGE * IMAGE, 1, -1.0, 1.0).into_iter().map(f32::to_bits).collect();
    let mut seen = session.upload(&before)?;
    let (mut answers, mut worst) = (Vec::new(), 0f64);
    for (level, (layer, program)) in LAYERS.iter().zip(&programs).enumerate() {
        let weights = layer.weights(level as u64);
        let count = images * layer.units();
        let (weight, units) = (session.upload_f32(&weights)?, session.alloc(count));
        let params = Params::default().u64(seen).u64(weight).u64(units);
        let start = Start { level: level as u32, work: count as u64 };
        let side = layer.side as u32;
        session.launch(program, start, [layer.maps as u32, size, 1], [side, side, 1], params)?;
        let found = session.read(units, count)?;
        worst = worst.max(layer.compare(&found, &before, &weights)?);
        answers.extend(&found);
        (seen, before) = (units, found);
    }
    Ok(session.finish(answers, format!("answers of all units within {worst:.0} % of what rounding may do")))
}

impl Layer {
    fn units(&self) -> usize {
        self.maps * self.side * self.side
    }

    /// Small enough that sums stay where the answer still grows.
    fn weights(&self, level: u64) -> Vec<f32> {
        let most = [0.25, 0.125, 0.0625, 0.125][level as usize];
        inputs::floats(self.maps * self.room, 2 + level, -most, most)
    }

    fn compare(&self, found: &[u32], before: &[u32], weights: &[f32]) -> Result<f64> {
        let [maps, side] = self.before;
        let expected: Vec<_> = before
            .chunks(maps * side * side)
            .flat_map(|image| (0..self.units()).map(|unit| self.answer(unit, image, weights)))
            .collect();
        let place = |i: usize| format!("unit {} of image {}", i % self.units(), i / self.units());
        check::within(format!("units of {}", self.kernel), place, found, &expected)
    }

    /// The definition, for a unit of an image: cell by cell of the window, and map by map for each.
    fn answer(&self, unit: usize, image: &[u32], weights: &[f32]) -> Bounded {
        let ([maps, side], window) = (self.before, self.window);
        let (map, row, column) = (unit / self.side / self.side, unit / self.side % self.side, unit % self.side);
        let weight = &weights[map * self.room..];
        let mut sum = Bounded::exact(weight[0]);
        for i in 0..window * window * maps {
            // The units' maps are cell by cell in the second layer; those that see all of it take map by map.
            let (cell, from) = match self.side {
                1 => (i % (window * window), i / (window * window)),
                _ => (i / maps, i % maps),
            };
            let (y, x) = (STRIDE * row + cell / window, STRIDE * column + cell % window);
            let seen = f32::from_bits(image[(from * side + y) * side + x]);
            sum = sum + Bounded::exact(seen) * Bounded::exact(weight[1 + i]);
        }
        Bounded::exact(HEIGHT) * tanh(Bounded::exact(STEEPNESS) * sum)
    }
}

/// The function `tanhf` of `unruly_cuda.h`.
///
/// From 0.1 on it is 1 - 2 / (e^2x + 1). The exponential is off by at most 3 roundings of itself: its argument is reduced to at most
/// 0.35 with two roundings, scaled with two, and the power of two is rounded once. The sum and the quotient round once more, so
/// that the latter, at most 0.91, is off by at most 5 roundings, and the difference rounds once: 6 in all. Below 0.1 the series
/// leaves out less than one rounding of the result, and rounds four times what is at most a tenth.
fn tanh(x: Bounded) -> Bounded {
    // It nowhere grows faster than its argument.
    Bounded { value: libm::tanh(x.value), tolerance: x.tolerance + 6.0 * ROUNDOFF }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(values: &[f32]) -> Vec<u32> {
        values.iter().map(|value| value.to_bits()).collect()
    }

    /// A window with one cell, and weights of nothing else: the units of a layer see what they should.
    #[test]
    fn reference_sees_the_windows_of_a_layer() {
        for (layer, marked, weight, unit) in [
            // Row 10, column 5: row 4, column 1 of what the unit in row 3, column 2 sees.
            (&LAYERS[0], 10 * 29 + 5, 1 + 4 * 5 + 1, 3 * 13 + 2),
            // Equal rows and columns in the second map of six.
            (&LAYERS[1], 169 + 10 * 13 + 5, 1 + (4 * 5 + 1) * 6 + 1, 3 * 5 + 2),
            (&LAYERS[2], 25 + 7, 1 + 25 + 7, 0),
            (&LAYERS[3], 63, 1 + 63, 0),
        ] {
            let [maps, side] = layer.before;
            let (mut image, mut weights) = (vec![0.0; maps * side * side], vec![0.0; layer.room]);
            (image[marked], weights[weight], weights[0]) = (0.5, 3.0, 1.0);
            let of = |unit| layer.answer(unit, &bits(&image), &weights).value;
            let expected = |sum: f64| f64::from(HEIGHT) * (f64::from(STEEPNESS) * sum).tanh();
            assert!((of(unit) - expected(2.5)).abs() < 1e-12, "{}", layer.kernel);
            let others = (0..layer.side * layer.side).filter(|&other| other != unit);
            assert!(others.into_iter().all(|other| (of(other) - expected(1.0)).abs() < 1e-12), "{}", layer.kernel);
        }
    }

    #[test]
    fn an_error_above_the_tolerance_is_found() {
        let layer = &LAYERS[3];
        let (image, weights) = (bits(&inputs::floats(100, 7, -1.0, 1.0)), layer.weights(3));
        let mut found: Vec<u32> =
            (0..10).map(|unit| (layer.answer(unit, &image, &weights).value as f32).to_bits()).collect();
        assert!(layer.compare(&found, &image, &weights).is_ok());
        found[4] = (f32::from_bits(found[4]) + 1e-4).to_bits();
        let message = layer.compare(&found, &image, &weights).unwrap_err().to_string();
        assert!(message.contains("1 of 10 units of nn_fourth; the first is unit 4 of image 0"), "{message}");
    }
}
