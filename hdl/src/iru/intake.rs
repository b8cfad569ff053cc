//! Ways into a bank: one of three queues per cycle, then two stages. Stage 1 finds the occupancy of the set.
//!
//! ```text
//!  cw queue ----+
//!               +-- alternating --+
//!  ccw queue ---+                 +-- ring first --> stage 1 --> stage 2 --> element, set
//!  local queue -------------------+   (credit 8)        '-- its set, a cycle ahead
//! ```

use super::element::place_of;
use super::priority::ring_first;
use super::{ELEMENT_BITS, INDEX_BITS, POSITION_BITS, SECONDARY_BITS};
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// Between the queues and the sets: 2^A of them, N = 80 + A bits of a word.
    pub struct Intake<const A: usize, const N: usize>, inputs Inputs, clocked {
        in local_valid: Signal<In, bool>,
        in local_word: Signal<In, Bits<N>>,
        in cw_valid: Signal<In, bool>,
        in cw_word: Signal<In, Bits<N>>,
        in ccw_valid: Signal<In, bool>,
        in ccw_word: Signal<In, Bits<N>>,
        in queue_empty: [Signal<In, bool>; 3],
        in in_flight, leaves: Signal<In, bool>,
        in filter: Signal<In, Bits<2>>,
        out local_take, cw_take, ccw_take: Signal<Out, bool>,
        out next_set: Signal<Out, Bits<A>>,
        out next_index: Signal<Out, Bits<INDEX_BITS>>,
        out passes, element_valid: Signal<Out, bool>,
        out element_word: Signal<Out, Bits<ELEMENT_BITS>>,
        out home_set: Signal<Out, Bits<A>>,
        out idle, filters: Signal<Out, bool>,
    } described by describe
}

fn describe<'a, const A: usize, const N: usize>(b: &'a Builder, i: &Inputs<'a, A, N>) {
    let stage_1 = b.register("stage_1_valid", 1);
    let stage_2 = b.register("stage_2_valid", 1);
    let [local, cw, ccw] = [(i.local_valid, i.local_word), (i.cw_valid, i.cw_word), (i.ccw_valid, i.ccw_word)];
    let Entering { passes, enters, word } = enter(b, (stage_1, stage_2, i.leaves), local, cw, ccw);

    b.comment("The stages.");
    let word_1 = b.data_register("stage_1_word", word, enters);
    let word_2 = b.data_register("stage_2_word", word_1, passes);
    stage_1.drive(enters | (stage_1 & !passes));
    stage_2.drive(passes | (stage_2 & !i.leaves));
    b.output("passes", passes);
    b.output("element_valid", stage_2);
    b.output("element_word", word_2.slice(0, ELEMENT_BITS));
    b.output("home_set", place_of(word_2, A));
    b.output("next_set", place_of(word_1, A));
    b.output("next_index", word_1.slice(POSITION_BITS + SECONDARY_BITS, INDEX_BITS));
    // The filter changes only while the bank is empty: a cycle later is in time for the next element.
    b.output("filters", b.delay("filters", i.filter.any()));
    b.output("idle", b.and_all(&i.queue_empty) & !(stage_1 | stage_2 | i.in_flight));
}

/// The edge of stage 1.
pub(super) struct Entering<'a> {
    /// The word of stage 1 goes on to stage 2.
    pub passes: Net<'a>,
    pub enters: Net<'a>,
    pub word: Net<'a>,
}

/// Who enters stage 1 and leaves its queue: an alternating one of the ring's, or the local one. The stages are given by whether
/// they hold something, and whether stage 2's leaves; queues by `valid` and word of their heads.
pub(super) fn enter<'a>(
    b: &'a Builder,
    (stage_1, stage_2, leaves): (Net<'a>, Net<'a>, Net<'a>),
    local: (Net<'a>, Net<'a>),
    cw: (Net<'a>, Net<'a>),
    ccw: (Net<'a>, Net<'a>),
) -> Entering<'a> {
    let cw_last = b.register("cw_came_last", 1);

    b.comment("Who enters stage 1.");
    let passes = (stage_1 & (!stage_2 | leaves)).name("stage_1_passes");
    let room = (!stage_1 | passes).name("stage_1_takes");
    let cw_turn = (cw.0 & (!ccw.0 | !cw_last)).name("cw_turn");
    let ring_waits = (cw.0 | ccw.0).name("ring_waits");
    let goes = ring_first(b, ring_waits, local.0, room);
    cw_last.drive(goes.ring.mux(cw_turn, cw_last));
    let word = goes.ring_turn.mux(cw_turn.mux(cw.1, ccw.1), local.1).name("entering_word");
    let enters = (goes.ring | goes.local).name("stage_1_fills");
    b.output("local_take", goes.local);
    b.output("cw_take", goes.ring & cw_turn);
    b.output("ccw_take", goes.ring & !cw_turn);
    Entering { passes, enters, word }
}
