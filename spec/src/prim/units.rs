//! The units that belong to no paper in particular.

use super::parameters::*;
use super::pins::*;
use crate::parameter::Relation;
use crate::pins::interface;
use crate::unit::{Sizes, Unit};

pub const SHALLOW_OF_16: Relation = Relation {
    parameter: "network",
    rule: "0 (best known), 1 (odd-even merge) or 2 (bitonic): the shallow network is for 16 items alone",
    holds: |p| p.get("network") < 3 || p.get("items") == 16,
};

pub static UNITS: &[&Unit] = &[&SRAM_1RW, &SRAM_1R1W, &QUEUE, &LINK, &SORTER, &FP32_ADD];

pub static SRAM_1RW: Unit = Unit {
    name: "sram_1rw",
    description: "single-port SRAM, one read or write a cycle",
    timing: "read latency 1 cycle; one access a cycle",
    paper: "-",
    parameters: &[words("words", "words"), width(24)],
    relations: &[],
    shipped: &[&[8, 24], &[32, 24], &[128, 24], &[1024, 24]],
    sizes: Sizes { campaign: &[&[("words", 8)], &[("words", 128)], &[("words", 1024)]], ..Sizes::DEFAULT },
    pins: |p| interface::<Sram1rwIn, Sram1rwOut, _>((p.get("width") as u32, p.get("words") as usize)),
};

pub static SRAM_1R1W: Unit = Unit {
    name: "sram_1r1w",
    description: "SRAM with a read and a write port",
    timing: "read latency 1 cycle; one read and one write a cycle",
    paper: "-",
    parameters: &[words("words", "words"), width(80)],
    relations: &[],
    shipped: &[&[32, 192], &[32, 256], &[16, 80], &[32, 80], &[64, 80], &[16, 16], &[1024, 16]],
    sizes: Sizes { campaign: &[&[("width", 192)], &[("words", 1024), ("width", 16)]], ..Sizes::DEFAULT },
    pins: |p| interface::<Sram1r1wIn, Sram1r1wOut, _>((p.get("width") as u32, p.get("words") as usize)),
};

pub static QUEUE: Unit = Unit {
    name: "queue",
    description: "first in, first out, in an SRAM with a read and a write port",
    timing: "latency 2 cycles; one entry in and one out a cycle",
    paper: "-",
    parameters: &[words("entries", "entries, the head not counted"), width(80)],
    relations: &[],
    shipped: &[&[8, 25], &[8, 89], &[16, 80], &[32, 80], &[64, 80], &[16, 16], &[1024, 16]],
    sizes: Sizes {
        campaign: &[&[("entries", 16)], &[("entries", 64)], &[("entries", 1024), ("width", 16)]],
        ..Sizes::DEFAULT
    },
    pins: |p| interface::<QueueIn, QueueOut, _>(p.get("width") as u32),
};

pub static LINK: Unit = Unit {
    name: "link",
    description: "registered way between two places, with credits",
    timing: "latency stages + 2 cycles; one element a cycle",
    paper: "-",
    parameters: &[STAGES, width(89)],
    relations: &[],
    shipped: &[&[2, 25], &[1, 84], &[2, 84], &[2, 89]],
    sizes: Sizes {
        campaign: &[&[("stages", 1), ("width", 84)], &[("stages", 4)]],
        mutants: &[("stages", 1), ("width", 4)],
        ..Sizes::DEFAULT
    },
    pins: |p| interface::<LinkIn, LinkOut, _>(p.get("width") as u32),
};

pub static SORTER: Unit = Unit {
    name: "sorter",
    description: "pipelined sorting network, ascending unsigned words",
    timing: "latency ceil(layers / cut) cycles; one set a cycle",
    paper: crate::hwwl::HWWL_III_C,
    parameters: &[ITEMS, SORTED_WIDTH, CUT, NETWORK],
    relations: &[SHALLOW_OF_16],
    shipped: &[
        &[4, 8, 1, 0],
        &[16, 8, 3, 0],
        &[16, 10, 3, 0],
        &[16, 10, 3, 1],
        &[16, 10, 3, 2],
        &[16, 10, 3, 3],
        &[32, 11, 4, 0],
        &[64, 12, 6, 0],
    ],
    sizes: Sizes {
        campaign: &[
            &[("network", 1)],
            &[("network", 2)],
            &[("network", 3)],
            &[("items", 4), ("width", 8), ("cut", 1)],
            &[("items", 32), ("width", 11), ("cut", 4)],
            &[("items", 64), ("width", 12), ("cut", 6)],
        ],
        ..Sizes::DEFAULT
    },
    pins: |p| sorter_interface(p.get("items") as usize, p.get("width") as u32),
};

pub static FP32_ADD: Unit = Unit {
    name: "fp32_add",
    description: "IEEE 754 binary32 addition, round to nearest, ties to even, subnormals kept; 4 cycles",
    timing: "latency 4 cycles; one addition a cycle",
    paper: crate::iru::IRU_3_3,
    parameters: &[],
    relations: &[],
    shipped: &[&[]],
    sizes: Sizes::DEFAULT,
    pins: |_| interface::<Fp32AddIn, Fp32AddOut, _>(()),
};
