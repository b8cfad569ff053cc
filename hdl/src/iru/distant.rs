//! What partitions with links between them know of each other.
//!
//! The whole unit is at rest: all partitions were in one cycle, and all links between them.
//!
//! ```text
//!   cw_empty_p, ccw_empty_p -[r]-+
//!   quiet_p ---------------------+--[r]-...-[r]--> all --[r]--[r]-...-[r]--> ending_p
//!   vacant_p -----------------------[r]-...-[r]--> all --[r]--[r]-...-[r]--> all_empty_p
//!                                    L stages                 L stages
//! ```
//!
//! `quiet` is of the cycle before, and so is what it is joined with of the links. With `start` what is on its way is of
//! the job before: `start` and the cycle after it clear `ending` everywhere.
//!
//! A partition knows at once whether it has elements to spare; of one that is n ways off it knows that n L cycles later.

use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// P partitions; links by the partition at which they begin.
    pub struct Distant<const P: usize>, inputs Inputs, clocked {
        in start: Signal<In, bool>,
        in quiet, vacant, cw_empty, ccw_empty, rich: [Signal<In, bool>; P],
        out ending, all_empty: [Signal<Out, bool>; P],
        out rich_in: [Signal<Out, Bits<P>>; P],
    }
    /// `stages`: registers to the middle, and as many back; also between neighbours.
    described by describe(stages: usize)
}

fn describe<'a, const P: usize>(b: &'a Builder, i: &Inputs<'a, P>, stages: usize) {
    describe_rest(b, i, stages);
    let known: Vec<Vec<Net<'a>>> = (0..P).map(|q| by_distance(b, q, i.rich[q], stages, P / 2)).collect();
    for p in 0..P {
        let apart = |q: usize| (q + P - p) % P;
        let rich = |q: usize| known[q][apart(q).min(P - apart(q))];
        b.output(format!("rich_in${p}"), b.bits(&(0..P).map(rich).collect::<Vec<_>>()));
    }
}

fn by_distance<'a>(b: &'a Builder, q: usize, rich: Net<'a>, stages: usize, most: usize) -> Vec<Net<'a>> {
    let mut known = vec![rich];
    for stage in 1..=most * stages {
        let before = known[known.len() - 1];
        known.push(b.registered(format!("rich_{q}_{stage}"), before));
    }
    known.into_iter().step_by(stages).collect()
}

fn describe_rest<'a, const P: usize>(b: &'a Builder, i: &Inputs<'a, P>, stages: usize) {
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
