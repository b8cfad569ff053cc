//! Fetches that the places of a scheduler want, in turn.
//!
//! ```text
//!  missed --[ round robin ]--[r]-- turn --[ still missed: its line ]--[r]--> want_*   to the arbiter
//! ```
//!
//! A want is on the pins in the second cycle after its place was chosen.

use crate::circuit::net::Builder;
use crate::circuit::round_robin::{number, Pick, RoundRobin};
use crate::gw::LINE_BITS;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, P bits number them.
    pub struct Wants<const N: usize, const P: usize>, inputs Inputs, clocked {
        in missed, missed_next, beyond: Signal<In, Bits<N>>,
        in front_line: [Signal<In, Bits<LINE_BITS>>; N],
        out want_valid: Signal<Out, bool>,
        out want_place: Signal<Out, Bits<P>>,
        out want_line: Signal<Out, Bits<LINE_BITS>>,
    } described by describe
}

fn describe<'a, const N: usize, const P: usize>(b: &'a Builder, i: &Inputs<'a, N, P>) {
    let round_robin = RoundRobin::new(b, "want", N);
    let Pick { chosen, behind, .. } = round_robin.pick("want", i.missed);
    round_robin.pass(i.missed.any(), behind);
    let turn = b.registered("turn", chosen);

    b.comment("The line of the place whose turn it is, if its line has to be fetched still.");
    let line = b.one_of(&turn.each(), &i.front_line) + (turn & i.beyond).any().extend(LINE_BITS);
    b.output("want_valid", b.registered("want_valid", (turn & i.missed_next).any()));
    b.output("want_place", b.delay("want_place", number(b, turn, P)));
    b.output("want_line", b.delay("want_line", line));
}
