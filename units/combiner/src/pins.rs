//! Pins of `combiner` with so many lanes.

use crate::KEY_BITS;
use sim::units::pins::pins;

pub const MOST_LANES: usize = 32;

pins! {
    /// Inputs of `combiner`.
    CombinerIn(lanes: usize) {
        start: bool,
        /// Lanes that take part, at least one.
        mask: u32 = lanes as u32,
    }
    each (lanes) {
        key: [u64; MOST_LANES] = KEY_BITS as u32,
        value: [u32; MOST_LANES] = 32,
    }
}

pins! {
    /// Outputs of `combiner`.
    CombinerOut(lanes: usize) {
        /// It can start.
        ready: bool,
        out_valid: bool,
        /// The first lane of a key, the sum of all lanes with this key, and whether it is the last one.
        out_lane if out_valid: u8 = lanes.ilog2(),
        out_value if out_valid: u32 = 32,
        out_last if out_valid: bool,
    }
}
