//! Pins of `iru_hash`.

use crate::iru::element::{Access, INDEX_BITS};
use crate::iru::Parameters;
use crate::pins::pins;

pins! {
    /// Inputs of `iru_hash`.
    IruHashIn(p: &Parameters) {
        index: u32 = INDEX_BITS,
        access: Access as "",
        /// Stage 1 takes.
        enable_1: bool,
        /// Stage 2 takes.
        enable_2: bool,
    }
}

pins! {
    /// Outputs of `iru_hash`.
    IruHashOut(p: &Parameters) {
        hash: u32 = p.hash_bits(),
    }
}
