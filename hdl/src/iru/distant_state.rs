//! The whole unit is at rest: all partitions were in one cycle, and all links between them.
//!
//! ```text
//!   cw_empty_p, ccw_empty_p -[r]-+
//!   quiet_p, vacant_p -----------+--[r]-...-[r]--> all --[r]--[r]-...-[r]--> ending_p, all_empty_p
//!                                    L stages                 L stages
//! ```
//!
//! `quiet` is of the cycle before, and so is what it is joined with of the links. With `start` what is on its way is of
//! the job before: `start` and the cycle after it clear `ending` everywhere.

use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// P partitions; links by the partition at which they begin.
    pub struct DistantState<const P: usize>, inputs Inputs, clocked {
        in start: Signal<In, bool>,
        in quiet, vacant, cw_empty, ccw_empty: [Signal<In, bool>; P],
        out ending, all_empty: [Signal<Out, bool>; P],
    }
    /// `stages`: registers to the middle, and as many back.
    described by describe(stages: usize)
}

fn describe<'a, const P: usize>(b: &'a Builder, i: &Inputs<'a, P>, stages: usize) {
    let started = b.registered("started", i.start);
    let counts = (!(i.start | started)).name("counts");
    let chain = |name: String, first: Net<'a>, kept: Option<Net<'a>>| {
        (1..=stages).fold(first, |net, stage| {
            let d = kept.map_or(net, |kept| net & kept);
            b.registered(format!("{name}_{stage}"), d)
        })
    };
    let quiet = |p: usize| {
        let links = b.registered(format!("links_empty_{p}"), i.cw_empty[p] & i.ccw_empty[p]);
        chain(format!("quiet_{p}"), i.quiet[p] & links, Some(counts))
    };
    let vacant = |p: usize| chain(format!("vacant_{p}"), i.vacant[p], None);
    let quiet: Vec<_> = (0..P).map(quiet).collect();
    let vacant: Vec<_> = (0..P).map(vacant).collect();
    let ending = b.registered("ending", b.and_all(&quiet) & counts);
    let all_empty = b.registered("all_empty", b.and_all(&vacant));
    for p in 0..P {
        b.output(format!("ending${p}"), chain(format!("ending_{p}"), ending, Some(counts)));
        b.output(format!("all_empty${p}"), chain(format!("all_empty_{p}"), all_empty, None));
    }
}
