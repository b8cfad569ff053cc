//! The values of parameters as types: integers, and choices by their numbers.

/// A type whose values are those of a parameter.
pub trait Number: Copy {
    fn number(self) -> u64;
    /// The value of a number that the parameter's rule allows.
    fn of(number: u64) -> Self;
}

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl Number for $integer {
            fn number(self) -> u64 {
                self as u64
            }
            fn of(number: u64) -> Self {
                number as $integer
            }
        }
    )*};
}
integers!(u8, u32, usize);

/// 0 and 1.
impl Number for bool {
    fn number(self) -> u64 {
        u64::from(self)
    }
    fn of(number: u64) -> Self {
        number != 0
    }
}

/// A parameter that is a choice: each value with its name, in the order of their numbers.
#[macro_export]
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$value_doc:meta])* $value:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$value_doc])* #[serde(rename = $text)] $value,)*
        }

        impl $name {
            pub const ALL: &'static [$name] = &[$($name::$value),*];
            pub const NAMES: &'static [&'static str] = &[$($text),*];

            pub fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }

        impl $crate::number::Number for $name {
            fn number(self) -> u64 {
                self as u64
            }
            fn of(number: u64) -> Self {
                Self::ALL[number as usize]
            }
        }
    };
}
