//! Pins of `wru_threshold`, `wru_sorting` and `wru_global`: the same for all three, with so many banks of so many entries.

use super::{count_bits, ID_BITS, MAX_BANKS};
use crate::pins::pins;

pins! {
    /// Inputs of a redistribution unit.
    WruIn((banks, entries): (usize, usize)) {
        double_buffer: bool,
        pull_part: bool,
        wru_valid: u64 = banks as u32,
        wru_accepted: u64 = banks as u32,
        /// Bit p: IDs of partition p may go to another core.
        send: u8 = 2,
        out_ready: bool,
    }
    each (banks) { pull_occupancy: [u32; MAX_BANKS] = count_bits(entries), }
    each (banks) { push_occupancy: [u32; MAX_BANKS] = count_bits(entries), }
    each (banks) { id: [u32; MAX_BANKS] = ID_BITS, }
}

pins! {
    /// Outputs of a redistribution unit.
    WruOut((banks, entries): (usize, usize)) {
        pop: u64 = banks as u32,
        push: u64 = banks as u32,
        part: bool,
        moving: bool,
        out_valid: bool,
        out_part if out_valid: bool,
        out_id if out_valid: u32 = ID_BITS,
        greedy: u8 = 2,
    }
    each (banks) { push_id if push: [u32; MAX_BANKS] = ID_BITS, }
}
