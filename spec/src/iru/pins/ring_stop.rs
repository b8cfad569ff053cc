//! Pins of `ring_stop`.

use super::{bundles, readies, Offer, ARRIVALS, LINKS};
use crate::iru::element::Bundle;
use crate::iru::Parameters;
use crate::pins::pins;

const LOCALS: [&str; 2] = ["cw_local", "ccw_local"];
/// The stop's outputs to the banks, by direction (cw, ccw) and bank.
const TO_BANKS: [&str; 4] = ["cw_bank_0", "cw_bank_1", "ccw_bank_0", "ccw_bank_1"];

pins! {
    /// Inputs of `ring_stop`. Pairs are cw, ccw.
    RingStopIn(p: &Parameters) {
        /// elements from the neighbours
        arrival: [Offer<Bundle>; 2] as "" = bundles(&ARRIVALS, p.ring_place_bits(), p),
        /// elements from the classifier
        local: [Offer<Bundle>; 2] as "" = bundles(&LOCALS, p.ring_place_bits(), p),
        /// the neighbours take
        link_ready: [bool; 2] as "" = readies(&LINKS),
        /// the banks take
        bank_ready: [[bool; 2]; 2] as "" = readies(&TO_BANKS),
    }
}

pins! {
    /// Outputs of `ring_stop`. Pairs are cw, ccw.
    RingStopOut(p: &Parameters) {
        /// the queue after each input is not `full`
        arrival_ready: [bool; 2] as "" = readies(&ARRIVALS),
        local_ready: [bool; 2] as "" = readies(&LOCALS),
        /// elements to the neighbours
        link: [Offer<Bundle>; 2] as "" = bundles(&LINKS, p.ring_place_bits(), p),
        /// elements to the banks
        bank: [[Offer<Bundle>; 2]; 2] as "" = bundles(&TO_BANKS, p.set_bits(), p),
        /// nothing anywhere in the stop
        empty: bool,
    }
}
