//! The units of the IRU.

use super::parameters::*;
use super::pins::*;
use crate::pins::interface;
use crate::unit::{Size, Sizes, Unit};

pub const IRU_3_1: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.1";

pub const IRU_3_2_1: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.2.1";

pub const IRU_3_2_2: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.2.2";

pub const IRU_3_3: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.3";

/// Small ones that tests fill quickly, and the paper's.
pub const SHIPPED_UNITS: &[&[u64]] =
    &[&[2, 8, 0, 16, 16, 2, 8, 1], &[4, 8, 0, 16, 16, 2, 8, 1], &[4, 256, 0, 256, 1024, 2, 8, 1]];

/// All partitions: the same sizes side by side, and with ways between them.
pub const SHIPPED_IRUS: &[&[u64]] = &[
    &[2, 8, 0, 16, 16, 2, 0, 8, 1],
    &[4, 8, 0, 16, 16, 2, 0, 8, 1],
    &[4, 256, 0, 256, 1024, 2, 0, 8, 1],
    &[2, 8, 0, 16, 16, 2, 1, 8, 1],
    &[4, 8, 0, 16, 16, 2, 2, 8, 1],
    &[4, 256, 0, 256, 1024, 2, 2, 8, 1],
];

/// Small ones with ways between the partitions.
pub const FAR: Size = &[("partitions", 4), ("sets", 8), ("timeout", 16), ("requests", 16), ("link", 2)];

/// Reorder units that are filled quickly.
pub const SMALL: Size = &[("partitions", 2), ("sets", 8)];

/// Small ones whose requests wait for few cycles.
pub const HASTY: Size = &[("partitions", 2), ("sets", 8), ("timeout", 16), ("requests", 16)];

/// The same with bundles.
pub const HASTY_BUNDLES: Size = &[("partitions", 2), ("sets", 8), ("timeout", 16), ("requests", 16), ("bundle", 2)];

pub const FAR_BUNDLES: Size =
    &[("partitions", 4), ("sets", 8), ("timeout", 16), ("requests", 16), ("link", 2), ("bundle", 2)];

pub const EIGHT_SETS: Size = &[("sets", 8)];

/// Small ones that move bundles.
pub const SMALL_BUNDLES: Size = &[("partitions", 4), ("sets", 8), ("bundle", 2)];

pub const EIGHT_SETS_BUNDLES: Size = &[("sets", 8), ("bundle", 2)];

pub static UNITS: &[&Unit] =
    &[&IRU_HASH, &PREFETCHER, &CLASSIFIER, &RING_STOP, &REORDER_BANK, &DATA_REPLIER, &IRU_PARTITION, &IRU];

pub static IRU_HASH: Unit = Unit {
    name: "iru_hash",
    description: "hash of the memory block that an access touches",
    timing: "latency 2 cycles; one element a cycle",
    paper: IRU_3_3,
    parameters: &[PARTITIONS, SETS, HASH],
    relations: &[],
    shipped: &[&[2, 8, 0], &[4, 8, 0], &[4, 256, 0], &[4, 256, 1], &[4, 256, 2]],
    sizes: Sizes { campaign: &[&[("hash", 1)], &[("hash", 2)]], ..Sizes::DEFAULT },
    pins: |p| interface::<IruHashIn, IruHashOut, _>(&Parameters::of(&p.0)),
};

pub static PREFETCHER: Unit = Unit {
    name: "prefetcher",
    description: "fetches the partition's part of the index and secondary arrays",
    timing: "latency 2 cycles from a sector to its group; 8 elements a cycle",
    paper: IRU_3_2_1,
    parameters: &[PARTITIONS, INTERLEAVE, CHUNKS],
    relations: &[],
    shipped: &[&[2, 2, 8], &[4, 2, 8], &[4, 1, 8]],
    sizes: Sizes { campaign: &[&[("partitions", 2)], &[("interleave", 1)], &[("chunks", 32)]], ..Sizes::DEFAULT },
    pins: |p| interface::<PrefetcherIn, PrefetcherOut, _>(&Parameters::of(&p.0)),
};

