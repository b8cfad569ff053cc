//! Pins of `instruction_buffer`, of so many warps.

use super::{Offer, RECORD_BITS};
use crate::gw::parameters::bits;
use crate::pin::Pin;
use crate::pins::{group, numbered, offer, offered, pins};

group! {
    /// `write_warp`, `write_both`, `write_record_0`, `write_record_1`.
    BufferWrite(warps: usize) {
        warp: u8 = bits(warps),
        both: bool,
        records: [u128; 2] as "record" = numbered(2, RECORD_BITS),
    }
}

pins! {
    /// Inputs of `instruction_buffer`.
    InstructionBufferIn(warps: usize) {
        /// a line for this warp; both slots become valid, or slot 1 alone. Only of a warp without a head
        write: Offer<BufferWrite>,
        /// the head leaves. Only of a warp with one
        take: Offer<u8> = offered("warp", bits(warps)),
        /// both slots become empty. No write of this warp in the same cycle
        flush: Offer<u8> = offered("warp", bits(warps)),
        /// read the record of the head as the cycle begins. Only of a warp with one
        read: Offer<u8> = offer("", [Pin::new("warp", bits(warps))]),
    }
}

pins! {
    /// Outputs of `instruction_buffer`.
    InstructionBufferOut(warps: usize) {
        /// the warp has a head
        head_valid: u64 = warps as u32,
        /// the record read in the previous cycle. `record` is valid while `record_valid`
        record: Offer<u128> = offered("", RECORD_BITS),
    }
}
