//! The units of Graph-Waving, and those of its baseline.

use super::parameters::*;
use super::pins::*;
use crate::parameter::{Relation, Values};
use crate::pin::Interface;
use crate::pins::interface;
use crate::unit::{Size, Sizes, Unit};

pub const GW_2: &str = "Yilmazer-Metin, Graph-Waving architecture, 2";

pub const GW_6_2: &str = "Yilmazer-Metin, Graph-Waving architecture, 6.2";

pub const WHOLE_SCHEDULERS: Relation = Relation {
    parameter: "warps",
    rule: WARPS_OF_ALL,
    holds: |p| {
        let (schedulers, warps) = (p.get("schedulers"), p.get("warps"));
        warps % (schedulers * p.get("wave")) == 0 && warps / schedulers <= 64
    },
};

pub const WHOLE_WIDE_SCHEDULERS: Relation = Relation {
    parameter: "warps",
    rule: WIDE_WARPS_OF_ALL,
    holds: |p| {
        let (schedulers, warps) = (p.get("schedulers"), p.get("warps"));
        warps % (4 * schedulers) == 0 && warps / schedulers <= 64
    },
};

/// Front ends of few warps, whose tables and sets are full soon.
pub const SMALL_FRONT_END: Size =
    &[("schedulers", 2), ("warps", 16), ("wave", 4), ("swst", 2), ("age_cap", 8), ("sets", 4), ("ways", 2)];

/// The same with what goes beyond the paper.
pub const FAST_FRONT_END: Size = &[
    ("schedulers", 2),
    ("warps", 16),
    ("wave", 4),
    ("swst", 2),
    ("age_cap", 8),
    ("sets", 4),
    ("ways", 2),
    ("land", 1),
    ("express", 1),
    ("prefetch", 1),
    ("lowest", 1),
];

pub const SIXTEEN_WARPS_LOWEST: Size = &[("warps", 16), ("lowest", 1)];

pub const SIXTEEN_WARPS: Size = &[("warps", 16)];

pub const EIGHT_WARPS: Size = &[("warps", 8)];

pub static UNITS: &[&Unit] =
    &[&FETCH_ARBITER, &GW_FRONT_END, &INSTRUCTION_BUFFER, &ROUND_ROBIN_SCHEDULER, &B32_FRONT_END];

pub static FETCH_ARBITER: Unit = Unit {
    name: "fetch_arbiter",
    description: "picks among the warps that wait for a fetch, one line a cycle",
    timing: "latency 1 cycle; one line a cycle",
    paper: GW_6_2,
    parameters: &[SCHEDULERS, WARPS],
    relations: &[],
    shipped: &[&[2, 8], &[4, 48]],
    sizes: Sizes {
        campaign: &[&[("schedulers", 2), ("warps", 8)]],
        mutants: &[("schedulers", 2), ("warps", 8)],
        mutant_count: 300,
        ..Sizes::DEFAULT
    },
    pins: |p| fetch_arbiter(p),
};

pub static GW_FRONT_END: Unit = Unit {
    name: "gw_front_end",
    description: "the front end of a SIMD processor: storage, arbiter, and all schedulers",
    timing: "a warp takes 3 cycles from issue to issue in a long run, 1 at least, 5 from the answer to a branch; one issue a cycle and scheduler",
    paper: GW_6_2,
    parameters: &[SCHEDULERS, ALL_WARPS, WAVE, SWST, SETS, WAYS, AGE_CAP, WINDOW, LAND, EXPRESS, PREFETCH, LOWEST],
    relations: &[WHOLE_SCHEDULERS],
    shipped: &[&[2, 16, 4, 2, 4, 2, 8, 2, 0, 0, 0, 0], &[4, 192, 16, 8, 16, 3, 64, 2, 0, 0, 0, 0]],
    sizes: Sizes { campaign: &[SMALL_FRONT_END, FAST_FRONT_END], mutants: SMALL_FRONT_END, mutant_count: 100, gates: SMALL_FRONT_END, ..Sizes::DEFAULT },
    pins: |p| interface::<GwIn, GwOut, _>(&Parameters::of(&p.0)),
};

pub static INSTRUCTION_BUFFER: Unit = Unit {
    name: "instruction_buffer",
    description: "two slots for each warp of a scheduler of the baseline",
    timing: "latency 1 cycle; one line in and one instruction out a cycle",
    paper: GW_2,
    parameters: &[WIDE_WARPS],
    relations: &[],
    shipped: &[&[8], &[24]],
    sizes: Sizes { campaign: &[EIGHT_WARPS], mutants: EIGHT_WARPS, mutant_count: 300, ..Sizes::DEFAULT },
    pins: |p| interface::<InstructionBufferIn, InstructionBufferOut, _>(p.get("warps") as usize),
};

pub static ROUND_ROBIN_SCHEDULER: Unit = Unit {
    name: "round_robin_scheduler",
    description: "issues the warps of a scheduler of the baseline in turn",
    timing: "latency 1 cycle; one issue a cycle",
    paper: GW_2,
    parameters: &[WIDE_WARPS],
    relations: &[],
    shipped: &[&[8], &[24]],
    sizes: Sizes { campaign: &[EIGHT_WARPS], mutants: EIGHT_WARPS, ..Sizes::DEFAULT },
    pins: |p| interface::<RoundRobinSchedulerIn, RoundRobinSchedulerOut, _>(p.get("warps") as usize),
};

pub static B32_FRONT_END: Unit = Unit {
    name: "b32_front_end",
    description: "the front end of a SIMD processor of the baseline: buffers, scoreboards and schedulers",
    timing: "a warp takes 2 cycles from issue to issue, 4 from line to line; one issue a cycle and scheduler, one fetch a cycle",
    paper: GW_2,
    parameters: &[WIDE_SCHEDULERS, ALL_WIDE_WARPS, LOWEST],
    relations: &[WHOLE_WIDE_SCHEDULERS],
    shipped: &[&[2, 16, 0], &[2, 48, 0]],
    sizes: Sizes { campaign: &[SIXTEEN_WARPS, SIXTEEN_WARPS_LOWEST], mutants: SIXTEEN_WARPS, mutant_count: 100, gates: SIXTEEN_WARPS, ..Sizes::DEFAULT },
    pins: |p| interface::<B32In, B32Out, _>(&B32Parameters::of(&p.0)),
};

/// The warps of this unit are those of one scheduler.
fn fetch_arbiter(p: &Values) -> Interface {
    let (schedulers, warps) = (p.get("schedulers"), p.get("schedulers") * p.get("warps"));
    interface::<FetchArbiterIn, FetchArbiterOut, _>(&Parameters::of(&[("schedulers", schedulers), ("warps", warps)]))
}
