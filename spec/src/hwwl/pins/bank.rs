//! Pins of `bank`, with so many entries.

use super::{count_bits, ID_BITS};
use crate::pins::pins;

pins! {
    /// Inputs of `bank`.
    BankIn(entries: usize) {
        configure: bool,
        double_buffer: bool,
        swap: bool,
        pull: bool,
        push: bool,
        push_id: u32 = ID_BITS,
        wru_pop: bool,
        wru_push: bool,
        wru_part: bool,
        wru_id: u32 = ID_BITS,
        fill_push: bool,
        fill_reserved: bool,
        fill_part: bool,
        fill_id: u32 = ID_BITS,
        reserve: bool,
        unreserve: bool,
    }
}

pins! {
    /// Outputs of `bank`.
    BankOut(entries: usize) {
        pull_valid: bool,
        wru_valid: bool,
        wru_accepted: bool,
        fill_accepted: bool,
        id if pull_valid | wru_valid: u32 = ID_BITS,
        pull_occupancy: u32 = count_bits(entries),
        push_occupancy: u32 = count_bits(entries),
        held: u32 = count_bits(entries),
        empty: bool,
        full: bool,
    }
}
