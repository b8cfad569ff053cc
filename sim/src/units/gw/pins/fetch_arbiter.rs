//! Pins of `fetch_arbiter`.

use super::instruction_storage::line;
use super::Offer;
use crate::unit::{Interface, Pin};
use crate::units::gw::parameters::MOST_SCHEDULERS;
use crate::units::gw::Parameters;
use crate::units::pins::{each, flag, group, input, offer, pins};

group! {
    /// `want_place`, `want_line`: a fetch that a scheduler wants.
    Want {
        place: u8,
        line: u16,
    }
}

group! {
    /// `ask_scheduler`, `ask_place`, `ask_line`: a fetch that is asked for.
    Ask {
        scheduler: u8,
        place: u8,
        line: u16,
    }
}

pins! {
    /// Inputs of `fetch_arbiter`.
    FetchArbiterIn {
        fetch_room: bool,
        fill_valid: bool,
    }
    each {
        want: [Offer<Want>; MOST_SCHEDULERS],
    }
}

pins! {
    /// Outputs of `fetch_arbiter`.
    FetchArbiterOut {
        ask: Offer<Ask>,
    }
}

/// `want_*`.
pub(super) fn want(p: &Parameters) -> Vec<Pin> {
    offer("want_valid", [Pin::new("want_place", p.place_bits()), line("want_line")])
}

pub fn fetch_arbiter_interface(p: &Parameters) -> Interface {
    let mut inputs = vec![flag("fetch_room"), flag("fill_valid")];
    inputs.extend(each(p.schedulers, input(want(p)).collect()));
    let ask = [Pin::new("ask_scheduler", p.scheduler_bits()), Pin::new("ask_place", p.place_bits()), line("ask_line")];
    Interface { inputs, outputs: offer("ask_valid", ask) }
}
