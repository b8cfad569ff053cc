//! Enums whose values users name.

/// Declares an enum of which each value has a name that users type and a description: `All = "all": "everything that there is",`.
#[macro_export]
macro_rules! named {
    ($(#[$about:meta])* pub enum $enum:ident { $($value:ident = $name:literal: $description:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $enum {
            $($value),+
        }

        impl $enum {
            pub const ALL: [$enum; [$($name),+].len()] = [$($enum::$value),+];

            /// The value of this name; otherwise all names and the nearest, for a message.
            pub fn find(name: &str) -> Result<$enum, String> {
                let found = Self::ALL.into_iter().find(|value| value.name() == name);
                found.ok_or_else(|| $crate::listed(name, Self::ALL.map(Self::name)))
            }

            pub fn name(self) -> &'static str {
                match self {
                    $($enum::$value => $name),+
                }
            }

            pub fn description(self) -> &'static str {
                match self {
                    $($enum::$value => $description),+
                }
            }
        }
    };
}
