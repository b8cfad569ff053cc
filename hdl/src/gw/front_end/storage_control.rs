//! The instruction storage without its memories, links and counts (section 6.2, Fig 7b): look-ups, asks, replacement.
//!
//! ```text
//!  look_*_s --[ search set ]--[r]-- answer_s, answer_entry_s, look_take_s
//!
//!  ask_line --[ search set ]--[r]-- present --+
//!  idle ------[ oldest way ]--[r]-- victim ---+--[ still free ]-- replaces --[r]-- fetch_*
//!  fetch_room, no fill -----------------------+
//! ```
//!
//! A look-up is answered in the next cycle. An ask takes two cycles: in the first one its line is searched for and the victim
//! is chosen, in the second one or a later one it is over.

use super::record::{RECORD_BITS, WORD_BITS};
use super::tags::Tags;
use super::TAKE_BITS;
use crate::circuit::net::{Builder, Net};
use crate::gw::select::select;
use crate::gw::storage_order::{after, oldest, order_bits};
use crate::gw::LINE_BITS;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// S schedulers, N entries, E bits number them.
    pub struct StorageControl<const S: usize, const N: usize, const E: usize>, inputs Inputs, clocked {
        in look_valid, look_both: [Signal<In, bool>; S],
        in look_line: [Signal<In, Bits<LINE_BITS>>; S],
        in link_valid: [Signal<In, bool>; S],
        in link: [Signal<In, Bits<E>>; S],
        in link_take: [Signal<In, Bits<TAKE_BITS>>; S],
        in link_take_entry: [Signal<In, Bits<E>>; S],
        in idle: [Signal<In, Bits<N>>; S],
        in ask_valid: Signal<In, bool>,
        in ask_line: Signal<In, Bits<LINE_BITS>>,
        in fetch_room, fill_valid: Signal<In, bool>,
        in fill_entry: Signal<In, Bits<E>>,
        in fill_record: [Signal<In, Bits<RECORD_BITS>>; 2],
        out answer: [Signal<Out, Bits<2>>; S],
        out answer_entry: [Signal<Out, Bits<E>>; S],
        out look_take: [Signal<Out, Bits<TAKE_BITS>>; S],
        out ask_room, fetch_valid, full: Signal<Out, bool>,
        out fetch_entry: Signal<Out, Bits<E>>,
        out fetch_line: Signal<Out, Bits<LINE_BITS>>,
        out fill_word: Signal<Out, Bits<WORD_BITS>>,
    }
    /// `sets`: a power of two, a divisor of the number of entries.
    described by describe(sets: usize)
}

/// What the ask found out in its first cycle.
struct Choice<'a> {
    present: Net<'a>,
    /// A bit for each way: the victim, if there is one.
    victim: Net<'a>,
    entry: Net<'a>,
    /// The victim's line, if it has one.
    line: Net<'a>,
    has_line: Net<'a>,
}

fn describe<'a, const S: usize, const N: usize, const E: usize>(b: &'a Builder, i: &Inputs<'a, S, N, E>, sets: usize) {
    let tags = Tags::new(b, N, sets, E);
    let answers: Vec<_> = (0..S).map(|s| b.register(format!("answer${s}"), 2)).collect();
    let entries: Vec<_> = (0..S).map(|s| b.storage(format!("answer_entry${s}"), E)).collect();
    let orders: Vec<_> = (0..sets).map(|s| b.register(format!("order_{s}"), order_bits(tags.ways))).collect();
    let ask_set = tags.set(i.ask_line);
    let order = b.select("ask_order", ask_set, &orders);

    let choice_valid = b.register("choice_valid", 1);
    let ask_room = (choice_valid & i.fetch_room).name("ask_room");
    let over = (ask_room & !i.fill_valid).name("over");
    choice_valid.drive(i.ask_valid & !over);
    b.output("ask_room", ask_room);
    let named = named(b, i, &tags, &answers, &entries);
    let choice = choose(b, i, &tags, order, named);
    let free = (choice.victim.any() & !lost(b, i, &choice, named)).name("victim_is_free");
    let unknown = (over & !choice.present).name("unknown");
    let replaces = (unknown & free).name("replaces");

    b.comment("States of the entries.");
    let in_set = (replaces.repeat(sets) & ask_set.decode()).name("replaces_in_set");
    let replaced: Vec<_> = (0..N).map(|e| choice.victim.bit(e / sets) & in_set.bit(e % sets)).collect();
    let replaced = b.bits(&replaced).name("replaced");
    let filled = (i.fill_valid.repeat(N) & select("fill_select", i.fill_entry, N)).name("filled");
    let valid = (tags.valid | filled).name("valid_after_fill");
    tags.valid.drive(valid & !replaced);
    tags.pending.drive((tags.pending & !filled) | replaced);
    for (e, register) in tags.tag.iter().enumerate() {
        register.load(tags.tag_of(i.ask_line), replaced.bit(e));
    }
    let next_order = after(b, order, &choice.victim.each()).name("next_order");
    for (s, order) in orders.iter().enumerate() {
        order.drive(in_set.bit(s).mux(next_order, *order));
    }

    b.comment("Answers to look-ups.");
    for s in 0..S {
        answer(b, i, &tags, valid, s, answers[s], entries[s]);
    }

    let fetch_valid = b.registered("fetch_valid", replaces);
    b.output("fetch_valid", fetch_valid);
    b.output("fetch_entry", b.data_register("fetch_entry", choice.entry, replaces));
    b.output("fetch_line", b.data_register("fetch_line", i.ask_line, replaces));
    b.output("fill_word", b.bits(&i.fill_record));
    b.output("full", b.registered("full", unknown & !free));
}

