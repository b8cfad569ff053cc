//! The units of Graph-Waving, and those of its baseline.

use super::{Definition, Parameter, Relation, Rule, Values};
use crate::gw::ahead::front_end::GwFrontEndAhead;
use crate::gw::ahead::reference_bits;
use crate::gw::ahead::SLOT_BITS;
use crate::gw::b32_front_end::B32FrontEnd;
use crate::gw::fetch_arbiter::FetchArbiter;
use crate::gw::gw_front_end::GwFrontEnd;
use crate::gw::instruction_buffer::InstructionBuffer;
use crate::gw::instruction_storage::InstructionStorage;
use crate::gw::pair_scheduler::PairScheduler;
use crate::gw::round_robin_scheduler::RoundRobinScheduler;
use crate::gw::scalar_register_map::ScalarRegisterMap;
use crate::gw::scalar_wave_scoreboard::ScalarWaveScoreboard;
use crate::gw::scoreboard::Scoreboard;
use crate::gw::swfu::Swfu;
use crate::gw::warp_status_table::WarpStatusTable;
use crate::gw::{entry_bits, number_bits};
use crate::rtl;

/// [`rtl!`] for every scheduler: warps, lanes of a wave.
macro_rules! schedulers {
    ($($block:tt)+) => { rtl!([warps N, wave V] (8, 4)(24, 8)(48, 16) => $($block)+) };
}

/// [`rtl!`] for every scheduler with its waves: warps, lanes of a wave, entries of the SWST.
macro_rules! wave_schedulers {
    ($($block:tt)+) => {
        rtl!([warps N, wave V, swst T] (8, 4, 2)(48, 16, 2)(48, 16, 4)(48, 16, 8)(48, 16, 16) => $($block)+)
    };
}

/// Bits of the number of an entry.
fn entries(p: &Values) -> usize {
    entry_bits(p.get("sets") as usize, p.get("ways") as usize)
}

/// `w48_v16`
fn places_suffix(p: &Values) -> String {
    format!("w{}_v{}", p.get("warps"), p.get("wave"))
}

/// `w48_v16_t8`
fn table_suffix(p: &Values) -> String {
    format!("{}_t{}", places_suffix(p), p.get("swst"))
}

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
const GW_6_1: &str = "Yilmazer-Metin, Graph-Waving architecture, 6.1";
const GW_6_3_1: &str = "Yilmazer-Metin, Graph-Waving architecture, 6.3.1";
const GW_6_3_3: &str = "Yilmazer-Metin, Graph-Waving architecture, 6.3.3";
const GW_FIG_9: &str = "Yilmazer-Metin, Graph-Waving architecture, Fig 9";

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

/// Groups are whole.
const WHOLE_GROUPS: Relation = Relation {
    parameter: "warps",
    rule: "a multiple of the lanes of a wave",
    holds: |p| p.get("warps") % p.get("wave") == 0,
};

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

/// Small ones that tests fill quickly, and the paper's sweep.
const SHIPPED_TABLES: &[&[u64]] = &[&[8, 4, 2], &[48, 16, 2], &[48, 16, 4], &[48, 16, 8], &[48, 16, 16]];

