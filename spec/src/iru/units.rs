//! The units of the IRU.

use crate::choice;
use crate::parameter::Parameter;
use crate::unit::Unit;

choice! {
    /// How the number of a memory block is made into the number of a set (3.3).
    HashKind {
        /// Times 2,105,409, then folded by XOR.
        Multiplicative = "multiplicative",
        /// Its lowest bits: those of the partition, above them the bank, above that the set.
        Modulo = "modulo",
        /// Folded by XOR.
        Xor = "xor",
    }
}

pub const IRU_3_1: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.1";

pub const IRU_3_2_1: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.2.1";

pub const IRU_3_2_2: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.2.2";

pub const IRU_3_3: &str = "Segura, Arnau and Gonzalez, Irregular accesses reorder unit, 3.3";

pub const PARTITIONS: Parameter =
    Parameter::new("partitions", "memory partitions, an IRU partition each", 4).must_be("2 or 4", |v| v == 2 || v == 4);

pub const SETS: Parameter = Parameter::new("sets", "sets of 32 elements in a partition", 256)
    .must_be("a power of two from 4 to 1024", |v| v.is_power_of_two() && (4..=1024).contains(&v));

pub const HASH: Parameter = Parameter::new("hash", "hash: 0 multiplicative, 1 modulo, 2 xor", 0)
    .must_be("0 (multiplicative), 1 (modulo) or 2 (xor)", |v| v < HashKind::ALL.len() as u64);

pub const TIMEOUT: Parameter =
    Parameter::new("timeout", "cycles after which a request no longer waits for a complete set", 256)
        .must_be("from 16 to 65535", |v| (16..=65535).contains(&v));

pub const REQUESTS: Parameter = Parameter::new("requests", "requests that a partition holds", 1024)
    .must_be("a power of two from 16 to 4096", |v| v.is_power_of_two() && (16..=4096).contains(&v));

pub const INTERLEAVE: Parameter =
    Parameter::new("interleave", "lines of 128 bytes of an array that lie side by side in a partition", 2)
        .must_be("1, 2, 4 or 8", |v| [1, 2, 4, 8].contains(&v));

/// Small ones that tests fill quickly, and the paper's.
pub const SHIPPED_UNITS: &[&[u64]] = &[&[2, 8, 0, 16, 16, 2], &[4, 8, 0, 16, 16, 2], &[4, 256, 0, 256, 1024, 2]];

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
};

pub static PREFETCHER: Unit = Unit {
    name: "prefetcher",
    description: "fetches the partition's part of the index and secondary arrays",
    timing: "latency 2 cycles from a sector to its group; 8 elements a cycle",
    paper: IRU_3_2_1,
    parameters: &[PARTITIONS, INTERLEAVE],
    relations: &[],
    shipped: &[&[2, 2], &[4, 2], &[4, 1]],
};

pub static CLASSIFIER: Unit = Unit {
    name: "classifier",
    description: "sends fetched elements to their bank or to the ring",
    timing: "latency 4 cycles; a group every three cycles at best",
    paper: IRU_3_2_1,
    parameters: &[PARTITIONS, SETS, HASH],
    relations: &[],
    shipped: &[&[2, 8, 0], &[4, 8, 0], &[4, 256, 0]],
};

pub static RING_STOP: Unit = Unit {
    name: "ring_stop",
    description: "a partition's place on the ring of elements, which goes both ways",
    timing: "latency 5 cycles; one element a cycle and direction",
    paper: IRU_3_2_2,
    parameters: &[SETS],
    relations: &[],
    shipped: &[&[8], &[256]],
};

pub static REORDER_BANK: Unit = Unit {
    name: "reorder_bank",
    description: "one bank of the reordering hash: sets of 32 elements, filter and merge",
    timing:
        "5 cycles to the append, with a filter 8 (minimum) or 11 (addition); one element a cycle in, four a cycle out",
    paper: IRU_3_3,
    parameters: &[SETS],
    relations: &[],
    shipped: &[&[8], &[256]],
};

pub static DATA_REPLIER: Unit = Unit {
    name: "data_replier",
    description: "answers the requests of the cores with the elements of a set",
    timing: "a request is the head of the queue 3 cycles after it came; 4 elements a cycle",
    paper: IRU_3_2_2,
    parameters: &[PARTITIONS, SETS, TIMEOUT, REQUESTS],
    relations: &[],
    shipped: &[&[2, 8, 16, 16], &[4, 8, 16, 16], &[4, 256, 256, 1024]],
};

pub static IRU_PARTITION: Unit = Unit {
    name: "iru_partition",
    description: "the reorder unit of one memory partition",
    timing: "latency and throughput are those of its parts",
    paper: IRU_3_1,
    parameters: &[PARTITIONS, SETS, HASH, TIMEOUT, REQUESTS, INTERLEAVE],
    relations: &[],
    shipped: SHIPPED_UNITS,
};

pub static IRU: Unit = Unit {
    name: "iru",
    description: "the whole reorder unit: all partitions on the ring",
    timing: "latency and throughput are those of its parts",
    paper: IRU_3_1,
    parameters: &[PARTITIONS, SETS, HASH, TIMEOUT, REQUESTS, INTERLEAVE],
    relations: &[],
    shipped: SHIPPED_UNITS,
};
