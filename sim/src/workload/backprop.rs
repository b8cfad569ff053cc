//! A training step of a network with many inputs, 16 hidden units and an output, as in Rodinia: the GPU adds up the inputs for
//! the hidden layer and adjusts the weights between the two; the few units behind are the host's. As there, unit 0 of both
//! layers is always 1: row 0 of the weights has the hidden units' thresholds, and column 0 is not used.
//!
//! Inputs and weights are multiples of 1/16 and the former at most 1, the latter at most 1/2, so that products and their
//! sums over a CTA are multiples of 1/256 far below 2^16: no operation rounds, and the sums forward are the same to the bit
//! in whatever order. The adjusted weights are not: see [`adjusted`].

use super::check::{self, Bounded, Elements};
use super::session::{kernels, Session};
use super::{inputs, Outcome, Params, Result, Size, Start, Watch};
use crate::gpu::Gpu;
use crate::kernels;

pub const SIZE: Size = Size { meaning: "units of the input layer", default: 1 << 16, max: 1 << 22 };

const HIDDEN: usize = 16;
/// Weights of an input: one for each hidden unit, and the one that is not used.
const STRIDE: usize = HIDDEN + 1;
/// Inputs of a CTA.
const TILE: u32 = 16;
/// As in Rodinia: how fast the network learns, how much of the last change it repeats, and what it should answer.
const RATE: f32 = 0.3;
const MOMENTUM: f32 = 0.3;
const TARGET: f64 = 0.1;

/// State before a step. Inputs from 1 on fill CTAs: those that nobody gave are 0. Weights and changes are rows of
/// [`STRIDE`] for each input.
struct Layer {
    input: Vec<f32>,
    weight: Vec<f32>,
    change: Vec<f32>,
}

/// Gives the weights after the step, and then what it added to each.
pub fn run(gpu: &mut Gpu, size: u32, watch: Watch) -> Result<Outcome> {
    let [forward, adjust] = kernels(kernels::BACKPROP, ["backprop_forward", "backprop_adjust"])?;
    let mut session = Session::new(gpu, watch);
    let layer = Layer::new(size as usize);
    let (ctas, words) = (size.div_ceil(TILE), layer.weight.len());
    let (input, weight) = (session.upload_f32(&layer.input)?, session.upload_f32(&layer.weight)?);
    let partial = session.alloc(ctas as usize * HIDDEN);
    let block = [HIDDEN as u32, TILE, 1];
    let params = Params::default().u64(input).u64(weight).u64(partial);
    session.launch(&forward, Start { level: 0, work: size.into() }, [ctas, 1, 1], block, params)?;
    check_equal("products", &floats(&session.read(weight, words)?), &layer.products())?;
    let sums = add_up(&layer, &session.read(partial, ctas as usize * HIDDEN)?);
    check_equal("hidden units", &sums, &layer.sums())?;
    let deltas = deltas(&sums);
    // The first launch has left products there.
    session.write(weight, &layer.weight.iter().map(|weight| weight.to_bits()).collect::<Vec<_>>())?;
    let (change, delta) = (session.upload_f32(&layer.change)?, session.upload_f32(&deltas)?);
    let params = Params::default().u64(delta).u64(input).u64(weight).u64(change).f32(RATE).f32(MOMENTUM);
    session.launch(&adjust, Start { level: 1, work: size.into() }, [ctas, 1, 1], block, params)?;
    let mut found = session.read(weight, words)?;
    found.extend(session.read(change, words)?);
    let place = |i: usize| {
        let (kind, place) = (["weight", "change"][i / words], i % words);
        format!("{kind} of input {} for hidden unit {}", place / STRIDE, place % STRIDE)
    };
    let worst = check::within("weights and changes".into(), place, &found, &adjusted(&layer, &deltas))?;
    let checked = format!("products and sums equal to the bit, weights within {worst:.0} % of what rounding may do");
    Ok(session.finish(found, checked))
}

