//! Where the places of a scheduler are, and the entry of the storage at which the frontier of each is.
//!
//! ```text
//!   start, wake           hit                   read to its end, no link
//!        |      +------------------------> held ------------------------> (compare)
//!        v      |                         ^ |                               |
//!       look ---+---- pending ---> fill --+ +--- compared, not plain        | plain
//!       ^  ^                      (filled)  |                               |
//!       |  +--------------------------------|-------------------------------+
//!       +---- goes on, says the answer -----+
//! ```
//!
//! A state is a vector with a bit for each place. The places that wait for the compare (*turn*) are those of the check that is
//! there; *stop*, *halted* and *free* are no state that anything asks for.

use super::places::equal_to;
use crate::circuit::net::{Builder, Net};
use crate::gw::select::select;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, H = N / 2 pairs, P bits number a place, E bits an entry.
    pub struct PlaceStates<const N: usize, const H: usize, const P: usize, const E: usize>, inputs Inputs, clocked {
        in start, wake: Signal<In, Bits<N>>,
        in resolved: Signal<In, Bits<N>>,
        in even_next, odd_next: Signal<In, Bits<2>>,
        in even_full, odd_full: Signal<In, bool>,
        in answered: Signal<In, Bits<N>>,
        in answer: Signal<In, Bits<2>>,
        in answer_entry: Signal<In, Bits<E>>,
        in fill_valid: Signal<In, bool>,
        in fill_entry: Signal<In, Bits<E>>,
        in fetch_valid: Signal<In, bool>,
        in fetch_entry: Signal<In, Bits<E>>,
        in asked: Signal<In, bool>,
        in asked_place: Signal<In, Bits<P>>,
        in reads: Signal<In, Bits<N>>,
        in read_end, link_valid: Signal<In, bool>,
        in read_entry: Signal<In, Bits<E>>,
        in link: Signal<In, Bits<E>>,
        in landing, lands_on, leaves: Signal<In, Bits<N>>,
        in land_turns, land_flows: Signal<In, bool>,
        out look, missed, missed_next, follow, fill, held, full, fresh: Signal<Out, Bits<N>>,
        out entry: [Signal<Out, Bits<E>>; N],
    } described by describe
}

/// The storage's answers to the places that were looked up.
struct Told<'a> {
    /// Hit or pending: they have the entry.
    known: Net<'a>,
    missed: Net<'a>,
    held: Net<'a>,
    fill: Net<'a>,
}

fn describe<'a, const N: usize, const H: usize, const P: usize, const E: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, P, E>,
) {
    let [look, missed, follow, fill, held] =
        ["look", "missed", "follow", "fill", "held"].map(|name| b.register(name, N));
    let [full, fresh] = ["full", "fresh"].map(|name| b.register(name, N));
    let entries: Vec<_> = (0..N).map(|place| b.storage(format!("entry${place}"), E)).collect();
    let told = told(b, i);

    b.comment("Places whose line was read to its end.");
    let ended = (i.reads & i.read_end.repeat(N)).name("ended");
    let behind = i.link_valid.mux(i.link, i.read_entry).name("entry_behind");
    let looks = (i.lands_on & i.land_turns.repeat(N)).name("turns_to_look");

    b.comment("Places of which the core says what follows.");
    let of_halves = |name: &str, even: Net<'a>, odd: Net<'a>| b.bits(&[even, odd]).name(name).repeat(H);
    let goes_on = i.resolved & of_halves("goes_on", i.even_next.is(0), i.odd_next.is(0));
    let full_after = i.resolved & of_halves("full_after", i.even_full, i.odd_full);

    b.comment("States.");
    look.drive((look & !told.known) | i.start | i.wake | goes_on | looks);
    let asked = i.asked.repeat(N) & select("asked_select", i.asked_place, N);
    let missed_next = ((missed | told.missed) & !told.known & !asked).name("missed_next");
    missed.drive(missed_next);
    let replaced = i.fetch_valid.repeat(N) & equal_to(b, &entries, i.fetch_entry);
    let follows = looks & i.land_flows.repeat(N);
    follow.drive(((follow & !looks) | follows) & !told.known & !replaced);
    let filled = fill & i.fill_valid.repeat(N) & equal_to(b, &entries, i.fill_entry);
    let filled = filled.name("filled");
    fill.drive((fill & !filled) | told.fill);
    held.drive((held & !i.leaves) | filled | told.held);
    full.drive(i.start | full_after | (full & !i.resolved));
    fresh.drive(i.start | (fresh & !i.landing));
    for (place, entry) in entries.iter().enumerate() {
        let [known, ended] = [told.known.bit(place), ended.bit(place)];
        entry.load(known.mux(i.answer_entry, behind), known | ended);
        b.output(format!("entry${place}"), *entry);
    }
    for (name, state) in [("look", look), ("missed", missed), ("follow", follow), ("fill", fill), ("held", held)] {
        b.output(name, state);
    }
    b.output("missed_next", missed_next);
    b.output("full", full);
    b.output("fresh", fresh);
}

fn told<'a, const N: usize, const H: usize, const P: usize, const E: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, P, E>,
) -> Told<'a> {
    b.comment("What was looked up: a hit, a miss, or an entry that is filled perhaps in this cycle.");
    let code = [1, 2, 3].map(|code| i.answer.is(code));
    let fills = i.fill_valid & i.fill_entry.equals(i.answer_entry);
    let pending = code[2].name("pends");
    let held = (code[0] | (pending & fills)).name("answer_is_held");
    let fill = (pending & !held).name("answer_is_fill");
    let of = |name: &str, which: Net<'a>| (i.answered & which.repeat(N)).name(name);
    Told {
        known: of("known", i.answer.bit(0)),
        missed: i.answered & code[1].repeat(N),
        held: i.answered & held.repeat(N),
        fill: i.answered & fill.repeat(N),
    }
}
