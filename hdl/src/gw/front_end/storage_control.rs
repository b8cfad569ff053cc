//! The instruction storage without its memories, links and counts (section 6.2, Fig 7b): look-ups, asks, replacement.
//!
//! ```text
//!  look_*_s --[ search ]--[r]-- answer_s, answer_entry_s
//!
//!  ask_line ----[ search ]--[r]-- present ---------------------------------+
//!  used_ways_s -------------------------------[ oldest other ]--[r]-- victim --+--[ still free ]-- replaces --[r]-- fetch_*
//!  fetch_room, no fill ----------------------------------------------------+
//! ```
//!
//! A look-up is answered in the next cycle. An ask takes four cycles: in the first one its line is searched for, in the
//! second one the victim is chosen, in the third one links to it are cleared, in the fourth one or a later one the ask is over.
//! From the third one on the victim is claimed (`claim_*`): look-ups do not find it.

use super::record::{RECORD_BITS, WORD_BITS};
use super::tags::Tags;
use crate::circuit::net::{Builder, Net};
use crate::gw::select::select;
use crate::gw::storage_order::{after, oldest, order_bits};
use crate::gw::LINE_BITS;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// S schedulers, N entries in K ways, E bits number them.
    pub struct StorageControl<const S: usize, const N: usize, const E: usize, const K: usize>, inputs Inputs, clocked {
        in look_valid: [Signal<In, bool>; S],
        in look_line: [Signal<In, Bits<LINE_BITS>>; S],
        in link_take: [Signal<In, bool>; S],
        in link_take_entry: [Signal<In, Bits<E>>; S],
        in used_ways: [Signal<In, Bits<K>>; S],
        in ask_valid: Signal<In, bool>,
        in ask_line: Signal<In, Bits<LINE_BITS>>,
        in fetch_room, fill_valid: Signal<In, bool>,
        in fill_entry: Signal<In, Bits<E>>,
        in fill_record: [Signal<In, Bits<RECORD_BITS>>; 2],
        out answer: [Signal<Out, Bits<2>>; S],
        out answer_entry: [Signal<Out, Bits<E>>; S],
        out claim_valid: Signal<Out, bool>,
        out claim_entry: Signal<Out, Bits<E>>,
        out ask_room, fetch_valid, full: Signal<Out, bool>,
        out fetch_entry: Signal<Out, Bits<E>>,
        out fetch_line: Signal<Out, Bits<LINE_BITS>>,
        out fill_word: Signal<Out, Bits<WORD_BITS>>,
    }
    /// `sets`: a power of two, a divisor of the number of entries.
    described by describe(sets: usize)
}

/// The ask since its victim was chosen.
struct Choice<'a> {
    /// A bit for each way: the victim, if there is one.
    victim: Net<'a>,
    /// There is a victim, and the line is not here.
    claims: Net<'a>,
    /// The victim was taken since it was chosen.
    is_taken: Net<'a>,
    present: Net<'a>,
    over: Net<'a>,
}

fn describe<'a, const S: usize, const N: usize, const E: usize, const K: usize>(
    b: &'a Builder,
    i: &Inputs<'a, S, N, E, K>,
    sets: usize,
) {
    assert_eq!(N, K * sets);
    let tags = Tags::new(b, N, sets, E);
    let answers: Vec<_> = (0..S).map(|s| b.register(format!("answer${s}"), 2)).collect();
    let entries: Vec<_> = (0..S).map(|s| b.storage(format!("answer_entry${s}"), E)).collect();
    let orders: Vec<_> = (0..sets).map(|s| b.register(format!("order_{s}"), order_bits(tags.ways))).collect();
    let used = (tags.valid | tags.pending).name("used");
    let order = b.select("ask_order", tags.set(i.ask_line), &orders);
    let ask_set = tags.in_set("ask", tags.set(i.ask_line));

    let named = named(b, i, &tags, &answers, &entries);
    let choice = ask(b, i, &tags, used, ask_set, order, named);
    let free = (choice.victim.any() & !choice.is_taken).name("victim_is_free");
    let unknown = (choice.over & !choice.present).name("unknown");
    let replaces = (unknown & free).name("replaces");

    b.comment("States of the entries.");
    let victim = (ask_set & of_ways(b, choice.victim, sets)).name("victim_entries");
    let replaced = (replaces.repeat(N) & victim).name("replaced");
    let filled = (i.fill_valid.repeat(N) & select("fill_select", i.fill_entry, N)).name("filled");
    let valid = (tags.valid | filled).name("valid_after_fill");
    tags.valid.drive(valid & !replaced);
    tags.pending.drive((tags.pending & !filled) | replaced);
    for (e, register) in tags.tag.iter().enumerate() {
        register.load(tags.tag_of(i.ask_line), replaced.bit(e));
    }
    let next_order = after(b, order, &choice.victim.each()).name("next_order");
    for (s, order) in orders.iter().enumerate() {
        order.drive((replaces & ask_set.bit(s)).mux(next_order, *order));
    }

    b.comment("Answers to look-ups.");
    let claimed = (choice.claims.repeat(N) & victim).name("claimed");
    let found_among = (used & !claimed).name("found_among");
    for s in 0..S {
        let found = tags.search(&format!("look_{s}"), i.look_line[s], found_among);
        let known = (i.look_valid[s] & found.any()).name(format!("look_{s}_known"));
        let hit = (found & valid).any();
        b.comment("0 none, 1 hit, 2 miss, 3 pending.");
        answers[s].drive(b.bits(&[known, i.look_valid[s] & !hit]));
        let ways = tags.ways_of(found).name(format!("look_{s}_ways"));
        entries[s].drive(tags.entry(ways, i.look_line[s]));
        b.output(format!("answer${s}"), answers[s]);
        b.output(format!("answer_entry${s}"), entries[s]);
    }

    let fetch_valid = b.registered("fetch_valid", replaces);
    b.output("fetch_valid", fetch_valid);
    b.output("fetch_entry", b.data_register("fetch_entry", tags.entry(choice.victim, i.ask_line), replaces));
    b.output("fetch_line", b.data_register("fetch_line", i.ask_line, replaces));
    b.output("fill_word", b.bits(&i.fill_record));
    b.output("full", b.registered("full", unknown & !free));
}

