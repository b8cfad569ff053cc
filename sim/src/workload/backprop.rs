//! A training step of a network with many inputs, 16 hidden units and an output, as in Rodinia: the GPU adds up the inputs for
//! the hidden layer and adjusts the weights between the two; the few units behind are the host's.
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
/// Inputs of a CTA.
const TILE: u32 = 16;
/// As in Rodinia: how fast the network learns, how much of the last change it repeats, and what it should answer.
const RATE: f32 = 0.3;
const MOMENTUM: f32 = 0.3;
const TARGET: f64 = 0.1;

/// What a step begins with. Weights and changes are those of 16 hidden units for the first input, then for the second ...
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
    let (units, ctas) = (layer.input.len() as u32, (layer.input.len() as u32).div_ceil(TILE));
    let [input, weight, change] = [&layer.input, &layer.weight, &layer.change].map(|words| session.upload_f32(words));
    let (input, weight, change) = (input?, weight?, change?);
    let partial = session.alloc(ctas as usize * HIDDEN);
    let block = [HIDDEN as u32, TILE, 1];
    let params = Params::default().u64(input).u64(weight).u64(partial).u32(units);
    session.launch(&forward, Start { level: 0, work: units as u64 }, [ctas, 1, 1], block, params)?;
    let sums = add_up(&session.read(partial, ctas as usize * HIDDEN)?);
    check_sums(&sums, &layer.sums())?;
    let deltas = deltas(&sums);
    let params = Params::default().u64(session.upload_f32(&deltas)?).u64(input).u64(weight).u64(change);
    let params = params.u32(units).f32(RATE).f32(MOMENTUM);
    session.launch(&adjust, Start { level: 1, work: units as u64 }, [ctas, 1, 1], block, params)?;
    let mut found = session.read(weight, layer.weight.len())?;
    found.extend(session.read(change, layer.change.len())?);
    let place = |i: usize| {
        let (kind, place) = (["weight", "change"][i / layer.weight.len()], i % layer.weight.len());
        format!("{kind} of input {} for hidden unit {}", place / HIDDEN, place % HIDDEN)
    };
    let worst = check::within("weights and changes".into(), place, &found, &adjusted(&layer, &deltas))?;
    let checked = format!("sums equal to the bit, weights within {worst:.0} % of what rounding may do");
    Ok(session.finish(found, checked))
}

impl Layer {
    /// Of so many inputs, and before them one that is always 1: its weights are the hidden units' thresholds.
    fn new(inputs: usize) -> Layer {
        let weights = (inputs + 1) * HIDDEN;
        let sixteenths = |x: i32| x as f32 / 16.0;
        Layer {
            input: [1.0].into_iter().chain(inputs::integers(inputs, 1, 0, 16).map(sixteenths)).collect(),
            weight: inputs::integers(weights, 2, -8, 8).map(sixteenths).collect(),
            change: inputs::floats(weights, 3, -0.1, 0.1),
        }
    }

    /// What the inputs add up to at each hidden unit.
    fn sums(&self) -> [f64; HIDDEN] {
        let at = |unit: usize| {
            let weights = self.weight.iter().skip(unit).step_by(HIDDEN);
            self.input.iter().zip(weights).map(|(&input, &weight)| input as f64 * weight as f64).sum()
        };
        std::array::from_fn(at)
    }
}

/// The sums of the CTAs, for each hidden unit.
fn add_up(partial: &[u32]) -> [f64; HIDDEN] {
    let at = |unit: usize| partial.iter().skip(unit).step_by(HIDDEN).map(|&bits| f32::from_bits(bits) as f64).sum();
    std::array::from_fn(at)
}

fn check_sums(found: &[f64], expected: &[f64]) -> Result<()> {
    let shown = |i: usize| [format!("unit {i}"), format!("sum {}", found[i]), format!("sum {}", expected[i])];
    let units = Elements { what: "hidden units".into(), count: HIDDEN, shown: &shown };
    units.check(|i| found[i] == expected[i])
}

/// What a unit makes of its sum, and how fast that grows there. It needs no exponential, whose last bits differ between
/// machines.
fn squash(sum: f64) -> (f64, f64) {
    let steepness = 1.0 / (1.0 + sum.abs());
    (sum * steepness, steepness * steepness)
}

/// How each hidden unit should change for a better answer.
fn deltas(sums: &[f64; HIDDEN]) -> [f32; HIDDEN] {
    let weights = inputs::floats(HIDDEN + 1, 4, -1.0, 1.0);
    let answer = sums.iter().zip(&weights).map(|(&sum, &weight)| squash(sum).0 * weight as f64).sum::<f64>();
    let (answer, slope) = squash(answer + weights[HIDDEN] as f64);
    let wanted = slope * (TARGET - answer);
    std::array::from_fn(|unit| (squash(sums[unit]).1 * wanted * weights[unit] as f64) as f32)
}

/// The definition, in 64-bit floats: weights, then changes.
///
/// A change is a product of three plus a product of two; at most, the kernel rounds twice in the one, once in the other and
/// once for their sum, each time by 2^-24 of what it rounds: in all less than 4 x 2^-24 of the two together, with
/// room for terms of second order. The weight is rounded once more.
fn adjusted(layer: &Layer, deltas: &[f32; HIDDEN]) -> Vec<Bounded> {
    const ROUNDOFF: f64 = 1.0 / (1 << 24) as f64;
    let step = |i: usize| {
        let learnt = RATE as f64 * deltas[i % HIDDEN] as f64 * layer.input[i / HIDDEN] as f64;
        let repeated = MOMENTUM as f64 * layer.change[i] as f64;
        let tolerance = 4.0 * ROUNDOFF * (learnt.abs() + repeated.abs());
        Bounded { value: learnt + repeated, tolerance }
    };
    let changes: Vec<_> = (0..layer.weight.len()).map(step).collect();
    let weight = |(&weight, change): (&f32, &Bounded)| {
        let value = weight as f64 + change.value;
        Bounded { value, tolerance: change.tolerance + ROUNDOFF * (value.abs() + change.tolerance) }
    };
    let weights: Vec<_> = layer.weight.iter().zip(&changes).map(weight).collect();
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
        for (unit, &delta) in deltas(&sums).iter().enumerate() {
            let (mut more, mut less) = (sums, sums);
            (more[unit], less[unit]) = (sums[unit] + 1e-6, sums[unit] - 1e-6);
            let slope = (error(&more) - error(&less)) / 2e-6;
            assert!((slope + delta as f64).abs() < 1e-6, "unit {unit}: {slope} {delta}");
        }
    }

    #[test]
    fn a_wrong_sum_is_found() {
        let mut sums = [0.25; HIDDEN];
        assert!(check_sums(&sums, &[0.25; HIDDEN]).is_ok());
        sums[3] = 0.5;
        let message = check_sums(&sums, &[0.25; HIDDEN]).unwrap_err().to_string();
        assert!(
            message.contains("1 of 16 hidden units; the first is unit 3: sum 0.5, should be sum 0.25"),
            "{message}"
        );
    }
}
