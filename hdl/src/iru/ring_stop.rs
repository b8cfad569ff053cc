//! A partition's place on the ring (section 3.2.2), which goes both ways.
//!
//! ```text
//!  cw_in  ---> arrivals (16) --> stages, way --> link register ---> cw_out       cw comes from partition p - 1
//!                                     |     ^                                     and goes to p + 1; ccw the
//!  cw_local -> local (32) ------------|-----+  ring before local                  other way, with the same parts
//!                                     +---> cw_bank_0, cw_bank_1
//! ```
//!
//! Each direction is a [`RingDirection`] between its queues and its output registers. An element that goes on round the
//! ring: queue 2 cycles, stages 2, link register 1. One element a cycle and direction into a link, one every two cycles
//! through the stages where they are held up, else one a cycle. A wide stop moves bundles, and has the second stage alone.

use super::element::{with_lower_place, ElementIn, ElementOut, ElementRegister, MORE_BITS};
use super::element_queue::ElementQueue;
use super::priority::ring_first;
use super::ELEMENT_BITS;
use crate::circuit::net::{Builder, Net};
use crate::circuit::wiring::Wiring;
use crate::prim::all::All;
use crate::{network, wire, wire_element, wired};
use rust_hdl::prelude::*;

wired! {
    /// 2^A sets a bank, E = A + 2 bits of place on the ring, X elements beside the first, N = 80 + E + 81 X bits of a bundle.
    pub struct RingStop<const A: usize, const E: usize, const N: usize, const X: usize> {
        in cw_in, ccw_in, cw_local, ccw_local: ElementIn<E, X>,
        in cw_out_ready, ccw_out_ready, cw_bank_0_ready, cw_bank_1_ready, ccw_bank_0_ready: Signal<In, bool>,
        in ccw_bank_1_ready: Signal<In, bool>,
        out cw_in_ready, ccw_in_ready, cw_local_ready, ccw_local_ready: Signal<Out, bool>,
        out cw_out, ccw_out: ElementOut<E, X>,
        out cw_bank_0, cw_bank_1, ccw_bank_0, ccw_bank_1: ElementOut<A, X>,
        out empty: Signal<Out, bool>,
    }
    children default {
        arrival_queue: Vec<ElementQueue<4, 5, E, N, X>> = (0..2).map(|_| ElementQueue::default()).collect(),
        local_queue: Vec<ElementQueue<5, 6, E, N, X>> = (0..2).map(|_| ElementQueue::default()).collect(),
        way: Vec<RingDirection<A, E, N, X>> = (0..2).map(|_| RingDirection::default()).collect(),
        all_empty: All<6>,
    }
}

/// Wires of direction `$d`.
macro_rules! wire_direction {
    ($w:ident, $me:ident, $d:expr, $in:ident, $in_ready:ident, $local:ident, $local_ready:ident, $out:ident,
     $out_ready:ident, $bank_0:ident, $ready_0:ident, $bank_1:ident, $ready_1:ident) => {{
        wire!($w: [$me.arrival_queue[$d]] <- [$me]: clock, reset);
        wire_element!($w: [$me.arrival_queue[$d].element] <- [$me.$in]);
        wire!($w: $me.$in_ready <- $me.arrival_queue[$d].ready);
        wire!($w: $me.arrival_queue[$d].take <- $me.way[$d].ring_take);
        wire!($w: [$me.local_queue[$d]] <- [$me]: clock, reset);
        wire_element!($w: [$me.local_queue[$d].element] <- [$me.$local]);
        wire!($w: $me.$local_ready <- $me.local_queue[$d].ready);
        wire!($w: $me.local_queue[$d].take <- $me.way[$d].local_take);
        wire!($w: [$me.way[$d]] <- [$me]: clock, reset);
        wire!($w: $me.way[$d].ring_valid <- $me.arrival_queue[$d].head_valid);
        wire!($w: $me.way[$d].ring_word <- $me.arrival_queue[$d].head_data);
        wire!($w: $me.way[$d].local_valid <- $me.local_queue[$d].head_valid);
        wire!($w: $me.way[$d].local_word <- $me.local_queue[$d].head_data);
        wire!($w: $me.way[$d].link_ready <- $me.$out_ready);
        wire!($w: $me.way[$d].bank_0_ready <- $me.$ready_0);
        wire!($w: $me.way[$d].bank_1_ready <- $me.$ready_1);
        wire_element!($w: [$me.$out] <- [$me.way[$d].link]);
        wire_element!($w: [$me.$bank_0] <- [$me.way[$d].bank_0]);
        wire_element!($w: [$me.$bank_1] <- [$me.way[$d].bank_1]);
        wire!($w: $me.all_empty.flag[3 * $d] <- $me.arrival_queue[$d].empty);
        wire!($w: $me.all_empty.flag[3 * $d + 1] <- $me.local_queue[$d].empty);
        wire!($w: $me.all_empty.flag[3 * $d + 2] <- $me.way[$d].empty);
    }};
}

