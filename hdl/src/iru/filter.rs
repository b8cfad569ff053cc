//! Filter (section 3.3): merges an element into the one of its set that has the same index.
//!
//! ```text
//!  cycle   t        t + 1             t + 2             t + 3             ...      t + 6
//!        enters   compare with      smaller one?      write (minimum)            write (addition)
//!        read set all slots         to the adder                                 the sum comes
//!                 flight 1          flight 2          flight 3      4    5    6    7
//! ```
//!
//! One element a cycle; all that is in flight moves in every cycle. No two elements of one index are in flight at once, so
//! that each sees what the one before it left; elements of one set may be, as long as all of them would find a free slot.

use super::element::Element;
use super::flight::{ADDITION, EARLY, MINIMUM};
use super::{ELEMENT_BITS, INDEX_BITS, SECONDARY_BITS, SLOTS, SLOT_BITS, VALUE_BITS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

/// Slots that an element may be merged into: where the last one is taken, the set takes nothing.
pub const MERGING: usize = SLOTS - 1;

network! {
    /// 2^A sets.
    pub struct Filter<const A: usize>, inputs Inputs, clocked {
        in adds, enters: Signal<In, bool>,
        in element_word: Signal<In, Bits<ELEMENT_BITS>>,
        in home_set, next_set: Signal<In, Bits<A>>,
        in next_index: Signal<In, Bits<INDEX_BITS>>,
        in passes: Signal<In, bool>,
        in occupied: Signal<In, Bits<SLOT_BITS>>,
        in take: Signal<In, bool>,
        in take_set, taken_set: Signal<In, Bits<A>>,
        in slot_value: [Signal<In, Bits<VALUE_BITS>>; MERGING],
        in sum: Signal<In, Bits<SECONDARY_BITS>>,
        out index_in_flight: Signal<Out, bool>,
        out may_append: Signal<Out, Bits<ADDITION>>,
        out home_is_taken, taken_set_in_flight, in_flight: Signal<Out, bool>,
        out add_a, add_b: Signal<Out, Bits<SECONDARY_BITS>>,
        out write, write_found, keeps_position: Signal<Out, bool>,
        out write_slot: Signal<Out, Bits<SLOT_BITS>>,
        out flight_set: [Signal<Out, Bits<A>>; EARLY],
        out write_set, next_write_set: Signal<Out, Bits<A>>,
        out write_word: Signal<Out, Bits<ELEMENT_BITS>>,
        out merged: Signal<Out, bool>,
    } described by describe
}

/// An element in flight.
#[derive(Clone, Copy)]
struct Flight<'a> {
    valid: Net<'a>,
    index: Net<'a>,
    /// A slot has its index; not known in flight 1.
    found: Option<Net<'a>>,
}

impl<'a> Flight<'a> {
    /// This element a cycle later; `stays`: it does not end here.
    fn next(self, b: &'a Builder, step: usize, stays: Net<'a>, found: Net<'a>) -> Self {
        let valid = b.register(format!("valid_{step}"), 1);
        valid.drive(stays);
        Self {
            valid,
            index: b.delay(format!("index_{step}"), self.index),
            found: Some(b.delay(format!("found_{step}"), found)),
        }
    }

    fn found(self) -> Net<'a> {
        self.found.expect("known from flight 2 on")
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
    fn next(self, b: &'a Builder, step: usize) -> Self {
        Self {
            slot: b.delay(format!("slot_{step}"), self.slot),
            secondary: b.delay(format!("secondary_{step}"), self.secondary),
            position: b.delay(format!("position_{step}"), self.position),
        }
    }
}

/// The slots' answer to the newcomer in flight 1.
struct Hit<'a> {
    found: Net<'a>,
    slot: Net<'a>,
    secondary: Net<'a>,
}

