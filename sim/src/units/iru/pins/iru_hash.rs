//! Pins of `iru_hash`.

use super::access;
use crate::unit::{Interface, Pin};
use crate::units::iru::element::{Access, INDEX_BITS};
use crate::units::iru::Parameters;
use crate::units::pins::{flag, pins};

pins! {
    /// Inputs of `iru_hash`.
    IruHashIn {
        index: u32,
        access: Access,
        /// Stage 1 takes.
        enable_1: bool,
        /// Stage 2 takes.
        enable_2: bool,
    }
}

pins! {
    /// Outputs of `iru_hash`.
    IruHashOut {
        hash: u32,
    }
}

pub fn iru_hash_interface(parameters: &Parameters) -> Interface {
    let mut inputs = vec![Pin::new("index", INDEX_BITS)];
    inputs.extend(access());
    inputs.extend([flag("enable_1"), flag("enable_2")]);
    Interface { inputs, outputs: vec![Pin::new("hash", parameters.hash_bits())] }
}
