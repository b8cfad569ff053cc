//! Occupancy of the sets of a bank, and the sets that the data replier may want.
//!
//! ```text
//!  grow, shrink --> occupancy 0 ... S/2 - 1 --+--> of the element's set: found a cycle ahead, kept in a register
//!                                             +--> of the set being taken and those beside it (its row)
//!                                             +--> complete: 32 elements, round robin    --[r]--> complete_*
//!  what grew, row that shrank ----------------+--> fullest of each row of 8 --[r]--> fullest of all --[r]--> best_*
//! ```
//!
//! At most one set grows and one shrinks in a cycle, never the same one. An element that is appended goes into the slot whose
//! number is the occupancy of its set in the cycle of the write. With filter this occupancy travels with the element in
//! flight. In a wide bank a set grows by up to X + 1.
//!
//! The fullest set of a row is compared with one that grew; only the row of a set that shrank is searched. So there is one
//! search for all rows.

use super::flight::{ADDITION, EARLY, MINIMUM};
use super::pick::{first, fullest, lines, lines_or_all};
use super::SLOT_BITS;
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Bits of an occupancy: up to 32.
pub const OCCUPANCY_BITS: usize = 6;

/// Sets of a row: those of which the fullest is kept.
const ROW: usize = 8;

network! {
    /// 2^A sets, M bits count their elements; `grow_more`, bit k: by k + 2 or more.
    pub struct Occupancy<const A: usize, const M: usize, const X: usize>, inputs Inputs, clocked {
        in home_set, next_set: Signal<In, Bits<A>>,
        in passes: Signal<In, bool>,
        in filters, grow: Signal<In, bool>,
        in grow_more: [Signal<In, bool>; X],
        in write_set: Signal<In, Bits<A>>,
        in adds: Signal<In, bool>,
        in flight_set: [Signal<In, Bits<A>>; EARLY],
        in next_filter_set: Signal<In, Bits<A>>,
        in taking: Signal<In, bool>,
        in taken_set: Signal<In, Bits<A>>,
        in shrink: Signal<In, bool>,
        in shrink_to, shrink_by: Signal<In, Bits<OCCUPANCY_BITS>>,
        in take: Signal<In, bool>,
        in take_set: Signal<In, Bits<A>>,
        out occupancy: Signal<Out, Bits<OCCUPANCY_BITS>>,
        out next_slot: Signal<Out, Bits<SLOT_BITS>>,
        out taken_occupancy: Signal<Out, Bits<OCCUPANCY_BITS>>,
        out complete_valid: Signal<Out, bool>,
        out complete_set, best_set: Signal<Out, Bits<A>>,
        out best_count: Signal<Out, Bits<OCCUPANCY_BITS>>,
        out count: Signal<Out, Bits<M>>,
    } described by describe
}

