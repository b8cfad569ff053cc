//! The pins of a unit as a plain structure: how its fields lie in words, and which pins they are.
//!
//! [`pins!`](crate::pins) makes a structure of all inputs or of all outputs of a unit, [`group!`](crate::group) one that is a part
//! of such. Arrays under `each` have room for the most lanes, banks, places or schedulers that there can be; how many of them are
//! in use follows from the number of words.

use crate::pin::{Condition, Interface, Pin};

pub use crate::{group, pins};

/// A field of a pin structure and how it lies in words: some always, and some for each lane, bank or place of the unit.
pub trait Fields: Copy {
    /// Words that it always takes.
    const FIXED: usize;
    /// Words that it takes for each lane, bank or place.
    const EACH: usize = 0;
    /// Writes it to its words, of a unit with `number` lanes, banks or places.
    fn put(&self, words: &mut [u64], number: usize);
    /// Reads it from its words.
    fn get(&mut self, words: &[u64], number: usize);
}

/// Words of `F` in a unit with `number` lanes, banks or places.
#[inline]
pub fn length<F: Fields>(number: usize) -> usize {
    F::FIXED + F::EACH * number
}

/// Lanes, banks or places of an `F` that takes `words` words.
///
/// # Panics
/// No number gives so many words.
#[inline]
pub fn number<F: Fields>(words: usize) -> usize {
    let number = words.saturating_sub(F::FIXED).checked_div(F::EACH).unwrap_or(0);
    assert!(length::<F>(number) == words, "words of other pins");
    number
}

impl Fields for bool {
    const FIXED: usize = 1;
    #[inline]
    fn put(&self, words: &mut [u64], _: usize) {
        words[0] = *self as u64;
    }
    #[inline]
    fn get(&mut self, words: &[u64], _: usize) {
        *self = words[0] & 1 == 1;
    }
}

macro_rules! integers {
    ($($integer:ident),*) => {$(
        impl Fields for $integer {
            const FIXED: usize = 1;
            #[inline]
            fn put(&self, words: &mut [u64], _: usize) {
                words[0] = *self as u64;
            }
            #[inline]
            fn get(&mut self, words: &[u64], _: usize) {
                *self = words[0] as $integer;
            }
        }
    )*};
}
integers!(u8, u16, u32, u64);

impl Fields for u128 {
    const FIXED: usize = 2;
    #[inline]
    fn put(&self, words: &mut [u64], _: usize) {
        (words[0], words[1]) = (*self as u64, (*self >> 64) as u64);
    }
    #[inline]
    fn get(&mut self, words: &[u64], _: usize) {
        *self = words[0] as u128 | (words[1] as u128) << 64;
    }
}

/// As many as the array has, in every unit. [`group!`](crate::group) has arrays that are used in part.
impl<T: Fields, const N: usize> Fields for [T; N] {
    const FIXED: usize = N * T::FIXED;
    const EACH: usize = N * T::EACH;
    #[inline]
    fn put(&self, words: &mut [u64], number: usize) {
        for (words, item) in words.chunks_exact_mut(length::<T>(number)).zip(self) {
            item.put(words, number);
        }
    }
    #[inline]
    fn get(&mut self, words: &[u64], number: usize) {
        for (words, item) in words.chunks_exact(length::<T>(number)).zip(self) {
            item.get(words, number);
        }
    }
}

