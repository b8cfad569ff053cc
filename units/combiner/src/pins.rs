//! Pins of `combiner`.

use crate::KEY_BITS;
use sim::unit::{Interface, Pin};
use sim::units::pins::{each, flag, offer, pins};

pub const MOST_LANES: usize = 32;

pins! {
    /// Inputs of `combiner`.
    CombinerIn {
        start: bool,
        /// Lanes that take part, at least one.
        mask: u32,
    }
    each {
        key: [u64; MOST_LANES],
        value: [u32; MOST_LANES],
    }
}

pins! {
    /// Outputs of `combiner`.
    CombinerOut {
        /// It can start.
        ready: bool,
        out_valid: bool,
        /// The first lane of a key, the sum of all lanes with this key, and whether it is the last one.
        out_lane: u8,
        out_value: u32,
        out_last: bool,
    }
}

pub fn interface(lanes: usize) -> Interface {
    let mut inputs = vec![flag("start"), Pin::new("mask", lanes as u32)];
    inputs.extend(each(lanes, vec![Pin::new("key", KEY_BITS as u32), Pin::new("value", 32)]));
    let out = [Pin::new("out_lane", lanes.ilog2()), Pin::new("out_value", 32), flag("out_last")];
    let outputs = [vec![flag("ready")], offer("out_valid", out)].concat();
    Interface { inputs, outputs }
}