fn describe<'a, const A: usize, const M: usize, const X: usize>(b: &'a Builder, i: &Inputs<'a, A, M, X>) {
    assert_eq!(M, A + OCCUPANCY_BITS);
    let sets = 1 << A;
    let of: Vec<Net<'a>> = (0..sets).map(|s| b.storage(format!("occupancy_{s}"), OCCUPANCY_BITS)).collect();

    b.comment("An element more in one set, n less in another. In the first cycle after a reset all sets become empty.");
    let started = b.registered("started", b.high());
    let taken = lines(b, "set_taken", i.taking, i.taken_set);
    let grows = lines(b, "set_grows", i.grow, i.write_set);
    let shrinks = lines_or_all(b, "set_shrinks", i.shrink, i.taken_set, !started);
    let shrunk_to = (started.repeat(OCCUPANCY_BITS) & i.shrink_to).name("shrunk_to");
    let of_home = b.storage("occupancy_of_set", OCCUPANCY_BITS);
    let of_ending = b.storage("occupancy_of_ending_flight", OCCUPANCY_BITS);
    let written = i.filters.mux(of_ending, of_home).name("occupancy_of_written_set");
    // The sums are made before it is known which one it is.
    let by = |n: usize| written + b.constant(n as u64, OCCUPANCY_BITS);
    let grown =
        i.grow_more.iter().enumerate().fold(by(1), |grown, (k, &more)| more.mux(by(k + 2), grown)).name("grown");
    for (s, occupancy) in of.iter().enumerate() {
        let kept = !(grows.bit(s) | shrinks.bit(s));
        occupancy.drive(b.one_of(&[grows.bit(s), shrinks.bit(s), kept], &[grown, shrunk_to, *occupancy]));
    }

    b.comment("Of the sets that elements are on their way to. A set with elements in flight does not shrink.");
    // The occupancy that a set has in the next cycle, if it does not shrink.
    let unless_shrunk = |set: Net<'a>, held: Net<'a>| (i.grow & i.write_set.equals(set)).mux(grown, held);
    let shrunk = |set: Net<'a>, else_it_is: Net<'a>| (i.shrink & i.taken_set.equals(set)).mux(i.shrink_to, else_it_is);
    let of_next = unless_shrunk(i.next_set, b.select("occupancy_of_next_set", i.next_set, &of));
    let stays_home = unless_shrunk(i.home_set, of_home).name("occupancy_if_not_shrunk");
    of_home.drive(i.passes.mux(shrunk(i.next_set, of_next), shrunk(i.home_set, stays_home)));
    let mut flights = vec![stays_home];
    for (n, &set) in i.flight_set.iter().enumerate() {
        let flight = b.delay(format!("occupancy_of_flight_{}", n + 1), flights[n]);
        flights.push(unless_shrunk(set, flight).name(format!("next_occupancy_of_flight_{}", n + 1)));
    }
    let before_end = i.adds.mux(flights[ADDITION - 2], flights[MINIMUM - 2]);
    let before_end = b.delay("occupancy_of_next_ending_flight", before_end);
    of_ending.drive(unless_shrunk(i.next_filter_set, before_end));
    b.output("count", counted(b, M, grown_by(b, i.grow, &i.grow_more), i.shrink_by));
    b.output("occupancy", of_home);
    b.output("next_slot", written.slice(0, SLOT_BITS));

    b.comment("The row of the set that is taken. It is asked for up to the cycle in which the set shrinks.");
    let row = ROW.min(sets);
    let place_bits = row.ilog2() as usize;
    let row_of = |set: Net<'a>| match A - place_bits {
        0 => b.high(),
        bits => set.slice(place_bits, bits).decode(),
    };
    let rows: Vec<Net<'a>> = of.chunks(row).map(|sets| b.bits(sets)).collect();
    let taken_row = b.storage("taken_row", sets / row);
    let next_row = i.take.mux(row_of(i.take_set), taken_row).name("next_taken_row");
    taken_row.drive(next_row);
    let in_row = b.one_of(&next_row.each(), &rows).name("occupancies_of_row");
    let same_row = (row_of(i.write_set) & next_row).any();
    let grows_beside = (i.grow & same_row).repeat(row) & i.write_set.slice(0, place_bits).decode();
    let grows_beside = grows_beside.name("grows_beside");
    let in_row: Vec<_> = (0..row)
        .map(|s| grows_beside.bit(s).mux(grown, in_row.slice(s * OCCUPANCY_BITS, OCCUPANCY_BITS)))
        .enumerate()
        .map(|(s, next)| next.name(format!("next_in_row_{s}")))
        .collect();
    let place_of = |set: Net<'a>| set.slice(0, place_bits);
    let taken_place = i.take.mux(place_of(i.take_set), place_of(i.taken_set)).name("taken_place");
    let taken_place = taken_place.decode().name("place_lines");
    b.output("taken_occupancy", b.delay("taken_occupancy", b.one_of(&taken_place.each(), &in_row)));
    // The row as it is in the cycle after the set has shrunk.
    let shrunk_in_row = |(s, &next): (usize, &Net<'a>)| {
        b.delay(format!("shrunk_in_row_{s}"), taken_place.bit(s).mux(i.shrink_to, next))
    };
    let shrunk_row: Vec<_> = in_row.iter().enumerate().map(shrunk_in_row).collect();

    b.comment("Complete sets: the first in turn, else the first of all.");
    let turn = b.register("turn", A);
    turn.drive(i.take.mux(i.take_set.increment(), turn));
    let full = |s: usize| of[s].bit(OCCUPANCY_BITS - 1) & !taken.bit(s);
    let full: Vec<_> = (0..sets).map(|s| full(s).name(format!("complete_{s}"))).collect();
    let in_turn = |s: usize| (full[s] & !b.constant(s as u64, A).below(turn)).name(format!("in_turn_{s}"));
    let mut later: Vec<_> = (0..sets - 1).map(in_turn).collect();
    // The last set is never behind.
    later.push(full[sets - 1]);
    let (any, lowest) = first(b, "complete_first", &full);
    let (any_later, lowest_later) = first(b, "in_turn_first", &later);
    let complete_valid = b.register("complete_valid", 1);
    complete_valid.drive(any & started);
    b.output("complete_valid", complete_valid);
    b.output("complete_set", b.data_register("complete_set", any_later.mux(lowest_later, lowest), any));

    b.comment(
        "The fullest set of each row: one that grew, if it is fuller now, or what is found in a row that shrank.",
    );
    let grew = b.registered("grew", i.grow);
    let shrank = b.registered("shrank", i.shrink);
    let grown_set = b.delay("grown_set", i.write_set);
    let grown_count = b.delay("grown_count", grown);
    let grown_place = grown_set.slice(0, place_bits);
    let grown_row = row_of(grown_set).name("grown_row");
    let (row_count, row_place) = fullest(b, "best_of_row", shrunk_row.iter().map(|&count| (count, None)).collect());
    let row_place = row_place.expect("at least two sets are compared");
    let best: Vec<_> = (0..sets / row)
        .map(|r| {
            (b.register(format!("best_count_{r}"), OCCUPANCY_BITS), b.register(format!("best_place_{r}"), place_bits))
        })
        .collect();
    // The fuller one, of equals the one with the lower place.
    let ranks: Vec<_> = best.iter().map(|&(count, place)| b.bits(&[!place, count])).collect();
    let of_grown_row = b.one_of(&grown_row.each(), &ranks).name("best_of_grown_row");
    let fuller = of_grown_row.below_tree(b.bits(&[!grown_place, grown_count]));
    let fuller = (grew & fuller).name("grown_is_fuller");
    for (r, (count, place)) in best.iter().enumerate() {
        let found = (shrank & taken_row.bit(r)).name(format!("row_{r}_shrank"));
        let raised = (fuller & grown_row.bit(r) & !found).name(format!("row_{r}_grew"));
        let choice = [found, raised, !(found | raised)];
        count.drive(b.one_of(&choice, &[row_count, grown_count, *count]));
        place.drive(b.one_of(&choice, &[row_place, grown_place, *place]));
    }

    b.comment("The fullest set of all.");
    let groups = best.into_iter().map(|(count, place)| (count, Some(place))).collect();
    let (count, number) = fullest(b, "best_of_all", groups);
    let best_count = b.register("best_count", OCCUPANCY_BITS);
    let best_set = b.register("best_set", A);
    best_count.drive(count);
    best_set.drive(number.expect("at least two sets are compared"));
    b.output("best_count", best_count);
    b.output("best_set", best_set);
}

