//! Pins of `warp_status_table`.

use super::fetch_arbiter::{want, Want};
use super::instruction_storage::{entry, line};
use super::{halves, places, wave, AnswerPins, Count, Halves, Offer, Wave};
use crate::unit::{Condition, Interface, Pin};
use crate::units::gw::parameters::MOST_PLACES;
use crate::units::gw::Parameters;
use crate::units::pins::{each, flag, group, offer, pins, while_valid};

group! {
    /// `even_next`, `even_pc`, `even_full`, or those of the odd half: what follows. Means something while the half issues.
    Next {
        /// 0 the half goes on at `pc`, 1 it halts and goes on there later, 2 it ends.
        next: u8,
        pc: u16,
        full: bool,
    }
}

pins! {
    /// Inputs of `warp_status_table`.
    WarpStatusTableIn {
        start: u64,
        wake: u64,
        answer: AnswerPins,
        halves: Halves,
        wave: Wave,
        /// Of the even and of the odd half.
        next: [Next; 2],
        ready: u64,
        waits: u64,
        asked: Offer<u8>,
    }
}

pins! {
    /// Outputs of `warp_status_table`.
    WarpStatusTableOut {
        look: Offer<u16>,
        want: Offer<Want>,
        check_warps: u64,
        check_valid: bool,
        check_entry: u16,
        check_slot: bool,
        take: Count,
        dropped: Count,
        /// A bit for each pair.
        same: u32,
        full: u64,
    }
    each {
        pc: [u16; MOST_PLACES],
    }
}

/// `even_next` to `odd_full`, as inputs.
pub(super) fn next() -> impl Iterator<Item = Pin> {
    let pins =
        |half| [Pin::new(format!("{half}_next"), 2), Pin::new(format!("{half}_pc"), 16), flag(format!("{half}_full"))];
    ["even", "odd"].into_iter().flat_map(pins)
}

fn count(name: &str, width: u32, p: &Parameters) -> [Pin; 2] {
    let count = format!("{name}_count");
    let not_zero = |pin: Pin, bit| pin.valid_if(Condition::bit(&count, bit));
    let entry = (0..width).fold(entry(format!("{name}_entry"), p), not_zero);
    [Pin::new(&count, width), entry]
}

pub fn warp_status_table_interface(p: &Parameters) -> Interface {
    let mut inputs = vec![places("start", p), places("wake", p)];
    inputs.extend([Pin::new("answer", 2), line("answer_line"), entry("answer_entry", p)]);
    inputs.extend(halves(p));
    inputs.extend(wave(p));
    inputs.extend(next());
    inputs.extend([places("ready", p), places("waits", p), flag("asked"), Pin::new("asked_place", p.place_bits())]);
    let mut outputs = offer("look_valid", [line("look_line")]);
    outputs.extend(want(p));
    outputs.extend([places("check_warps", p), flag("check_valid")]);
    outputs.extend(while_valid("check_valid", [entry("check_entry", p), flag("check_slot")]));
    outputs.extend(count("take", 7, p));
    outputs.extend(count("drop", 5, p));
    outputs.extend([Pin::new("same", p.places() as u32 / 2), places("full", p)]);
    outputs.extend(each(p.places(), vec![Pin::new("pc", 16)]));
    Interface { inputs, outputs }
}
