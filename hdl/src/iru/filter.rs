//! Filter (section 3.3): merges an element into the one of its set that has the same index.
//!
//! ```text
//!  cycle   t        t + 1             t + 2             t + 3           ...      t + 7
//!        enters   compare with      smaller one?      write (minimum)          write (addition)
//!        read set all slots         to the adder                               the sum comes
//!                 flight 1          flight 1          flight 2     3      3     4
//! ```
//!
//! Elements enter in phase 0, every two cycles, and what is in flight moves with the same beat. No two elements of one set
//! are in flight at once, so that each sees what the one before it left.

use super::element::Element;
use super::{ELEMENT_BITS, INDEX_BITS, POSITION_BITS, SECONDARY_BITS, SLOTS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Slots that an element may be merged into: where the last one is taken, the set takes nothing.
pub const MERGING: usize = SLOTS - 1;

network! {
    /// 2^A sets.
    pub struct Filter<const A: usize>, inputs Inputs, clocked {
        in adds: Signal<In, bool>,
        in enters: Signal<In, bool>,
        in element_word: Signal<In, Bits<ELEMENT_BITS>>,
        in home_set: Signal<In, Bits<A>>,
        in slot: Signal<In, Bits<5>>,
        in taken_set: Signal<In, Bits<A>>,
        in slot_word: [Signal<In, Bits<ELEMENT_BITS>>; MERGING],
        in sum: Signal<In, Bits<SECONDARY_BITS>>,
        out phase: Signal<Out, bool>,
        out set_in_flight: Signal<Out, bool>,
        out taken_set_in_flight: Signal<Out, bool>,
        out in_flight: Signal<Out, bool>,
        out add_a: Signal<Out, Bits<SECONDARY_BITS>>,
        out add_b: Signal<Out, Bits<SECONDARY_BITS>>,
        out write: Signal<Out, bool>,
        out write_appends: Signal<Out, bool>,
        out write_slot: Signal<Out, Bits<5>>,
        out write_set: Signal<Out, Bits<A>>,
        out write_word: Signal<Out, Bits<ELEMENT_BITS>>,
        out merged: Signal<Out, bool>,
    }
}

impl<const A: usize> Default for Filter<A> {
    fn default() -> Self {
        Self::describe_as(|b, i| describe(b, &i))
    }
}

/// An element in flight.
#[derive(Clone, Copy)]
struct Flight<'a> {
    valid: Net<'a>,
    set: Net<'a>,
}

/// What will be written, known from the third cycle on.
#[derive(Clone, Copy)]
struct Outcome<'a> {
    found: Net<'a>,
    slot: Net<'a>,
    index: Net<'a>,
    secondary: Net<'a>,
    position: Net<'a>,
}

impl<'a> Outcome<'a> {
    fn held(self, b: &'a Builder, step: usize, moves: Net<'a>) -> Self {
        let hold = |name: &str, net| b.data_register(format!("{name}_{step}"), net, moves);
        Self {
            found: hold("found", self.found),
            slot: hold("slot", self.slot),
            index: hold("index", self.index),
            secondary: hold("secondary", self.secondary),
            position: hold("position", self.position),
        }
    }
}

