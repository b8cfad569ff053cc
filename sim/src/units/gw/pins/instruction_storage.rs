//! Pins of `instruction_storage`.

use super::Offer;
use crate::unit::{Condition, Pin};
use crate::units::gw::parameters::MOST_SCHEDULERS;
use crate::units::gw::record::RECORD_BITS;
use crate::units::gw::Parameters;
use crate::units::pins::{group, numbered, offered, pins};

/// Bits of a line's number.
pub(super) const LINE_BITS: u32 = 15;

group! {
    /// Inputs of `instruction_storage` from one scheduler.
    StorageIn(p: &Parameters) {
        look: Offer<u16> = offered("line", LINE_BITS),
        take: Count = Count::list((7, p)),
        dropped: Count as "drop" = Count::list((5, p)),
        read: bool,
        read_entry: u16 = p.entry_bits(),
        read_slot: bool,
    }
}

group! {
    /// `take_count`, `take_entry`, or those of `drop`: so many warps, in a count of so many bits;
    /// the entry means something while it is not 0.
    Count((width, p): (u32, &Parameters)) {
        count: u8 = width,
        entry: u16 as "" = while_any_bit("count", width, Pin::new("entry", p.entry_bits())),
    }
}

group! {
    /// `fill_entry` and the records of both slots.
    Fill(p: &Parameters) {
        entry: u16 = p.entry_bits(),
        records: [u128; 2] as "record" = numbered(2, RECORD_BITS),
    }
}

group! {
    /// `answer`, `answer_line`, `answer_entry`.
    AnswerPins(p: &Parameters) {
        /// [`AnswerPins::NONE`] to [`AnswerPins::PENDING`].
        answer: u8 as "" = 2,
        line: u16 as "" = with_answer(1..=3, Pin::new("line", LINE_BITS)),
        /// Means something with a hit.
        entry: u16 as "" = with_answer(1..=1, Pin::new("entry", p.entry_bits())),
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
    StorageOut(p: &Parameters) {
        answer: AnswerPins,
        record: Offer<u128> = offered("", RECORD_BITS),
    }
}

group! {
    /// `fetch_entry`, `fetch_line`: fetch this line into this entry.
    Fetch(p: &Parameters) {
        entry: u16 = p.entry_bits(),
        line: u16 = LINE_BITS,
    }
}

pins! {
    /// Inputs of `instruction_storage`.
    InstructionStorageIn(p: &Parameters) {
        ask: Offer<u16> = offered("line", LINE_BITS),
        fetch_room: bool,
        fill: Offer<Fill>,
    }
    each (p.schedulers) {
        slices: [StorageIn; MOST_SCHEDULERS] as "",
    }
}

pins! {
    /// Outputs of `instruction_storage`.
    InstructionStorageOut(p: &Parameters) {
        fetch: Offer<Fetch>,
        full: bool,
    }
    each (p.schedulers) {
        slices: [StorageOut; MOST_SCHEDULERS] as "",
    }
}

/// One of the `width` bits of `count` is high.
fn while_any_bit(count: &str, width: u32, pin: Pin) -> Vec<Pin> {
    vec![(0..width).fold(pin, |pin, bit| pin.valid_if(Condition::bit(count, bit)))]
}

/// The answer is one of these.
fn with_answer(answers: std::ops::RangeInclusive<u64>, pin: Pin) -> Vec<Pin> {
    let condition = |equals| Condition { pin: String::new(), lsb: 0, width: 2, equals };
    vec![answers.fold(pin, |pin, answer| pin.valid_if(condition(answer)))]
}
