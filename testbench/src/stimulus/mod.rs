//! Random inputs that a unit may get, and a count of what they made it do.
//!
//! Stimulus comes in phases, each with its own probabilities, so that the rare states (full, empty, wrapped, exchanged)
//! are reached as surely as the common ones. It is a function of the seed and of the unit's outputs alone. Stimulus of units
//! that keep IDs knows them all, and complains about one that comes out twice, in the wrong place or not at all.

mod any_inputs;
mod chance;
mod findings;
pub mod gw;
pub mod hwwl;
pub mod iru;
mod phases;
pub mod prim;
mod rng;
pub mod user;

pub use crate::events;
pub use any_inputs::AnyInputs;
pub use chance::Chance;
pub use findings::{AnyFindings, Counts, Coverage};
use phases::phases;
pub use phases::Phases;
pub use rng::Rng;
#[cfg(test)]
use sim::unit::{Pins, Unit};
use sim::units::bits::bits;

/// Random legal inputs of a unit.
pub trait Stimulus: Counts {
    type In;
    type Out;

    /// Takes the outputs of this cycle and chooses its inputs; true asks for a reset instead.
    fn next(&mut self, outputs: &Self::Out, pins: &mut Self::In) -> bool;

    /// Counts of the coverage points that can be reached with the unit's parameters.
    fn coverage(&self) -> Coverage {
        self.findings().coverage()
    }

    /// First thing that the unit did and never may, in one line.
    #[inline]
    fn violation(&self) -> Option<&str> {
        self.findings().violation()
    }
}

/// Why a model refuses no inputs of [`Stimulus`].
pub(crate) const LEGAL: &str = "stimulus keeps the rules of the pins";

/// Plays `stimulus` to `model` while `goes_on`, which gets the stimulus and the outputs of the cycle, is true.
#[cfg(test)]
fn play<U: Unit, T: Stimulus<In = U::In, Out = U::Out>>(
    mut model: U,
    stimulus: &mut T,
    mut goes_on: impl FnMut(&T, &U::Out) -> bool,
) {
    let mut pins = U::In::for_pins(&model.interface().inputs);
    let mut outputs = model.outputs();
    while goes_on(stimulus, &outputs) {
        if stimulus.next(&outputs, &mut pins) {
            model.reset();
        } else {
            model.clock(&pins).expect(LEGAL);
        }
        model.sample(&mut outputs);
    }
}