/// A bit for each way of the ask's set that was taken in the previous cycle: the counts do not know it yet.
fn named<'a, const S: usize, const N: usize, const E: usize>(
    b: &'a Builder,
    i: &Inputs<'a, S, N, E>,
    tags: &Tags<'a>,
    answers: &[Net<'a>],
    entries: &[Net<'a>],
) -> Net<'a> {
    b.comment("Ways that were taken in the previous cycle.");
    let set = tags.set(i.ask_line);
    let one = |s: usize| {
        let by_look = answers[s].bit(0).repeat(tags.ways) & tags.way_in_set(&format!("answer_{s}"), entries[s], set);
        let taken = i.link_take[s].any().repeat(tags.ways);
        by_look | (taken & tags.way_in_set(&format!("link_take_{s}"), i.link_take_entry[s], set))
    };
    b.or_all(&(0..S).map(one).collect::<Vec<_>>()).name("taken_before")
}

/// The first cycle of an ask.
fn choose<'a, const S: usize, const N: usize, const E: usize>(
    b: &'a Builder,
    i: &Inputs<'a, S, N, E>,
    tags: &Tags<'a>,
    order: Net<'a>,
    named: Net<'a>,
) -> Choice<'a> {
    b.comment("The first cycle of an ask: is its line here, and which way would get it.");
    let set = tags.set(i.ask_line);
    let present = b.delay("present", tags.search("ask", i.ask_line).any());
    let idle = (b.and_all(&i.idle) & !tags.pending).name("idle_entries");
    let candidates = (tags.states("ask_idle", idle, set) & !named).name("candidates");
    let oldest = b.bits(&oldest(order, &candidates.each())).name("oldest");
    let victim = b.delay("victim", oldest);
    let line = b.delay("victim_tag", b.one_of(&oldest.each(), &tags.ways_of("victims", set)));
    let has_line = b.delay("victim_has_line", (oldest & tags.states("ask_valid_ways", tags.valid, set)).any());
    let entry = tags.entry(victim, i.ask_line).name("victim_entry");
    Choice { present, victim, entry, line: b.bits(&[set, line]).name("victim_line"), has_line }
}

/// The victim was taken since it was chosen, or is taken in this cycle.
fn lost<'a, const S: usize, const N: usize, const E: usize>(
    b: &'a Builder,
    i: &Inputs<'a, S, N, E>,
    choice: &Choice<'a>,
    named: Net<'a>,
) -> Net<'a> {
    let now = |s: usize| {
        let by_look = i.look_valid[s] & i.look_line[s].equals(choice.line);
        (choice.has_line & by_look) | (i.link_valid[s] & i.link[s].equals(choice.entry))
    };
    let now = b.or_all(&(0..S).map(now).collect::<Vec<_>>());
    ((choice.victim & named).any() | now).name("victim_is_taken")
}

/// The answer to the look-up of scheduler `s`: 0 none, 1 hit, 2 miss, 3 pending.
fn answer<'a, const S: usize, const N: usize, const E: usize>(
    b: &'a Builder,
    i: &Inputs<'a, S, N, E>,
    tags: &Tags<'a>,
    valid: Net<'a>,
    s: usize,
    code: Net<'a>,
    entry: Net<'a>,
) {
    let line = i.look_line[s];
    let same = tags.search(&format!("look_{s}"), line);
    let known = (i.look_valid[s] & same.any()).name(format!("look_{s}_known"));
    let valid = tags.states(&format!("look_{s}_valid"), valid, tags.set(line));
    let hit = (same & valid).any();
    code.drive(b.bits(&[known, i.look_valid[s] & !hit]));
    entry.drive(tags.entry(same, line));
    let take = b.register(format!("look_take${s}"), TAKE_BITS);
    take.drive(b.bits(&[known & !i.look_both[s], known & i.look_both[s]]));
    b.output(format!("answer${s}"), code);
    b.output(format!("answer_entry${s}"), entry);
    b.output(format!("look_take${s}"), take);
}
