//! `scalar_wave_scoreboard`.

use super::pins::{scalar_wave_scoreboard_interface, ScalarWaveScoreboardIn, ScalarWaveScoreboardOut};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;

#[derive(Clone, Debug)]
pub struct ScalarWaveScoreboard {
    parameters: Parameters,
    outputs: ScalarWaveScoreboardOut,
}

impl ScalarWaveScoreboard {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("scalar_wave_scoreboard")?;
        Ok(ScalarWaveScoreboard { parameters: *parameters, outputs: ScalarWaveScoreboardOut::default() })
    }
}

impl Unit for ScalarWaveScoreboard {
    type In = ScalarWaveScoreboardIn;
    type Out = ScalarWaveScoreboardOut;

    fn interface(&self) -> Interface {
        scalar_wave_scoreboard_interface(&self.parameters)
    }

    fn outputs(&self) -> ScalarWaveScoreboardOut {
        self.outputs
    }

    fn clock(&mut self, _pins: &ScalarWaveScoreboardIn) {}

    fn reset(&mut self) {
        self.outputs = ScalarWaveScoreboardOut::default();
    }
}
