//! A queue of elements: the port of an element before a [`Queue`] of 80-bit words.
//!
//! ```text
//!  element_* --+--> word, push --> queue --> head_valid, head
//!  ready   <---+-- not full <------'   ^
//!                                    take
//! ```

use super::element::ElementIn;
use super::ELEMENT_BITS;
use crate::circuit::net::Builder;
use crate::prim::queue::Queue;
use crate::wiring::Wiring;
use crate::{network, wire, wire_element, wired};
use rust_hdl::prelude::*;

wired! {
    /// 2^A elements, C = A + 1.
    pub struct ElementQueue<const A: usize, const C: usize> {
        in element: ElementIn,
        in take: Signal<In, bool>,
        out ready, head_valid: Signal<Out, bool>,
        out head_data: Signal<Out, Bits<ELEMENT_BITS>>,
        out empty: Signal<Out, bool>,
    } children default {
        element_port: ElementPort,
        queue: Queue<ELEMENT_BITS, A, C>,
    }
}

impl<const A: usize, const C: usize> ElementQueue<A, C> {
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
    pub struct ElementPort, inputs Inputs {
        in element: ElementIn,
        in full: Signal<In, bool>,
        out ready, push: Signal<Out, bool>,
        out word: Signal<Out, Bits<ELEMENT_BITS>>,
    } described by describe
}

fn describe<'a>(b: &'a Builder, i: &Inputs<'a>) {
    b.output("ready", !i.full);
    b.output("push", i.element.valid & !i.full);
    b.output("word", i.element.word(b));
}
