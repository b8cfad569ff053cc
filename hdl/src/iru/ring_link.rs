//! The way of the ring from a partition to its neighbour: a [`Link`] of words that have the element and its place.

use super::element::{output_word, ElementIn, ElementOut, MORE_BITS};
use super::ELEMENT_BITS;
use crate::circuit::net::Builder;
use crate::circuit::wiring::Wiring;
use crate::prim::link::Link;
use crate::{network, wire, wire_element, wired};
use rust_hdl::prelude::*;

wired! {
    /// E bits of place and X more elements, N = 80 + E + 81 X; 2^Q credits, K = Q + 1.
    pub struct RingLink<const E: usize, const N: usize, const Q: usize, const K: usize, const X: usize> {
        in element_in: ElementIn<E, X>,
        in out_ready: Signal<In, bool>,
        out in_ready: Signal<Out, bool>,
        out element_out: ElementOut<E, X>,
        out empty: Signal<Out, bool>,
    }
    /// `stages`: registers each way.
    children new(stages: usize) {
        ends: RingLinkEnds<E, N, X>,
        link: Link<N, Q, K> = Link::new(stages),
    }
}

impl<const E: usize, const N: usize, const Q: usize, const K: usize, const X: usize> RingLink<E, N, Q, K, X> {
    fn wire(&mut self, w: &mut Wiring) {
        wire_element!(w: [self.ends.element_in] <- [self.element_in]);
        wire!(w: [self.link] <- [self]: clock, reset, out_ready);
        wire!(w: [self.link] <- [self.ends]: in_valid, in_data);
        wire!(w: [self.ends] <- [self.link]: out_valid, out_data);
        wire!(w: [self] <- [self.link]: in_ready, empty);
        wire_element!(w: [self.element_out] <- [self.ends.element_out]);
    }
}

network! {
    /// An element as a word, and a word as an element.
    pub struct RingLinkEnds<const E: usize, const N: usize, const X: usize>, inputs Inputs {
        in element_in: ElementIn<E, X>,
        in out_valid: Signal<In, bool>,
        in out_data: Signal<In, Bits<N>>,
        out in_valid: Signal<Out, bool>,
        out in_data: Signal<Out, Bits<N>>,
        out element_out: ElementOut<E, X>,
    } described by describe
}

fn describe<'a, const E: usize, const N: usize, const X: usize>(b: &'a Builder, i: &Inputs<'a, E, N, X>) {
    assert_eq!(N, ELEMENT_BITS + E + X * MORE_BITS);
    b.output("in_valid", i.element_in.element.valid);
    b.output("in_data", i.element_in.word(b));
    output_word(b, "element_out", i.out_valid, i.out_data, E);
}
