//! The units of Graph-Waving, and those of its baseline.

use super::{Definition, Values};
use crate::gw::b32_front_end::B32FrontEnd;
use crate::gw::fetch_arbiter::FetchArbiter;
use crate::gw::front_end::SLOTS;
use crate::gw::gw_front_end::GwFrontEnd;
use crate::gw::instruction_buffer::InstructionBuffer;
use crate::gw::round_robin_scheduler::RoundRobinScheduler;
use crate::gw::{entry_bits, number_bits};
use crate::rtl;
use spec::gw::{
    AGE_CAP, B32_FRONT_END, EXPRESS, FETCH_ARBITER, GW_FRONT_END, INSTRUCTION_BUFFER, LAND, LOWEST, PREFETCH,
    ROUND_ROBIN_SCHEDULER, WINDOW,
};

/// `16x3`: sets and ways.
fn storage_suffix(p: &Values) -> String {
    format!("{}x{}", p.get("sets"), p.get("ways"))
}

/// `s4_w192_v16_t8_16x3`
fn front_end_suffix(p: &Values) -> String {
    let places = format!("s{}_w{}_v{}_t{}", p.get("schedulers"), p.get("warps"), p.get("wave"), p.get("swst"));
    let ways = [('a', &AGE_CAP), ('o', &WINDOW), ('e', &EXPRESS), ('l', &LAND), ('p', &PREFETCH), ('i', &LOWEST)];
    let ways: String = ways.into_iter().map(|(letter, parameter)| p.suffix(letter, parameter)).collect();
    format!("{places}_{}{ways}", storage_suffix(p))
}

pub(super) static UNITS: &[Definition] = &[
    Definition {
        unit: &FETCH_ARBITER,
        module: |p| format!("gw_fetch_arbiter_s{}_w{}", p.get("schedulers"), p.get("warps")),
        rtl: rtl!([schedulers S, warps N] (1, 8)(1, 48)(2, 8)(2, 48)(4, 8)(4, 48)
            => |_| FetchArbiter::<S, { number_bits(S) }, { number_bits(N) }>::default()),
    },
    Definition {
        unit: &GW_FRONT_END,
        module: |p| format!("gw_front_end_{}", front_end_suffix(p)),
        rtl: rtl!([schedulers S, warps W, wave V, sets C, ways K, swst T, express X, land D, prefetch A, window O]
            (2, 16, 4, 4, 2, 2, 0, 0, 0, 2)(2, 64, 16, 8, 2, 4, 0, 0, 0, 2)(4, 192, 16, 16, 3, 8, 0, 0, 0, 2)
            (2, 16, 4, 4, 2, 2, 1, 1, 1, 2)(4, 192, 16, 16, 3, 8, 1, 1, 1, 2)
            => |p| GwFrontEnd::<
                S,
                { W / S },
                { W / S / 2 },
                V,
                T,
                { C * K },
                { number_bits(S) },
                { number_bits(W / S) },
                { number_bits(W / S / 2) },
                { number_bits(W / S / V) },
                { number_bits(T) },
                { entry_bits(C, K) },
                K,
                { V * SLOTS },
                X,
                D,
                A,
            >::new(C, p.get("age_cap"), p.get("lowest") == 1)),
    },
    Definition {
        unit: &INSTRUCTION_BUFFER,
        module: |p| format!("gw_instruction_buffer_w{}", p.get("warps")),
        rtl: rtl!([warps N] (8)(24) => |_| InstructionBuffer::<N, { number_bits(N) }>::default()),
    },
    Definition {
        unit: &ROUND_ROBIN_SCHEDULER,
        module: |p| format!("gw_round_robin_scheduler_w{}", p.get("warps")),
        rtl: rtl!([warps N] (8)(24) => |_| RoundRobinScheduler::<N, { number_bits(N) }>::default()),
    },
    Definition {
        unit: &B32_FRONT_END,
        module: |p| format!("gw_b32_front_end_s{}_w{}{}", p.get("schedulers"), p.get("warps"), p.suffix('i', &LOWEST)),
        rtl: rtl!([schedulers S, warps W] (2, 16)(2, 48)
            => |p| B32FrontEnd::<S, { W / S }, { number_bits(S) }, { number_bits(W / S) }>::new(p.get("lowest") == 1)),
    },
];
