//! What a unit is co-simulated with: its model and its traffic.

use super::digests;
use crate::error::Result;
use crate::traffic::{Rng, Traffic};
use hdl::catalog::Instance;
use sim::unit::Unit;
use sim::units::parameter::ParameterError;

/// Model `U` and traffic `T` of a unit, each made from an instance.
pub struct Fixture<U, T> {
    pub(super) unit: &'static str,
    only: fn(&Instance) -> bool,
    model: fn(&Instance) -> std::result::Result<U, ParameterError>,
    traffic: fn(&Instance, u64) -> T,
    settling: u64,
}

impl<U: Unit, T: Traffic<In = U::In, Out = U::Out>> Fixture<U, T> {
    /// Of the unit of this name in the catalogue. `traffic` gets a seed.
    pub const fn new(
        unit: &'static str,
        model: fn(&Instance) -> std::result::Result<U, ParameterError>,
        traffic: fn(&Instance, u64) -> T,
    ) -> Self {
        Fixture { unit, only: |_| true, model, traffic, settling: 0 }
    }

    /// The same, of a unit whose outputs are not reset: they mean something after so many cycles with the inputs that the traffic
    /// begins with.
    pub const fn settles_in(self, cycles: u64) -> Self {
        Fixture { settling: cycles, ..self }
    }

    /// The same, for some instances: others of the unit have another fixture.
    pub const fn only(self, holds: fn(&Instance) -> bool) -> Self {
        Fixture { only: holds, ..self }
    }

    /// Cycles until the outputs mean something.
    pub(super) fn settling(&self) -> u64 {
        self.settling
    }

    pub(super) fn model(&self, instance: &Instance) -> Result<U> {
        Ok((self.model)(instance)?)
    }

    pub(super) fn traffic(&self, instance: &Instance, seed: u64) -> T {
        (self.traffic)(instance, seed)
    }

    /// Whether it is made for this instance.
    pub(super) fn is_of(&self, instance: &Instance) -> bool {
        instance.unit == self.unit && (self.only)(instance)
    }

    /// See [`Digests::traffic`](super::Digests::traffic).
    pub(super) fn digest(&self, instance: &Instance, seed: u64) -> Result<String> {
        let traffic = self.traffic(instance, Rng::new(seed).draw());
        Ok(digests::of_first_cycles(self.model(instance)?, traffic))
    }
}
