//! A user unit behind its pins, and the rules that are the same at every place.

use crate::unit::{Pins, Unit};

/// Cycles without anything on the pins after which a unit that has something to do is given up.
pub const PATIENCE: u64 = 100_000;

/// Cycles for which a unit may go on when no warp is left that could ask it.
const LINGERS: u64 = 1_000_000;

pub struct Wired<I, O> {
    pub unit: Box<dyn Unit<In = I, Out = O>>,
    pub inputs: I,
    /// Outputs of this cycle.
    pub outputs: O,
    /// Outputs of the cycle before.
    pub before: O,
    /// Cycles since something was handed over at the pins.
    pub still: u64,
    /// Cycles of the clock since the last warp ended.
    lingering: u64,
}

impl<I: Pins, O: Pins> Wired<I, O> {
    /// `outputs`: in their shape.
    pub fn new(unit: Box<dyn Unit<In = I, Out = O>>, inputs: I, mut outputs: O) -> Self {
        unit.sample(&mut outputs);
        Wired { unit, inputs, before: outputs.clone(), outputs, still: 0, lingering: 0 }
    }

    /// Transfers of this cycle: some, or none.
    pub fn moved(&mut self, moved: bool) {
        self.still = if moved { 0 } else { self.still + 1 };
    }

    /// The rising edge.
    ///
    /// # Errors
    /// The unit does not come to an end, or can no longer be trusted.
    pub fn clock(&mut self, has_warps: bool) -> Result<(), String> {
        self.lingering = if has_warps { 0 } else { self.lingering + 1 };
        if self.lingering >= LINGERS {
            return Err(format!("pin busy: the unit goes on for {LINGERS} cycles, and no warp is left"));
        }
        self.unit.clock(&self.inputs).map_err(|fault| fault.to_string())?;
        std::mem::swap(&mut self.before, &mut self.outputs);
        self.unit.sample(&mut self.outputs);
        Ok(())
    }
}

/// The first that holds, as an error in words.
///
/// # Errors
/// One of them holds.
pub fn first_that_holds(list: &[(&str, bool)], words: impl Fn(&str) -> String) -> Result<(), String> {
    match list.iter().find(|(_, holds)| *holds) {
        Some((what, _)) => Err(words(what)),
        None => Ok(()),
    }
}

/// A request to memory that has not been taken stays as it is: pins, each with whether it has changed.
///
/// # Errors
/// One has changed.
pub fn check_stability(pins: &[(&str, bool)]) -> Result<(), String> {
    first_that_holds(pins, |pin| format!("pin {pin}: it changes before memory_ready has taken the request"))
}
