//! `warp_status_table`.

use super::pins::{warp_status_table_interface, WarpStatusTableIn, WarpStatusTableOut};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;

#[derive(Clone, Debug)]
pub struct WarpStatusTable {
    parameters: Parameters,
    outputs: WarpStatusTableOut,
}

impl WarpStatusTable {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("warp_status_table")?;
        Ok(WarpStatusTable { parameters: *parameters, outputs: WarpStatusTableOut::default() })
    }
}

impl Unit for WarpStatusTable {
    type In = WarpStatusTableIn;
    type Out = WarpStatusTableOut;

    fn interface(&self) -> Interface {
        warp_status_table_interface(&self.parameters)
    }

    fn outputs(&self) -> WarpStatusTableOut {
        self.outputs
    }

    fn clock(&mut self, _pins: &WarpStatusTableIn) {}

    fn reset(&mut self) {
        self.outputs = WarpStatusTableOut::default();
    }
}
