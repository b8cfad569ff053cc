//! The units that belong to no paper in particular.

use super::Definition;
use crate::hwwl::{address_bits, wru_sorting::sorter_cut};
use crate::prim::fp32_add::Fp32Add;
use crate::prim::link::{credit_bits, Link};
use crate::prim::queue::Queue;
use crate::prim::sorter::{self, Sorter};
use crate::prim::sorting_network::{self, Network};
use crate::prim::sram_1r1w::Sram1r1w;
use crate::prim::sram_1rw::Sram1rw;
use crate::rtl;
use spec::number::Number;
use spec::prim::{Network as Kind, FP32_ADD, LINK, QUEUE, SORTER, SRAM_1R1W, SRAM_1RW};

fn network(items: usize, kind: Kind) -> Network {
    match kind {
        Kind::Best => sorter::network(items),
        Kind::OddEvenMerge => sorting_network::odd_even_merge(items),
        Kind::Bitonic => sorting_network::bitonic(items),
        Kind::Shallow => sorting_network::shallow(items).expect("a relation refuses other numbers of items"),
    }
}

pub(super) static UNITS: &[Definition] = &[
    Definition {
        unit: &SRAM_1RW,
        module: |p| format!("sram_1rw_{}x{}", p.get("words"), p.get("width")),
        rtl: rtl!([width W, words D] (4, 4)(24, 4)(24, 8)(24, 16)(24, 32)(24, 64)(24, 128)(24, 256)(24, 512)(24, 1024)(24, 2048)
            (24, 4096)(24, 8192) => |_| Sram1rw::<W, { address_bits(D) }>::default()),
    },
    Definition {
        unit: &SRAM_1R1W,
        module: |p| format!("sram_1r1w_{}x{}", p.get("words"), p.get("width")),
        rtl: rtl!([width W, words D] (4, 4)(192, 32)(256, 32)(80, 16)(80, 32)(80, 64)(16, 16)(16, 1024)
            => |_| Sram1r1w::<W, { address_bits(D) }>::default()),
    },
    Definition {
        unit: &QUEUE,
        module: |p| format!("queue_{}x{}", p.get("entries"), p.get("width")),
        rtl: rtl!([width W, entries D] (4, 4)(25, 8)(89, 8)(80, 16)(80, 32)(80, 64)(16, 16)(16, 1024)
            => |_| Queue::<W, { address_bits(D) }, { address_bits(D) + 1 }>::default()),
    },
    Definition {
        unit: &LINK,
        module: |p| format!("link_l{}_{}", p.get("stages"), p.get("width")),
        rtl: rtl!([width W, stages L] (4, 1)(25, 1)(25, 2)(84, 1)(84, 2)(89, 1)(89, 2)(89, 3)(89, 4)(89, 5)(89, 6)(89, 7)(89, 8)
            => |_| Link::<W, { credit_bits(L) - 1 }, { credit_bits(L) }>::new(L)),
    },
    Definition {
        unit: &SORTER,
        module: |p| {
            let (items, cut) = (p.get("items"), p.get("cut"));
            let usual = sorter_cut(sorter::network(items as usize).len()) as u64;
            let name = match Kind::of(p.get("network")) {
                Kind::Best => String::new(),
                other => format!("_{}", other.name()),
            };
            let cut = if cut == usual { String::new() } else { format!("_c{cut}") };
            format!("sorter_{items}x{}{name}{cut}", p.get("width"))
        },
        rtl: rtl!([items N, width W] (4, 5)(4, 6)(4, 8)(16, 8)(16, 9)(16, 10)(16, 11)(16, 12)(16, 15)(16, 16)(32, 11)(64, 12)
            => |p| Sorter::<N, W>::new(&network(N, Kind::of(p.get("network"))), p.get("cut") as usize)),
    },
    Definition { unit: &FP32_ADD, module: |_| "fp32_add".into(), rtl: rtl!([] () => |_| Fp32Add::default()) },
];
