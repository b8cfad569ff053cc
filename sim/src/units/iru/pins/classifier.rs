//! Pins of `classifier`.

use super::prefetcher::element_group;
use super::{access_and_partition, elements, readies, ElementGroup, Offer};
use crate::unit::{Interface, Pin};
use crate::units::iru::element::{Access, Element};
use crate::units::iru::Parameters;
use crate::units::pins::{flag, input, pins};

/// Where an element goes: the classifier's outputs.
pub const BANK_0: usize = 0;
pub const BANK_1: usize = 1;
pub const CW: usize = 2;
pub const CCW: usize = 3;
const WAYS: [&str; 4] = ["bank_0", "bank_1", "cw", "ccw"];

pins! {
    /// Inputs of `classifier`.
    ClassifierIn {
        group: Offer<ElementGroup>,
        access: Access,
        partition: u8,
        /// By [`BANK_0`] ... [`CCW`].
        ready: [bool; 4],
    }
}

pins! {
    /// Outputs of `classifier`.
    ClassifierOut {
        group_ready: bool,
        empty: bool,
        /// By [`BANK_0`] ... [`CCW`].
        way: [Offer<Element>; 4],
    }
}

pub fn classifier_interface(parameters: &Parameters) -> Interface {
    let mut inputs: Vec<Pin> = input(element_group()).collect();
    inputs.extend(access_and_partition(parameters));
    inputs.extend(readies(&WAYS));
    let mut outputs = vec![flag("group_ready"), flag("empty")];
    outputs.extend(elements(&WAYS));
    Interface { inputs, outputs }
}
