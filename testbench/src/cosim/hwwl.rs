//! Models and traffic of the units of HWWL.

use super::{unit, value, AnyFixture, Fixture};
use crate::traffic::hwwl::{
    BankTraffic, ExternalCoreTraffic, HvuTraffic, HwwlCoreTraffic, HwwlTraffic, IcrnTraffic, WruTraffic,
};
use hdl::catalog::Instance;
use sim::units::hwwl::{
    Bank, ExternalCore, Hvu, Hwwl, HwwlCore, Icrn, Parameters, Scheme, WruGlobal, WruSorting, WruThreshold,
};

pub(super) const FIXTURES: &[&dyn AnyFixture] = &[
    &unit!("bank", Bank, BankTraffic, |i| value(i, "entries"), value(i, "lanes")),
    &Fixture::new(
        "wru_threshold",
        |i| WruThreshold::new(&parameters(i)),
        |i, seed| WruTraffic::new(&parameters(i), value(i, "lanes"), seed),
    ),
    &Fixture::new(
        "wru_sorting",
        |i| WruSorting::new(&parameters(i)),
        |i, seed| WruTraffic::new(&parameters(i), value(i, "lanes"), seed),
    ),
    &Fixture::new(
        "wru_global",
        |i| WruGlobal::new(&parameters(i)),
        |i, seed| WruTraffic::new(&parameters(i), value(i, "cores") * value(i, "lanes"), seed),
    ),
    &unit!("hvu", Hvu, HvuTraffic, parameters),
    &Fixture::new("hvu_bins", |i| Hvu::new(&with_bins(i)), |i, seed| HvuTraffic::new(&with_bins(i), seed)),
    &Fixture::new("icrn", |i| Icrn::new(&parameters(i)), |i, seed| IcrnTraffic::new(value(i, "cores"), seed)),
    &unit!("hwwl_core", HwwlCore, HwwlCoreTraffic, parameters).only(|i| parameters(i).scheme != Scheme::Gsorting),
    &unit!("hwwl_core", ExternalCore, ExternalCoreTraffic, parameters),
    &unit!("hwwl", Hwwl, HwwlTraffic, parameters),
];

/// The unit with bins has no parameter that says how many.
fn with_bins(instance: &Instance) -> Parameters {
    Parameters { bins: 64, ..parameters(instance) }
}

/// What the unit does not have is left at its default.
fn parameters(instance: &Instance) -> Parameters {
    Parameters::of(&instance.parameters)
}
