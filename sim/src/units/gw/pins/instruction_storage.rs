//! Pins of `instruction_storage`.

use super::Offer;
use crate::unit::{Condition, Interface, Pin};
use crate::units::gw::parameters::MOST_SCHEDULERS;
use crate::units::gw::record::RECORD_BITS;
use crate::units::gw::Parameters;
use crate::units::pins::{each, flag, group, offer, pins, while_valid};

group! {
    /// Inputs of `instruction_storage` from one scheduler.
    StorageIn {
        look: Offer<u16>,
        take: Count,
        dropped: Count,
        read: bool,
        read_entry: u16,
        read_slot: bool,
    }
}

group! {
    /// `take_count`, `take_entry`, or those of `drop`: so many warps; the entry means something while the count is not 0.
    Count {
        count: u8,
        entry: u16,
    }
}

group! {
    /// `fill_entry` and the records of both slots.
    Fill {
        entry: u16,
        records: [u128; 2],
    }
}

group! {
    /// `answer`, `answer_line`, `answer_entry`.
    AnswerPins {
        /// [`AnswerPins::NONE`] to [`AnswerPins::PENDING`].
        answer: u8,
        line: u16,
        /// Means something with a hit.
        entry: u16,
    }
}

impl AnswerPins {
    pub const NONE: u8 = 0;
    pub const HIT: u8 = 1;
    pub const MISS: u8 = 2;
    pub const PENDING: u8 = 3;
}

group! {
    /// Outputs of `instruction_storage` to one scheduler.
    StorageOut {
        answer: AnswerPins,
        record: Offer<u128>,
    }
}

group! {
    /// `fetch_entry`, `fetch_line`: fetch this line into this entry.
    Fetch {
        entry: u16,
        line: u16,
    }
}

pins! {
    /// Inputs of `instruction_storage`.
    InstructionStorageIn {
        ask: Offer<u16>,
        fetch_room: bool,
        fill: Offer<Fill>,
    }
    each {
        slices: [StorageIn; MOST_SCHEDULERS],
    }
}

pins! {
    /// Outputs of `instruction_storage`.
    InstructionStorageOut {
        fetch: Offer<Fetch>,
        full: bool,
    }
    each {
        slices: [StorageOut; MOST_SCHEDULERS],
    }
}

pub(super) fn line(name: impl Into<String>) -> Pin {
    Pin::new(name, 15)
}

pub(super) fn entry(name: impl Into<String>, p: &Parameters) -> Pin {
    Pin::new(name, p.entry_bits())
}

/// `fill_*`, as inputs.
pub(super) fn fill(p: &Parameters) -> Vec<Pin> {
    let mut pins = vec![flag("fill_valid"), entry("fill_entry", p)];
    pins.extend((0..2).map(|slot| Pin::new(format!("fill_record_{slot}"), RECORD_BITS)));
    pins
}

/// `fetch_*`.
pub(super) fn fetch(p: &Parameters) -> Vec<Pin> {
    offer("fetch_valid", [entry("fetch_entry", p), line("fetch_line")])
}

fn answers(name: &str, values: std::ops::RangeInclusive<u64>, pin: Pin) -> Pin {
    let condition = |equals| Condition { pin: name.into(), lsb: 0, width: 2, equals };
    values.fold(pin, |pin, value| pin.valid_if(condition(value)))
}

pub fn instruction_storage_interface(p: &Parameters) -> Interface {
    let mut inputs = vec![flag("ask_valid"), line("ask_line"), flag("fetch_room")];
    inputs.extend(fill(p));
    let slice = vec![
        flag("look_valid"),
        line("look_line"),
        Pin::new("take_count", 7),
        entry("take_entry", p),
        Pin::new("drop_count", 5),
        entry("drop_entry", p),
        flag("read"),
        entry("read_entry", p),
        flag("read_slot"),
    ];
    inputs.extend(each(p.schedulers, slice));
    let mut outputs = fetch(p);
    outputs.push(flag("full"));
    let mut slice = vec![
        Pin::new("answer", 2),
        answers("answer", 1..=3, line("answer_line")),
        answers("answer", 1..=1, entry("answer_entry", p)),
        flag("record_valid"),
    ];
    slice.extend(while_valid("record_valid", [Pin::new("record", RECORD_BITS)]));
    outputs.extend(each(p.schedulers, slice));
    Interface { inputs, outputs }
}
