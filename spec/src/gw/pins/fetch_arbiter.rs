//! Pins of `fetch_arbiter`.

use super::{Offer, LINE_BITS};
use crate::gw::parameters::MOST_SCHEDULERS;
use crate::gw::Parameters;
use crate::pins::{group, pins};

group! {
    /// `want_place`, `want_line`: a fetch that a scheduler wants.
    Want(p: &Parameters) {
        place: u8 = p.place_bits(),
        line: u16 = LINE_BITS,
    }
}

group! {
    /// `ask_scheduler`, `ask_place`, `ask_line`: a fetch that is asked for.
    Ask(p: &Parameters) {
        scheduler: u8 = p.scheduler_bits(),
        place: u8 = p.place_bits(),
        line: u16 = LINE_BITS,
    }
}

pins! {
    /// Inputs of `fetch_arbiter`.
    FetchArbiterIn(p: &Parameters) {
        fetch_room: bool,
        fill_valid: bool,
    }
    each (p.schedulers) { want: [Offer<Want>; MOST_SCHEDULERS], }
}

pins! {
    /// Outputs of `fetch_arbiter`.
    FetchArbiterOut(p: &Parameters) {
        ask: Offer<Ask>,
    }
}
