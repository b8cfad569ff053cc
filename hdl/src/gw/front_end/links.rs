//! Links of the instruction storage: of each entry, the entry of the next line, if warps have gone on from one to the other.
//!
//! ```text
//!  look_from_s --[r]--+-- answer_s is a hit --> link of that entry --+
//!                     |                                              |
//!  claim_entry -------+--[ links to it ]-- cleared                   +--[ link of read_entry_s ]-- link_valid_s, link_s
//!  fetch_entry -------+--[ its link ]-- cleared
//! ```
//!
//! The link of an entry that is read is there in the same cycle; a link is there two cycles after the look-up.

use crate::circuit::net::{Builder, Net};
use crate::gw::select::select;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// S schedulers, N entries, E bits number them.
    pub struct Links<const S: usize, const N: usize, const E: usize>, inputs Inputs, clocked {
        in look_follows: [Signal<In, bool>; S],
        in look_from: [Signal<In, Bits<E>>; S],
        in answer: [Signal<In, Bits<2>>; S],
        in answer_entry: [Signal<In, Bits<E>>; S],
        in fetch_valid: Signal<In, bool>,
        in fetch_entry: Signal<In, Bits<E>>,
        in claim_valid: Signal<In, bool>,
        in claim_entry: Signal<In, Bits<E>>,
        in read_end: [Signal<In, bool>; S],
        in read_entry: [Signal<In, Bits<E>>; S],
        out link_valid: [Signal<Out, bool>; S],
        out link: [Signal<Out, Bits<E>>; S],
        out link_take: [Signal<Out, bool>; S],
        out link_take_entry: [Signal<Out, Bits<E>>; S],
    } described by describe
}

fn describe<'a, const S: usize, const N: usize, const E: usize>(b: &'a Builder, i: &Inputs<'a, S, N, E>) {
    let valid = b.register("valid", N);
    let links: Vec<_> = (0..N).map(|e| b.storage(format!("entry_{e}"), E)).collect();

    b.comment("Links that the look-ups of the previous cycle found.");
    let made: Vec<_> = (0..S).map(|s| made(b, i, s)).collect();
    let sets = b.or_all(&made).name("sets");
    b.comment("Links to an entry that is about to be replaced, and the link of the entry that was replaced.");
    let to_claimed = b.bits(&links.iter().map(|link| link.equals(i.claim_entry)).collect::<Vec<_>>());
    let claimed = i.claim_valid.repeat(N) & to_claimed;
    let replaced = i.fetch_valid.repeat(N) & select("fetch_select", i.fetch_entry, N);
    valid.drive(sets | (valid & !(claimed | replaced)));
    for (e, link) in links.iter().enumerate() {
        let by: Vec<_> = made.iter().map(|made| made.bit(e)).collect();
        link.load(b.one_of(&by, &i.answer_entry), sets.bit(e));
    }

    for s in 0..S {
        b.comment(&format!("Scheduler {s}: the link of the entry that is read."));
        let of = select(&format!("read_{s}"), i.read_entry[s], N);
        let link = b.one_of(&of.each(), &links).name(format!("read_link_{s}"));
        let is_there = (i.read_end[s] & (of & valid).any()).name(format!("read_link_valid_{s}"));
        b.output(format!("link_valid${s}"), is_there);
        b.output(format!("link${s}"), link);
        b.output(format!("link_take${s}"), b.registered(format!("link_take${s}"), is_there));
        b.output(format!("link_take_entry${s}"), b.delay(format!("link_take_entry${s}"), link));
    }
}

/// A bit for each entry: scheduler `s` has found its link.
fn made<'a, const S: usize, const N: usize, const E: usize>(
    b: &'a Builder,
    i: &Inputs<'a, S, N, E>,
    s: usize,
) -> Net<'a> {
    let follows = b.registered(format!("follows_{s}"), i.look_follows[s]);
    let from = b.delay(format!("from_{s}"), i.look_from[s]);
    let replaced = i.fetch_valid & from.equals(i.fetch_entry);
    let makes = follows & i.answer[s].is(1) & !replaced;
    (makes.repeat(N) & select(&format!("from_{s}_select"), from, N)).name(format!("made_{s}"))
}
