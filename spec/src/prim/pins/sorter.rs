//! Pins of `sorter`.

use crate::pin::Interface;
use crate::pins::{flag, numbered, offer, pins, prefixed};

/// Most items of a sorter.
pub const MAX_ITEMS: usize = 64;

pins! {
    /// Inputs and outputs of `sorter`: the same shape on both sides.
    SorterPins {
        valid: bool,
    }
    each { items: [u32; MAX_ITEMS], }
}

pub fn sorter_interface(items: usize, width: u32) -> Interface {
    let items = prefixed("item", numbered(items, width));
    let inputs = [vec![flag("valid")], items.clone()].concat();
    Interface { inputs: prefixed("in", inputs), outputs: prefixed("out", offer("valid", items)) }
}
