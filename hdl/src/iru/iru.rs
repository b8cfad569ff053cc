//! The whole reorder unit (section 3.1): P partitions on the ring of elements and on the ring of tokens.
//!
//! ```text
//!        +--- cw ---> +-------------+ --- cw ---> +-------------+ --- cw ---> ...  back to partition 0
//!        |            | partition 0 |             | partition 1 |
//!        +<-- ccw --- +-------------+ <-- ccw --- +-------------+ <-- ccw --- ...
//!                     token ---------------------> token ------------------->
//!                       | quiet, vacant              |
//!                     [ all ]--[r]--> ending, all_empty of every partition
//! ```
//!
//! With ways of L cycles between the partitions each arrow is a [`RingLink`] or a chain of registers. Pins of partition p end in `_p`; `start` and the configuration are for all of them. This block only connects.

use super::distant::Distant;
use super::iru_partition::{IruPartition, Options};
use super::prefetcher::COUNT_BITS;
use super::ring_link::RingLink;
use super::take::BEAT;
use super::token_link::TokenLink;
use super::unit_state::UnitState;
use super::{GROUP, INDEX_BITS, POSITION_BITS, REQUEST_BITS, SECONDARY_BITS, TARGET_BITS};
use crate::circuit::wiring::{Optional, Wiring};
use crate::{wire, wire_bits, wire_element, wired};
use rust_hdl::prelude::*;
use std::array::from_fn;

