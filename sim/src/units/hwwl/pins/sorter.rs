//! Pins of `sorter`.

use super::{each, flag, pins, PerBank};
use crate::unit::{Condition, Interface};

pins! {
    /// Inputs and outputs of `sorter`: the same shape on both sides.
    SorterPins {
        valid: bool,
        items: PerBank,
    }
}

pub fn sorter_interface(items: usize, width: u32) -> Interface {
    let if_valid = || Condition::bit("out_valid", 0);
    let mut inputs = vec![flag("in_valid")];
    inputs.extend(each("in_item", items, width));
    let mut outputs = vec![flag("out_valid")];
    outputs.extend(each("out_item", items, width).map(|pin| pin.valid_if(if_valid())));
    Interface { inputs, outputs }
}
