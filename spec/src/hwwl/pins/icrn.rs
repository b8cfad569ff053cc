//! Pins of `icrn`, the ICRN between the cores.

use super::{ID_BITS, MAX_CORES};
use crate::pins::pins;

pins! {
    /// Inputs of `icrn`, by core.
    IcrnIn(cores: usize) {
        pull_part: bool,
    }
    each (cores) { out_valid: [bool; MAX_CORES], }
    each (cores) { out_part: [bool; MAX_CORES], }
    each (cores) { out_id: [u32; MAX_CORES] = ID_BITS, }
    each (cores) { in_ready: [bool; MAX_CORES], }
    each (cores) { quiet: [bool; MAX_CORES], }
    each (cores) {
        /// Bit p: the core is greedy in partition p.
        greedy: [u8; MAX_CORES] = 2,
    }
}

pins! {
    /// Outputs of `icrn`, by core.
    IcrnOut(cores: usize) {
        all_done: bool,
        held: u8 = 7,
    }
    each (cores) { out_ready: [bool; MAX_CORES], }
    each (cores) { in_valid: [bool; MAX_CORES], }
    each (cores) { in_part if in_valid: [bool; MAX_CORES], }
    each (cores) { in_id if in_valid: [u32; MAX_CORES] = ID_BITS, }
    each (cores) { send: [u8; MAX_CORES] = 2, }
}
