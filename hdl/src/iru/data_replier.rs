//! Data replier (section 3.2.2): answers the requests of the cores, the oldest first.
//!
//! ```text
//!  request_* ---->+--------------+   +------------+   +---------+-- take_* --> banks 0, 1
//!  token_in_* --->| request_port |-->| queue of   |-->| control |
//!  token_out_* <--|              |   | R requests |   |         |-- rich
//!                 +------^-------+   +------------+   +--+---+--+
//!                        +------------- forward ---------+   | end, last, closing beats
//!                                                      +-----v------+
//!  beat_* of the banks -------------------------------->| reply_fifo |---> reply_*
//!                                                      +------------+
//! ```
//!
//! A request from the pins to the head of the queue: 3 cycles; then a take in the cycle after a bank has a complete set.

use super::occupancy::OCCUPANCY_BITS;
use super::replier_control::ReplierControl;
use super::reply_fifo::ReplyFifo;
use super::request_port::RequestPort;
use super::take::BEAT;
use super::{INDEX_BITS, POSITION_BITS, REQUEST_BITS, SECONDARY_BITS};
use crate::circuit::wiring::Wiring;
use crate::prim::queue::Queue;
use crate::{wire, wired};
use rust_hdl::prelude::*;

wired! {
    /// P = 2^PB partitions, 2^A sets a bank, 2^R requests, C = R + 1.
    pub struct DataReplier<const P: usize, const PB: usize, const A: usize, const R: usize, const C: usize> {
        in request_valid: Signal<In, bool>,
        in request: Signal<In, Bits<REQUEST_BITS>>,
        in token_in_valid: Signal<In, bool>,
        in token_in_destination: Signal<In, Bits<PB>>,
        in token_in_request: Signal<In, Bits<REQUEST_BITS>>,
        in partition: Signal<In, Bits<PB>>,
        in rich_in: Signal<In, Bits<P>>,
        in start, ending, all_empty: Signal<In, bool>,
        in complete_valid: [Signal<In, bool>; 2],
        in complete_set, best_set: [Signal<In, Bits<A>>; 2],
        in best_count: [Signal<In, Bits<OCCUPANCY_BITS>>; 2],
        in take_ready, beat_valid: [Signal<In, bool>; 2],
        in beat_mask: [Signal<In, Bits<BEAT>>; 2],
        in beat_last: [Signal<In, bool>; 2],
        in beat_index: [[Signal<In, Bits<INDEX_BITS>>; 2]; BEAT],
        in beat_secondary: [[Signal<In, Bits<SECONDARY_BITS>>; 2]; BEAT],
        in beat_position: [[Signal<In, Bits<POSITION_BITS>>; 2]; BEAT],
        in reply_ready: Signal<In, bool>,
        out request_ready, token_out_valid: Signal<Out, bool>,
        out token_out_destination: Signal<Out, Bits<PB>>,
        out token_out_request: Signal<Out, Bits<REQUEST_BITS>>,
        out rich: Signal<Out, bool>,
        out take: [Signal<Out, bool>; 2],
        out take_set: [Signal<Out, Bits<A>>; 2],
        out take_count: [Signal<Out, Bits<OCCUPANCY_BITS>>; 2],
        out beat_room, reply_valid: Signal<Out, bool>,
        out reply_request: Signal<Out, Bits<REQUEST_BITS>>,
        out reply_mask: Signal<Out, Bits<BEAT>>,
        out reply_end, reply_last: Signal<Out, bool>,
        out reply_index: [Signal<Out, Bits<INDEX_BITS>>; BEAT],
        out reply_secondary: [Signal<Out, Bits<SECONDARY_BITS>>; BEAT],
        out reply_position: [Signal<Out, Bits<POSITION_BITS>>; BEAT],
    }
    /// `timeout`: cycles after which a request no longer waits for a complete set.
    children new(timeout: u64) {
        port: RequestPort<PB>,
        requests: Queue<REQUEST_BITS, R, C>,
        control: ReplierControl<P, PB, A> = ReplierControl::new(timeout),
        fifo: ReplyFifo,
    }
}

impl<const P: usize, const PB: usize, const A: usize, const R: usize, const C: usize> DataReplier<P, PB, A, R, C> {
    fn wire(&mut self, w: &mut Wiring) {
        w.comment(" Requests.");
        wire!(w: [self.port] <- [self]: clock, reset, request_valid, request, token_in_valid, token_in_destination,
            token_in_request, partition);
        wire!(w: [self.port] <- [self.control]: forward, forward_destination, forward_request);
        wire!(w: [self] <- [self.port]: request_ready, token_out_valid, token_out_destination, token_out_request);
        wire!(w: [self.requests] <- [self]: clock, reset);
        wire!(w: self.requests.push <- self.port.push);
        wire!(w: self.requests.push_data <- self.port.push_request);
        wire!(w: self.requests.take <- self.control.head_take);

        w.comment(" What is done with the oldest.");
        wire!(w: [self.control] <- [self]: clock, reset, partition, rich_in, start, ending, all_empty);
        wire!(w: self.control.head_valid <- self.requests.head_valid);
        wire!(w: self.control.head <- self.requests.head_data);
        wire!(w: self.control.queue_empty <- self.requests.empty);
        wire!(w: [self.control] <- [self.port]: request_ready, token_passes);
        wire!(w: self.control.fifo_low <- self.fifo.low);
        for bank in 0..2 {
            wire!(w: [self.control][bank] <- [self][bank]: complete_valid, complete_set, best_set, best_count,
                take_ready, beat_valid, beat_last);
            wire!(w: [self][bank] <- [self.control][bank]: take, take_set, take_count);
        }
        wire!(w: self.rich <- self.control.rich);
        self.wire_fifo(w);
    }

    fn wire_fifo(&mut self, w: &mut Wiring) {
        w.comment(" Replies.");
        wire!(w: [self.fifo] <- [self]: clock, reset, reply_ready);
        wire!(w: self.fifo.push <- self.control.beat_push);
        wire!(w: self.fifo.closing <- self.control.closing);
        wire!(w: self.fifo.bank <- self.control.beat_bank);
        wire!(w: self.fifo.push_request <- self.requests.head_data);
        wire!(w: self.fifo.push_end <- self.control.reply_end);
        wire!(w: self.fifo.push_last <- self.control.reply_last);
        for bank in 0..2 {
            wire!(w: self.fifo.beat_mask[bank] <- self.beat_mask[bank]);
            for j in 0..BEAT {
                wire!(w: [self.fifo][j][bank] <- [self][j][bank]: beat_index, beat_secondary, beat_position);
            }
        }
        wire!(w: self.beat_room <- self.fifo.low);
        wire!(w: [self] <- [self.fifo]: reply_valid, reply_request, reply_mask, reply_end, reply_last);
        for j in 0..BEAT {
            wire!(w: [self][j] <- [self.fifo][j]: reply_index, reply_secondary, reply_position);
        }
    }
}