pub(super) static UNITS: &[Definition] = &[
    Definition {
        name: "instruction_storage",
        description: "decoded instructions that all warps share, set-associative, with reference counts",
        timing: "latency 1 cycle; one look-up a cycle for each scheduler",
        paper: GW_6_2,
        parameters: &[SCHEDULERS, SETS, WAYS],
        relations: &[],
        shipped: &[&[2, 4, 2], &[4, 8, 3], &[4, 16, 3], &[4, 32, 3]],
        module: |p| format!("gw_instruction_storage_s{}_{}", p.get("schedulers"), storage_suffix(p)),
        rtl: rtl!([schedulers S, sets D, ways W] (1, 4, 2)(2, 4, 2)(2, 16, 3)(4, 4, 2)(4, 8, 3)(4, 16, 3)(4, 16, 4)(4, 32, 3)
            => |_| InstructionStorage::<S, { D * W }, { entry_bits(D, W) }>::new(D)),
    },
    Definition {
        name: "warp_status_table",
        description: "state, next pc and pointer into the storage of each warp of a scheduler",
        timing: "latency 1 cycle; one line looked up and one pc checked a cycle",
        paper: GW_6_2,
        parameters: &[WARPS, WAVE, SETS, WAYS],
        relations: &[WHOLE_GROUPS],
        shipped: &[&[8, 4, 4, 2], &[48, 16, 16, 3], &[48, 16, 8, 3], &[48, 16, 32, 3]],
        module: |p| format!("gw_warp_status_table_w{}_v{}_e{}", p.get("warps"), p.get("wave"), entries(p)),
        rtl: rtl!([warps N, wave V, sets D, ways W]
            (8, 4, 4, 2)(8, 8, 4, 2)(48, 8, 16, 3)(48, 16, 8, 3)(48, 16, 16, 3)(48, 16, 32, 3)(64, 16, 16, 4)
            => |_| WarpStatusTable::<
                N,
                { N / 2 },
                V,
                { number_bits(N) },
                { number_bits(N / 2) },
                { number_bits(N / V) },
                { entry_bits(D, W) },
            >::default()),
    },
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
        timing: "a warp takes 4 cycles from issue to issue, 6 with a look-up that hits; one issue a cycle and scheduler",
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
            >::new(D, p.get("age_cap"))),
    },
    Definition {
        name: "gw_front_end_ahead",
        description: "the front end of a SIMD processor that looks up and checks ahead of issue",
        timing: "a warp takes 3 cycles from issue to issue in a long run, 1 at least, 5 behind a branch; one issue a cycle and scheduler",
        paper: GW_6_2,
        parameters: &[SCHEDULERS, ALL_WARPS, WAVE, SWST, SETS, WAYS, AGE_CAP],
        relations: &[WHOLE_SCHEDULERS],
        shipped: &[&[2, 16, 4, 2, 4, 2, 8], &[4, 192, 16, 8, 16, 3, 64]],
        module: |p| format!("gw_front_end_ahead_{}", front_end_suffix(p)),
        rtl: rtl!([schedulers S, warps W, wave V, sets D, ways K, swst T]
            (2, 16, 4, 4, 2, 2)(2, 64, 16, 8, 2, 4)(4, 192, 16, 8, 3, 8)(4, 192, 16, 16, 3, 2)(4, 192, 16, 16, 3, 4)
            (4, 192, 16, 16, 3, 8)(4, 192, 16, 16, 3, 16)(4, 192, 16, 32, 3, 8)
            => |p| GwFrontEndAhead::<
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
        name: "scoreboard",
        description: "pending registers of the warps of one scheduler",
        timing: "latency 2 cycles from check to ready; a check, two results and a wave a cycle",
        paper: GW_FIG_9,
        parameters: &[WARPS, WAVE],
        relations: &[WHOLE_GROUPS],
        shipped: &[&[8, 4], &[24, 8], &[48, 16]],
        module: |p| format!("gw_scoreboard_{}", places_suffix(p)),
        rtl: schedulers!(|_| Scoreboard::<N, V, { number_bits(N / 2) }, { number_bits(N / V) }>::default()),
    },
    Definition {
        name: "scalar_register_map",
        description: "which registers of the warps of one scheduler are in scalar form",
        timing: "latency 2 cycles; one check a cycle",
        paper: GW_6_3_3,
        parameters: &[WARPS, WAVE],
        relations: &[WHOLE_GROUPS],
        shipped: &[&[8, 4], &[48, 16]],
        module: |p| format!("gw_scalar_register_map_{}", places_suffix(p)),
        rtl: schedulers!(|_| ScalarRegisterMap::<N>::default()),
    },
    Definition {
        name: "swfu",
        description: "forms scalar waves of warps at one pc, in the scalar-wave status table",
        timing: "latency 1 cycle; in each cycle all scalars of one pc and one group join",
        paper: GW_6_3_1,
        parameters: &[WARPS, WAVE, SWST, AGE_CAP],
        relations: &[WHOLE_GROUPS],
        shipped: &[&[8, 4, 2, 8], &[48, 16, 2, 64], &[48, 16, 4, 64], &[48, 16, 8, 64], &[48, 16, 16, 64]],
        module: |p| format!("gw_swfu_{}{}", table_suffix(p), p.suffix('a', &AGE_CAP)),
        rtl: wave_schedulers!(|p| Swfu::<N, V, T, { number_bits(N / V) }, { number_bits(T) }>::new(p.get("age_cap"))),
    },
    Definition {
        name: "scalar_wave_scoreboard",
        description: "registers that scalar waves will write",
        timing: "latency 1 cycle; one wave in and one out a cycle",
        paper: GW_FIG_9,
        parameters: &[WARPS, WAVE, SWST],
        relations: &[WHOLE_GROUPS],
        shipped: SHIPPED_TABLES,
        module: |p| format!("gw_scalar_wave_scoreboard_{}", table_suffix(p)),
        rtl: wave_schedulers!(|_| ScalarWaveScoreboard::<V, T, { number_bits(N / V) }, { number_bits(T) }>::default()),
    },
    Definition {
        name: "pair_scheduler",
        description: "issues both halves of an odd-even pair, one of them, or a scalar wave",
        timing: "latency 1 cycle; one issue a cycle, a wave every other cycle",
        paper: GW_6_1,
        parameters: &[WARPS, WAVE, SWST],
        relations: &[WHOLE_GROUPS],
        shipped: SHIPPED_TABLES,
        module: |p| format!("gw_pair_scheduler_{}", table_suffix(p)),
        rtl: wave_schedulers!(|_| PairScheduler::<N, { N / 2 }, { number_bits(N / 2) }, { number_bits(T) }>::default()),
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
