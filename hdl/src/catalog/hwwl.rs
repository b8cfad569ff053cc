//! The units of HWWL.

use super::{Definition, Parameter, Relation, Rule, Values};
use crate::hwwl::bank::Bank;
use crate::hwwl::hvu::{bins, Hvu};
use crate::hwwl::hvu_bins::HvuBins;
use crate::hwwl::hwwl::Hwwl;
use crate::hwwl::hwwl_core::{HwwlCore, Options};
use crate::hwwl::icrn::Icrn;
use crate::hwwl::wru_global::{WruGlobal, MAX_BANKS};
use crate::hwwl::wru_sorting::WruSorting;
use crate::hwwl::wru_threshold::WruThreshold;
use crate::hwwl::{address_bits, count_bits, Refill, Scheme, LINE_WORDS};
use crate::rtl;

/// [`rtl!`] for every core: lanes, entries of a bank.
macro_rules! cores {
    ($($block:tt)+) => {
        rtl!([lanes L, entries E] (4, 32)(8, 16)(16, 8)(16, 16)(16, 32)(16, 64)(16, 128)(16, 1024)(32, 8)(32, 32)(32, 128)
            => $($block)+)
    };
}

/// [`rtl!`] for every group of cores: cores, lanes, entries of a bank.
macro_rules! groups {
    ($($block:tt)+) => {
        rtl!([cores N, lanes L, entries E] (2, 4, 32)(4, 16, 8)(4, 16, 32)(4, 16, 128)(4, 32, 32)(8, 16, 32) => $($block)+)
    };
}

/// The schemes, in the order of their numbers as parameter.
const SCHEMES: [(Scheme, &str); 4] = [
    (Scheme::None, "none"),
    (Scheme::Threshold, "threshold"),
    (Scheme::LocalSorting, "lsorting"),
    (Scheme::GlobalSorting, "gsorting"),
];

fn scheme(p: &Values) -> Scheme {
    SCHEMES[p.get("scheme") as usize].0
}

fn refill(p: &Values) -> Refill {
    match p.get("refill") {
        0 => Refill::Interval(p.get("refill_interval")),
        _ => Refill::Demand,
    }
}

fn options(p: &Values) -> Options {
    Options {
        scheme: scheme(p),
        threshold: p.get("threshold"),
        interval: p.get("interval"),
        refill: refill(p),
        bins: p.get("bins") > 0,
    }
}

/// `_t3_i20`
fn schedule_suffix(p: &Values) -> String {
    p.suffix('t', &THRESHOLD) + &p.suffix('i', &INTERVAL)
}

/// `_demand`, `_r20`
fn refill_suffix(p: &Values) -> String {
    match p.get("refill") {
        0 => p.suffix('r', &REFILL_INTERVAL),
        _ => "_demand".into(),
    }
}

/// `l16_e32_t3_i20`
fn wru_suffix(p: &Values) -> String {
    format!("l{}_e{}{}", p.get("lanes"), p.get("entries"), schedule_suffix(p))
}

/// `l16_e32_lsorting_t3_demand`
fn core_suffix(p: &Values) -> String {
    let scheme = SCHEMES[p.get("scheme") as usize].1;
    let schedule = schedule_suffix(p) + &refill_suffix(p) + &p.suffix('b', &BINS);
    format!("l{}_e{}_{scheme}{schedule}", p.get("lanes"), p.get("entries"))
}

const HWWL_III_B: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014, III-B";
pub(super) const HWWL_III_C: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014, III-C";
const HWWL_III_D: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014, III-D";

const ENTRIES: Rule = Parameter::new("entries", "work IDs that a bank holds", 32)
    .must_be("a power of two from 4 to 65536", |v| v.is_power_of_two() && (4..=65536).contains(&v));

const LANES: Rule = Parameter::new("lanes", "lanes of the core, a bank each", 16)
    .must_be("a power of two from 4 to 32", |v| v.is_power_of_two() && (4..=32).contains(&v));

