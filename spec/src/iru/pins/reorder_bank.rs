//! Pins of `reorder_bank`.

use super::Offer;
use crate::iru::element::{Element, Placed, BEAT};
use crate::iru::Parameters;
use crate::pins::{group, offer, offered, pins};

group! {
    /// `take_*`: elements that are to come out of a set.
    TakeOrder(p: &Parameters) {
        set: u32 = p.set_bits(),
        /// 1 to 32.
        count: u8 = 6,
    }
}

group! {
    /// `beat_*`: up to four elements of a take.
    BankBeat() {
        mask: u8 = BEAT as u32,
        last: bool,
        /// All 0 where `mask` is 0.
        elements: [Element; BEAT] as "",
    }
}

pins! {
    /// Inputs of `reorder_bank`.
    ReorderBankIn(p: &Parameters) {
        local: Offer<Placed> = offer("valid", Placed::list(p.set_bits())),
        cw: Offer<Placed> = offer("valid", Placed::list(p.set_bits())),
        ccw: Offer<Placed> = offer("valid", Placed::list(p.set_bits())),
        filter: u8 = 2,
        take: Offer<TakeOrder> = offer("", TakeOrder::list(p)),
        beat_room: bool,
    }
}

pins! {
    /// Outputs of `reorder_bank`.
    ReorderBankOut(p: &Parameters) {
        local_ready: bool,
        cw_ready: bool,
        ccw_ready: bool,
        complete: Offer<u32> = offered("set", p.set_bits()),
        best_set: u32 = p.set_bits(),
        best_count: u8 = 6,
        take_ready: bool,
        beat: Offer<BankBeat>,
        merged: bool,
        count: u32 = p.sets.ilog2() + 5,
        idle: bool,
    }
}
