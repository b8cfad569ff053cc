//! Pins of `classifier` and `ring_stop`.

use super::prefetcher::{element_group, input};
use super::{access, element, flag, pins, ElementGroup, Offer};
use crate::unit::{Interface, Pin};
use crate::units::iru::element::{Access, Element};
use crate::units::iru::Parameters;

/// Where an element goes: the classifier's outputs.
pub const BANK_0: usize = 0;
pub const BANK_1: usize = 1;
pub const CW: usize = 2;
pub const CCW: usize = 3;
const WAYS: [&str; 4] = ["bank_0", "bank_1", "cw", "ccw"];

/// The stop's outputs to the banks, by direction (cw, ccw) and bank.
const TO_BANKS: [&str; 4] = ["cw_bank_0", "cw_bank_1", "ccw_bank_0", "ccw_bank_1"];

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

pins! {
    /// Inputs of `ring_stop`. Pairs are cw, ccw.
    RingStopIn {
        arrival: [Offer<Element>; 2],
        local: [Offer<Element>; 2],
        access: Access,
        partition: u8,
        link_ready: [bool; 2],
        /// By direction and bank.
        bank_ready: [[bool; 2]; 2],
    }
}

pins! {
    /// Outputs of `ring_stop`. Pairs are cw, ccw.
    RingStopOut {
        arrival_ready: [bool; 2],
        local_ready: [bool; 2],
        link: [Offer<Element>; 2],
        /// By direction and bank.
        bank: [[Offer<Element>; 2]; 2],
        empty: bool,
    }
}

fn elements(names: &[&str]) -> Vec<Pin> {
    names.iter().flat_map(|name| element(name)).collect()
}

fn readies<'a>(names: &'a [&str]) -> impl Iterator<Item = Pin> + 'a {
    names.iter().map(|name| flag(format!("{name}_ready")))
}

fn access_and_partition(parameters: &Parameters) -> impl Iterator<Item = Pin> {
    access().into_iter().chain([Pin::new("partition", parameters.partition_bits())])
}

pub fn classifier_interface(parameters: &Parameters) -> Interface {
    let mut inputs: Vec<Pin> = input(element_group()).collect();
    inputs.extend(access_and_partition(parameters));
    inputs.extend(readies(&WAYS));
    let mut outputs = vec![flag("group_ready"), flag("empty")];
    outputs.extend(elements(&WAYS));
    Interface { inputs, outputs }
}

pub fn ring_stop_interface(parameters: &Parameters) -> Interface {
    const IN: [&str; 4] = ["cw_in", "ccw_in", "cw_local", "ccw_local"];
    const LINKS: [&str; 2] = ["cw_out", "ccw_out"];
    let mut inputs: Vec<Pin> = input(elements(&IN)).collect();
    inputs.extend(access_and_partition(parameters));
    inputs.extend(readies(&LINKS));
    inputs.extend(readies(&TO_BANKS));
    let mut outputs: Vec<Pin> = readies(&IN).collect();
    outputs.extend(elements(&LINKS));
    outputs.extend(elements(&TO_BANKS));
    outputs.push(flag("empty"));
    Interface { inputs, outputs }
}