fn describe<'a, const A: usize>(b: &'a Builder, i: &Inputs<'a, A>) {
    let adds = i.adds;

    b.comment("Flight 1: the element beside the slots of its set.");
    let valid_1 = b.register("valid_1", 1);
    valid_1.drive(i.enters);
    let newcomer = Element::of(valid_1, b.delay("word_1", i.element_word));
    let mut sets = vec![i.home_set];
    for step in 1..ADDITION {
        sets.push(b.delay(format!("set_{step}"), sets[step - 1]));
    }
    for (n, &set) in sets[1..=EARLY].iter().enumerate() {
        b.output(format!("flight_set${n}"), set);
    }
    let flight_1 = Flight { valid: valid_1, index: newcomer.index, found: None };
    let occupied = b.delay("occupied_1", i.occupied);
    let [spoilt, spoilt_slot] =
        [("spoilt_1", 1), ("spoilt_slot_1", SLOT_BITS)].map(|(name, width)| b.register(name, width));
    // A slot that was written in the cycle of the read shows nothing meaningful.
    let counts = |s: usize| {
        let s = b.constant(s as u64, SLOT_BITS);
        s.below(occupied) & !(spoilt & spoilt_slot.equals(s))
    };
    let hit = compare(b, newcomer.index, &i.slot_value, counts);

    b.comment("Flight 2: the element beside the one that has its index.");
    let flight_2 = flight_1.next(b, 2, valid_1, hit.found);
    let found = flight_2.found();
    let old_secondary = b.delay("old_secondary_2", hit.secondary);
    let slot = b.delay("slot_2", hit.slot);
    let secondary = b.delay("secondary_2", newcomer.secondary);
    let position = b.delay("position_2", newcomer.position);
    let smaller = secondary.below(old_secondary).name("newcomer_smaller");
    let keeps = (found & !adds & !smaller).name("slot_keeps");
    b.output("add_a", old_secondary);
    b.output("add_b", secondary);

    b.comment("Flights from 3 on: what will be written, waiting for the sum.");
    let kept = b.delay("slot_keeps_3", keeps);
    let minimum = Outcome { slot, secondary, position }.next(b, 3);
    let mut flights = vec![flight_1, flight_2, flight_2.next(b, 3, flight_2.valid, found)];
    let mut sum = minimum;
    for step in MINIMUM + 1..=ADDITION {
        let before = flights[step - 2];
        let stays = if step == MINIMUM + 1 { before.valid & adds } else { before.valid };
        flights.push(before.next(b, step, stays, before.found()));
        sum = sum.next(b, step);
    }

    b.comment("The end of a flight: a write, unless the slot keeps what it has.");
    let [shorter, longer] = [MINIMUM, ADDITION].map(|step| flights[step - 1]);
    let ends = adds.mux(longer.valid, shorter.valid).name("flight_ends");
    let merges = (ends & adds.mux(longer.found(), shorter.found())).name("merges");
    let total = longer.found().mux(i.sum, sum.secondary);
    // The filter does not change while something is in flight: a register a cycle ahead has the set.
    let [shorter_set, longer_set] = [MINIMUM, ADDITION].map(|step| sets[step - 2]);
    let next_write_set = b.delay("next_ending_set", adds.mux(longer_set, shorter_set));
    let write_set = b.delay("ending_set", next_write_set);
    let write_slot = adds.mux(sum.slot, minimum.slot).name("ending_slot");
    let result = Element {
        valid: ends,
        index: adds.mux(longer.index, shorter.index),
        secondary: adds.mux(total, minimum.secondary),
        position: adds.mux(sum.position, minimum.position),
    };
    b.output("write", ends & !kept);
    b.output("write_found", merges);
    // A sum leaves the position as it is.
    b.output("keeps_position", merges & adds);
    b.output("write_slot", write_slot);
    b.output("write_set", write_set);
    b.output("next_write_set", next_write_set);
    b.output("write_word", result.word(b));
    let merged = b.register("merged", 1);
    merged.drive(merges);
    b.output("merged", merged);
    spoilt.drive(merges & write_set.equals(i.home_set));
    spoilt_slot.drive(write_slot);

    b.comment("Who is in flight: compared a cycle ahead with the element that will be in stage 2.");
    let index = Element::of(i.enters, i.element_word).index;
    let indices: Vec<_> = [index].into_iter().chain(flights.iter().map(|f| f.index)).collect();
    let stays_minimum = (flights[MINIMUM - 1].valid & adds).name("stays_minimum");
    let stays = |n: usize| if n + 1 == MINIMUM { stays_minimum } else { flights[n].valid };
    let stay: Vec<_> = (0..ADDITION - 1).map(stays).collect();
    // Elements that are known to be merged claim no slot.
    let claims = |(n, &stays): (usize, &Net<'a>)| flights[n].found.map_or(stays, |found| stays & !found);
    let claim: Vec<_> = stay.iter().enumerate().map(claims).collect();
    // Elements that leave stage 2 without a successor are compared with nothing.
    let new_index = i.next_index.equals(index);
    let new_set = i.next_set.equals(i.home_set);
    let same_index = follow(b, "same_index", &stay, &indices, (i.passes, i.next_index), new_index);
    let same_set = follow(b, "same_set", &claim, &sets, (i.passes, i.next_set), new_set);
    let may_append = |n: usize| if n == 1 { same_set[1] & !found } else { same_set[n] };
    let some = |nets: &dyn Fn(usize) -> Net<'a>| b.or_all(&(0..ADDITION).map(nets).collect::<Vec<_>>());
    b.output("index_in_flight", some(&|n| same_index[n]));
    b.output("may_append", b.bits(&[0, 1, 2, 3, 4, 5].map(may_append)));
    b.output("in_flight", some(&|n| flights[n].valid));

    b.comment("Who is on the set that is taken: compared when it is chosen.");
    let home_is_taken = b.storage("home_is_taken", 1);
    let stays_taken = i.take.mux(i.home_set.equals(i.take_set), home_is_taken).name("home_will_be_taken");
    let next_taken = i.take.mux(i.take_set, i.taken_set).name("next_taken_set");
    home_is_taken.drive(i.passes.mux(i.next_set.equals(next_taken), stays_taken));
    b.output("home_is_taken", home_is_taken);
    let on_taken = follow(b, "on_taken", &stay, &sets, (i.take, i.take_set), stays_taken);
    b.output("taken_set_in_flight", some(&|n| on_taken[n]));
}

