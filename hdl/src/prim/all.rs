//! And of N flags: what a parent that only connects cannot say itself.

use crate::circuit::net::{Builder, Net};
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// `all` is high while every flag is.
    pub struct All<const N: usize>, inputs Inputs {
        in flag: [Signal<In, bool>; N],
        out all: Signal<Out, bool>,
    }
}

impl<const N: usize> Default for All<N> {
    fn default() -> Self {
        Self::describe_as(|b, i| describe(b, &i.flag))
    }
}

fn describe<'a>(b: &'a Builder, flags: &[Net<'a>]) {
    b.output("all", b.and_all(flags));
}
