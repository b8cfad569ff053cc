//! The units of the IRU.

use super::{Definition, Parameter, Rule, Values};
use crate::hwwl::address_bits;
use crate::iru::classifier::Classifier;
use crate::iru::data_replier::DataReplier;
use crate::iru::iru::Iru;
use crate::iru::iru_hash::{Hash, IruHash};
use crate::iru::iru_partition::{IruPartition, Options};
use crate::iru::prefetcher::Prefetcher;
use crate::iru::reorder_bank::ReorderBank;
use crate::iru::ring_stop::RingStop;
use crate::rtl;

/// [`rtl!`] for every size of a partition: partitions, sets.
macro_rules! partitions {
    ($($block:tt)+) => {
        rtl!([partitions P, sets S] (2, 8)(2, 256)(4, 8)(4, 64)(4, 128)(4, 256)(4, 512) => $($block)+)
    };
}

/// [`rtl!`] for every number of sets of a partition.
macro_rules! sets {
    ($($block:tt)+) => {
        rtl!([sets S] (8)(64)(128)(256)(512) => $($block)+)
    };
}

/// [`rtl!`] for every size of a partition with its requests: partitions, sets, requests.
macro_rules! units {
    ($($block:tt)+) => {
        rtl!([partitions P, sets S, requests R]
            (2, 8, 16)(2, 256, 1024)(4, 8, 16)(4, 64, 1024)(4, 128, 1024)(4, 256, 1024)(4, 512, 1024) => $($block)+)
    };
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
    p.suffix('t', &TIMEOUT) + &p.suffix('r', &REQUESTS)
}

const IRU_3_1: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.1";
const IRU_3_2_1: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.2.1";
const IRU_3_2_2: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.2.2";
pub(super) const IRU_3_3: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.3";

const PARTITIONS: Rule =
    Parameter::new("partitions", "memory partitions, an IRU partition each", 4).must_be("2 or 4", |v| v == 2 || v == 4);

const SETS: Rule = Parameter::new("sets", "sets of 32 elements in a partition", 256)
    .must_be("a power of two from 4 to 1024", |v| v.is_power_of_two() && (4..=1024).contains(&v));

const HASH: Rule = Parameter::new("hash", "hash: 0 multiplicative, 1 modulo, 2 xor", 0)
    .must_be("0 (multiplicative), 1 (modulo) or 2 (xor)", |v| v < HASHES.len() as u64);

const TIMEOUT: Rule = Parameter::new("timeout", "cycles after which a request no longer waits for a complete set", 256)
    .must_be("from 16 to 65535", |v| (16..=65535).contains(&v));

const REQUESTS: Rule = Parameter::new("requests", "requests that a partition holds", 1024)
    .must_be("a power of two from 16 to 4096", |v| v.is_power_of_two() && (16..=4096).contains(&v));

const INTERLEAVE: Rule =
    Parameter::new("interleave", "lines of 128 bytes of an array that lie side by side in a partition", 2)
        .must_be("1, 2, 4 or 8", |v| [1, 2, 4, 8].contains(&v));

