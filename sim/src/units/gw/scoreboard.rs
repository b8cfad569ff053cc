//! `scoreboard`.

use super::pins::{scoreboard_interface, ScoreboardIn, ScoreboardOut};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;

#[derive(Clone, Debug)]
pub struct Scoreboard {
    parameters: Parameters,
    outputs: ScoreboardOut,
}

impl Scoreboard {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("scoreboard")?;
        Ok(Scoreboard { parameters: *parameters, outputs: ScoreboardOut::default() })
    }
}

impl Unit for Scoreboard {
    type In = ScoreboardIn;
    type Out = ScoreboardOut;

    fn interface(&self) -> Interface {
        scoreboard_interface(&self.parameters)
    }

    fn outputs(&self) -> ScoreboardOut {
        self.outputs
    }

    fn clock(&mut self, _pins: &ScoreboardIn) {}

    fn reset(&mut self) {
        self.outputs = ScoreboardOut::default();
    }
}
