//! The RTL as a [`Unit`]: a verilated model behind the unit's pins.

use crate::bridge::{Instance, Model, SavedState};
use crate::error::{Error, Result};
use crate::input_log::InputLog;
use crate::lockstep::UnderTest;
use crate::places::Places;
use crate::resting::Stateful;
use sim::unit::{words, Fault, Interface, Pins, Unit};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Pins of type `I` and `O` must have the words of the model's interface.
pub struct Rtl<I, O> {
    instance: Instance,
    seed: i32,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    pins: PhantomData<fn(I) -> O>,
}

/// Seed of the state that reset leaves open. Verilator takes 31 bits, and 0 as "choose one".
pub(crate) fn fill_seed(seed: u64) -> i32 {
    (seed as i32 & i32::MAX).max(1)
}

impl<I: Pins, O: Pins> Rtl<I, O> {
    /// An instance after reset; what reset leaves open is filled from `seed`.
    pub fn new(model: &Arc<Model>, seed: u64) -> Self {
        let seed = fill_seed(seed);
        let interface = model.interface();
        let mut rtl = Rtl {
            instance: Instance::new(model, seed),
            seed,
            inputs: vec![0; words(&interface.inputs)],
            outputs: vec![0; words(&interface.outputs)],
            pins: PhantomData,
        };
        rtl.reset();
        rtl
    }
}

impl<I, O> Rtl<I, O> {
    /// See [`Instance::places`].
    pub fn places(&self) -> Option<Places> {
        self.instance.places()
    }
}

impl<I: Pins, O: Pins> Unit for Rtl<I, O> {
    type In = I;
    type Out = O;

    fn interface(&self) -> Interface {
        self.instance.model().interface().clone()
    }

    #[inline]
    fn outputs(&self) -> O {
        let mut pins = O::for_pins(&self.instance.model().interface().outputs);
        pins.load(&self.outputs);
        pins
    }

    #[inline]
    fn sample(&self, pins: &mut O) {
        pins.load(&self.outputs);
    }

    #[inline]
    fn clock(&mut self, pins: &I) -> Result<(), Fault> {
        pins.store(&mut self.inputs);
        self.instance.step(false, &self.inputs, &mut self.outputs);
        self.fault().map_or(Ok(()), |line| Err(line.into()))
    }

    fn reset(&mut self) {
        self.inputs.fill(0);
        self.instance.step(true, &self.inputs, &mut self.outputs);
    }

    fn fault(&self) -> Option<String> {
        self.instance.broken_rule().map(str::to_string)
    }
}

impl<I: Pins, O: Pins> Stateful for Rtl<I, O> {
    type State = SavedState;

    fn state_size(&self) -> usize {
        self.instance.state_size()
    }

    fn save_state(&self, saved: &mut SavedState) {
        self.instance.save_state(saved);
    }

    fn is_in_state(&self, saved: &SavedState) -> bool {
        self.instance.is_in_state(saved)
    }

    fn restore_state(&mut self, saved: &SavedState) {
        self.instance.restore_state(saved);
    }
}

impl<I: Pins, O: Pins> UnderTest for Rtl<I, O> {
    #[inline]
    fn output_words(&self) -> &[u64] {
        &self.outputs
    }

    #[inline]
    fn step(&mut self, reset: bool, inputs: &[u64]) {
        self.instance.step(reset, inputs, &mut self.outputs);
    }

    #[inline]
    fn broken_rule(&self) -> Option<&str> {
        self.instance.broken_rule()
    }

    #[inline]
    fn has_ended(&self) -> bool {
        self.instance.has_ended()
    }

    /// Takes a second instance with the same seed through the same inputs. Cycle c is at times 2c (inputs applied, clock low)
    /// and 2c + 1 (after the rising edge).
    fn waveform(&self, log: &mut InputLog, range: Range<u64>, first: u64, file: &Path) -> Result<()> {
        let mut again = Instance::with_waveform(self.instance.model(), self.seed)?;
        let mut outputs = self.outputs.clone();
        let low = vec![0; self.inputs.len()];
        if range.is_empty() {
            // The outputs straight after the reset are wrong: the reset is all that there is to see.
            again.open_waveform(file)?;
            again.step_waveform(true, &low, &mut outputs, first);
        } else {
            again.step(true, &low, &mut outputs);
        }
        let mut cycle = 0;
        log.replay(|reset, inputs, length| {
            let end = range.end.min(cycle + length);
            for cycle in cycle..end {
                if cycle == range.start {
                    again.open_waveform(file)?;
                }
                if cycle < range.start {
                    again.step(reset, inputs, &mut outputs);
                } else {
                    again.step_waveform(reset, inputs, &mut outputs, first + cycle - range.start);
                }
            }
            cycle += length;
            Ok::<(), Error>(())
        })?;
        again.close_waveform();
        Ok(())
    }
}
