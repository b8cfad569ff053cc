//! Scalar-wave scoreboard (Fig 9): the registers that waves will write, by SWID.
//!
//! ```text
//!  issue_* --->+- T entries ---------------+
//!              | busy, group, mask, writes |--> the one that is done --[r]--> clear_* --> scoreboard
//!  done_* ---->+---------------------------+--> busy
//! ```
//!
//! Latency 1; a wave made and one cleared in every cycle.

use super::record::WRITES_BITS;
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// Waves of V lanes, T entries; G bits number a group, I bits an entry.
    pub struct ScalarWaveScoreboard<
        const V: usize, const T: usize, const G: usize, const I: usize
    >, inputs Inputs, clocked {
        in issue_wave: Signal<In, bool>,
        in issue_swid: Signal<In, Bits<I>>,
        in issue_group: Signal<In, Bits<G>>,
        in issue_mask: Signal<In, Bits<V>>,
        in issue_writes: Signal<In, Bits<WRITES_BITS>>,
        in done_valid: Signal<In, bool>,
        in done_swid: Signal<In, Bits<I>>,
        out clear_valid: Signal<Out, bool>,
        out clear_group: Signal<Out, Bits<G>>,
        out clear_mask: Signal<Out, Bits<V>>,
        out clear_writes: Signal<Out, Bits<WRITES_BITS>>,
        out busy: Signal<Out, Bits<T>>,
    } described by describe
}

fn describe<'a, const V: usize, const T: usize, const G: usize, const I: usize>(
    b: &'a Builder,
    i: &Inputs<'a, V, T, G, I>,
) {
    b.comment("Entries: group, mask and writes as a word.");
    let wave = b.bits(&[i.issue_group, i.issue_mask, i.issue_writes]).name("issued_wave");
    let enters = |e: usize| (i.issue_wave & i.issue_swid.is(e as u64)).name(format!("enters_{e}"));
    let enters: Vec<_> = (0..T).map(enters).collect();
    let leaves = |e: usize| (i.done_valid & i.done_swid.is(e as u64)).name(format!("leaves_{e}"));
    let leaves: Vec<_> = (0..T).map(leaves).collect();
    let waves: Vec<_> = (0..T).map(|e| b.data_register(format!("wave_{e}"), wave, enters[e])).collect();
    let busy = b.register("busy", T);
    busy.drive(b.bits(&enters) | (busy & !b.bits(&leaves)));
    b.output("busy", busy);

    b.comment("The wave that is over.");
    let clear_valid = b.register("clear_valid", 1);
    clear_valid.drive(i.done_valid);
    b.output("clear_valid", clear_valid);
    let clear = b.data_register("clear_wave", b.one_of(&leaves, &waves), i.done_valid);
    b.output("clear_group", clear.slice(0, G));
    b.output("clear_mask", clear.slice(G, V));
    b.output("clear_writes", clear.slice(G + V, WRITES_BITS));
}
