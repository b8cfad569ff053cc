//! Pins of `gw_front_end`: those of scheduler s with the suffix `_s`.

use super::warp_status_table::next;
use super::{Done, Fetch, Fill, Halves, Next, Offer};
use crate::unit::Pin;
use crate::units::gw::parameters::MOST_SCHEDULERS;
use crate::units::gw::record::WRITES_BITS;
use crate::units::gw::Parameters;
use crate::units::pins::{group, offer, pins};

group! {
    /// From the core to one scheduler.
    SliceIn(p: &Parameters) {
        /// Places that start at pc 0.
        start: u64 = p.places() as u32,
        /// Places that go on.
        wake: u64 = p.places() as u32,
        /// A bit for each path: it takes an instruction in the next cycle; what issues in this cycle counts as gone.
        room: u8 = 4,
        /// Of the even and of the odd half that issue in this cycle.
        next: [Next; 2] as "" = next(),
        /// A list of 4: registers that the wave on the pins will write.
        writes: u32 = WRITES_BITS,
        done: [Done; 2],
        /// `done_wave`, `done_swid`.
        done_wave: Offer<u8> as "done" = offer("wave", [Pin::new("swid", p.swid_bits())]),
    }
}

group! {
    /// From one scheduler to the core.
    SliceOut(p: &Parameters) {
        /// What issues in this cycle.
        halves: Halves as "issue",
        /// Of the halves; means something while one issues.
        issue_pc if issue_even | issue_odd: u16 = 16,
        /// `issue_wave`, `issue_swid`.
        wave: Offer<u8> as "issue" = offer("wave", [Pin::new("swid", p.swid_bits())]),
        /// The wave's entry of the table; means something while it issues.
        wave_group if issue_wave: u8 = p.group_bits(),
        wave_mask if issue_wave: u16 = p.wave as u32,
        wave_pc if issue_wave: u16 = 16,
        ready: u64 = p.places() as u32,
        scalar: u64 = p.places() as u32,
        table_full: bool,
    }
}

pins! {
    /// Inputs of `gw_front_end`.
    GwIn(p: &Parameters) {
        fetch_room: bool,
        fill: Offer<Fill>,
        pairs_on: bool,
        waves_on: bool,
    }
    each (p.schedulers) {
        slices: [SliceIn; MOST_SCHEDULERS] as "",
    }
}

pins! {
    /// Outputs of `gw_front_end`.
    GwOut(p: &Parameters) {
        fetch: Offer<Fetch>,
        full: bool,
    }
    each (p.schedulers) {
        slices: [SliceOut; MOST_SCHEDULERS] as "",
    }
}
