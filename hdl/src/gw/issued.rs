//! What goes to the core with an issue: the pc of the halves, and the wave's entry of the SWST.
//!
//! ```text
//!  pc_i --------------------------[ issue_pair, issue_even ]---- issue_pc
//!  wave_*_i of all entries -------[ issue_swid ]---------------- issue_group, issue_mask, issue_wave_pc
//! ```

use super::select::select;
use super::PC_BITS;
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, waves of V lanes, T entries; Q, G, I bits number a pair, a group, an entry.
    pub struct Issued<
        const N: usize, const V: usize, const T: usize, const Q: usize, const G: usize, const I: usize
    >, inputs Inputs {
        in issue_even: Signal<In, bool>,
        in issue_pair: Signal<In, Bits<Q>>,
        in issue_swid: Signal<In, Bits<I>>,
        in pc: [Signal<In, Bits<PC_BITS>>; N],
        in wave_group: [Signal<In, Bits<G>>; T],
        in wave_mask: [Signal<In, Bits<V>>; T],
        in wave_pc: [Signal<In, Bits<PC_BITS>>; T],
        out issue_pc: Signal<Out, Bits<PC_BITS>>,
        out issue_group: Signal<Out, Bits<G>>,
        out issue_mask: Signal<Out, Bits<V>>,
        out issue_wave_pc: Signal<Out, Bits<PC_BITS>>,
    } described by describe
}

fn describe<'a, const N: usize, const V: usize, const T: usize, const Q: usize, const G: usize, const I: usize>(
    b: &'a Builder,
    i: &Inputs<'a, N, V, T, Q, G, I>,
) {
    let pairs = select("pairs", i.issue_pair, N / 2);
    let of_pair = |pair: &[Net<'a>]| i.issue_even.mux(pair[0], pair[1]);
    let pcs: Vec<_> = i.pc.chunks(2).map(of_pair).collect();
    b.output("issue_pc", b.one_of(&pairs.each(), &pcs));
    let waves = select("waves", i.issue_swid, T);
    b.output("issue_group", b.one_of(&waves.each(), &i.wave_group));
    b.output("issue_mask", b.one_of(&waves.each(), &i.wave_mask));
    b.output("issue_wave_pc", b.one_of(&waves.each(), &i.wave_pc));
}
