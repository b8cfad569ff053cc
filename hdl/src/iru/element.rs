//! An element on pins: index, secondary value and position, and its place, with `valid`; `ready` goes the other way beside it.
//!
//! The place is what remains to be known of the hash: before a bank the set; on the ring the set, the bank above it, and
//! above that whether the element goes past the next partition.

use super::{ELEMENT_BITS, INDEX_BITS, POSITION_BITS, SECONDARY_BITS};
use crate::circuit::net::{Builder, Net};
use crate::circuit::network::{InputPort, Network, OutputPort, Unconnected};
use rust_hdl::prelude::*;

/// Pins of an element that comes, with W bits of place.
#[derive(LogicInterface, Default)]
pub struct ElementIn<const W: usize> {
    pub valid: Signal<In, bool>,
    pub index: Signal<In, Bits<INDEX_BITS>>,
    pub secondary: Signal<In, Bits<SECONDARY_BITS>>,
    pub position: Signal<In, Bits<POSITION_BITS>>,
    pub place: Signal<In, Bits<W>>,
}

/// Pins of an element that goes, with W bits of place.
#[derive(LogicInterface, Default)]
pub struct ElementOut<const W: usize> {
    pub valid: Signal<Out, bool>,
    pub index: Signal<Out, Bits<INDEX_BITS>>,
    pub secondary: Signal<Out, Bits<SECONDARY_BITS>>,
    pub position: Signal<Out, Bits<POSITION_BITS>>,
    pub place: Signal<Out, Bits<W>>,
}

/// The nets of an element.
#[derive(Clone, Copy)]
pub struct Element<'a> {
    pub valid: Net<'a>,
    pub index: Net<'a>,
    pub secondary: Net<'a>,
    pub position: Net<'a>,
}

impl<'a> Element<'a> {
    /// The element in `word`, which has a name.
    pub fn of(valid: Net<'a>, word: Net<'a>) -> Self {
        Self {
            valid,
            index: word.slice(POSITION_BITS + SECONDARY_BITS, INDEX_BITS),
            secondary: word.slice(POSITION_BITS, SECONDARY_BITS),
            position: word.slice(0, POSITION_BITS),
        }
    }

    /// As one word of 80 bits.
    pub fn word(self, b: &'a Builder) -> Net<'a> {
        let word = b.bits(&[self.position, self.secondary, self.index]);
        debug_assert_eq!(word.width(), ELEMENT_BITS);
        word
    }

    /// Drives the pins of the port `name`, but for the place.
    pub fn output(self, b: &'a Builder, name: &str) {
        b.output(format!("{name}$valid"), self.valid);
        b.output(format!("{name}$index"), self.index);
        b.output(format!("{name}$secondary"), self.secondary);
        b.output(format!("{name}$position"), self.position);
    }
}

/// The nets of an element with its place.
#[derive(Clone, Copy)]
pub struct Placed<'a> {
    pub element: Element<'a>,
    pub place: Net<'a>,
}

impl<'a> Placed<'a> {
    /// As one word, the place on top.
    pub fn word(self, b: &'a Builder) -> Net<'a> {
        b.bits(&[self.element.word(b), self.place])
    }
}

/// The place in a word of an element and its place.
pub fn place_of(word: Net<'_>) -> Net<'_> {
    word.slice(ELEMENT_BITS, word.width() - ELEMENT_BITS)
}

/// An output register for elements.
#[derive(Clone, Copy)]
pub struct ElementRegister<'a> {
    b: &'a Builder,
    valid: Net<'a>,
    word: Net<'a>,
    /// The register takes an element in this cycle: it is empty, or what it holds is taken.
    pub takes: Net<'a>,
}

impl<'a> ElementRegister<'a> {
    /// The register behind the port `name`; `ready`: the other side takes; `place`: bits of the place.
    pub fn new(b: &'a Builder, name: &str, ready: Net<'a>, place: usize) -> Self {
        let valid = b.register(format!("{name}_valid_q"), 1);
        let word = b.storage(format!("{name}_word"), ELEMENT_BITS + place);
        let takes = (!valid | ready).name(format!("{name}_takes"));
        Element::of(valid, word).output(b, name);
        b.output(format!("{name}$place"), place_of(word));
        Self { b, valid, word, takes }
    }

    /// `fill`, which has a name and is low while the register does not take, brings `word`.
    pub fn fill(self, fill: Net<'a>, word: Net<'a>) {
        self.word.load(word, fill);
        self.valid.drive(self.takes.mux(fill, self.b.high()));
    }

    /// The register takes a word that is 0 without `fill`: it and what is held are joined without a multiplexer.
    pub fn fill_with(self, fill: Net<'a>, word: Net<'a>) {
        self.word.drive(word | ((!fill).repeat(word.width()) & self.word));
        self.valid.drive(self.takes.mux(fill, self.b.high()));
    }

    pub fn holds(self) -> Net<'a> {
        self.valid
    }
}

impl<const W: usize> Unconnected for ElementIn<W> {
    fn unconnected() -> Self {
        Self::default()
    }
}

impl<const W: usize> InputPort for ElementIn<W> {
    type Nets<'a> = Placed<'a>;

    fn declare<'a>(builder: &'a Builder, name: &str) -> Placed<'a> {
        let input = |pin: &str, width| builder.input(format!("{name}${pin}"), width);
        let element = Element {
            valid: input("valid", 1),
            index: input("index", INDEX_BITS),
            secondary: input("secondary", SECONDARY_BITS),
            position: input("position", POSITION_BITS),
        };
        Placed { element, place: input("place", W) }
    }

    fn put(&self, network: &mut Network) {
        network.put(self.valid.val());
        network.put(self.index.val());
        network.put(self.secondary.val());
        network.put(self.position.val());
        network.put(self.place.val());
    }
}

impl<const W: usize> Unconnected for ElementOut<W> {
    fn unconnected() -> Self {
        Self::default()
    }
}

impl<const W: usize> OutputPort for ElementOut<W> {
    fn names(name: &str) -> Vec<(String, usize)> {
        let element = [("index", INDEX_BITS), ("secondary", SECONDARY_BITS), ("position", POSITION_BITS)];
        let pins = [&[("valid", 1)], &element[..], &[("place", W)]].concat();
        pins.into_iter().map(|(pin, width)| (format!("{name}${pin}"), width)).collect()
    }

    fn claim(&mut self) {
        self.valid.connect();
        self.index.connect();
        self.secondary.connect();
        self.position.connect();
        self.place.connect();
    }

    fn take(&mut self, network: &mut Network) {
        self.valid.next = network.take();
        self.index.next = network.take();
        self.secondary.next = network.take();
        self.position.next = network.take();
        self.place.next = network.take();
    }
}

/// `wire_element!(w: [self.child.port] <- [self.other.port])`: all pins of an element but `ready`.
#[macro_export]
macro_rules! wire_element {
    ($w:ident: [$($to:tt)+] <- [$($from:tt)+]) => {{
        $crate::wire!($w: $($to)+.valid <- $($from)+.valid);
        $crate::wire!($w: $($to)+.index <- $($from)+.index);
        $crate::wire!($w: $($to)+.secondary <- $($from)+.secondary);
        $crate::wire!($w: $($to)+.position <- $($from)+.position);
        $crate::wire!($w: $($to)+.place <- $($from)+.place);
    }};
}
