//! Scalar-wave status table, SWST (section 6.3.1): the waves that are being formed and those that have issued; the fourth step
//! of forming them.
//!
//! ```text
//!  found_lanes, key_* --[ the open wave of this key ]--[r]-- join, or allocate
//!                                                               v
//!              +-- T entries -----------------------------------+
//!  issues_i -->| used, open, pc, group, mask, path              |--> pc_i, group_i, mask_i
//!  done_* ---->+------------------------------------------------+
//!              | older: entries allocated before this one       |--> the oldest that does not issue --> offer_*
//!              +------------------------------------------------+
//!              | joined: places in a wave that has not issued   |--> joined, joining
//!              +------------------------------------------------+
//! ```
//!
//! An entry is *open* until its wave issues. The places of a wave that is done are on `clear` in the next cycle.

use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::number;
use crate::gw::issue::members;
use crate::gw::record::PATH_BITS;
use crate::gw::PC_BITS;
use crate::network;
use rust_hdl::prelude::*;

/// Bits of the low half of a pc: whether the high one grows behind a wave is known with the wave.
pub const LOW_BITS: usize = PC_BITS / 2;

network! {
    /// N places, waves of V lanes, T entries; G bits number a group, I bits an entry. X = 1: a scalar can issue at once.
    pub struct WaveTable<
        const N: usize, const V: usize, const T: usize, const G: usize, const I: usize, const X: usize
    >, inputs Inputs, clocked {
        in found: Signal<In, bool>,
        in found_lanes: Signal<In, Bits<V>>,
        in key_group: Signal<In, Bits<G>>,
        in key_pc: Signal<In, Bits<PC_BITS>>,
        in key_path: Signal<In, Bits<PATH_BITS>>,
        in issue_wave: Signal<In, bool>,
        in members: Signal<In, Bits<N>>,
        in done_wave: Signal<In, bool>,
        in done_swid: Signal<In, Bits<I>>,
        in expresses: [Signal<In, bool>; X],
        in express_places: [Signal<In, Bits<N>>; X],
        out scalar_can: [Signal<Out, bool>; X],
        out offer_valid, offer_urgent: Signal<Out, bool>,
        out issue_waves: Signal<Out, Bits<T>>,
        out offer_path: Signal<Out, Bits<PATH_BITS>>,
        out wave_members: Signal<Out, Bits<N>>,
        out wave_group: Signal<Out, Bits<G>>,
        out wave_mask: Signal<Out, Bits<V>>,
        out wave_pc: Signal<Out, Bits<PC_BITS>>,
        out wave_carry: Signal<Out, bool>,
        out joined, joining, clear: Signal<Out, Bits<N>>,
        out table_full: Signal<Out, bool>,
    }
    /// `age_cap`: cycles as the oldest after which a wave is urgent.
    described by describe(age_cap: u64)
}

/// The registers of the entries: a bit for each, or one of each.
struct Entries<'a> {
    used: Net<'a>,
    open: Net<'a>,
    pc: Vec<Net<'a>>,
    /// The low half of the pc is all ones.
    carry: Vec<Net<'a>>,
    group: Vec<Net<'a>>,
    mask: Vec<Net<'a>>,
    path: Vec<Net<'a>>,
    /// A bit for each other entry: it was allocated before this one. Means nothing before both have been.
    older: Vec<Net<'a>>,
}

/// A wave that is formed to issue in the next cycle. All is low while there is none.
#[derive(Clone, Copy)]
struct Express<'a> {
    goes: Net<'a>,
    places: Net<'a>,
    group: Net<'a>,
    mask: Net<'a>,
}

/// The lanes that join in this cycle.
struct Joining<'a> {
    valid: Net<'a>,
    lanes: Net<'a>,
    group: Net<'a>,
    pc: Net<'a>,
    carry: Net<'a>,
    path: Net<'a>,
    /// The wave that it would join.
    fit: Net<'a>,
}

