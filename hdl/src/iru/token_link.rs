//! The way of the token ring to the next partition: a slot a cycle, nothing ever waits.

use super::REQUEST_BITS;
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// PB = log2 of the partitions.
    pub struct TokenLink<const PB: usize>, inputs Inputs, clocked {
        in token_out_valid: Signal<In, bool>,
        in token_out_destination: Signal<In, Bits<PB>>,
        in token_out_request: Signal<In, Bits<REQUEST_BITS>>,
        out token_in_valid: Signal<Out, bool>,
        out token_in_destination: Signal<Out, Bits<PB>>,
        out token_in_request: Signal<Out, Bits<REQUEST_BITS>>,
    }
    /// `stages`: registers on the way.
    described by describe(stages: usize)
}

fn describe<'a, const PB: usize>(b: &'a Builder, i: &Inputs<'a, PB>, stages: usize) {
    let (mut valid, mut destination, mut request) = (i.token_out_valid, i.token_out_destination, i.token_out_request);
    for stage in 1..=stages {
        destination = b.data_register(format!("destination_{stage}"), destination, valid);
        request = b.data_register(format!("request_{stage}"), request, valid);
        valid = b.registered(format!("valid_{stage}"), valid);
    }
    b.output("token_in_valid", valid);
    b.output("token_in_destination", destination);
    b.output("token_in_request", request);
}
