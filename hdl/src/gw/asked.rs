//! The scheduler of the arbiter's ask.

use super::select::select;
use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// S schedulers, SB bits number them.
    pub struct Asked<const S: usize, const SB: usize>, inputs Inputs {
        in ask_valid: Signal<In, bool>,
        in ask_scheduler: Signal<In, Bits<SB>>,
        out asked: [Signal<Out, bool>; S],
    } described by describe
}

fn describe<'a, const S: usize, const SB: usize>(b: &'a Builder, i: &Inputs<'a, S, SB>) {
    let scheduler = select("scheduler", i.ask_scheduler, S);
    for s in 0..S {
        b.output(format!("asked${s}"), i.ask_valid & scheduler.bit(s));
    }
}
