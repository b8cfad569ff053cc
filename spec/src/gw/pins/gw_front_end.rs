//! Pins of `gw_front_end`: those of scheduler s with the suffix `_s`.

use super::{next, Halves, Next, Offer, GW_RECORD_BITS, LINE_BITS};
use crate::gw::parameters::{MOST_SCHEDULERS, SLOT_BITS};
use crate::gw::Parameters;
use crate::pin::Pin;
use crate::pins::{group, numbered, offer, pins};

group! {
    /// `done_even_k`, `done_odd_k`, `done_pair_k`, `done_even_slot_k`, `done_odd_slot_k`: these halves have written the registers
    /// of these slots.
    Done(p: &Parameters) {
        even: bool,
        odd: bool,
        pair: u8 = p.pair_bits(),
        even_slot: u8 = SLOT_BITS,
        odd_slot: u8 = SLOT_BITS,
    }
}

group! {
    /// `fetch_entry`, `fetch_line`: fetch this line into this entry.
    Fetch(p: &Parameters) {
        entry: u16 = p.entry_bits(),
        line: u16 = LINE_BITS,
    }
}

group! {
    /// `fill_entry` and the records of both slots.
    Fill(p: &Parameters) {
        entry: u16 = p.entry_bits(),
        records: [u128; 2] as "record" = numbered(2, GW_RECORD_BITS),
    }
}

group! {
    /// From the core to one scheduler.
    SliceIn(p: &Parameters) {
        /// Places that start at pc 0.
        start: u64 = p.places() as u32,
        /// Places that go on.
        wake: u64 = p.places() as u32,
        /// A bit for each path: it takes an instruction in the next cycle; what issues in this cycle counts as gone.
        room: u8 = 4,
        /// The answers to the even and to the odd half that issue in this cycle.
        next: [Next; 2] as "" = next::of_halves(),
        done: [Done; 2],
        /// `done_wave`, `done_swid`.
        done_wave: Offer<u8> as "done" = offer("wave", [Pin::new("swid", p.swid_bits())]),
    }
}

group! {
    /// From one scheduler to the core.
    SliceOut(p: &Parameters) {
        /// The halves that issue in this cycle.
        halves: Halves as "issue",
        /// The pc of the halves; it means something while one issues.
        issue_pc if issue_even | issue_odd: u16 = 16,
        /// The slot under which the even half issues; 0 if it writes no register.
        even_slot if issue_even: u8 = SLOT_BITS,
        odd_slot if issue_odd: u8 = SLOT_BITS,
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
    each (p.schedulers) { slices: [SliceIn; MOST_SCHEDULERS] as "", }
}

pins! {
    /// Outputs of `gw_front_end`.
    GwOut(p: &Parameters) {
        fetch: Offer<Fetch>,
        full: bool,
    }
    each (p.schedulers) { slices: [SliceOut; MOST_SCHEDULERS] as "", }
}

impl Done {
    /// The places whose registers are written.
    #[inline]
    pub fn places(&self) -> u64 {
        Halves { even: self.even, odd: self.odd, pair: self.pair }.places()
    }
}
