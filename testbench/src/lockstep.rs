//! Two bodies of a unit as one: same inputs, every output pin compared in every cycle.
//!
//! `A` is the body whose outputs go on (the behavioural model), `B` the one under test (the RTL). At the first difference
//! the lock-step remembers cycle, pin and both values, leaves a waveform of `B` and an input trace, reports a
//! [`Unit::fault`], and goes on with `A` alone.
//!
//! `A` also knows the rules of its inputs, and panics at inputs that break one. The lock-step makes a fault of the panic: cycle
//! and rule, with the same files. The outputs then stay as they are.

use crate::error::Result;
use crate::follower::Follower;
use crate::toggles::Toggles;
use crate::trace::Subject;
use sim::unit::{words, Interface, Pins, Unit};
use std::any::Any;
use std::ops::Range;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::path::Path;
use std::sync::Arc;

pub use crate::follower::{UnderTest, WAVEFORM_CYCLES};
pub use crate::tally::{Difference, Evidence, Tally};

pub struct Lockstep<A: Unit, B> {
    a: A,
    b: Follower<B>,
    pins: A::Out,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
}

impl<A, B> Lockstep<A, B>
where
    A: Unit,
    B: UnderTest,
{
    /// Two bodies straight after reset. A difference leaves its files in `directory`, named after the subject's module and
    /// seed.
    pub fn new(a: A, b: B, subject: Subject, directory: &Path) -> Self {
        Self::settling(a, b, subject, directory, 0)
    }

    /// As [`Self::new`], but the first `settling` cycles are not compared: for units with registers that are not reset, whose
    /// outputs mean nothing until something has come through.
    pub fn settling(a: A, b: B, subject: Subject, directory: &Path, settling: u64) -> Self {
        let interface = a.interface();
        let mut lockstep = Lockstep {
            pins: a.outputs(),
            inputs: vec![0; words(&interface.inputs)],
            outputs: vec![0; words(&interface.outputs)],
            b: Follower::new(b, interface, subject, directory, settling),
            a,
        };
        lockstep.store();
        lockstep.b.compare(&lockstep.outputs);
        lockstep
    }

    pub fn tally(&self) -> Arc<Tally> {
        self.b.tally()
    }

    /// This cycle's output pins, without a copy.
    #[inline]
    pub fn pins(&self) -> &A::Out {
        &self.pins
    }

    /// Records which bits of the pins move from the next cycle on.
    pub fn recording_toggles(mut self) -> Self {
        self.b.record_toggles();
        self
    }

    /// Which bits of the inputs and outputs have moved, if that is recorded.
    pub fn toggles(&self) -> Option<&[Toggles; 2]> {
        self.b.toggles()
    }

    /// The body that is compared.
    pub fn under_test(&self) -> &B {
        self.b.body()
    }

    /// No difference and no violation so far.
    #[inline]
    pub fn is_healthy(&self) -> bool {
        self.b.is_healthy()
    }

    /// A reset beside these inputs, as [`Pins::store`] would give them: reset wins over all of them.
    pub fn reset_beside(&mut self, inputs: &[u64]) {
        self.a.reset();
        self.store();
        if self.is_healthy() {
            self.b.step(true, inputs, &self.outputs);
        }
    }

    /// Cycles since the bodies were made: the number of the cycle at hand.
    pub fn cycle(&self) -> u64 {
        self.b.cycle()
    }

    /// Leaves waveform and input trace up to the cycle at hand.
    pub fn evidence(&mut self) -> Evidence {
        self.b.evidence()
    }

    /// An FST file of `B`; see [`UnderTest::waveform`].
    ///
    /// # Errors
    /// Those of [`UnderTest::waveform`].
    pub fn waveform(&mut self, range: Range<u64>, first: u64, file: &Path) -> Result<()> {
        self.b.waveform(range, first, file)
    }

    #[inline]
    fn store(&mut self) {
        self.a.sample(&mut self.pins);
        self.pins.store(&mut self.outputs);
    }
}

impl<A, B> Unit for Lockstep<A, B>
where
    A: Unit,
    B: UnderTest,
{
    type In = A::In;
    type Out = A::Out;

    fn interface(&self) -> Interface {
        self.a.interface()
    }

    fn outputs(&self) -> A::Out {
        self.pins.clone()
    }

    #[inline]
    fn sample(&self, pins: &mut A::Out) {
        pins.clone_from(&self.pins);
    }

    #[inline]
    fn clock(&mut self, pins: &A::In) {
        if self.is_healthy() {
            pins.store(&mut self.inputs);
            match clock(&mut self.a, pins) {
                Ok(()) => {
                    self.store();
                    self.b.step(false, &self.inputs, &self.outputs);
                }
                Err(rule) => self.b.refuse(&self.inputs, &rule),
            }
        } else if self.b.tally().violation().is_none() {
            self.a.clock(pins);
            self.a.sample(&mut self.pins);
        }
    }

    fn reset(&mut self) {
        self.reset_beside(&vec![0; self.inputs.len()]);
    }

    fn fault(&self) -> Option<String> {
        self.b.tally().fault()
    }
}

/// The rising edge of a model, or the rule that its inputs break.
#[inline]
pub(crate) fn clock<U: Unit>(model: &mut U, pins: &U::In) -> std::result::Result<(), String> {
    catch_unwind(AssertUnwindSafe(|| model.clock(pins))).map_err(rule)
}

/// A panic without a text is none of the model's.
#[cold]
fn rule(panic: Box<dyn Any + Send>) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.map(str::to_owned).unwrap_or_else(|| resume_unwind(panic))
}
