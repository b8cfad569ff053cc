//! Pins of `ring_stop`.

use super::{access_and_partition, elements, readies, Offer};
use crate::unit::{Interface, Pin};
use crate::units::iru::element::{Access, Element};
use crate::units::iru::Parameters;
use crate::units::pins::{flag, input, pins};

/// The stop's outputs to the banks, by direction (cw, ccw) and bank.
const TO_BANKS: [&str; 4] = ["cw_bank_0", "cw_bank_1", "ccw_bank_0", "ccw_bank_1"];

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
