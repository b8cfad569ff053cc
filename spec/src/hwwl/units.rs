//! The units of HWWL.

use super::pins::{LINE_IDS, MAX_BANKS};
use crate::choice;
use crate::parameter::{Parameter, Relation};
use crate::unit::Unit;

choice! {
    /// How work moves between banks (III-C).
    Scheme {
        /// Not at all.
        None = "none",
        /// From banks above the threshold to banks below it, within a core; what is too much goes to another core.
        Threshold = "threshold",
        /// From the most occupied banks to the least occupied, within a core; what is too much goes to another core.
        Lsorting = "lsorting",
        /// From the most occupied banks of all cores to the least occupied.
        Gsorting = "gsorting",
    }
}

choice! {
    /// When IDs come back from the overflow buffer (III-D).
    Refill {
        /// Every `refill_interval` cycles, if every bank has room.
        Interval = "interval",
        /// When a pull finds its bank empty.
        Demand = "demand",
    }
}

pub const HWWL_III_B: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014, III-B";

pub const HWWL_III_C: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014, III-C";

pub const HWWL_III_D: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014, III-D";

pub const ENTRIES: Parameter = Parameter::new("entries", "work IDs that a bank holds", 32)
    .must_be("a power of two from 4 to 65536", |v| v.is_power_of_two() && (4..=65536).contains(&v));

pub const LANES: Parameter = Parameter::new("lanes", "lanes of the core, a bank each", 16)
    .must_be("a power of two from 4 to 32", |v| v.is_power_of_two() && (4..=32).contains(&v));

pub const CORES: Parameter =
    Parameter::new("cores", "cores that share work", 4).must_be("from 1 to 16", |v| (1..=16).contains(&v));

pub const SCHEME: Parameter =
    Parameter::new("scheme", "work redistribution: 0 none, 1 threshold, 2 local sorting, 3 global sorting", 2)
        .must_be("0 (none), 1 (threshold), 2 (local sorting) or 3 (global sorting)", |v| v < Scheme::ALL.len() as u64);

pub const REFILL: Parameter = Parameter::new("refill", "when IDs come back from memory: 0 interval, 1 demand", 0)
    .must_be("0 (interval) or 1 (demand)", |v| v < Refill::ALL.len() as u64);

pub const REFILL_INTERVAL: Parameter = Parameter::new("refill_interval", "cycles between refills", 10)
    .must_be("from 2 to 65536", |v| (2..=65536).contains(&v));

pub const BINS: Parameter =
    Parameter::new("bins", "bins in which spilled IDs gather, or none", 0).must_be("0 or 64", |v| v == 0 || v == 64);

pub const THRESHOLD_RULE: &str = "from 1 to entries: a bank never holds more";

pub const THRESHOLD: Parameter =
    Parameter::new("threshold", "work IDs below which a lane is in need", 5).must_be(THRESHOLD_RULE, |v| v >= 1);

pub const INTERVAL: Parameter = Parameter::new("interval", "cycles between redistribution events", 10)
    .must_be("even and from 10 to 65536", |v| v % 2 == 0 && (10..=65536).contains(&v));

pub const THRESHOLD_WITHIN_BANK: Relation =
    Relation { parameter: "threshold", rule: THRESHOLD_RULE, holds: |p| p.get("threshold") <= p.get("entries") };

pub const ROOM_FOR_REFILL: Relation = Relation {
    parameter: "entries",
    rule: "at least 2 * (32 / lanes + 2): a refill and two more a side",
    holds: |p| p.get("entries") / 2 >= LINE_IDS as u64 / p.get("lanes") + 2,
};

pub const FEW_BANKS_RULE: &str = "a power of two, at most 64 / lanes, with global sorting";

/// Global sorting is a redistribution unit for the banks of all cores.
pub const FEW_BANKS: Relation = Relation {
    parameter: "cores",
    rule: FEW_BANKS_RULE,
    holds: |p| p.get("cores").is_power_of_two() && p.get("cores") * p.get("lanes") <= MAX_BANKS as u64,
};

pub const FEW_BANKS_IF_GLOBAL: Relation = Relation {
    parameter: "cores",
    rule: FEW_BANKS_RULE,
    holds: |p| p.get("scheme") != Scheme::Gsorting as u64 || (FEW_BANKS.holds)(p),
};

/// The paper's core, banks of fewer and of more entries, twice the lanes, and a small one that tests fill quickly.
pub const SHIPPED_WRUS: &[&[u64]] =
    &[&[4, 32, 5, 10], &[16, 8, 5, 10], &[16, 32, 5, 10], &[16, 128, 5, 10], &[32, 32, 5, 10]];

pub static UNITS: &[&Unit] =
    &[&BANK, &WRU_THRESHOLD, &WRU_SORTING, &WRU_GLOBAL, &HVU, &HVU_BINS, &ICRN, &HWWL_CORE, &HWWL];

pub static BANK: Unit = Unit {
    name: "bank",
    description: "a lane's worklist: FIFO of work IDs, single- or double-buffered",
    timing: "latency 1 cycle; one access a cycle",
    paper: HWWL_III_B,
    parameters: &[ENTRIES, LANES],
    relations: &[],
    shipped: &[&[8, 16], &[32, 16], &[128, 16], &[1024, 16], &[32, 4]],
};

