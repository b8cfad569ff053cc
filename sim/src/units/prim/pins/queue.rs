//! Pins of `queue`.

use super::Wide;
use crate::unit::{Interface, Pin};
use crate::units::pins::{flag, offer, pins};

pins! {
    /// Inputs of `queue`.
    QueueIn {
        push: bool,
        push_data: Wide,
        take: bool,
    }
}

pins! {
    /// Outputs of `queue`.
    QueueOut {
        head_valid: bool,
        head_data: Wide,
        full: bool,
        empty: bool,
    }
}

/// Of entries of `width` bits.
pub fn queue_interface(width: u32) -> Interface {
    let mut outputs = offer("head_valid", [Pin::new("head_data", width)]);
    outputs.extend([flag("full"), flag("empty")]);
    Interface { inputs: vec![flag("push"), Pin::new("push_data", width), flag("take")], outputs }
}
