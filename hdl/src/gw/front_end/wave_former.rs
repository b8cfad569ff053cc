//! Places that form a scalar wave, or join one (section 6.3.1): the first three steps of four.
//!
//! ```text
//!  ready, scalar, not joined --[ round robin ]--[r]-- picked --[ its group, pc, path ]--[r]-- key_*
//!                                                                                           |
//!  those of this group, not joining --[ first instruction at this pc ]<---------------------+--> found, found_lanes
//! ```
//!
//! Throughput: one pc of one group a cycle.

use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::{number, Pick, RoundRobin};
use crate::gw::record::PATH_BITS;
use crate::gw::select::select;
use crate::gw::PC_BITS;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, waves of V lanes, G bits number a group. X = 1: a scalar can issue at once.
    pub struct WaveFormer<const N: usize, const V: usize, const G: usize, const X: usize>, inputs Inputs, clocked {
        in ready, scalar, joined, joining: Signal<In, Bits<N>>,
        in front_pc: [Signal<In, Bits<PC_BITS>>; N],
        in first_path: [Signal<In, Bits<PATH_BITS>>; N],
        in expresses: [Signal<In, bool>; X],
        out scalar_pick, may_join: [Signal<Out, Bits<N>>; X],
        out scalars: Signal<Out, Bits<N>>,
        out found: Signal<Out, bool>,
        out found_lanes: Signal<Out, Bits<V>>,
        out key_group: Signal<Out, Bits<G>>,
        out key_pc: Signal<Out, Bits<PC_BITS>>,
        out key_path: Signal<Out, Bits<PATH_BITS>>,
    } described by describe
}

fn describe<'a, const N: usize, const V: usize, const G: usize, const X: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, V, G, X>,
) {
    b.comment("Pick: the first place in turn.");
    let scalars = (i.ready & i.scalar).name("scalars");
    b.output("scalars", scalars);
    let may_join = (scalars & !i.joined).name("may_join");
    let round_robin = RoundRobin::new(b, "turn", N);
    let Pick { chosen, behind, .. } = round_robin.pick("pick", may_join);
    round_robin.pass(may_join.any(), behind);
    let express = i.expresses.first().copied();
    (0..X).for_each(|x| {
        b.output(format!("scalar_pick${x}"), chosen);
        b.output(format!("may_join${x}"), may_join);
    });
    let picked = b.registered("picked", express.map_or(chosen, |express| chosen & !express.repeat(N)));

    b.comment("Key: its group, pc and path.");
    let places = picked.each();
    let groups: Vec<Net<'a>> = (0..N / V).map(|g| picked.slice(g * V, V).any()).collect();
    let is_key = b.registered("is_key", picked.any());
    let group = b.delay("key_group", number(b, b.bits(&groups).name("groups"), G));
    let pc = b.delay("key_pc", b.one_of(&places, &i.front_pc));
    b.output("key_path", b.delay("key_path", b.one_of(&places, &i.first_path)));

    b.comment("Members: those of the group that are at this pc.");
    let groups = select("key_groups", group, N / V).each();
    let free = (may_join & !i.joining).name("free");
    let of_groups: Vec<_> = (0..N / V).map(|g| free.slice(g * V, V)).collect();
    let free = b.one_of(&groups, &of_groups).name("free_of_group");
    let at_pc = |lane: usize| {
        let pcs: Vec<_> = (lane..N).step_by(V).map(|place| i.front_pc[place]).collect();
        b.one_of(&groups, &pcs).equals(pc)
    };
    let at_pc = b.bits(&(0..V).map(at_pc).collect::<Vec<_>>());
    let lanes = (free & at_pc).name("lanes");
    let found = is_key & lanes.any();
    let group_goes = |express: Net<'a>| {
        let of_group = |g: usize| groups[g] & chosen.slice(g * V, V).any();
        (express & b.or_all(&(0..N / V).map(of_group).collect::<Vec<_>>())).name("group_goes")
    };
    b.output("found", express.map_or(found, |express| found & !group_goes(express)));
    b.output("found_lanes", lanes);
    b.output("key_group", group);
    b.output("key_pc", pc);
}