pub static WRU_THRESHOLD: Unit = Unit {
    name: "wru_threshold",
    description: "threshold work redistribution unit",
    timing: "an event without conflicts takes 7 cycles; one ID for each pair and interval",
    paper: HWWL_III_C,
    parameters: &[LANES, ENTRIES, THRESHOLD, INTERVAL],
    relations: &[THRESHOLD_WITHIN_BANK],
    shipped: SHIPPED_WRUS,
};

pub static WRU_SORTING: Unit = Unit {
    name: "wru_sorting",
    description: "local sorting work redistribution unit",
    timing: "an event without conflicts takes 5 cycles and those of the sorter; one ID for each pair and interval",
    paper: HWWL_III_C,
    parameters: &[LANES, ENTRIES, THRESHOLD, INTERVAL],
    relations: &[THRESHOLD_WITHIN_BANK],
    shipped: SHIPPED_WRUS,
};

pub static WRU_GLOBAL: Unit = Unit {
    name: "wru_global",
    description: "global sorting work redistribution unit: the banks of all cores in one",
    timing: "an event without conflicts takes 5 cycles and those of the sorter; one ID for each pair and interval",
    paper: HWWL_III_C,
    parameters: &[CORES, LANES, ENTRIES, THRESHOLD, INTERVAL],
    relations: &[THRESHOLD_WITHIN_BANK, FEW_BANKS],
    shipped: &[&[2, 4, 32, 5, 10], &[4, 16, 32, 5, 10]],
};

pub static HVU: Unit = Unit {
    name: "hvu",
    description: "virtualization unit: spills IDs of full banks to memory and brings them back, a line at a time",
    timing: "1 cycle from a full line to its store, 1 cycle from a line that comes back to its first fill; one ID a cycle into a line",
    paper: HWWL_III_D,
    parameters: &[LANES, REFILL, REFILL_INTERVAL],
    relations: &[],
    shipped: &[&[4, 0, 10], &[16, 0, 10], &[16, 1, 10], &[32, 0, 10]],
};

pub static HVU_BINS: Unit = Unit {
    name: "hvu_bins",
    description: "virtualization unit whose spilled IDs gather in 64 bins before they become a line",
    timing: "2 cycles from an ID that leaves its bin to the line; one ID a cycle into bins and one out of them",
    paper: HWWL_III_D,
    parameters: &[LANES, REFILL, REFILL_INTERVAL],
    relations: &[],
    shipped: &[&[4, 0, 10], &[16, 0, 10], &[16, 1, 10]],
};

pub static ICRN: Unit = Unit {
    name: "icrn",
    description: "network between cores: the hub of a tree",
    timing: "latency 2 cycles; one ID a cycle in all",
    paper: HWWL_III_C,
    parameters: &[CORES],
    relations: &[],
    shipped: &[&[2], &[4], &[8], &[16]],
};

pub static HWWL_CORE: Unit = Unit {
    name: "hwwl_core",
    description: "worklist of one core: a bank per lane, redistribution and virtualization",
    timing: "latency of a pull 1 cycle; one pull or push of all lanes a cycle while push_ready",
    paper: HWWL_III_B,
    parameters: &[LANES, ENTRIES, SCHEME, THRESHOLD, INTERVAL, REFILL, REFILL_INTERVAL, BINS],
    relations: &[THRESHOLD_WITHIN_BANK, ROOM_FOR_REFILL],
    shipped: &[
        &[4, 32, 0, 5, 10, 0, 10, 0],
        &[4, 32, 1, 5, 10, 0, 10, 0],
        &[4, 32, 2, 5, 10, 0, 10, 0],
        &[4, 32, 2, 5, 10, 1, 10, 0],
        &[4, 32, 3, 5, 10, 0, 10, 0],
        &[16, 32, 0, 5, 10, 0, 10, 0],
        &[16, 32, 1, 5, 10, 0, 10, 0],
        &[16, 32, 2, 5, 10, 0, 10, 0],
        &[16, 32, 2, 5, 10, 1, 10, 0],
        &[16, 32, 2, 5, 10, 0, 10, 64],
        &[16, 32, 3, 5, 10, 0, 10, 0],
        &[16, 8, 2, 5, 10, 0, 10, 0],
        &[16, 128, 2, 5, 10, 0, 10, 0],
        &[32, 32, 2, 5, 10, 0, 10, 0],
    ],
};

pub static HWWL: Unit = Unit {
    name: "hwwl",
    description: "the whole worklist: all cores and the network between them",
    timing: "latency of a pull 1 cycle; for each core, one pull or push of all lanes a cycle while push_ready",
    paper: HWWL_III_B,
    parameters: &[CORES, LANES, ENTRIES, SCHEME, THRESHOLD, INTERVAL, REFILL, REFILL_INTERVAL, BINS],
    relations: &[THRESHOLD_WITHIN_BANK, ROOM_FOR_REFILL, FEW_BANKS_IF_GLOBAL],
    shipped: &[
        &[2, 4, 32, 0, 5, 10, 0, 10, 0],
        &[2, 4, 32, 1, 5, 10, 0, 10, 0],
        &[2, 4, 32, 2, 5, 10, 0, 10, 0],
        &[2, 4, 32, 2, 5, 10, 1, 10, 0],
        &[2, 4, 32, 3, 5, 10, 0, 10, 0],
        &[4, 16, 32, 0, 5, 10, 0, 10, 0],
        &[4, 16, 32, 1, 5, 10, 0, 10, 0],
        &[4, 16, 32, 2, 5, 10, 0, 10, 0],
        &[4, 16, 32, 3, 5, 10, 0, 10, 0],
        &[4, 16, 32, 2, 5, 10, 0, 10, 64],
    ],
};
