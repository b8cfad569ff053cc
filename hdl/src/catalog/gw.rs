//! The units of Graph-Waving that bring instructions to the warps, and the whole front end.

use super::gw_scheduler::{AGE_CAP, SWST, WARPS, WAVE, WHOLE_GROUPS};
use super::{boxed, suffix, Definition, Parameter, Relation, Rule, Values};
use crate::gw::fetch_arbiter::FetchArbiter;
use crate::gw::front_end::GwFrontEnd;
use crate::gw::instruction_storage::InstructionStorage;
use crate::gw::warp_status_table::WarpStatusTable;
use crate::gw::{entry_bits, number_bits};
use rust_hdl::prelude::Block;

/// `$then!` over every storage: schedulers, sets, ways.
macro_rules! for_storages {
    ($then:ident) => {
        $then!((1, 4, 2)(2, 4, 2)(4, 4, 2)(2, 16, 3)(4, 8, 3)(4, 16, 3)(4, 32, 3)(4, 16, 4))
    };
}

/// `$then!` over every table of one scheduler: warps, lanes of a wave, sets, ways.
macro_rules! for_tables {
    ($then:ident) => {
        $then!((8, 4, 4, 2)(8, 8, 4, 2)(48, 16, 8, 3)(48, 16, 16, 3)(48, 16, 32, 3)(48, 8, 16, 3)(64, 16, 16, 4))
    };
}

fn build_instruction_storage(p: &Values) -> Option<Box<dyn Block>> {
    macro_rules! storages {
        ($(($s:literal, $sets:literal, $ways:literal))*) => {
            rtl!([p.get("schedulers"), p.get("sets"), p.get("ways")];
                $($s, $sets, $ways => InstructionStorage::<
                    $s,
                    { $sets * $ways },
                    { entry_bits($sets, $ways) },
                >::new($sets);)*)
        };
    }
    for_storages!(storages)
}

fn build_warp_status_table(p: &Values) -> Option<Box<dyn Block>> {
    macro_rules! tables {
        ($(($n:literal, $v:literal, $sets:literal, $ways:literal))*) => {
            rtl!([p.get("warps"), p.get("wave"), p.get("sets"), p.get("ways")];
                $($n, $v, $sets, $ways => WarpStatusTable::<
                    $n,
                    { $n / 2 },
                    $v,
                    { number_bits($n) },
                    { number_bits($n / 2) },
                    { number_bits($n / $v) },
                    { entry_bits($sets, $ways) },
                >::default();)*)
        };
    }
    for_tables!(tables)
}

/// Bits of the number of an entry.
fn entries(p: &Values) -> usize {
    entry_bits(p.get("sets") as usize, p.get("ways") as usize)
}

fn available_storages() -> String {
    macro_rules! list {
        ($(($s:literal, $sets:literal, $ways:literal))*) => {
            [$(concat!($s, " schedulers with ", $sets, " sets of ", $ways)),*].join(", ")
        };
    }
    for_storages!(list)
}

fn available_tables() -> String {
    macro_rules! list {
        ($(($n:literal, $v:literal, $sets:literal, $ways:literal))*) => {
            [$(concat!($n, " warps, waves of ", $v, ", ", $sets, " sets of ", $ways)),*].join("; ")
        };
    }
    for_tables!(list)
}

fn build_fetch_arbiter(p: &Values) -> Option<Box<dyn Block>> {
    macro_rules! arbiters {
        ($(($s:literal, $n:literal))*) => {
            rtl!([p.get("schedulers"), p.get("warps")];
                $($s, $n => FetchArbiter::<$s, { number_bits($s) }, { number_bits($n) }>::default();)*)
        };
    }
    arbiters!((1, 8)(2, 8)(4, 8)(1, 48)(2, 48)(4, 48))
}

/// `$then!` over every front end: schedulers, warps, lanes of a wave, entries of an SWST, sets, ways.
macro_rules! for_front_ends {
    ($then:ident) => {
        $then!((2, 16, 4, 2, 4, 2)(2, 64, 16, 4, 8, 2)(4, 192, 16, 2, 16, 3)(4, 192, 16, 4, 16, 3)(
            4, 192, 16, 8, 16, 3
        )(4, 192, 16, 16, 16, 3)(4, 192, 16, 8, 8, 3)(4, 192, 16, 8, 32, 3))
    };
}

fn build_gw_front_end(p: &Values) -> Option<Box<dyn Block>> {
    let age_cap = p.get("age_cap");
    macro_rules! front_ends {
        ($(($s:literal, $w:literal, $v:literal, $t:literal, $sets:literal, $ways:literal))*) => {
            rtl!([p.get("schedulers"), p.get("warps"), p.get("wave"), p.get("swst"), p.get("sets"), p.get("ways")];
                $($s, $w, $v, $t, $sets, $ways => GwFrontEnd::<
                    $s,
                    { $w / $s },
                    { $w / $s / 2 },
                    $v,
                    $t,
                    { $sets * $ways },
                    { number_bits($s) },
                    { number_bits($w / $s) },
                    { number_bits($w / $s / 2) },
                    { number_bits($w / $s / $v) },
                    { number_bits($t) },
                    { entry_bits($sets, $ways) },
                >::new($sets, age_cap);)*)
        };
    }
    for_front_ends!(front_ends)
}

