//! `hwwl_core`: one core's worklist, lanes times `bank`, the redistribution unit of the scheme, `hvu` and the port to the
//! ICRN (III).

use super::pins::{BankAnswers, CoreIn, CoreOut, ExternalCoreIn, ExternalCoreOut};
use super::{Parameters, Scheme};
use crate::unit::{Fault, Interface, Unit};
use crate::units::parameter::{require, ParameterError};
use crate::units::pins::interface;

pub(super) mod worklist;

use worklist::CoreWorklist;

/// A core whose redistribution unit, if it has one, serves its banks alone.
#[derive(Clone, Debug)]
pub struct HwwlCore {
    parameters: Parameters,
    worklist: CoreWorklist,
}

/// A core whose banks are served by `wru_global` (gsorting).
#[derive(Clone, Debug)]
pub struct ExternalCore {
    parameters: Parameters,
    worklist: CoreWorklist,
}

fn outputs(worklist: &CoreWorklist) -> CoreOut {
    CoreOut {
        status: worklist.status(),
        push_ready: worklist.push_ready(),
        overflow: worklist.overflow(),
        pending: worklist.pending(),
        count: worklist.count(),
        pull_part: worklist.pull_part(),
        double_mode: worklist.double_mode(),
        icrn: worklist.to_icrn(),
        memory: *worklist.memory(),
        id: *worklist.ids(),
    }
}

impl HwwlCore {
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        let local = parameters.scheme != Scheme::GlobalSorting;
        require(
            local,
            "hwwl_core",
            "scheme",
            "gsorting",
            "none, threshold or lsorting: gsorting serves all cores at once",
        )?;
        Ok(HwwlCore { parameters: *parameters, worklist: CoreWorklist::new(parameters)? })
    }
}

impl ExternalCore {
    /// The scheme is gsorting, whatever `parameters` say.
    pub fn new(parameters: &Parameters) -> Result<Self, ParameterError> {
        let parameters = Parameters { scheme: Scheme::GlobalSorting, ..*parameters };
        Ok(ExternalCore { parameters, worklist: CoreWorklist::new(&parameters)? })
    }
}

impl Unit for HwwlCore {
    type In = CoreIn;
    type Out = CoreOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>(self.parameters.lanes)
    }

    fn outputs(&self) -> CoreOut {
        outputs(&self.worklist)
    }

    fn clock(&mut self, pins: &CoreIn) -> Result<(), Fault> {
        self.worklist.clock(pins)
    }

    fn reset(&mut self) {
        self.worklist.reset();
    }
}

impl Unit for ExternalCore {
    type In = ExternalCoreIn;
    type Out = ExternalCoreOut;

    fn interface(&self) -> Interface {
        interface::<Self::In, Self::Out, _>((self.parameters.lanes, self.parameters.entries))
    }

    fn outputs(&self) -> ExternalCoreOut {
        let (answers, _) = self.worklist.answers();
        let mut wru = BankAnswers {
            wru_valid: answers.wru_valid as u32,
            wru_accepted: answers.wru_accepted as u32,
            ..Default::default()
        };
        let lanes = self.parameters.lanes;
        wru.pull_occupancy[..lanes].copy_from_slice(&answers.pull_occupancy[..lanes]);
        wru.push_occupancy[..lanes].copy_from_slice(&answers.push_occupancy[..lanes]);
        ExternalCoreOut { core: outputs(&self.worklist), wru }
    }

    fn clock(&mut self, pins: &ExternalCoreIn) -> Result<(), Fault> {
        *self.worklist.requests() = pins.wru;
        self.worklist.clock(&pins.core)
    }

    fn reset(&mut self) {
        self.worklist.reset();
    }
}

#[cfg(test)]
mod tests;
