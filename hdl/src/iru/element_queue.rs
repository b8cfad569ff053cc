//! A queue of elements: the port of an element before a [`Queue`] of words that have the element and its place.
//!
//! ```text
//!  element_* --+--> word, push --> queue --> head_valid, head
//!  ready   <---+-- not full <------'   ^
//!                                    take
//! ```

use super::element::ElementIn;
use crate::circuit::net::Builder;
use crate::circuit::wiring::Wiring;
use crate::prim::queue::Queue;
use crate::{network, wire, wire_element, wired};
use rust_hdl::prelude::*;

wired! {
    /// 2^A elements, C = A + 1, with W bits of place and X more beside each; N = 80 + W + 81 X.
    pub struct ElementQueue<const A: usize, const C: usize, const W: usize, const N: usize, const X: usize> {
        in element: ElementIn<W, X>,
        in take: Signal<In, bool>,
        out ready, head_valid: Signal<Out, bool>,
        out head_data: Signal<Out, Bits<N>>,
        out empty: Signal<Out, bool>,
    } children default {
        element_port: ElementPort<W, N, X>,
        queue: Queue<N, A, C>,
    }
}

impl<const A: usize, const C: usize, const W: usize, const N: usize, const X: usize> ElementQueue<A, C, W, N, X> {
    fn wire(&mut self, w: &mut Wiring) {
        wire_element!(w: [self.element_port.element] <- [self.element]);
        wire!(w: self.element_port.full <- self.queue.full);
        wire!(w: self.queue.push <- self.element_port.push);
        wire!(w: self.queue.push_data <- self.element_port.word);
        wire!(w: [self.queue] <- [self]: clock, reset, take);
        wire!(w: [self] <- [self.queue]: head_valid, head_data, empty);
        wire!(w: self.ready <- self.element_port.ready);
    }
}

network! {
    /// Takes an element while the queue is not full.
    pub struct ElementPort<const W: usize, const N: usize, const X: usize>, inputs Inputs {
        in element: ElementIn<W, X>,
        in full: Signal<In, bool>,
        out ready, push: Signal<Out, bool>,
        out word: Signal<Out, Bits<N>>,
    } described by describe
}

fn describe<'a, const W: usize, const N: usize, const X: usize>(b: &'a Builder, i: &Inputs<'a, W, N, X>) {
    b.output("ready", !i.full);
    b.output("push", i.element.element.valid & !i.full);
    b.output("word", i.element.word(b));
}

/// A queue of a bank `$me`, before its intake, and the pins of the queue's elements.
macro_rules! wire_queue {
    ($w:ident, $me:ident, [$($queue:tt)+], $pins:ident, $ready:ident, $valid:ident, $word:ident, $take:ident, $place:expr) => {{
        $crate::wire!($w: [$me.$($queue)+] <- [$me]: clock, reset);
        $crate::wire_element!($w: [$me.$($queue)+.element] <- [$me.$pins]);
        $crate::wire!($w: $me.$ready <- $me.$($queue)+.ready);
        $crate::wire!($w: $me.$($queue)+.take <- $me.intake.$take);
        $crate::wire!($w: $me.intake.$valid <- $me.$($queue)+.head_valid);
        $crate::wire!($w: $me.intake.$word <- $me.$($queue)+.head_data);
        $crate::wire!($w: $me.intake.queue_empty[$place] <- $me.$($queue)+.empty);
    }};
}
pub(super) use wire_queue;
