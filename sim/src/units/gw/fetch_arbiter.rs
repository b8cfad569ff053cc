//! `fetch_arbiter`.

use super::pins::{fetch_arbiter_interface, FetchArbiterIn, FetchArbiterOut};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;

#[derive(Clone, Debug)]
pub struct FetchArbiter {
    parameters: Parameters,
    outputs: FetchArbiterOut,
}

impl FetchArbiter {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("fetch_arbiter")?;
        Ok(FetchArbiter { parameters: *parameters, outputs: FetchArbiterOut::default() })
    }
}

impl Unit for FetchArbiter {
    type In = FetchArbiterIn;
    type Out = FetchArbiterOut;

    fn interface(&self) -> Interface {
        fetch_arbiter_interface(&self.parameters)
    }

    fn outputs(&self) -> FetchArbiterOut {
        self.outputs
    }

    fn clock(&mut self, _pins: &FetchArbiterIn) {}

    fn reset(&mut self) {
        self.outputs = FetchArbiterOut::default();
    }
}
