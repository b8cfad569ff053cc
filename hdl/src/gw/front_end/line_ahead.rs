//! Fetches the line ahead: the line behind one that was asked for, as long as look-ups find what was fetched so.
//!
//! ```text
//!  fetch_* (of the arbiter's ask) --+
//!                                   +--[ + 1 ]--[r]-- ahead --+--> line_ask_*   if the arbiter asks for nothing
//!  answer_s is an entry that was ---+                         |
//!  fetched ahead: its line                                    |
//!  ask_* ------------------------------[ first ]--------------+
//! ```
//!
//! It stands between arbiter and storage. An ask once begun goes on to its end.

use crate::circuit::net::Builder;
use crate::gw::select::select;
use crate::gw::LINE_BITS;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// S schedulers, M entries of the storage, E bits number them.
    pub struct LineAhead<const S: usize, const M: usize, const E: usize>, inputs Inputs, clocked {
        in ask_valid, ask_room, fill_valid: Signal<In, bool>,
        in ask_line: Signal<In, Bits<LINE_BITS>>,
        in fetch_valid, found_none: Signal<In, bool>,
        in fetch_entry: Signal<In, Bits<E>>,
        in fetch_line: Signal<In, Bits<LINE_BITS>>,
        in answer: [Signal<In, Bits<2>>; S],
        in answer_entry: [Signal<In, Bits<E>>; S],
        in look_line: [Signal<In, Bits<LINE_BITS>>; S],
        out line_ask_valid, room, full: Signal<Out, bool>,
        out line_ask_line: Signal<Out, Bits<LINE_BITS>>,
    } described by describe
}

fn describe<'a, const S: usize, const M: usize, const E: usize>(b: &'a Builder, i: &Inputs<'a, S, M, E>) {
    let [wants, goes_on, own] = ["wants", "goes_on", "own"].map(|name| b.register(name, 1));
    let line = b.storage("line", LINE_BITS);
    let ahead = b.register("ahead", M);

    b.comment("The arbiter's ask goes first. An ask that has begun goes on.");
    let begins = (wants & !goes_on & !i.ask_valid).name("begins");
    let asks = (own | begins).name("asks_ahead");
    let valid = (asks | i.ask_valid).name("valid");
    let over = (i.ask_room & !i.fill_valid).name("over");
    goes_on.drive(valid & !over);
    own.drive(asks & !over);
    b.output("line_ask_valid", valid);
    b.output("line_ask_line", asks.mux(line, i.ask_line));
    b.output("room", i.ask_room & !own);
    let was_own = b.registered("was_own", asks & over);
    b.output("full", i.found_none & !was_own);

    b.comment("Entries that were fetched ahead and that no look-up has found.");
    let found = |s: usize| {
        let of_entry = select(&format!("answered_{s}"), i.answer_entry[s], M);
        let known = i.answer[s].bit(0);
        let _ = i.answer[s].bit(1).name(format!("unused_answer_{s}"));
        (known.repeat(M) & of_entry).name(format!("known_{s}"))
    };
    let known: Vec<_> = (0..S).map(found).collect();
    let fetched = (i.fetch_valid.repeat(M) & select("fetch_select", i.fetch_entry, M)).name("fetched");
    ahead.drive((ahead & !b.or_all(&known) & !fetched) | (fetched & was_own.repeat(M)));

    b.comment("The line behind the first of these that was looked up, else behind the one that was fetched.");
    let hits: Vec<_> = known.iter().map(|known| (*known & ahead).any()).collect();
    let hits = b.bits(&hits).name("hits");
    let first = hits.first_one().name("first_hit");
    let lines: Vec<_> = (0..S).map(|s| b.delay(format!("looked_{s}"), i.look_line[s])).collect();
    let behind_fetch = (i.fetch_valid & !was_own).name("behind_fetch");
    let found_line = b.one_of(&first.each(), &lines).name("found_line");
    let from = hits.any().mux(found_line, i.fetch_line).name("line_before");
    let next = ((hits.any() | behind_fetch) & !asks).name("is_next");
    line.load(from.increment(), next);
    wants.drive(next | (wants & !(asks & over)));
}
