//! Pins of `warp_status_table`.

use super::instruction_storage::LINE_BITS;
use super::{AnswerPins, Count, Halves, Offer, Want, Wave};
use crate::unit::Pin;
use crate::units::gw::parameters::MOST_PLACES;
use crate::units::gw::Parameters;
use crate::units::pins::{by_name, group, offer, offered, pins, Listed};

group! {
    /// `even_next`, `even_pc`, `even_full`, or those of the odd half: what follows. Means something while the half issues.
    Next() {
        /// 0 the half goes on at `pc`, 1 it halts and goes on there later, 2 it ends.
        next: u8 = 2,
        pc: u16 = 16,
        full: bool,
    }
}

pins! {
    /// Inputs of `warp_status_table`.
    WarpStatusTableIn(p: &Parameters) {
        start: u64 = p.places() as u32,
        wake: u64 = p.places() as u32,
        answer: AnswerPins,
        halves: Halves as "issue",
        wave: Wave as "",
        /// Of the even and of the odd half.
        next: [Next; 2] as "" = next(),
        ready: u64 = p.places() as u32,
        waits: u64 = p.places() as u32,
        asked: Offer<u8> = offer("", [Pin::new("place", p.place_bits())]),
    }
}

pins! {
    /// Outputs of `warp_status_table`.
    WarpStatusTableOut(p: &Parameters) {
        look: Offer<u16> = offered("line", LINE_BITS),
        want: Offer<Want>,
        check_warps: u64 = p.places() as u32,
        check_valid: bool,
        check_entry if check_valid: u16 = p.entry_bits(),
        check_slot if check_valid: bool,
        take: Count = Count::list((7, p)),
        dropped: Count as "drop" = Count::list((5, p)),
        /// A bit for each pair.
        same: u32 = p.places() as u32 / 2,
        full: u64 = p.places() as u32,
    }
    each (p.places()) {
        pc: [u16; MOST_PLACES] = 16,
    }
}

/// `even_next` to `odd_full`.
pub(super) fn next() -> Vec<Pin> {
    by_name(&["even", "odd"], Next::list(()))
}
