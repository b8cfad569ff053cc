//! The sizes and efforts of the campaigns, by unit.

/// Values of parameters. The instances are all combinations, those of the last parameter next to each other.
pub type Sizes = &'static [(&'static str, &'static [u64])];

/// What a unit runs with besides its default parameters, which every unit runs with. Reorder units of 2 partitions and 8 sets are filled
/// quickly, and a timeout of 16 makes requests wait for few cycles. Tables and sets of a front end of 16 warps are full soon.
pub const COSIM: &[(&str, &[Sizes])] = &[
    ("sram_1rw", &[&[("words", &[8, 128, 1024])]]),
    ("sram_1r1w", &[&[("width", &[192])], &[("words", &[1024]), ("width", &[16])]]),
    ("queue", &[&[("entries", &[16, 64])], &[("entries", &[1024]), ("width", &[16])]]),
    (
        "sorter",
        &[
            &[("network", &[1, 2, 3])],
            &[("items", &[4]), ("width", &[8]), ("cut", &[1])],
            &[("items", &[32]), ("width", &[11]), ("cut", &[4])],
            &[("items", &[64]), ("width", &[12]), ("cut", &[6])],
        ],
    ),
    ("bank", &[&[("entries", &[8, 128])]]),
    ("wru_threshold", &[&[("lanes", &[4, 32])]]),
    ("wru_sorting", &[&[("lanes", &[4, 32])]]),
    ("wru_global", &[&[("cores", &[2]), ("lanes", &[4])]]),
    ("hvu", &[&[("refill", &[1])], &[("lanes", &[4]), ("refill", &[0, 1])]]),
    ("hvu_bins", &[&[("refill", &[1])], &[("lanes", &[4])]]),
    ("icrn", &[&[("cores", &[2, 8, 16])]]),
    (
        "hwwl_core",
        &[
            &[("lanes", &[4]), ("scheme", &[0, 1, 2, 3]), ("refill", &[0, 1])],
            &[("scheme", &[0, 1, 3])],
            &[("refill", &[1])],
            &[("bins", &[64])],
        ],
    ),
    (
        "hwwl",
        &[
            &[("cores", &[2]), ("lanes", &[4]), ("scheme", &[0, 1, 2, 3])],
            &[("cores", &[2]), ("lanes", &[4]), ("refill", &[1])],
            &[("scheme", &[0, 1, 3])],
            &[("bins", &[64])],
        ],
    ),
    ("iru_hash", &[&[("hash", &[1, 2])]]),
    ("prefetcher", &[&[("partitions", &[2])], &[("interleave", &[1])]]),
    ("classifier", &[&[("partitions", &[2]), ("sets", &[8])]]),
    ("ring_stop", &[&[("sets", &[8])]]),
    ("reorder_bank", &[&[("sets", &[8])]]),
    ("data_replier", &[&[("partitions", &[2]), ("sets", &[8]), ("timeout", &[16]), ("requests", &[16])]]),
    ("iru_partition", &[&[("partitions", &[2]), ("sets", &[8]), ("timeout", &[16]), ("requests", &[16])]]),
    ("iru", &[&[("partitions", &[2]), ("sets", &[8]), ("timeout", &[16]), ("requests", &[16])]]),
    ("fetch_arbiter", &[&[("schedulers", &[2]), ("warps", &[8])]]),
    ("instruction_buffer", &[&[("warps", &[8])]]),
    ("round_robin_scheduler", &[&[("warps", &[8])]]),
    ("b32_front_end", &[&[("warps", &[16])]]),
    ("gw_front_end", &[NARROW]),
];

const NARROW: Sizes = &[
    ("schedulers", &[2]),
    ("warps", &[16]),
    ("wave", &[4]),
    ("swst", &[2]),
    ("age_cap", &[8]),
    ("sets", &[4]),
    ("ways", &[2]),
];

/// Units whose mutants are made at another size than the default one: a build of a large unit takes too long with so many faults.
pub const MUTATED: &[(&str, Sizes)] = &[
    ("bank", &[("entries", &[8])]),
    ("wru_threshold", &[("lanes", &[4])]),
    ("wru_sorting", &[("lanes", &[4])]),
    ("wru_global", &[("cores", &[2]), ("lanes", &[4])]),
    ("hvu", &[("lanes", &[4])]),
    ("hvu_bins", &[("lanes", &[4])]),
    ("hwwl_core", &[("lanes", &[4])]),
    ("hwwl", &[("cores", &[2]), ("lanes", &[4])]),
    ("classifier", &[("partitions", &[2]), ("sets", &[8])]),
    ("ring_stop", &[("sets", &[8])]),
    ("reorder_bank", &[("sets", &[8])]),
    ("data_replier", &[("partitions", &[2]), ("sets", &[8]), ("timeout", &[16]), ("requests", &[16])]),
    ("iru_partition", &[("partitions", &[2]), ("sets", &[8]), ("timeout", &[16]), ("requests", &[16])]),
    // A ring of two goes one way alone, and half of the hardware does nothing.
    ("iru", &[("partitions", &[4]), ("sets", &[8]), ("timeout", &[16]), ("requests", &[16])]),
    ("fetch_arbiter", &[("schedulers", &[2]), ("warps", &[8])]),
    ("instruction_buffer", &[("warps", &[8])]),
    ("round_robin_scheduler", &[("warps", &[8])]),
    ("b32_front_end", &[("warps", &[16])]),
    ("gw_front_end", NARROW),
];

/// Mutants of a unit.
pub const MUTANTS: u32 = 1000;

/// Fewer mutants of large units: the build or the model checker takes too long with a thousand.
pub const FEWER: &[(&str, u32)] = &[
    ("wru_threshold", 300),
    ("wru_sorting", 300),
    ("wru_global", 300),
    ("hvu_bins", 100),
    ("icrn", 300),
    ("hwwl_core", 100),
    ("hwwl", 100),
    ("reorder_bank", 300),
    ("data_replier", 300),
    ("iru_partition", 100),
    ("iru", 100),
    ("fetch_arbiter", 300),
    ("gw_front_end", 100),
    ("instruction_buffer", 300),
    ("b32_front_end", 100),
];

/// Cycles of more stimulus for mutants that are neither killed nor proven equivalent, at least: the model checker takes half an hour for a
/// mutant of such a unit that is not equivalent.
pub const PATIENT: &[(&str, u64)] = &[("iru", 10_000_000)];

/// Cycles of one more run without fresh implementations, for bits that stay untoggled and places that are not reached in shorter segments:
/// its stimulus fills what is large, or comes to the end of a long job.
pub const LONG: &[(&str, u64)] = &[
    ("hwwl_core", 5_000_000),
    ("hwwl", 4_600_000),
    ("prefetcher", 3_000_000),
    ("iru_partition", 5_500_000),
    ("iru", 3_500_000),
];
