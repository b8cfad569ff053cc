//! Models and stimulus of the units of HWWL.

use super::parameters::{unit, value};
use super::{InGpu, PlugIn};
use crate::cosim::Fixture;
use crate::error::{Error, Result};
use crate::in_gpu::{AnyUnit, SystemUnit};
use crate::stimulus::hwwl::{
    BankStimulus, EdgeExpanderStimulus, ExternalCoreStimulus, HvuStimulus, HwwlCoreStimulus, HwwlStimulus,
    IcrnStimulus, WruStimulus,
};
use hdl::catalog::Instance;
use sim::attach::hwwl::{HwwlSystem, SYSTEM};
use sim::attach::system::System;
use sim::config::{Config, Ideal};
use sim::units::hwwl::{
    Bank, EdgeExpander, ExternalCore, Hvu, Hwwl, HwwlCore, Icrn, Parameters, Scheme, WruGlobal, WruSorting,
    WruThreshold,
};

pub static HWWL: PlugIn = PlugIn {
    name: SYSTEM.name,
    description: "hardware worklists of all cores",
    units: &[],
    in_gpu: Some(InGpu::of::<Hwwl>(Some(&SYSTEM))),
    fixtures: &[
        &unit!("bank", Bank, BankStimulus, |i| value(i, "entries"), value(i, "lanes")),
        &Fixture::new(
            "wru_threshold",
            |i| WruThreshold::new(&parameters(i)),
            |i, seed| WruStimulus::new(&parameters(i), value(i, "lanes"), seed),
        ),
        &Fixture::new(
            "wru_sorting",
            |i| WruSorting::new(&parameters(i)),
            |i, seed| WruStimulus::new(&parameters(i), value(i, "lanes"), seed),
        ),
        &Fixture::new(
            "wru_global",
            |i| WruGlobal::new(&parameters(i)),
            |i, seed| WruStimulus::new(&parameters(i), value(i, "cores") * value(i, "lanes"), seed),
        ),
        &unit!("hvu", Hvu, HvuStimulus, parameters),
        &Fixture::new("hvu_bins", |i| Hvu::new(&with_bins(i)), |i, seed| HvuStimulus::new(&with_bins(i), seed)),
        &Fixture::new("icrn", |i| Icrn::new(&parameters(i)), |i, seed| IcrnStimulus::new(value(i, "cores"), seed)),
        &unit!("hwwl_core", HwwlCore, HwwlCoreStimulus, parameters)
            .only(|i| parameters(i).scheme != Scheme::GlobalSorting),
        &unit!("hwwl_core", ExternalCore, ExternalCoreStimulus, parameters),
        &unit!("hwwl", Hwwl, HwwlStimulus, parameters),
        &unit!("edge_expander", EdgeExpander, EdgeExpanderStimulus, |i| value(i, "lanes"), value(i, "nodes")),
    ],
};

impl SystemUnit for Hwwl {
    const NAME: &'static str = "hwwl";
    type Parameters = Parameters;

    fn on(config: &Config) -> Result<(Parameters, usize)> {
        let hwwl = config.hwwl.as_ref().expect("the configuration has a [hwwl] table");
        match hwwl.ideal {
            Ideal::No => Ok((hwwl.parameters(config.core.count), 1)),
            ideal => Err(Error::NoHardware(format!("hwwl.ideal = {ideal:?}"))),
        }
    }

    fn model(parameters: &Parameters) -> Result<Self> {
        Ok(Hwwl::new(parameters)?)
    }

    fn instance(parameters: &Parameters) -> Result<Instance> {
        Ok(hdl::catalog::find(Self::NAME, &parameters.values())?)
    }

    fn system(config: &Config, units: Vec<AnyUnit<Self>>) -> Box<dyn System> {
        let mut units = units.into_iter();
        let expanders = sim::attach::hwwl::expanders(config).expect("a configuration is validated when it is made");
        Box::new(HwwlSystem::new(units.next().expect("a GPU has one"), expanders, config))
    }
}

/// The unit with bins has no parameter that says how many.
fn with_bins(instance: &Instance) -> Parameters {
    Parameters { bins: 64, ..parameters(instance) }
}

/// Parameters that the unit does not have are left at their defaults.
fn parameters(instance: &Instance) -> Parameters {
    Parameters::of(&instance.parameters)
}
