//! Scheduler of the baseline (section 2): issues one warp a cycle, round robin.
//!
//! ```text
//!  ready, room for its path, not issuing --> round robin --[r]--> issue_valid, issue_warp
//! ```
//!
//! Latency 1; an issue in every cycle.

use super::record::PATH_BITS;
use crate::circuit::net::Builder;
use crate::circuit::round_robin::{number, RoundRobin};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N warps, P bits number them.
    pub struct RoundRobinScheduler<const N: usize, const P: usize>, inputs Inputs, clocked {
        in ready: Signal<In, Bits<N>>,
        in path: [Signal<In, Bits<PATH_BITS>>; N],
        in room: Signal<In, Bits<4>>,
        out issue_valid: Signal<Out, bool>,
        out issue_warp: Signal<Out, Bits<P>>,
    } described by describe
}

fn describe<'a, const N: usize, const P: usize>(b: &'a Builder, i: &Inputs<'a, N, P>) {
    let (issue_valid, issue_warp) = (b.register("issue_valid", 1), b.storage("issue_warp", P));
    let issues = |warp: usize| issue_valid & issue_warp.is(warp as u64);
    let issues = b.bits(&(0..N).map(issues).collect::<Vec<_>>());
    let room: Vec<_> = i.path.iter().map(|&path| i.room.index(path)).collect();
    let can_go = (i.ready & b.bits(&room) & !issues).name("can_go");
    let round_robin = RoundRobin::new(b, "turn", N);
    let first = round_robin.pick("first", can_go);
    let goes = can_go.any().name("some_go");
    round_robin.pass(goes, first.behind);
    issue_valid.drive(goes);
    issue_warp.drive(number(b, first.chosen, P));
    b.output("issue_valid", issue_valid);
    b.output("issue_warp", issue_warp);
}
