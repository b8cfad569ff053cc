//! Models and traffic of the units of Graph-Waving.

use super::{unit, value, AnyFixture};
use crate::traffic::gw::{
    B32FrontEndTraffic, FetchArbiterTraffic, GwFrontEndTraffic, InstructionBufferTraffic, RoundRobinSchedulerTraffic,
};
use hdl::catalog::Instance;
use sim::units::gw::{
    B32FrontEnd, B32Parameters, FetchArbiter, GwFrontEnd, InstructionBuffer, Parameters, RoundRobinScheduler,
};

pub(super) const FIXTURES: &[&dyn AnyFixture] = &[
    &unit!("fetch_arbiter", FetchArbiter, FetchArbiterTraffic, parameters),
    &unit!("gw_front_end", GwFrontEnd, GwFrontEndTraffic, processor),
    &unit!("instruction_buffer", InstructionBuffer, InstructionBufferTraffic, |i| value(i, "warps")),
    &unit!("round_robin_scheduler", RoundRobinScheduler, RoundRobinSchedulerTraffic, |i| value(i, "warps")),
    &unit!("b32_front_end", B32FrontEnd, B32FrontEndTraffic, baseline),
];

/// Of a processor of the baseline.
fn baseline(instance: &Instance) -> B32Parameters {
    B32Parameters::of(&instance.parameters)
}

/// Of the whole processor. What the unit does not have is left at its default.
fn processor(instance: &Instance) -> Parameters {
    Parameters::of(&instance.parameters)
}

/// The same, where the warps of the unit are those of one scheduler.
fn parameters(instance: &Instance) -> Parameters {
    let usual = Parameters::default();
    let places = instance.parameter("warps").map_or(usual.places(), |warps| warps as usize);
    // What has no waves has whole groups all the same.
    let wave = [16, 8, 4].into_iter().find(|wave| places.is_multiple_of(*wave)).unwrap_or(usual.wave);
    let of_one = Parameters { schedulers: 1, warps: places, wave, ..usual }.with(&instance.parameters);
    Parameters { warps: of_one.schedulers * places, ..of_one }
}
