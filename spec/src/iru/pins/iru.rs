//! Pins of `iru`: those of partition p with the suffix `_p`.

use super::{CoreIn, CoreOut, JobPins};
use crate::iru::Parameters;
use crate::pins::pins;

pins! {
    /// Inputs of `iru`.
    IruIn(p: &Parameters) {
        job: JobPins as "",
    }
    all (p.partitions) {
        partitions: [CoreIn] by "mem_ready_"
    }
}

pins! {
    /// Outputs of `iru`.
    IruOut(p: &Parameters) {}
    all (p.partitions) {
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
