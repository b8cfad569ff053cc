//! `scalar_register_map`.

use super::pins::{scalar_register_map_interface, ScalarRegisterMapIn, ScalarRegisterMapOut};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;

#[derive(Clone, Debug)]
pub struct ScalarRegisterMap {
    parameters: Parameters,
    outputs: ScalarRegisterMapOut,
}

impl ScalarRegisterMap {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("scalar_register_map")?;
        Ok(ScalarRegisterMap { parameters: *parameters, outputs: ScalarRegisterMapOut::default() })
    }
}

impl Unit for ScalarRegisterMap {
    type In = ScalarRegisterMapIn;
    type Out = ScalarRegisterMapOut;

    fn interface(&self) -> Interface {
        scalar_register_map_interface(&self.parameters)
    }

    fn outputs(&self) -> ScalarRegisterMapOut {
        self.outputs
    }

    fn clock(&mut self, _pins: &ScalarRegisterMapIn) {}

    fn reset(&mut self) {
        self.outputs = ScalarRegisterMapOut::default();
    }
}
