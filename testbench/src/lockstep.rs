//! Model and RTL as one unit: same inputs, every output pin compared in every cycle.
//!
//! The outputs are those of the model. At the first difference the follower, which is the side of the RTL, remembers cycle, pin and
//! both values, and leaves a waveform of the RTL and an input trace. [`Unit::clock`] then gives the fault, and the model goes on alone.
//!
//! The model also knows the rules of its inputs. Inputs that break one are a fault too: cycle and rule, with the same files. The
//! outputs then stay as they are.

use crate::trace::Subject;
use sim::unit::{words, Fault, Interface, Pins, Unit};
use std::path::Path;

pub use crate::follower::{Follow, Follower, UnderTest, WAVEFORM_CYCLES};
pub use crate::tally::{Difference, Evidence, Tally};

pub struct Lockstep<A: Unit, F> {
    model: A,
    pub follower: F,
    pins: A::Out,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    /// The model was given inputs that break a rule: it is not clocked any more.
    has_refused: bool,
}

impl<A: Unit, B: UnderTest> Lockstep<A, Follower<B>> {
    /// Model and RTL straight after reset. A difference leaves its files in `directory`, named after the subject's module and
    /// seed.
    pub fn new(model: A, rtl: B, subject: Subject, directory: &Path) -> Self {
        Self::settling(model, rtl, subject, directory, 0)
    }

    /// As [`Self::new`], but the first `settling` cycles are not compared: for units with registers that are not reset, whose
    /// outputs mean nothing until something has come through.
    pub fn settling(model: A, rtl: B, subject: Subject, directory: &Path, settling: u64) -> Self {
        let mut follower = Follower::new(rtl, model.interface(), subject, directory, settling);
        Self::over(model, |outputs| {
            follower.compare(outputs);
            follower
        })
    }
}

impl<A: Unit, F> Lockstep<A, F> {
    /// A model straight after reset, and the follower that has seen the outputs of its first cycle.
    pub(crate) fn over(model: A, follower: impl FnOnce(&[u64]) -> F) -> Self {
        let interface = model.interface();
        let pins = model.outputs();
        let mut outputs = vec![0; words(&interface.outputs)];
        pins.store(&mut outputs);
        let follower = follower(&outputs);
        Lockstep { model, follower, pins, inputs: vec![0; words(&interface.inputs)], outputs, has_refused: false }
    }
}

impl<A: Unit, F: Follow> Lockstep<A, F> {
    /// This cycle's output pins, without a copy.
    #[inline]
    pub fn pins(&self) -> &A::Out {
        &self.pins
    }

    /// A reset beside these inputs, as [`Pins::store`] would give them: reset wins over all of them.
    pub fn reset_beside(&mut self, inputs: &[u64]) {
        self.model.reset();
        self.inputs.copy_from_slice(inputs);
        self.tell(true);
    }

    /// The follower is told of a cycle. False: there is a fault.
    #[inline]
    fn tell(&mut self, reset: bool) -> bool {
        self.model.sample(&mut self.pins);
        self.pins.store(&mut self.outputs);
        self.follower.step(reset, &self.inputs, &self.outputs)
    }
}

impl<A: Unit, F: Follow> Unit for Lockstep<A, F> {
    type In = A::In;
    type Out = A::Out;

    fn interface(&self) -> Interface {
        self.model.interface()
    }

    fn outputs(&self) -> A::Out {
        self.pins.clone()
    }

    #[inline]
    fn sample(&self, pins: &mut A::Out) {
        pins.clone_from(&self.pins);
    }

    #[inline]
    fn clock(&mut self, pins: &A::In) -> Result<(), Fault> {
        if !self.has_refused {
            pins.store(&mut self.inputs);
            match self.model.clock(pins) {
                Ok(()) if self.tell(false) => return Ok(()),
                Ok(()) => {}
                Err(rule) => {
                    self.has_refused = true;
                    self.follower.refuse(&self.inputs, rule);
                }
            }
        }
        self.fault().map_or(Ok(()), |line| Err(line.into()))
    }

    fn reset(&mut self) {
        self.reset_beside(&vec![0; self.inputs.len()]);
    }

    fn fault(&self) -> Option<String> {
        self.follower.fault()
    }
}
