//! Models and traffic of the reorder units.

use super::{Fixture, Values};
use crate::error::Result;
use crate::traffic::iru::{
    ClassifierTraffic, DataReplierTraffic, Fp32AddTraffic, HashTraffic, IruTraffic, PartitionTraffic,
    PrefetcherTraffic, QueueTraffic, ReorderBankTraffic, RingStopTraffic, SramTraffic,
};
use sim::units::iru::{
    Classifier, DataReplier, Fp32Add, HashKind, Iru, IruHash, IruPartition, Parameters, Prefetcher, Queue, ReorderBank,
    RingStop, Sram1r1w,
};
use sim::units::parameter::ParameterError;

/// By their numbers as parameter.
const HASHES: [HashKind; 3] = [HashKind::Multiplicative, HashKind::Modulo, HashKind::Xor];

/// What the unit does not have is left at its default.
fn parameters(values: &Values) -> Parameters {
    let usual = Parameters::default();
    let get = |name: &str, usual: usize| values.0.parameter(name).map_or(usual, |value| value as usize);
    Parameters {
        partitions: get("partitions", usual.partitions),
        sets: get("sets", usual.sets),
        hash: HASHES[get("hash", 0)],
        timeout: get("timeout", usual.timeout as usize) as u32,
        requests: get("requests", usual.requests),
        interleave: get("interleave", usual.interleave),
    }
}

fixtures! {
    SramFixture: Sram1r1w, SramTraffic, settles in 2 = |values, seed|
        Sram1r1w::new(values.get("width") as u32, values.get("words")),
        SramTraffic::new(values.get("width") as u32, values.get("words"), seed);
    QueueFixture: Queue, QueueTraffic = |values, seed|
        Queue::new(values.get("width") as u32, values.get("entries")),
        QueueTraffic::new(values.get("width") as u32, values.get("entries"), seed);
    HashFixture: IruHash, HashTraffic, settles in 2 = |values, seed|
        IruHash::new(&parameters(values)),
        HashTraffic::new(seed);
    PrefetcherFixture: Prefetcher, PrefetcherTraffic = |values, seed|
        Prefetcher::new(&parameters(values)),
        PrefetcherTraffic::new(&parameters(values), seed);
    ClassifierFixture: Classifier, ClassifierTraffic = |values, seed|
        Classifier::new(&parameters(values)),
        ClassifierTraffic::new(&parameters(values), seed);
    RingStopFixture: RingStop, RingStopTraffic = |values, seed|
        RingStop::new(&parameters(values)),
        RingStopTraffic::new(&parameters(values), seed);
    Fp32AddFixture: Fp32Add, Fp32AddTraffic, settles in 5 = |_values, seed|
        Ok::<_, ParameterError>(Fp32Add::new()),
        Fp32AddTraffic::new(seed);
    ReorderBankFixture: ReorderBank, ReorderBankTraffic = |values, seed|
        ReorderBank::new(&parameters(values)),
        ReorderBankTraffic::new(&parameters(values), seed);
    DataReplierFixture: DataReplier, DataReplierTraffic = |values, seed|
        DataReplier::new(&parameters(values)),
        DataReplierTraffic::new(&parameters(values), seed);
    PartitionFixture: IruPartition, PartitionTraffic = |values, seed|
        IruPartition::new(&parameters(values)),
        PartitionTraffic::new(&parameters(values), seed);
    IruFixture: Iru, IruTraffic = |values, seed|
        Iru::new(&parameters(values)),
        IruTraffic::new(&parameters(values), seed);
}
