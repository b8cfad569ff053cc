//! Pins of `iru_hash`.

use crate::iru::element::{Access, INDEX_BITS};
use crate::iru::Parameters;
use crate::pins::pins;

pins! {
    /// Inputs of `iru_hash`.
    IruHashIn(p: &Parameters) {
        /// the element
        index: u32 = INDEX_BITS,
        /// address of the array that will be accessed, log2 of its element's bytes
        access: Access as "",
        /// stage 1 takes
        enable_1: bool,
        /// stage 2 takes
        enable_2: bool,
    }
}

pins! {
    /// Outputs of `iru_hash`.
    IruHashOut(p: &Parameters) {
        /// of stage 2
        hash: u32 = p.hash_bits(),
    }
}
