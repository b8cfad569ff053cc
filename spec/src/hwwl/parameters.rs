//! What the worklist is built with.

use super::pins::LINE_IDS;
use super::units::{Refill, Scheme, HWWL};
use crate::parameters;

parameters! {
    /// The default is the paper's (Table IV, IV-C).
    Parameters of HWWL {
        /// Banks of a core, one a lane.
        lanes: usize,
        cores: usize,
        /// IDs that a bank holds.
        entries: usize,
        /// A bank with fewer IDs on its pull side takes from others.
        threshold: u32,
        /// Cycles between two redistributions.
        interval: u32,
        scheme: Scheme,
        refill: Refill,
        /// Cycles between two checks whether a refill is possible.
        refill_interval: u32,
        /// Bins in which spilled IDs gather before they become lines, or 0.
        bins: usize,
    }
}

impl Parameters {
    /// Words of a line that belong to each bank.
    pub fn refill_words(&self) -> usize {
        LINE_IDS / self.lanes
    }
}
