//! Fixtures of all units in one table, whatever their models and their stimulus are.

use super::shrink::Failure;
use super::{Cosim, CosimReport, Cycle, Player};
use crate::error::Result;
use crate::lockstep::Difference;
use crate::trace::Trace;
use hdl::catalog::Instance;
use sim::unit::Interface;
use std::path::Path;

/// A [`Fixture`](super::Fixture) of any model and stimulus.
pub trait AnyFixture: Sync {
    /// The unit's name in the catalogue.
    fn unit(&self) -> &'static str;

    /// The fixture is made for this instance.
    fn is_of(&self, instance: &Instance) -> bool;

    /// Cycles at the beginning that are not compared: they bring registers that are not reset to a value.
    fn settling(&self) -> u64;

    /// The model's pins.
    ///
    /// # Errors
    /// Parameters out of the model's range.
    fn interface(&self, instance: &Instance) -> Result<Interface>;

    /// See [`Cosim::run`].
    ///
    /// # Errors
    /// Errors of [`Cosim::run`].
    fn run(
        &self,
        cosim: &Cosim,
        cycles: u64,
        seed: u64,
        directory: &Path,
        progress: &mut dyn FnMut(u64),
    ) -> Result<CosimReport>;

    /// See [`Cosim::replay`].
    ///
    /// # Errors
    /// Errors of [`Cosim::replay`].
    fn replay(&self, cosim: &Cosim, trace: Trace, directory: &Path) -> Result<Option<Difference>>;

    /// The model under its stimulus, without RTL.
    ///
    /// # Errors
    /// Parameters out of the model's range.
    fn player(&self, instance: &Instance, seed: u64) -> Result<Box<dyn Player + '_>>;

    /// The rule that the first inputs break that the model refuses: input words cycle by cycle, some beside a reset.
    ///
    /// # Errors
    /// Parameters out of the model's range.
    fn broken_rule(&self, instance: &Instance, inputs: &[Cycle]) -> Result<Option<String>>;

    /// Behind a reset, the number of these cycles after which RTL and model differ or a rule of the RTL is broken. `None`: never,
    /// or the model refuses the inputs.
    ///
    /// # Errors
    /// Parameters out of the model's range.
    fn fails_after(&self, cosim: &Cosim, seed: u64, cycles: &[Cycle]) -> Result<Option<(usize, Failure)>>;

    /// See [`Digests::stimulus`](super::Digests::stimulus).
    ///
    /// # Errors
    /// Parameters out of the model's range.
    fn digest(&self, instance: &Instance, seed: u64) -> Result<String>;
}
