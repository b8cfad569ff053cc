//! Models and stimulus of the units of HWWL.

use super::parameters::{unit, value};
use super::{InGpu, PlugIn};
use crate::cosim::Fixture;
use crate::error::{Error, Result};
use crate::in_gpu::{AnyUnit, Choice, GpuUnit, Handle, SystemUnit};
use crate::stimulus::hwwl::{
    BankStimulus, EdgeExpanderStimulus, ExternalCoreStimulus, HvuStimulus, HwwlCoreStimulus, HwwlStimulus,
    IcrnStimulus, WruStimulus,
};
use hdl::catalog::Instance;
use sim::attach::hwwl::{HwwlSystem, SYSTEM};
use sim::attach::system::System;
use sim::config::{Config, Ideal};
use sim::units::hwwl::{
    Bank, EdgeExpander, ExternalCore, Hvu, Hwwl, HwwlCore, Icrn, Parameters, Scheme, WruGlobal, WruSerial, WruSorting,
    WruThreshold,
};

pub static HWWL: PlugIn = PlugIn {
    name: SYSTEM.name,
    description: "hardware worklists of all cores",
    units: &[],
    in_gpu: Some(InGpu { attach, ..InGpu::of::<Hwwl>(Some(&SYSTEM)) }),
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
            "wru_serial",
            |i| WruSerial::new(&parameters(i)),
            |i, seed| WruStimulus::serial(&parameters(i), seed),
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
        &unit!("edge_expander", EdgeExpander, EdgeExpanderStimulus, |i| value(i, "lanes"), value(i, "nodes")),
        &unit!("hwwl", Hwwl, HwwlStimulus, parameters),
    ],
};

/// The worklist, and an edge expander at each core if the configuration has them.
fn attach(config: &Config, choice: &Choice) -> Result<(Box<dyn System>, Handle)> {
    let (parameters, count) = Hwwl::on(config)?;
    let (units, handle) = choice.of_parameters::<Hwwl>(&parameters, count)?;
    let nodes = config.hwwl.as_ref().map_or(0, |hwwl| hwwl.nodes);
    let expanders = match nodes {
        0 => Vec::new(),
        _ => choice.beside::<EdgeExpander>(&handle, &[parameters.lanes, nodes], config.core.count)?,
    };
    Ok((system(config, units, expanders), handle))
}

/// The system with its only worklist.
fn system(config: &Config, units: Vec<AnyUnit<Hwwl>>, expanders: Vec<AnyUnit<EdgeExpander>>) -> Box<dyn System> {
    let mut units = units.into_iter();
    Box::new(HwwlSystem::new(units.next().expect("a GPU has one"), expanders, config))
}

impl GpuUnit for EdgeExpander {
    const NAME: &'static str = "edge_expander";
    /// Lanes and nodes.
    type Parameters = [usize; 2];

    fn model([lanes, nodes]: &[usize; 2]) -> Result<Self> {
        Ok(EdgeExpander::new(*lanes, *nodes)?)
    }

    fn instance([lanes, nodes]: &[usize; 2]) -> Result<Instance> {
        let values = [("lanes", *lanes as u64), ("nodes", *nodes as u64)];
        Ok(hdl::catalog::find(Self::NAME, &values)?)
    }
}

impl GpuUnit for Hwwl {
    const NAME: &'static str = "hwwl";
    type Parameters = Parameters;

    fn model(parameters: &Parameters) -> Result<Self> {
        Ok(Hwwl::new(parameters)?)
    }

    fn instance(parameters: &Parameters) -> Result<Instance> {
        Ok(hdl::catalog::find(Self::NAME, &parameters.values())?)
    }
}

impl SystemUnit for Hwwl {
    fn on(config: &Config) -> Result<(Parameters, usize)> {
        let hwwl = config.hwwl.as_ref().expect("the configuration has a [hwwl] table");
        match hwwl.ideal {
            Ideal::No => Ok((hwwl.parameters(config.core.count), 1)),
            ideal => Err(Error::NoHardware(format!("hwwl.ideal = {ideal:?}"))),
        }
    }

    fn system(config: &Config, units: Vec<AnyUnit<Self>>) -> Box<dyn System> {
        system(config, units, Vec::new())
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
