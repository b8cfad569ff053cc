//! Pins of `reorder_bank`.

use super::Offer;
use crate::iru::element::{Bundle, Element, BEAT};
use crate::iru::Parameters;
use crate::pins::{group, offer, offered, pins};

group! {
    /// `take_*`: elements that are to come out of a set.
    TakeOrder(p: &Parameters) {
        set: u32 = p.set_bits(),
        count: u8 = 6,
    }
}

group! {
    /// `beat_*`: up to four elements of a take.
    BankBeat() {
        mask: u8 = BEAT as u32,
        last: bool,
        elements: [Element; BEAT] as "",
    }
}

pins! {
    /// Inputs of `reorder_bank`.
    ReorderBankIn(p: &Parameters) {
        /// an element from this partition's classifier; its place is the set, and equal indices have equal places
        local: Offer<Bundle> = offer("valid", Bundle::list((p.set_bits(), p.bundle))),
        /// an element from the ring
        cw: Offer<Bundle> = offer("valid", Bundle::list((p.set_bits(), p.bundle))),
        /// an element from the ring
        ccw: Offer<Bundle> = offer("valid", Bundle::list((p.set_bits(), p.bundle))),
        /// 0 none, 1 integer minimum (unsigned), 2 fp32 addition. It changes only while the bank holds nothing
        filter: u8 = 2,
        /// take 1 to 32 elements out of a set; only while `take_ready`
        take: Offer<TakeOrder> = offer("", TakeOrder::list(p)),
        /// beats are welcome
        beat_room: bool,
    }
}

pins! {
    /// Outputs of `reorder_bank`.
    ReorderBankOut(p: &Parameters) {
        /// the queue of this way is not `full`
        local_ready: bool,
        cw_ready: bool,
        ccw_ready: bool,
        /// in the previous cycle this was the first set, in round robin from the pointer, with 32 elements and not being
        /// taken; `complete_set` is valid while `complete_valid`
        complete: Offer<u32> = offered("set", p.set_bits()),
        /// two cycles ago this was the fullest set, the lowest one of equals
        best_set: u32 = p.set_bits(),
        best_count: u8 = 6,
        /// no take is under way
        take_ready: bool,
        /// up to four elements of the take; `beat_last`: its last. Where `beat_mask` is 0 an element is 0. All mean
        /// something while `beat_valid`
        beat: Offer<BankBeat>,
        /// in the previous cycle an element was merged into an equal one; bit l: the l-th of its bundle
        merged: u8 = p.bundle as u32,
        /// elements in the sets
        count: u32 = p.sets.ilog2() + 5,
        /// no element is in flight to a set
        idle: bool,
    }
}
