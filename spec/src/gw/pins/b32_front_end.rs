//! Pins of `b32_front_end`: those of scheduler s with the suffix `_s`.

use super::{Offer, LINE_BITS, RECORD_BITS, WRITES_BITS};
use crate::gw::parameters::{B32Parameters, MOST_SCHEDULERS};
use crate::pins::{group, numbered, offered, pins};

group! {
    /// `done_place_k`, `done_writes_k`: these registers of this place are written.
    B32Done(p: &B32Parameters) {
        place: u8 = p.place_bits(),
        /// A list of 4.
        writes: u32 = WRITES_BITS,
    }
}

group! {
    /// `fill_scheduler`, `fill_place`, `fill_record_0`, `fill_record_1`.
    B32Fill(p: &B32Parameters) {
        scheduler: u8 = p.scheduler_bits(),
        place: u8 = p.place_bits(),
        records: [u128; 2] as "record" = numbered(2, RECORD_BITS),
    }
}

group! {
    /// `fetch_scheduler`, `fetch_place`, `fetch_line`.
    B32Fetch(p: &B32Parameters) {
        scheduler: u8 = p.scheduler_bits(),
        place: u8 = p.place_bits(),
        line: u16 = LINE_BITS,
    }
}

group! {
    /// From the core to one scheduler.
    B32SliceIn(p: &B32Parameters) {
        /// Places that start at pc 0.
        start: u64 = p.places() as u32,
        /// Places that go on.
        wake: u64 = p.places() as u32,
        /// A bit for each path: it takes an instruction in the next cycle; what issues in this cycle counts as gone.
        room: u8 = 4,
        /// The answer to the warp that issues: 0 it goes on at this pc, 1 it halts and goes on there later, 2 it ends.
        next: u8 = 2,
        pc: u16 = 16,
        /// `done_valid_k`, `done_place_k`, `done_writes_k`.
        done: [Offer<B32Done>; 2],
    }
}

group! {
    /// From one scheduler to the core.
    B32SliceOut(p: &B32Parameters) {
        /// `issue_valid`, `issue_place`.
        issue: Offer<u8> = offered("place", p.place_bits()),
        issue_pc if issue_valid: u16 = 16,
        ready: u64 = p.places() as u32,
    }
}

pins! {
    /// Inputs of `b32_front_end`.
    B32In(p: &B32Parameters) {
        fetch_room: bool,
        fill: Offer<B32Fill>,
    }
    each (p.schedulers) { slices: [B32SliceIn; MOST_SCHEDULERS] as "", }
}

pins! {
    /// Outputs of `b32_front_end`.
    B32Out(p: &B32Parameters) {
        fetch: Offer<B32Fetch>,
    }
    each (p.schedulers) { slices: [B32SliceOut; MOST_SCHEDULERS] as "", }
}
