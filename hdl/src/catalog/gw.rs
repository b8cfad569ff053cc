//! The units of Graph-Waving.

use super::{boxed, Definition, Parameter, Rule, Values};
use crate::gw::fetch_arbiter::FetchArbiter;
use crate::gw::number_bits;
use rust_hdl::prelude::Block;

fn build_fetch_arbiter(p: &Values) -> Option<Box<dyn Block>> {
    macro_rules! arbiters {
        ($(($s:literal, $n:literal))*) => {
            rtl!([p.get("schedulers"), p.get("warps")];
                $($s, $n => FetchArbiter::<$s, { number_bits($s) }, { number_bits($n) }>::default();)*)
        };
    }
    arbiters!((1, 8)(2, 8)(4, 8)(1, 48)(2, 48)(4, 48))
}

const GW_6_2: &str = "Yilmazer-Metin, Graph-Waving architecture, 6.2";

const SCHEDULERS: Rule = Rule {
    parameter: Parameter { name: "schedulers", description: "schedulers, a SIMD unit each", default: 4 },
    rule: "1, 2 or 4",
    holds: |v| [1, 2, 4].contains(&v),
};

/// Of one scheduler.
const PLACES: Rule = Rule {
    parameter: Parameter { name: "warps", description: "narrow warps of a scheduler", default: 48 },
    rule: "a multiple of the lanes of a wave (4, 8 or 16), and at most 64",
    holds: |v| v % 4 == 0 && (4..=64).contains(&v),
};

pub(super) static DEFINITIONS: &[Definition] = &[Definition {
    name: "fetch_arbiter",
    description: "picks among the warps that wait for a fetch, one line a cycle",
    paper: GW_6_2,
    parameters: &[SCHEDULERS, PLACES],
    relations: &[],
    shipped: &[&[2, 8], &[4, 48]],
    module: |p| format!("gw_fetch_arbiter_s{}_w{}", p.get("schedulers"), p.get("warps")),
    build: build_fetch_arbiter,
    available: || "schedulers = 1, 2, 4 with warps = 8, 48".into(),
}];