/// One bit per flight: it has an element with the value that all are compared with. That value is `next` when it
/// `changes`, else the one before. `values` are those of the element that may enter, and of the flights; those count
/// that `stay`; `entering` is the answer for the one that may enter.
pub(super) fn follow<'a>(
    b: &'a Builder,
    name: &str,
    stay: &[Net<'a>],
    values: &[Net<'a>],
    (changes, next): (Net<'a>, Net<'a>),
    entering: Net<'a>,
) -> Vec<Net<'a>> {
    let first = stay[0] & b.delay(format!("{name}_1"), entering);
    let mut same = vec![first.name(format!("{name}_in_flight_1"))];
    for n in 1..ADDITION {
        let register = b.register(format!("{name}_{}", n + 1), 1);
        register.drive(stay[n - 1] & changes.mux(values[n].equals(next), same[n - 1]));
        same.push(register);
    }
    same
}

/// The one slot of those that count which has the newcomer's index, if there is one, and its secondary value.
fn compare<'a>(
    b: &'a Builder,
    newcomer: Net<'a>,
    slot_values: &[Net<'a>],
    counts: impl Fn(usize) -> Net<'a>,
) -> Hit<'a> {
    let hit = |(s, old): (usize, &Net<'a>)| {
        let hit = counts(s) & old.slice(SECONDARY_BITS, INDEX_BITS).equals(newcomer);
        hit.name(format!("hit_{s}"))
    };
    let hits: Vec<_> = slot_values.iter().enumerate().map(hit).collect();
    let secondaries: Vec<_> = slot_values.iter().map(|value| value.slice(0, SECONDARY_BITS)).collect();
    let number =
        |bit: usize| b.or_all(&(0..hits.len()).filter(|s| s >> bit & 1 == 1).map(|s| hits[s]).collect::<Vec<_>>());
    Hit { found: b.or_all(&hits), slot: b.bits(&[0, 1, 2, 3, 4].map(number)), secondary: b.one_of(&hits, &secondaries) }
}
