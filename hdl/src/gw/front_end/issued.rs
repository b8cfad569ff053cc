//! What issues in this cycle: its places, what the core is told of it, and the references that it gives up.
//!
//! ```text
//!  issue_pairs, issue_even, issue_odd --+--> halves --+--> turned: those whose instruction was not plain
//!                                       |             +--> issue_pc, even_slot, odd_slot
//!  issue_waves --[ its entry ]----------+--> members ----> wave_*, lanes: the slots of its members
//!                                       +--[ slot 1, or not plain ]--[ count ]--[r]--> drop_*
//! ```

use super::places::{data_of_pair, of_pair, places_of};
use super::SLOT_BITS;
use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::number;
use crate::gw::issue::members;
use crate::gw::select::select;
use crate::gw::{DROP_BITS, PC_BITS};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, H = N / 2 pairs, waves of V lanes, T entries of the SWST; Q, G, I, E bits number a pair, a group, an entry of
    /// the SWST, an entry of the storage; L = V x (1 + `SLOT_BITS`).
    pub struct Issued<
        const N: usize, const H: usize, const V: usize, const T: usize, const Q: usize, const G: usize, const I: usize,
        const E: usize, const L: usize
    >, inputs Inputs, clocked {
        in issue_pairs: Signal<In, Bits<H>>,
        in issue_even, issue_odd, even_turns, odd_turns: Signal<In, bool>,
        in issue_waves: Signal<In, Bits<T>>,
        in group: [Signal<In, Bits<G>>; T],
        in mask: [Signal<In, Bits<V>>; T],
        in pc: [Signal<In, Bits<PC_BITS>>; T],
        in front_pc: [Signal<In, Bits<PC_BITS>>; N],
        in front_entry: [Signal<In, Bits<E>>; N],
        in front_slot, first_goes_on, first_takes: Signal<In, Bits<N>>,
        in first_slot: [Signal<In, Bits<SLOT_BITS>>; N],
        out halves, members, issues, turned: Signal<Out, Bits<N>>,
        out issue_pair: Signal<Out, Bits<Q>>,
        out issue_pc: Signal<Out, Bits<PC_BITS>>,
        out even_slot, odd_slot: Signal<Out, Bits<SLOT_BITS>>,
        out issue_wave: Signal<Out, bool>,
        out issue_swid: Signal<Out, Bits<I>>,
        out wave_group: Signal<Out, Bits<G>>,
        out wave_mask: Signal<Out, Bits<V>>,
        out wave_pc: Signal<Out, Bits<PC_BITS>>,
        out lanes: Signal<Out, Bits<L>>,
        out drop_count: Signal<Out, Bits<DROP_BITS>>,
        out drop_entry: Signal<Out, Bits<E>>,
    } described by describe
}

fn describe<
    'a,
    const N: usize,
    const H: usize,
    const V: usize,
    const T: usize,
    const Q: usize,
    const G: usize,
    const I: usize,
    const E: usize,
    const L: usize,
>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, V, T, Q, G, I, E, L>,
) {
    b.comment("Halves of a pair.");
    let of_halves = places_of(b, "halves", i.issue_pairs, i.issue_even, i.issue_odd);
    b.output("halves", of_halves);
    b.output("turned", places_of(b, "turned", i.issue_pairs, i.even_turns, i.odd_turns));
    b.output("issue_pair", number(b, i.issue_pairs, Q));
    b.output("issue_pc", b.one_of(&of_halves.each(), &i.front_pc));
    b.output("even_slot", data_of_pair(b, i.issue_pairs, &i.first_slot, 0));
    b.output("odd_slot", data_of_pair(b, i.issue_pairs, &i.first_slot, 1));

    b.comment("A wave.");
    let waves = i.issue_waves.each();
    let issue_wave = i.issue_waves.any().name("issue_wave");
    let group = b.one_of(&waves, &i.group).name("wave_group");
    let mask = b.one_of(&waves, &i.mask).name("wave_mask");
    let members = members(b, "members", issue_wave, group, mask, N);
    b.output("issue_wave", issue_wave);
    b.output("issue_swid", number(b, i.issue_waves, I));
    b.output("wave_group", group);
    b.output("wave_mask", mask);
    b.output("wave_pc", b.one_of(&waves, &i.pc));
    b.output("members", members);
    b.output("lanes", lanes(b, i, group));

    b.comment("References given up, all to one entry: those of the halves.");
    let issues = (of_halves | members).name("issues");
    b.output("issues", issues);
    let gives_up = (i.front_slot | !i.first_goes_on).name("gives_up");
    let half = |odd: usize, issues: Net<'a>| issues & of_pair(b, i.issue_pairs, gives_up, odd);
    let halves = [half(0, i.issue_even).name("even_gives_up"), half(1, i.issue_odd).name("odd_gives_up")];
    b.comment("All members of a wave do, or none.");
    let wave = (members & gives_up).any().name("wave_gives_up").repeat(DROP_BITS);
    let count = wave & mask.ones().extend(DROP_BITS);
    let count = count | b.bits(&halves).ones().extend(DROP_BITS);
    b.output("drop_count", b.registered("drop_count", count));
    b.output("drop_entry", b.delay("drop_entry", b.one_of(&issues.each(), &i.front_entry)));
}

/// Of each lane of the group whether its instruction has a slot, and the slot.
fn lanes<
    'a,
    const N: usize,
    const H: usize,
    const V: usize,
    const T: usize,
    const Q: usize,
    const G: usize,
    const I: usize,
    const E: usize,
    const L: usize,
>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, V, T, Q, G, I, E, L>,
    group: Net<'a>,
) -> Net<'a> {
    let groups = select("lanes_group", group, N / V);
    let of_place = |place: usize| b.bits(&[i.first_takes.bit(place), i.first_slot[place]]);
    let lane = |lane: usize| {
        let places: Vec<_> = (lane..N).step_by(V).map(of_place).collect();
        b.one_of(&groups.each(), &places)
    };
    b.bits(&(0..V).map(lane).collect::<Vec<_>>()).name("lanes")
}
