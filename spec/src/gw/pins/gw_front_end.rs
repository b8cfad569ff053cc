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
        /// k = 0, 1: what these halves of this pair issued is done
        even: bool,
        odd: bool,
        pair: u8 = p.pair_bits(),
        /// under these slots
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
        /// these places start at pc 0; these, which have halted, continue
        start: u64 = p.places() as u32,
        wake: u64 = p.places() as u32,
        /// a bit for each path: it takes an instruction in the next cycle. What issues in this cycle counts as gone
        room: u8 = 4,
        /// the core answers these halves of this pair, whose last instructions were not plain
        answered: Halves as "answer",
        /// the answer: 0 the half continues at this pc, 1 it halts and continues there later, 2 it ends. They are valid
        /// while the half is answered
        next: [Next; 2] as "" = next::of_halves(),
        done: [Done; 2],
        /// a wave is done
        done_wave: Offer<u8> as "done" = offer("wave", [Pin::new("swid", p.swid_bits())]),
    }
}

group! {
    /// From one scheduler to the core.
    SliceOut(p: &Parameters) {
        /// these halves of this pair issue in this cycle; `issue_pair` and `issue_pc` are valid while one issues
        halves: Halves as "issue",
        issue_pc if issue_even | issue_odd: u16 = 16,
        /// the slots under which the halves issue; each is valid while its half issues, and is 0 if the instruction
        /// writes no register
        even_slot if issue_even: u8 = SLOT_BITS,
        odd_slot if issue_odd: u8 = SLOT_BITS,
        /// a wave issues in this cycle: its entry of the SWST. All are valid while `issue_wave_s`
        wave: Offer<u8> as "issue" = offer("wave", [Pin::new("swid", p.swid_bits())]),
        wave_group if issue_wave: u8 = p.group_bits(),
        wave_mask if issue_wave: u16 = p.wave as u32,
        wave_pc if issue_wave: u16 = 16,
        /// for the counters of issuable warps and scalars
        ready: u64 = p.places() as u32,
        scalar: u64 = p.places() as u32,
        /// in the previous cycle a wave found no entry of the SWST
        table_full: bool,
    }
}

pins! {
    /// Inputs of `gw_front_end`.
    GwIn(p: &Parameters) {
        /// the core can take a fetch
        fetch_room: bool,
        /// what was fetched, decoded
        fill: Offer<Fill>,
        /// constant; 0 for the ablation
        pairs_on: bool,
        waves_on: bool,
    }
    each (p.schedulers) { slices: [SliceIn; MOST_SCHEDULERS] as "", }
}

pins! {
    /// Outputs of `gw_front_end`.
    GwOut(p: &Parameters) {
        /// a pulse: fetch this line into this entry
        fetch: Offer<Fetch>,
        /// in the previous cycle a request found no entry to replace
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
