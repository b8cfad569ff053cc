//! The part of a hash that is the set within a bank.

use crate::circuit::net::Builder;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// The lower A bits of H.
    pub struct SetOfHash<const H: usize, const A: usize>, inputs Inputs {
        in hash: Signal<In, Bits<H>>,
        out home_set: Signal<Out, Bits<A>>,
    } described by describe
}

fn describe<'a, const H: usize, const A: usize>(b: &'a Builder, i: &Inputs<'a, H, A>) {
    // Partition and bank: that the element is here has been decided by them.
    let _ = i.hash.slice(A, H - A).name("unused_place");
    b.output("home_set", i.hash.slice(0, A));
}
