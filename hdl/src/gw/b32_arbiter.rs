//! Fetch arbiter of the baseline: one fetch a cycle, round robin over the schedulers.
//!
//! ```text
//!  want_*_s --[ round robin ]--[ fetch_room ]--+--[r]-- fetch_*
//!                                              +--> granted_s
//! ```

use super::LINE_BITS;
use crate::circuit::net::Builder;
use crate::circuit::round_robin::{number, Pick, RoundRobin};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// S schedulers, SB bits number them, P bits number a place.
    pub struct B32Arbiter<const S: usize, const SB: usize, const P: usize>, inputs Inputs, clocked {
        in want_valid: [Signal<In, bool>; S],
        in want_place: [Signal<In, Bits<P>>; S],
        in want_line: [Signal<In, Bits<LINE_BITS>>; S],
        in fetch_room: Signal<In, bool>,
        out granted: [Signal<Out, bool>; S],
        out fetch_valid: Signal<Out, bool>,
        out fetch_scheduler: Signal<Out, Bits<SB>>,
        out fetch_place: Signal<Out, Bits<P>>,
        out fetch_line: Signal<Out, Bits<LINE_BITS>>,
    } described by describe
}

fn describe<'a, const S: usize, const SB: usize, const P: usize>(b: &'a Builder, i: &Inputs<'a, S, SB, P>) {
    let wants = b.bits(&i.want_valid).name("wants");
    let round_robin = RoundRobin::new(b, "turn", S);
    let Pick { chosen, behind, .. } = round_robin.pick("wants", wants);
    let fetches = (wants.any() & i.fetch_room).name("fetches");
    round_robin.pass(fetches, behind);
    for s in 0..S {
        b.output(format!("granted${s}"), chosen.bit(s) & i.fetch_room);
    }
    let valid = b.registered("fetch_valid", fetches);
    b.output("fetch_valid", valid);
    b.output("fetch_scheduler", b.delay("fetch_scheduler", number(b, chosen, SB)));
    b.output("fetch_place", b.delay("fetch_place", b.one_of(&chosen.each(), &i.want_place)));
    b.output("fetch_line", b.delay("fetch_line", b.one_of(&chosen.each(), &i.want_line)));
}
