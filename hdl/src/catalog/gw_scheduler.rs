//! The units of Graph-Waving that know which warps of one scheduler can go, and as what.

use super::{boxed, suffix, Definition, Parameter, Relation, Rule, Values};
use crate::gw::instruction_buffer::InstructionBuffer;
use crate::gw::number_bits;
use crate::gw::pair_scheduler::PairScheduler;
use crate::gw::round_robin_scheduler::RoundRobinScheduler;
use crate::gw::scalar_register_map::ScalarRegisterMap;
use crate::gw::scalar_wave_scoreboard::ScalarWaveScoreboard;
use crate::gw::scoreboard::Scoreboard;
use crate::gw::swfu::Swfu;
use rust_hdl::prelude::Block;

/// `$then!` over every scheduler: warps, lanes of a wave.
macro_rules! for_places {
    ($then:ident) => {
        $then!((8, 4)(24, 8)(48, 16))
    };
}

/// `$then!` over every scheduler with its waves: warps, lanes of a wave, entries of the SWST.
macro_rules! for_tables {
    ($then:ident) => {
        $then!((8, 4, 2)(48, 16, 2)(48, 16, 4)(48, 16, 8)(48, 16, 16))
    };
}

fn build_scoreboard(p: &Values) -> Option<Box<dyn Block>> {
    macro_rules! scoreboards {
        ($(($n:literal, $v:literal))*) => {
            rtl!([p.get("warps"), p.get("wave")];
                $($n, $v => Scoreboard::<$n, $v, { number_bits($n / 2) }, { number_bits($n / $v) }>::default();)*)
        };
    }
    for_places!(scoreboards)
}

fn build_scalar_register_map(p: &Values) -> Option<Box<dyn Block>> {
    macro_rules! maps {
        ($(($n:literal, $v:literal))*) => {
            rtl!([p.get("warps"), p.get("wave")]; $($n, $v => ScalarRegisterMap::<$n>::default();)*)
        };
    }
    for_places!(maps)
}

fn build_swfu(p: &Values) -> Option<Box<dyn Block>> {
    let age_cap = p.get("age_cap");
    macro_rules! swfus {
        ($(($n:literal, $v:literal, $t:literal))*) => {
            rtl!([p.get("warps"), p.get("wave"), p.get("swst")];
                $($n, $v, $t =>
                    Swfu::<$n, $v, $t, { number_bits($n / $v) }, { number_bits($t) }>::new(age_cap);)*)
        };
    }
    for_tables!(swfus)
}

fn build_scalar_wave_scoreboard(p: &Values) -> Option<Box<dyn Block>> {
    macro_rules! scoreboards {
        ($(($n:literal, $v:literal, $t:literal))*) => {
            rtl!([p.get("warps"), p.get("wave"), p.get("swst")];
                $($n, $v, $t =>
                    ScalarWaveScoreboard::<$v, $t, { number_bits($n / $v) }, { number_bits($t) }>::default();)*)
        };
    }
    for_tables!(scoreboards)
}

fn build_pair_scheduler(p: &Values) -> Option<Box<dyn Block>> {
    macro_rules! schedulers {
        ($(($n:literal, $v:literal, $t:literal))*) => {
            rtl!([p.get("warps"), p.get("wave"), p.get("swst")];
                $($n, $v, $t =>
                    PairScheduler::<$n, { $n / 2 }, { number_bits($n / 2) }, { number_bits($t) }>::default();)*)
        };
    }
    for_tables!(schedulers)
}

fn available_places() -> String {
    macro_rules! list {
        ($(($n:literal, $v:literal))*) => { [$(concat!($n, " warps with waves of ", $v)),*].join(", ") };
    }
    for_places!(list)
}

fn available_tables() -> String {
    macro_rules! list {
        ($(($n:literal, $v:literal, $t:literal))*) => {
            [$(concat!($n, " warps with waves of ", $v, " and an SWST of ", $t)),*].join(", ")
        };
    }
    for_tables!(list)
}

fn build_instruction_buffer(p: &Values) -> Option<Box<dyn Block>> {
    rtl!([p.get("warps")];
        8 => InstructionBuffer::<8, { number_bits(8) }>::default();
        24 => InstructionBuffer::<24, { number_bits(24) }>::default();
    )
}

fn build_round_robin_scheduler(p: &Values) -> Option<Box<dyn Block>> {
    rtl!([p.get("warps")];
        8 => RoundRobinScheduler::<8, { number_bits(8) }>::default();
        24 => RoundRobinScheduler::<24, { number_bits(24) }>::default();
    )
}

/// `w48_v16`
fn places_suffix(p: &Values) -> String {
    format!("w{}_v{}", p.get("warps"), p.get("wave"))
}

/// `w48_v16_t8`
fn table_suffix(p: &Values) -> String {
    format!("{}_t{}", places_suffix(p), p.get("swst"))
}

const GW_2: &str = "Yilmazer-Metin, Graph-Waving architecture, 2";
const GW_6_1: &str = "Yilmazer-Metin, Graph-Waving architecture, 6.1";
const GW_6_3_1: &str = "Yilmazer-Metin, Graph-Waving architecture, 6.3.1";
const GW_6_3_3: &str = "Yilmazer-Metin, Graph-Waving architecture, 6.3.3";
const GW_FIG_9: &str = "Yilmazer-Metin, Graph-Waving architecture, Fig 9";

