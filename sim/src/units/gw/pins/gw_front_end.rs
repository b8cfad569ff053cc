//! Pins of `gw_front_end`: those of scheduler s with the suffix `_s`.

use super::instruction_storage::{fetch, fill};
use super::scoreboard::done;
use super::warp_status_table::next;
use super::{places, wave_group, wave_mask, while_half_issues, writes};
use super::{Done, Fetch, Fill, Halves, Next, Offer};
use crate::unit::{Interface, Pin};
use crate::units::gw::parameters::MOST_SCHEDULERS;
use crate::units::gw::Parameters;
use crate::units::pins::{each, flag, group, pins, while_valid};

group! {
    /// From the core to one scheduler.
    SliceIn {
        /// Places that start at pc 0.
        start: u64,
        /// Places that go on.
        wake: u64,
        /// A bit for each path: it takes an instruction in the next cycle; what issues in this cycle counts as gone.
        room: u8,
        /// Of the even and of the odd half that issue in this cycle.
        next: [Next; 2],
        /// A list of 4: registers that the wave on the pins will write.
        writes: u32,
        done: [Done; 2],
        /// `done_wave`, `done_swid`.
        done_wave: Offer<u8>,
    }
}

group! {
    /// From one scheduler to the core.
    SliceOut {
        /// What issues in this cycle.
        halves: Halves,
        /// Of the halves; means something while one issues.
        issue_pc: u16,
        /// `issue_wave`, `issue_swid`.
        wave: Offer<u8>,
        /// The wave's entry of the table; means something while it issues.
        wave_group: u8,
        wave_mask: u16,
        wave_pc: u16,
        ready: u64,
        scalar: u64,
        table_full: bool,
    }
}

pins! {
    /// Inputs of `gw_front_end`.
    GwIn {
        fetch_room: bool,
        fill: Offer<Fill>,
        pairs_on: bool,
        waves_on: bool,
    }
    each {
        slices: [SliceIn; MOST_SCHEDULERS],
    }
}

pins! {
    /// Outputs of `gw_front_end`.
    GwOut {
        fetch: Offer<Fetch>,
        full: bool,
    }
    each {
        slices: [SliceOut; MOST_SCHEDULERS],
    }
}

fn slice_inputs(p: &Parameters) -> Vec<Pin> {
    let mut pins = vec![places("start", p), places("wake", p), Pin::new("room", 4)];
    pins.extend(next());
    pins.push(writes("writes"));
    pins.extend(done(p));
    pins.extend([flag("done_wave"), Pin::new("done_swid", p.swid_bits())]);
    pins
}

fn slice_outputs(p: &Parameters) -> Vec<Pin> {
    let mut pins = vec![flag("issue_even"), flag("issue_odd")];
    pins.extend(while_half_issues([Pin::new("issue_pair", p.pair_bits()), Pin::new("issue_pc", 16)]));
    pins.push(flag("issue_wave"));
    let wave = [Pin::new("issue_swid", p.swid_bits()), wave_group("", p), wave_mask("", p), Pin::new("wave_pc", 16)];
    pins.extend(while_valid("issue_wave", wave));
    pins.extend([places("ready", p), places("scalar", p), flag("table_full")]);
    pins
}

pub fn gw_front_end_interface(p: &Parameters) -> Interface {
    let mut inputs = vec![flag("fetch_room")];
    inputs.extend(fill(p));
    inputs.extend([flag("pairs_on"), flag("waves_on")]);
    inputs.extend(each(p.schedulers, slice_inputs(p)));
    let mut outputs = fetch(p);
    outputs.push(flag("full"));
    outputs.extend(each(p.schedulers, slice_outputs(p)));
    Interface { inputs, outputs }
}
