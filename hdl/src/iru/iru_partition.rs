//! The reorder unit of one memory partition (section 3.1, figure 5).
//!
//! ```text
//!             +------------+  group  +------------+ bank_b             +--------+  take, beats  +---------+
//!  mem_*  <-->| prefetcher |-------->| classifier |------------------->| bank 0 |<------------->|  data   |<-- request_*
//!  data_* --->|            |         |            |---+          +---->| bank 1 |               | replier |--> reply_*
//!             +------------+         +------------+   | cw, ccw  |     +--------+               +---------+
//!                                                  +--v----------+--+                             ^     |
//!                            cw_in, ccw_in ------->|   ring stop    |--> cw_out, ccw_out   token_in     token_out
//!                                                  +----------------+
//! ```
//!
//! This block only connects; `partition_state` keeps the configuration and says whether all is at rest.

use super::classifier::Classifier;
use super::data_replier::DataReplier;
use super::element::{ElementIn, ElementOut};
use super::iru_hash::HashKind;
use super::partition_state::PartitionState;
use super::prefetcher::{Prefetcher, COUNT_BITS};
use super::reorder_bank::ReorderBank;
use super::ring_stop::RingStop;
use super::take::BEAT;
use super::wide_bank::WideBank;
use super::{GROUP, INDEX_BITS, POSITION_BITS, REQUEST_BITS, SECONDARY_BITS, TARGET_BITS};
use crate::circuit::wiring::Wiring;
use crate::{wire, wire_bits, wire_element, wire_groups, wired};
use rust_hdl::prelude::*;

/// Options apart from the sizes.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub hash: HashKind,
    /// Cycles after which a request no longer waits for a complete set.
    pub timeout: u64,
    /// Lines of an array that lie side by side in one partition, a power of two.
    pub interleave: u64,
}

wired! {
    /// P = 2^PB partitions, 2^A sets a bank, H = PB + 1 + A bits of hash, M = A + 6 bits count a bank's elements, 2^R
    /// requests, C = R + 1; E = A + 2 bits of place on the ring; bundles of W = X + 1 elements, N = 80 + E + 81 X and B = 80 + A + 81 X
    /// bits of one with its place, V = 2 W; G = A + 3; T bits of a prefetcher's tag, Y = T + 1.
    pub struct IruPartition<
        const P: usize, const PB: usize, const A: usize, const H: usize, const M: usize, const R: usize,
        const C: usize, const E: usize, const N: usize, const B: usize, const G: usize, const T: usize, const Y: usize,
        const W: usize, const X: usize, const V: usize
    > {
        in start: Signal<In, bool>,
        in index_line, secondary_line: Signal<In, Bits<32>>,
        in with_secondary: Signal<In, bool>,
        in count: Signal<In, Bits<COUNT_BITS>>,
        in target: Signal<In, Bits<TARGET_BITS>>,
        in size: Signal<In, Bits<3>>,
        in filter: Signal<In, Bits<2>>,
        in partition: Signal<In, Bits<PB>>,
        in mem_ready, data_valid: Signal<In, bool>,
        in data_tag: Signal<In, Bits<T>>,
        in data_sector: Signal<In, Bits<2>>,
        in data_word: [Signal<In, Bits<32>>; GROUP],
        in request_valid: Signal<In, bool>,
        in request: Signal<In, Bits<REQUEST_BITS>>,
        in reply_ready: Signal<In, bool>,
        in cw_in, ccw_in: ElementIn<E, X>,
        in cw_out_ready, ccw_out_ready, token_in_valid: Signal<In, bool>,
        in token_in_destination: Signal<In, Bits<PB>>,
        in token_in_request: Signal<In, Bits<REQUEST_BITS>>,
        in rich_in: Signal<In, Bits<P>>,
        in ending, all_empty: Signal<In, bool>,
        out mem_valid: Signal<Out, bool>,
        out mem_line: Signal<Out, Bits<32>>,
        out mem_sectors: Signal<Out, Bits<3>>,
        out mem_tag: Signal<Out, Bits<T>>,
        out request_ready, reply_valid: Signal<Out, bool>,
        out reply_request: Signal<Out, Bits<REQUEST_BITS>>,
        out reply_mask: Signal<Out, Bits<BEAT>>,
        out reply_end, reply_last: Signal<Out, bool>,
        out reply_index: [Signal<Out, Bits<INDEX_BITS>>; BEAT],
        out reply_secondary: [Signal<Out, Bits<SECONDARY_BITS>>; BEAT],
        out reply_position: [Signal<Out, Bits<POSITION_BITS>>; BEAT],
        out cw_in_ready, ccw_in_ready: Signal<Out, bool>,
        out cw_out, ccw_out: ElementOut<E, X>,
        out token_out_valid: Signal<Out, bool>,
        out token_out_destination: Signal<Out, Bits<PB>>,
        out token_out_request: Signal<Out, Bits<REQUEST_BITS>>,
        out rich: Signal<Out, bool>,
        out merged: Signal<Out, Bits<V>>,
        out quiet, vacant: Signal<Out, bool>,
    }
    children new(options: Options) after {
        assert_eq!((H, W, V), (PB + 1 + A, X + 1, 2 * W));
        let Options { hash, timeout, interleave } = options;
    } {
        prefetcher: Prefetcher<PB, T, Y> = Prefetcher::new(interleave),
        classifier: Classifier<PB, H, A, E, X> = Classifier::new(hash),
        stop: RingStop<A, E, N, X>,
        bank: Vec<ReorderBank<A, M, B, G>> = banks(X == 0),
        wide_bank: Vec<WideBank<A, M, B, W, X>> = banks(X > 0),
        replier: DataReplier<P, PB, A, R, C> = DataReplier::new(timeout),
        state: PartitionState<M>,
    }
}

