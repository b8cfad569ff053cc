//! The places of a scheduler that the core answers: from now on it is known what follows on their last instruction.

use super::places::places_of;
use crate::circuit::net::Builder;
use crate::gw::select::select;
use crate::network;
use rust_hdl::prelude::*;

network! {
    /// N places, H = N / 2 pairs, Q bits number a pair.
    pub struct Answers<const N: usize, const H: usize, const Q: usize>, inputs Inputs {
        in answer_even, answer_odd: Signal<In, bool>,
        in answer_pair: Signal<In, Bits<Q>>,
        out resolved_pairs: Signal<Out, Bits<H>>,
        out resolved: Signal<Out, Bits<N>>,
    } described by describe
}

fn describe<'a, const N: usize, const H: usize, const Q: usize>(b: &'a Builder, i: &Inputs<'a, N, H, Q>) {
    assert_eq!(N, 2 * H);
    let pairs = select("pair", i.answer_pair, H);
    b.output("resolved_pairs", pairs);
    b.output("resolved", places_of(b, "resolved", pairs, i.answer_even, i.answer_odd));
}