fn available_front_ends() -> String {
    macro_rules! list {
        ($(($s:literal, $w:literal, $v:literal, $t:literal, $sets:literal, $ways:literal))*) => {
            [$(concat!(
                $w, " warps of ", $s, " schedulers with waves of ", $v, ", an SWST of ", $t, " and ", $sets, " sets of ",
                $ways
            )),*].join("; ")
        };
    }
    for_front_ends!(list)
}

const GW_6_2: &str = "Yilmazer-Metin, Graph-Waving architecture, 6.2";

const SCHEDULERS: Rule = Rule {
    parameter: Parameter { name: "schedulers", description: "schedulers, a SIMD unit each", default: 4 },
    rule: "1, 2 or 4",
    holds: |v| [1, 2, 4].contains(&v),
};

const SETS: Rule = Rule {
    parameter: Parameter { name: "sets", description: "sets of the instruction storage", default: 16 },
    rule: "a power of two from 4 to 64",
    holds: |v| v.is_power_of_two() && (4..=64).contains(&v),
};

const WAYS: Rule = Rule {
    parameter: Parameter { name: "ways", description: "entries of a set, of two instructions each", default: 3 },
    rule: "from 2 to 8",
    holds: |v| (2..=8).contains(&v),
};

/// Of all schedulers.
const ALL_WARPS: Rule = Rule {
    parameter: Parameter { name: "warps", description: "narrow warps of all schedulers", default: 192 },
    rule: WARPS_OF_ALL,
    holds: |v| v % 4 == 0 && (4..=256).contains(&v),
};

const WARPS_OF_ALL: &str = "a multiple of schedulers x wave, at most 64 for each scheduler";

const WHOLE_SCHEDULERS: Relation = Relation {
    parameter: "warps",
    rule: WARPS_OF_ALL,
    holds: |p| {
        let (schedulers, warps) = (p.get("schedulers"), p.get("warps"));
        warps % (schedulers * p.get("wave")) == 0 && warps / schedulers <= 64
    },
};

/// `16x3`: sets and ways.
fn storage_suffix(p: &Values) -> String {
    format!("{}x{}", p.get("sets"), p.get("ways"))
}

/// `s4_w192_v16_t8_16x3`
fn front_end_suffix(p: &Values) -> String {
    let places = format!("s{}_w{}_v{}_t{}", p.get("schedulers"), p.get("warps"), p.get("wave"), p.get("swst"));
    format!("{places}_{}{}", storage_suffix(p), suffix(p, 'a', &AGE_CAP))
}

pub(super) static DEFINITIONS: &[Definition] = &[
    Definition {
        name: "instruction_storage",
        description: "decoded instructions that all warps share, set-associative, with reference counts",
        paper: GW_6_2,
        parameters: &[SCHEDULERS, SETS, WAYS],
        relations: &[],
        shipped: &[&[2, 4, 2], &[4, 8, 3], &[4, 16, 3], &[4, 32, 3]],
        module: |p| format!("gw_instruction_storage_s{}_{}", p.get("schedulers"), storage_suffix(p)),
        build: build_instruction_storage,
        available: available_storages,
    },
    Definition {
        name: "warp_status_table",
        description: "state, next pc and pointer into the storage of each warp of a scheduler",
        paper: GW_6_2,
        parameters: &[WARPS, WAVE, SETS, WAYS],
        relations: &[WHOLE_GROUPS],
        shipped: &[&[8, 4, 4, 2], &[48, 16, 16, 3], &[48, 16, 8, 3], &[48, 16, 32, 3]],
        module: |p| format!("gw_warp_status_table_w{}_v{}_e{}", p.get("warps"), p.get("wave"), entries(p)),
        build: build_warp_status_table,
        available: available_tables,
    },
    Definition {
        name: "fetch_arbiter",
        description: "picks among the warps that wait for a fetch, one line a cycle",
        paper: GW_6_2,
        parameters: &[SCHEDULERS, WARPS],
        relations: &[],
        shipped: &[&[2, 8], &[4, 48]],
        module: |p| format!("gw_fetch_arbiter_s{}_w{}", p.get("schedulers"), p.get("warps")),
        build: build_fetch_arbiter,
        available: || "schedulers = 1, 2, 4 with warps = 8, 48".into(),
    },
    Definition {
        name: "gw_front_end",
        description: "the front end of a SIMD processor: storage, arbiter, and all schedulers",
        paper: GW_6_2,
        parameters: &[SCHEDULERS, ALL_WARPS, WAVE, SWST, SETS, WAYS, AGE_CAP],
        relations: &[WHOLE_SCHEDULERS],
        shipped: &[&[2, 16, 4, 2, 4, 2, 8], &[4, 192, 16, 8, 16, 3, 64]],
        module: |p| format!("gw_front_end_{}", front_end_suffix(p)),
        build: build_gw_front_end,
        available: available_front_ends,
    },
];
