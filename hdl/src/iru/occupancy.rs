//! How full the sets of a bank are, and which of them the data replier may want.
//!
//! ```text
//!  grow, shrink --> occupancy 0 ... S/2 - 1 --+--> of the element's set, of the set being taken, of the set of a write:
//!                                             |    each found a cycle ahead, and kept in a register
//!                                             +--> complete: 32 elements, round robin    --[r]--> complete_*
//!                                             +--> fullest of 8 --[r]--> fullest of all --[r]--> best_*
//! ```
//!
//! At most one set grows and one shrinks in a cycle, never the same one. An element that is appended goes into the slot whose
//! number is the occupancy of its set in the cycle of the write.

use super::pick::{first, fullest, lines};
use super::SLOT_BITS;
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Bits of an occupancy: up to 32.
pub const OCCUPANCY_BITS: usize = 6;

/// Sets of which the fullest is found in the first of two cycles. They are few, since many gates hang on an occupancy.
const COMPARED: usize = 8;

network! {
    /// 2^A sets, M bits count their elements.
    pub struct Occupancy<const A: usize, const M: usize>, inputs Inputs, clocked {
        in home_set, next_set: Signal<In, Bits<A>>,
        in passes: Signal<In, bool>,
        in filters, grow: Signal<In, bool>,
        in write_set: Signal<In, Bits<A>>,
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

fn describe<'a, const A: usize, const M: usize>(b: &'a Builder, i: &Inputs<'a, A, M>) {
    assert_eq!(M, A + OCCUPANCY_BITS);
    let sets = 1 << A;
    let of: Vec<Net<'a>> = (0..sets).map(|s| b.register(format!("occupancy_{s}"), OCCUPANCY_BITS)).collect();

    b.comment("An element more in one set, n less in another.");
    let taken = lines(b, "set_taken", i.taking, i.taken_set);
    let grows = lines(b, "set_grows", i.grow, i.write_set);
    let shrinks = lines(b, "set_shrinks", i.shrink, i.taken_set);
    let of_home = b.storage("occupancy_of_set", OCCUPANCY_BITS);
    let of_ending = b.storage("occupancy_of_ending_flight", OCCUPANCY_BITS);
    let written = i.filters.mux(of_ending, of_home).name("occupancy_of_written_set");
    let grown = written.increment().name("grown");
    // The occupancy that a set has in the next cycle, if it does not shrink.
    let unless_shrunk = |set: Net<'a>, held: Net<'a>| (i.grow & i.write_set.equals(set)).mux(grown, held);
    let next_of = |name: &str, set: Net<'a>| unless_shrunk(set, b.select(format!("occupancy_of_{name}"), set, &of));
    let shrunk = |set: Net<'a>, else_it_is: Net<'a>| (i.shrink & i.taken_set.equals(set)).mux(i.shrink_to, else_it_is);
    let of_next = shrunk(i.next_set, next_of("next_set", i.next_set));
    of_home.drive(i.passes.mux(of_next, shrunk(i.home_set, unless_shrunk(i.home_set, of_home))));
    // A set with elements in flight does not shrink.
    of_ending.drive(next_of("next_filter_set", i.next_filter_set));
    for (s, occupancy) in of.iter().enumerate() {
        occupancy.drive(grows.bit(s).mux(grown, shrinks.bit(s).mux(i.shrink_to, *occupancy)));
    }
    b.output("count", counted(b, M, i.grow, i.shrink_by));
    b.output("occupancy", of_home);
    b.output("next_slot", written.slice(0, SLOT_BITS));
    // A take asks for it from the cycle after `take` up to that in which the set shrinks.
    let take_set = i.take.mux(i.take_set, i.taken_set).name("set_to_take");
    b.output("taken_occupancy", b.delay("taken_occupancy", next_of("set_to_take", take_set)));

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
    complete_valid.drive(any);
    b.output("complete_valid", complete_valid);
    b.output("complete_set", b.data_register("complete_set", any_later.mux(lowest_later, lowest), any));

    b.comment("The fullest set.");
    let group = |(g, sets): (usize, &[Net<'a>])| {
        let (count, number) = fullest(b, &format!("best_of_{g}"), sets.iter().map(|&s| (s, None)).collect());
        let number = number.expect("at least two sets are compared");
        let held_count = b.register(format!("best_count_{g}"), OCCUPANCY_BITS);
        let held_number = b.register(format!("best_set_{g}"), number.width());
        held_count.drive(count);
        held_number.drive(number);
        (held_count, Some(held_number))
    };
    let groups = of.chunks(COMPARED.min(sets)).enumerate().map(group).collect();
    let (count, number) = fullest(b, "best_of_all", groups);
    let best_count = b.register("best_count", OCCUPANCY_BITS);
    let best_set = b.register("best_set", A);
    best_count.drive(count);
    best_set.drive(number.expect("at least two sets are compared"));
    b.output("best_count", best_count);
    b.output("best_set", best_set);
}

/// The elements of all sets. What one cycle brings or takes is added in the next one, on the way to the pins.
fn counted<'a>(b: &'a Builder, width: usize, grow: Net<'a>, shrink_by: Net<'a>) -> Net<'a> {
    let before = b.register("count_before", width);
    let [more, less] = [("count_more", 1), ("count_less", OCCUPANCY_BITS)].map(|(name, width)| b.register(name, width));
    more.drive(grow);
    // At most 32 less: the upper bit is the sign.
    less.drive((!shrink_by).increment());
    let sign = less.bit(OCCUPANCY_BITS - 1).repeat(width - OCCUPANCY_BITS);
    // The lowest place is the carry in.
    let sum = (b.bits(&[b.high(), before]) + b.bits(&[more, less, sign])).name("count_with_carry");
    let _ = sum.bit(0).name("unused_count");
    let count = sum.slice(1, width);
    before.drive(count);
    count
}
