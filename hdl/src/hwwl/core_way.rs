//! The ways between a core and the hub, of some cycles: a [`Link`] of IDs each way, and registers for what else there is.
//!
//! ```text
//!  core                                                                hub
//!   out_valid, out_part, out_id ---+--[ link ]-------------------------> hub_out_valid, ...
//!                                  +--[ sent, taken ]--[r]-...-[r]-----> sent, taken
//!   in_valid, in_part, in_id <-----+--[ link ]-------------------------- hub_in_valid, ...
//!   quiet, greedy ---------------------[ core_signals ]----------------> hub_quiet, hub_greedy
//!   all_done, send <-------------------[ core_signals ]----------------- hub_all_done, hub_send
//! ```
//!
//! `held` is what the core has sent less what it has taken. Nothing in the unit looks at it.

use super::core_signals::CoreSignals;
use super::ID_BITS;
use crate::circuit::net::{Builder, Net};
use crate::circuit::wiring::Wiring;
use crate::prim::link::Link;
use crate::{network, wire, wired};
use rust_hdl::prelude::*;

/// Bits of an ID on its way: the partition is above it.
const WORD_BITS: usize = ID_BITS + 1;

wired! {
    /// 2^Q credits, K = Q + 1; W bits count IDs.
    pub struct CoreWay<const Q: usize, const K: usize, const W: usize> {
        in configure, pull_part, quiet, out_valid, out_part, in_ready: Signal<In, bool>,
        in out_id: Signal<In, Bits<ID_BITS>>,
        in greedy: Signal<In, Bits<2>>,
        in hub_all_done, hub_out_ready, hub_in_valid, hub_in_part: Signal<In, bool>,
        in hub_in_id: Signal<In, Bits<ID_BITS>>,
        in hub_send: Signal<In, Bits<2>>,
        out all_done, out_ready, in_valid, in_part: Signal<Out, bool>,
        out in_id: Signal<Out, Bits<ID_BITS>>,
        out send: Signal<Out, Bits<2>>,
        out hub_quiet, hub_out_valid, hub_out_part, hub_in_ready: Signal<Out, bool>,
        out hub_out_id: Signal<Out, Bits<ID_BITS>>,
        out hub_greedy, sent, taken: Signal<Out, Bits<2>>,
        out held: Signal<Out, Bits<W>>,
    }
    /// `stages`: cycles of the way, 1 or more.
    children new(stages: usize) {
        ends: CoreWayEnds<W> = CoreWayEnds::new(stages),
        signals: CoreSignals = CoreSignals::new(stages),
        out_link: Link<WORD_BITS, Q, K> = Link::new(stages),
        in_link: Link<WORD_BITS, Q, K> = Link::new(stages),
    }
}

impl<const Q: usize, const K: usize, const W: usize> CoreWay<Q, K, W> {
    fn wire(&mut self, w: &mut Wiring) {
        wire!(w: [self.ends] <- [self]: clock, reset, out_valid, out_part, out_id, in_ready, hub_in_part, hub_in_id);
        wire!(w: [self] <- [self.ends]: in_part, in_id, hub_out_part, hub_out_id, sent, taken, held);
        w.comment(" To the hub.");
        wire!(w: [self.out_link] <- [self]: clock, reset);
        wire!(w: self.out_link.in_valid <- self.out_valid);
        wire!(w: self.out_link.in_data <- self.ends.out_word);
        wire!(w: self.out_link.out_ready <- self.hub_out_ready);
        wire!(w: self.out_ready <- self.out_link.in_ready);
        wire!(w: self.ends.out_ready <- self.out_link.in_ready);
        wire!(w: self.hub_out_valid <- self.out_link.out_valid);
        wire!(w: self.ends.hub_out_word <- self.out_link.out_data);
        w.comment(" From the hub.");
        wire!(w: [self.in_link] <- [self]: clock, reset);
        wire!(w: self.in_link.in_valid <- self.hub_in_valid);
        wire!(w: self.in_link.in_data <- self.ends.hub_in_word);
        wire!(w: self.in_link.out_ready <- self.in_ready);
        wire!(w: self.hub_in_ready <- self.in_link.in_ready);
        wire!(w: self.in_valid <- self.in_link.out_valid);
        wire!(w: self.ends.in_valid <- self.in_link.out_valid);
        wire!(w: self.ends.in_word <- self.in_link.out_data);
        w.comment(" What is no ID.");
        wire!(w: [self.signals] <- [self]: clock, reset, configure, pull_part, quiet, greedy, hub_all_done, hub_send);
        wire!(w: [self] <- [self.signals]: all_done, send, hub_quiet, hub_greedy);
    }
}

network! {
    /// IDs as words, words as IDs, and those that the core sends and takes, a bit for each partition. W bits count IDs.
    pub struct CoreWayEnds<const W: usize>, inputs Inputs, clocked {
        in out_valid, out_part, out_ready, in_valid, in_ready, hub_in_part: Signal<In, bool>,
        in out_id, hub_in_id: Signal<In, Bits<ID_BITS>>,
        in in_word, hub_out_word: Signal<In, Bits<WORD_BITS>>,
        out out_word, hub_in_word: Signal<Out, Bits<WORD_BITS>>,
        out in_part, hub_out_part: Signal<Out, bool>,
        out in_id, hub_out_id: Signal<Out, Bits<ID_BITS>>,
        out sent, taken: Signal<Out, Bits<2>>,
        out held: Signal<Out, Bits<W>>,
    }
    /// `stages`: registers of `sent` and `taken`.
    described by describe(stages: usize)
}

fn describe<'a, const W: usize>(b: &'a Builder, i: &Inputs<'a, W>, stages: usize) {
    b.output("out_word", b.bits(&[i.out_id, i.out_part]));
    b.output("hub_in_word", b.bits(&[i.hub_in_id, i.hub_in_part]));
    for (name, word) in [("in", i.in_word), ("hub_out", i.hub_out_word)] {
        b.output(format!("{name}_part"), word.bit(ID_BITS));
        b.output(format!("{name}_id"), word.slice(0, ID_BITS));
    }
    let sends = (i.out_valid & i.out_ready).name("sends");
    let takes = (i.in_valid & i.in_ready).name("takes");
    let sides = |passes: Net<'a>, part: Net<'a>| b.bits(&[passes & !part, passes & part]);
    for (name, bits) in [("sent", sides(sends, i.out_part)), ("taken", sides(takes, i.in_word.bit(ID_BITS)))] {
        let delayed = (1..=stages).fold(bits, |bits, stage| b.registered(format!("{name}_{stage}"), bits));
        b.output(name, delayed);
    }
    let held = b.register("held", W);
    held.drive((held + sends.extend(W) - takes.extend(W)).name("next_held"));
    b.output("held", held);
}
