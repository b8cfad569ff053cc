//! The units of the IRU.

use super::{boxed, suffix, Definition, Parameter, Rule, Values};
use crate::hwwl::address_bits;
use crate::iru::classifier::Classifier;
use crate::iru::data_replier::DataReplier;
use crate::iru::hash::{Hash, IruHash};
use crate::iru::partition::{IruPartition, Options};
use crate::iru::prefetcher::Prefetcher;
use crate::iru::reorder_bank::ReorderBank;
use crate::iru::ring_stop::RingStop;
use crate::iru::top::Iru;
use crate::prim::fp32_add::Fp32Add;
use crate::prim::queue::Queue;
use crate::prim::sram_1r1w::Sram1r1w;
use rust_hdl::prelude::Block;

/// `$then!` over every size of a partition: partitions, sets.
macro_rules! for_partitions {
    ($then:ident) => {
        $then!((2, 8)(4, 8)(2, 256)(4, 64)(4, 128)(4, 256)(4, 512))
    };
}

/// `$then!` over every size of a unit: partitions, sets, requests.
macro_rules! for_units {
    ($then:ident) => {
        $then!((2, 8, 16)(4, 8, 16)(2, 256, 1024)(4, 64, 1024)(4, 128, 1024)(4, 256, 1024)(4, 512, 1024))
    };
}

/// `$then!` over every queue: entries, bits.
macro_rules! for_queues {
    ($then:ident) => {
        $then!((16, 80)(32, 80)(64, 80)(16, 16)(1024, 16))
    };
}

fn build_sram_1r1w(p: &Values) -> Option<Box<dyn Block>> {
    macro_rules! srams {
        ($(($d:literal, $w:literal))*) => {
            rtl!([p.get("words"), p.get("width")];
                32, 192 => Sram1r1w::<192, 5>::default();
                32, 256 => Sram1r1w::<256, 5>::default();
                $($d, $w => Sram1r1w::<$w, { address_bits($d) }>::default();)*)
        };
    }
    for_queues!(srams)
}

fn build_queue(p: &Values) -> Option<Box<dyn Block>> {
    macro_rules! queues {
        ($(($d:literal, $w:literal))*) => {
            rtl!([p.get("entries"), p.get("width")];
                $($d, $w => Queue::<$w, { address_bits($d) }, { address_bits($d) + 1 }>::default();)*)
        };
    }
    for_queues!(queues)
}

fn build_hash(p: &Values) -> Option<Box<dyn Block>> {
    let hash = hash(p);
    macro_rules! hashes {
        ($(($p:literal, $s:literal))*) => {
            rtl!([p.get("partitions"), p.get("sets")];
                $($p, $s => IruHash::<{ address_bits($p * $s) }>::new(hash);)*)
        };
    }
    for_partitions!(hashes)
}

fn build_prefetcher(p: &Values) -> Option<Box<dyn Block>> {
    let interleave = p.get("interleave");
    rtl!([p.get("partitions")];
        2 => Prefetcher::<1>::new(interleave);
        4 => Prefetcher::<2>::new(interleave);
    )
}

fn build_classifier(p: &Values) -> Option<Box<dyn Block>> {
    let hash = hash(p);
    macro_rules! classifiers {
        ($(($p:literal, $s:literal))*) => {
            rtl!([p.get("partitions"), p.get("sets")];
                $($p, $s => Classifier::<{ address_bits($p) }, { address_bits($p * $s) }>::new(hash);)*)
        };
    }
    for_partitions!(classifiers)
}

fn build_ring_stop(p: &Values) -> Option<Box<dyn Block>> {
    let hash = hash(p);
    macro_rules! stops {
        ($(($p:literal, $s:literal))*) => {
            rtl!([p.get("partitions"), p.get("sets")];
                $($p, $s => RingStop::<{ address_bits($p) }, { address_bits($p * $s) }>::new(hash);)*)
        };
    }
    for_partitions!(stops)
}

fn build_reorder_bank(p: &Values) -> Option<Box<dyn Block>> {
    let hash = hash(p);
    macro_rules! banks {
        ($(($p:literal, $s:literal))*) => {
            rtl!([p.get("partitions"), p.get("sets")];
                $($p, $s => ReorderBank::<
                    { address_bits($s / 2) },
                    { address_bits($p * $s) },
                    { address_bits($s) + 5 },
                >::new(hash);)*)
        };
    }
    for_partitions!(banks)
}

