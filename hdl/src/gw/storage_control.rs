//! The instruction storage without its memories and counts (section 6.2, Fig 7b): tags, the search in them, replacement.
//!
//! ```text
//!  look_line_s --[ search set ]----------------------+
//!                                                    |
//!  ask_line -----[ search set ]--+-- hit, pending ---+--|\
//!                                |                      | |---[r]-- answer_s, answer_line_s, answer_entry_s
//!  idle ---------[ candidates ]--+-- victim --+      +--|/
//!  named ----------------^          (oldest)  |      |
//!                                             +------|--------[r]-- fetch_*
//!  fill_entry ---[ its tag ]-------------------------+
//! ```
//!
//! A fill goes before an ask, an ask before the look-ups; what a fill or an ask finds out, all schedulers are told.

use super::record::RECORD_BITS;
use super::select::select;
use super::storage_order::{after, oldest, order_bits};
use super::LINE_BITS;
use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::number;
use crate::network;
use rust_hdl::prelude::*;

/// Bits of both records of an entry.
pub const WORD_BITS: usize = 2 * RECORD_BITS;

network! {
    /// S schedulers, N entries, E bits number them.
    pub struct StorageControl<const S: usize, const N: usize, const E: usize>, inputs Inputs, clocked {
        in look_valid: [Signal<In, bool>; S],
        in look_line: [Signal<In, Bits<LINE_BITS>>; S],
        in ask_valid: Signal<In, bool>,
        in ask_line: Signal<In, Bits<LINE_BITS>>,
        in fetch_room, fill_valid: Signal<In, bool>,
        in fill_entry: Signal<In, Bits<E>>,
        in fill_record: [Signal<In, Bits<RECORD_BITS>>; 2],
        in read, read_slot: [Signal<In, bool>; S],
        in idle: Signal<In, Bits<N>>,
        in word: [Signal<In, Bits<WORD_BITS>>; S],
        out answer: [Signal<Out, Bits<2>>; S],
        out answer_line: [Signal<Out, Bits<LINE_BITS>>; S],
        out answer_entry: [Signal<Out, Bits<E>>; S],
        out fetch_valid: Signal<Out, bool>,
        out fetch_entry: Signal<Out, Bits<E>>,
        out fetch_line: Signal<Out, Bits<LINE_BITS>>,
        out record_valid: [Signal<Out, bool>; S],
        out record: [Signal<Out, Bits<RECORD_BITS>>; S],
        out full: Signal<Out, bool>,
        out fill_word: Signal<Out, Bits<WORD_BITS>>,
    }
    /// `sets`: a power of two, a divisor of the number of entries.
    described by describe(sets: usize)
}

/// Tags and states of all entries, and where a line or an entry is in them.
struct Tags<'a> {
    builder: &'a Builder,
    /// Bits of the number of a set.
    set_bits: usize,
    /// Bits of the number of a way.
    way_bits: usize,
    ways: usize,
    valid: Net<'a>,
    pending: Net<'a>,
    /// Of each entry.
    tag: Vec<Net<'a>>,
    /// Of each set: its ways' tags.
    tags: Vec<Net<'a>>,
    /// Of each set: a bit for each way that is valid, then those that are pending.
    states: Vec<Net<'a>>,
}

/// What is known of a line.
struct Found<'a> {
    hit: Net<'a>,
    pending: Net<'a>,
    /// Of a hit.
    entry: Net<'a>,
}

impl<'a> Tags<'a> {
    fn new(b: &'a Builder, entries: usize, sets: usize, entry_bits: usize) -> Self {
        let set_bits = sets.ilog2() as usize;
        let (way_bits, ways) = (entry_bits - set_bits, entries / sets);
        let (valid, pending) = (b.register("valid", entries), b.register("pending", entries));
        let tag: Vec<_> = (0..entries).map(|e| b.storage(format!("tag_{e}"), LINE_BITS - set_bits)).collect();
        let of_set = |set: usize, nets: &dyn Fn(usize) -> Net<'a>| -> Vec<Net<'a>> {
            (0..ways).map(|way| nets(way * sets + set)).collect()
        };
        b.comment("The ways of each set.");
        let tags = (0..sets).map(|s| b.bits(&of_set(s, &|e| tag[e])).name(format!("tags_{s}"))).collect();
        let state = |s: usize| {
            let bits = [of_set(s, &|e| valid.bit(e)), of_set(s, &|e| pending.bit(e))].concat();
            b.bits(&bits).name(format!("states_{s}"))
        };
        let states = (0..sets).map(state).collect();
        Self { builder: b, set_bits, way_bits, ways, valid, pending, tag, tags, states }
    }

