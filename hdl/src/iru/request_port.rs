//! Requests come from a core and, as tokens, round the token ring (section 3.2.2).
//!
//! ```text
//!  request ----> input register --+
//!                                 +-- token first --> push
//!  token_in ---- for here --------+
//!      '-------- for another ------------+--> token register ----> token_out
//!  forward ------------------------------+
//! ```
//!
//! The token ring is slotted: a token for another partition passes in one cycle, nothing ever waits on the ring.

use super::REQUEST_BITS;
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// PB = log2 of the partitions.
    pub struct RequestPort<const PB: usize>, inputs Inputs, clocked {
        in request_valid: Signal<In, bool>,
        in request: Signal<In, Bits<REQUEST_BITS>>,
        in token_in_valid: Signal<In, bool>,
        in token_in_destination: Signal<In, Bits<PB>>,
        in token_in_request: Signal<In, Bits<REQUEST_BITS>>,
        in partition: Signal<In, Bits<PB>>,
        in forward: Signal<In, bool>,
        in forward_destination: Signal<In, Bits<PB>>,
        in forward_request: Signal<In, Bits<REQUEST_BITS>>,
        out request_ready, push: Signal<Out, bool>,
        out push_request: Signal<Out, Bits<REQUEST_BITS>>,
        out token_passes, token_out_valid: Signal<Out, bool>,
        out token_out_destination: Signal<Out, Bits<PB>>,
        out token_out_request: Signal<Out, Bits<REQUEST_BITS>>,
    } described by describe
}

fn describe<'a, const PB: usize>(b: &'a Builder, i: &Inputs<'a, PB>) {
    let waits = b.register("request_waits", 1);
    let token_valid = b.register("token_out_valid", 1);

    b.comment("Into the queue: a token before the input register.");
    let mine = (i.token_in_valid & i.token_in_destination.equals(i.partition)).name("token_is_mine");
    let takes = (i.request_valid & !waits).name("request_taken");
    waits.drive(takes | (waits & mine));
    let request = b.data_register("waiting_request", i.request, takes);
    b.output("request_ready", !waits);
    b.output("push", mine | waits);
    b.output("push_request", mine.mux(i.token_in_request, request));

    b.comment("Round the ring.");
    let passes = (i.token_in_valid & !mine).name("token_passes");
    let goes = (passes | i.forward).name("token_goes");
    token_valid.drive(goes);
    let destination = passes.mux(i.token_in_destination, i.forward_destination);
    let request = passes.mux(i.token_in_request, i.forward_request);
    b.output("token_passes", passes);
    b.output("token_out_valid", token_valid);
    b.output("token_out_destination", b.data_register("token_out_destination", destination, goes));
    b.output("token_out_request", b.data_register("token_out_request", request, goes));
}
