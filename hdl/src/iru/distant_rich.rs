//! Which partitions have elements to spare, as each of them knows it: of itself at once, of one that is n ways off n L
//! cycles later.

use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// P partitions.
    pub struct DistantRich<const P: usize>, inputs Inputs, clocked {
        in rich: [Signal<In, bool>; P],
        out rich_in: [Signal<Out, Bits<P>>; P],
    }
    /// `stages`: registers between neighbours.
    described by describe(stages: usize)
}

fn describe<'a, const P: usize>(b: &'a Builder, i: &Inputs<'a, P>, stages: usize) {
    // Of each partition, by distance.
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
