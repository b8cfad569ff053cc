//! Models and traffic of the units of the IRU.

use super::{unit, AnyFixture, Fixture};
use crate::traffic::iru::{
    ClassifierTraffic, DataReplierTraffic, IruHashTraffic, IruPartitionTraffic, IruTraffic, PrefetcherTraffic,
    ReorderBankTraffic, RingStopTraffic,
};
use hdl::catalog::Instance;
use sim::units::iru::{
    Classifier, DataReplier, Iru, IruHash, IruPartition, Parameters, Prefetcher, ReorderBank, RingStop,
};

pub(super) const FIXTURES: &[&dyn AnyFixture] = &[
    &Fixture::new("iru_hash", |i| IruHash::new(&parameters(i)), |_, seed| IruHashTraffic::new(seed)).settles_in(2),
    &unit!("prefetcher", Prefetcher, PrefetcherTraffic, parameters),
    &unit!("classifier", Classifier, ClassifierTraffic, parameters),
    &unit!("ring_stop", RingStop, RingStopTraffic, parameters),
    &unit!("reorder_bank", ReorderBank, ReorderBankTraffic, parameters),
    &unit!("data_replier", DataReplier, DataReplierTraffic, parameters),
    &unit!("iru_partition", IruPartition, IruPartitionTraffic, parameters),
    &unit!("iru", Iru, IruTraffic, parameters),
];

/// What the unit does not have is left at its default.
fn parameters(instance: &Instance) -> Parameters {
    Parameters::of(&instance.parameters)
}