/// The directions.
const CW: usize = 0;
const CCW: usize = 1;

impl<const A: usize, const E: usize, const N: usize, const X: usize> RingStop<A, E, N, X> {
    fn wire(&mut self, w: &mut Wiring) {
        w.comment(" Clockwise.");
        wire_direction!(
            w,
            self,
            CW,
            cw_in,
            cw_in_ready,
            cw_local,
            cw_local_ready,
            cw_out,
            cw_out_ready,
            cw_bank_0,
            cw_bank_0_ready,
            cw_bank_1,
            cw_bank_1_ready
        );
        w.comment(" Counterclockwise.");
        wire_direction!(
            w,
            self,
            CCW,
            ccw_in,
            ccw_in_ready,
            ccw_local,
            ccw_local_ready,
            ccw_out,
            ccw_out_ready,
            ccw_bank_0,
            ccw_bank_0_ready,
            ccw_bank_1,
            ccw_bank_1_ready
        );
        wire!(w: self.empty <- self.all_empty.all);
    }
}

network! {
    /// One direction: the stages of what comes round the ring, and its output registers.
    pub struct RingDirection<const A: usize, const E: usize, const N: usize, const X: usize>, inputs Inputs, clocked {
        in ring_valid: Signal<In, bool>,
        in ring_word: Signal<In, Bits<N>>,
        in local_valid: Signal<In, bool>,
        in local_word: Signal<In, Bits<N>>,
        in link_ready, bank_0_ready, bank_1_ready: Signal<In, bool>,
        out ring_take, local_take: Signal<Out, bool>,
        out link: ElementOut<E, X>,
        out bank_0, bank_1: ElementOut<A, X>,
        out empty: Signal<Out, bool>,
    } described by describe
}

fn describe<'a, const A: usize, const E: usize, const N: usize, const X: usize>(
    b: &'a Builder,
    i: &Inputs<'a, A, E, N, X>,
) {
    assert_eq!((E, N), (A + 2, ELEMENT_BITS + E + X * MORE_BITS));
    let stage_1 = (X == 0).then(|| b.register("stage_1_valid", 1));
    let stage_2 = b.register("stage_2_valid", 1);
    let word_1 = stage_1.map(|valid| (valid, b.storage("stage_1_word", N)));
    let word_2 = b.storage("stage_2_word", N);
    let link = ElementRegister::new(b, "link", i.link_ready, E, X);
    let bank = |name: &str, ready: Net<'a>| ElementRegister::new(b, name, ready, A, X);
    let banks = [bank("bank_0", i.bank_0_ready), bank("bank_1", i.bank_1_ready)];

    b.comment("Stage 2: home into a bank, or on round the ring.");
    let (bank, onward) = (word_2.bit(ELEMENT_BITS + A), word_2.bit(ELEMENT_BITS + A + 1));
    let home = (stage_2 & !onward).name("arrived");
    let fills = [!bank, bank];
    let fills = [0, 1].map(|b| (home & fills[b] & banks[b].takes).name(format!("fills_bank_{b}")));
    let on = (stage_2 & onward).name("goes_on");
    let turn = ring_first(b, on, i.local_valid, link.takes);
    let leaves = (fills[0] | fills[1] | turn.ring).name("leaves");
    for (register, fill) in banks.into_iter().zip(fills) {
        register.fill(fill, with_lower_place(b, word_2, E, A, A));
    }
    // Elements that go on are at home in the next partition: no way round is longer than two.
    let goes_on = with_lower_place(b, word_2, E, E - 1, E);
    link.fill((turn.ring | turn.local).name("fills_link"), turn.ring.mux(goes_on, i.local_word));
    b.output("local_take", turn.local);

    b.comment("The stages.");
    let (take, stages) = match word_1 {
        Some((stage_1, word_1)) => {
            let passes = (stage_1 & (!stage_2 | leaves)).name("stage_1_passes");
            let take = (i.ring_valid & (!stage_1 | passes)).name("ring_taken");
            stage_1.drive(take | (stage_1 & !passes));
            stage_2.drive(passes | (stage_2 & !leaves));
            word_1.load(i.ring_word, take);
            word_2.load(word_1, passes);
            (take, stage_1 | stage_2)
        }
        None => {
            let take = (i.ring_valid & (!stage_2 | leaves)).name("ring_taken");
            stage_2.drive(take | (stage_2 & !leaves));
            word_2.load(i.ring_word, take);
            (take, stage_2)
        }
    };
    b.output("ring_take", take);
    b.output("empty", !(stages | link.holds() | banks[0].holds() | banks[1].holds()));
}
