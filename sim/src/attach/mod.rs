//! Where systems meet the GPU: the [`System`] trait, and one file for each system that plugs in by it.

pub mod b32;
pub mod gw;
mod host;
pub mod hwwl;
pub mod iru;
pub mod own_unit;
pub mod partition_unit;
pub mod system;

use crate::config::{Config, FrontEndKind};
use crate::launch::RunError;
use crate::ptx::instr::Instr;
use crate::ptx::program::Program;
use crate::units::parameter::ParameterError;
use system::System;

/// Bodies of the units of a GPU, with its configuration's parameters.
#[derive(Default)]
pub struct Units {
    /// `None`: a worklist instruction is an error.
    pub hwwl: Option<hwwl::Body>,
    /// `None`: `load_iru` is an error.
    pub iru: Option<iru::Body>,
    /// Of each core; none: the behavioural models. Without a [gw] table they are not used.
    pub gw: Vec<gw::Body>,
    /// The baseline's front end of each core; none: the behavioural models. Unless `core.front_end` is `b32` they are not used.
    pub b32: Vec<b32::Body>,
    /// Systems from elsewhere.
    pub others: Vec<Box<dyn System>>,
}

impl Units {
    /// The behavioural models of all units that a configuration asks for.
    ///
    /// # Errors
    /// A parameter that is out of range.
    pub fn behavioural(config: &Config) -> Result<Units, ParameterError> {
        let (hwwl, iru) = (hwwl::behavioural(config)?, iru::behavioural(config)?);
        Ok(Units { hwwl, iru, ..Units::default() })
    }

    /// The systems, in the order in which they have their part of a cycle.
    pub fn into_systems(self, config: &Config) -> Vec<Box<dyn System>> {
        let mut systems: Vec<Box<dyn System>> = Vec::new();
        if let Some(unit) = self.hwwl {
            systems.push(Box::new(hwwl::HwwlSystem::new(unit, config)));
        }
        if let Some(unit) = self.iru {
            systems.push(Box::new(iru::IruSystem::new(unit, config)));
        }
        if config.gw.is_some() {
            systems.push(Box::new(gw::GwSystem::new(config, self.gw)));
        }
        if config.core.front_end == FrontEndKind::B32 {
            systems.push(Box::new(b32::B32System::new(config, self.b32)));
        }
        systems.extend(self.others);
        systems
    }
}

/// Why a kernel cannot run: an instruction of a system that the GPU does not have.
pub fn missing(program: &Program, config: &Config, systems: &[Box<dyn System>]) -> Option<RunError> {
    let has_none = |instr: &&_| !systems.iter().any(|system| system.takes(instr));
    let instr = program.code.iter().filter(|instr| is_of_a_system(instr)).find(has_none)?;
    let (kernel, source_file, line) = (program.name.clone(), program.source.clone(), instr.line);
    Some(if hwwl::takes(instr) {
        RunError::NoWorklist { kernel, source_file, line }
    } else if own_unit::takes(instr) {
        RunError::NoUnit { kernel, source_file, line }
    } else if config.iru.is_some() {
        iru::not_configured(program, instr)
    } else {
        let rule = "this configuration does not have; add an [iru] table";
        RunError::NoReorderUnit { rule, kernel, source_file, line }
    })
}

fn is_of_a_system(instr: &Instr) -> bool {
    hwwl::takes(instr) || iru::takes(instr) || own_unit::takes(instr)
}
