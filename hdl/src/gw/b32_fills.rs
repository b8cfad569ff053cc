//! The scheduler and the place of the baseline that a fill is for.

use super::select::select;
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// S schedulers of N places; SB and P bits number a scheduler and a place.
    pub struct B32Fills<const S: usize, const N: usize, const SB: usize, const P: usize>, inputs Inputs {
        in fill_valid: Signal<In, bool>,
        in fill_scheduler: Signal<In, Bits<SB>>,
        in fill_place: Signal<In, Bits<P>>,
        out here: [Signal<Out, bool>; S],
        out fills: [Signal<Out, Bits<N>>; S],
    } described by describe
}

fn describe<'a, const S: usize, const N: usize, const SB: usize, const P: usize>(
    b: &'a Builder,
    i: &Inputs<'a, S, N, SB, P>,
) {
    let schedulers = select("scheduler", i.fill_scheduler, S);
    let places = select("place", i.fill_place, N);
    for s in 0..S {
        let here = (i.fill_valid & schedulers.bit(s)).name(format!("is_of_{s}"));
        b.output(format!("here${s}"), here);
        b.output(format!("fills${s}"), here.repeat(N) & places);
    }
}
