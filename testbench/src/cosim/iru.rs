//! Models and traffic of the units of the IRU.

use super::{field, read, unit, AnyFixture, Field, Fixture};
use crate::traffic::iru::{
    ClassifierTraffic, DataReplierTraffic, IruHashTraffic, IruPartitionTraffic, IruTraffic, PrefetcherTraffic,
    ReorderBankTraffic, RingStopTraffic,
};
use hdl::catalog::Instance;
use sim::units::iru::{
    Classifier, DataReplier, HashKind, Iru, IruHash, IruPartition, Parameters, Prefetcher, ReorderBank, RingStop,
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

/// By their numbers as parameter.
const HASHES: [HashKind; 3] = [HashKind::Multiplicative, HashKind::Modulo, HashKind::Xor];

pub(crate) const FIELDS: &[Field<Parameters>] = &[
    field!(partitions),
    field!(sets),
    ("hash", |p| p.hash as u64, |p, value| p.hash = HASHES[value as usize]),
    field!(timeout),
    field!(requests),
    field!(interleave),
];

/// What the unit does not have is left at its default.
fn parameters(instance: &Instance) -> Parameters {
    read(instance, FIELDS, Parameters::default())
}
