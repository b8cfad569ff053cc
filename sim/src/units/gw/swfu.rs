//! `swfu`.

use super::pins::{swfu_interface, SwfuIn, SwfuOut};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;

#[derive(Clone, Debug)]
pub struct Swfu {
    parameters: Parameters,
    outputs: SwfuOut,
}

impl Swfu {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("swfu")?;
        Ok(Swfu { parameters: *parameters, outputs: SwfuOut::default() })
    }
}

impl Unit for Swfu {
    type In = SwfuIn;
    type Out = SwfuOut;

    fn interface(&self) -> Interface {
        swfu_interface(&self.parameters)
    }

    fn outputs(&self) -> SwfuOut {
        self.outputs
    }

    fn clock(&mut self, _pins: &SwfuIn) {}

    fn reset(&mut self) {
        self.outputs = SwfuOut::default();
    }
}