fn floats(words: &[u32]) -> Vec<f64> {
    words.iter().map(|&bits| f32::from_bits(bits) as f64).collect()
}

impl Layer {
    /// Layer of so many inputs.
    fn new(inputs: usize) -> Layer {
        let units = 1 + inputs.next_multiple_of(TILE as usize);
        let sixteenths = |x: i32| x as f32 / 16.0;
        let mut input: Vec<f32> = [1.0].into_iter().chain(inputs::integers(inputs, 1, 0, 16).map(sixteenths)).collect();
        input.resize(units, 0.0);
        Layer {
            input,
            weight: inputs::integers(units * STRIDE, 2, -8, 8).map(sixteenths).collect(),
            change: inputs::floats(units * STRIDE, 3, -0.1, 0.1),
        }
    }

    fn product(&self, input: usize, unit: usize) -> f64 {
        self.input[input] as f64 * self.weight[input * STRIDE + unit] as f64
    }

    /// Sums of the weighted inputs at each hidden unit.
    fn sums(&self) -> [f64; HIDDEN] {
        std::array::from_fn(|unit| (0..self.input.len()).map(|input| self.product(input, unit + 1)).sum())
    }

    /// Products that the tree of the first launch puts in the weights' place: an input whose number in its CTA is an
    /// odd multiple of 2^k has the sum of 2^k products, the first that of all 16.
    fn products(&self) -> Vec<f64> {
        let left = |i: usize| {
            let (input, unit) = (i / STRIDE, i % STRIDE);
            if input == 0 || unit == 0 {
                return self.weight[i] as f64;
            }
            let number = (input - 1) % TILE as usize;
            let terms = if number == 0 { TILE as usize } else { 1 << number.trailing_zeros() };
            (input..input + terms).map(|input| self.product(input, unit)).sum()
        };
        (0..self.weight.len()).map(left).collect()
    }
}

/// The sums of the CTAs and the threshold, for each hidden unit.
fn add_up(layer: &Layer, partial: &[u32]) -> [f64; HIDDEN] {
    let partial = floats(partial);
    let at = |unit: usize| partial.iter().skip(unit).step_by(HIDDEN).sum::<f64>() + layer.weight[unit + 1] as f64;
    std::array::from_fn(at)
}

fn check_equal(what: &str, found: &[f64], expected: &[f64]) -> Result<()> {
    let shown = |i: usize| [format!("number {i}"), found[i].to_string(), expected[i].to_string()];
    let elements = Elements { what: what.into(), count: expected.len(), shown: &shown };
    elements.check(|i| found[i] == expected[i])
}

/// A unit's answer to its sum, and the slope there. It needs no exponential, whose last bits differ between machines.
fn squash(sum: f64) -> (f64, f64) {
    let steepness = 1.0 / (1.0 + sum.abs());
    (sum * steepness, steepness * steepness)
}

/// Change of each hidden unit for a better answer; before them that of unit 0, which nobody reads.
fn deltas(sums: &[f64; HIDDEN]) -> [f32; STRIDE] {
    let weights = inputs::floats(HIDDEN + 1, 4, -1.0, 1.0);
    let answer = sums.iter().zip(&weights).map(|(&sum, &weight)| squash(sum).0 * weight as f64).sum::<f64>();
    let (answer, slope) = squash(answer + weights[HIDDEN] as f64);
    let wanted = slope * (TARGET - answer);
    let delta = |unit: usize| (squash(sums[unit]).1 * wanted * weights[unit] as f64) as f32;
    std::array::from_fn(|unit| unit.checked_sub(1).map_or(0.0, delta))
}

