//! Pins of the worklist units, as listed in `docs/hwwl.md`.
//!
//! Arrays over lanes, banks or cores have room for the most that there can be; how many are in use follows from the number of
//! words.

mod bank;
mod core;
mod hvu;
mod hwwl;
mod icrn;
mod sorter;
mod wru;

use crate::unit::{Condition, Pin};

pub use bank::{bank_interface, BankIn, BankOut};
pub use core::{
    hwwl_core_external_interface, hwwl_core_interface, BankAnswers, BankRequests, CoreIn, CoreOut, ExternalCoreIn,
    ExternalCoreOut, HubIn, HubOut,
};
pub use hvu::{hvu_interface, HvuIn, HvuOut, MemoryIn, MemoryOut};
pub use hwwl::{hwwl_interface, HwwlCoreIn, HwwlCoreOut, HwwlIn, HwwlOut};
pub use icrn::{icrn_interface, IcrnIn, IcrnOut};
pub use sorter::{sorter_interface, SorterPins};
pub use wru::{wru_interface, WruIn, WruOut};

/// Most lanes that a core can have.
pub const MAX_LANES: usize = 32;
/// Most cores of a system.
pub const MAX_CORES: usize = 16;
/// Most banks that one redistribution unit, and items that one sorter can have.
pub const MAX_BANKS: usize = 64;
/// Bits of a work ID (III-B: 24, "supporting up to 17M unique work IDs").
pub const ID_BITS: u32 = 24;
/// IDs of a line of memory: 128 bytes, four an ID.
pub const LINE_IDS: usize = 32;
/// Bits of `count` and `held`: IDs of a whole core.
pub const COUNT_BITS: u32 = 22;

/// Answer of a pull, two bits a lane (III-A; the tokens in the register are [`WAIT_TOKEN`] and [`DONE_TOKEN`]).
pub mod status {
    pub const NONE: u64 = 0;
    pub const ID: u64 = 1;
    pub const WAIT: u64 = 2;
    pub const DONE: u64 = 3;
}
pub const WAIT_TOKEN: u32 = 0xffff_fffe;
pub const DONE_TOKEN: u32 = 0xffff_ffff;

/// Bits that count 0 ..= `entries` (a power of two).
pub fn count_bits(entries: usize) -> u32 {
    entries.ilog2() + 1
}

fn flag(name: &str) -> Pin {
    Pin::new(name, 1)
}

/// `name_0` to `name_{number-1}`.
fn each(name: &str, number: usize, width: u32) -> impl Iterator<Item = Pin> + '_ {
    (0..number).map(move |i| Pin::new(format!("{name}_{i}"), width))
}

/// As [`each`]; pin i means something while bit i of `mask` is high.
fn each_if_bit<'a>(name: &'a str, number: usize, width: u32, mask: &'a str) -> impl Iterator<Item = Pin> + 'a {
    (0..).zip(each(name, number, width)).map(move |(i, pin)| pin.valid_if(Condition::bit(mask, i)))
}

/// A field of a pin structure: its words are `FIXED`, and `EACH` for each lane, bank or core of the unit.
trait Group {
    const FIXED: usize;
    const EACH: usize;
    fn put(&self, words: &mut [u64], number: usize);
    fn get(&mut self, words: &[u64], number: usize);
}

/// A value of one word.
trait Word: Copy {
    fn to_word(self) -> u64;
    fn from_word(word: u64) -> Self;
}

impl Word for bool {
    #[inline]
    fn to_word(self) -> u64 {
        self as u64
    }
    #[inline]
    fn from_word(word: u64) -> Self {
        word & 1 == 1
    }
}

macro_rules! words {
    ($($integer:ident),*) => {$(
        impl Word for $integer {
            #[inline]
            fn to_word(self) -> u64 {
                self as u64
            }
            #[inline]
            fn from_word(word: u64) -> Self {
                word as $integer
            }
        }
    )*};
}
words!(u8, u16, u32, u64);

impl<T: Word> Group for T {
    const FIXED: usize = 1;
    const EACH: usize = 0;
    #[inline]
    fn put(&self, words: &mut [u64], _: usize) {
        words[0] = self.to_word();
    }
    #[inline]
    fn get(&mut self, words: &[u64], _: usize) {
        *self = T::from_word(words[0]);
    }
}

/// For each lane or core.
impl<T: Word, const N: usize> Group for [T; N] {
    const FIXED: usize = 0;
    const EACH: usize = 1;
    #[inline]
    fn put(&self, words: &mut [u64], number: usize) {
        for (word, value) in words[..number].iter_mut().zip(self) {
            *word = value.to_word();
        }
    }
    #[inline]
    fn get(&mut self, words: &[u64], number: usize) {
        for (word, value) in words[..number].iter().zip(self) {
            *value = T::from_word(*word);
        }
    }
}

/// A value for each bank of a redistribution unit, or each item of a sorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerBank(pub [u32; MAX_BANKS]);

impl Default for PerBank {
    fn default() -> Self {
        PerBank([0; MAX_BANKS])
    }
}

impl Group for PerBank {
    const FIXED: usize = 0;
    const EACH: usize = 1;
    #[inline]
    fn put(&self, words: &mut [u64], number: usize) {
        self.0.put(words, number);
    }
    #[inline]
    fn get(&mut self, words: &[u64], number: usize) {
        self.0.get(words, number);
    }
}