/// Elements from a port of one child to a port of another, with what comes back.
macro_rules! wire_link {
    ($w:ident, $me:ident, [$($from:tt)+] $out:ident, $out_ready:ident, [$($to:tt)+] $in:ident, $in_ready:ident) => {{
        wire_element!($w: [$me.$($to)+.$in] <- [$me.$($from)+.$out]);
        wire!($w: $me.$($from)+.$out_ready <- $me.$($to)+.$in_ready);
    }};
}

/// Wires of the banks by the macro `$wires`: narrow ones, or wide ones with X elements beside the first.
macro_rules! wire_banks {
    ($w:ident, $me:ident, $x:ident, $wires:ident) => {
        if $x == 0 {
            $wires!($w, $me, bank);
        } else {
            $wires!($w, $me, wide_bank);
        }
    };
}

macro_rules! wire_bank_state {
    ($w:ident, $me:ident, $bank:ident) => {
        for n in 0..2 {
            wire!($w: $me.state.bank_idle[n] <- $me.$bank[n].idle);
            wire!($w: $me.state.bank_count[n] <- $me.$bank[n].count);
        }
    };
}

macro_rules! wire_local_elements {
    ($w:ident, $me:ident, $bank:ident) => {{
        wire_link!($w, $me, [classifier] bank_0, bank_0_ready, [$bank[0]] local, local_ready);
        wire_link!($w, $me, [classifier] bank_1, bank_1_ready, [$bank[1]] local, local_ready);
    }};
}

macro_rules! wire_ring_elements {
    ($w:ident, $me:ident, $bank:ident) => {{
        wire_link!($w, $me, [stop] cw_bank_0, cw_bank_0_ready, [$bank[0]] cw, cw_ready);
        wire_link!($w, $me, [stop] cw_bank_1, cw_bank_1_ready, [$bank[1]] cw, cw_ready);
        wire_link!($w, $me, [stop] ccw_bank_0, ccw_bank_0_ready, [$bank[0]] ccw, ccw_ready);
        wire_link!($w, $me, [stop] ccw_bank_1, ccw_bank_1_ready, [$bank[1]] ccw, ccw_ready);
    }};
}

macro_rules! wire_bank {
    ($w:ident, $me:ident, $bank:ident) => {
        for n in 0..2 {
            wire!($w: [$me.$bank[n]] <- [$me]: clock, reset);
            wire!($w: $me.$bank[n].filter <- $me.state.filter);
            wire!($w: [$me.$bank[n]] <- [$me.replier][n]: take, take_set, take_count);
            wire!($w: $me.$bank[n].beat_room <- $me.replier.beat_room);
            wire!($w: [$me.replier][n] <- [$me.$bank[n]]: complete_valid, complete_set, best_set, best_count,
                take_ready, beat_valid, beat_mask, beat_last);
            for j in 0..BEAT {
                wire!($w: [$me.replier][j][n] <- [$me.$bank[n]][j]: beat_index, beat_secondary, beat_position);
            }
        }
    };
}

/// Two banks, or none.
fn banks<B: Default>(are_there: bool) -> Vec<B> {
    (0..if are_there { 2 } else { 0 }).map(|_| B::default()).collect()
}

