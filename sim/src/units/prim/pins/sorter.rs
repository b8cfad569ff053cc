//! Pins of `sorter`.

use crate::unit::Interface;
use crate::units::pins::{flag, numbered, offer, pins};

/// Most items of a sorter.
pub const MAX_ITEMS: usize = 64;

pins! {
    /// Inputs and outputs of `sorter`: the same shape on both sides.
    SorterPins {
        valid: bool,
    }
    each {
        items: [u32; MAX_ITEMS],
    }
}

pub fn sorter_interface(items: usize, width: u32) -> Interface {
    let mut inputs = vec![flag("in_valid")];
    inputs.extend(numbered("in_item", items, width));
    Interface { inputs, outputs: offer("out_valid", numbered("out_item", items, width)) }
}