/// The IDs of a line of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line(pub [u32; LINE_IDS]);

impl Group for Line {
    const FIXED: usize = LINE_IDS;
    const EACH: usize = 0;
    #[inline]
    fn put(&self, words: &mut [u64], _: usize) {
        self.0.put(words, LINE_IDS);
    }
    #[inline]
    fn get(&mut self, words: &[u64], _: usize) {
        self.0.get(words, LINE_IDS);
    }
}

/// A structure of pins, and how it lies in words: field after field.
macro_rules! group {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $ty:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $ty,)*
        }

        impl $crate::units::hwwl::pins::Group for $name {
            const FIXED: usize = 0 $(+ <$ty as $crate::units::hwwl::pins::Group>::FIXED)*;
            const EACH: usize = 0 $(+ <$ty as $crate::units::hwwl::pins::Group>::EACH)*;
            #[inline]
            fn put(&self, words: &mut [u64], number: usize) {
                let mut rest = words;
                $(
                    let length = $crate::units::hwwl::pins::length::<$ty>(number);
                    let (mine, others) = rest.split_at_mut(length);
                    self.$field.put(mine, number);
                    rest = others;
                )*
                let _ = rest;
            }
            #[inline]
            fn get(&mut self, words: &[u64], number: usize) {
                let mut rest = words;
                $(
                    let length = $crate::units::hwwl::pins::length::<$ty>(number);
                    let (mine, others) = rest.split_at(length);
                    self.$field.get(mine, number);
                    rest = others;
                )*
                let _ = rest;
            }
        }
    };
}

/// A [`group!`] that is all inputs or all outputs of a unit.
macro_rules! pins {
    ($(#[$doc:meta])* $name:ident { $($body:tt)* }) => {
        $crate::units::hwwl::pins::group! { $(#[$doc])* $name { $($body)* } }

        impl $crate::unit::Pins for $name {
            #[inline]
            fn store(&self, words: &mut [u64]) {
                let number = $crate::units::hwwl::pins::number::<$name>(words.len());
                $crate::units::hwwl::pins::Group::put(self, words, number);
            }
            #[inline]
            fn load(&mut self, words: &[u64]) {
                let number = $crate::units::hwwl::pins::number::<$name>(words.len());
                $crate::units::hwwl::pins::Group::get(self, words, number);
            }
        }
    };
}
use {group, pins};

/// Words of a group with `number` lanes, banks or cores.
#[inline]
fn length<G: Group>(number: usize) -> usize {
    G::FIXED + G::EACH * number
}

/// Lanes, banks or cores of a group that takes `words` words.
#[inline]
fn number<G: Group>(words: usize) -> usize {
    (words - G::FIXED).checked_div(G::EACH).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::{words, Interface, Pins};

    /// Every word comes back as it went, and the pin list has as many.
    fn round_trip<P: Pins>(pins: &[Pin]) {
        let numbers: Vec<u64> =
            (0..).zip(pins).map(|(i, pin)| (i * 37 + 11) & (u64::MAX >> (64 - pin.width))).collect();
        assert_eq!(numbers.len(), words(pins), "all pins have 64 bits at most");
        let mut group = P::for_pins(pins);
        group.load(&numbers);
        let mut again = vec![0; numbers.len()];
        group.store(&mut again);
        for (pin, (went, came)) in pins.iter().zip(numbers.iter().zip(&again)) {
            assert_eq!(went, came, "{}", pin.name);
        }
    }

    fn check<I: Pins, O: Pins>(interface: Interface) {
        round_trip::<I>(&interface.inputs);
        round_trip::<O>(&interface.outputs);
        for condition in interface.outputs.iter().flat_map(|pin| &pin.valid_if) {
            let pin = interface.outputs.iter().find(|pin| pin.name == condition.pin).expect("a pin of that name");
            assert!(condition.lsb + condition.width <= pin.width, "{}", pin.name);
        }
    }

    #[test]
    fn pin_lists_agree_with_the_structures() {
        check::<BankIn, BankOut>(bank_interface(32));
        check::<WruIn, WruOut>(wru_interface(64, 32));
        for lanes in [4, 8, 16, 32] {
            check::<SorterPins, SorterPins>(sorter_interface(lanes, 10));
            check::<WruIn, WruOut>(wru_interface(lanes, 32));
            check::<HvuIn, HvuOut>(hvu_interface(lanes));
            check::<CoreIn, CoreOut>(hwwl_core_interface(lanes));
            check::<ExternalCoreIn, ExternalCoreOut>(hwwl_core_external_interface(lanes, 32));
            for cores in [1, 2, 3, 16] {
                check::<HwwlIn, HwwlOut>(hwwl_interface(cores, lanes));
            }
        }
        for cores in [1, 4, 16] {
            check::<IcrnIn, IcrnOut>(icrn_interface(cores));
        }
    }

    #[test]
    fn fields_carry_the_names_of_their_pins() {
        let interface = hwwl_interface(2, 4);
        let mut pins = HwwlIn::new(2);
        pins.cores[1].push_id[3] = 99;
        pins.cores[0].memory.line_id.0[31] = 98;
        let mut words = vec![0; interface.inputs.len()];
        pins.store(&mut words);
        let value = |name: &str| words[interface.inputs.iter().position(|pin| pin.name == name).unwrap()];
        assert_eq!((value("push_id_3_1"), value("line_id_31_0"), value("push_id_3_0")), (99, 98, 0));
    }
}
