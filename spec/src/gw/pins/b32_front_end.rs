//! Pins of `b32_front_end`: those of scheduler s with the suffix `_s`.

use super::{Offer, LINE_BITS, RECORD_BITS, WRITES_BITS};
use crate::gw::parameters::{B32Parameters, MOST_SCHEDULERS};
use crate::pins::{group, numbered, offered, pins};

group! {
    /// `answer_place`, `answer_next`, `answer_pc`: what follows for this place.
    B32Answer(p: &B32Parameters) {
        place: u8 = p.place_bits(),
        next: u8 = 2,
        pc: u16 = 16,
    }
}

group! {
    /// `done_place_k`, `done_writes_k`: these registers of this place are written.
    B32Done(p: &B32Parameters) {
        place: u8 = p.place_bits(),
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
        /// these places start at pc 0; only places that do not run
        start: u64 = p.places() as u32,
        /// these continue; only places that have halted
        wake: u64 = p.places() as u32,
        /// bit p: path p takes an instruction in the next cycle; what issues in this cycle counts as gone
        room: u8 = 4,
        /// what follows for the warp at this place, whose last instruction had `flow`. 0: it continues at this pc, 1: it
        /// halts and continues there later, 2: it ends
        answer: Offer<B32Answer>,
        /// k = 0, 1: this list of registers of this place is written
        done: [Offer<B32Done>; 2],
    }
}

group! {
    /// From one scheduler to the core.
    B32SliceOut(p: &B32Parameters) {
        /// what issues in this cycle. Place and pc are valid while `issue_valid_s`
        issue: Offer<u8> = offered("place", p.place_bits()),
        issue_pc if issue_valid: u16 = 16,
        /// these wait for their path alone
        ready: u64 = p.places() as u32,
    }
}

pins! {
    /// Inputs of `b32_front_end`.
    B32In(p: &B32Parameters) {
        /// the core can take a fetch
        fetch_room: bool,
        /// the line that was fetched for this place, decoded
        fill: Offer<B32Fill>,
    }
    each (p.schedulers) { slices: [B32SliceIn; MOST_SCHEDULERS] as "", }
}

pins! {
    /// Outputs of `b32_front_end`.
    B32Out(p: &B32Parameters) {
        /// a pulse: fetch this line for this place. The last three are valid while `fetch_valid`
        fetch: Offer<B32Fetch>,
    }
    each (p.schedulers) { slices: [B32SliceOut; MOST_SCHEDULERS] as "", }
}
