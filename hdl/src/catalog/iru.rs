//! The units of the IRU.

use super::{Definition, Values};
use crate::hwwl::address_bits;
use crate::iru::classifier::Classifier;
use crate::iru::data_replier::DataReplier;
use crate::iru::element::MORE_BITS;
use crate::iru::iru::Iru;
use crate::iru::iru_hash::IruHash;
use crate::iru::iru_partition::{IruPartition, Options};
use crate::iru::prefetcher::Prefetcher;
use crate::iru::reorder_bank::ReorderBank;
use crate::iru::ring_stop::RingStop;
use crate::iru::wide_bank::WideBank;
use crate::prim::link::credit_bits;
use crate::rtl;
use spec::iru::{
    HashKind, BUNDLE, CHUNKS, CLASSIFIER, DATA_REPLIER, INTERLEAVE, IRU, IRU_HASH, IRU_PARTITION, LINK, PREFETCHER,
    REORDER_BANK, REQUESTS, RING_STOP, TIMEOUT,
};
use spec::number::Number;

/// [`rtl!`] for every size of a partition: partitions, sets.
macro_rules! partitions {
    ($($block:tt)+) => {
        rtl!([partitions P, sets S] (2, 8)(2, 256)(4, 8)(4, 64)(4, 128)(4, 256)(4, 512) => $($block)+)
    };
}

/// The same with the elements of a bundle.
macro_rules! classifiers {
    ($($block:tt)+) => {
        rtl!([partitions P, sets S, bundle W]
            (2, 8, 1)(2, 256, 1)(4, 8, 1)(4, 64, 1)(4, 128, 1)(4, 256, 1)(4, 512, 1)
            (2, 8, 2)(4, 8, 2)(4, 256, 2)(4, 8, 4)(4, 256, 4) => $($block)+)
    };
}

/// [`rtl!`] for every size of a partition with its requests: partitions, sets, requests.
macro_rules! repliers {
    ($($block:tt)+) => {
        rtl!([partitions P, sets S, requests R]
            (2, 8, 16)(2, 256, 1024)(4, 8, 16)(4, 64, 1024)(4, 128, 1024)(4, 256, 1024)(4, 512, 1024) => $($block)+)
    };
}

/// The same with the chunks that a partition has under way, and the elements of a bundle.
macro_rules! units {
    ($($block:tt)+) => {
        rtl!([partitions P, sets S, requests R, chunks D, bundle W]
            (2, 8, 16, 8, 1)(2, 256, 1024, 8, 1)(4, 8, 16, 8, 1)(4, 64, 1024, 8, 1)(4, 128, 1024, 8, 1)
            (4, 256, 1024, 8, 1)(4, 512, 1024, 8, 1)(2, 8, 16, 16, 1)(2, 8, 16, 32, 1)(2, 8, 16, 64, 1)
            (4, 256, 1024, 16, 1)(4, 256, 1024, 32, 1)(4, 256, 1024, 64, 1)
            (2, 8, 16, 8, 2)(4, 8, 16, 8, 2)(4, 8, 16, 8, 4)(4, 256, 1024, 32, 2)(4, 256, 1024, 32, 4)
            => $($block)+)
    };
}

/// [`rtl!`] for every size of a partition with its requests and every way between partitions, with the paper's chunks; and for
/// more chunks, and bundles, at some.
macro_rules! systems {
    (@ways $(($p:literal, $s:literal, $r:literal))+ => $($block:tt)+) => {
        rtl!([partitions P, sets S, requests R, chunks D, link K, bundle W]
            $(($p, $s, $r, 8, 0, 1)($p, $s, $r, 8, 1, 1)($p, $s, $r, 8, 2, 1)($p, $s, $r, 8, 3, 1)($p, $s, $r, 8, 4, 1)
            ($p, $s, $r, 8, 5, 1)($p, $s, $r, 8, 6, 1)($p, $s, $r, 8, 7, 1)($p, $s, $r, 8, 8, 1))+
            (2, 8, 16, 16, 0, 1)(2, 8, 16, 32, 1, 1)(2, 8, 16, 64, 2, 1)
            (4, 256, 1024, 16, 2, 1)(4, 256, 1024, 32, 2, 1)(4, 256, 1024, 64, 2, 1)
            (2, 8, 16, 8, 0, 2)(4, 8, 16, 8, 2, 2)(4, 8, 16, 8, 2, 4)(4, 256, 1024, 32, 2, 2)(4, 256, 1024, 32, 2, 4)
            => $($block)+)
    };
    ($($block:tt)+) => {
        systems!(@ways (2, 8, 16)(2, 256, 1024)(4, 8, 16)(4, 64, 1024)(4, 128, 1024)(4, 256, 1024)(4, 512, 1024)
            => $($block)+)
    };
}

fn hash(p: &Values) -> HashKind {
    HashKind::of(p.get("hash"))
}

fn options(p: &Values) -> Options {
    Options { hash: hash(p), timeout: p.get("timeout"), interleave: p.get("interleave") }
}

/// `p4_s256_xor`: sizes, and a hash that is not the paper's.
fn place_suffix(p: &Values) -> String {
    let hash = match hash(p) {
        HashKind::Multiplicative => String::new(),
        other => format!("_{}", other.name()),
    };
    format!("p{}_s{}{hash}", p.get("partitions"), p.get("sets"))
}

