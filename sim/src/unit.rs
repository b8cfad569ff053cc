//! The seam: one unit, its pins, any number of bodies.
//!
//! Every unit is Moore at its boundary: its outputs are a function of its registered state alone. A clock cycle of
//! whoever owns a unit is therefore: look at [`Unit::outputs`], decide on the inputs, call [`Unit::clock`].
//!
//! The same trait is implemented by the behavioural models (`sim::units`), by the verilated RTL and by the lock-step
//! of two bodies (both in `testbench`).

pub use spec::pin::{words, Condition, Interface, Pin, Pins};

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
    /// The rising edge that ends this cycle.
    fn clock(&mut self, pins: &Self::In);
    /// One cycle with the synchronous reset held high.
    fn reset(&mut self);
    /// Clocking the unit changes nothing as long as no input tells it anything: its owner may leave out the cycle. A body that does
    /// not know says no.
    fn is_quiet(&self) -> bool {
        false
    }
    /// Why this body can no longer be trusted (a lock-step that found a difference), in one line. A body that is compared elsewhere
    /// waits until all cycles are.
    fn fault(&self) -> Option<String> {
        None
    }
    /// [`Unit::fault`] without waiting: one of the last cycles may not be told yet.
    fn fault_so_far(&self) -> Option<String> {
        self.fault()
    }
}
