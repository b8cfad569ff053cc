//! First in, first out, with the oldest entry on the pins of a memory.
//!
//! ```text
//!               +-----------------+
//!   push -------|  sram_1r1w      |
//!   push_data --|  D = 2^A words  |---- head_data
//!               |  of W bits      |
//!               +--^-----------^--+
//!                  | tail      | head      +------------+
//!               +--+-----------+--+        | head_valid |---- head_valid
//!               | count           |------->|            |
//!               +-----------------+        +-----^------+
//!                  |                             |
//!              full, empty                     take
//! ```
//!
//! An entry is read, and leaves the D, as soon as nothing is on the pins or `take` takes what is: a push into an empty
//! queue in cycle t is the head from t + 2, and one entry a cycle goes through. `push` never while `full`, `take` only
//! while `head_valid`.

use super::sram_1r1w::Sram1r1w;
use crate::circuit::net::{Builder, Net};
use crate::circuit::wiring::Wiring;
use crate::{network, wire, wired};
use rust_hdl::prelude::*;

wired! {
    /// D = 2^A entries of W bits; C = A + 1 bits count them.
    pub struct Queue<const W: usize, const A: usize, const C: usize> {
        in push: Signal<In, bool>,
        in push_data: Signal<In, Bits<W>>,
        in take: Signal<In, bool>,
        out head_valid: Signal<Out, bool>,
        out head_data: Signal<Out, Bits<W>>,
        out full, empty: Signal<Out, bool>,
    } children default {
        control: QueueControl<A, C>,
        sram: Sram1r1w<W, A>,
    }
}

impl<const W: usize, const A: usize, const C: usize> Queue<W, A, C> {
    fn wire(&mut self, w: &mut Wiring) {
        wire!(w: [self.control] <- [self]: clock, reset, push, take);
        wire!(w: [self] <- [self.control]: head_valid, full, empty);
        wire!(w: self.sram.clock <- self.clock);
        wire!(w: self.sram.write <- self.push);
        wire!(w: self.sram.wdata <- self.push_data);
        wire!(w: [self.sram] <- [self.control]: write_addr, read, read_addr);
        wire!(w: self.head_data <- self.sram.rdata);
    }
}

network! {
    /// Everything but the storage.
    pub struct QueueControl<const A: usize, const C: usize>, inputs Inputs, clocked {
        in push, take: Signal<In, bool>,
        out head_valid, full, empty: Signal<Out, bool>,
        out write_addr: Signal<Out, Bits<A>>,
        out read: Signal<Out, bool>,
        out read_addr: Signal<Out, Bits<A>>,
    } described by describe
}

fn describe<'a, const A: usize, const C: usize>(b: &'a Builder, i: &Inputs<'a, A, C>) {
    assert_eq!(C, A + 1);
    let (head, tail) = (b.register("head", A), b.register("tail", A));
    let count = b.register("count", C);
    let on_pins = b.register("on_pins", 1);
    let read = (count.any() & (!on_pins | i.take)).name("read_now");
    on_pins.drive(read | (on_pins & !i.take));
    let low = |net: Net<'a>, name: &str| (!net.slice(0, net.width() - 1)).name(name);
    head.drive(head ^ (read.repeat(A) & changes(b, low(head, "head_low"))));
    tail.drive(tail ^ (i.push.repeat(A) & changes(b, low(tail, "tail_low"))));

    b.comment(
        "What is read is known late: which bits of the number of entries a push or a read changes is known before it.",
    );
    let (more, less) = (changes(b, low(count, "count_low")), changes(b, count.slice(0, A).name("count_below_top")));
    let changing = i.push.mux(more, less).name("changing");
    count.drive(count ^ ((i.push ^ read).repeat(C) & changing));
    b.output("head_valid", on_pins);
    b.output("full", count.bit(A));
    b.output("empty", !(count.any() | on_pins));
    b.output("write_addr", tail);
    b.output("read", read);
    b.output("read_addr", head);
}

/// The bits of a number that change by one up or down; one of `stops` ends carry or borrow at its place.
fn changes<'a>(b: &'a Builder, stops: Net<'a>) -> Net<'a> {
    let change = |bit: usize| if bit == 0 { b.high() } else { !stops.slice(0, bit).any() };
    b.bits(&(0..=stops.width()).map(change).collect::<Vec<_>>())
}