const CORES: Rule =
    Parameter::new("cores", "cores that share work", 4).must_be("from 2 to 16", |v| (2..=16).contains(&v));

const SCHEME: Rule =
    Parameter::new("scheme", "work redistribution: 0 none, 1 threshold, 2 local sorting, 3 global sorting", 2)
        .must_be("0 (none), 1 (threshold), 2 (local sorting) or 3 (global sorting)", |v| v < SCHEMES.len() as u64);

const REFILL: Rule = Parameter::new("refill", "when IDs come back from memory: 0 interval, 1 demand", 0)
    .must_be("0 (interval) or 1 (demand)", |v| v < 2);

const REFILL_INTERVAL: Rule = Parameter::new("refill_interval", "cycles between refills", 10)
    .must_be("from 2 to 65536", |v| (2..=65536).contains(&v));

const BINS: Rule = Parameter::new("bins", "bins in which spilled IDs gather, or none", 0)
    .must_be("0 or 64", |v| v == 0 || v == bins::BINS as u64);

const THRESHOLD_RULE: &str = "from 1 to entries: a bank never holds more";

const THRESHOLD: Rule =
    Parameter::new("threshold", "work IDs below which a lane is in need", 5).must_be(THRESHOLD_RULE, |v| v >= 1);

const INTERVAL: Rule = Parameter::new("interval", "cycles between redistribution events", 10)
    .must_be("even and from 10 to 65536", |v| v % 2 == 0 && (10..=65536).contains(&v));

const THRESHOLD_WITHIN_BANK: Relation =
    Relation { parameter: "threshold", rule: THRESHOLD_RULE, holds: |p| p.get("threshold") <= p.get("entries") };

const ROOM_FOR_REFILL: Relation = Relation {
    parameter: "entries",
    rule: "at least 2 * (32 / lanes + 2): a refill and two more a side",
    holds: |p| p.get("entries") / 2 >= LINE_WORDS as u64 / p.get("lanes") + 2,
};

const FEW_BANKS_RULE: &str = "at most 64 / lanes with global sorting";

/// Global sorting is a redistribution unit for the banks of all cores.
const FEW_BANKS: Relation =
    Relation { parameter: "cores", rule: FEW_BANKS_RULE, holds: |p| p.get("cores") * p.get("lanes") <= MAX_BANKS };

const FEW_BANKS_IF_GLOBAL: Relation = Relation {
    parameter: "cores",
    rule: FEW_BANKS_RULE,
    holds: |p| scheme(p) != Scheme::GlobalSorting || (FEW_BANKS.holds)(p),
};

/// The paper's core, banks of fewer and of more entries, twice the lanes, and a small one that tests fill quickly.
const SHIPPED_WRUS: &[&[u64]] =
    &[&[4, 32, 5, 10], &[16, 8, 5, 10], &[16, 32, 5, 10], &[16, 128, 5, 10], &[32, 32, 5, 10]];

