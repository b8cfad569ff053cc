//! Models and traffic of the Graph-Waving units.

use super::{Fixture, Values};
use crate::error::Result;
use crate::traffic::gw::{
    FetchArbiterTraffic, GwFrontEndTraffic, InstructionBufferTraffic, InstructionStorageTraffic, PairSchedulerTraffic,
    RoundRobinSchedulerTraffic, ScalarRegisterMapTraffic, ScalarWaveScoreboardTraffic, ScoreboardTraffic, SwfuTraffic,
    WarpStatusTableTraffic,
};
use sim::units::gw::{
    FetchArbiter, GwFrontEnd, InstructionBuffer, InstructionStorage, PairScheduler, Parameters, RoundRobinScheduler,
    ScalarRegisterMap, ScalarWaveScoreboard, Scoreboard, Swfu, WarpStatusTable,
};

/// What the unit does not have is left at its default. The warps of a unit are those of one scheduler.
fn parameters(values: &Values) -> Parameters {
    let usual = Parameters::default();
    let get = |name: &str, usual: usize| values.0.parameter(name).map_or(usual, |value| value as usize);
    let (schedulers, places) = (get("schedulers", 1), get("warps", usual.places()));
    // What has no waves has whole groups all the same.
    let wave = [16, 8, 4].into_iter().find(|wave| places % wave == 0).unwrap_or(usual.wave);
    Parameters {
        schedulers,
        warps: schedulers * places,
        wave: get("wave", wave),
        swst: get("swst", usual.swst),
        sets: get("sets", usual.sets),
        ways: get("ways", usual.ways),
        age_cap: get("age_cap", usual.age_cap.into()) as u8,
        reuse: true,
    }
}

/// The warps are those of all schedulers.
fn processor(values: &Values) -> Parameters {
    Parameters { warps: values.get("warps"), ..parameters(values) }
}

fixtures! {
    InstructionStorageFixture: InstructionStorage, InstructionStorageTraffic = |values, seed|
        InstructionStorage::new(&parameters(values)),
        InstructionStorageTraffic::new(&parameters(values), seed);
    WarpStatusTableFixture: WarpStatusTable, WarpStatusTableTraffic = |values, seed|
        WarpStatusTable::new(&parameters(values)),
        WarpStatusTableTraffic::new(&parameters(values), seed);
    FetchArbiterFixture: FetchArbiter, FetchArbiterTraffic = |values, seed|
        FetchArbiter::new(&parameters(values)),
        FetchArbiterTraffic::new(&parameters(values), seed);
    ScoreboardFixture: Scoreboard, ScoreboardTraffic = |values, seed|
        Scoreboard::new(&parameters(values)),
        ScoreboardTraffic::new(&parameters(values), seed);
    ScalarRegisterMapFixture: ScalarRegisterMap, ScalarRegisterMapTraffic = |values, seed|
        ScalarRegisterMap::new(&parameters(values)),
        ScalarRegisterMapTraffic::new(&parameters(values), seed);
    SwfuFixture: Swfu, SwfuTraffic = |values, seed|
        Swfu::new(&parameters(values)),
        SwfuTraffic::new(&parameters(values), seed);
    ScalarWaveScoreboardFixture: ScalarWaveScoreboard, ScalarWaveScoreboardTraffic = |values, seed|
        ScalarWaveScoreboard::new(&parameters(values)),
        ScalarWaveScoreboardTraffic::new(&parameters(values), seed);
    PairSchedulerFixture: PairScheduler, PairSchedulerTraffic = |values, seed|
        PairScheduler::new(&parameters(values)),
        PairSchedulerTraffic::new(&parameters(values), seed);
    InstructionBufferFixture: InstructionBuffer, InstructionBufferTraffic = |values, seed|
        InstructionBuffer::new(values.get("warps")),
        InstructionBufferTraffic::new(values.get("warps"), seed);
    RoundRobinSchedulerFixture: RoundRobinScheduler, RoundRobinSchedulerTraffic = |values, seed|
        RoundRobinScheduler::new(values.get("warps")),
        RoundRobinSchedulerTraffic::new(values.get("warps"), seed);
    GwFrontEndFixture: GwFrontEnd, GwFrontEndTraffic = |values, seed|
        GwFrontEnd::new(&processor(values)),
        GwFrontEndTraffic::new(&processor(values), seed);
}