/// The elements of all sets. What one cycle brings or takes is added in the next one, on the way to the pins.
fn counted<'a>(b: &'a Builder, width: usize, grown_by: Net<'a>, shrink_by: Net<'a>) -> Net<'a> {
    let before = b.register("count_before", width);
    let [more, less] =
        [("count_more", grown_by.width()), ("count_less", OCCUPANCY_BITS)].map(|(name, width)| b.register(name, width));
    more.drive(grown_by);
    // At most 32 less: the upper bit is the sign.
    less.drive((!shrink_by).increment());
    let sign = less.bit(OCCUPANCY_BITS - 1).repeat(width - OCCUPANCY_BITS);
    let count = if more.width() == 1 {
        // The lowest place is the carry in.
        let sum = (b.bits(&[b.high(), before]) + b.bits(&[more, less, sign])).name("count_with_carry");
        let _ = sum.bit(0).name("unused_count");
        sum.slice(1, width)
    } else {
        before + (b.bits(&[less, sign]) + more.extend(width)).name("count_change")
    };
    before.drive(count);
    count
}

/// The number of elements by which a set grows: `grow`, and one bit for each further one.
fn grown_by<'a>(b: &'a Builder, grow: Net<'a>, more: &[Net<'a>]) -> Net<'a> {
    match more {
        [] => grow,
        _ => b.bits(&[&[grow], more].concat()).ones(),
    }
}