pub static CLASSIFIER: Unit = Unit {
    name: "classifier",
    description: "sends fetched elements to their bank or to the ring",
    timing: "latency 4 cycles, with bundles 5; a group every three cycles at best",
    paper: IRU_3_2_1,
    parameters: &[PARTITIONS, SETS, HASH, BUNDLE],
    relations: &[],
    shipped: &[&[2, 8, 0, 1], &[4, 8, 0, 1], &[4, 256, 0, 1]],
    sizes: Sizes { campaign: &[SMALL, SMALL_BUNDLES], mutants: SMALL, ..Sizes::DEFAULT },
    pins: |p| interface::<ClassifierIn, ClassifierOut, _>(&Parameters::of(&p.0)),
};

pub static RING_STOP: Unit = Unit {
    name: "ring_stop",
    description: "a partition's place on the ring of elements, which goes both ways",
    timing: "latency 5 cycles, with bundles 4; one element or bundle a cycle and direction",
    paper: IRU_3_2_2,
    parameters: &[SETS, BUNDLE],
    relations: &[],
    shipped: &[&[8, 1], &[256, 1]],
    sizes: Sizes { campaign: &[EIGHT_SETS, EIGHT_SETS_BUNDLES], mutants: EIGHT_SETS, ..Sizes::DEFAULT },
    pins: |p| interface::<RingStopIn, RingStopOut, _>(&Parameters::of(&p.0)),
};

pub static REORDER_BANK: Unit = Unit {
    name: "reorder_bank",
    description: "one bank of the reordering hash: sets of 32 elements, filter and merge",
    timing:
        "5 cycles to the append, with a filter 8 (minimum) or 11 (addition); one element a cycle in, four a cycle out",
    paper: IRU_3_3,
    parameters: &[SETS, BUNDLE],
    relations: &[],
    shipped: &[&[8, 1], &[256, 1]],
    sizes: Sizes {
        campaign: &[EIGHT_SETS, EIGHT_SETS_BUNDLES],
        mutants: EIGHT_SETS,
        mutant_count: 300,
        gates: EIGHT_SETS,
        ..Sizes::DEFAULT
    },
    pins: |p| interface::<ReorderBankIn, ReorderBankOut, _>(&Parameters::of(&p.0)),
};

pub static DATA_REPLIER: Unit = Unit {
    name: "data_replier",
    description: "answers the requests of the cores with the elements of a set",
    timing: "a request is the head of the queue 3 cycles after it came; 4 elements a cycle",
    paper: IRU_3_2_2,
    parameters: &[PARTITIONS, SETS, TIMEOUT, REQUESTS],
    relations: &[],
    shipped: &[&[2, 8, 16, 16], &[4, 8, 16, 16], &[4, 256, 256, 1024]],
    sizes: Sizes { campaign: &[HASTY], mutants: HASTY, mutant_count: 300, ..Sizes::DEFAULT },
    pins: |p| interface::<DataReplierIn, DataReplierOut, _>(&Parameters::of(&p.0)),
};

pub static IRU_PARTITION: Unit = Unit {
    name: "iru_partition",
    description: "the reorder unit of one memory partition",
    timing: "latency and throughput are those of its parts",
    paper: IRU_3_1,
    parameters: &[PARTITIONS, SETS, HASH, TIMEOUT, REQUESTS, INTERLEAVE, CHUNKS, BUNDLE],
    relations: &[],
    shipped: SHIPPED_UNITS,
    sizes: Sizes {
        campaign: &[HASTY, HASTY_BUNDLES],
        mutants: HASTY,
        mutant_count: 100,
        gates: HASTY,
        ..Sizes::DEFAULT
    },
    pins: |p| interface::<IruPartitionIn, IruPartitionOut, _>(&Parameters::of(&p.0)),
};

pub static IRU: Unit = Unit {
    name: "iru",
    description: "the whole reorder unit: all partitions on the ring",
    timing: "latency and throughput are those of its parts",
    paper: IRU_3_1,
    parameters: &[PARTITIONS, SETS, HASH, TIMEOUT, REQUESTS, INTERLEAVE, LINK, CHUNKS, BUNDLE],
    relations: &[],
    shipped: SHIPPED_IRUS,
    sizes: Sizes {
        campaign: &[HASTY, FAR, FAR_BUNDLES], // A ring of two goes one way alone, and half of the hardware does nothing.
        mutants: &[("partitions", 4), ("sets", 8), ("timeout", 16), ("requests", 16)],
        mutant_count: 100,
        gates: HASTY,
        ..Sizes::DEFAULT
    },
    pins: |p| interface::<IruIn, IruOut, _>(&Parameters::of(&p.0)),
};
