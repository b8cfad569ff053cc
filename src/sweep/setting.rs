//! The setting of a run: the GPU, and the parameters of the unit of the user's own at its cores.

use crate::user_unit::parameter;
use anyhow::{Context, Result};
use serde::Serialize;
use sim::config::Config;
use testbench::user_verilog::Parameters;

/// The prefix of parameters where fields of the configuration stand.
const UNIT: &str = "unit.";

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Setting {
    pub config: Config,
    pub parameters: Parameters,
}

impl From<Config> for Setting {
    fn from(config: Config) -> Setting {
        Setting { config, parameters: Parameters::new() }
    }
}

impl Setting {
    /// Fields of the configuration, as `core.count=4`, and parameters of the unit, as `unit.DEPTH=4`.
    ///
    /// # Errors
    /// Mistakes in the overrides.
    pub fn set_all(&mut self, overrides: &[String]) -> Result<()> {
        let (unit, fields): (Vec<_>, Vec<_>) = overrides.iter().cloned().partition(|text| text.starts_with(UNIT));
        for text in unit {
            self.parameters.extend([parameter(&text[UNIT.len()..]).with_context(|| text.clone())?]);
        }
        Ok(self.config.set_all(&fields)?)
    }
}
