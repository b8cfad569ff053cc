//! The whole unit is at rest: all partitions were in the cycle before.

use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// P partitions.
    pub struct UnitState<const P: usize>, inputs Inputs, clocked {
        in quiet, vacant: [Signal<In, bool>; P],
        out ending, all_empty: Signal<Out, bool>,
    } described by describe
}

fn describe<'a, const P: usize>(b: &'a Builder, i: &Inputs<'a, P>) {
    let ending = b.register("ending", 1);
    ending.drive(b.and_all(&i.quiet));
    b.output("ending", ending);
    let all_empty = b.register("all_empty", 1);
    all_empty.drive(b.and_all(&i.vacant));
    b.output("all_empty", all_empty);
}
