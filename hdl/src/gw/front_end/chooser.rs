//! Chooses the pair that is checked, and the halves of it that are checked together.
//!
//! ```text
//!  held, window, compare, free slots --> candidates --[ round robin ]--[r]-- chosen
//!
//!  chosen ------------------|\                       one entry and slot: both
//!  looked up at answer, hit | |--[ which of the halves ]--+--> checked, address_*     to the memories
//!                           |/       else in turn         +--[r]-- read_*
//! ```
//!
//! Cycle 0 chooses, cycle 1 addresses the memories, in cycle 2 they answer. Two places that hold one entry are at one line, so
//! that entry and slot stand for the pc.

use super::places::{both_places, data_of_pair, halves, of_pair, places_of};
use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::{number, Pick, RoundRobin};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, H = N / 2 pairs, Q bits number a pair, E bits an entry.
    pub struct Chooser<const N: usize, const H: usize, const Q: usize, const E: usize>, inputs Inputs, clocked {
        in held, leaves, halves, ahead_2, slot: Signal<In, Bits<N>>,
        in roomy, resolved_pairs, answered_pairs: Signal<In, Bits<H>>,
        in at_answer, answered_even, answered_odd: Signal<In, bool>,
        in answer: Signal<In, Bits<2>>,
        in answer_entry: Signal<In, Bits<E>>,
        in entry: [Signal<In, Bits<E>>; N],
        out checked: Signal<Out, Bits<N>>,
        out address_valid: Signal<Out, bool>,
        out address_pair: Signal<Out, Bits<Q>>,
        out address_entry: Signal<Out, Bits<E>>,
        out read_pairs: Signal<Out, Bits<H>>,
        out read_pair: Signal<Out, Bits<Q>>,
        out reads: Signal<Out, Bits<N>>,
        out read_even, read_odd, read_slot, read_end: Signal<Out, bool>,
        out read_entry: Signal<Out, Bits<E>>,
    } described by describe
}

/// The content of *address*.
struct Addressed<'a> {
    pairs: Net<'a>,
    /// The chosen pair, whether it is addressed or not.
    chosen_pairs: Net<'a>,
    even: Net<'a>,
    odd: Net<'a>,
    /// Slots and, of the chosen pair, entries of both halves.
    slots: [Net<'a>; 2],
    entries: [Net<'a>; 2],
}

fn describe<'a, const N: usize, const H: usize, const Q: usize, const E: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, Q, E>,
) {
    assert_eq!(N, 2 * H);
    let chosen = b.register("chosen", N);
    let [read_even, read_odd] = ["read_even", "read_odd"].map(|name| b.register(name, 1));
    let read_pairs = b.storage("read_pairs", H);
    let reads = places_of(b, "reads", read_pairs, read_even, read_odd);

    b.comment(
        "Candidates: held, not on their way, with room in the window behind a plain instruction, and free slots.",
    );
    let room = !i.ahead_2 | i.halves;
    let candidates = i.held & !i.leaves & !chosen & !reads & room & both_places(b, i.roomy);
    let candidates = candidates.name("candidates");
    let wants = (halves(b, candidates, 0) | halves(b, candidates, 1)).name("wants");
    let round_robin = RoundRobin::new(b, "turn", H);
    let Pick { chosen: pairs, behind, .. } = round_robin.pick("pick", wants);
    round_robin.pass(wants.any(), behind);
    chosen.drive(candidates & both_places(b, pairs));

    let a = address(b, i, chosen);
    b.comment("The halves that are checked: both at one pc, else one of them in turn.");
    let odd_turn = b.register("odd_turn", H);
    let is_next = |pairs: Net<'a>| (pairs & odd_turn).any();
    let odd_is_next = i.at_answer.mux(is_next(i.answered_pairs), is_next(a.chosen_pairs)).name("odd_is_next");
    let same_line = i.at_answer | a.entries[0].equals(a.entries[1]);
    let same = (a.slots[0].equals(a.slots[1]) & same_line).name("same");
    let even = (a.even & (!a.odd | same | !odd_is_next)).name("checks_even");
    let odd = (a.odd & (!a.even | same | odd_is_next)).name("checks_odd");
    let alone = ((even ^ odd).repeat(H) & a.pairs).name("alone");
    odd_turn.drive((odd_turn & !alone) | (alone & even.repeat(H)));
    let valid = (even | odd).name("address_valid");
    let slot = even.mux(a.slots[0], a.slots[1]).name("address_slot");
    let entry = i.at_answer.mux(i.answer_entry, even.mux(a.entries[0], a.entries[1])).name("address_entry");
    b.output("checked", places_of(b, "checked", a.pairs, even, odd));
    b.output("address_valid", valid);
    let address_pair = number(b, a.pairs, Q).name("address_pair");
    b.output("address_pair", address_pair);
    b.output("address_entry", entry);

    read_even.drive(even);
    read_odd.drive(odd);
    read_pairs.drive(a.pairs);
    let read_slot = b.delay("read_slot", slot);
    b.output("read_pairs", read_pairs);
    b.output("reads", reads);
    b.output("read_pair", b.delay("read_pair", address_pair));
    b.output("read_even", read_even);
    b.output("read_odd", read_odd);
    b.output("read_slot", read_slot);
    b.output("read_end", b.registered("read_end", valid & slot));
    b.output("read_entry", b.delay("read_entry", entry));
}

/// The pair that was looked up at the answer, if there was one, else the chosen pair.
fn address<'a, const N: usize, const H: usize, const Q: usize, const E: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, Q, E>,
    chosen: Net<'a>,
) -> Addressed<'a> {
    b.comment("The pair that is addressed.");
    let of_chosen = [0, 1].map(|odd| halves(b, chosen, odd).name(["chosen_even", "chosen_odd"][odd]));
    let chosen_pairs = (of_chosen[0] | of_chosen[1]).name("chosen_pairs");
    let pairs = i.at_answer.mux(i.answered_pairs, chosen_pairs).name("address_pairs");
    let had_room = b.delay("had_room_at_answer", (i.resolved_pairs & i.roomy).any());
    let can = (i.answer.is(1) & had_room).name("can_check_at_answer");
    let half = |odd: usize, answered: Net<'a>| i.at_answer.mux(can & answered, of_chosen[odd].any());
    let [even, odd] = [half(0, i.answered_even).name("may_even"), half(1, i.answered_odd).name("may_odd")];
    let slot = |pairs: Net<'a>, odd: usize| of_pair(b, pairs, i.slot, odd);
    let slots = [0, 1].map(|odd| i.at_answer.mux(slot(i.answered_pairs, odd), slot(chosen_pairs, odd)));
    let entries = [0, 1].map(|odd| data_of_pair(b, chosen_pairs, &i.entry, odd));
    Addressed {
        pairs,
        chosen_pairs,
        even,
        odd,
        slots: [slots[0].name("even_slot"), slots[1].name("odd_slot")],
        entries: [entries[0].name("even_entry"), entries[1].name("odd_entry")],
    }
}
