//! The waivers of all units.

use super::{PlaceWaiver, Waiver};
use hdl::catalog::Instance;
use std::ops::Range;

const NO_BITS: Range<u64> = 0..0;
const ALL_BITS: Range<u64> = 0..u64::MAX;

pub(super) const WAIVERS: &[Waiver] = &[
    Waiver {
        units: &["bank", "wru_threshold", "wru_sorting", "wru_serial", "wru_global", "hwwl_core"],
        pin: "push_occupancy*",
        bits: |i| above(value(i, "entries") / 2),
        reason: "a push side has half of the bank's entries",
    },
    Waiver {
        units: &["hvu", "hvu_bins", "hwwl_core", "hwwl"],
        pin: "pending*",
        bits: |i| all_if(value(i, "refill") == INTERVAL),
        reason: "only a unit that refills on demand says that a refill is pending",
    },
    Waiver {
        units: &["icrn"],
        pin: "held",
        bits: |i| above(IDS_OF_CORE * value(i, "cores")),
        reason: "the ICRN has two entries and one register for each core",
    },
    Waiver {
        units: &["hwwl"],
        pin: "held",
        bits: |i| match value(i, "scheme") {
            NO_SCHEME => ALL_BITS,
            GLOBAL => above(value(i, "cores") * value(i, "lanes") / 2),
            _ => above((IDS_OF_CORE + credits(value(i, "link"))) * value(i, "cores")),
        },
        reason: "no more IDs are between cores: none without a scheme, one for each pair of banks with global sorting, else the ICRN's and those of full links one way",
    },
    Waiver {
        units: &["hwwl_core"],
        pin: "greedy",
        bits: of_no_local_scheme,
        reason: "a core without a redistribution of its own is never greedy",
    },
    Waiver {
        units: &["hwwl_core"],
        pin: "out_valid",
        bits: of_no_local_scheme,
        reason: "a core without a redistribution of its own sends nothing",
    },
    Waiver {
        units: &["hwwl_core"],
        pin: "out_part",
        bits: of_no_local_scheme,
        reason: "a core without a redistribution of its own sends nothing",
    },
    Waiver {
        units: &["hwwl_core"],
        pin: "out_id",
        bits: of_no_local_scheme,
        reason: "a core without a redistribution of its own sends nothing",
    },
    Waiver {
        units: &["prefetcher"],
        pin: "group_position",
        bits: |_| 0..3,
        reason: "a group has eight elements",
    },
    Waiver {
        units: &["classifier"],
        pin: "cw_place",
        bits: goes_on,
        reason: "of two partitions, the next one is the home of each element that leaves",
    },
    Waiver {
        units: &["classifier"],
        pin: "ccw_place",
        bits: goes_on,
        reason: "of two partitions, the next one is the home of each element that leaves",
    },
    Waiver {
        units: &["iru_partition"],
        pin: "cw_in_place",
        bits: goes_on,
        reason: "of two partitions, the next one is the home of each element that leaves",
    },
    Waiver {
        units: &["iru_partition"],
        pin: "ccw_in_place",
        bits: goes_on,
        reason: "of two partitions, the next one is the home of each element that leaves",
    },
    Waiver {
        units: &["iru_partition"],
        pin: "cw_out_place",
        bits: goes_on,
        reason: "of two partitions, the next one is the home of each element that leaves",
    },
    Waiver {
        units: &["iru_partition"],
        pin: "ccw_out_place",
        bits: goes_on,
        reason: "of two partitions, the next one is the home of each element that leaves",
    },
    Waiver {
        units: &["iru_partition"],
        pin: "cw_out_position",
        bits: fetched_by,
        reason: "of two partitions, one sends clockwise and the other counterclockwise, each what it has fetched itself",
    },
    Waiver {
        units: &["iru_partition"],
        pin: "cw_out_more_position_*",
        bits: fetched_by,
        reason: "of two partitions, the first sends clockwise what it has fetched itself, and an element that is not there is 0",
    },
    Waiver {
        units: &["iru_partition"],
        pin: "ccw_out_position",
        bits: fetched_by,
        reason: "of two partitions, one sends clockwise and the other counterclockwise, each what it has fetched itself",
    },
];

/// Numbers of the schemes and of the refill as parameters.
const NO_SCHEME: u64 = 0;
const GLOBAL: u64 = 3;
const INTERVAL: u64 = 0;

/// Elements of a line of an array.
const LINE: u64 = 32;

/// In the ICRN, for each core.
const IDS_OF_CORE: u64 = 3;

/// IDs that a link of `stages` can have; one without is no link.
fn credits(stages: u64) -> u64 {
    if stages == 0 {
        0
    } else {
        (2 * stages + 3).next_power_of_two()
    }
}

fn value(instance: &Instance, name: &str) -> u64 {
    instance.parameter(name).unwrap_or_else(|| panic!("{} has no parameter `{name}`", instance.unit))
}

/// Bits that a number up to `most` does not need.
fn above(most: u64) -> Range<u64> {
    u64::from(u64::BITS - most.leading_zeros())..u64::MAX
}

fn all_if(waived: bool) -> Range<u64> {
    if waived {
        ALL_BITS
    } else {
        NO_BITS
    }
}