fn build_data_replier(p: &Values) -> Option<Box<dyn Block>> {
    let timeout = p.get("timeout");
    macro_rules! repliers {
        ($(($p:literal, $s:literal, $r:literal))*) => {
            rtl!([p.get("partitions"), p.get("sets"), p.get("requests")];
                $($p, $s, $r => DataReplier::<
                    $p,
                    { address_bits($p) },
                    { address_bits($s / 2) },
                    { address_bits($r) },
                    { address_bits($r) + 1 },
                >::new(timeout);)*)
        };
    }
    for_units!(repliers)
}

fn build_iru_partition(p: &Values) -> Option<Box<dyn Block>> {
    let options = options(p);
    macro_rules! units {
        ($(($p:literal, $s:literal, $r:literal))*) => {
            rtl!([p.get("partitions"), p.get("sets"), p.get("requests")];
                $($p, $s, $r => IruPartition::<
                    $p,
                    { address_bits($p) },
                    { address_bits($s / 2) },
                    { address_bits($p * $s) },
                    { address_bits($s) + 5 },
                    { address_bits($r) },
                    { address_bits($r) + 1 },
                >::new(options);)*)
        };
    }
    for_units!(units)
}

fn build_iru(p: &Values) -> Option<Box<dyn Block>> {
    let options = options(p);
    macro_rules! units {
        ($(($p:literal, $s:literal, $r:literal))*) => {
            rtl!([p.get("partitions"), p.get("sets"), p.get("requests")];
                $($p, $s, $r => Iru::<
                    $p,
                    { address_bits($p) },
                    { address_bits($s / 2) },
                    { address_bits($p * $s) },
                    { address_bits($s) + 5 },
                    { address_bits($r) },
                    { address_bits($r) + 1 },
                >::new(options);)*)
        };
    }
    for_units!(units)
}

/// The hashes, in the order of their numbers as parameter.
const HASHES: [(Hash, &str); 3] =
    [(Hash::Multiplicative, "multiplicative"), (Hash::Modulo, "modulo"), (Hash::Xor, "xor")];

fn hash(p: &Values) -> Hash {
    HASHES[p.get("hash") as usize].0
}

fn options(p: &Values) -> Options {
    Options { hash: hash(p), timeout: p.get("timeout"), interleave: p.get("interleave") }
}

fn available_queues() -> String {
    macro_rules! list {
        ($(($d:literal, $w:literal))*) => { [$(concat!($d, " of ", $w, " bits")),*].join(", ") };
    }
    for_queues!(list)
}

fn available_partitions() -> String {
    macro_rules! list {
        ($(($p:literal, $s:literal))*) => { [$(concat!($p, " partitions of ", $s, " sets")),*].join(", ") };
    }
    for_partitions!(list)
}

fn available_units() -> String {
    macro_rules! list {
        ($(($p:literal, $s:literal, $r:literal))*) => {
            [$(concat!($p, " partitions of ", $s, " sets with ", $r, " requests")),*].join(", ")
        };
    }
    for_units!(list)
}

/// `p4_s256_xor`: sizes, and a hash that is not the paper's.
fn place_suffix(p: &Values) -> String {
    let hash = match p.get("hash") {
        0 => String::new(),
        other => format!("_{}", HASHES[other as usize].1),
    };
    format!("p{}_s{}{hash}", p.get("partitions"), p.get("sets"))
}

/// `_t16_r16`
fn request_suffix(p: &Values) -> String {
    suffix(p, 't', &TIMEOUT) + &suffix(p, 'r', &REQUESTS)
}

const IRU_3_1: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.1";
const IRU_3_2_1: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.2.1";
const IRU_3_2_2: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.2.2";
const IRU_3_3: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.3";

const PARTITIONS: Rule = Rule {
    parameter: Parameter { name: "partitions", description: "memory partitions, an IRU partition each", default: 4 },
    rule: "2 or 4",
    holds: |v| v == 2 || v == 4,
};

const SETS: Rule = Rule {
    parameter: Parameter { name: "sets", description: "sets of 32 elements in a partition", default: 256 },
    rule: "a power of two from 4 to 1024",
    holds: |v| v.is_power_of_two() && (4..=1024).contains(&v),
};

const HASH: Rule = Rule {
    parameter: Parameter { name: "hash", description: "hash: 0 multiplicative, 1 modulo, 2 xor", default: 0 },
    rule: "0 (multiplicative), 1 (modulo) or 2 (xor)",
    holds: |v| v < HASHES.len() as u64,
};

