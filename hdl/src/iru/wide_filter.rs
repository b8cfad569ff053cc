//! Filter of a wide bank (section 3.3): merges each element of a bundle into the one of its set that has the same index.
//!
//! ```text
//!  cycle   t        t + 1             t + 2             t + 3             ...      t + 6
//!        enters   compare with      smaller one?      write (minimum)            write (addition)
//!        equals   all slots         to the adder                                 the sum comes
//!        ahead?   flight 1          flight 2          flight 3      4    5    6    7
//! ```
//!
//! One bundle a cycle; all that is in flight moves in every cycle. An element whose equal is in flight to its set, or before it in
//! its bundle, is *apart*: it is compared with nothing and appended, and its slot keeps a bit that says this. A slot that is apart
//! is not compared either: its equal lies in a lower slot of the set, and takes empty a set from above. So at most one slot
//! answers to an element.

use super::element::Element;
use super::filter::{follow, MERGING};
use super::flight::{ADDITION, EARLY, MINIMUM};
use super::wide_port::APART_VALUE_BITS;
use super::{ELEMENT_BITS, INDEX_BITS, SECONDARY_BITS, SLOTS, SLOT_BITS, VALUE_BITS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// 2^A sets, bundles of W elements.
    pub struct WideFilter<const A: usize, const W: usize>, inputs Inputs, clocked {
        in adds: Signal<In, bool>,
        in enters: Signal<In, Bits<W>>,
        in element_word: [Signal<In, Bits<ELEMENT_BITS>>; W],
        in home_set, next_set: Signal<In, Bits<A>>,
        in passes: Signal<In, bool>,
        in occupied: Signal<In, Bits<SLOT_BITS>>,
        in take: Signal<In, bool>,
        in take_set, taken_set: Signal<In, Bits<A>>,
        in slot_value: [Signal<In, Bits<APART_VALUE_BITS>>; SLOTS],
        in sum: [Signal<In, Bits<SECONDARY_BITS>>; W],
        out may_append: [Signal<Out, Bits<ADDITION>>; W],
        out home_is_taken, taken_set_in_flight, in_flight: Signal<Out, bool>,
        out add_a, add_b: [Signal<Out, Bits<SECONDARY_BITS>>; W],
        out write, write_found, keeps_position, write_apart: Signal<Out, Bits<W>>,
        out write_slot: [Signal<Out, Bits<SLOT_BITS>>; W],
        out flight_set: [Signal<Out, Bits<A>>; EARLY],
        out write_set, next_write_set: Signal<Out, Bits<A>>,
        out write_word: [Signal<Out, Bits<ELEMENT_BITS>>; W],
        out merged: Signal<Out, Bits<W>>,
    } described by describe
}

/// An element in flight.
#[derive(Clone, Copy)]
struct Flight<'a> {
    valid: Net<'a>,
    index: Net<'a>,
    apart: Net<'a>,
    /// A slot has its index; not known in flight 1.
    found: Option<Net<'a>>,
}

impl<'a> Flight<'a> {
    /// This element, the l-th of its bundle, a cycle later; `stays`: it does not end here.
    fn next(self, b: &'a Builder, l: usize, step: usize, stays: Net<'a>, found: Net<'a>) -> Self {
        let valid = b.register(format!("valid_{l}_{step}"), 1);
        valid.drive(stays);
        let delay = |name: &str, net: Net<'a>| b.delay(format!("{name}_{l}_{step}"), net);
        Self {
            valid,
            index: delay("index", self.index),
            apart: delay("apart", self.apart),
            found: Some(delay("found", found)),
        }
    }

    fn found(self) -> Net<'a> {
        self.found.expect("known from flight 2 on")
    }

    /// It may be appended.
    fn claims(self) -> Net<'a> {
        self.found.map_or(self.valid, |found| self.valid & !found)
    }
}

/// The values to be written, but for a sum.
#[derive(Clone, Copy)]
struct Outcome<'a> {
    slot: Net<'a>,
    secondary: Net<'a>,
    position: Net<'a>,
}

impl<'a> Outcome<'a> {
    fn next(self, b: &'a Builder, l: usize, step: usize) -> Self {
        let delay = |name: &str, net: Net<'a>| b.delay(format!("{name}_{l}_{step}"), net);
        Self {
            slot: delay("slot", self.slot),
            secondary: delay("secondary", self.secondary),
            position: delay("position", self.position),
        }
    }
}

/// The flights of the l-th elements, and what the one that ends does.
struct Lane<'a> {
    flights: Vec<Flight<'a>>,
    writes: Net<'a>,
    merges: Net<'a>,
    /// A sum leaves the position as it is.
    keeps_position: Net<'a>,
    slot: Net<'a>,
    apart: Net<'a>,
}

/// A slot that was written in the cycle of the read, if it was: it shows nothing meaningful.
#[derive(Clone, Copy)]
struct Spoilt<'a> {
    valid: Net<'a>,
    slot: Net<'a>,
}

