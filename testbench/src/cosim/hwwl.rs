//! Models and traffic of the units of HWWL.

use super::{field, read, unit, value, AnyFixture, Field, Fixture};
use crate::traffic::hwwl::{
    BankTraffic, ExternalCoreTraffic, HvuTraffic, HwwlCoreTraffic, HwwlTraffic, IcrnTraffic, WruTraffic,
};
use hdl::catalog::Instance;
use sim::units::hwwl::{
    Bank, ExternalCore, Hvu, Hwwl, HwwlCore, Icrn, Parameters, Refill, Scheme, WruGlobal, WruSorting, WruThreshold,
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
    &unit!("hwwl_core", HwwlCore, HwwlCoreTraffic, parameters).only(|i| parameters(i).scheme != Scheme::GlobalSorting),
    &unit!("hwwl_core", ExternalCore, ExternalCoreTraffic, parameters),
    &unit!("hwwl", Hwwl, HwwlTraffic, parameters),
];

/// By their numbers as parameter.
const SCHEMES: [Scheme; 4] = [Scheme::None, Scheme::Threshold, Scheme::LocalSorting, Scheme::GlobalSorting];
const REFILLS: [Refill; 2] = [Refill::Interval, Refill::Demand];

pub(crate) const FIELDS: &[Field<Parameters>] = &[
    field!(cores),
    field!(lanes),
    field!(entries),
    ("scheme", |p| p.scheme as u64, |p, value| p.scheme = SCHEMES[value as usize]),
    field!(threshold),
    field!(interval),
    ("refill", |p| p.refill as u64, |p, value| p.refill = REFILLS[value as usize]),
    field!(refill_interval),
    field!(bins),
];

/// The unit with bins has no parameter that says how many.
fn with_bins(instance: &Instance) -> Parameters {
    Parameters { bins: 64, ..parameters(instance) }
}

/// What the unit does not have is left at its default.
fn parameters(instance: &Instance) -> Parameters {
    read(instance, FIELDS, Parameters::default())
}