fn of_no_local_scheme(instance: &Instance) -> Range<u64> {
    all_if(matches!(value(instance, "scheme"), NO_SCHEME | GLOBAL))
}

fn has_two_partitions(instance: &Instance) -> bool {
    value(instance, "partitions") == 2
}

/// The bit of a position that tells which of two partitions has fetched the element.
fn fetched_by(instance: &Instance) -> Range<u64> {
    if has_two_partitions(instance) {
        let bit = u64::from((LINE * value(instance, "interleave")).ilog2());
        bit..bit + 1
    } else {
        NO_BITS
    }
}

/// The upper bit of a place on the ring, behind the set and the bank, if there are two partitions.
fn goes_on(instance: &Instance) -> Range<u64> {
    if has_two_partitions(instance) {
        u64::from(value(instance, "sets").ilog2())..u64::MAX
    } else {
        NO_BITS
    }
}

pub(super) const PLACES: &[PlaceWaiver] = &[
    PlaceWaiver {
        module: "",
        places: &[("if ((s & ", BOTH)],
        of: |_| true,
        reason: "the number of the pass decides it, and Verilator unrolls the loop",
    },
    PlaceWaiver {
        module: "bank",
        places: &[
            ("if (wru_part)", BOTH),
            ("if (wru_pop_granted | wru_append_granted)", BOTH),
            ("wru_append_granted ? :", &["if"]),
        ],
        of: |i| is_one_of(i, &["hwwl_core", "hwwl"], &[NO_SCHEME]),
        reason: "nothing moves IDs between the banks without a scheme",
    },
    PlaceWaiver {
        module: "control",
        places: &[("wru_spill[i] ? :", &["if"])],
        of: |i| is_one_of(i, &["hwwl_core", "hwwl"], &[NO_SCHEME]),
        reason: "nothing moves IDs between the banks without a scheme",
    },
    PlaceWaiver {
        module: "interval",
        places: &[("enable ? :", &["else"])],
        of: |_| true,
        reason: "the interval never stops",
    },
    PlaceWaiver {
        module: "icrn",
        places: &[("(|destination_later[1*2 +: 2]) ? :", &["if"])],
        of: |i| value(i, "cores") == 2,
        reason: "of two cores, the only destination of the second is the first, which is behind nobody",
    },
    PlaceWaiver {
        module: "icrn",
        places: &[
            ("(|destination_later[", &["if"]),
            ("(|source_later) ? :", &["if"]),
            ("crossing ? :", &["if"]),
            ("behind_valid_q[", &["if"]),
            ("oldest_q[", &["if"]),
            ("if (enters[i])", &["if"]),
            ("if (~stays[i])", &["else"]),
            ("if (destination[i])", &["if"]),
        ],
        of: |i| is_one_of(i, &["hwwl"], &[NO_SCHEME, GLOBAL]),
        reason: "cores without a redistribution of their own send no IDs to each other",
    },
    PlaceWaiver {
        module: "control",
        places: &[("arrival_asked_q ? :", &["if"]), ("if (comes)", &["if"])],
        of: |i| is_one_of(i, &["hwwl"], &[NO_SCHEME, GLOBAL]),
        reason: "cores without a redistribution of their own send no IDs to each other",
    },
    PlaceWaiver {
        module: "departure",
        places: &[("if (load)", &["if"])],
        of: |i| is_one_of(i, &["hwwl"], &[GLOBAL]),
        reason: "a unit that serves the banks of all cores needs no network between them",
    },
    PlaceWaiver {
        module: "way",
        places: &[("local_valid ? :", BOTH), ("ring_goes ? :", &["if"])],
        of: |i| ["iru_partition", "iru"].contains(&i.unit) && has_two_partitions(i),
        reason: "of two partitions, the next one is the home of each element that leaves",
    },
    PlaceWaiver {
        module: "port",
        places: &[("token_passes ? :", &["if"])],
        of: |i| i.unit == "iru" && has_two_partitions(i),
        reason: "of two partitions, the next one is the destination of each token",
    },
    PlaceWaiver {
        module: "classifier",
        places: &[("position_low[i*4 + 3] ? :", &["if"])],
        of: |i| ["iru_partition", "iru"].contains(&i.unit),
        reason: "the prefetcher's groups begin at multiples of eight",
    },
    PlaceWaiver {
        module: "bundler",
        places: &[
            ("position_low_bank[i*4 + 3] ? :", &["if"]),
            ("position_low_bank_1_each[i*4 + 3] ? :", &["if"]),
            ("position_low_cw[3] ? :", &["if"]),
            ("position_low_cw_1[3] ? :", &["if"]),
            ("position_low_ccw[3] ? :", &["if"]),
            ("position_low_ccw_1[3] ? :", &["if"]),
        ],
        of: |i| ["iru_partition", "iru"].contains(&i.unit),
        reason: "the prefetcher's groups begin at multiples of eight",
    },
];

const BOTH: &[&str] = &["if", "else"];

fn is_one_of(instance: &Instance, units: &[&str], schemes: &[u64]) -> bool {
    units.contains(&instance.unit) && schemes.contains(&value(instance, "scheme"))
}
