//! The units of Graph-Waving, and those of its baseline.

use super::{Definition, Parameter, Relation, Rule, Values};
use crate::gw::b32_front_end::B32FrontEnd;
use crate::gw::fetch_arbiter::FetchArbiter;
use crate::gw::front_end::reference_bits;
use crate::gw::front_end::SLOT_BITS;
use crate::gw::gw_front_end::GwFrontEnd;
use crate::gw::instruction_buffer::InstructionBuffer;
use crate::gw::round_robin_scheduler::RoundRobinScheduler;
use crate::gw::{entry_bits, number_bits};
use crate::rtl;

/// `16x3`: sets and ways.
fn storage_suffix(p: &Values) -> String {
    format!("{}x{}", p.get("sets"), p.get("ways"))
}

/// `s4_w192_v16_t8_16x3`
fn front_end_suffix(p: &Values) -> String {
    let places = format!("s{}_w{}_v{}_t{}", p.get("schedulers"), p.get("warps"), p.get("wave"), p.get("swst"));
    format!("{places}_{}{}", storage_suffix(p), p.suffix('a', &AGE_CAP))
}

const GW_2: &str = "Yilmazer-Metin, Graph-Waving architecture, 2";

const GW_6_2: &str = "Yilmazer-Metin, Graph-Waving architecture, 6.2";

const WARPS: Rule = Parameter::new("warps", "narrow warps of a scheduler", 48)
    .must_be("a multiple of 4, at most 64", |v| v % 4 == 0 && (4..=64).contains(&v));

/// Of one scheduler of the baseline.
const WIDE_WARPS: Rule = Parameter::new("warps", "32-wide warps of a scheduler of the baseline", 24)
    .must_be("a multiple of 4, at most 64", |v| v % 4 == 0 && (4..=64).contains(&v));

const WAVE: Rule =
    Parameter::new("wave", "lanes of a scalar wave", 16).must_be("4, 8 or 16", |v| [4, 8, 16].contains(&v));

const SWST: Rule = Parameter::new("swst", "entries of the scalar-wave status table", 8)
    .must_be("from 2 to 16", |v| (2..=16).contains(&v));

const AGE_CAP: Rule = Parameter::new("age_cap", "cycles after which a scalar wave is urgent", 64)
    .must_be("from 4 to 255", |v| (4..=255).contains(&v));

const SCHEDULERS: Rule =
    Parameter::new("schedulers", "schedulers, a SIMD unit each", 4).must_be("1, 2 or 4", |v| [1, 2, 4].contains(&v));

const SETS: Rule = Parameter::new("sets", "sets of the instruction storage", 16)
    .must_be("a power of two from 4 to 64", |v| v.is_power_of_two() && (4..=64).contains(&v));

const WAYS: Rule = Parameter::new("ways", "entries of a set, of two instructions each", 3)
    .must_be("from 2 to 8", |v| (2..=8).contains(&v));

/// Of all schedulers.
const ALL_WARPS: Rule = Parameter::new("warps", "narrow warps of all schedulers", 192)
    .must_be(WARPS_OF_ALL, |v| v % 4 == 0 && (4..=256).contains(&v));

const WARPS_OF_ALL: &str = "a multiple of schedulers x wave, at most 64 for each scheduler";

const WHOLE_SCHEDULERS: Relation = Relation {
    parameter: "warps",
    rule: WARPS_OF_ALL,
    holds: |p| {
        let (schedulers, warps) = (p.get("schedulers"), p.get("warps"));
        warps % (schedulers * p.get("wave")) == 0 && warps / schedulers <= 64
    },
};

/// Of all schedulers of the baseline.
const ALL_WIDE_WARPS: Rule = Parameter::new("warps", "32-wide warps of all schedulers of the baseline", 48)
    .must_be(WIDE_WARPS_OF_ALL, |v| v % 4 == 0 && (4..=256).contains(&v));

const WIDE_SCHEDULERS: Rule =
    Parameter::new("schedulers", "schedulers of the baseline", 2).must_be("1, 2 or 4", |v| [1, 2, 4].contains(&v));

const WIDE_WARPS_OF_ALL: &str = "a multiple of 4 x schedulers, at most 64 for each scheduler";

const WHOLE_WIDE_SCHEDULERS: Relation = Relation {
    parameter: "warps",
    rule: WIDE_WARPS_OF_ALL,
    holds: |p| {
        let (schedulers, warps) = (p.get("schedulers"), p.get("warps"));
        warps % (4 * schedulers) == 0 && warps / schedulers <= 64
    },
};

