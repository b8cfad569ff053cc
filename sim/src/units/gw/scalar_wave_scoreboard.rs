//! `scalar_wave_scoreboard`: the registers that waves will write, by SWID (Fig 9).

use super::parameters::MOST_WAVES;
use super::pins::{Clear, ScalarWaveScoreboardIn, ScalarWaveScoreboardOut};
use super::Parameters;
use crate::unit::{Interface, Unit};
use crate::units::parameter::ParameterError;
use crate::units::pins::interface;

#[derive(Clone, Debug)]
pub struct ScalarWaveScoreboard {
    parameters: Parameters,
    waves: [Clear; MOST_WAVES],
    busy: u16,
    clear: Option<Clear>,
}

impl ScalarWaveScoreboard {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        parameters.check("scalar_wave_scoreboard")?;
        Ok(ScalarWaveScoreboard { parameters: *parameters, waves: Default::default(), busy: 0, clear: None })
    }

    #[inline]
    pub(super) fn clear(&self) -> &Option<Clear> {
        &self.clear
    }
}

impl Unit for ScalarWaveScoreboard {
    type In = ScalarWaveScoreboardIn;
    type Out = ScalarWaveScoreboardOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(&self.parameters)
    }

    fn outputs(&self) -> ScalarWaveScoreboardOut {
        ScalarWaveScoreboardOut { clear: self.clear.into(), busy: self.busy }
    }

    fn clock(&mut self, pins: &ScalarWaveScoreboardIn) {
        self.clear = pins.done.get().map(|swid| {
            assert!(self.busy >> swid & 1 == 1, "scalar_wave_scoreboard: {swid} is done and was not issued");
            self.busy &= !(1 << swid);
            self.waves[swid as usize]
        });
        if pins.issue_wave {
            let wave = Clear { group: pins.issue_group, mask: pins.issue_mask, writes: pins.issue_writes };
            self.waves[pins.issue_swid as usize] = wave;
            self.busy |= 1 << pins.issue_swid;
        }
    }

    fn reset(&mut self) {
        (self.busy, self.clear) = (0, None);
    }
}

#[cfg(test)]
mod tests;
