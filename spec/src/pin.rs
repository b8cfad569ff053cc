//! A pin, the pins of a unit, and their values as words.

use std::fmt::Debug;

/// Name, width and meaning of one pin. A pin is an ordinary Verilog port of that name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    pub name: String,
    /// Bits. More than 64 are allowed; the value then takes several words (see [`Pin::words`]).
    pub width: u32,
    /// The value means something only if one of these holds; an empty list means always.
    pub valid_if: Vec<Condition>,
    /// A sentence for the unit's page. A pin without one belongs to the pin before it.
    pub about: &'static str,
}

/// `pin[lsb + width - 1 : lsb] == equals`, where `pin` is a pin of the same direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    pub pin: String,
    pub lsb: u32,
    pub width: u32,
    pub equals: u64,
}

impl Condition {
    /// One bit of `pin` is high.
    pub fn bit(pin: &str, bit: u32) -> Self {
        Condition { pin: pin.into(), lsb: bit, width: 1, equals: 1 }
    }
}

impl Pin {
    pub fn new(name: impl Into<String>, width: u32) -> Self {
        Pin { name: name.into(), width, valid_if: Vec::new(), about: "" }
    }

    pub fn valid_if(mut self, condition: Condition) -> Self {
        self.valid_if.push(condition);
        self
    }

    /// 64-bit words that the value takes in [`Pins::store`] and [`Pins::load`], least significant first.
    pub fn words(&self) -> usize {
        self.width.div_ceil(64) as usize
    }
}

/// Words that all `pins` together take.
pub fn words(pins: &[Pin]) -> usize {
    pins.iter().map(Pin::words).sum()
}

/// Plain data, one field per input or output pin group. The order of words is that of the unit's pin list.
pub trait Pins: Clone + Debug + Default {
    /// All low, in the shape of these pins: for structures whose size does not follow from the number of words.
    fn for_pins(_pins: &[Pin]) -> Self {
        Self::default()
    }
    fn store(&self, words: &mut [u64]);
    fn load(&mut self, words: &[u64]);
}

/// The pins of a unit with given parameters, in the order of [`Pins::store`]. `clock` and `reset` are not listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    pub inputs: Vec<Pin>,
    pub outputs: Vec<Pin>,
}
