//! The units of Graph-Waving, and those of its baseline.

use crate::parameter::{Parameter, Relation};
use crate::unit::Unit;

pub const GW_2: &str = "Yilmazer-Metin, Graph-Waving architecture, 2";

pub const GW_6_2: &str = "Yilmazer-Metin, Graph-Waving architecture, 6.2";

pub const WARPS: Parameter = Parameter::new("warps", "narrow warps of a scheduler", 48)
    .must_be("a multiple of 4, at most 64", |v| v % 4 == 0 && (4..=64).contains(&v));

/// Of one scheduler of the baseline.
pub const WIDE_WARPS: Parameter = Parameter::new("warps", "32-wide warps of a scheduler of the baseline", 24)
    .must_be("a multiple of 4, at most 64", |v| v % 4 == 0 && (4..=64).contains(&v));

pub const WAVE: Parameter =
    Parameter::new("wave", "lanes of a scalar wave", 16).must_be("4, 8 or 16", |v| [4, 8, 16].contains(&v));

pub const SWST: Parameter = Parameter::new("swst", "entries of the scalar-wave status table", 8)
    .must_be("from 2 to 16", |v| (2..=16).contains(&v));

pub const AGE_CAP: Parameter = Parameter::new("age_cap", "cycles after which a scalar wave is urgent", 64)
    .must_be("from 4 to 255", |v| (4..=255).contains(&v));

pub const SCHEDULERS: Parameter =
    Parameter::new("schedulers", "schedulers, a SIMD unit each", 4).must_be("1, 2 or 4", |v| [1, 2, 4].contains(&v));

pub const SETS: Parameter = Parameter::new("sets", "sets of the instruction storage", 16)
    .must_be("a power of two from 4 to 64", |v| v.is_power_of_two() && (4..=64).contains(&v));

pub const WAYS: Parameter = Parameter::new("ways", "entries of a set, of two instructions each", 3)
    .must_be("from 2 to 8", |v| (2..=8).contains(&v));

/// Of all schedulers.
pub const ALL_WARPS: Parameter = Parameter::new("warps", "narrow warps of all schedulers", 192)
    .must_be(WARPS_OF_ALL, |v| v % 4 == 0 && (4..=256).contains(&v));

pub const WARPS_OF_ALL: &str = "a multiple of schedulers x wave, at most 64 for each scheduler";

pub const WHOLE_SCHEDULERS: Relation = Relation {
    parameter: "warps",
    rule: WARPS_OF_ALL,
    holds: |p| {
        let (schedulers, warps) = (p.get("schedulers"), p.get("warps"));
        warps % (schedulers * p.get("wave")) == 0 && warps / schedulers <= 64
    },
};

/// Of all schedulers of the baseline.
pub const ALL_WIDE_WARPS: Parameter = Parameter::new("warps", "32-wide warps of all schedulers of the baseline", 48)
    .must_be(WIDE_WARPS_OF_ALL, |v| v % 4 == 0 && (4..=256).contains(&v));

pub const WIDE_SCHEDULERS: Parameter =
    Parameter::new("schedulers", "schedulers of the baseline", 2).must_be("1, 2 or 4", |v| [1, 2, 4].contains(&v));

pub const WIDE_WARPS_OF_ALL: &str = "a multiple of 4 x schedulers, at most 64 for each scheduler";

pub const WHOLE_WIDE_SCHEDULERS: Relation = Relation {
    parameter: "warps",
    rule: WIDE_WARPS_OF_ALL,
    holds: |p| {
        let (schedulers, warps) = (p.get("schedulers"), p.get("warps"));
        warps % (4 * schedulers) == 0 && warps / schedulers <= 64
    },
};

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
};

pub static GW_FRONT_END: Unit = Unit {
    name: "gw_front_end",
    description: "the front end of a SIMD processor: storage, arbiter, and all schedulers",
    timing: "a warp takes 3 cycles from issue to issue in a long run, 1 at least, 5 behind a branch; one issue a cycle and scheduler",
    paper: GW_6_2,
    parameters: &[SCHEDULERS, ALL_WARPS, WAVE, SWST, SETS, WAYS, AGE_CAP],
    relations: &[WHOLE_SCHEDULERS],
    shipped: &[&[2, 16, 4, 2, 4, 2, 8], &[4, 192, 16, 8, 16, 3, 64]],
};

pub static INSTRUCTION_BUFFER: Unit = Unit {
    name: "instruction_buffer",
    description: "two slots for each warp of a scheduler of the baseline",
    timing: "latency 1 cycle; one line in and one instruction out a cycle",
    paper: GW_2,
    parameters: &[WIDE_WARPS],
    relations: &[],
    shipped: &[&[8], &[24]],
};

pub static ROUND_ROBIN_SCHEDULER: Unit = Unit {
    name: "round_robin_scheduler",
    description: "issues the warps of a scheduler of the baseline in turn",
    timing: "latency 1 cycle; one issue a cycle",
    paper: GW_2,
    parameters: &[WIDE_WARPS],
    relations: &[],
    shipped: &[&[8], &[24]],
};

pub static B32_FRONT_END: Unit = Unit {
    name: "b32_front_end",
    description: "the front end of a SIMD processor of the baseline: buffers, scoreboards and schedulers",
    timing: "a warp takes 2 cycles from issue to issue, 4 from line to line; one issue a cycle and scheduler, one fetch a cycle",
    paper: GW_2,
    parameters: &[WIDE_SCHEDULERS, ALL_WIDE_WARPS],
    relations: &[WHOLE_WIDE_SCHEDULERS],
    shipped: &[&[2, 16], &[2, 48]],
};
