//! And of N flags: what a parent that only connects cannot say itself.

use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// `all` is high while every flag is.
    pub struct All<const N: usize>, inputs Inputs {
        in flag: [Signal<In, bool>; N],
        out all: Signal<Out, bool>,
    } described by describe
}

fn describe<'a, const N: usize>(b: &'a Builder, i: &Inputs<'a, N>) {
    b.output("all", b.and_all(&i.flag));
}
