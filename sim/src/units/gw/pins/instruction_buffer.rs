//! Pins of `instruction_buffer`.

use super::Offer;
use crate::unit::{Interface, Pin};
use crate::units::gw::parameters::bits;
use crate::units::gw::record::RECORD_BITS;
use crate::units::pins::{group, input, offer, pins};

group! {
    /// `write_warp`, `write_both`, `write_record_0`, `write_record_1`.
    BufferWrite {
        warp: u8,
        /// If not, slot 1 alone.
        both: bool,
        records: [u128; 2],
    }
}

pins! {
    /// Inputs of `instruction_buffer`.
    InstructionBufferIn {
        write: Offer<BufferWrite>,
        take: Offer<u8>,
        flush: Offer<u8>,
        /// `read`, `read_warp`.
        read: Offer<u8>,
    }
}

pins! {
    /// Outputs of `instruction_buffer`.
    InstructionBufferOut {
        head_valid: u64,
        record: Offer<u128>,
    }
}

/// Of this many warps.
pub fn instruction_buffer_interface(warps: usize) -> Interface {
    let warp = |name: &str| Pin::new(name, bits(warps));
    let record = |slot: usize| Pin::new(format!("write_record_{slot}"), RECORD_BITS);
    let mut inputs = offer("write_valid", [warp("write_warp"), Pin::new("write_both", 1), record(0), record(1)]);
    inputs.extend(offer("take_valid", [warp("take_warp")]));
    inputs.extend(offer("flush_valid", [warp("flush_warp")]));
    inputs.extend(offer("read", [warp("read_warp")]));
    let mut outputs = vec![Pin::new("head_valid", warps as u32)];
    outputs.extend(offer("record_valid", [Pin::new("record", RECORD_BITS)]));
    Interface { inputs: input(inputs).collect(), outputs }
}
