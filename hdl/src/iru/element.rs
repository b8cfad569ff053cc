//! An element on pins: index, secondary value and position, and its place, with `valid`; `ready` goes the other way beside it.
//!
//! The place is what remains to be known of the hash: before a bank the set; on the ring the set, the bank above it, and
//! above that whether the element goes past the next partition.
//!
//! In a wide unit this is the first element of a bundle: up to X more of the same place come beside it, without gaps.
//!
//! ```text
//!   word:  | valid, element X | ... | valid, element 1 | place | element |
//! ```

use super::{ELEMENT_BITS, INDEX_BITS, POSITION_BITS, SECONDARY_BITS};
use crate::circuit::net::{Builder, Net};
use crate::circuit::network::{InputPort, Network, OutputPort, Unconnected};
use rust_hdl::prelude::*;
use std::array::from_fn;

/// Bits of one more element in a word.
pub const MORE_BITS: usize = ELEMENT_BITS + 1;

/// Pins of an element and of more beside it. RustHDL derives no interface with arrays.
macro_rules! pins {
    ($(#[$doc:meta])* $name:ident, $direction:ty) => {
        $(#[$doc])*
        pub struct $name<const W: usize, const X: usize> {
            pub valid: Signal<$direction, bool>,
            pub index: Signal<$direction, Bits<INDEX_BITS>>,
            pub secondary: Signal<$direction, Bits<SECONDARY_BITS>>,
            pub position: Signal<$direction, Bits<POSITION_BITS>>,
            pub place: Signal<$direction, Bits<W>>,
            pub more_valid: [Signal<$direction, bool>; X],
            pub more_index: [Signal<$direction, Bits<INDEX_BITS>>; X],
            pub more_secondary: [Signal<$direction, Bits<SECONDARY_BITS>>; X],
            pub more_position: [Signal<$direction, Bits<POSITION_BITS>>; X],
        }

        impl<const W: usize, const X: usize> Default for $name<W, X> {
            fn default() -> Self {
                Self {
                    valid: Default::default(),
                    index: Default::default(),
                    secondary: Default::default(),
                    position: Default::default(),
                    place: Default::default(),
                    more_valid: from_fn(|_| Default::default()),
                    more_index: from_fn(|_| Default::default()),
                    more_secondary: from_fn(|_| Default::default()),
                    more_position: from_fn(|_| Default::default()),
                }
            }
        }

        impl<const W: usize, const X: usize> Unconnected for $name<W, X> {
            fn unconnected() -> Self {
                Self::default()
            }
        }

        pins!(@block $name, valid index secondary position place more_valid more_index more_secondary more_position);
    };
    (@block $name:ident, $($pin:ident)+) => {
        impl<const W: usize, const X: usize> Logic for $name<W, X> {
            fn update(&mut self) {}

            fn connect(&mut self) {}
        }

        impl<const W: usize, const X: usize> Block for $name<W, X> {
            fn connect_all(&mut self) {
                $(self.$pin.connect_all();)+
            }

            fn update_all(&mut self) {
                $(self.$pin.update_all();)+
            }

            fn has_changed(&self) -> bool {
                $(self.$pin.has_changed())||+
            }

            fn accept(&self, name: &str, probe: &mut dyn Probe) {
                probe.visit_start_namespace(name, self);
                $(self.$pin.accept(stringify!($pin), probe);)+
                probe.visit_end_namespace(name, self);
            }
        }
    };
}

pins! {
    /// Pins of an element that comes, with W bits of place, and of X more.
    ElementIn, In
}

pins! {
    /// Pins of an element that goes, with W bits of place, and of X more.
    ElementOut, Out
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
        Self::at(valid, word, 0)
    }

    /// The element in bits `from` and up.
    fn at(valid: Net<'a>, word: Net<'a>, from: usize) -> Self {
        Self {
            valid,
            index: word.slice(from + POSITION_BITS + SECONDARY_BITS, INDEX_BITS),
            secondary: word.slice(from + POSITION_BITS, SECONDARY_BITS),
            position: word.slice(from, POSITION_BITS),
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
        self.pins(b, |pin| format!("{name}${pin}"));
    }

    /// Drives the pins of element `l` of those beside the first of the port `name`.
    fn output_beside(self, b: &'a Builder, name: &str, l: usize) {
        self.pins(b, |pin| format!("{name}$more_{pin}${l}"));
    }

    fn pins(self, b: &'a Builder, name_of: impl Fn(&str) -> String) {
        b.output(name_of("valid"), self.valid);
        b.output(name_of("index"), self.index);
        b.output(name_of("secondary"), self.secondary);
        b.output(name_of("position"), self.position);
    }
}

/// The nets of an element with its place, and of those beside it.
pub struct Placed<'a> {
    pub element: Element<'a>,
    pub place: Net<'a>,
    pub more: Vec<Element<'a>>,
}

impl<'a> Placed<'a> {
    /// As one word.
    pub fn word(&self, b: &'a Builder) -> Net<'a> {
        let more = self.more.iter().flat_map(|element| [element.word(b), element.valid]);
        b.bits(&[self.element.word(b), self.place].into_iter().chain(more).collect::<Vec<_>>())
    }
}

/// The place, of so many bits, in a word.
pub fn place_of(word: Net<'_>, bits: usize) -> Net<'_> {
    word.slice(ELEMENT_BITS, bits)
}

/// The elements beside the first one in a word with so many bits of place.
pub fn more_of(word: Net<'_>, place: usize) -> Vec<Element<'_>> {
    let of = |from: usize| Element::at(word.bit(from + ELEMENT_BITS), word, from);
    (ELEMENT_BITS + place..word.width()).step_by(MORE_BITS).map(of).collect()
}

/// The word, in which of `place` bits of place the lower `left` are left, with zeros above them in `to` bits.
pub fn with_lower_place<'a>(b: &'a Builder, word: Net<'a>, place: usize, left: usize, to: usize) -> Net<'a> {
    let lower = word.slice(0, ELEMENT_BITS + left);
    let more = word.width() - ELEMENT_BITS - place;
    let mut parts = vec![lower];
    parts.extend((left < to).then(|| b.constant(0, to - left)));
    parts.extend((more > 0).then(|| word.slice(ELEMENT_BITS + place, more)));
    match parts[..] {
        [alone] => alone,
        _ => b.bits(&parts),
    }
}

/// Drives the pins of the port `name` from `word`, which has a name and so many bits of place.
pub fn output_word<'a>(b: &'a Builder, name: &str, valid: Net<'a>, word: Net<'a>, place: usize) {
    Element::of(valid, word).output(b, name);
    b.output(format!("{name}$place"), place_of(word, place));
    for (l, element) in more_of(word, place).into_iter().enumerate() {
        element.output_beside(b, name, l);
    }
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
    /// The register behind the port `name`; `ready`: the other side takes; `place`: bits of the place; `more`: elements beside
    /// the first.
    pub fn new(b: &'a Builder, name: &str, ready: Net<'a>, place: usize, more: usize) -> Self {
        let valid = b.register(format!("{name}_valid_q"), 1);
        let word = b.storage(format!("{name}_word"), ELEMENT_BITS + place + more * MORE_BITS);
        let takes = (!valid | ready).name(format!("{name}_takes"));
        output_word(b, name, valid, word, place);
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

impl<const W: usize, const X: usize> InputPort for ElementIn<W, X> {
    type Nets<'a> = Placed<'a>;

    fn declare<'a>(builder: &'a Builder, name: &str) -> Placed<'a> {
        let element = |prefix: &str, suffix: &str| {
            let input = |pin: &str, width| builder.input(format!("{name}${prefix}{pin}{suffix}"), width);
            Element {
                valid: input("valid", 1),
                index: input("index", INDEX_BITS),
                secondary: input("secondary", SECONDARY_BITS),
                position: input("position", POSITION_BITS),
            }
        };
        let first = element("", "");
        let place = builder.input(format!("{name}$place"), W);
        let more = (0..X).map(|l| element("more_", &format!("${l}"))).collect();
        Placed { element: first, place, more }
    }

    fn put(&self, network: &mut Network) {
        network.put(self.valid.val());
        network.put(self.index.val());
        network.put(self.secondary.val());
        network.put(self.position.val());
        network.put(self.place.val());
        for l in 0..X {
            network.put(self.more_valid[l].val());
            network.put(self.more_index[l].val());
            network.put(self.more_secondary[l].val());
            network.put(self.more_position[l].val());
        }
    }
}

impl<const W: usize, const X: usize> OutputPort for ElementOut<W, X> {
    fn names(name: &str) -> Vec<(String, usize)> {
        let element = [("valid", 1), ("index", INDEX_BITS), ("secondary", SECONDARY_BITS), ("position", POSITION_BITS)];
        let first = element.into_iter().chain([("place", W)]).map(|(pin, width)| (format!("{name}${pin}"), width));
        let beside = |l: usize| element.map(|(pin, width)| (format!("{name}$more_{pin}${l}"), width));
        first.chain((0..X).flat_map(beside)).collect()
    }

    fn claim(&mut self) {
        self.valid.connect();
        self.index.connect();
        self.secondary.connect();
        self.position.connect();
        self.place.connect();
        for l in 0..X {
            self.more_valid[l].connect();
            self.more_index[l].connect();
            self.more_secondary[l].connect();
            self.more_position[l].connect();
        }
    }

    fn take(&mut self, network: &mut Network) {
        self.valid.next = network.take();
        self.index.next = network.take();
        self.secondary.next = network.take();
        self.position.next = network.take();
        self.place.next = network.take();
        for l in 0..X {
            self.more_valid[l].next = network.take();
            self.more_index[l].next = network.take();
            self.more_secondary[l].next = network.take();
            self.more_position[l].next = network.take();
        }
    }
}

/// `wire_element!(w: [self.child.port] <- [self.other.port])`: all pins of an element, and of those beside it, but `ready`.
#[macro_export]
macro_rules! wire_element {
    ($w:ident: [$($to:tt)+] <- [$($from:tt)+]) => {{
        $crate::wire!($w: $($to)+.valid <- $($from)+.valid);
        $crate::wire!($w: $($to)+.index <- $($from)+.index);
        $crate::wire!($w: $($to)+.secondary <- $($from)+.secondary);
        $crate::wire!($w: $($to)+.position <- $($from)+.position);
        $crate::wire!($w: $($to)+.place <- $($from)+.place);
        for l in 0..$($to)+.more_valid.len() {
            $crate::wire!($w: $($to)+.more_valid[l] <- $($from)+.more_valid[l]);
            $crate::wire!($w: $($to)+.more_index[l] <- $($from)+.more_index[l]);
            $crate::wire!($w: $($to)+.more_secondary[l] <- $($from)+.more_secondary[l]);
            $crate::wire!($w: $($to)+.more_position[l] <- $($from)+.more_position[l]);
        }
    }};
}
