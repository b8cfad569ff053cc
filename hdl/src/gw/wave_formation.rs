//! Which warps form a scalar wave, or join one, in this cycle (section 6.3.1).
//!
//! ```text
//!  ready, scalar, not joined --> round robin ---+--> path, pc --[ = pc of each place ]--+
//!                                                +--> its group ----------------------- & --> lanes
//! ```
//!
//! Round robin chooses a place, and the places of its group that have its pc go with it.

use super::record::PATH_BITS;
use super::PC_BITS;
use crate::circuit::net::Builder;
use crate::circuit::round_robin::{number, Pick, RoundRobin};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, waves of V lanes, G bits number a group.
    pub struct WaveFormation<const N: usize, const V: usize, const G: usize>, inputs Inputs, clocked {
        in ready, scalar, joined: Signal<In, Bits<N>>,
        in pc: [Signal<In, Bits<PC_BITS>>; N],
        in path: [Signal<In, Bits<PATH_BITS>>; N],
        out found: Signal<Out, bool>,
        out found_group: Signal<Out, Bits<G>>,
        out found_lanes: Signal<Out, Bits<V>>,
        out found_pc: Signal<Out, Bits<PC_BITS>>,
        out found_path: Signal<Out, Bits<PATH_BITS>>,
    } described by describe
}

fn describe<'a, const N: usize, const V: usize, const G: usize>(b: &'a Builder, i: &Inputs<'a, N, V, G>) {
    b.comment("The first in turn.");
    let wanted = (i.ready & i.scalar & !i.joined).name("may_join");
    let found = wanted.any().name("found_some");
    let round_robin = RoundRobin::new(b, "turn", N);
    let Pick { chosen: first, behind, .. } = round_robin.pick("first", wanted);
    round_robin.pass(found, behind);
    let chosen = first.each();
    let pc = b.one_of(&chosen, &i.pc).name("pc_chosen");

    b.comment("Those that go with it.");
    let alike: Vec<_> = i.pc.iter().map(|&other| other.equals(pc)).collect();
    let alike = (wanted & b.bits(&alike)).name("same_pc");
    let groups = (0..N / V).map(|g| first.slice(g * V, V).any());
    let groups = b.bits(&groups.collect::<Vec<_>>()).name("groups");
    let lanes: Vec<_> = (0..N / V).map(|g| alike.slice(g * V, V)).collect();
    b.output("found", found);
    b.output("found_group", number(b, groups, G));
    b.output("found_lanes", b.one_of(&groups.each(), &lanes));
    b.output("found_pc", pc);
    b.output("found_path", b.one_of(&chosen, &i.path));
}
