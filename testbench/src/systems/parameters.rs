//! Fixtures of units, and the parameters of their models, from instances of the catalogue.

use hdl::catalog::Instance;

/// Value of a parameter that the unit has.
pub fn value(instance: &Instance, name: &str) -> usize {
    instance.parameter(name).expect("an instance has all parameters of its unit") as usize
}

/// The [`Fixture`] of a unit whose model and traffic are made from the same parameters: one that reads them from the instance, or
/// expressions of the instance.
macro_rules! unit {
    ($unit:literal, $model:ty, $traffic:ty, $parameters:ident) => {
        unit!($unit, $model, $traffic, |instance| &$parameters(instance))
    };
    ($unit:literal, $model:ty, $traffic:ty, |$instance:ident| $($parameter:expr),+) => {
        $crate::cosim::Fixture::new(
            $unit,
            |$instance| <$model>::new($($parameter),+),
            |$instance, seed| <$traffic>::new($($parameter),+, seed),
        )
    };
}
pub(super) use unit;

/// A field of a model's parameters `P`: its name in the catalogue, and how its value is read and written as a number.
pub type Field<P> = (&'static str, fn(&P) -> u64, fn(&mut P, u64));

/// A [`Field`] that is a number, with the same name in the model and in the catalogue.
macro_rules! field {
    ($name:ident) => {
        (stringify!($name), |parameters| parameters.$name as u64, |parameters, value| parameters.$name = value as _)
    };
}
pub(super) use field;

/// The parameters of `instance`; those that its unit does not have stay as they are in `usual`.
pub fn read<P>(instance: &Instance, fields: &[Field<P>], mut usual: P) -> P {
    for (name, _, set) in fields {
        if let Some(value) = instance.parameter(name) {
            set(&mut usual, value);
        }
    }
    usual
}

/// The parameters by the names and numbers of the catalogue.
pub fn values<P>(fields: &[Field<P>], parameters: &P) -> Vec<(&'static str, u64)> {
    fields.iter().map(|(name, get, _)| (*name, get(parameters))).collect()
}
