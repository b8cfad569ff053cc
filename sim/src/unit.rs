//! The seam: one unit, its pins, any number of implementations.
//!
//! Every unit is Moore at its boundary: its outputs are a function of its registered state alone. A clock cycle of
//! whoever owns a unit is therefore: look at [`Unit::outputs`], decide on the inputs, call [`Unit::clock`].
//!
//! Implementations of the trait are the behavioural models (`sim::units`), the verilated RTL and the lock-step of two
//! implementations (both in `testbench`).

use std::fmt::Display;
use thiserror::Error;

pub use spec::pin::{words, Condition, Interface, Pin, Pins};

/// Why an implementation can no longer be trusted, in one line: a rule of the pins that its inputs break, or what a lock-step found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct Fault(Box<str>);

impl From<String> for Fault {
    fn from(line: String) -> Self {
        Fault(line.into())
    }
}

/// `Ok` if the rule of the pins holds, else its sentence, which begins with the unit.
#[inline]
pub fn rule(holds: bool, sentence: impl Display) -> Result<(), Fault> {
    match holds {
        true => Ok(()),
        false => Err(broken(sentence)),
    }
}

/// Apart from [`rule`], which stands in every clock.
#[cold]
#[inline(never)]
fn broken(sentence: impl Display) -> Fault {
    sentence.to_string().into()
}

/// A clocked unit with registered boundary.
pub trait Unit {
    type In: Pins;
    type Out: Pins;

    fn interface(&self) -> Interface;
    /// This cycle's output pins, from state alone.
    fn outputs(&self) -> Self::Out;
    /// As [`Unit::outputs`], into the pins of an earlier sample. Pins that mean nothing in this cycle may keep an old value.
    fn sample(&self, pins: &mut Self::Out) {
        *pins = self.outputs();
    }
    /// The rising edge that ends this cycle. A lock-step that compares later says here what it found in the cycles before.
    ///
    /// # Errors
    /// The fault of this implementation. Its outputs mean nothing any more.
    fn clock(&mut self, pins: &Self::In) -> Result<(), Fault>;
    /// One cycle with the synchronous reset held high.
    fn reset(&mut self);
    /// Clocking the unit changes nothing as long as no input tells it anything: its owner may leave out the cycle. An implementation that does
    /// not know says no.
    fn is_quiet(&self) -> bool {
        false
    }
    /// The fault after all cycles so far: a lock-step that compares later waits until all are compared.
    fn fault(&self) -> Option<String> {
        None
    }
}