pub(super) static UNITS: &[Definition] = &[
    Definition {
        name: "iru_hash",
        description: "hash of the memory block that an access touches",
        timing: "latency 2 cycles; one element a cycle",
        paper: IRU_3_3,
        parameters: &[PARTITIONS, SETS, HASH],
        relations: &[],
        shipped: &[&[2, 8, 0], &[4, 8, 0], &[4, 256, 0], &[4, 256, 1], &[4, 256, 2]],
        module: |p| format!("iru_hash_{}", place_suffix(p)),
        rtl: partitions!(|p| IruHash::<{ address_bits(P) }, { address_bits(P * S) }>::new(hash(p))),
    },
    Definition {
        name: "prefetcher",
        description: "fetches the partition's part of the index and secondary arrays",
        timing: "latency 2 cycles from a sector to its group; 8 elements a cycle",
        paper: IRU_3_2_1,
        parameters: &[PARTITIONS, INTERLEAVE],
        relations: &[],
        shipped: &[&[2, 2], &[4, 2], &[4, 1]],
        module: |p| format!("prefetcher_p{}{}", p.get("partitions"), p.suffix('i', &INTERLEAVE)),
        rtl: rtl!([partitions P] (2)(4) => |p| Prefetcher::<{ address_bits(P) }>::new(p.get("interleave"))),
    },
    Definition {
        name: "classifier",
        description: "sends fetched elements to their bank or to the ring",
        timing: "latency 4 cycles; a group every three cycles at best",
        paper: IRU_3_2_1,
        parameters: &[PARTITIONS, SETS, HASH],
        relations: &[],
        shipped: &[&[2, 8, 0], &[4, 8, 0], &[4, 256, 0]],
        module: |p| format!("classifier_{}", place_suffix(p)),
        rtl: partitions!(|p| {
            Classifier::<
                { address_bits(P) },
                { address_bits(P * S) },
                { address_bits(S / 2) },
                { address_bits(S / 2) + 2 },
            >::new(hash(p))
        }),
    },
    Definition {
        name: "ring_stop",
        description: "a partition's place on the ring of elements, which goes both ways",
        timing: "latency 5 cycles; one element a cycle and direction",
        paper: IRU_3_2_2,
        parameters: &[SETS],
        relations: &[],
        shipped: &[&[8], &[256]],
        module: |p| format!("ring_stop_s{}", p.get("sets")),
        rtl: sets!(|_| {
            RingStop::<{ address_bits(S / 2) }, { address_bits(S / 2) + 2 }, { address_bits(S / 2) + 82 }>::default()
        }),
    },
    Definition {
        name: "reorder_bank",
        description: "one bank of the reordering hash: sets of 32 elements, filter and merge",
        timing: "5 cycles to the append, with a filter 8 (minimum) or 11 (addition); one element a cycle in, four a cycle out",
        paper: IRU_3_3,
        parameters: &[SETS],
        relations: &[],
        shipped: &[&[8], &[256]],
        module: |p| format!("reorder_bank_s{}", p.get("sets")),
        rtl: sets!(|_| {
            ReorderBank::<
                { address_bits(S / 2) },
                { address_bits(S) + 5 },
                { address_bits(S / 2) + 80 },
                { address_bits(S / 2) + 3 },
            >::default()
        }),
    },
    Definition {
        name: "data_replier",
        description: "answers the requests of the cores with the elements of a set",
        timing: "a request is the head of the queue 3 cycles after it came; 4 elements a cycle",
        paper: IRU_3_2_2,
        parameters: &[PARTITIONS, SETS, TIMEOUT, REQUESTS],
        relations: &[],
        shipped: &[&[2, 8, 16, 16], &[4, 8, 16, 16], &[4, 256, 256, 1024]],
        module: |p| format!("data_replier_p{}_s{}{}", p.get("partitions"), p.get("sets"), request_suffix(p)),
        rtl: units!(|p| DataReplier::<
            P,
            { address_bits(P) },
            { address_bits(S / 2) },
            { address_bits(R) },
            { address_bits(R) + 1 },
        >::new(p.get("timeout"))),
    },
    Definition {
        name: "iru_partition",
        description: "the reorder unit of one memory partition",
        timing: "latency and throughput are those of its parts",
        paper: IRU_3_1,
        parameters: &[PARTITIONS, SETS, HASH, TIMEOUT, REQUESTS, INTERLEAVE],
        relations: &[],
        shipped: SHIPPED_UNITS,
        module: |p| format!("iru_partition_{}", unit_suffix(p)),
        rtl: units!(|p| IruPartition::<
            P,
            { address_bits(P) },
            { address_bits(S / 2) },
            { address_bits(P * S) },
            { address_bits(S) + 5 },
            { address_bits(R) },
            { address_bits(R) + 1 },
            { address_bits(S / 2) + 2 },
            { address_bits(S / 2) + 82 },
            { address_bits(S / 2) + 80 },
            { address_bits(S / 2) + 3 },
        >::new(options(p))),
    },
    Definition {
        name: "iru",
        description: "the whole reorder unit: all partitions on the ring",
        timing: "latency and throughput are those of its parts",
        paper: IRU_3_1,
        parameters: &[PARTITIONS, SETS, HASH, TIMEOUT, REQUESTS, INTERLEAVE],
        relations: &[],
        shipped: SHIPPED_UNITS,
        module: |p| format!("iru_{}", unit_suffix(p)),
        rtl: units!(|p| Iru::<
            P,
            { address_bits(P) },
            { address_bits(S / 2) },
            { address_bits(P * S) },
            { address_bits(S) + 5 },
            { address_bits(R) },
            { address_bits(R) + 1 },
            { address_bits(S / 2) + 2 },
            { address_bits(S / 2) + 82 },
            { address_bits(S / 2) + 80 },
            { address_bits(S / 2) + 3 },
        >::new(options(p))),
    },
];

/// Small ones that tests fill quickly, and the paper's.
const SHIPPED_UNITS: &[&[u64]] = &[&[2, 8, 0, 16, 16, 2], &[4, 8, 0, 16, 16, 2], &[4, 256, 0, 256, 1024, 2]];

/// `p4_s8_t16_r16_i4`
fn unit_suffix(p: &Values) -> String {
    place_suffix(p) + &request_suffix(p) + &p.suffix('i', &INTERLEAVE)
}