const TIMEOUT: Rule = Rule {
    parameter: Parameter {
        name: "timeout",
        description: "cycles after which a request no longer waits for a complete set",
        default: 256,
    },
    rule: "from 16 to 65535",
    holds: |v| (16..=65535).contains(&v),
};

const REQUESTS: Rule = Rule {
    parameter: Parameter { name: "requests", description: "requests that a partition holds", default: 1024 },
    rule: "a power of two from 16 to 4096",
    holds: |v| v.is_power_of_two() && (16..=4096).contains(&v),
};

const INTERLEAVE: Rule = Rule {
    parameter: Parameter {
        name: "interleave",
        description: "lines of 128 bytes of an array that lie side by side in a partition",
        default: 2,
    },
    rule: "1, 2, 4 or 8",
    holds: |v| [1, 2, 4, 8].contains(&v),
};

const WIDTH: Rule = Rule {
    parameter: Parameter { name: "width", description: "bits of a word", default: 80 },
    rule: "at least 1",
    holds: |v| v >= 1,
};

pub(super) static DEFINITIONS: &[Definition] = &[
    Definition {
        name: "sram_1r1w",
        description: "SRAM with a read and a write port",
        paper: "-",
        parameters: &[
            Rule {
                parameter: Parameter { name: "words", description: "words", default: 32 },
                rule: "a power of two from 4 to 65536",
                holds: |v| v.is_power_of_two() && (4..=65536).contains(&v),
            },
            WIDTH,
        ],
        relations: &[],
        shipped: &[&[32, 192], &[32, 256], &[16, 80], &[32, 80], &[64, 80], &[16, 16], &[1024, 16]],
        module: |p| format!("sram_1r1w_{}x{}", p.get("words"), p.get("width")),
        build: build_sram_1r1w,
        available: || format!("32 of 192 bits, 32 of 256 bits, {}", available_queues()),
    },
    Definition {
        name: "queue",
        description: "first in, first out, in an SRAM with a read and a write port",
        paper: "-",
        parameters: &[
            Rule {
                parameter: Parameter { name: "entries", description: "entries, the head not counted", default: 32 },
                rule: "a power of two from 4 to 65536",
                holds: |v| v.is_power_of_two() && (4..=65536).contains(&v),
            },
            WIDTH,
        ],
        relations: &[],
        shipped: &[&[16, 80], &[32, 80], &[64, 80], &[16, 16], &[1024, 16]],
        module: |p| format!("queue_{}x{}", p.get("entries"), p.get("width")),
        build: build_queue,
        available: available_queues,
    },
    Definition {
        name: "iru_hash",
        description: "hash of the memory block that an access touches",
        paper: IRU_3_3,
        parameters: &[PARTITIONS, SETS, HASH],
        relations: &[],
        shipped: &[&[2, 8, 0], &[4, 8, 0], &[4, 256, 0], &[4, 256, 1], &[4, 256, 2]],
        module: |p| format!("iru_hash_{}", place_suffix(p)),
        build: build_hash,
        available: available_partitions,
    },
    Definition {
        name: "prefetcher",
        description: "fetches the partition's part of the index and secondary arrays",
        paper: IRU_3_2_1,
        parameters: &[PARTITIONS, INTERLEAVE],
        relations: &[],
        shipped: &[&[2, 2], &[4, 2], &[4, 1]],
        module: |p| format!("prefetcher_p{}{}", p.get("partitions"), suffix(p, 'i', &INTERLEAVE)),
        build: build_prefetcher,
        available: || "partitions = 2, 4".into(),
    },
    Definition {
        name: "classifier",
        description: "sends fetched elements to their bank or to the ring",
        paper: IRU_3_2_1,
        parameters: &[PARTITIONS, SETS, HASH],
        relations: &[],
        shipped: &[&[2, 8, 0], &[4, 8, 0], &[4, 256, 0]],
        module: |p| format!("classifier_{}", place_suffix(p)),
        build: build_classifier,
        available: available_partitions,
    },
    Definition {
        name: "ring_stop",
        description: "a partition's place on the ring of elements, which goes both ways",
        paper: IRU_3_2_2,
        parameters: &[PARTITIONS, SETS, HASH],
        relations: &[],
        shipped: &[&[2, 8, 0], &[4, 8, 0], &[4, 256, 0]],
        module: |p| format!("ring_stop_{}", place_suffix(p)),
        build: build_ring_stop,
        available: available_partitions,
    },
    Definition {
        name: "fp32_add",
        description: "IEEE 754 binary32 addition, round to nearest, ties to even, subnormals kept; 5 cycles",
        paper: IRU_3_3,
        parameters: &[],
        relations: &[],
        shipped: &[&[]],
        module: |_| "fp32_add".into(),
        build: |_| Some(boxed(Fp32Add::default)),
        available: || "no parameters".into(),
    },
    Definition {
        name: "reorder_bank",
        description: "one bank of the reordering hash: sets of 32 elements, filter and merge",
        paper: IRU_3_3,
        parameters: &[PARTITIONS, SETS, HASH],
        relations: &[],
        shipped: &[&[2, 8, 0], &[4, 8, 0], &[4, 256, 0]],
        module: |p| format!("reorder_bank_{}", place_suffix(p)),
        build: build_reorder_bank,
        available: available_partitions,
    },
    Definition {
        name: "data_replier",
        description: "answers the requests of the cores with the elements of a set",
        paper: IRU_3_2_2,
        parameters: &[PARTITIONS, SETS, TIMEOUT, REQUESTS],
        relations: &[],
        shipped: &[&[2, 8, 16, 16], &[4, 8, 16, 16], &[4, 256, 256, 1024]],
        module: |p| format!("data_replier_p{}_s{}{}", p.get("partitions"), p.get("sets"), request_suffix(p)),
        build: build_data_replier,
        available: available_units,
    },
    Definition {
        name: "iru_partition",
        description: "the reorder unit of one memory partition",
        paper: IRU_3_1,
        parameters: &[PARTITIONS, SETS, HASH, TIMEOUT, REQUESTS, INTERLEAVE],
        relations: &[],
        shipped: SHIPPED_UNITS,
        module: |p| format!("iru_partition_{}", unit_suffix(p)),
        build: build_iru_partition,
        available: available_units,
    },
    Definition {
        name: "iru",
        description: "the whole reorder unit: all partitions on the ring",
        paper: IRU_3_1,
        parameters: &[PARTITIONS, SETS, HASH, TIMEOUT, REQUESTS, INTERLEAVE],
        relations: &[],
        shipped: SHIPPED_UNITS,
        module: |p| format!("iru_{}", unit_suffix(p)),
        build: build_iru,
        available: available_units,
    },
];

