//! `pair_scheduler`.

use super::pins::{pair_scheduler_interface, PairSchedulerIn, PairSchedulerOut};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;

#[derive(Clone, Debug)]
pub struct PairScheduler {
    parameters: Parameters,
    outputs: PairSchedulerOut,
}

impl PairScheduler {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("pair_scheduler")?;
        Ok(PairScheduler { parameters: *parameters, outputs: PairSchedulerOut::default() })
    }
}

impl Unit for PairScheduler {
    type In = PairSchedulerIn;
    type Out = PairSchedulerOut;

    fn interface(&self) -> Interface {
        pair_scheduler_interface(&self.parameters)
    }

    fn outputs(&self) -> PairSchedulerOut {
        self.outputs
    }

    fn clock(&mut self, _pins: &PairSchedulerIn) {}

    fn reset(&mut self) {
        self.outputs = PairSchedulerOut::default();
    }
}
