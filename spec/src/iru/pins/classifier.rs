//! Pins of `classifier`.

use super::{bundles, readies, ElementGroup, Offer};
use crate::iru::element::{Access, Bundle};
use crate::iru::Parameters;
use crate::pins::pins;

/// Where an element goes: the classifier's outputs.
pub const BANK_0: usize = 0;
pub const BANK_1: usize = 1;
pub const CW: usize = 2;
pub const CCW: usize = 3;
const WAYS: [&str; 4] = ["bank_0", "bank_1", "cw", "ccw"];

pins! {
    /// Inputs of `classifier`.
    ClassifierIn(p: &Parameters) {
        group: Offer<ElementGroup>,
        access: Access as "",
        partition: u8 = p.partition_bits(),
        ready: [bool; 4] as "" = readies(&WAYS),
    }
}

pins! {
    /// Outputs of `classifier`.
    ClassifierOut(p: &Parameters) {
        group_ready: bool,
        empty: bool,
        way: [Offer<Bundle>; 4] as "" = [bundles(&WAYS[..CW], p.set_bits(), p), bundles(&WAYS[CW..], p.ring_place_bits(), p)].concat(),
    }
}