fn describe<'a, const A: usize, const W: usize>(b: &'a Builder, i: &Inputs<'a, A, W>) {
    b.comment("The sets of those in flight. The filter does not change while something is in flight.");
    let mut sets = vec![i.home_set];
    for step in 1..ADDITION {
        sets.push(b.delay(format!("set_{step}"), sets[step - 1]));
    }
    for (n, &set) in sets[1..=EARLY].iter().enumerate() {
        b.output(format!("flight_set${n}"), set);
    }
    let [shorter_set, longer_set] = [MINIMUM, ADDITION].map(|step| sets[step - 2]);
    let next_write_set = b.delay("next_ending_set", i.adds.mux(longer_set, shorter_set));
    let write_set = b.delay("ending_set", next_write_set);
    b.output("write_set", write_set);
    b.output("next_write_set", next_write_set);

    b.comment("Slots that an element may be merged into.");
    let spoilt: Vec<_> = (0..W)
        .map(|l| {
            let register = |name: &str, width| b.register(format!("{name}_{l}"), width);
            Spoilt { valid: register("spoilt", 1), slot: register("spoilt_slot", SLOT_BITS) }
        })
        .collect();
    let occupied = b.delay("occupied_1", i.occupied);
    let counts = |s: usize| {
        let number = b.constant(s as u64, SLOT_BITS);
        let is_spoilt = spoilt.iter().map(|spoilt| spoilt.valid & spoilt.slot.equals(number)).collect::<Vec<_>>();
        let counts = number.below(occupied) & !i.slot_value[s].bit(VALUE_BITS) & !b.or_all(&is_spoilt);
        counts.name(format!("counts_{s}"))
    };
    let counts: Vec<_> = (0..MERGING).map(counts).collect();
    // Where the last slot is taken, the set takes nothing.
    let _ = (!i.slot_value[MERGING]).name("unused_last_slot");

    let aparts: Vec<_> = (0..W).map(|l| b.storage(format!("apart_{l}_1"), 1)).collect();
    let lanes: Vec<_> = (0..W).map(|l| lane(b, i, l, aparts[l], &counts)).collect();

    b.comment("The end of a flight.");
    let each = |of: &dyn Fn(&Lane<'a>) -> Net<'a>| b.bits(&lanes.iter().map(of).collect::<Vec<_>>());
    b.output("write", each(&|lane| lane.writes));
    b.output("write_found", each(&|lane| lane.merges));
    b.output("keeps_position", each(&|lane| lane.keeps_position));
    b.output("write_apart", each(&|lane| lane.apart));
    b.output("merged", b.registered("merged", each(&|lane| lane.merges)));
    for (lane, spoilt) in lanes.iter().zip(spoilt) {
        spoilt.valid.drive(lane.merges & write_set.equals(i.home_set));
        spoilt.slot.drive(lane.slot);
    }

    b.comment("Who is in flight to the set of the bundle that will be in stage 2: compared a cycle ahead.");
    let some = |n: usize| b.or_all(&lanes.iter().map(|lane| lane.flights[n].valid).collect::<Vec<_>>());
    let some: Vec<_> = (0..ADDITION).map(|n| some(n).name(format!("some_{}", n + 1))).collect();
    let stays_minimum = (some[MINIMUM - 1] & i.adds).name("stays_minimum");
    let stays = |n: usize| if n + 1 == MINIMUM { stays_minimum } else { some[n] };
    let stay: Vec<_> = (0..ADDITION - 1).map(stays).collect();
    // The rest of a bundle that stays in stage 2 has the set of the element that enters.
    let new_set = (!i.passes | i.next_set.equals(i.home_set)).name("enters_set_of_next");
    let same_set = follow(b, "same_set", &stay, &sets, (i.passes, i.next_set), new_set);
    for (l, lane) in lanes.iter().enumerate() {
        // Elements that are known to be merged claim no slot.
        let claims =
            |n: usize| if n + 1 == MINIMUM { lane.flights[n].claims() & i.adds } else { lane.flights[n].claims() };
        let name = |n: usize, net: Net<'a>| if n == 0 { net } else { net.name(format!("claims_{l}_{}", n + 1)) };
        let claims: Vec<_> = (0..ADDITION - 1).map(|n| name(n, claims(n))).collect();
        let same_set = follow(b, &format!("same_set_{l}"), &claims, &sets, (i.passes, i.next_set), new_set);
        let is_found = lane.flights[1].found();
        let may_append = |n: usize| if n == 1 { same_set[1] & !is_found } else { same_set[n] };
        b.output(format!("may_append${l}"), b.bits(&(0..ADDITION).map(may_append).collect::<Vec<_>>()));
    }
    b.output("in_flight", b.or_all(&some));

    b.comment("Equals ahead of stage 2's elements, on their way to the same set.");
    let index = |l: usize| Element::of(i.enters.bit(l), i.element_word[l]).index;
    for (l, apart) in aparts.into_iter().enumerate() {
        let in_flight = lanes.iter().flat_map(|lane| lane.flights.iter().zip(&same_set));
        let in_flight = in_flight.map(|(flight, &same)| flight.valid & same & flight.index.equals(index(l)));
        let before = (0..l).map(|earlier| index(earlier).equals(index(l)));
        apart.drive(b.or_all(&in_flight.chain(before).collect::<Vec<_>>()));
    }

    b.comment("Who is on the set that is taken: compared when it is chosen.");
    let home_is_taken = b.storage("home_is_taken", 1);
    let stays_taken = i.take.mux(i.home_set.equals(i.take_set), home_is_taken).name("home_will_be_taken");
    let next_taken = i.take.mux(i.take_set, i.taken_set).name("next_taken_set");
    home_is_taken.drive(i.passes.mux(i.next_set.equals(next_taken), stays_taken));
    b.output("home_is_taken", home_is_taken);
    let on_taken = follow(b, "on_taken", &stay, &sets, (i.take, i.take_set), stays_taken);
    b.output("taken_set_in_flight", b.or_all(&on_taken));
}

