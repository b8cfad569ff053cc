//! Fixtures of units, and the parameters of their models, from instances of the catalogue.

use hdl::catalog::Instance;

/// Value of a parameter that the unit has.
pub fn value(instance: &Instance, name: &str) -> usize {
    instance.parameter(name).expect("an instance has all parameters of its unit") as usize
}

/// The [`Fixture`] of a unit whose model and stimulus are made from the same parameters: one that reads them from the instance, or
/// expressions of the instance.
macro_rules! unit {
    ($unit:literal, $model:ty, $stimulus:ty, $parameters:ident) => {
        unit!($unit, $model, $stimulus, |instance| &$parameters(instance))
    };
    ($unit:literal, $model:ty, $stimulus:ty, |$instance:ident| $($parameter:expr),+) => {
        $crate::cosim::Fixture::new(
            $unit,
            |$instance| <$model>::new($($parameter),+),
            |$instance, seed| <$stimulus>::new($($parameter),+, seed),
        )
    };
}
pub(super) use unit;
