//! Pins of `ring_stop`.

use super::{elements, readies, Offer, ARRIVALS, LINKS};
use crate::iru::element::Placed;
use crate::iru::Parameters;
use crate::pins::pins;

const LOCALS: [&str; 2] = ["cw_local", "ccw_local"];
/// The stop's outputs to the banks, by direction (cw, ccw) and bank.
const TO_BANKS: [&str; 4] = ["cw_bank_0", "cw_bank_1", "ccw_bank_0", "ccw_bank_1"];

pins! {
    /// Inputs of `ring_stop`. Pairs are cw, ccw.
    RingStopIn(p: &Parameters) {
        /// elements from the neighbours
        arrival: [Offer<Placed>; 2] as "" = elements(&ARRIVALS, p.ring_place_bits()),
        /// elements from the classifier
        local: [Offer<Placed>; 2] as "" = elements(&LOCALS, p.ring_place_bits()),
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
        link: [Offer<Placed>; 2] as "" = elements(&LINKS, p.ring_place_bits()),
        /// elements to the banks
        bank: [[Offer<Placed>; 2]; 2] as "" = elements(&TO_BANKS, p.set_bits()),
        /// nothing anywhere in the stop
        empty: bool,
    }
}
