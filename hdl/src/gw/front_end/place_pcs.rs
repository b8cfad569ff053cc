//! The pcs of the places of a scheduler: of each place the pc of its first instruction that has not issued, and the entry of
//! that instruction's line; and how many instructions the frontier is ahead.
//!
//! ```text
//!  start: 0 ------------------+
//!  the core's answer ---------+--> front_pc --+-- + ahead --> slot and line of the frontier
//!  what issues: its pc + 1 ---+               |
//!                                 ahead ------+
//!  checked: + 1, issues: - 1 ------^
//! ```
//!
//! At most two instructions of a place are checked or on their way through the check, so that all of them have one of two
//! entries: the first one's (`front_entry`) and the frontier's.

use super::wave_table::LOW_BITS;
use crate::circuit::net::Builder;
use crate::gw::{LINE_BITS, PC_BITS};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, E bits number an entry.
    pub struct PlacePcs<const N: usize, const E: usize>, inputs Inputs, clocked {
        in start, resolved, issues, checked: Signal<In, Bits<N>>,
        in even_pc, odd_pc, issue_pc, wave_pc: Signal<In, Bits<PC_BITS>>,
        in issue_wave, wave_carry: Signal<In, bool>,
        in checked_entry: Signal<In, Bits<E>>,
        in entry: [Signal<In, Bits<E>>; N],
        out front_pc: [Signal<Out, Bits<PC_BITS>>; N],
        out front_line: [Signal<Out, Bits<LINE_BITS>>; N],
        out front_entry: [Signal<Out, Bits<E>>; N],
        out front_slot, slot, beyond, ahead, ahead_2: Signal<Out, Bits<N>>,
    } described by describe
}

fn describe<'a, const N: usize, const E: usize>(b: &'a Builder, i: &Inputs<'a, N, E>) {
    let [low, high] = [i.wave_pc.slice(0, LOW_BITS), i.wave_pc.slice(LOW_BITS, PC_BITS - LOW_BITS)];
    let behind = [low.increment(), high + i.wave_carry.extend(PC_BITS - LOW_BITS)];
    let behind_wave = b.bits(&behind).name("behind_wave");
    let behind = i.issue_wave.mux(behind_wave, i.issue_pc.increment().name("behind_halves")).name("behind");
    let [ahead_1, ahead_2] = ["ahead_1", "ahead_2"].map(|name| b.register(name, N));

    b.comment("How many instructions the frontier is ahead: none, 1 or 2.");
    let none = (!(ahead_1 | ahead_2)).name("none_ahead");
    let moves = (i.checked ^ i.issues).name("moves");
    let more = (moves & i.checked).name("one_more");
    let less = (moves & i.issues).name("one_less");
    ahead_1.drive((ahead_1 & !moves) | (none & more) | (ahead_2 & less));
    ahead_2.drive((ahead_2 & !less) | (ahead_1 & more));

    let (mut front_slots, mut slots, mut carries) = (vec![], vec![], vec![]);
    for place in 0..N {
        let pc = b.storage(format!("front_pc${place}"), PC_BITS);
        let half_pc = if place % 2 == 0 { i.even_pc } else { i.odd_pc };
        let [starts, moves, resolved] = [i.start, i.issues, i.resolved].map(|places| places.bit(place));
        let next = resolved.mux(half_pc, behind);
        pc.load((!starts).repeat(PC_BITS) & next, starts | moves | resolved);
        b.output(format!("front_pc${place}"), pc);
        b.output(format!("front_line${place}"), pc.slice(1, LINE_BITS));
        let slot = pc.bit(0);
        front_slots.push(slot);
        slots.push(slot ^ ahead_1.bit(place));
        carries.push(ahead_2.bit(place) | (ahead_1.bit(place) & slot));

        let entry = b.storage(format!("front_entry${place}"), E);
        let first = (i.checked.bit(place) & none.bit(place)).name(format!("is_first_{place}"));
        let leaves = moves & slot;
        entry.load(first.mux(i.checked_entry, i.entry[place]), first | leaves);
        b.output(format!("front_entry${place}"), entry);
    }
    b.comment("Of the frontier: its slot, and whether it is in the line behind the first instruction's.");
    b.output("slot", b.bits(&slots));
    b.output("beyond", b.bits(&carries));
    b.output("ahead", ahead_1 | ahead_2);
    b.output("ahead_2", ahead_2);
    b.output("front_slot", b.bits(&front_slots));
}
