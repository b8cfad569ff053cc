//! Model and stimulus of a unit for co-simulation.

use crate::stimulus::Stimulus;
use hdl::catalog::Instance;
use sim::unit::Unit;
use sim::units::parameter::ParameterError;

/// Model `U` and stimulus `T` of a unit, each made from an instance.
pub struct Fixture<U, T> {
    pub(super) unit: &'static str,
    pub(super) only: fn(&Instance) -> bool,
    pub(super) model: fn(&Instance) -> Result<U, ParameterError>,
    pub(super) stimulus: fn(&Instance, u64) -> T,
    /// Cycles until the outputs mean something.
    pub(super) settling: u64,
}

impl<U: Unit, T: Stimulus<In = U::In, Out = U::Out>> Fixture<U, T> {
    /// Fixture of the unit of this name in the catalogue. `stimulus` gets a seed.
    pub const fn new(
        unit: &'static str,
        model: fn(&Instance) -> Result<U, ParameterError>,
        stimulus: fn(&Instance, u64) -> T,
    ) -> Self {
        Fixture { unit, only: |_| true, model, stimulus, settling: 0 }
    }

    /// The same, of a unit whose outputs are not reset: they mean something after so many cycles with the inputs that the stimulus
    /// begins with.
    pub const fn settles_in(self, cycles: u64) -> Self {
        Fixture { settling: cycles, ..self }
    }

    /// The same, for some instances: others of the unit have another fixture.
    pub const fn only(self, holds: fn(&Instance) -> bool) -> Self {
        Fixture { only: holds, ..self }
    }
}
