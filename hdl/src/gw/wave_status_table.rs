//! Scalar-wave status table, SWST (section 6.3.1): the waves that are being formed and those that have issued.
//!
//! ```text
//!              +-- T entries -----------------------------------+
//!  found_* --->| valid, issued, pc, group, mask, age, path      |--> wave_*
//!  (join, or   +------------------------------------------------+
//!   allocate)  | which of each two was allocated first          |--> oldest that is open --> offer_*
//!  issue_* --->+------------------------------------------------+
//!  done_*  --->| joined: places in a wave that has not issued   |--> joined
//!              +------------------------------------------------+
//! ```
//!
//! An entry is *open* while it is valid and not issued. Latency 1, one join a cycle.

use super::issue::members;
use super::record::PATH_BITS;
use super::PC_BITS;
use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::number;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, waves of V lanes, T entries; G bits number a group, I bits an entry.
    pub struct WaveStatusTable<
        const N: usize, const V: usize, const T: usize, const G: usize, const I: usize
    >, inputs Inputs, clocked {
        in found: Signal<In, bool>,
        in found_group: Signal<In, Bits<G>>,
        in found_lanes: Signal<In, Bits<V>>,
        in found_pc: Signal<In, Bits<PC_BITS>>,
        in found_path: Signal<In, Bits<PATH_BITS>>,
        in issue_wave: Signal<In, bool>,
        in issue_swid: Signal<In, Bits<I>>,
        in done_valid: Signal<In, bool>,
        in done_swid: Signal<In, Bits<I>>,
        out offer_valid: Signal<Out, bool>,
        out offer_swid: Signal<Out, Bits<I>>,
        out offer_path: Signal<Out, Bits<PATH_BITS>>,
        out offer_urgent: Signal<Out, bool>,
        out wave_valid: [Signal<Out, bool>; T],
        out wave_group: [Signal<Out, Bits<G>>; T],
        out wave_mask: [Signal<Out, Bits<V>>; T],
        out wave_pc: [Signal<Out, Bits<PC_BITS>>; T],
        out joined: Signal<Out, Bits<N>>,
        out table_full: Signal<Out, bool>,
    }
    /// `age_cap`: cycles after which a wave is urgent.
    described by describe(age_cap: u64)
}

/// The registers of an entry.
struct Entry<'a> {
    valid: Net<'a>,
    issued: Net<'a>,
    /// Valid and not issued.
    open: Net<'a>,
    pc: Net<'a>,
    group: Net<'a>,
    mask: Net<'a>,
    path: Net<'a>,
    age: Net<'a>,
}

impl<'a> Entry<'a> {
    fn new(b: &'a Builder, e: usize, [group, lanes, age]: [usize; 3]) -> Self {
        let [valid, issued] = ["valid", "issued"].map(|name| b.register(format!("{name}_{e}"), 1));
        let data = |name: &str, width: usize| b.storage(format!("{name}_{e}"), width);
        let open = (valid & !issued).name(format!("open_{e}"));
        let (pc, path) = (data("pc", PC_BITS), data("path", PATH_BITS));
        Self {
            valid,
            issued,
            open,
            pc,
            group: data("group", group),
            mask: data("mask", lanes),
            path,
            age: data("age", age),
        }
    }
}

