//! Fetch in a scheduler of the baseline: which warp wants a line, and the fetch register.
//!
//! ```text
//!  running, slot_*, open, answered ------> candidates --[ round robin ]--[r]-- fetch_places --+--> want_valid
//!  check_places: its last instruction ------^                                                  +--> want_place
//!  pc_i ---------------------------------------------------------------------------------------+--> want_line
//!  granted --> asked, until fills
//! ```
//!
//! A warp is chosen while it may come to want a line, and dropped if it then does not.

use super::{LINE_BITS, PC_BITS};
use crate::circuit::net::Builder;
use crate::circuit::round_robin::{number, Pick, RoundRobin};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, P bits number them.
    pub struct B32Fetch<const N: usize, const P: usize>, inputs Inputs, clocked {
        in running, slot_0, slot_1, open, waits, answered, ready, issues, fills, check_places: Signal<In, Bits<N>>,
        in check_slot, check_flow, granted: Signal<In, bool>,
        in pc: [Signal<In, Bits<PC_BITS>>; N],
        out want_valid: Signal<Out, bool>,
        out want_place: Signal<Out, Bits<P>>,
        out want_line: Signal<Out, Bits<LINE_BITS>>,
    } described by describe
}

fn describe<'a, const N: usize, const P: usize>(b: &'a Builder, i: &Inputs<'a, N, P>) {
    let [fetch_places, asked] = ["fetch_places", "asked"].map(|name| b.register(name, N));

    b.comment("The first place in turn that wants a line, or may do so in the next cycle.");
    let empty = (!i.slot_0 & !i.slot_1 & !i.open).name("empty");
    let may_pass = (i.check_slot & !i.check_flow).repeat(N) & !i.ready & !i.open & !i.waits;
    let last = (i.check_places & i.slot_1 & !i.slot_0 & may_pass).name("last");
    let candidates = (i.running & !asked & ((empty & !fetch_places) | i.answered | last)).name("candidates");
    let round_robin = RoundRobin::new(b, "turn", N);
    let Pick { chosen, behind, .. } = round_robin.pick("fetch", candidates);

    b.comment("What the place in the fetch register wants.");
    let wants = (fetch_places & i.running & empty).any().name("wants");
    let free = (!wants | i.granted).name("free");
    round_robin.pass(free & candidates.any(), behind);
    fetch_places.drive(free.mux(chosen, fetch_places));
    asked.drive((asked | (fetch_places & i.granted.repeat(N))) & !i.fills);
    let pc = b.one_of(&fetch_places.each(), &i.pc).name("fetch_pc");
    let line = pc.slice(1, LINE_BITS).name("fetch_line");
    let ahead = ((fetch_places & (i.ready | i.issues)).any() & pc.bit(0)).name("ahead");
    b.output("want_valid", wants);
    b.output("want_place", number(b, fetch_places, P));
    b.output("want_line", ahead.mux(line.increment(), line));
}
