//! Ways into a wide bank: one of three queues of bundles per cycle, then two stages. Stage 1 finds the occupancy of the set.
//!
//! ```text
//!  cw queue ----+
//!               +-- alternating --+
//!  ccw queue ---+                 +-- ring first --> stage 1 --> stage 2 --> elements, set
//!  local queue -------------------+   (credit 8)        |          ^  |
//!                                                       |          +--+ the first leaves alone
//!                                                       '-- its set, a cycle ahead
//! ```

use super::element::{place_of, MORE_BITS};
use super::intake::{enter, Entering};
use super::ELEMENT_BITS;
use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// Between the queues and the sets: 2^A of them, bundles of W elements, N = A + 81 W - 1 bits of a word.
    pub struct WideIntake<const A: usize, const N: usize, const W: usize>, inputs Inputs, clocked {
        in local_valid: Signal<In, bool>,
        in local_word: Signal<In, Bits<N>>,
        in cw_valid: Signal<In, bool>,
        in cw_word: Signal<In, Bits<N>>,
        in ccw_valid: Signal<In, bool>,
        in ccw_word: Signal<In, Bits<N>>,
        in queue_empty: [Signal<In, bool>; 3],
        in in_flight, leaves, splits: Signal<In, bool>,
        in filter: Signal<In, Bits<2>>,
        out local_take, cw_take, ccw_take: Signal<Out, bool>,
        out next_set: Signal<Out, Bits<A>>,
        out passes: Signal<Out, bool>,
        out present: Signal<Out, Bits<W>>,
        out element_word: [Signal<Out, Bits<ELEMENT_BITS>>; W],
        out home_set: Signal<Out, Bits<A>>,
        out idle, filters: Signal<Out, bool>,
    } described by describe
}

fn describe<'a, const A: usize, const N: usize, const W: usize>(b: &'a Builder, i: &Inputs<'a, A, N, W>) {
    assert_eq!(N, ELEMENT_BITS + A + (W - 1) * MORE_BITS);
    let stage_1 = b.register("stage_1_valid", 1);
    let stage_2 = b.register("stage_2_valid", 1);
    let [local, cw, ccw] = [(i.local_valid, i.local_word), (i.cw_valid, i.cw_word), (i.ccw_valid, i.ccw_word)];
    let Entering { passes, enters, word } = enter(b, (stage_1, stage_2, i.leaves), local, cw, ccw);

    b.comment("The stages. What does not leave with the first element moves up.");
    let word_1 = b.data_register("stage_1_word", word, enters);
    let word_2 = b.storage("stage_2_word", N);
    word_2.load(passes.mux(word_1, without_first(b, word_2, A)), passes | i.splits);
    stage_1.drive(enters | (stage_1 & !passes));
    stage_2.drive(passes | (stage_2 & !i.leaves));
    b.output("passes", passes);
    b.output("home_set", place_of(word_2, A));
    b.output("next_set", place_of(word_1, A));
    let more = |l: usize| ELEMENT_BITS + A + l * MORE_BITS;
    let is_present = |l: usize| stage_2 & word_2.bit(more(l) - 1);
    b.output("present", b.bits(&[stage_2].into_iter().chain((1..W).map(is_present)).collect::<Vec<_>>()));
    b.output("element_word$0", word_2.slice(0, ELEMENT_BITS));
    for l in 1..W {
        b.output(format!("element_word${l}"), word_2.slice(more(l - 1), ELEMENT_BITS));
    }
    // The filter changes only while the bank is empty: a cycle later is in time for the next element.
    b.output("filters", b.delay("filters", i.filter.any()));
    b.output("idle", b.and_all(&i.queue_empty) & !(stage_1 | stage_2 | i.in_flight));
}

/// The bundle in `word` without its first element, `place` bits of place.
fn without_first<'a>(b: &'a Builder, word: Net<'a>, place: usize) -> Net<'a> {
    let second = ELEMENT_BITS + place;
    let mut parts = vec![word.slice(second, ELEMENT_BITS), word.slice(ELEMENT_BITS, place)];
    let rest = word.width() - second - MORE_BITS;
    parts.extend((rest > 0).then(|| word.slice(second + MORE_BITS, rest)));
    parts.push(b.constant(0, MORE_BITS));
    b.bits(&parts)
}
