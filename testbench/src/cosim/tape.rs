//! Inputs and outputs of the model under its stimulus, written down: RTL can be compared with them any number of times.

use crate::stimulus::{AnyInputs, Stimulus, LEGAL};
use sim::unit::{words, Pins, Unit};

/// Some cycles: inputs, and the outputs after each.
#[derive(Default)]
pub struct Tape {
    resets: Vec<bool>,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl Tape {
    /// Reset, input words and the output words after the cycle's edge, cycle by cycle.
    pub fn cycles(&self) -> impl Iterator<Item = (bool, &[u64], &[u64])> {
        let per_cycle = |words: &[u64]| words.len() / self.resets.len().max(1);
        let (inputs, outputs) = (per_cycle(&self.inputs), per_cycle(&self.outputs));
        self.resets.iter().enumerate().map(move |(cycle, &reset)| {
            let of = |words: usize| cycle * words..(cycle + 1) * words;
            (reset, &self.inputs[of(inputs)], &self.outputs[of(outputs)])
        })
    }
}

/// A model under its stimulus from the first reset on.
pub trait Player {
    /// Replaces what is on the tape by the next cycles.
    fn record(&mut self, cycles: u64, tape: &mut Tape);

    /// The outputs of the cycle at hand.
    fn outputs(&self) -> &[u64];

    /// Cycles at the beginning in which outputs mean nothing.
    fn settling(&self) -> u64;
}

/// [`Player`] of a model and its stimulus.
pub(super) struct ModelAlone<U: Unit, T> {
    model: U,
    stimulus: T,
    beside_reset: AnyInputs,
    settling: u64,
    pins: U::In,
    sampled: U::Out,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl<U: Unit, T> ModelAlone<U, T> {
    pub fn new(model: U, stimulus: T, beside_reset: AnyInputs, settling: u64) -> Self {
        let interface = model.interface();
        let sampled = model.outputs();
        let mut outputs = vec![0; words(&interface.outputs)];
        sampled.store(&mut outputs);
        let (pins, inputs) = (U::In::for_pins(&interface.inputs), vec![0; words(&interface.inputs)]);
        ModelAlone { model, stimulus, beside_reset, settling, pins, sampled, inputs, outputs }
    }
}

impl<U: Unit, T: Stimulus<In = U::In, Out = U::Out>> Player for ModelAlone<U, T> {
    fn record(&mut self, cycles: u64, tape: &mut Tape) {
        *tape = Tape::default();
        for _ in 0..cycles {
            let reset = self.stimulus.next(&self.sampled, &mut self.pins);
            if reset {
                self.model.reset();
                self.inputs.copy_from_slice(self.beside_reset.draw());
            } else {
                self.model.clock(&self.pins).expect(LEGAL);
                self.pins.store(&mut self.inputs);
            }
            self.model.sample(&mut self.sampled);
            self.sampled.store(&mut self.outputs);
            tape.resets.push(reset);
            tape.inputs.extend_from_slice(&self.inputs);
            tape.outputs.extend_from_slice(&self.outputs);
        }
    }

    fn outputs(&self) -> &[u64] {
        &self.outputs
    }

    fn settling(&self) -> u64 {
        self.settling
    }
}