/// A structure of pins, all low by default: field after field, then for each lane, bank or place the fields under `each`.
///
/// After the name there may be the parameters that the pins depend on, `()` if they depend on none: then the structure is
/// [`Listed`], and every `each` says how many there are. A field has the pins of its type, or those after `=`, under its own name or
/// that after `as`. Its comment is the sentence of the first of its pins on the unit's page. After `if` are the pins of the structure of which one is high while those of the field mean something.
#[macro_export]
macro_rules! group {
    (
        $(#[$doc:meta])* $name:ident $(($($parameter:tt)*))? {$(
            $(#[doc = $field_doc:literal])*
            $field:ident $(if $($condition:ident)|+)?: $ty:ty $(as $pin:literal)? $(= $list:expr)?,
        )*}
        $(each $(($number:expr))? {$(
            $(#[doc = $each_doc:literal])*
            $each:ident $(if $($each_condition:ident)|+)?: [$each_ty:ty; $most:expr] $(as $each_pin:literal)?
                $(= $each_list:expr)?,
        )*})*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[doc = $field_doc])* pub $field: $ty,)*
            $($($(#[doc = $each_doc])* pub $each: [$each_ty; $most],)*)*
        }

        impl Default for $name {
            fn default() -> Self {
                $name {
                    $($field: Default::default(),)*
                    $($($each: [Default::default(); $most],)*)*
                }
            }
        }

        impl $crate::pins::Fields for $name {
            const FIXED: usize = 0 $(+ <$ty as $crate::pins::Fields>::FIXED)*;
            const EACH: usize = 0
                $(+ <$ty as $crate::pins::Fields>::EACH)*
                $($(+ <$each_ty as $crate::pins::Fields>::FIXED)*)*;
            #[inline]
            fn put(&self, words: &mut [u64], number: usize) {
                let rest = words;
                $(
                    let (mine, rest) = rest.split_at_mut($crate::pins::length::<$ty>(number));
                    $crate::pins::Fields::put(&self.$field, mine, number);
                )*
                $(
                    let stride = 0 $(+ <$each_ty as $crate::pins::Fields>::FIXED)*;
                    let (mine, rest) = rest.split_at_mut(stride * number);
                    let mut from = 0;
                    $(
                        let to = from + <$each_ty as $crate::pins::Fields>::FIXED;
                        for (words, item) in mine.chunks_exact_mut(stride).zip(&self.$each) {
                            $crate::pins::Fields::put(item, &mut words[from..to], 0);
                        }
                        from = to;
                    )*
                    let _ = from;
                )*
                let _ = rest;
            }
            #[inline]
            fn get(&mut self, words: &[u64], number: usize) {
                let rest = words;
                $(
                    let (mine, rest) = rest.split_at($crate::pins::length::<$ty>(number));
                    $crate::pins::Fields::get(&mut self.$field, mine, number);
                )*
                $(
                    let stride = 0 $(+ <$each_ty as $crate::pins::Fields>::FIXED)*;
                    let (mine, rest) = rest.split_at(stride * number);
                    let mut from = 0;
                    $(
                        let to = from + <$each_ty as $crate::pins::Fields>::FIXED;
                        for (words, item) in mine.chunks_exact(stride).zip(&mut self.$each) {
                            $crate::pins::Fields::get(item, &words[from..to], 0);
                        }
                        from = to;
                    )*
                    let _ = from;
                )*
                let _ = rest;
            }
        }

        $crate::listed! {
            $name $(($($parameter)*))? {
                $([$($field_doc)*] $field $(if $($condition)|+)?: $ty $(as $pin)? $(= $list)?,)*
            }
            $(each $(($number))? {
                $([$($each_doc)*] $each $(if $($each_condition)|+)?: $each_ty $(as $each_pin)? $(= $each_list)?,)*
            })*
        }
    };
}

/// The pins that [`group!`](crate::group) gives its fields, as [`Listed`].
#[macro_export]
macro_rules! listed {
    ($name:ident {$($fields:tt)*} $($each:tt)*) => {};
    ($name:ident () $($fields:tt)*) => { $crate::listed! { [P: Copy] $name (p: P) $($fields)* } };
    ($name:ident ($p:tt: $of:ty) $($fields:tt)*) => { $crate::listed! { [] $name ($p: $of) $($fields)* } };
    (
        [$($generic:tt)*] $name:ident ($p:tt: $of:ty) {
            $([$($doc:literal)*] $field:ident $(if $($condition:ident)|+)?: $ty:ty $(as $pin:literal)? $(= $list:expr)?,)*
        }
        $(each ($number:expr) {
            $([$($each_doc:literal)*] $each:ident $(if $($each_condition:ident)|+)?: $each_ty:ty $(as $each_pin:literal)? $(= $each_list:expr)?,)*
        })*
    ) => {
        impl<$($generic)*> $crate::pins::Listed<$of> for $name {
            fn list($p: $of) -> Vec<$crate::pin::Pin> {
                let _ = $p;
                let pins: &[Vec<$crate::pin::Pin>] = &[
                    $($crate::listed!(@ $p, [$($doc)*] $field ($($($condition)+)?) $ty, ($($pin)?) ($($list)?)),)*
                ];
                let pins = pins.concat();
                $(
                    let of_one = [
                        $($crate::listed!(@ $p, [$($each_doc)*] $each ($($($each_condition)+)?) $each_ty, ($($each_pin)?) ($($each_list)?)),)*
                    ].concat();
                    let pins = $crate::pins::and_each(pins, $number, of_one);
                )*
                pins
            }
        }
    };
    (@ $p:tt, [$($doc:literal)*] $field:ident ($($condition:ident)*) $ty:ty, ($($pin:literal)?) ($($list:expr)?)) => {{
        let [name, ..] = [$($pin,)? stringify!($field)];
        let pins = $crate::listed!(@ $p, $ty, $($list)?);
        let pins = $crate::pins::about(concat!($($doc),*), $crate::pins::prefixed(name, pins));
        $crate::pins::while_high(&[$(stringify!($condition)),*], pins)
    }};
    (@ $p:tt, $ty:ty,) => { <$ty as $crate::pins::Listed<_>>::list($p) };
    (@ $p:tt, $ty:ty, $list:expr) => { $crate::pins::IntoPins::into_pins($list) };
}

/// A [`group!`](crate::group) that is all inputs or all outputs of a unit; with `all`, those of a unit of several cores or
/// partitions: pins that they share, then those of each.
#[macro_export]
macro_rules! pins {
    // `$first`: how the name of the first pin of each begins.
    (
        $(#[$doc:meta])* $name:ident ($($parameter:tt)*) {$(
            $(#[doc = $field_doc:literal])* $field:ident: $ty:ty $(as $pin:literal)? $(= $list:expr)?,
        )*}
        all ($number:expr) { $all:ident: [$each:ty] by $first:literal $(= $each_list:expr)? }
    ) => {
        $(#[$doc])*
        ///
        /// Made with `new` or `for_pins`: how many there are of each does not follow from the number of words.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[doc = $field_doc])* pub $field: $ty,)*
            pub $all: Vec<$each>,
        }

        impl $name {
            /// All low.
            pub fn new(number: usize) -> Self {
                $name { $($field: Default::default(),)* $all: vec![Default::default(); number] }
            }
        }

        impl $crate::pin::Pins for $name {
            fn for_pins(pins: &[$crate::pin::Pin]) -> Self {
                Self::new(pins.iter().filter(|pin| pin.name.starts_with($first)).count())
            }

            fn store(&self, words: &mut [u64]) {
                let rest = words;
                $(
                    let (mine, rest) = rest.split_at_mut($crate::pins::length::<$ty>(0));
                    $crate::pins::Fields::put(&self.$field, mine, 0);
                )*
                let words = $crate::pins::words_of_each(rest.len(), self.$all.len());
                let number = $crate::pins::number::<$each>(words);
                for (words, pins) in rest.chunks_exact_mut(words).zip(&self.$all) {
                    $crate::pins::Fields::put(pins, words, number);
                }
            }

            fn load(&mut self, words: &[u64]) {
                let rest = words;
                $(
                    let (mine, rest) = rest.split_at($crate::pins::length::<$ty>(0));
                    $crate::pins::Fields::get(&mut self.$field, mine, 0);
                )*
                let words = $crate::pins::words_of_each(rest.len(), self.$all.len());
                let number = $crate::pins::number::<$each>(words);
                for (words, pins) in rest.chunks_exact(words).zip(&mut self.$all) {
                    $crate::pins::Fields::get(pins, words, number);
                }
            }
        }

        $crate::listed! {
            $name ($($parameter)*) { $([$($field_doc)*] $field: $ty $(as $pin)? $(= $list)?,)* }
            each ($number) { [] $all: $each as "" $(= $each_list)?, }
        }
    };
    ($(#[$doc:meta])* $name:ident $($body:tt)*) => {
        $crate::group! { $(#[$doc])* $name $($body)* }

        impl $crate::pin::Pins for $name {
            #[inline]
            fn store(&self, words: &mut [u64]) {
                let number = $crate::pins::number::<$name>(words.len());
                $crate::pins::Fields::put(self, words, number);
            }
            #[inline]
            fn load(&mut self, words: &[u64]) {
                let number = $crate::pins::number::<$name>(words.len());
                $crate::pins::Fields::get(self, words, number);
            }
        }
    };
}

/// Words of one of `number` equal structures.
///
/// # Panics
/// There is none.
pub fn words_of_each(words: usize, number: usize) -> usize {
    assert!(number > 0, "pins that were not made with `new` or `for_pins`");
    words / number
}

/// `x_valid` and what goes with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offer<T> {
    pub valid: bool,
    /// Means something while `valid`.
    pub item: T,
}

impl<T: Copy> Offer<T> {
    pub fn some(item: T) -> Self {
        Offer { valid: true, item }
    }

    #[inline]
    pub fn get(&self) -> Option<T> {
        self.valid.then_some(self.item)
    }

    /// As [`Self::get`], in its place.
    #[inline]
    pub fn peek(&self) -> Option<&T> {
        self.valid.then_some(&self.item)
    }

    /// Pins beside `x_valid` stay as they are if there is no item.
    #[inline]
    pub fn show(&mut self, item: &Option<T>) {
        self.valid = item.is_some();
        if let Some(item) = item {
            self.item = *item;
        }
    }
}

impl<T: Copy + Default> From<Option<T>> for Offer<T> {
    fn from(item: Option<T>) -> Self {
        Offer { valid: item.is_some(), item: item.unwrap_or_default() }
    }
}

impl<T: Fields> Fields for Offer<T> {
    const FIXED: usize = 1 + T::FIXED;
    const EACH: usize = T::EACH;
    #[inline]
    fn put(&self, words: &mut [u64], number: usize) {
        words[0] = self.valid as u64;
        self.item.put(&mut words[1..], number);
    }
    #[inline]
    fn get(&mut self, words: &[u64], number: usize) {
        self.valid = words[0] & 1 == 1;
        self.item.get(&words[1..], number);
    }
}

/// The pins of a field in a unit with parameters `P`. Their names, and the names in their conditions, are relative to the field's.
pub trait Listed<P> {
    fn list(parameters: P) -> Vec<Pin>;
}

impl<P> Listed<P> for bool {
    fn list(_: P) -> Vec<Pin> {
        vec![flag("")]
    }
}

impl<P, T: Listed<P>, const N: usize> Listed<P> for [T; N] {
    fn list(parameters: P) -> Vec<Pin> {
        each(N, T::list(parameters)).collect()
    }
}

impl<P, T: Listed<P>> Listed<P> for Offer<T> {
    fn list(parameters: P) -> Vec<Pin> {
        offer("valid", T::list(parameters))
    }
}

/// The pins of a field: a list of them, or the width of the only one.
pub trait IntoPins {
    fn into_pins(self) -> Vec<Pin>;
}

impl IntoPins for u32 {
    fn into_pins(self) -> Vec<Pin> {
        vec![Pin::new("", self)]
    }
}

impl IntoPins for Vec<Pin> {
    fn into_pins(self) -> Vec<Pin> {
        self
    }
}

/// The pins of a unit with these parameters. The meaning of an input depends on no pin.
pub fn interface<I: Listed<P>, O: Listed<P>, P: Copy>(parameters: P) -> Interface {
    let inputs = I::list(parameters).into_iter().map(|pin| Pin { valid_if: vec![], ..pin });
    Interface { inputs: inputs.collect(), outputs: O::list(parameters) }
}

/// The pins, where `text` is the sentence of the first.
pub fn about(text: &'static str, mut pins: Vec<Pin>) -> Vec<Pin> {
    if let (Some(first), false) = (pins.first_mut(), text.is_empty()) {
        first.about = text.trim();
    }
    pins
}

/// A pin of one bit.
pub fn flag(name: impl Into<String>) -> Pin {
    Pin::new(name, 1)
}

/// The pins mean something while one of `valid` is high, and always if there is none.
pub fn while_high(valid: &[&str], pins: Vec<Pin>) -> Vec<Pin> {
    let bits = || valid.iter().map(|name| Condition::bit(name, 0));
    pins.into_iter().map(|pin| bits().fold(pin, Pin::valid_if)).collect()
}

/// `name` and the pins that mean something while it is high.
pub fn offer(name: &str, pins: impl IntoIterator<Item = Pin>) -> Vec<Pin> {
    let mut all = vec![flag(name)];
    all.extend(while_high(&[name], pins.into_iter().collect()));
    all
}

/// `valid` and the only pin that means something while it is high.
pub fn offered(name: &str, width: u32) -> Vec<Pin> {
    offer("valid", [Pin::new(name, width)])
}

/// Pin `name` of the field `prefix`. Either may be empty; a suffix follows directly.
fn join(prefix: &str, name: &str) -> String {
    let between = if prefix.is_empty() || name.is_empty() || name.starts_with('_') { "" } else { "_" };
    format!("{prefix}{between}{name}")
}

/// The pins of the field `prefix`.
pub fn prefixed(prefix: &str, mut pins: Vec<Pin>) -> Vec<Pin> {
    for pin in &mut pins {
        pin.name = join(prefix, &pin.name);
        pin.valid_if.iter_mut().for_each(|condition| condition.pin = join(prefix, &condition.pin));
    }
    pins
}

/// These pins once under each of the names.
pub fn by_name(names: &[&str], pins: Vec<Pin>) -> Vec<Pin> {
    names.iter().flat_map(|name| prefixed(name, pins.clone())).collect()
}

/// These pins once for every `i` below `number`: their names, and the names in their conditions, get the suffix `_i`.
pub fn each(number: usize, pins: Vec<Pin>) -> impl Iterator<Item = Pin> {
    and_each(Vec::new(), number, pins).into_iter()
}

/// `shared` and [`each`] of `pins`. Where a condition names a shared pin, that has bits for every `i`.
pub fn and_each(shared: Vec<Pin>, number: usize, pins: Vec<Pin>) -> Vec<Pin> {
    let items = (0..number as u32).flat_map(|i| pins.iter().map(move |pin| (i, pin.clone())));
    let items: Vec<Pin> = items.map(|(i, pin)| of_item(i, pin, &shared)).collect();
    [shared, items].concat()
}

fn of_item(i: u32, mut pin: Pin, shared: &[Pin]) -> Pin {
    pin.name += &format!("_{i}");
    for condition in &mut pin.valid_if {
        if shared.iter().any(|pin| pin.name == condition.pin) {
            condition.lsb += i * condition.width;
        } else {
            condition.pin += &format!("_{i}");
        }
    }
    pin
}

/// The only pin of a field, once for each of its items.
pub fn numbered(number: usize, width: u32) -> Vec<Pin> {
    each(number, width.into_pins()).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::pin::{words, Pins};
    use std::collections::BTreeSet;

    /// Every word comes back from `pass` as it went, the pin list has as many, and conditions name pins of the list.
    fn round_trip(pins: &[Pin], pass: &dyn Fn(&[u64]) -> Vec<u64>) {
        let masks: Vec<u64> = pins
            .iter()
            .flat_map(|pin| (0..pin.words() as u32).map(|w| u64::MAX >> (64 - (pin.width - 64 * w).min(64))))
            .collect();
        let numbers: Vec<u64> = (0u64..).zip(&masks).map(|(i, mask)| (i * 37 + 11) & mask).collect();
        assert_eq!(numbers.len(), words(pins));
        assert_eq!(numbers, pass(&numbers), "{pins:?}");
        for condition in pins.iter().flat_map(|pin| &pin.valid_if) {
            let pin = pins.iter().find(|pin| pin.name == condition.pin).expect("a pin of that name");
            assert!(condition.lsb + condition.width <= pin.width, "{}", pin.name);
        }
    }

    fn names_differ(interface: &Interface) {
        let all: Vec<&str> = interface.inputs.iter().chain(&interface.outputs).map(|pin| pin.name.as_str()).collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "{all:?}");
    }

    /// These words into pins and back.
    fn through<P: Pins>(pins: &[Pin], numbers: &[u64]) -> Vec<u64> {
        let mut group = P::for_pins(pins);
        group.load(numbers);
        let mut again = vec![0; numbers.len()];
        group.store(&mut again);
        again
    }

    /// The pin lists of a unit agree with its structures, and no name is there twice.
    pub(crate) fn check<I: Pins + Listed<P>, O: Pins + Listed<P>, P: Copy>(parameters: P) {
        agree::<I, O>(interface::<I, O, P>(parameters));
    }

    /// As [`check`], of pin lists that are not those of the structures.
    pub(crate) fn agree<I: Pins, O: Pins>(interface: Interface) {
        round_trip(&interface.inputs, &|numbers| through::<I>(&interface.inputs, numbers));
        round_trip(&interface.outputs, &|numbers| through::<O>(&interface.outputs, numbers));
        names_differ(&interface);
    }

    /// The first word of the pin `name`.
    pub(crate) fn word<P: Pins>(pins: &[Pin], group: &P, name: &str) -> u64 {
        let mut all = vec![0; words(pins)];
        group.store(&mut all);
        let at = pins.iter().position(|pin| pin.name == name).unwrap_or_else(|| panic!("no pin {name}"));
        all[words(&pins[..at])]
    }

    pins! {
        Example {
            first: bool,
            wide: u128,
        }
        each {
            a: [u8; 4],
            b: [u128; 4],
        }
        each {
            c: [u16; 4],
        }
    }

    #[test]
    fn blocks_of_arrays_follow_each_other_and_the_arrays_of_a_block_alternate() {
        let mut pins = Example::default();
        pins.load(&[1, 2, 3, 10, 20, 21, 11, 22, 23, 30, 31]);
        let expected = Example {
            first: true,
            wide: 3 << 64 | 2,
            a: [10, 11, 0, 0],
            b: [21 << 64 | 20, 23 << 64 | 22, 0, 0],
            c: [30, 31, 0, 0],
        };
        assert_eq!(pins, expected);
    }

    #[test]
    #[should_panic = "words of other pins"]
    fn words_of_no_number_are_refused() {
        Example::default().load(&[0; 10]);
    }
}