fn describe<'a, const A: usize>(b: &'a Builder, i: &Inputs<'a, A>) {
    let phase = b.register("phase", 1);
    phase.drive(!phase);
    let moves = (!phase).name("moves");
    let adds = i.adds;

    b.comment("Flight 1: the element beside the slots of its set.");
    let valid_1 = b.register("valid_1", 1);
    valid_1.drive(moves.mux(i.enters, valid_1));
    let word = b.data_register("word_1", i.element_word, i.enters);
    let set_1 = b.data_register("set_1", i.home_set, i.enters);
    let next_slot = b.data_register("next_slot_1", i.slot, i.enters);
    let newcomer = Element::of(valid_1, word);
    let olds: Vec<_> = i.slot_word.iter().map(|&word| Element::of(valid_1, word)).collect();
    let hit = |(s, old): (usize, &Element<'a>)| {
        let hit = b.constant(s as u64, 5).below(next_slot) & old.index.equals(newcomer.index);
        hit.name(format!("hit_{s}"))
    };
    let hits: Vec<_> = olds.iter().enumerate().map(hit).collect();
    let pick = |part: fn(&Element<'a>) -> Net<'a>| b.one_of(&hits, &olds.iter().map(part).collect::<Vec<_>>());
    let old_secondary = b.data_register("old_secondary", pick(|old| old.secondary), phase);
    let old_position = b.data_register("old_position", pick(|old| old.position), phase);
    let number =
        |bit: usize| b.or_all(&(0..MERGING).filter(|s| s >> bit & 1 == 1).map(|s| hits[s]).collect::<Vec<_>>());
    let hit_slot = b.data_register("hit_slot", b.bits(&[0, 1, 2, 3, 4].map(number)), phase);
    let found = b.data_register("found_1", b.or_all(&hits), phase);

    b.comment("Flight 2: what the slot gets, but for a sum.");
    let smaller = newcomer.secondary.below(old_secondary).name("newcomer_smaller");
    let keeps = (found & !adds & !smaller).name("slot_keeps");
    let result = Outcome {
        found,
        slot: found.mux(hit_slot, next_slot),
        index: newcomer.index,
        secondary: newcomer.secondary,
        position: (found & adds).mux(old_position, newcomer.position),
    };
    b.output("add_a", old_secondary);
    b.output("add_b", newcomer.secondary);
    let result_2 = result.held(b, 2, moves);
    let valid_2 = b.register("valid_2", 1);
    valid_2.drive(moves.mux(valid_1, valid_2 & adds));
    let keeps_2 = b.data_register("slot_keeps_2", keeps, moves);
    let set_2 = b.data_register("set_2", set_1, moves);

    b.comment("Flights 3 and 4: beside the adder.");
    let result_3 = result_2.held(b, 3, moves);
    let valid_3 = b.register("valid_3", 1);
    valid_3.drive(moves.mux(valid_2, valid_3));
    let set_3 = b.data_register("set_3", set_2, moves);
    let result_4 = result_3.held(b, 4, moves);
    let valid_4 = b.register("valid_4", 1);
    valid_4.drive(moves & valid_3);
    let set_4 = b.data_register("set_4", set_3, moves);

    b.comment("The end of a flight, in phase 1: a write, unless the slot keeps what it has.");
    let ends = (phase & adds.mux(valid_4, valid_2)).name("flight_ends");
    let write = (ends & !keeps_2).name("write_now");
    let write_found = adds.mux(result_4.found, result_2.found).name("write_found");
    let total = result_4.found.mux(i.sum, result_4.secondary);
    let word = b.bits(&[
        adds.mux(result_4.position, result_2.position),
        adds.mux(total, result_2.secondary),
        adds.mux(result_4.index, result_2.index),
    ]);
    debug_assert_eq!(word.width(), INDEX_BITS + SECONDARY_BITS + POSITION_BITS);
    b.output("write", write);
    b.output("write_appends", write & !write_found);
    b.output("write_slot", adds.mux(result_4.slot, result_2.slot));
    b.output("write_set", adds.mux(set_4, set_2));
    b.output("write_word", word);
    let merged = b.register("merged", 1);
    merged.drive(ends & write_found);
    b.output("merged", merged);

    b.comment("Who is in flight.");
    let flights = [(valid_1, set_1), (valid_2, set_2), (valid_3, set_3), (valid_4, set_4)];
    let flights = flights.map(|(valid, set)| Flight { valid, set });
    let on = |set: Net<'a>| b.or_all(&flights.map(|f| f.valid & f.set.equals(set)));
    b.output("phase", phase);
    b.output("set_in_flight", on(i.home_set));
    b.output("taken_set_in_flight", on(i.taken_set));
    b.output("in_flight", b.or_all(&flights.map(|f| f.valid)));
}
