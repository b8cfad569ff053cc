//! Models and stimulus of the units of Graph-Waving.

use super::parameters::{unit, value};
use super::{InGpu, PlugIn};
use crate::error::Result;
use crate::in_gpu::{AnyUnit, GpuUnit, SystemUnit};
use crate::stimulus::gw::{
    B32FrontEndStimulus, FetchArbiterStimulus, GwFrontEndStimulus, InstructionBufferStimulus,
    RoundRobinSchedulerStimulus,
};
use hdl::catalog::Instance;
use sim::attach::b32::{self, B32System};
use sim::attach::gw::{self, GwSystem};
use sim::attach::system::System;
use sim::config::Config;
use sim::units::gw::{
    B32FrontEnd, B32Parameters, FetchArbiter, GwFrontEnd, InstructionBuffer, Parameters, RoundRobinScheduler,
};
use sim::units::parameter::require;

pub static GW: PlugIn = PlugIn {
    name: gw::SYSTEM.name,
    description: "front ends of all cores that form pairs and scalar waves",
    units: &[],
    in_gpu: Some(InGpu::of::<GwFrontEnd>(Some(&gw::SYSTEM))),
    fixtures: &[
        &unit!("fetch_arbiter", FetchArbiter, FetchArbiterStimulus, parameters),
        &unit!("gw_front_end", GwFrontEnd, GwFrontEndStimulus, processor),
        &unit!("instruction_buffer", InstructionBuffer, InstructionBufferStimulus, |i| value(i, "warps")),
        &unit!("round_robin_scheduler", RoundRobinScheduler, RoundRobinSchedulerStimulus, |i| value(i, "warps")),
    ],
};

pub static B32: PlugIn = PlugIn {
    name: b32::SYSTEM.name,
    description: "front ends of all cores of the baseline",
    units: &[],
    in_gpu: Some(InGpu::of::<B32FrontEnd>(Some(&b32::SYSTEM))),
    fixtures: &[&unit!("b32_front_end", B32FrontEnd, B32FrontEndStimulus, baseline)],
};

impl GpuUnit for GwFrontEnd {
    const NAME: &'static str = "gw_front_end";
    type Parameters = Parameters;

    fn model(parameters: &Parameters) -> Result<Self> {
        Ok(GwFrontEnd::new(parameters)?)
    }

    fn instance(parameters: &Parameters) -> Result<Instance> {
        let rule = "true: without reuse each warp has an entry of its own, which only the model has";
        require(parameters.reuse, Self::NAME, "reuse", false, rule)?;
        let rule = "false: look-up, check and issue in one cycle is a limit that only the model has";
        require(!parameters.ideal, Self::NAME, "ideal", true, rule)?;
        Ok(hdl::catalog::find(Self::NAME, &parameters.values())?)
    }
}

impl SystemUnit for GwFrontEnd {
    fn on(config: &Config) -> Result<(Parameters, usize)> {
        let gw = config.gw.as_ref().expect("the configuration has a [gw] table");
        Ok((gw.parameters(config), config.core.count))
    }

    fn system(config: &Config, units: Vec<AnyUnit<Self>>) -> Box<dyn System> {
        Box::new(GwSystem::new(config, units))
    }
}

impl GpuUnit for B32FrontEnd {
    const NAME: &'static str = "b32_front_end";
    type Parameters = B32Parameters;

    fn model(parameters: &B32Parameters) -> Result<Self> {
        Ok(B32FrontEnd::new(parameters)?)
    }

    fn instance(parameters: &B32Parameters) -> Result<Instance> {
        Ok(hdl::catalog::find(Self::NAME, &parameters.values())?)
    }
}

impl SystemUnit for B32FrontEnd {
    fn on(config: &Config) -> Result<(B32Parameters, usize)> {
        Ok((config.core.b32_parameters(), config.core.count))
    }

    fn system(config: &Config, units: Vec<AnyUnit<Self>>) -> Box<dyn System> {
        Box::new(B32System::new(config, units))
    }
}

/// Parameters of a processor of the baseline.
fn baseline(instance: &Instance) -> B32Parameters {
    B32Parameters::of(&instance.parameters)
}

/// Parameters of the whole processor. Those that the unit does not have are left at their defaults.
fn processor(instance: &Instance) -> Parameters {
    Parameters::of(&instance.parameters)
}

/// The same, where the warps of the unit are those of one scheduler.
fn parameters(instance: &Instance) -> Parameters {
    let usual = Parameters::default();
    let places = instance.parameter("warps").map_or(usual.places(), |warps| warps as usize);
    // Units without waves have whole groups all the same.
    let wave = [16, 8, 4].into_iter().find(|wave| places.is_multiple_of(*wave)).unwrap_or(usual.wave);
    let of_one = Parameters { schedulers: 1, warps: places, wave, ..usual }.with(&instance.parameters);
    Parameters { warps: of_one.schedulers * places, ..of_one }
}
