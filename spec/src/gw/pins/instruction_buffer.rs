//! Pins of `instruction_buffer`, of so many warps.

use super::{Offer, RECORD_BITS};
use crate::gw::parameters::bits;
use crate::pin::Pin;
use crate::pins::{group, numbered, offer, offered, pins};

group! {
    /// `write_warp`, `write_both`, `write_record_0`, `write_record_1`.
    BufferWrite(warps: usize) {
        warp: u8 = bits(warps),
        /// High: both slots. Low: slot 1 alone.
        both: bool,
        records: [u128; 2] as "record" = numbered(2, RECORD_BITS),
    }
}

pins! {
    /// Inputs of `instruction_buffer`.
    InstructionBufferIn(warps: usize) {
        write: Offer<BufferWrite>,
        take: Offer<u8> = offered("warp", bits(warps)),
        flush: Offer<u8> = offered("warp", bits(warps)),
        /// `read`, `read_warp`.
        read: Offer<u8> = offer("", [Pin::new("warp", bits(warps))]),
    }
}

pins! {
    /// Outputs of `instruction_buffer`.
    InstructionBufferOut(warps: usize) {
        head_valid: u64 = warps as u32,
        record: Offer<u128> = offered("", RECORD_BITS),
    }
}