fn describe<'a, const N: usize, const V: usize, const T: usize, const G: usize, const I: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, V, T, G, I>,
    age_cap: u64,
) {
    let age_bits = age_cap.ilog2() as usize + 1;
    let entries: Vec<_> = (0..T).map(|e| Entry::new(b, e, [G, V, age_bits])).collect();
    let numbered = |name: &str, e: usize| format!("{name}_{e}");

    b.comment("The entry that takes the members: an open one of their pc and group, or the lowest free one.");
    let issues: Vec<_> =
        (0..T).map(|e| (i.issue_wave & i.issue_swid.is(e as u64)).name(numbered("issues", e))).collect();
    let matches = |(e, entry): (usize, &Entry<'a>)| {
        let alike = entry.pc.equals(i.found_pc) & entry.group.equals(i.found_group);
        (entry.open & !issues[e] & alike).name(numbered("matches", e))
    };
    let matches: Vec<_> = entries.iter().enumerate().map(matches).collect();
    let new = (i.found & !b.or_all(&matches)).name("new_wave");
    let valid: Vec<_> = entries.iter().map(|entry| entry.valid).collect();
    let free = (!b.bits(&valid)).name("free");
    let lowest = free.first_one().name("lowest_free");
    let allocates: Vec<_> = (0..T).map(|e| (new & lowest.bit(e)).name(numbered("allocates", e))).collect();
    let some_free = free.any().name("some_free");
    let table_full = b.register("table_full", 1);
    table_full.drive(new & !some_free);
    b.output("table_full", table_full);

    b.comment("Entries.");
    for (e, entry) in entries.iter().enumerate() {
        let allocate = allocates[e];
        let over = (i.done_valid & i.done_swid.is(e as u64)).name(numbered("over", e));
        entry.valid.drive(allocate | (entry.valid & !over));
        entry.issued.drive(issues[e] | (entry.issued & !over));
        entry.pc.load(i.found_pc, allocate);
        entry.group.load(i.found_group, allocate);
        entry.path.load(i.found_path, allocate);
        let before = entry.valid.repeat(V) & entry.mask;
        let joins = (i.found & matches[e]).name(numbered("joins", e));
        entry.mask.load(before | i.found_lanes, (allocate | joins).name(numbered("takes", e)));
        let old = entry.age.is(age_cap).name(numbered("old", e));
        let older = (entry.valid & !old).mux(entry.age.increment(), entry.age);
        entry.age.drive((!allocate).repeat(age_bits) & older);
        b.output(format!("wave_valid${e}"), entry.valid);
        b.output(format!("wave_group${e}"), entry.group);
        b.output(format!("wave_mask${e}"), entry.mask);
        b.output(format!("wave_pc${e}"), entry.pc);
    }

    b.comment("The oldest that is open is offered.");
    let offered = oldest(b, &entries, &allocates);
    let pick = |part: fn(&Entry<'a>) -> Net<'a>| b.one_of(&offered, &entries.iter().map(part).collect::<Vec<_>>());
    let offered_age = pick(|entry| entry.age).name("offered_age");
    b.output("offer_valid", b.or_all(&entries.iter().map(|entry| entry.open).collect::<Vec<_>>()));
    b.output("offer_swid", number(b, b.bits(&offered).name("offered"), I));
    b.output("offer_path", pick(|entry| entry.path));
    b.output("offer_urgent", offered_age.is(age_cap));

    b.comment("Places in a wave that has not issued.");
    let joined = b.register("joined", N);
    let accepted = (i.found & (!new | some_free)).name("accepted");
    let joining = members(b, "joining", accepted, i.found_group, i.found_lanes, N);
    let issued_of = |part: fn(&Entry<'a>) -> Net<'a>| b.one_of(&issues, &entries.iter().map(part).collect::<Vec<_>>());
    let issued_group = issued_of(|entry| entry.group).name("issued_group");
    let issued_mask = issued_of(|entry| entry.mask).name("issued_mask");
    let leaving = members(b, "leaving", i.issue_wave, issued_group, issued_mask, N);
    joined.drive(joining | (joined & !leaving));
    b.output("joined", joined);
}

/// Of each entry, whether it is open and no open one was allocated before it.
fn oldest<'a>(b: &'a Builder, entries: &[Entry<'a>], allocates: &[Net<'a>]) -> Vec<Net<'a>> {
    let count = entries.len();
    let mut earlier: Vec<Vec<Net<'a>>> = vec![vec![]; count];
    for e in 0..count {
        for other in e + 1..count {
            // Which of the two was allocated last; says nothing before both have been.
            let before = b.storage(format!("order_{e}_{other}"), 1);
            before.load(allocates[other], (allocates[e] | allocates[other]).name(format!("orders_{e}_{other}")));
            earlier[other].push(before & entries[e].open);
            earlier[e].push(!before & entries[other].open);
        }
    }
    let first =
        |(e, earlier): (usize, &Vec<Net<'a>>)| (entries[e].open & !b.or_all(earlier)).name(format!("oldest_{e}"));
    earlier.iter().enumerate().map(first).collect()
}
