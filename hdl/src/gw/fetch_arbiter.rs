//! Fetch arbiter (section 6.2): one fetch a cycle, round robin over the schedulers; one fetch serves all warps that wait for its
//! line.
//!
//! ```text
//!  want_*_0 ---[ line is not on the pins, nor was it dealt with just now ]--+
//!    ...                                                                    +--[ round robin ]--[r]-- ask_*
//!  want_*_S-1 -[ line is not on the pins, nor was it dealt with just now ]--+                    ^
//!                                                                                                |
//!  fetch_room, fill_valid ---------------------[ the ask is over ]-------------------------------+
//! ```
//!
//! A want is on the ask pins in the next cycle; one ask a cycle.

use super::LINE_BITS;
use crate::circuit::net::{Builder, Net};
use crate::circuit::round_robin::{number, Pick, RoundRobin};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// S schedulers, SB bits number them, PB bits number a place.
    pub struct FetchArbiter<const S: usize, const SB: usize, const PB: usize>, inputs Inputs, clocked {
        in want_valid: [Signal<In, bool>; S],
        in want_place: [Signal<In, Bits<PB>>; S],
        in want_line: [Signal<In, Bits<LINE_BITS>>; S],
        in fetch_room, fill_valid: Signal<In, bool>,
        out ask_valid: Signal<Out, bool>,
        out ask_scheduler: Signal<Out, Bits<SB>>,
        out ask_place: Signal<Out, Bits<PB>>,
        out ask_line: Signal<Out, Bits<LINE_BITS>>,
    } described by describe
}

fn describe<'a, const S: usize, const SB: usize, const PB: usize>(b: &'a Builder, i: &Inputs<'a, S, SB, PB>) {
    assert!(S <= 1 << SB);
    let ask_valid = b.register("ask_valid", 1);
    let ask_line = b.storage("ask_line", LINE_BITS);

    b.comment("The storage deals with the ask in this cycle.");
    let over = (ask_valid & i.fetch_room & !i.fill_valid).name("over");
    let free = (!ask_valid | over).name("free");
    let was_over = b.registered("was_over", over);
    let over_line = b.data_register("over_line", ask_line, over);

    b.comment("Of the schedulers that want another line, the first in turn.");
    let wants = |s: usize| -> Net<'a> {
        let line = i.want_line[s];
        i.want_valid[s] & !(ask_valid & line.equals(ask_line)) & !(was_over & line.equals(over_line))
    };
    let wants = b.bits(&(0..S).map(wants).collect::<Vec<_>>()).name("wants");
    let round_robin = RoundRobin::new(b, "turn", S);
    let Pick { chosen, behind, .. } = round_robin.pick("wants", wants);
    let asks = (free & wants.any()).name("asks");
    round_robin.pass(asks, behind);

    ask_valid.drive(asks | (ask_valid & !free));
    ask_line.load(b.one_of(&chosen.each(), &i.want_line), asks);
    b.output("ask_valid", ask_valid);
    b.output("ask_line", ask_line);
    b.output("ask_scheduler", b.data_register("ask_scheduler", number(b, chosen, SB), asks));
    b.output("ask_place", b.data_register("ask_place", b.one_of(&chosen.each(), &i.want_place), asks));
}