/// A bit for each entry: `ways` has its way.
fn of_ways<'a>(b: &'a Builder, ways: Net<'a>, sets: usize) -> Net<'a> {
    b.bits(&ways.each().iter().map(|way| way.repeat(sets)).collect::<Vec<_>>())
}

/// A bit for each way of the ask's set that was taken in the previous cycle: no place says so yet, or none said so.
fn named<'a, const S: usize, const N: usize, const E: usize, const K: usize>(
    b: &'a Builder,
    i: &Inputs<'a, S, N, E, K>,
    tags: &Tags<'a>,
    answers: &[Net<'a>],
    entries: &[Net<'a>],
) -> Net<'a> {
    b.comment("Ways that were taken in the previous cycle.");
    let set = tags.set(i.ask_line);
    let one = |s: usize| {
        let by_look = answers[s].bit(0).repeat(tags.ways) & tags.way_in_set(&format!("answer_{s}"), entries[s], set);
        let taken = i.link_take[s].repeat(tags.ways);
        by_look | (taken & tags.way_in_set(&format!("link_take_{s}"), i.link_take_entry[s], set))
    };
    b.or_all(&(0..S).map(one).collect::<Vec<_>>()).name("taken_before")
}

fn ask<'a, const S: usize, const N: usize, const E: usize, const K: usize>(
    b: &'a Builder,
    i: &Inputs<'a, S, N, E, K>,
    tags: &Tags<'a>,
    used: Net<'a>,
    ask_set: Net<'a>,
    order: Net<'a>,
    named: Net<'a>,
) -> Choice<'a> {
    let [surveyed, chosen, unlinked] = ["surveyed", "chosen", "unlinked"].map(|name| b.register(name, 1));
    let ask_room = (unlinked & i.fetch_room).name("ask_room");
    let over = (ask_room & !i.fill_valid).name("over");
    b.output("ask_room", ask_room);

    b.comment("The first cycle of an ask: is its line here, and which ways are in use.");
    let surveys = (i.ask_valid & !surveyed).name("surveys");
    surveyed.drive((i.ask_valid & !over).name("goes_on"));
    let present = b.data_register("present", tags.search("asked", i.ask_line, used).any(), surveys);
    let pending = tags.ways_of((tags.pending & ask_set).name("ask_pending"));
    let busy = b.delay("busy_ways", pending | named);

    b.comment("The second one: which way would get it.");
    let chooses = (surveyed & !chosen).name("chooses");
    chosen.drive(surveyed & !over);
    let candidates = (!(b.or_all(&i.used_ways) | busy | named)).name("candidates");
    let oldest = b.bits(&oldest(order, &candidates.each())).name("oldest");
    let victim = b.data_register("victim", oldest, chooses);
    let claims = b.register("claims", 1);
    claims.drive((chooses & !present & oldest.any()) | (claims & !over));

    b.comment("The third one: links to the victim are cleared. The fourth one, or a later one, is the last.");
    unlinked.drive(chosen & !over);
    let taken = (victim & named).any();
    let was_taken = b.register("was_taken", 1);
    let is_taken = ((chosen & taken) | was_taken).name("is_taken");
    was_taken.drive(is_taken & !over);
    b.output("claim_valid", claims);
    b.output("claim_entry", b.data_register("claim_entry", tags.entry(oldest, i.ask_line), chooses));
    Choice { victim, claims, is_taken, present, over }
}
