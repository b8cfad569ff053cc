//! Pins of `icrn`, the ICRN between the cores.

use super::{ID_BITS, MAX_CORES};
use crate::pins::pins;

pins! {
    /// Inputs of `icrn`, by core.
    IcrnIn(cores: usize) {
        /// of core 0 (all cores agree)
        pull_part: bool,
    }
    each (cores) {
        /// an ID that leaves core c
        out_valid: [bool; MAX_CORES],
    }
    each (cores) { out_part: [bool; MAX_CORES], }
    each (cores) { out_id: [u32; MAX_CORES] = ID_BITS, }
    each (cores) {
        /// core c takes the ID on `in_id_c` in this cycle
        in_ready: [bool; MAX_CORES],
    }
    each (cores) {
        /// core c had no work for its pull side in the previous cycle
        quiet: [bool; MAX_CORES],
    }
    each (cores) {
        /// from the core's WRU
        greedy: [u8; MAX_CORES] = 2,
    }
}

pins! {
    /// Outputs of `icrn`, by core.
    IcrnOut(cores: usize) {
        /// two cycles ago every core was quiet and the ICRN held no ID of the pull side
        all_done: bool,
        /// IDs in the ICRN
        held: u8 = 7,
    }
    each (cores) {
        /// the input FIFO of core c has a free entry
        out_ready: [bool; MAX_CORES],
    }
    each (cores) {
        /// an ID for core c, until `in_ready_c`; `in_part_c` and `in_id_c` are valid while `in_valid_c`
        in_valid: [bool; MAX_CORES],
    }
    each (cores) { in_part if in_valid: [bool; MAX_CORES], }
    each (cores) { in_id if in_valid: [u32; MAX_CORES] = ID_BITS, }
    each (cores) {
        /// bit p: in the previous cycle some other core was not greedy in partition p
        send: [u8; MAX_CORES] = 2,
    }
}
