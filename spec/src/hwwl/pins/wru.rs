//! Pins of `wru_threshold`, `wru_sorting`, `wru_serial` and `wru_global`: the same for all, with so many banks of so many entries.

use super::{count_bits, ID_BITS, MAX_BANKS};
use crate::pins::pins;

pins! {
    /// Inputs of a redistribution unit.
    WruIn((banks, entries): (usize, usize)) {
        /// mode
        double_buffer: bool,
        /// which partition is the pull side
        pull_part: bool,
        /// bit i from bank i
        wru_valid: u64 = banks as u32,
        /// bit i from bank i
        wru_accepted: u64 = banks as u32,
        /// bit p: IDs of partition p may go to another core
        send: u8 = 2,
        /// the network takes the ID on `out_id` in this cycle
        out_ready: bool,
    }
    each (banks) {
        /// from bank i; at most its `entries`
        pull_occupancy: [u32; MAX_BANKS] = count_bits(entries),
    }
    each (banks) { push_occupancy: [u32; MAX_BANKS] = count_bits(entries), }
    each (banks) {
        /// from bank i
        id: [u32; MAX_BANKS] = ID_BITS,
    }
}

pins! {
    /// Outputs of a redistribution unit.
    WruOut((banks, entries): (usize, usize)) {
        /// to bank i: `wru_pop`
        pop: u64 = banks as u32,
        /// to bank i: `wru_push`
        push: u64 = banks as u32,
        /// partition of the event under way, to all banks: `wru_part`
        part: bool,
        /// a pair is under way: an ID may be between two banks
        moving: bool,
        /// an ID for another core; `out_part` and `out_id` are valid while `out_valid`
        out_valid: bool,
        out_part if out_valid: bool,
        out_id if out_valid: u32 = ID_BITS,
        /// bit p: in the previous cycle more banks had an occupancy of partition p above `threshold` than below
        /// `threshold`
        greedy: u8 = 2,
    }
    each (banks) {
        /// to bank i; valid while `push[i]`
        push_id if push: [u32; MAX_BANKS] = ID_BITS,
    }
}
