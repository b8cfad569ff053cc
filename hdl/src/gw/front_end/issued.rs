//! The places that issue in this cycle, and the report to the core.
//!
//! ```text
//!  issue_pairs, halves --+--> issue_pc, even_slot, odd_slot
//!                        +--+------> issues
//!  issue_wave, wave_members -+--> members
//!  issue_waves, wave_group --> issue_wave, lanes: the slots of its group
//! ```

use super::places::data_of_pair;
use super::{SLOTS, SLOT_BITS};
use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::number;
use crate::gw::select::select;
use crate::gw::PC_BITS;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, H = N / 2 pairs, waves of V lanes, T entries of the SWST; Q, G, I bits number a pair, a group, an entry of
    /// the SWST; L = V x `SLOTS`. X = 1: a scalar can issue at once.
    pub struct Issued<
        const N: usize, const H: usize, const V: usize, const T: usize, const Q: usize, const G: usize, const I: usize,
        const L: usize, const X: usize
    >, inputs Inputs {
        in issue_pairs: Signal<In, Bits<H>>,
        in issue_waves: Signal<In, Bits<T>>,
        in issue_wave: Signal<In, bool>,
        in wave_group: Signal<In, Bits<G>>,
        in front_pc: [Signal<In, Bits<PC_BITS>>; N],
        in halves, wave_members, first_takes: Signal<In, Bits<N>>,
        in first_slot: [Signal<In, Bits<SLOT_BITS>>; N],
        in issue_express: [Signal<In, bool>; X],
        in wave_pc: [Signal<In, Bits<PC_BITS>>; X],
        out pc_of_wave: [Signal<Out, Bits<PC_BITS>>; X],
        out members, issues: Signal<Out, Bits<N>>,
        out issue_pair: Signal<Out, Bits<Q>>,
        out issue_pc: Signal<Out, Bits<PC_BITS>>,
        out even_slot, odd_slot: Signal<Out, Bits<SLOT_BITS>>,
        out issue_swid: Signal<Out, Bits<I>>,
        out lanes: Signal<Out, Bits<L>>,
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
    const L: usize,
    const X: usize,
>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, V, T, Q, G, I, L, X>,
) {
    b.comment("Halves of a pair.");
    b.output("issue_pair", number(b, i.issue_pairs, Q));
    let express = i.issue_express.first().copied();
    let with_express = |express: Net<'a>| (i.halves | (i.wave_members & express.repeat(N))).name("at_issue_pc");
    let at_pc = express.map_or(i.halves, with_express);
    let issue_pc = b.one_of(&at_pc.each(), &i.front_pc);
    let issue_pc = if X == 1 { issue_pc.name("pc_of_places") } else { issue_pc };
    b.output("issue_pc", issue_pc);
    (0..X).for_each(|x| b.output(format!("pc_of_wave${x}"), i.issue_express[x].mux(issue_pc, i.wave_pc[x])));
    b.output("even_slot", data_of_pair(b, i.issue_pairs, &i.first_slot, 0));
    b.output("odd_slot", data_of_pair(b, i.issue_pairs, &i.first_slot, 1));

    b.comment("A wave.");
    b.output("issue_swid", number(b, i.issue_waves, I));
    b.output("lanes", lanes(b, i));

    let members = (i.issue_wave.repeat(N) & i.wave_members).name("members");
    b.output("members", members);
    b.output("issues", i.halves | members);
}

/// One slot per lane of the group: that of its instruction, if it has one.
fn lanes<
    'a,
    const N: usize,
    const H: usize,
    const V: usize,
    const T: usize,
    const Q: usize,
    const G: usize,
    const I: usize,
    const L: usize,
    const X: usize,
>(
    b: &'a Builder,
    i: &Inputs<'a, N, H, V, T, Q, G, I, L, X>,
) -> Net<'a> {
    let groups = select("lanes_group", i.wave_group, N / V);
    let of_place = |place: usize| b.bits(&[i.first_takes.bit(place), i.first_slot[place]]);
    let lane = |lane: usize| {
        let places: Vec<_> = (lane..N).step_by(V).map(of_place).collect();
        let slot = b.one_of(&groups.each(), &places).name(format!("lane_{lane}"));
        slot.bit(0).repeat(SLOTS) & slot.slice(1, SLOT_BITS).decode()
    };
    b.bits(&(0..V).map(lane).collect::<Vec<_>>()).name("lanes")
}
