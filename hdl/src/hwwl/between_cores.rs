//! IDs between the cores, as the hub knows of them over ways of some cycles, and whether all cores are quiet without them.
//!
//! ```text
//!  sent_c, taken_c ---[ + ]--[ IDs of each side ]--[ of the pull side: none? ]--[r]-- & --> hub_quiet_c
//!  pull_part -----------[r]-...-[r]------------------------'--> hub_pull_part         |
//!  quiet_c ---------------------------------------------------------------------------'
//!  way_held_c, banks_held ---[ + ]--> held
//! ```
//!
//! `sent`, `taken` and `quiet` come as late as each other, and `quiet` is of the cycle before: what is joined is of one
//! cycle. An ID counts from the cycle after a core sent it up to the one in which a core takes it, so in no cycle is it
//! nowhere. Links cannot be asked whether they are empty: IDs of the push side may wait in them without end.

use super::icrn::ICRN_BITS;
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N cores; W bits count IDs.
    pub struct BetweenCores<const N: usize, const W: usize>, inputs Inputs, clocked {
        in pull_part: Signal<In, bool>,
        in quiet: [Signal<In, bool>; N],
        in sent, taken: [Signal<In, Bits<2>>; N],
        in way_held: [Signal<In, Bits<W>>; N],
        in banks_held: Signal<In, Bits<ICRN_BITS>>,
        out hub_pull_part: Signal<Out, bool>,
        out hub_quiet: [Signal<Out, bool>; N],
        out held: Signal<Out, Bits<W>>,
    }
    /// `stages`: registers of the way from core 0, 1 or more.
    described by describe(stages: usize)
}

fn describe<'a, const N: usize, const W: usize>(b: &'a Builder, i: &Inputs<'a, N, W>, stages: usize) {
    let pull_part = (1..=stages).fold(i.pull_part, |part, stage| b.registered(format!("pull_part_{stage}"), part));
    b.output("hub_pull_part", pull_part);
    let is_there = |side: usize| {
        let number = |bits: &[Net<'a>]| {
            let bits: Vec<_> = bits.iter().map(|sides| sides.bit(side)).collect();
            b.bits(&bits).ones().extend(W)
        };
        let count = b.register(format!("of_side_{side}"), W);
        count.drive((count + number(&i.sent) - number(&i.taken)).name(format!("next_of_side_{side}")));
        count.any()
    };
    let [lower, upper] = [is_there(0), is_there(1)];
    let clear = b.registered("clear", (!pull_part.mux(upper, lower)).name("next_clear"));
    for c in 0..N {
        b.output(format!("hub_quiet${c}"), i.quiet[c] & clear);
    }
    let held = i.way_held.iter().fold(i.banks_held.extend(W), |sum, held| sum + *held);
    b.output("held", held);
}
