//! What a core and the hub tell each other besides IDs, some cycles later.
//!
//! ```text
//!  quiet, greedy ---[r]-...-[r]---> hub_quiet, hub_greedy
//!  send <-----------[r]-...-[r]---- hub_send
//!  all_done <--[r]--[ & ]--...-[r]- hub_all_done
//!  pull_part, configure --[ changed in 2 stages + 1 cycles? ]--'
//! ```
//!
//! What is on its way when the sides are exchanged, or the mode is changed, is about the sides before: it never gets to the
//! core. All cores change in one cycle, and so all of them see the same.

use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    pub struct CoreSignals, inputs Inputs, clocked {
        in configure, pull_part, quiet, hub_all_done: Signal<In, bool>,
        in greedy, hub_send: Signal<In, Bits<2>>,
        out hub_quiet, all_done: Signal<Out, bool>,
        out hub_greedy, send: Signal<Out, Bits<2>>,
    }
    /// `stages`: registers each way, 1 or more.
    described by describe(stages: usize)
}

fn describe<'a>(b: &'a Builder, i: &Inputs<'a>, stages: usize) {
    let way = |name: &str, first: Net<'a>, stages: usize| {
        (1..=stages).fold(first, |net, stage| b.registered(format!("{name}_{stage}"), net))
    };
    b.output("hub_quiet", way("quiet", i.quiet, stages));
    b.output("hub_greedy", way("greedy", i.greedy, stages));
    b.output("send", way("send", i.hub_send, stages));

    b.comment("Cycles for which what comes is outdated.");
    let exchanged = i.pull_part ^ b.registered("pull_part_before", i.pull_part);
    let changed = (exchanged | b.registered("configured", i.configure)).name("changed");
    let cycles = 2 * stages as u64;
    let width = cycles.ilog2() as usize + 1;
    let left = b.register("outdated", width);
    let fewer = left + (left.any().repeat(width) & b.constant((1 << width) - 1, width));
    left.drive(changed.mux(b.constant(cycles, width), fewer).name("next_outdated"));
    let counts = !(changed | left.any());
    let all_done = way("all_done", i.hub_all_done, stages - 1) & counts;
    b.output("all_done", b.registered(format!("all_done_{stages}"), all_done));
}
