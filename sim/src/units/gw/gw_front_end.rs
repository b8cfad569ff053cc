//! `gw_front_end`.

use super::pins::{gw_front_end_interface, GwIn, GwOut};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;

#[derive(Clone, Debug)]
pub struct GwFrontEnd {
    parameters: Parameters,
    outputs: GwOut,
}

impl GwFrontEnd {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("gw_front_end")?;
        Ok(GwFrontEnd { parameters: *parameters, outputs: GwOut::default() })
    }
}

impl Unit for GwFrontEnd {
    type In = GwIn;
    type Out = GwOut;

    fn interface(&self) -> Interface {
        gw_front_end_interface(&self.parameters)
    }

    fn outputs(&self) -> GwOut {
        self.outputs
    }

    fn clock(&mut self, _pins: &GwIn) {}

    fn reset(&mut self) {
        self.outputs = GwOut::default();
    }
}
