//! Pins of `reorder_bank`.

use super::{access, beat_words, element, Offer};
use crate::unit::{Interface, Pin};
use crate::units::iru::element::{Access, Element, BEAT};
use crate::units::iru::Parameters;
use crate::units::pins::{flag, group, input, offer, pins};

group! {
    /// `take_*`: elements that are to come out of a set.
    TakeOrder {
        set: u32,
        /// 1 to 32.
        count: u8,
    }
}

group! {
    /// `beat_*`: up to four elements of a take.
    BankBeat {
        mask: u8,
        last: bool,
        /// All 0 where `mask` is 0.
        elements: [Element; BEAT],
    }
}

pins! {
    /// Inputs of `reorder_bank`.
    ReorderBankIn {
        local: Offer<Element>,
        cw: Offer<Element>,
        ccw: Offer<Element>,
        access: Access,
        filter: u8,
        take: Offer<TakeOrder>,
        beat_room: bool,
    }
}

pins! {
    /// Outputs of `reorder_bank`.
    ReorderBankOut {
        local_ready: bool,
        cw_ready: bool,
        ccw_ready: bool,
        complete: Offer<u32>,
        best_set: u32,
        best_count: u8,
        take_ready: bool,
        beat: Offer<BankBeat>,
        merged: bool,
        count: u32,
        idle: bool,
    }
}

/// `beat_*`, each name with `suffix`.
pub(super) fn bank_beat(suffix: &str) -> Vec<Pin> {
    let mut pins = vec![Pin::new(format!("beat_mask{suffix}"), BEAT as u32), flag(format!("beat_last{suffix}"))];
    pins.extend(beat_words("beat", suffix));
    offer(&format!("beat_valid{suffix}"), pins)
}

pub(super) fn complete(suffix: &str, set_bits: u32) -> Vec<Pin> {
    offer(&format!("complete_valid{suffix}"), [Pin::new(format!("complete_set{suffix}"), set_bits)])
}

pub(super) fn best(suffix: &str, set_bits: u32) -> [Pin; 2] {
    [Pin::new(format!("best_set{suffix}"), set_bits), Pin::new(format!("best_count{suffix}"), 6)]
}

pub(super) fn take(suffix: &str, set_bits: u32) -> Vec<Pin> {
    let pins = [Pin::new(format!("take_set{suffix}"), set_bits), Pin::new(format!("take_count{suffix}"), 6)];
    offer(&format!("take{suffix}"), pins)
}

pub fn reorder_bank_interface(parameters: &Parameters) -> Interface {
    let set_bits = parameters.set_bits();
    let mut inputs: Vec<Pin> = ["local", "cw", "ccw"].iter().flat_map(|name| input(element(name))).collect();
    inputs.extend(access());
    inputs.push(Pin::new("filter", 2));
    inputs.extend(input(take("", set_bits)));
    inputs.push(flag("beat_room"));
    let mut outputs = vec![flag("local_ready"), flag("cw_ready"), flag("ccw_ready")];
    outputs.extend(complete("", set_bits));
    outputs.extend(best("", set_bits));
    outputs.push(flag("take_ready"));
    outputs.extend(bank_beat(""));
    outputs.extend([flag("merged"), Pin::new("count", parameters.sets.ilog2() + 5), flag("idle")]);
    Interface { inputs, outputs }
}
