//! Pins of `pair_scheduler`.

use super::swfu::wave_offer;
use super::{places, while_half_issues, Halves, Offer, WaveOffer};
use crate::unit::{Interface, Pin};
use crate::units::gw::parameters::MOST_PLACES;
use crate::units::gw::Parameters;
use crate::units::pins::{each, flag, input, pins, while_valid};

pins! {
    /// Inputs of `pair_scheduler`.
    PairSchedulerIn {
        ready: u64,
        scalar: u64,
        /// A bit for each pair.
        same: u32,
        offer: Offer<WaveOffer>,
        /// A bit for each path: it takes an instruction in the next cycle.
        room: u8,
        pairs_on: bool,
    }
    each {
        path: [u8; MOST_PLACES],
    }
}

pins! {
    /// Outputs of `pair_scheduler`.
    PairSchedulerOut {
        halves: Halves,
        /// `issue_wave`, `issue_swid`.
        wave: Offer<u8>,
    }
}

pub fn pair_scheduler_interface(p: &Parameters) -> Interface {
    let mut inputs = vec![places("ready", p), places("scalar", p), Pin::new("same", p.places() as u32 / 2)];
    inputs.extend(input(wave_offer(p)));
    inputs.extend([Pin::new("room", 4), flag("pairs_on")]);
    inputs.extend(each(p.places(), vec![Pin::new("path", 2)]));
    let mut outputs = vec![flag("issue_even"), flag("issue_odd")];
    outputs.extend(while_half_issues([Pin::new("issue_pair", p.pair_bits())]));
    outputs.push(flag("issue_wave"));
    outputs.extend(while_valid("issue_wave", [Pin::new("issue_swid", p.swid_bits())]));
    Interface { inputs, outputs }
}
