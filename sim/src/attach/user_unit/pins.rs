//! Pins of user units as plain structures: each pin is said once, with its width and after `if` its valid pin.

use crate::ptx::isa::WARP_SIZE;

/// Layout of a pin's value in words.
pub trait Wire {
    fn put(&self, words: &mut [u64]);
    fn get(&mut self, words: &[u64]);
}

impl Wire for bool {
    fn put(&self, words: &mut [u64]) {
        words[0] = (*self).into();
    }
    fn get(&mut self, words: &[u64]) {
        *self = words[0] != 0;
    }
}

macro_rules! numbers {
    ($($number:ident),*) => {$(
        impl Wire for $number {
            fn put(&self, words: &mut [u64]) {
                words[0] = (*self).into();
            }
            fn get(&mut self, words: &[u64]) {
                *self = words[0] as $number;
            }
        }
    )*};
}
numbers!(u8, u32, u64);

impl<const N: usize> Wire for [u64; N] {
    fn put(&self, words: &mut [u64]) {
        words.copy_from_slice(self);
    }
    fn get(&mut self, words: &[u64]) {
        self.copy_from_slice(words);
    }
}

/// Lanes side by side, as many as the words have.
impl Wire for [u32; WARP_SIZE] {
    fn put(&self, words: &mut [u64]) {
        for (word, pair) in words.iter_mut().zip(self.chunks(2)) {
            *word = pair.iter().rev().fold(0, |word, lane| word << 32 | u64::from(*lane));
        }
    }
    fn get(&mut self, words: &[u64]) {
        for (pair, word) in self.chunks_mut(2).zip(words) {
            pair.iter_mut().enumerate().for_each(|(half, lane)| *lane = (word >> (32 * half)) as u32);
        }
    }
}

/// A structure of fields that are no pins, and of all inputs or outputs of a unit for warps of so many lanes. Outputs have counters after
/// their pins.
macro_rules! user_pins {
    (
        $(#[$doc:meta])* $name:ident ($lanes:ident: $of:expr) { $($(#[$field_doc:meta])* $field:ident: $field_ty:ty,)* }
        pins { $($pin:ident $(if $valid:ident)?: $ty:ty = $width:expr,)* }
        $($counters:ident)?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $field_ty,)*
            $(pub $pin: $ty,)*
            $(/// Their values, in the order of their pins.
            pub $counters: Vec<u64>,)?
        }

        impl $name {
            /// The pins, without counters.
            pub fn list($lanes: usize) -> Vec<$crate::unit::Pin> {
                use $crate::unit::Pin;
                let _ = $lanes;
                vec![$(Pin::new(stringify!($pin), $width)
                    $(.valid_if($crate::unit::Condition::bit(stringify!($valid), 0)))?),*]
            }
        }

        impl $crate::unit::Pins for $name {
            fn store(&self, words: &mut [u64]) {
                use $crate::attach::user_unit::pins::Wire;
                let of: fn(&Self) -> usize = $of;
                let ($lanes, rest) = (of(self), words);
                $(let (words, rest) = rest.split_at_mut(($width as usize).div_ceil(64));
                self.$pin.put(words);)*
                let _ = ($lanes, &rest);
                $(rest.copy_from_slice(&self.$counters);)?
            }

            fn load(&mut self, words: &[u64]) {
                use $crate::attach::user_unit::pins::Wire;
                let of: fn(&Self) -> usize = $of;
                let ($lanes, rest) = (of(self), words);
                $(let (words, rest) = rest.split_at(($width as usize).div_ceil(64));
                self.$pin.get(words);)*
                let _ = ($lanes, rest);
                $(self.$counters.clear();
                self.$counters.extend_from_slice(rest);)?
            }
        }
    };
}
pub(super) use user_pins;
