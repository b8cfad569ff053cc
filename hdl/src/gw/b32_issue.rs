//! Issue in a scheduler of the baseline: warps that wait for their path alone, round robin, then what passes the check.
//!
//! ```text
//!  ready, path, room --[ round robin ]----------------------+--[r]-- issue_valid, issue_place, issues
//!  passes, check_path, room --[ nothing that is ready ]-----+
//!                        |
//!                        +--[ does not issue ]--[r]-- ready, path
//! ```
//!
//! Latency 1; an issue in every cycle.

use super::record::PATH_BITS;
use crate::circuit::net::Builder;
use crate::circuit::round_robin::{number, Pick, RoundRobin};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, P bits number them.
    pub struct B32Issue<const N: usize, const P: usize>, inputs Inputs, clocked {
        in room: Signal<In, Bits<4>>,
        in check_places: Signal<In, Bits<N>>,
        in check_path: Signal<In, Bits<PATH_BITS>>,
        in passes: Signal<In, bool>,
        in passes_places: Signal<In, Bits<N>>,
        out issue_valid: Signal<Out, bool>,
        out issue_place: Signal<Out, Bits<P>>,
        out issues, ready: Signal<Out, Bits<N>>,
    }
    /// `lowest`: the lowest place issues first, not the next in turn.
    described by describe(lowest: bool)
}

fn describe<'a, const N: usize, const P: usize>(b: &'a Builder, i: &Inputs<'a, N, P>, lowest: bool) {
    let ready = b.register("ready", N);

    b.comment("The first place in turn that is ready and has room.");
    let has_room = |place: usize| {
        let path = b.storage(format!("path_{place}"), PATH_BITS);
        path.load(i.check_path, i.check_places.bit(place) & !ready.bit(place));
        i.room.index(path)
    };
    let has_room: Vec<_> = (0..N).map(has_room).collect();
    let can_go = (ready & b.bits(&has_room)).name("can_go");
    let round_robin = if lowest { RoundRobin::lowest(b) } else { RoundRobin::new(b, "turn", N) };
    let Pick { chosen, behind, .. } = round_robin.pick("ready", can_go);
    let some = can_go.any().name("some_ready");
    round_robin.pass(some, behind);

    b.comment("Else what passes the check.");
    let free = (!some & i.room.index(i.check_path)).name("free");
    let goes = (free & i.passes).name("passes_goes");
    let parks = i.passes_places & (!free).repeat(N);
    ready.drive((ready & !chosen) | parks);
    let place = (chosen | (i.check_places & (!some).repeat(N))).name("place");
    let issue_valid = b.registered("issue_valid", some | goes);
    b.output("issue_valid", issue_valid);
    b.output("issue_place", b.delay("issue_place", number(b, place, P)));
    let issues = b.registered("issues", chosen | (i.passes_places & free.repeat(N)));
    b.output("issues", issues);
    b.output("ready", ready);
}