fn describe<'a, const N: usize, const V: usize, const T: usize, const G: usize, const I: usize, const X: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, V, T, G, I, X>,
    age_cap: u64,
) {
    let data = |name: &str, width: usize| (0..T).map(|e| b.storage(format!("{name}_{e}"), width)).collect::<Vec<_>>();
    let e = Entries {
        used: b.register("used", T),
        open: b.register("open", T),
        pc: data("pc", PC_BITS),
        carry: data("carry", 1),
        group: data("group", G),
        mask: data("mask", V),
        path: data("path", PATH_BITS),
        older: data("older", T),
    };
    let offered = b.storage("offered", T);
    let issue_waves = (offered & i.issue_wave.repeat(T)).name("issue_waves");
    b.output("issue_waves", issue_waves);
    let j = joining(b, i, &e);
    let x = express(b, i);

    b.comment("Join the wave of the key, or allocate the lowest entry that is free.");
    let joins = (j.fit & e.open & !issue_waves & j.valid.repeat(T)).name("joins");
    let new = (j.valid & !joins.any()).name("is_new");
    let free = (!e.used).name("free");
    let first_free = free.first_one();
    let first_free = if X == 1 { first_free.name("first_free") } else { first_free };
    let allocates = (new.repeat(T) & first_free).name("allocates");
    let takes = x.map(|x| (x.goes.repeat(T) & first_free).name("express_takes"));
    let or_express = |net: Net<'a>, of_express: Option<Net<'a>>| of_express.map_or(net, |express| net | express);
    (0..X).for_each(|k| b.output(format!("scalar_can${k}"), free.any() & !j.valid));
    let finds_none = (new & !allocates.any()).name("finds_none");
    b.output("table_full", b.registered("table_full", finds_none));
    let over: Vec<_> = (0..T).map(|e| i.done_wave & i.done_swid.is(e as u64)).collect();
    let over = b.bits(&over).name("over");
    e.used.drive(or_express(allocates, takes) | (e.used & !over));
    e.open.drive(allocates | (e.open & !issue_waves));
    for entry in 0..T {
        let allocate = allocates.bit(entry);
        e.pc[entry].load(j.pc, allocate);
        e.carry[entry].load(j.carry, allocate);
        let takes = takes.map(|takes| takes.bit(entry));
        let of_express = |joins: Net<'a>, express: Option<Net<'a>>| express.map_or(joins, |x| j.valid.mux(joins, x));
        e.group[entry].load(of_express(j.group, x.map(|x| x.group)), or_express(allocate, takes));
        e.path[entry].load(j.path, allocate);
        let before = joins.bit(entry).repeat(V) & e.mask[entry];
        let mask = of_express(before | j.lanes, x.map(|x| x.mask));
        e.mask[entry].load(mask, or_express(allocate | joins.bit(entry), takes));
        e.older[entry].drive((e.older[entry] | allocate.repeat(T)) & !allocates);
    }

    let offer = offer(b, i, &e, age_cap, issue_waves, joins, j.lanes, x);
    offered.drive(x.map_or(offer, |x| x.goes.mux(first_free, offer)));

    b.comment("Places in a wave that has not issued.");
    let joined = b.register("joined", N);
    let joining = members(b, "joining", j.valid, j.group, j.lanes, N);
    let accepted = (!finds_none).name("accepted").repeat(N);
    joined.drive(or_express(joined | (joining & accepted), x.map(|x| x.places)) & !i.members);
    b.output("joined", joined);
    b.output("joining", joining);

    b.comment("Places of the wave that is done.");
    let clears = b.registered("clears", i.done_wave);
    let group = b.delay("clear_group", b.one_of(&over.each(), &e.group));
    let mask = b.delay("clear_mask", b.one_of(&over.each(), &e.mask));
    b.output("clear", members(b, "clear", clears, group, mask, N));
}