impl<
        const P: usize,
        const PB: usize,
        const A: usize,
        const H: usize,
        const M: usize,
        const R: usize,
        const C: usize,
        const E: usize,
        const N: usize,
        const B: usize,
        const G: usize,
        const T: usize,
        const Y: usize,
        const W: usize,
        const X: usize,
        const V: usize,
    > IruPartition<P, PB, A, H, M, R, C, E, N, B, G, T, Y, W, X, V>
{
    fn wire(&mut self, w: &mut Wiring) {
        self.wire_state(w);
        self.wire_prefetcher(w);
        self.wire_classifier(w);
        self.wire_stop(w);
        self.wire_banks(w);
        self.wire_replier(w);
    }

    fn wire_state(&mut self, w: &mut Wiring) {
        w.comment(" Configuration and rest.");
        wire!(w: [self.state] <- [self]: clock, reset, start);
        wire!(w: self.state.start_target <- self.target);
        wire!(w: self.state.start_size <- self.size);
        wire!(w: self.state.start_filter <- self.filter);
        wire!(w: self.state.prefetcher_done <- self.prefetcher.done);
        wire!(w: self.state.classifier_empty <- self.classifier.empty);
        wire!(w: self.state.stop_empty <- self.stop.empty);
        wire_banks!(w, self, X, wire_bank_state);
        wire!(w: [self] <- [self.state]: quiet, vacant);
    }

    fn wire_prefetcher(&mut self, w: &mut Wiring) {
        w.comment(" Prefetcher.");
        wire!(w: [self.prefetcher] <- [self]: clock, reset, start, index_line, secondary_line, with_secondary, count,
            partition, mem_ready, data_valid, data_tag, data_sector);
        wire!(w: [self] <- [self.prefetcher]: mem_valid, mem_line, mem_sectors, mem_tag);
        for i in 0..GROUP {
            wire!(w: self.prefetcher.data_word[i] <- self.data_word[i]);
        }
        wire!(w: self.prefetcher.group_ready <- self.classifier.group_ready);
    }

    fn wire_classifier(&mut self, w: &mut Wiring) {
        w.comment(" Classifier.");
        wire!(w: [self.classifier] <- [self]: clock, reset, partition);
        wire!(w: [self.classifier] <- [self.state]: target, size);
        wire!(w: [self.classifier] <- [self.prefetcher]: group_valid, group_count, group_position);
        for i in 0..GROUP {
            wire!(w: [self.classifier][i] <- [self.prefetcher][i]: group_index, group_secondary);
        }
        wire_banks!(w, self, X, wire_local_elements);
        wire_link!(w, self, [classifier] cw, cw_ready, [stop] cw_local, cw_local_ready);
        wire_link!(w, self, [classifier] ccw, ccw_ready, [stop] ccw_local, ccw_local_ready);
    }

    fn wire_stop(&mut self, w: &mut Wiring) {
        w.comment(" Ring stop.");
        wire!(w: [self.stop] <- [self]: clock, reset, cw_out_ready, ccw_out_ready);
        wire_element!(w: [self.stop.cw_in] <- [self.cw_in]);
        wire_element!(w: [self.stop.ccw_in] <- [self.ccw_in]);
        wire!(w: [self] <- [self.stop]: cw_in_ready, ccw_in_ready);
        wire_element!(w: [self.cw_out] <- [self.stop.cw_out]);
        wire_element!(w: [self.ccw_out] <- [self.stop.ccw_out]);
        wire_banks!(w, self, X, wire_ring_elements);
    }

    fn wire_banks(&mut self, w: &mut Wiring) {
        w.comment(" Banks.");
        wire_banks!(w, self, X, wire_bank);
        if X == 0 {
            wire_bits!(w: self.merged, n in 2, self.bank[n].merged);
        } else {
            wire_groups!(w: self.merged, n in 2, W, self.wide_bank[n].merged);
        }
    }

    fn wire_replier(&mut self, w: &mut Wiring) {
        w.comment(" Data replier.");
        wire!(w: [self.replier] <- [self]: clock, reset, request_valid, request, token_in_valid, token_in_destination,
            token_in_request, partition, rich_in, start, ending, all_empty, reply_ready);
        wire!(w: [self] <- [self.replier]: request_ready, token_out_valid, token_out_destination, token_out_request,
            rich, reply_valid, reply_request, reply_mask, reply_end, reply_last);
        for j in 0..BEAT {
            wire!(w: [self][j] <- [self.replier][j]: reply_index, reply_secondary, reply_position);
        }
    }
}