/// The l-th elements, from stage 2 to their end; `apart` is of flight 1, `counts` of the slots.
fn lane<'a, const A: usize, const W: usize>(
    b: &'a Builder,
    i: &Inputs<'a, A, W>,
    l: usize,
    apart: Net<'a>,
    counts: &[Net<'a>],
) -> Lane<'a> {
    let adds = i.adds;
    b.comment(&format!("Element {l} of a bundle in flight 1: beside the slots of its set."));
    let valid = b.register(format!("valid_{l}_1"), 1);
    valid.drive(i.enters.bit(l));
    let newcomer = Element::of(valid, b.delay(format!("word_{l}_1"), i.element_word[l]));
    let flight_1 = Flight { valid, index: newcomer.index, apart, found: None };
    let hit = |(s, counts): (usize, &Net<'a>)| {
        let index = i.slot_value[s].slice(SECONDARY_BITS, INDEX_BITS);
        (*counts & index.equals(newcomer.index)).name(format!("hit_{l}_{s}"))
    };
    let hits: Vec<_> = counts.iter().enumerate().map(hit).collect();
    let secondaries: Vec<_> = i.slot_value[..MERGING].iter().map(|value| value.slice(0, SECONDARY_BITS)).collect();
    let number =
        |bit: usize| b.or_all(&(0..hits.len()).filter(|s| s >> bit & 1 == 1).map(|s| hits[s]).collect::<Vec<_>>());
    let found = b.or_all(&hits) & !apart;

    b.comment("Flight 2: beside the one that has its index.");
    let flight_2 = flight_1.next(b, l, 2, valid, found);
    let delay = |name: &str, net: Net<'a>| b.delay(format!("{name}_{l}_2"), net);
    let old_secondary = delay("old_secondary", b.one_of(&hits, &secondaries));
    let slot = delay("slot", b.bits(&[0, 1, 2, 3, 4].map(number)));
    let secondary = delay("secondary", newcomer.secondary);
    let position = delay("position", newcomer.position);
    let found = flight_2.found();
    let smaller = secondary.below(old_secondary).name(format!("newcomer_smaller_{l}"));
    let keeps = (found & !adds & !smaller).name(format!("slot_keeps_{l}"));
    b.output(format!("add_a${l}"), old_secondary);
    b.output(format!("add_b${l}"), secondary);

    b.comment("Flights from 3 on, and the write, unless the slot keeps what it has.");
    let kept = b.delay(format!("slot_keeps_{l}_3"), keeps);
    let minimum = Outcome { slot, secondary, position }.next(b, l, 3);
    let mut flights = vec![flight_1, flight_2, flight_2.next(b, l, 3, flight_2.valid, found)];
    let mut sum = minimum;
    for step in MINIMUM + 1..=ADDITION {
        let before = flights[step - 2];
        let stays = if step == MINIMUM + 1 { before.valid & adds } else { before.valid };
        flights.push(before.next(b, l, step, stays, before.found()));
        sum = sum.next(b, l, step);
    }
    let [shorter, longer] = [MINIMUM, ADDITION].map(|step| flights[step - 1]);
    let ends = adds.mux(longer.valid, shorter.valid).name(format!("flight_ends_{l}"));
    let merges = (ends & adds.mux(longer.found(), shorter.found())).name(format!("merges_{l}"));
    let slot = adds.mux(sum.slot, minimum.slot).name(format!("ending_slot_{l}"));
    let total = longer.found().mux(i.sum[l], sum.secondary);
    let result = Element {
        valid: ends,
        index: adds.mux(longer.index, shorter.index),
        secondary: adds.mux(total, minimum.secondary),
        position: adds.mux(sum.position, minimum.position),
    };
    b.output(format!("write_slot${l}"), slot);
    b.output(format!("write_word${l}"), result.word(b));
    Lane {
        flights,
        merges,
        slot,
        writes: ends & !kept,
        keeps_position: merges & adds,
        apart: adds.mux(longer.apart, shorter.apart),
    }
}
