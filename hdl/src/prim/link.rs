//! A way of some millimetres: a register every so far, and credits, so that nothing waits on the way.
//!
//! ```text
//!   in_valid --->+---------+     +---+     +---+     +-----------------+---> out_valid
//!   in_data  --->| a credit|---->|   |-...-|   |---->| queue of 2^A    |---> out_data
//!   in_ready <---| is left |     +>--+     +>--+     +-----------------+<--- out_ready
//!                | used    |     +---+     +---+              |
//!   empty <------|         |<----|   |-...-|   |<-------------+ taken
//!                +---------+     +--<+     +--<+
//! ```
//!
//! An element takes a credit, and gives it back when it leaves: there are as many as the queue has entries. A credit that
//! is used in cycle t can be used again in t + 2 L + 3, where L is the number of stages: with 2 L + 3 credits or more an
//! element a cycle goes through.

use super::queue::Queue;
use crate::circuit::net::Builder;
use crate::circuit::wiring::Wiring;
use crate::{network, wire, wired};
use rust_hdl::prelude::*;

/// Bits of the number of credits in use: credits are a power of two, 2 L + 3 or more with L stages. What has no link, 0 stages, is of the
/// same type as with one.
pub const fn credit_bits(stages: usize) -> usize {
    let stages = if stages == 0 { 1 } else { stages };
    (2 * stages + 3).next_power_of_two().trailing_zeros() as usize + 1
}

wired! {
    /// Elements of W bits, 2^A credits, C = A + 1.
    pub struct Link<const W: usize, const A: usize, const C: usize> {
        in in_valid: Signal<In, bool>,
        in in_data: Signal<In, Bits<W>>,
        in out_ready: Signal<In, bool>,
        out in_ready, out_valid: Signal<Out, bool>,
        out out_data: Signal<Out, Bits<W>>,
        out empty: Signal<Out, bool>,
    }
    /// `stages`: registers each way, 1 or more.
    children new(stages: usize) {
        way: LinkWay<W, C> = LinkWay::new(stages),
        queue: Queue<W, A, C>,
    }
}

impl<const W: usize, const A: usize, const C: usize> Link<W, A, C> {
    fn wire(&mut self, w: &mut Wiring) {
        wire!(w: [self.way] <- [self]: clock, reset, in_valid, in_data, out_ready);
        wire!(w: [self] <- [self.way]: in_ready, empty);
        wire!(w: [self.queue] <- [self]: clock, reset);
        wire!(w: [self.queue] <- [self.way]: push, push_data, take);
        wire!(w: self.way.out_valid <- self.queue.head_valid);
        wire!(w: self.out_valid <- self.queue.head_valid);
        wire!(w: self.out_data <- self.queue.head_data);
    }
}

network! {
    /// Both ways, and the credits; 2^(C - 1) of them.
    pub struct LinkWay<const W: usize, const C: usize>, inputs Inputs, clocked {
        in in_valid: Signal<In, bool>,
        in in_data: Signal<In, Bits<W>>,
        in out_valid, out_ready: Signal<In, bool>,
        out in_ready, push: Signal<Out, bool>,
        out push_data: Signal<Out, Bits<W>>,
        out take, empty: Signal<Out, bool>,
    }
    /// `stages`: registers each way, 1 or more.
    described by describe(stages: usize)
}

fn describe<'a, const W: usize, const C: usize>(b: &'a Builder, i: &Inputs<'a, W, C>, stages: usize) {
    assert!(stages > 0 && C >= credit_bits(stages));
    let used = b.register("used", C);
    let ready = !used.bit(C - 1);
    let enters = (i.in_valid & ready).name("enters");

    let (mut valid, mut data) = (enters, i.in_data);
    for stage in 1..=stages {
        data = b.data_register(format!("data_{stage}"), data, valid);
        valid = b.registered(format!("valid_{stage}"), valid);
    }
    b.output("push", valid);
    b.output("push_data", data);

    let take = (i.out_valid & i.out_ready).name("taken");
    let mut home = take;
    for stage in 1..=stages {
        home = b.registered(format!("credit_{stage}"), home);
    }
    b.output("take", take);

    b.comment("Credits.");
    let step = home.mux(b.constant((1 << C) - 1, C), b.constant(1, C));
    let next = used + ((enters ^ home).repeat(C) & step);
    let next = next.name("next_used");
    used.drive(next);
    b.output("in_ready", ready);
    b.output("empty", !b.registered("busy", next.any()));
}