/// Small ones that tests fill quickly, and the paper's.
const SHIPPED_UNITS: &[&[u64]] = &[&[2, 8, 0, 16, 16, 2], &[4, 8, 0, 16, 16, 2], &[4, 256, 0, 256, 1024, 2]];

/// `p4_s8_t16_r16_i4`
fn unit_suffix(p: &Values) -> String {
    place_suffix(p) + &request_suffix(p) + &suffix(p, 'i', &INTERLEAVE)
}

#[cfg(test)]
mod tests {
    use crate::catalog::find;
    use rust_hdl::prelude::check_all;

    #[test]
    fn every_size_on_offer_elaborates_with_other_values() {
        macro_rules! units {
            ($(($p:literal, $s:literal, $r:literal))*) => { [$(($p, $s, $r)),*] };
        }
        for (partitions, sets, requests) in for_units!(units) {
            let sizes = [("partitions", partitions), ("sets", sets), ("requests", requests)];
            let others = [("hash", 2), ("timeout", 1000), ("interleave", 8)];
            let unit = find("iru_partition", &[&sizes[..], &others].concat()).unwrap();
            check_all(&*unit.build()).unwrap();
            let requests = if requests == 1024 { String::new() } else { format!("_r{requests}") };
            assert_eq!(unit.module, format!("iru_partition_p{partitions}_s{sets}_xor_t1000{requests}_i8"));
        }
    }

    #[test]
    fn values_out_of_range_are_refused() {
        let message = |unit: &str, parameters: &[(&str, u64)]| find(unit, parameters).unwrap_err().to_string();
        assert_eq!(message("iru", &[("partitions", 3)]), "iru: partitions = 3, but it must be 2 or 4");
        assert_eq!(
            message("data_replier", &[("timeout", 15)]),
            "data_replier: timeout = 15, but it must be from 16 to 65535"
        );
        assert!(
            message("classifier", &[("sets", 1024)]).starts_with("classifier: no RTL for partitions = 4, sets = 1024")
        );
    }
}
