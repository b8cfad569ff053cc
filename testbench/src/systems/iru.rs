//! Models and stimulus of the units of the IRU.

use super::parameters::unit;
use super::{InGpu, PlugIn};
use crate::cosim::Fixture;
use crate::error::Result;
use crate::in_gpu::{AnyUnit, GpuUnit, SystemUnit};
use crate::stimulus::iru::{
    ClassifierStimulus, DataReplierStimulus, IruHashStimulus, IruPartitionStimulus, IruStimulus, PrefetcherStimulus,
    ReorderBankStimulus, RingStopStimulus,
};
use hdl::catalog::Instance;
use sim::attach::iru::{IruSystem, SYSTEM};
use sim::attach::system::System;
use sim::config::Config;
use sim::units::iru::{
    Classifier, DataReplier, Iru, IruHash, IruPartition, Parameters, Prefetcher, ReorderBank, RingStop,
};

pub static IRU: PlugIn = PlugIn {
    name: SYSTEM.name,
    description: "reorder units of all memory partitions",
    units: &[],
    in_gpu: Some(InGpu::of::<Iru>(Some(&SYSTEM))),
    fixtures: &[
        &Fixture::new("iru_hash", |i| IruHash::new(&parameters(i)), |_, seed| IruHashStimulus::new(seed)).settles_in(2),
        &unit!("prefetcher", Prefetcher, PrefetcherStimulus, parameters),
        &unit!("classifier", Classifier, ClassifierStimulus, parameters),
        &unit!("ring_stop", RingStop, RingStopStimulus, parameters),
        &unit!("reorder_bank", ReorderBank, ReorderBankStimulus, parameters),
        &unit!("data_replier", DataReplier, DataReplierStimulus, parameters),
        &unit!("iru_partition", IruPartition, IruPartitionStimulus, parameters),
        &unit!("iru", Iru, IruStimulus, parameters),
    ],
};

impl GpuUnit for Iru {
    const NAME: &'static str = "iru";
    type Parameters = Parameters;

    fn model(parameters: &Parameters) -> Result<Self> {
        Ok(Iru::new(parameters)?)
    }

    fn instance(parameters: &Parameters) -> Result<Instance> {
        Ok(hdl::catalog::find(Self::NAME, &parameters.values())?)
    }
}

impl SystemUnit for Iru {
    fn on(config: &Config) -> Result<(Parameters, usize)> {
        let iru = config.iru.as_ref().expect("the configuration has an [iru] table");
        Ok((iru.parameters(config), 1))
    }

    fn system(config: &Config, units: Vec<AnyUnit<Self>>) -> Box<dyn System> {
        let mut units = units.into_iter();
        Box::new(IruSystem::new(units.next().expect("a GPU has one"), config))
    }
}

/// Parameters that the unit does not have are left at their defaults.
fn parameters(instance: &Instance) -> Parameters {
    Parameters::of(&instance.parameters)
}
