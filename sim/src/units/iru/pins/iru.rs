//! Pins of `iru`: those of partition p with the suffix `_p`.

use super::iru_partition::{core_inputs, core_outputs, job};
use super::{CoreIn, CoreOut, JobPins};
use crate::unit::Interface;
use crate::units::iru::Parameters;
use crate::units::pins::{each, pins};

pins! {
    /// Inputs of `iru`.
    IruIn {
        job: JobPins,
    }
    all {
        partitions: [CoreIn] by "mem_ready_"
    }
}

pins! {
    /// Outputs of `iru`.
    IruOut {}
    all {
        partitions: [CoreOut] by "mem_valid_"
    }
}

impl IruIn {
    /// Nothing is offered and nothing taken; what goes with the pins that say so stays as it is.
    pub fn clear(&mut self) {
        self.job.start = false;
        for pins in &mut self.partitions {
            (pins.mem_ready, pins.reply_ready) = (false, false);
            (pins.sector.valid, pins.request.valid) = (false, false);
        }
    }
}

pub fn iru_interface(parameters: &Parameters) -> Interface {
    let mut inputs = job();
    inputs.extend(each(parameters.partitions, core_inputs()));
    Interface { inputs, outputs: each(parameters.partitions, core_outputs()).collect() }
}
