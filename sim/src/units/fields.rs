//! Structures of pins: how their fields lie in words, and a value that goes with a `valid`.

use crate::unit::{Condition, Pin};

/// A field of a pin structure and how it lies in words.
pub trait Fields: Clone {
    const WORDS: usize;
    fn put(&self, words: &mut [u64]);
    fn get(&mut self, words: &[u64]);
}

impl Fields for bool {
    const WORDS: usize = 1;
    #[inline]
    fn put(&self, words: &mut [u64]) {
        words[0] = *self as u64;
    }
    #[inline]
    fn get(&mut self, words: &[u64]) {
        *self = words[0] & 1 == 1;
    }
}

macro_rules! integers {
    ($($integer:ident),*) => {$(
        impl Fields for $integer {
            const WORDS: usize = 1;
            #[inline]
            fn put(&self, words: &mut [u64]) {
                words[0] = *self as u64;
            }
            #[inline]
            fn get(&mut self, words: &[u64]) {
                *self = words[0] as $integer;
            }
        }
    )*};
}
integers!(u8, u16, u32, u64);

impl Fields for u128 {
    const WORDS: usize = 2;
    #[inline]
    fn put(&self, words: &mut [u64]) {
        (words[0], words[1]) = (*self as u64, (*self >> 64) as u64);
    }
    #[inline]
    fn get(&mut self, words: &[u64]) {
        *self = words[0] as u128 | (words[1] as u128) << 64;
    }
}

impl<T: Fields, const N: usize> Fields for [T; N] {
    const WORDS: usize = N * T::WORDS;
    #[inline]
    fn put(&self, words: &mut [u64]) {
        for (words, item) in words.chunks_exact_mut(T::WORDS).zip(self) {
            item.put(words);
        }
    }
    #[inline]
    fn get(&mut self, words: &[u64]) {
        for (words, item) in words.chunks_exact(T::WORDS).zip(self) {
            item.get(words);
        }
    }
}

/// [`Fields`] of a structure that is already there: field after field.
macro_rules! fields {
    ($name:ident { $($field:ident: $ty:ty,)* }) => {
        impl $crate::units::fields::Fields for $name {
            const WORDS: usize = 0 $(+ <$ty as $crate::units::fields::Fields>::WORDS)*;
            #[inline]
            fn put(&self, words: &mut [u64]) {
                let rest = words;
                $(
                    let (mine, rest) = rest.split_at_mut(<$ty as $crate::units::fields::Fields>::WORDS);
                    $crate::units::fields::Fields::put(&self.$field, mine);
                )*
                assert!(rest.is_empty());
            }
            #[inline]
            fn get(&mut self, words: &[u64]) {
                let rest = words;
                $(
                    let (mine, rest) = rest.split_at(<$ty as $crate::units::fields::Fields>::WORDS);
                    $crate::units::fields::Fields::get(&mut self.$field, mine);
                )*
                assert!(rest.is_empty());
            }
        }
    };
}

/// A structure of pins.
macro_rules! group {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $ty:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $ty,)*
        }
        $crate::units::fields::fields! { $name { $($field: $ty,)* } }
    };
}

pub(crate) use {fields, group};

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

    /// What goes with `x_valid` stays as it is if there is nothing.
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
    const WORDS: usize = 1 + T::WORDS;
    #[inline]
    fn put(&self, words: &mut [u64]) {
        words[0] = self.valid as u64;
        self.item.put(&mut words[1..]);
    }
    #[inline]
    fn get(&mut self, words: &[u64]) {
        self.valid = words[0] & 1 == 1;
        self.item.get(&words[1..]);
    }
}

pub(crate) fn flag(name: impl Into<String>) -> Pin {
    Pin::new(name, 1)
}

/// The pins mean something while `valid` is high.
pub(crate) fn while_valid<'a>(
    valid: &'a str,
    pins: impl IntoIterator<Item = Pin> + 'a,
) -> impl Iterator<Item = Pin> + 'a {
    pins.into_iter().map(move |pin| pin.valid_if(Condition::bit(valid, 0)))
}

/// `name` and the pins that mean something while it is high.
pub(crate) fn offer(name: &str, pins: impl IntoIterator<Item = Pin>) -> Vec<Pin> {
    let mut all = vec![flag(name)];
    all.extend(while_valid(name, pins));
    all
}