fn joining<'a, const N: usize, const V: usize, const T: usize, const G: usize, const I: usize, const X: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, V, T, G, I, X>,
    e: &Entries<'a>,
) -> Joining<'a> {
    b.comment("The oldest open wave of the key.");
    let same = |entry: usize| e.pc[entry].equals(i.key_pc) & e.group[entry].equals(i.key_group);
    let same = b.bits(&(0..T).map(same).collect::<Vec<_>>());
    let fits = (e.open & same).name("fits");
    Joining {
        valid: b.registered("join_valid", i.found),
        lanes: b.delay("join_lanes", i.found_lanes),
        group: b.delay("join_group", i.key_group),
        pc: b.delay("join_pc", i.key_pc),
        carry: b.delay("join_carry", !(!i.key_pc.slice(0, LOW_BITS)).any()),
        path: b.delay("join_path", i.key_path),
        fit: b.delay("fit", oldest(b, &e.older, fits)),
    }
}

fn offer<'a, const N: usize, const V: usize, const T: usize, const G: usize, const I: usize, const X: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, V, T, G, I, X>,
    e: &Entries<'a>,
    age_cap: u64,
    issue_waves: Net<'a>,
    joins: Net<'a>,
    lanes: Net<'a>,
    x: Option<Express<'a>>,
) -> Net<'a> {
    b.comment("The oldest that does not issue is offered.");
    let waits = (e.open & !issue_waves).name("waits");
    let offer = oldest(b, &e.older, waits).name("offer");
    b.output("offer_valid", waits.any());
    b.output("offer_path", b.one_of(&offer.each(), &e.path));
    let joining = (offer & joins).any().repeat(V) & lanes;
    let mask = (b.one_of(&offer.each(), &e.mask) | joining).name("offer_mask");
    let group = b.one_of(&offer.each(), &e.group).name("offer_group");
    let unless_express = |offered: Net<'a>, express: fn(Express<'a>) -> Net<'a>| match x {
        None => offered,
        Some(x) => express(x) | (offered & !x.goes.repeat(offered.width())),
    };
    b.output("wave_group", b.delay("wave_group", unless_express(group, |x| x.group)));
    b.output("wave_mask", b.delay("wave_mask", unless_express(mask, |x| x.mask)));
    b.output("wave_pc", b.delay("wave_pc", b.one_of(&offer.each(), &e.pc)));
    b.output("wave_carry", b.delay("wave_carry", b.one_of(&offer.each(), &e.carry)));
    let members = members(b, "offer_members", b.high(), group, mask, N);
    b.output("wave_members", b.delay("wave_members", unless_express(members, |x| x.places)));

    b.comment("Cycles since the oldest became that.");
    let age = b.register("age", age_cap.ilog2() as usize + 1);
    let old = age.is(age_cap).name("old");
    let stays = (e.open.any() & !i.issue_wave).name("head_stays");
    age.drive(stays.repeat(age.width()) & old.mux(age, age.increment()));
    b.output("offer_urgent", old & !i.issue_wave);
    offer
}

fn express<'a, const N: usize, const V: usize, const T: usize, const G: usize, const I: usize, const X: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, V, T, G, I, X>,
) -> Option<Express<'a>> {
    let (goes, places) = (*i.expresses.first()?, *i.express_places.first()?);
    b.comment("A wave that goes at once.");
    let of_groups: Vec<_> = (0..N / V).map(|g| places.slice(g * V, V)).collect();
    let groups = b.bits(&of_groups.iter().map(|group| group.any()).collect::<Vec<_>>()).name("express_groups");
    let mask = b.or_all(&of_groups).name("express_mask");
    Some(Express { goes, places, group: number(b, groups, G).name("express_group"), mask })
}

/// The entry of `entries` (a bit per entry, with a name) that was allocated first.
fn oldest<'a>(b: &'a Builder, older: &[Net<'a>], entries: Net<'a>) -> Net<'a> {
    let first = |(e, older): (usize, &Net<'a>)| entries.bit(e) & !(*older & entries).any();
    b.bits(&older.iter().enumerate().map(first).collect::<Vec<_>>())
}