/// The definition, in 64-bit floats: weights, then changes.
///
/// A change is a product of three plus a product of two; at most, the kernel rounds twice in the one, once in the other and
/// once for their sum, each time by 2^-24 of what it rounds: in all less than 4 x 2^-24 of the two together, with
/// room for terms of second order. The weight is rounded once more.
fn adjusted(layer: &Layer, deltas: &[f32; STRIDE]) -> Vec<Bounded> {
    const ROUNDOFF: f64 = 1.0 / (1 << 24) as f64;
    let is_used = |i: usize| !i.is_multiple_of(STRIDE);
    let step = |i: usize| {
        if !is_used(i) {
            return Bounded { value: layer.change[i] as f64, tolerance: 0.0 };
        }
        let learnt = RATE as f64 * deltas[i % STRIDE] as f64 * layer.input[i / STRIDE] as f64;
        let repeated = MOMENTUM as f64 * layer.change[i] as f64;
        let tolerance = 4.0 * ROUNDOFF * (learnt.abs() + repeated.abs());
        Bounded { value: learnt + repeated, tolerance }
    };
    let changes: Vec<_> = (0..layer.weight.len()).map(step).collect();
    let weight = |i: usize| {
        let (weight, change) = (layer.weight[i] as f64, changes[i]);
        if !is_used(i) {
            return Bounded { value: weight, tolerance: 0.0 };
        }
        let value = weight + change.value;
        Bounded { value, tolerance: change.tolerance + ROUNDOFF * (value.abs() + change.tolerance) }
    };
    let weights: Vec<_> = (0..layer.weight.len()).map(weight).collect();
    [weights, changes].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The network's answer, from its inputs on.
    fn answer(layer: &Layer) -> f64 {
        let weights = inputs::floats(HIDDEN + 1, 4, -1.0, 1.0);
        let hidden = layer.sums().map(|sum| squash(sum).0);
        squash(hidden.iter().zip(&weights).map(|(h, &w)| h * w as f64).sum::<f64>() + weights[HIDDEN] as f64).0
    }

    /// Steps without momentum lead the network to its target.
    #[test]
    fn reference_learns() {
        let mut layer = Layer::new(20);
        let before = (answer(&layer) - TARGET).abs();
        for _ in 0..200 {
            layer.change.fill(0.0);
            let step = adjusted(&layer, &deltas(&layer.sums()));
            layer.weight.iter_mut().zip(&step).for_each(|(weight, new)| *weight = new.value as f32);
        }
        let after = (answer(&layer) - TARGET).abs();
        assert!(after < 0.1 * before, "{before} {after}");
    }

    /// A delta is the slope of the answer's error at the unit's sum.
    #[test]
    fn deltas_are_derivatives() {
        let sums: [f64; HIDDEN] = std::array::from_fn(|unit| unit as f64 / 4.0 - 2.0);
        let weights = inputs::floats(HIDDEN + 1, 4, -1.0, 1.0);
        let error = |sums: &[f64; HIDDEN]| {
            let all: f64 = sums.iter().zip(&weights).map(|(&sum, &weight)| squash(sum).0 * weight as f64).sum();
            (squash(all + weights[HIDDEN] as f64).0 - TARGET).powi(2) / 2.0
        };
        for (unit, &delta) in deltas(&sums)[1..].iter().enumerate() {
            let (mut more, mut less) = (sums, sums);
            (more[unit], less[unit]) = (sums[unit] + 1e-6, sums[unit] - 1e-6);
            let slope = (error(&more) - error(&less)) / 2e-6;
            assert!((slope + delta as f64).abs() < 1e-6, "unit {unit}: {slope} {delta}");
        }
    }

    #[test]
    fn a_wrong_sum_is_found() {
        let mut sums = [0.25; HIDDEN];
        assert!(check_equal("hidden units", &sums, &[0.25; HIDDEN]).is_ok());
        sums[3] = 0.5;
        let message = check_equal("hidden units", &sums, &[0.25; HIDDEN]).unwrap_err().to_string();
        assert!(message.contains("1 of 16 hidden units; the first is number 3: 0.5, should be 0.25"), "{message}");
    }
}
