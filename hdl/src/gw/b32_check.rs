//! Check in a scheduler of the baseline: the check register, and the pending registers of all places.
//!
//! ```text
//!  word of the memory --+--> record --[ decode ]--[r]-- needed, written --+
//!  fill_record_* -------+                                                 |
//!  read_places, fills -----------------------------[r]-- check_places --+ |
//!                                                                       v v
//!  done_* --> registers of their places --> pending 0 - 63, N times --> blocked --> passes, fails_places
//!                                                ^                         |
//!                                                +---[ reserved ]--[r]-----+
//! ```
//!
//! The writes of an instruction are pending two cycles after the check. The next one of its place is not in the check
//! register before that.

use super::buffer_heads::WORD_BITS;
use super::record::{self, PATH_BITS, RECORD_BITS, REGISTERS, WRITES_BITS};
use super::select::select;
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Instructions of which the core tells in a cycle that their registers are written.
pub const DONE: usize = 2;

network! {
    /// N places, P bits number them.
    pub struct B32Check<const N: usize, const P: usize>, inputs Inputs, clocked {
        in word: Signal<In, Bits<WORD_BITS>>,
        in comes, read_valid: Signal<In, bool>,
        in read_places, fills: Signal<In, Bits<N>>,
        in fill_slot: Signal<In, bool>,
        in fill_record: [Signal<In, Bits<RECORD_BITS>>; 2],
        in slot_0, slot_1, ready, open: Signal<In, Bits<N>>,
        in done_valid: [Signal<In, bool>; DONE],
        in done_place: [Signal<In, Bits<P>>; DONE],
        in done_writes: [Signal<In, Bits<WRITES_BITS>>; DONE],
        out named, check_places: Signal<Out, Bits<N>>,
        out check_slot, check_flow: Signal<Out, bool>,
        out check_path: Signal<Out, Bits<PATH_BITS>>,
        out passes: Signal<Out, bool>,
        out passes_places, fails_places: Signal<Out, Bits<N>>,
    } described by describe
}

/// Registers that are written, and of which places.
struct Written<'a> {
    places: Net<'a>,
    registers: Net<'a>,
}

fn describe<'a, const N: usize, const P: usize>(b: &'a Builder, i: &Inputs<'a, N, P>) {
    let check_places = b.register("check_places", N);

    b.comment("What comes into the check register: the head of a line that was read, or of one that is filled.");
    let fills = (i.fills.any() & !i.read_valid).name("fill_comes");
    let loads = (i.comes | fills).name("loads");
    let read_slot = (!(i.read_places & i.slot_0).any()).name("read_slot");
    let slot = i.comes.mux(read_slot, i.fill_slot).name("slot");
    let of_word = read_slot.mux(i.word.slice(RECORD_BITS, RECORD_BITS), i.word.slice(0, RECORD_BITS));
    let of_fill = i.fill_slot.mux(i.fill_record[1], i.fill_record[0]);
    let record = i.comes.mux(of_word, of_fill).name("head");
    let writes = record::writes(record).name("head_writes");
    let writes = record::mask(b, writes).name("registers_written");
    let reads = record::reads(record).name("head_reads");
    let needs = (record::mask(b, reads) | writes).name("registers_needed");
    let written = b.data_register("check_written", writes, loads);
    let needed = b.data_register("check_needed", needs, loads);
    let check_slot = b.data_register("check_slot", slot, loads);
    let check_flow = b.data_register("check_flow", record::scalar(record), loads);
    let check_path = b.data_register("check_path", record::path(record), loads);

    b.comment(
        "Pending registers; those that an instruction reserves are pending when the next one of its place is checked.",
    );
    let done: Vec<_> = (0..DONE).map(|k| done(b, i, k)).collect();
    let reserved_places = b.register("reserved_places", N);
    let reserved = b.delay("reserved", written);
    let pending: Vec<_> = (0..N).map(|place| b.register(format!("pending_{place}"), REGISTERS)).collect();
    for (place, pending) in pending.iter().enumerate() {
        let ends: Vec<_> = done.iter().map(|w| w.places.bit(place).repeat(REGISTERS) & w.registers).collect();
        let starts = reserved_places.bit(place).repeat(REGISTERS) & reserved;
        pending.drive((*pending & !b.or_all(&ends)) | starts);
    }
    let of_place = b.one_of(&check_places.each(), &pending);
    let blocked = (of_place.name("check_pending") & needed).any().name("blocked");

    b.comment("What comes of the check.");
    let first = (check_places & i.slot_0).any().name("has_first");
    let second = (check_places & i.slot_1).any().name("has_second");
    let is_head = check_slot.mux(second & !first, first).name("is_head");
    let held = (check_places & (i.ready | i.open)).any().name("held");
    let can_pass = (is_head & !held).name("can_pass");
    let passes = (can_pass & !blocked).name("passes");
    let passes_places = (check_places & passes.repeat(N)).name("passes_places");
    reserved_places.drive(passes_places);
    b.output("passes", passes);
    b.output("passes_places", passes_places);
    b.output("fails_places", check_places & (can_pass & blocked).repeat(N));
    let keeps = (is_head & !passes & !loads).name("keeps");
    let loaded = i.comes.mux(i.read_places, i.fills & fills.repeat(N)).name("loaded_places");
    check_places.drive(loaded | (check_places & keeps.repeat(N)));

    let named = done.iter().map(|w| w.places).reduce(|all, places| all | places);
    b.output("named", named.expect("several done"));
    b.output("check_places", check_places);
    b.output("check_slot", check_slot);
    b.output("check_flow", check_flow);
    b.output("check_path", check_path);
}

fn done<'a, const N: usize, const P: usize>(b: &'a Builder, i: &Inputs<'a, N, P>, k: usize) -> Written<'a> {
    let place = select(&format!("done_{k}_place"), i.done_place[k], N);
    Written {
        places: (place & i.done_valid[k].repeat(N)).name(format!("done_{k}")),
        registers: record::mask(b, i.done_writes[k]).name(format!("done_{k}_registers")),
    }
}
