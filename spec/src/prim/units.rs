//! The units that belong to no paper in particular.

use crate::choice;
use crate::parameter::{Parameter, Relation};
use crate::unit::Unit;

choice! {
    /// The network of a sorter.
    Network {
        /// The best network known: of 16 items the one of the fewest cells, 60; else odd-even merge.
        Best = "best",
        OddEvenMerge = "odd_even_merge",
        Bitonic = "bitonic",
        /// The network of 16 items with the fewest layers and nearly as few cells: 61.
        Shallow = "shallow",
    }
}

pub const fn words(name: &'static str, description: &'static str) -> Parameter {
    Parameter::new(name, description, 32)
        .must_be("a power of two from 2 to 65536", |v| v.is_power_of_two() && (2..=65536).contains(&v))
}

pub const fn width(default: u64) -> Parameter {
    Parameter::new("width", "bits of a word", default).must_be("from 1 to 256", |v| (1..=256).contains(&v))
}

pub const ITEMS: Parameter = Parameter::new("items", "words in a set", 16)
    .must_be("a power of two from 2 to 64", |v| v.is_power_of_two() && (2..=64).contains(&v));

pub const CUT: Parameter =
    Parameter::new("cut", "layers between registers", 3).must_be("from 1 to 21", |v| (1..=21).contains(&v));

pub const NETWORK: Parameter = Parameter::new(
    "network",
    "0 best known (odd-even merge if not 16 items), 1 odd-even merge, 2 bitonic, 3 shallow",
    0,
)
.must_be("0 (best known), 1 (odd-even merge), 2 (bitonic) or 3 (shallow)", |v| v < Network::ALL.len() as u64);

pub const SHALLOW_OF_16: Relation = Relation {
    parameter: "network",
    rule: "0 (best known), 1 (odd-even merge) or 2 (bitonic): the shallow network is for 16 items alone",
    holds: |p| p.get("network") < 3 || p.get("items") == 16,
};

pub const SORTED_WIDTH: Parameter =
    Parameter::new("width", "bits of a word", 10).must_be("from 1 to 32", |v| (1..=32).contains(&v));

pub static UNITS: &[&Unit] = &[&SRAM_1RW, &SRAM_1R1W, &QUEUE, &SORTER, &FP32_ADD];

pub static SRAM_1RW: Unit = Unit {
    name: "sram_1rw",
    description: "single-port SRAM, one read or write a cycle",
    timing: "read latency 1 cycle; one access a cycle",
    paper: "-",
    parameters: &[words("words", "words"), width(24)],
    relations: &[],
    shipped: &[&[8, 24], &[32, 24], &[128, 24], &[1024, 24]],
};

pub static SRAM_1R1W: Unit = Unit {
    name: "sram_1r1w",
    description: "SRAM with a read and a write port",
    timing: "read latency 1 cycle; one read and one write a cycle",
    paper: "-",
    parameters: &[words("words", "words"), width(80)],
    relations: &[],
    shipped: &[&[32, 192], &[32, 256], &[16, 80], &[32, 80], &[64, 80], &[16, 16], &[1024, 16]],
};

pub static QUEUE: Unit = Unit {
    name: "queue",
    description: "first in, first out, in an SRAM with a read and a write port",
    timing: "latency 2 cycles; one entry in and one out a cycle",
    paper: "-",
    parameters: &[words("entries", "entries, the head not counted"), width(80)],
    relations: &[],
    shipped: &[&[16, 80], &[32, 80], &[64, 80], &[16, 16], &[1024, 16]],
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
};

pub static FP32_ADD: Unit = Unit {
    name: "fp32_add",
    description: "IEEE 754 binary32 addition, round to nearest, ties to even, subnormals kept; 4 cycles",
    timing: "latency 4 cycles; one addition a cycle",
    paper: crate::iru::IRU_3_3,
    parameters: &[],
    relations: &[],
    shipped: &[&[]],
};