pub(super) const WARPS: Rule = Rule {
    parameter: Parameter { name: "warps", description: "narrow warps of a scheduler", default: 48 },
    rule: "a multiple of 4, at most 64",
    holds: |v| v % 4 == 0 && (4..=64).contains(&v),
};

/// Of one scheduler of the baseline.
const WIDE_WARPS: Rule = Rule {
    parameter: Parameter { name: "warps", description: "32-wide warps of a scheduler of the baseline", default: 24 },
    rule: "a multiple of 4, at most 64",
    holds: |v| v % 4 == 0 && (4..=64).contains(&v),
};

pub(super) const WAVE: Rule = Rule {
    parameter: Parameter { name: "wave", description: "lanes of a scalar wave", default: 16 },
    rule: "4, 8 or 16",
    holds: |v| [4, 8, 16].contains(&v),
};

pub(super) const SWST: Rule = Rule {
    parameter: Parameter { name: "swst", description: "entries of the scalar-wave status table", default: 8 },
    rule: "from 2 to 16",
    holds: |v| (2..=16).contains(&v),
};

pub(super) const AGE_CAP: Rule = Rule {
    parameter: Parameter { name: "age_cap", description: "cycles after which a scalar wave is urgent", default: 64 },
    rule: "from 4 to 255",
    holds: |v| (4..=255).contains(&v),
};

/// Groups are whole.
pub(super) const WHOLE_GROUPS: Relation = Relation {
    parameter: "warps",
    rule: "a multiple of the lanes of a wave",
    holds: |p| p.get("warps") % p.get("wave") == 0,
};

/// Small ones that tests fill quickly, and the paper's sweep.
const SHIPPED_TABLES: &[&[u64]] = &[&[8, 4, 2], &[48, 16, 2], &[48, 16, 4], &[48, 16, 8], &[48, 16, 16]];

pub(super) static DEFINITIONS: &[Definition] = &[
    Definition {
        name: "scoreboard",
        description: "pending registers of the warps of one scheduler",
        paper: GW_FIG_9,
        parameters: &[WARPS, WAVE],
        relations: &[WHOLE_GROUPS],
        shipped: &[&[8, 4], &[24, 8], &[48, 16]],
        module: |p| format!("gw_scoreboard_{}", places_suffix(p)),
        build: build_scoreboard,
        available: available_places,
    },
    Definition {
        name: "scalar_register_map",
        description: "which registers of the warps of one scheduler are in scalar form",
        paper: GW_6_3_3,
        parameters: &[WARPS, WAVE],
        relations: &[WHOLE_GROUPS],
        shipped: &[&[8, 4], &[48, 16]],
        module: |p| format!("gw_scalar_register_map_{}", places_suffix(p)),
        build: build_scalar_register_map,
        available: available_places,
    },
    Definition {
        name: "swfu",
        description: "forms scalar waves of warps at one pc, in the scalar-wave status table",
        paper: GW_6_3_1,
        parameters: &[WARPS, WAVE, SWST, AGE_CAP],
        relations: &[WHOLE_GROUPS],
        shipped: &[&[8, 4, 2, 8], &[48, 16, 2, 64], &[48, 16, 4, 64], &[48, 16, 8, 64], &[48, 16, 16, 64]],
        module: |p| format!("gw_swfu_{}{}", table_suffix(p), suffix(p, 'a', &AGE_CAP)),
        build: build_swfu,
        available: available_tables,
    },
    Definition {
        name: "scalar_wave_scoreboard",
        description: "registers that scalar waves will write",
        paper: GW_FIG_9,
        parameters: &[WARPS, WAVE, SWST],
        relations: &[WHOLE_GROUPS],
        shipped: SHIPPED_TABLES,
        module: |p| format!("gw_scalar_wave_scoreboard_{}", table_suffix(p)),
        build: build_scalar_wave_scoreboard,
        available: available_tables,
    },
    Definition {
        name: "pair_scheduler",
        description: "issues both halves of an odd-even pair, one of them, or a scalar wave",
        paper: GW_6_1,
        parameters: &[WARPS, WAVE, SWST],
        relations: &[WHOLE_GROUPS],
        shipped: SHIPPED_TABLES,
        module: |p| format!("gw_pair_scheduler_{}", table_suffix(p)),
        build: build_pair_scheduler,
        available: available_tables,
    },
    Definition {
        name: "instruction_buffer",
        description: "two slots for each warp of a scheduler of the baseline",
        paper: GW_2,
        parameters: &[WIDE_WARPS],
        relations: &[],
        shipped: &[&[8], &[24]],
        module: |p| format!("gw_instruction_buffer_w{}", p.get("warps")),
        build: build_instruction_buffer,
        available: || "warps = 8, 24".into(),
    },
    Definition {
        name: "round_robin_scheduler",
        description: "issues the warps of a scheduler of the baseline in turn",
        paper: GW_2,
        parameters: &[WIDE_WARPS],
        relations: &[],
        shipped: &[&[8], &[24]],
        module: |p| format!("gw_round_robin_scheduler_w{}", p.get("warps")),
        build: build_round_robin_scheduler,
        available: || "warps = 8, 24".into(),
    },
];