pub(super) static UNITS: &[Definition] = &[
    Definition {
        name: "fetch_arbiter",
        description: "picks among the warps that wait for a fetch, one line a cycle",
        timing: "latency 1 cycle; one line a cycle",
        paper: GW_6_2,
        parameters: &[SCHEDULERS, WARPS],
        relations: &[],
        shipped: &[&[2, 8], &[4, 48]],
        module: |p| format!("gw_fetch_arbiter_s{}_w{}", p.get("schedulers"), p.get("warps")),
        rtl: rtl!([schedulers S, warps N] (1, 8)(1, 48)(2, 8)(2, 48)(4, 8)(4, 48)
            => |_| FetchArbiter::<S, { number_bits(S) }, { number_bits(N) }>::default()),
    },
    Definition {
        name: "gw_front_end",
        description: "the front end of a SIMD processor: storage, arbiter, and all schedulers",
        timing: "a warp takes 3 cycles from issue to issue in a long run, 1 at least, 5 behind a branch; one issue a cycle and scheduler",
        paper: GW_6_2,
        parameters: &[SCHEDULERS, ALL_WARPS, WAVE, SWST, SETS, WAYS, AGE_CAP],
        relations: &[WHOLE_SCHEDULERS],
        shipped: &[&[2, 16, 4, 2, 4, 2, 8], &[4, 192, 16, 8, 16, 3, 64]],
        module: |p| format!("gw_front_end_{}", front_end_suffix(p)),
        rtl: rtl!([schedulers S, warps W, wave V, sets D, ways K, swst T]
            (2, 16, 4, 4, 2, 2)(2, 64, 16, 8, 2, 4)(4, 192, 16, 8, 3, 8)(4, 192, 16, 16, 3, 2)(4, 192, 16, 16, 3, 4)
            (4, 192, 16, 16, 3, 8)(4, 192, 16, 16, 3, 16)(4, 192, 16, 32, 3, 8)
            => |p| GwFrontEnd::<
                S,
                { W / S },
                { W / S / 2 },
                V,
                T,
                { D * K },
                { number_bits(S) },
                { number_bits(W / S) },
                { number_bits(W / S / 2) },
                { number_bits(W / S / V) },
                { number_bits(T) },
                { entry_bits(D, K) },
                { reference_bits(W / S) },
                { V * (1 + SLOT_BITS) },
            >::new(D, p.get("age_cap"))),
    },
    Definition {
        name: "instruction_buffer",
        description: "two slots for each warp of a scheduler of the baseline",
        timing: "latency 1 cycle; one line in and one instruction out a cycle",
        paper: GW_2,
        parameters: &[WIDE_WARPS],
        relations: &[],
        shipped: &[&[8], &[24]],
        module: |p| format!("gw_instruction_buffer_w{}", p.get("warps")),
        rtl: rtl!([warps N] (8)(24) => |_| InstructionBuffer::<N, { number_bits(N) }>::default()),
    },
    Definition {
        name: "round_robin_scheduler",
        description: "issues the warps of a scheduler of the baseline in turn",
        timing: "latency 1 cycle; one issue a cycle",
        paper: GW_2,
        parameters: &[WIDE_WARPS],
        relations: &[],
        shipped: &[&[8], &[24]],
        module: |p| format!("gw_round_robin_scheduler_w{}", p.get("warps")),
        rtl: rtl!([warps N] (8)(24) => |_| RoundRobinScheduler::<N, { number_bits(N) }>::default()),
    },
    Definition {
        name: "b32_front_end",
        description: "the front end of a SIMD processor of the baseline: buffers, scoreboards and schedulers",
        timing: "a warp takes 2 cycles from issue to issue, 4 from line to line; one issue a cycle and scheduler, one fetch a cycle",
        paper: GW_2,
        parameters: &[WIDE_SCHEDULERS, ALL_WIDE_WARPS],
        relations: &[WHOLE_WIDE_SCHEDULERS],
        shipped: &[&[2, 16], &[2, 48]],
        module: |p| format!("gw_b32_front_end_s{}_w{}", p.get("schedulers"), p.get("warps")),
        rtl: rtl!([schedulers S, warps W] (2, 16)(2, 48)
            => |_| B32FrontEnd::<S, { W / S }, { number_bits(S) }, { number_bits(W / S) }>::default()),
    },
];