wired! {
    /// P = 2^PB partitions, 2^A sets a bank, H = PB + 1 + A bits of hash, M = A + 6 bits count a bank's elements, 2^R
    /// requests, C = R + 1; E = A + 2 bits of place on the ring; bundles of W = X + 1 elements, N = 80 + E + 81 X and B = 80 + A + 81 X
    /// bits of one with its place, V = 2 W; G = A + 3; T bits of a prefetcher's tag, Y = T + 1; links of 2^Q credits, K = Q + 1.
    pub struct Iru<
        const P: usize, const PB: usize, const A: usize, const H: usize, const M: usize, const R: usize,
        const C: usize, const E: usize, const N: usize, const B: usize, const G: usize, const T: usize, const Y: usize,
        const Q: usize, const K: usize, const W: usize, const X: usize, const V: usize
    > {
        in start: Signal<In, bool>,
        in index_line, secondary_line: Signal<In, Bits<32>>,
        in with_secondary: Signal<In, bool>,
        in count: Signal<In, Bits<COUNT_BITS>>,
        in target: Signal<In, Bits<TARGET_BITS>>,
        in size: Signal<In, Bits<3>>,
        in filter: Signal<In, Bits<2>>,
        in mem_ready, data_valid: [Signal<In, bool>; P],
        in data_tag: [Signal<In, Bits<T>>; P],
        in data_sector: [Signal<In, Bits<2>>; P],
        in data_word: [[Signal<In, Bits<32>>; P]; GROUP],
        in request_valid: [Signal<In, bool>; P],
        in request: [Signal<In, Bits<REQUEST_BITS>>; P],
        in reply_ready: [Signal<In, bool>; P],
        out mem_valid: [Signal<Out, bool>; P],
        out mem_line: [Signal<Out, Bits<32>>; P],
        out mem_sectors: [Signal<Out, Bits<3>>; P],
        out mem_tag: [Signal<Out, Bits<T>>; P],
        out request_ready, reply_valid: [Signal<Out, bool>; P],
        out reply_request: [Signal<Out, Bits<REQUEST_BITS>>; P],
        out reply_mask: [Signal<Out, Bits<BEAT>>; P],
        out reply_end, reply_last: [Signal<Out, bool>; P],
        out reply_index: [[Signal<Out, Bits<INDEX_BITS>>; P]; BEAT],
        out reply_secondary: [[Signal<Out, Bits<SECONDARY_BITS>>; P]; BEAT],
        out reply_position: [[Signal<Out, Bits<POSITION_BITS>>; P]; BEAT],
        out merged: [Signal<Out, Bits<V>>; P],
    }
    /// `link`: cycles of the way between neighbours, or 0.
    children new(options: Options, link: usize) after {
        assert_eq!(P, 1 << PB);
        let is_far = link > 0;
        let far = if is_far { P } else { 0 };
    } {
        partition: Vec<IruPartition<P, PB, A, H, M, R, C, E, N, B, G, T, Y, W, X, V>> = (0..P).map(|_| IruPartition::new(options)).collect(),
        state: Optional<UnitState<P>> = Optional::new((!is_far).then(UnitState::default)),
        cw_link: Vec<RingLink<E, N, Q, K, X>> = (0..far).map(|_| RingLink::new(link)).collect(),
        ccw_link: Vec<RingLink<E, N, Q, K, X>> = (0..far).map(|_| RingLink::new(link)).collect(),
        token_link: Vec<TokenLink<PB>> = (0..far).map(|_| TokenLink::new(link)).collect(),
        distant: Optional<Distant<P>> = Optional::new(is_far.then(|| Distant::new(link))),
        number: [Constant<Bits<PB>>; P] = from_fn(|p| Constant::new((p as u64).into())),
    }
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
        const Q: usize,
        const K: usize,
        const W: usize,
        const X: usize,
        const V: usize,
    > Iru<P, PB, A, H, M, R, C, E, N, B, G, T, Y, Q, K, W, X, V>
{
    fn wire(&mut self, w: &mut Wiring) {
        let is_far = self.distant.is_there();
        for p in 0..P {
            w.comment(&format!(" Partition {p}."));
            self.wire_pins(w, p);
            if is_far {
                self.wire_links(w, p);
            } else {
                self.wire_neighbours(w, p);
            }
        }
        w.comment(" Rest.");
        if is_far {
            self.wire_distant(w);
        } else {
            self.wire_state(w);
        }
    }

    fn wire_state(&mut self, w: &mut Wiring) {
        wire!(w: [self.state] <- [self]: clock, reset);
        for p in 0..P {
            wire!(w: [self.state][p] <- [self.partition[p]]: quiet, vacant);
        }
    }

    fn wire_distant(&mut self, w: &mut Wiring) {
        wire!(w: [self.distant] <- [self]: clock, reset, start);
        for p in 0..P {
            wire!(w: [self.distant][p] <- [self.partition[p]]: quiet, vacant, rich);
            wire!(w: self.distant.cw_empty[p] <- self.cw_link[p].empty);
            wire!(w: self.distant.ccw_empty[p] <- self.ccw_link[p].empty);
        }
    }

    fn wire_pins(&mut self, w: &mut Wiring, p: usize) {
        wire!(w: [self.partition[p]] <- [self]: clock, reset, start, index_line, secondary_line, with_secondary, count,
            target, size, filter);
        wire!(w: self.partition[p].partition <- self.number[p]);
        wire!(w: [self.partition[p]] <- [self][p]: mem_ready, data_valid, data_tag, data_sector, request_valid,
            request, reply_ready);
        wire!(w: [self][p] <- [self.partition[p]]: mem_valid, mem_line, mem_sectors, mem_tag, request_ready,
            reply_valid, reply_request, reply_mask, reply_end, reply_last, merged);
        for i in 0..GROUP {
            wire!(w: self.partition[p].data_word[i] <- self.data_word[i][p]);
        }
        for j in 0..BEAT {
            wire!(w: [self][j][p] <- [self.partition[p]][j]: reply_index, reply_secondary, reply_position);
        }
    }

    /// Inputs of a partition from the next one, the one before it, and all.
    fn wire_neighbours(&mut self, w: &mut Wiring, p: usize) {
        let (next, before) = ((p + 1) % P, (p + P - 1) % P);
        wire_element!(w: [self.partition[p].cw_in] <- [self.partition[before].cw_out]);
        wire!(w: self.partition[p].cw_out_ready <- self.partition[next].cw_in_ready);
        wire_element!(w: [self.partition[p].ccw_in] <- [self.partition[next].ccw_out]);
        wire!(w: self.partition[p].ccw_out_ready <- self.partition[before].ccw_in_ready);
        wire!(w: self.partition[p].token_in_valid <- self.partition[before].token_out_valid);
        wire!(w: self.partition[p].token_in_destination <- self.partition[before].token_out_destination);
        wire!(w: self.partition[p].token_in_request <- self.partition[before].token_out_request);
        wire!(w: [self.partition[p]] <- [self.state]: ending, all_empty);
        self.wire_rich(w, p);
    }

    /// Links from a partition to its neighbours, and what comes from links and from far away.
    fn wire_links(&mut self, w: &mut Wiring, p: usize) {
        let (next, before) = ((p + 1) % P, (p + P - 1) % P);
        wire!(w: [self.cw_link[p]] <- [self]: clock, reset);
        wire_element!(w: [self.cw_link[p].element_in] <- [self.partition[p].cw_out]);
        wire!(w: self.partition[p].cw_out_ready <- self.cw_link[p].in_ready);
        wire_element!(w: [self.partition[p].cw_in] <- [self.cw_link[before].element_out]);
        wire!(w: self.cw_link[p].out_ready <- self.partition[next].cw_in_ready);
        wire!(w: [self.ccw_link[p]] <- [self]: clock, reset);
        wire_element!(w: [self.ccw_link[p].element_in] <- [self.partition[p].ccw_out]);
        wire!(w: self.partition[p].ccw_out_ready <- self.ccw_link[p].in_ready);
        wire_element!(w: [self.partition[p].ccw_in] <- [self.ccw_link[next].element_out]);
        wire!(w: self.ccw_link[p].out_ready <- self.partition[before].ccw_in_ready);
        wire!(w: [self.token_link[p]] <- [self]: clock, reset);
        wire!(w: [self.token_link[p]] <- [self.partition[p]]: token_out_valid, token_out_destination, token_out_request);
        wire!(w: [self.partition[p]] <- [self.token_link[before]]: token_in_valid, token_in_destination, token_in_request);
        wire!(w: [self.partition[p]] <- [self.distant][p]: rich_in, ending, all_empty);
    }

    fn wire_rich(&mut self, w: &mut Wiring, p: usize) {
        wire_bits!(w: self, [partition[p].rich_in], q in P, self.partition[q].rich);
    }
}
