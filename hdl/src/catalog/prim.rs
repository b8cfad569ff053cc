//! The units that belong to no paper in particular.

use super::{Definition, Parameter, Relation, Rule};
use crate::hwwl::{address_bits, wru_sorting::sorter_cut};
use crate::prim::fp32_add::Fp32Add;
use crate::prim::queue::Queue;
use crate::prim::sorter::{self, Sorter};
use crate::prim::sorting_network::{self, Network};
use crate::prim::sram_1r1w::Sram1r1w;
use crate::prim::sram_1rw::Sram1rw;
use crate::rtl;

/// The sorting networks, in the order of their numbers as parameter.
const NETWORKS: [&str; 4] = ["best", "odd_even_merge", "bitonic", "shallow"];

fn network(items: usize, number: u64) -> Network {
    match number {
        0 => sorter::network(items),
        1 => sorting_network::odd_even_merge(items),
        2 => sorting_network::bitonic(items),
        _ => sorting_network::shallow(items).expect("a relation refuses other numbers of items"),
    }
}

const fn words(name: &'static str, description: &'static str) -> Rule {
    Parameter::new(name, description, 32)
        .must_be("a power of two from 4 to 65536", |v| v.is_power_of_two() && (4..=65536).contains(&v))
}

const fn width(default: u64) -> Rule {
    Parameter::new("width", "bits of a word", default).must_be("at least 1", |v| v >= 1)
}

const ITEMS: Rule = Parameter::new("items", "words in a set", 16)
    .must_be("a power of two from 2 to 64", |v| v.is_power_of_two() && (2..=64).contains(&v));

const CUT: Rule =
    Parameter::new("cut", "layers between registers", 3).must_be("from 1 to 21", |v| (1..=21).contains(&v));

const NETWORK: Rule = Parameter::new(
    "network",
    "0 best known (odd-even merge if not 16 items), 1 odd-even merge, 2 bitonic, 3 shallow",
    0,
)
.must_be("0 (best known), 1 (odd-even merge), 2 (bitonic) or 3 (shallow)", |v| v < NETWORKS.len() as u64);

const SHALLOW_OF_16: Relation = Relation {
    parameter: "network",
    rule: "0 (best known), 1 (odd-even merge) or 2 (bitonic): the shallow network is for 16 items alone",
    holds: |p| p.get("network") < 3 || p.get("items") == 16,
};

pub(super) static UNITS: &[Definition] = &[
    Definition {
        name: "sram_1rw",
        description: "single-port SRAM, one read or write a cycle",
        timing: "read latency 1 cycle; one access a cycle",
        paper: "-",
        parameters: &[words("words", "words"), width(24)],
        relations: &[],
        shipped: &[&[8, 24], &[32, 24], &[128, 24], &[1024, 24]],
        module: |p| format!("sram_1rw_{}x{}", p.get("words"), p.get("width")),
        rtl: rtl!([width W, words D] (4, 4)(24, 4)(24, 8)(24, 16)(24, 32)(24, 64)(24, 128)(24, 256)(24, 512)(24, 1024)(24, 2048)
            (24, 4096)(24, 8192) => |_| Sram1rw::<W, { address_bits(D) }>::default()),
    },
    Definition {
        name: "sram_1r1w",
        description: "SRAM with a read and a write port",
        timing: "read latency 1 cycle; one read and one write a cycle",
        paper: "-",
        parameters: &[words("words", "words"), width(80)],
        relations: &[],
        shipped: &[&[32, 192], &[32, 256], &[16, 80], &[32, 80], &[64, 80], &[16, 16], &[1024, 16]],
        module: |p| format!("sram_1r1w_{}x{}", p.get("words"), p.get("width")),
        rtl: rtl!([width W, words D] (4, 4)(192, 32)(256, 32)(80, 16)(80, 32)(80, 64)(16, 16)(16, 1024)
            => |_| Sram1r1w::<W, { address_bits(D) }>::default()),
    },
    Definition {
        name: "queue",
        description: "first in, first out, in an SRAM with a read and a write port",
        timing: "latency 2 cycles; one entry in and one out a cycle",
        paper: "-",
        parameters: &[words("entries", "entries, the head not counted"), width(80)],
        relations: &[],
        shipped: &[&[16, 80], &[32, 80], &[64, 80], &[16, 16], &[1024, 16]],
        module: |p| format!("queue_{}x{}", p.get("entries"), p.get("width")),
        rtl: rtl!([width W, entries D] (4, 4)(80, 16)(80, 32)(80, 64)(16, 16)(16, 1024)
            => |_| Queue::<W, { address_bits(D) }, { address_bits(D) + 1 }>::default()),
    },
    Definition {
        name: "sorter",
        description: "pipelined sorting network, ascending unsigned words",
        timing: "latency ceil(layers / cut) cycles; one set a cycle",
        paper: super::hwwl::HWWL_III_C,
        parameters: &[ITEMS, width(10), CUT, NETWORK],
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
        module: |p| {
            let (items, cut) = (p.get("items"), p.get("cut"));
            let usual = sorter_cut(sorter::network(items as usize).len()) as u64;
            let name = match p.get("network") {
                0 => String::new(),
                other => format!("_{}", NETWORKS[other as usize]),
            };
            let cut = if cut == usual { String::new() } else { format!("_c{cut}") };
            format!("sorter_{items}x{}{name}{cut}", p.get("width"))
        },
        rtl: rtl!([items N, width W] (4, 5)(4, 6)(4, 8)(16, 8)(16, 9)(16, 10)(16, 11)(16, 12)(16, 15)(16, 16)(32, 11)(64, 12)
            => |p| Sorter::<N, W>::new(&network(N, p.get("network")), p.get("cut") as usize)),
    },
    Definition {
        name: "fp32_add",
        description: "IEEE 754 binary32 addition, round to nearest, ties to even, subnormals kept; 4 cycles",
        timing: "latency 4 cycles; one addition a cycle",
        paper: super::iru::IRU_3_3,
        parameters: &[],
        relations: &[],
        shipped: &[&[]],
        module: |_| "fp32_add".into(),
        rtl: rtl!([] () => |_| Fp32Add::default()),
    },
];
