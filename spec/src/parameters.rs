//! A unit's parameters as a plain structure.

/// A structure whose fields are parameters, with their names and defaults. Fields after `model` are no parameters of the RTL.
#[macro_export]
macro_rules! parameters {
    (
        $(#[$doc:meta])* $name:ident {
            $($(#[$field_doc:meta])* $field:ident: $ty:ty = $parameter:expr,)*
        } $(model {
            $($(#[$model_doc:meta])* $model:ident: $model_ty:ty = $default:expr,)*
        })?
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $ty,)*
            $($($(#[$model_doc])* pub $model: $model_ty,)*)?
        }

        impl Default for $name {
            fn default() -> Self {
                $name {
                    $($field: $crate::number::Number::of($parameter.default),)*
                    $($($model: $default,)*)?
                }
            }
        }

        impl $name {
            /// By name.
            pub fn values(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($field), $crate::number::Number::number(self.$field))),*]
            }

            /// These parameters with the given values in their places. Names of other parameters do not count.
            pub fn with(mut self, given: &[(&str, u64)]) -> Self {
                for (name, value) in given {
                    match *name {
                        $(stringify!($field) => self.$field = $crate::number::Number::of(*value),)*
                        _ => {}
                    }
                }
                self
            }

            /// Defaults, with the given values in their places.
            pub fn of(given: &[(&str, u64)]) -> Self {
                Self::default().with(given)
            }

            /// # Errors
            /// The first parameter that `unit` has and that is out of range.
            pub fn check(&self, unit: &$crate::Unit) -> Result<(), $crate::ParameterError> {
                unit.checked(&self.values()).map(drop)
            }
        }
    };
}
