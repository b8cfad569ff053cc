//! Pins of `bank`, with so many entries.

use super::{count_bits, ID_BITS};
use crate::pins::pins;

pins! {
    /// Inputs of `bank`.
    BankIn(entries: usize) {
        /// take `double_buffer` as the mode, clear both FIFOs' pointers, make partition 0 the pull side. The bank obeys
        /// only if it holds nothing and nothing is reserved; else it ignores the pin. Never together with `pull`, `push`,
        /// `swap`, `reserve`, `unreserve`, `wru_push` or `fill_push`
        configure: bool,
        /// with `configure`: 1 = double-buffer mode
        double_buffer: bool,
        /// exchange pull and push side. The bank obeys only in double-buffer mode and if the pull side holds and reserves
        /// nothing in this cycle; else it ignores the pin. Never together with `pull`, `push`, `reserve` or `unreserve`.
        /// It may meet `wru_pop`, `wru_push` or `fill_push`, which name a partition and not a side
        swap: bool,
        /// pop the pull side
        pull: bool,
        /// append `push_id` to the push side; never together with `pull`, never while `full`
        push: bool,
        push_id: u32 = ID_BITS,
        /// pop partition `wru_part`
        wru_pop: bool,
        /// append `wru_id` to partition `wru_part`; never together with `wru_pop`
        wru_push: bool,
        /// 0 in single-buffer mode, except for a `wru_pop` that was under way when the mode changed: partition 1 is empty
        /// then, and nothing happens
        wru_part: bool,
        wru_id: u32 = ID_BITS,
        /// append `fill_id`: with `fill_reserved` to the pull side, into a reserved entry (there is one); else to
        /// partition `fill_part`, which is 0 in single-buffer mode
        fill_push: bool,
        fill_reserved: bool,
        fill_part: bool,
        fill_id: u32 = ID_BITS,
        /// reserve R entries of the pull side; comes only if they are free in every case
        reserve: bool,
        /// give one reserved entry back (there is one); may meet `fill_push` only if two are reserved
        unreserve: bool,
    }
}

pins! {
    /// Outputs of `bank`.
    BankOut(entries: usize) {
        /// the `pull` of the previous cycle found an ID, which is on `id`
        pull_valid: bool,
        /// the `wru_pop` of the previous cycle was done; `id` has its ID
        wru_valid: bool,
        /// the `wru_push` of the previous cycle was done
        wru_accepted: bool,
        /// the `fill_push` of the previous cycle was done
        fill_accepted: bool,
        /// valid while `pull_valid` or `wru_valid`
        id if pull_valid | wru_valid: u32 = ID_BITS,
        /// IDs and reserved entries of the pull side
        pull_occupancy: u32 = count_bits(entries),
        /// IDs in the push side; 0 in single-buffer mode
        push_occupancy: u32 = count_bits(entries),
        /// IDs in both sides
        held: u32 = count_bits(entries),
        /// `pull_occupancy` is 0
        empty: bool,
        /// the side that pushes go to has no free entry
        full: bool,
    }
}