/// `_t16_r16`
fn request_suffix(p: &Values) -> String {
    p.suffix('t', &TIMEOUT) + &p.suffix('r', &REQUESTS)
}

pub(super) static UNITS: &[Definition] = &[
    Definition {
        unit: &IRU_HASH,
        module: |p| format!("iru_hash_{}", place_suffix(p)),
        rtl: partitions!(|p| IruHash::<{ address_bits(P) }, { address_bits(P * S) }>::new(hash(p))),
    },
    Definition {
        unit: &PREFETCHER,
        module: |p| format!("prefetcher_p{}{}", p.get("partitions"), fetch_suffix(p)),
        rtl: rtl!([partitions P, chunks D] (2, 8)(4, 8)(2, 16)(4, 16)(2, 32)(4, 32)(2, 64)(4, 64) => |p| {
            Prefetcher::<{ address_bits(P) }, { address_bits(D) + 1 }, { address_bits(D) + 2 }>::new(p.get("interleave"))
        }),
    },
    Definition {
        unit: &CLASSIFIER,
        module: |p| format!("classifier_{}{}", place_suffix(p), p.suffix('b', &BUNDLE)),
        rtl: classifiers!(|p| {
            Classifier::<
                { address_bits(P) },
                { address_bits(P * S) },
                { address_bits(S / 2) },
                { address_bits(S / 2) + 2 },
                { W - 1 },
            >::new(hash(p))
        }),
    },
    Definition {
        unit: &RING_STOP,
        module: |p| format!("ring_stop_s{}{}", p.get("sets"), p.suffix('b', &BUNDLE)),
        rtl: rtl!([sets S, bundle W]
        (8, 1)(64, 1)(128, 1)(256, 1)(512, 1)(8, 2)(256, 2)(8, 4)(256, 4) => |_| RingStop::<
            { address_bits(S / 2) },
            { address_bits(S / 2) + 2 },
            { address_bits(S / 2) + 82 + MORE_BITS * (W - 1) },
            { W - 1 },
        >::default()),
    },
    Definition {
        unit: &REORDER_BANK,
        module: |p| format!("reorder_bank_s{}{}", p.get("sets"), p.suffix('b', &BUNDLE)),
        rtl: rtl!([sets S, bundle W]
        (8, 1)(64, 1)(128, 1)(256, 1)(512, 1) => |_| ReorderBank::<
            { address_bits(S / 2) },
            { address_bits(S) + 5 },
            { address_bits(S / 2) + 80 },
            { address_bits(S / 2) + 3 },
        >::default();
        (8, 2)(256, 2)(8, 4)(256, 4) => |_| WideBank::<
            { address_bits(S / 2) },
            { address_bits(S) + 5 },
            { address_bits(S / 2) + 80 + MORE_BITS * (W - 1) },
            W,
            { W - 1 },
        >::default()),
    },
    Definition {
        unit: &DATA_REPLIER,
        module: |p| format!("data_replier_p{}_s{}{}", p.get("partitions"), p.get("sets"), request_suffix(p)),
        rtl: repliers!(|p| DataReplier::<
            P,
            { address_bits(P) },
            { address_bits(S / 2) },
            { address_bits(R) },
            { address_bits(R) + 1 },
        >::new(p.get("timeout"))),
    },
    Definition {
        unit: &IRU_PARTITION,
        module: |p| format!("iru_partition_{}{}", unit_suffix(p), p.suffix('b', &BUNDLE)),
        rtl: units!(|p| IruPartition::<
            P,
            { address_bits(P) },
            { address_bits(S / 2) },
            { address_bits(P * S) },
            { address_bits(S) + 5 },
            { address_bits(R) },
            { address_bits(R) + 1 },
            { address_bits(S / 2) + 2 },
            { address_bits(S / 2) + 82 + MORE_BITS * (W - 1) },
            { address_bits(S / 2) + 80 + MORE_BITS * (W - 1) },
            { address_bits(S / 2) + 3 },
            { address_bits(D) + 1 },
            { address_bits(D) + 2 },
            W,
            { W - 1 },
            { 2 * W },
        >::new(options(p))),
    },
    Definition {
        unit: &IRU,
        module: |p| format!("iru_{}{}{}", unit_suffix(p), p.suffix('l', &LINK), p.suffix('b', &BUNDLE)),
        rtl: systems!(|p| Iru::<
            P,
            { address_bits(P) },
            { address_bits(S / 2) },
            { address_bits(P * S) },
            { address_bits(S) + 5 },
            { address_bits(R) },
            { address_bits(R) + 1 },
            { address_bits(S / 2) + 2 },
            { address_bits(S / 2) + 82 + MORE_BITS * (W - 1) },
            { address_bits(S / 2) + 80 + MORE_BITS * (W - 1) },
            { address_bits(S / 2) + 3 },
            { address_bits(D) + 1 },
            { address_bits(D) + 2 },
            { credit_bits(K) - 1 },
            { credit_bits(K) },
            W,
            { W - 1 },
            { 2 * W },
        >::new(options(p), K)),
    },
];

/// `_i4_c32`
fn fetch_suffix(p: &Values) -> String {
    p.suffix('i', &INTERLEAVE) + &p.suffix('c', &CHUNKS)
}

/// `p4_s8_t16_r16_i4_c32`
fn unit_suffix(p: &Values) -> String {
    place_suffix(p) + &request_suffix(p) + &fetch_suffix(p)
}