    fn set(&self, line: Net<'a>) -> Net<'a> {
        line.slice(0, self.set_bits)
    }

    /// Of each way of a set's `tags`.
    fn split(&self, tags: Net<'a>) -> Vec<Net<'a>> {
        let bits = LINE_BITS - self.set_bits;
        (0..self.ways).map(|way| tags.slice(way * bits, bits)).collect()
    }

    /// The entry that way number i with `chosen[i]` is, of the set of `line`.
    fn entry(&self, chosen: Net<'a>, line: Net<'a>) -> Net<'a> {
        self.builder.bits(&[self.set(line), number(self.builder, chosen, self.way_bits)])
    }

    fn search(&self, name: &str, line: Net<'a>) -> Found<'a> {
        let (b, set) = (self.builder, self.set(line));
        let tags = b.select(format!("{name}_tags"), set, &self.tags);
        let states = b.select(format!("{name}_states"), set, &self.states);
        let tag = line.slice(self.set_bits, LINE_BITS - self.set_bits);
        let same: Vec<_> = self.split(tags).iter().map(|t| t.equals(tag)).collect();
        let same = b.bits(&same).name(format!("{name}_same"));
        let hits = (same & states.slice(0, self.ways)).name(format!("{name}_hits"));
        let pending = (same & states.slice(self.ways, self.ways)).any().name(format!("{name}_pending"));
        Found { hit: hits.any().name(format!("{name}_hit")), pending, entry: self.entry(hits, line) }
    }

    /// The line of the entry `number`.
    fn line(&self, name: &str, number: Net<'a>) -> Net<'a> {
        let set = number.slice(0, self.set_bits);
        let tags = self.builder.select(format!("{name}_tags"), set, &self.tags);
        let mut choices = self.split(tags);
        choices.resize(1 << self.way_bits, choices[self.ways - 1]);
        let way = number.slice(self.set_bits, self.way_bits);
        self.builder.bits(&[set, self.builder.select(format!("{name}_tag"), way, &choices)])
    }
}

/// The answers to one scheduler, this one and the last.
struct Answer<'a> {
    code: Net<'a>,
    entry: Net<'a>,
    was_hit: Net<'a>,
    was_entry: Net<'a>,
}

impl<'a> Answer<'a> {
    fn new(b: &'a Builder, s: usize, entry_bits: usize) -> Self {
        let code = b.register(format!("answer${s}"), 2);
        let entry = b.storage(format!("answer_entry${s}"), entry_bits);
        let was_hit = b.register(format!("was_hit_{s}"), 1);
        was_hit.drive(code.is(1));
        Self { code, entry, was_hit, was_entry: b.delay(format!("was_entry_{s}"), entry) }
    }

    /// A bit for each of `ways` ways of `set` that one of them names with a hit: its takers are perhaps not counted yet.
    fn spares(&self, name: &str, set: Net<'a>, ways: usize) -> Net<'a> {
        let below = set.width();
        let way = |name: &str, hit: Net<'a>, entry: Net<'a>| {
            let in_set = (hit & entry.slice(0, below).equals(set)).name(format!("{name}_in_set"));
            in_set.repeat(ways) & select(name, entry.slice(below, entry.width() - below), ways)
        };
        let now = way(&format!("{name}_now"), self.code.is(1), self.entry);
        let before = way(&format!("{name}_before"), self.was_hit, self.was_entry);
        (now | before).name(name)
    }
}

fn describe<'a, const S: usize, const N: usize, const E: usize>(b: &'a Builder, i: &Inputs<'a, S, N, E>, sets: usize) {
    let tags = Tags::new(b, N, sets, E);
    let ways = tags.ways;
    let answers: Vec<Answer<'a>> = (0..S).map(|s| Answer::new(b, s, E)).collect();

    b.comment("The ask: its line is here, on its way, or gets the place of a victim.");
    let asked = (i.ask_valid & i.fetch_room & !i.fill_valid).name("asked");
    let found = tags.search("ask", i.ask_line);
    let unknown = (asked & !found.hit & !found.pending).name("unknown");
    let orders: Vec<_> = (0..sets).map(|s| b.register(format!("order_{s}"), order_bits(ways))).collect();
    let ask_set = tags.set(i.ask_line);
    let order = b.select("ask_order", ask_set, &orders);
    let idle = |s: usize| {
        let ways: Vec<_> =
            (0..ways).map(|way| i.idle.bit(way * sets + s) & !tags.pending.bit(way * sets + s)).collect();
        b.bits(&ways).name(format!("idle_{s}"))
    };
    let idle = b.select("ask_idle", ask_set, &(0..sets).map(idle).collect::<Vec<_>>());
    let spared: Vec<_> =
        answers.iter().enumerate().map(|(s, a)| a.spares(&format!("spared_{s}"), ask_set, ways)).collect();
    let candidates = (idle & !b.or_all(&spared)).name("candidates").each();
    let victim = b.bits(&oldest(order, &candidates)).name("victim");
    let replaces = (unknown & victim.any()).name("replaces");
    let served = (asked & (found.hit | found.pending | victim.any())).name("served");

    b.comment("States of the entries.");
    let in_set = (replaces.repeat(sets) & ask_set.decode()).name("replaces_in_set");
    let replaced: Vec<_> = (0..N).map(|e| victim.bit(e / sets) & in_set.bit(e % sets)).collect();
    let replaced = b.bits(&replaced).name("replaced");
    let filled = (i.fill_valid.repeat(N) & select("fill_select", i.fill_entry, N)).name("filled");
    tags.valid.drive((tags.valid | filled) & !replaced);
    tags.pending.drive((tags.pending & !filled) | replaced);
    let tag = i.ask_line.slice(tags.set_bits, LINE_BITS - tags.set_bits);
    for (e, register) in tags.tag.iter().enumerate() {
        register.load(tag, replaced.bit(e));
    }
    let next_order = after(b, order, &victim.each()).name("next_order");
    for (s, order) in orders.iter().enumerate() {
        order.drive(in_set.bit(s).mux(next_order, *order));
    }

    b.comment("The answers.");
    let for_all = (i.fill_valid | served).name("for_all");
    let hit_for_all = (i.fill_valid | found.hit).name("hit_for_all");
    let fill_line = tags.line("fill", i.fill_entry);
    let line_for_all = i.fill_valid.mux(fill_line, i.ask_line).name("line_for_all");
    let entry_for_all = i.fill_valid.mux(i.fill_entry, found.entry).name("entry_for_all");
    for (s, answer) in answers.iter().enumerate() {
        let look = tags.search(&format!("look_{s}"), i.look_line[s]);
        let known = for_all | (i.look_valid[s] & (look.hit | look.pending));
        let no_hit = for_all.mux(!hit_for_all, i.look_valid[s] & !look.hit);
        answer.code.drive(b.bits(&[known, no_hit]));
        answer.entry.drive(for_all.mux(entry_for_all, look.entry));
        let line = b.delay(format!("answer_line${s}"), for_all.mux(line_for_all, i.look_line[s]));
        b.output(format!("answer${s}"), answer.code);
        b.output(format!("answer_line${s}"), line);
        b.output(format!("answer_entry${s}"), answer.entry);
    }

    let fetch_valid = b.register("fetch_valid", 1);
    fetch_valid.drive(replaces);
    b.output("fetch_valid", fetch_valid);
    b.output("fetch_entry", b.data_register("fetch_entry", tags.entry(victim, i.ask_line), replaces));
    b.output("fetch_line", b.data_register("fetch_line", i.ask_line, replaces));
    let full = b.register("full", 1);
    full.drive(unknown & !victim.any());
    b.output("full", full);

    b.output("fill_word", b.bits(&i.fill_record));
    for s in 0..S {
        let valid = b.register(format!("record_valid${s}"), 1);
        valid.drive(i.read[s]);
        let slot = b.data_register(format!("slot_{s}"), i.read_slot[s], i.read[s]);
        let word = i.word[s];
        b.output(format!("record_valid${s}"), valid);
        let record = slot.mux(word.slice(RECORD_BITS, RECORD_BITS), word.slice(0, RECORD_BITS));
        b.output(format!("record${s}"), record);
    }
}