pub(super) static UNITS: &[Definition] = &[
    Definition {
        name: "bank",
        description: "a lane's worklist: FIFO of work IDs, single- or double-buffered",
        timing: "latency 1 cycle; one access a cycle",
        paper: HWWL_III_B,
        parameters: &[ENTRIES, LANES],
        relations: &[],
        shipped: &[&[8, 16], &[32, 16], &[128, 16], &[1024, 16], &[32, 4]],
        module: |p| format!("hwwl_bank_e{}{}", p.get("entries"), p.suffix('l', &LANES)),
        rtl: rtl!([entries E] (4)(8)(16)(32)(64)(128)(256)(512)(1024)(2048)(4096)(8192)
            => |p| Bank::<{ address_bits(E) }, { count_bits(E) }>::new(LINE_WORDS as u64 / p.get("lanes"))),
    },
    Definition {
        name: "wru_threshold",
        description: "threshold work redistribution unit",
        timing: "an event without conflicts takes 7 cycles; one ID for each pair and interval",
        paper: HWWL_III_C,
        parameters: &[LANES, ENTRIES, THRESHOLD, INTERVAL],
        relations: &[THRESHOLD_WITHIN_BANK],
        shipped: SHIPPED_WRUS,
        module: |p| format!("wru_threshold_{}", wru_suffix(p)),
        rtl: cores!(|p| WruThreshold::<L, { address_bits(L) }, { count_bits(E) }>::new(
            p.get("threshold"),
            p.get("interval")
        )),
    },
    Definition {
        name: "wru_sorting",
        description: "local sorting work redistribution unit",
        timing: "an event without conflicts takes 5 cycles and those of the sorter; one ID for each pair and interval",
        paper: HWWL_III_C,
        parameters: &[LANES, ENTRIES, THRESHOLD, INTERVAL],
        relations: &[THRESHOLD_WITHIN_BANK],
        shipped: SHIPPED_WRUS,
        module: |p| format!("wru_sorting_{}", wru_suffix(p)),
        rtl: cores!(|p| {
            WruSorting::<L, { address_bits(L) }, { count_bits(E) }, { count_bits(E) + address_bits(L) }>::new(
                p.get("threshold"),
                p.get("interval"),
            )
        }),
    },
    Definition {
        name: "wru_global",
        description: "global sorting work redistribution unit: the banks of all cores in one",
        timing: "an event without conflicts takes 5 cycles and those of the sorter; one ID for each pair and interval",
        paper: HWWL_III_C,
        parameters: &[CORES, LANES, ENTRIES, THRESHOLD, INTERVAL],
        relations: &[THRESHOLD_WITHIN_BANK, FEW_BANKS],
        shipped: &[&[2, 4, 32, 5, 10], &[4, 16, 32, 5, 10]],
        module: |p| format!("wru_global_c{}_{}", p.get("cores"), wru_suffix(p)),
        rtl: groups!(|p| {
            WruGlobal::<{ N * L }, { address_bits(N * L) }, { count_bits(E) }, { count_bits(E) + address_bits(N * L) }>::new(
                p.get("threshold"),
                p.get("interval"),
            )
        }),
    },
    Definition {
        name: "hvu",
        description: "virtualization unit: spills IDs of full banks to memory and brings them back, a line at a time",
        timing: "1 cycle from a full line to its store, 1 cycle from a line that comes back to its first fill; one ID a cycle into a line",
        paper: HWWL_III_D,
        parameters: &[LANES, REFILL, REFILL_INTERVAL],
        relations: &[],
        shipped: &[&[4, 0, 10], &[16, 0, 10], &[16, 1, 10], &[32, 0, 10]],
        module: |p| format!("hvu_l{}{}", p.get("lanes"), refill_suffix(p)),
        rtl: rtl!([lanes L] (4)(8)(16)(32) => |p| Hvu::<L>::new(refill(p))),
    },
    Definition {
        name: "hvu_bins",
        description: "virtualization unit whose spilled IDs gather in 64 bins before they become a line",
        timing: "2 cycles from an ID that leaves its bin to the line; one ID a cycle into bins and one out of them",
        paper: HWWL_III_D,
        parameters: &[LANES, REFILL, REFILL_INTERVAL],
        relations: &[],
        shipped: &[&[4, 0, 10], &[16, 0, 10], &[16, 1, 10]],
        module: |p| format!("hvu_bins_l{}{}", p.get("lanes"), refill_suffix(p)),
        rtl: rtl!([lanes L] (4)(8)(16)(32) => |p| HvuBins::<L>::new(refill(p))),
    },
    Definition {
        name: "icrn",
        description: "network between cores: the hub of a tree",
        timing: "latency 2 cycles; one ID a cycle in all",
        paper: HWWL_III_C,
        parameters: &[CORES],
        relations: &[],
        shipped: &[&[2], &[4], &[8], &[16]],
        module: |p| format!("icrn_c{}", p.get("cores")),
        rtl: rtl!([cores N] (2)(4)(8)(16) => |_| Icrn::<N>::default()),
    },
    Definition {
        name: "hwwl_core",
        description: "worklist of one core: a bank per lane, redistribution and virtualization",
        timing: "latency of a pull 1 cycle; one pull or push of all lanes a cycle while push_ready",
        paper: HWWL_III_B,
        parameters: &[LANES, ENTRIES, SCHEME, THRESHOLD, INTERVAL, REFILL, REFILL_INTERVAL, BINS],
        relations: &[THRESHOLD_WITHIN_BANK, ROOM_FOR_REFILL],
        shipped: &[
            &[4, 32, 0, 5, 10, 0, 10, 0],
            &[4, 32, 1, 5, 10, 0, 10, 0],
            &[4, 32, 2, 5, 10, 0, 10, 0],
            &[4, 32, 2, 5, 10, 1, 10, 0],
            &[4, 32, 3, 5, 10, 0, 10, 0],
            &[16, 32, 0, 5, 10, 0, 10, 0],
            &[16, 32, 1, 5, 10, 0, 10, 0],
            &[16, 32, 2, 5, 10, 0, 10, 0],
            &[16, 32, 2, 5, 10, 1, 10, 0],
            &[16, 32, 2, 5, 10, 0, 10, 64],
            &[16, 32, 3, 5, 10, 0, 10, 0],
            &[16, 8, 2, 5, 10, 0, 10, 0],
            &[16, 128, 2, 5, 10, 0, 10, 0],
            &[32, 32, 2, 5, 10, 0, 10, 0],
        ],
        module: |p| format!("hwwl_core_{}", core_suffix(p)),
        rtl: cores!(|p| HwwlCore::<
            L,
            { address_bits(L) },
            { 2 * L },
            { address_bits(E) },
            { count_bits(E) },
            { count_bits(E) + address_bits(L) },
        >::new(options(p))),
    },
    Definition {
        name: "hwwl",
        description: "the whole worklist: all cores and the network between them",
        timing: "latency of a pull 1 cycle; for each core, one pull or push of all lanes a cycle while push_ready",
        paper: HWWL_III_B,
        parameters: &[CORES, LANES, ENTRIES, SCHEME, THRESHOLD, INTERVAL, REFILL, REFILL_INTERVAL, BINS],
        relations: &[THRESHOLD_WITHIN_BANK, ROOM_FOR_REFILL, FEW_BANKS_IF_GLOBAL],
        shipped: &[
            &[2, 4, 32, 0, 5, 10, 0, 10, 0],
            &[2, 4, 32, 1, 5, 10, 0, 10, 0],
            &[2, 4, 32, 2, 5, 10, 0, 10, 0],
            &[2, 4, 32, 2, 5, 10, 1, 10, 0],
            &[2, 4, 32, 3, 5, 10, 0, 10, 0],
            &[4, 16, 32, 0, 5, 10, 0, 10, 0],
            &[4, 16, 32, 1, 5, 10, 0, 10, 0],
            &[4, 16, 32, 2, 5, 10, 0, 10, 0],
            &[4, 16, 32, 3, 5, 10, 0, 10, 0],
            &[4, 16, 32, 2, 5, 10, 0, 10, 64],
        ],
        module: |p| format!("hwwl_c{}_{}", p.get("cores"), core_suffix(p)),
        rtl: groups!(|p| Hwwl::<
            N,
            L,
            { address_bits(L) },
            { 2 * L },
            { address_bits(E) },
            { count_bits(E) },
            { count_bits(E) + address_bits(L) },
            { N * L },
            { address_bits(N * L) },
            { count_bits(E) + address_bits(N * L) },
        >::new(options(p))),
    },
];
