//! The units of HWWL.

use super::{Definition, Values};
use crate::hwwl::bank::Bank;
use crate::hwwl::edge_expander::EdgeExpander;
use crate::hwwl::hvu::Hvu;
use crate::hwwl::hvu_bins::HvuBins;
use crate::hwwl::hwwl::Hwwl;
use crate::hwwl::hwwl_core::{HwwlCore, Options};
use crate::hwwl::icrn::Icrn;
use crate::hwwl::wru_global::WruGlobal;
use crate::hwwl::wru_serial::WruSerial;
use crate::hwwl::wru_sorting::WruSorting;
use crate::hwwl::wru_threshold::WruThreshold;
use crate::hwwl::{address_bits, count_bits, Refill, Scheme, LINE_WORDS};
use crate::prim::link::credit_bits;
use crate::rtl;
use spec::hwwl::{
    held_bits, BANK, BINS, EDGE_EXPANDER, HVU, HVU_BINS, HWWL, HWWL_CORE, ICRN, INTERVAL, LANES, LINK, REFILL_INTERVAL,
    THRESHOLD, WRU_GLOBAL, WRU_SERIAL, WRU_SORTING, WRU_THRESHOLD,
};
use spec::number::Number;

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

/// [`rtl!`] for every group of cores with its ways, which cost the compiler a unit each: cores, lanes, entries of a bank, cycles.
macro_rules! systems {
    ($($block:tt)+) => {
        rtl!([cores N, lanes L, entries E, link K]
            (2, 4, 32, 0)(4, 16, 8, 0)(4, 16, 32, 0)(4, 16, 128, 0)(4, 32, 32, 0)(8, 16, 32, 0)
            (2, 4, 32, 1)(2, 4, 32, 2)(2, 4, 32, 4)(2, 4, 32, 8)(4, 16, 32, 2) => $($block)+)
    };
}

fn scheme(p: &Values) -> Scheme {
    Scheme::of(p.get("scheme"))
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
    let scheme = scheme(p).name();
    let schedule = schedule_suffix(p) + &refill_suffix(p) + &p.suffix('b', &BINS);
    format!("l{}_e{}_{scheme}{schedule}", p.get("lanes"), p.get("entries"))
}

pub(super) static UNITS: &[Definition] = &[
    Definition {
        unit: &BANK,
        module: |p| format!("hwwl_bank_e{}{}", p.get("entries"), p.suffix('l', &LANES)),
        rtl: rtl!([entries E] (4)(8)(16)(32)(64)(128)(256)(512)(1024)(2048)(4096)(8192)
            => |p| Bank::<{ address_bits(E) }, { count_bits(E) }>::new(LINE_WORDS as u64 / p.get("lanes"))),
    },
    Definition {
        unit: &WRU_THRESHOLD,
        module: |p| format!("wru_threshold_{}", wru_suffix(p)),
        rtl: cores!(|p| WruThreshold::<L, { address_bits(L) }, { count_bits(E) }>::new(
            p.get("threshold"),
            p.get("interval")
        )),
    },
    Definition {
        unit: &WRU_SORTING,
        module: |p| format!("wru_sorting_{}", wru_suffix(p)),
        rtl: cores!(|p| {
            WruSorting::<L, { address_bits(L) }, { count_bits(E) }, { count_bits(E) + address_bits(L) }>::new(
                p.get("threshold"),
                p.get("interval"),
            )
        }),
    },
    Definition {
        unit: &WRU_SERIAL,
        module: |p| format!("wru_serial_l{}_e{}{}", p.get("lanes"), p.get("entries"), p.suffix('t', &THRESHOLD)),
        rtl: rtl!([lanes L, entries E] (4, 32)(16, 32) => |p| {
            WruSerial::<L, { address_bits(L) }, { count_bits(E) }>::new(p.get("threshold"))
        }),
    },
    Definition {
        unit: &WRU_GLOBAL,
        module: |p| format!("wru_global_c{}_{}", p.get("cores"), wru_suffix(p)),
        rtl: groups!(|p| {
            WruGlobal::<{ N * L }, { address_bits(N * L) }, { count_bits(E) }, { count_bits(E) + address_bits(N * L) }>::new(
                p.get("threshold"),
                p.get("interval"),
            )
        }),
    },
    Definition {
        unit: &HVU,
        module: |p| format!("hvu_l{}{}", p.get("lanes"), refill_suffix(p)),
        rtl: rtl!([lanes L] (4)(8)(16)(32) => |p| Hvu::<L>::new(refill(p))),
    },
    Definition {
        unit: &HVU_BINS,
        module: |p| format!("hvu_bins_l{}{}", p.get("lanes"), refill_suffix(p)),
        rtl: rtl!([lanes L] (4)(8)(16)(32) => |p| HvuBins::<L>::new(refill(p))),
    },
    Definition {
        unit: &ICRN,
        module: |p| format!("icrn_c{}", p.get("cores")),
        rtl: rtl!([cores N] (2)(4)(8)(16) => |_| Icrn::<N>::default()),
    },
    Definition {
        unit: &HWWL_CORE,
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
        unit: &EDGE_EXPANDER,
        module: |p| format!("edge_expander_l{}_n{}", p.get("lanes"), p.get("nodes")),
        rtl: rtl!([lanes L, nodes E] (4, 4)(16, 16)
            => |_| EdgeExpander::<L, { 2 * L }, { address_bits(E) }, { address_bits(E) + 2 }>::default()),
    },
    Definition {
        unit: &HWWL,
        module: |p| format!("hwwl_c{}_{}{}", p.get("cores"), core_suffix(p), p.suffix('d', &LINK)),
        rtl: systems!(|p| Hwwl::<
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
            { credit_bits(K) - 1 },
            { credit_bits(K) },
            { held_bits(K) as usize },
        >::new(options(p), K)),
    },
];
