//! The units of HWWL.

use super::parameters::*;
use super::pins::*;
use crate::parameter::{Relation, Values};
use crate::pin::Interface;
use crate::pins::interface;
use crate::unit::{Size, Sizes, Unit};

pub const HWWL_III_B: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014, III-B";

pub const HWWL_III_C: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014, III-C";

pub const HWWL_III_D: &str = "Kim and Batten, Fine-Grain Hardware Worklists, MICRO 2014, III-D";

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
    holds: |p| p.get("scheme") != Scheme::GlobalSorting as u64 || (FEW_BANKS.holds)(p),
};

/// The paper's core, banks of fewer and of more entries, twice the lanes, and a small one that tests fill quickly.
pub const SHIPPED_WRUS: &[&[u64]] =
    &[&[4, 32, 5, 10], &[16, 8, 5, 10], &[16, 32, 5, 10], &[16, 128, 5, 10], &[32, 32, 5, 10]];

/// The worklist cores whose areas are compared, lanes changing slowest.
pub const COMPARED_LANES: [u64; 2] = [16, 32];
pub const COMPARED_SCHEMES: [u64; 4] = [0, 1, 2, 3];
pub const COMPARED_ENTRIES: [u64; 3] = [8, 32, 128];

/// A core that stimulus fills quickly, and that tools take soon.
pub const FOUR_LANES: Size = &[("lanes", 4)];

pub const TWO_SMALL_CORES: Size = &[("cores", 2), ("lanes", 4)];

/// Small ones two cycles away from the ICRN.
pub const FAR: Size = &[("cores", 2), ("lanes", 4), ("link", 2)];

pub static UNITS: &[&Unit] = &[
    &BANK,
    &WRU_THRESHOLD,
    &WRU_SORTING,
    &WRU_SERIAL,
    &WRU_GLOBAL,
    &HVU,
    &HVU_BINS,
    &ICRN,
    &HWWL_CORE,
    &EDGE_EXPANDER,
    &HWWL,
];

pub static BANK: Unit = Unit {
    name: "bank",
    description: "a lane's worklist: FIFO of work IDs, single- or double-buffered",
    timing: "latency 1 cycle; one access a cycle",
    paper: HWWL_III_B,
    parameters: &[ENTRIES, LANES],
    relations: &[],
    shipped: &[&[8, 16], &[32, 16], &[128, 16], &[1024, 16], &[32, 4]],
    sizes: Sizes { campaign: &[&[("entries", 8)], &[("entries", 128)]], mutants: &[("entries", 8)], ..Sizes::DEFAULT },
    pins: |p| interface::<BankIn, BankOut, _>(p.get("entries") as usize),
};

pub static WRU_THRESHOLD: Unit = Unit {
    name: "wru_threshold",
    description: "threshold work redistribution unit",
    timing: "an event without conflicts takes 7 cycles; one ID for each pair and interval",
    paper: HWWL_III_C,
    parameters: &[LANES, ENTRIES, THRESHOLD, INTERVAL],
    relations: &[THRESHOLD_WITHIN_BANK],
    shipped: SHIPPED_WRUS,
    sizes: Sizes {
        campaign: &[FOUR_LANES, &[("lanes", 32)]],
        mutants: FOUR_LANES,
        mutant_count: 300,
        ..Sizes::DEFAULT
    },
    pins: |p| wru(p.get("lanes"), p),
};

pub static WRU_SORTING: Unit = Unit {
    name: "wru_sorting",
    description: "local sorting work redistribution unit",
    timing: "an event without conflicts takes 5 cycles and those of the sorter; one ID for each pair and interval",
    paper: HWWL_III_C,
    parameters: &[LANES, ENTRIES, THRESHOLD, INTERVAL],
    relations: &[THRESHOLD_WITHIN_BANK],
    shipped: SHIPPED_WRUS,
    sizes: Sizes {
        campaign: &[FOUR_LANES, &[("lanes", 32)]],
        mutants: FOUR_LANES,
        mutant_count: 300,
        ..Sizes::DEFAULT
    },
    pins: |p| wru(p.get("lanes"), p),
};

pub static WRU_SERIAL: Unit = Unit {
    name: "wru_serial",
    description: "serial work redistribution unit: one ID at a time, from the most occupied bank to the least occupied",
    timing: "3 cycles from the occupancies to a pop, 2 from there to the push; one ID every fourth cycle",
    paper: "-",
    parameters: &[LANES, ENTRIES, THRESHOLD],
    relations: &[THRESHOLD_WITHIN_BANK],
    shipped: &[&[4, 32, 5], &[16, 32, 5]],
    sizes: Sizes { campaign: &[FOUR_LANES], mutants: FOUR_LANES, mutant_count: 300, ..Sizes::DEFAULT },
    pins: |p| wru(p.get("lanes"), p),
};

pub static WRU_GLOBAL: Unit = Unit {
    name: "wru_global",
    description: "global sorting work redistribution unit: the banks of all cores in one",
    timing: "an event without conflicts takes 5 cycles and those of the sorter; one ID for each pair and interval",
    paper: HWWL_III_C,
    parameters: &[CORES, LANES, ENTRIES, THRESHOLD, INTERVAL],
    relations: &[THRESHOLD_WITHIN_BANK, FEW_BANKS],
    shipped: &[&[2, 4, 32, 5, 10], &[4, 16, 32, 5, 10]],
    sizes: Sizes {
        campaign: &[TWO_SMALL_CORES],
        mutants: TWO_SMALL_CORES,
        mutant_count: 300,
        gates: TWO_SMALL_CORES,
        ..Sizes::DEFAULT
    },
    pins: |p| wru(p.get("cores") * p.get("lanes"), p),
};

pub static HVU: Unit = Unit {
    name: "hvu",
    description: "virtualization unit: spills IDs of full banks to memory and brings them back, a line at a time",
    timing: "1 cycle from a full line to its store, 1 cycle from a line that comes back to its first fill; one ID a cycle into a line",
    paper: HWWL_III_D,
    parameters: &[LANES, REFILL, REFILL_INTERVAL],
    relations: &[],
    shipped: &[&[4, 0, 10], &[16, 0, 10], &[16, 1, 10], &[32, 0, 10]],
    sizes: Sizes { campaign: &[&[("refill", 1)], FOUR_LANES, &[("lanes", 4), ("refill", 1)]], mutants: FOUR_LANES, gates: FOUR_LANES, ..Sizes::DEFAULT },
    pins: |p| interface::<HvuIn, HvuOut, _>(p.get("lanes") as usize),
};

pub static HVU_BINS: Unit = Unit {
    name: "hvu_bins",
    description: "virtualization unit whose spilled IDs gather in 64 bins before they become a line",
    timing: "2 cycles from an ID that leaves its bin to the line; one ID a cycle into bins and one out of them",
    paper: HWWL_III_D,
    parameters: &[LANES, REFILL, REFILL_INTERVAL],
    relations: &[],
    shipped: &[&[4, 0, 10], &[16, 0, 10], &[16, 1, 10]],
    sizes: Sizes {
        campaign: &[&[("refill", 1)], FOUR_LANES],
        mutants: FOUR_LANES,
        mutant_count: 100,
        gates: FOUR_LANES,
        ..Sizes::DEFAULT
    },
    pins: |p| interface::<HvuIn, HvuOut, _>(p.get("lanes") as usize),
};

pub static ICRN: Unit = Unit {
    name: "icrn",
    description: "network between cores: the hub of a tree",
    timing: "latency 2 cycles; one ID a cycle in all",
    paper: HWWL_III_C,
    parameters: &[CORES],
    relations: &[],
    shipped: &[&[2], &[4], &[8], &[16]],
    sizes: Sizes {
        campaign: &[&[("cores", 2)], &[("cores", 8)], &[("cores", 16)]],
        mutant_count: 300,
        ..Sizes::DEFAULT
    },
    pins: |p| interface::<IcrnIn, IcrnOut, _>(p.get("cores") as usize),
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
        &[4, 32, 4, 5, 10, 0, 10, 0],
        &[16, 32, 0, 5, 10, 0, 10, 0],
        &[16, 32, 1, 5, 10, 0, 10, 0],
        &[16, 32, 2, 5, 10, 0, 10, 0],
        &[16, 32, 2, 5, 10, 1, 10, 0],
        &[16, 32, 2, 5, 10, 0, 10, 64],
        &[16, 32, 3, 5, 10, 0, 10, 0],
        &[16, 32, 4, 5, 10, 0, 10, 0],
        &[16, 8, 2, 5, 10, 0, 10, 0],
        &[16, 128, 2, 5, 10, 0, 10, 0],
        &[32, 32, 2, 5, 10, 0, 10, 0],
    ],
    sizes: Sizes {
        campaign: &[
            &[("lanes", 4), ("scheme", 0), ("refill", 0)],
            &[("lanes", 4), ("scheme", 0), ("refill", 1)],
            &[("lanes", 4), ("scheme", 1), ("refill", 0)],
            &[("lanes", 4), ("scheme", 1), ("refill", 1)],
            &[("lanes", 4), ("scheme", 2), ("refill", 0)],
            &[("lanes", 4), ("scheme", 2), ("refill", 1)],
            &[("lanes", 4), ("scheme", 3), ("refill", 0)],
            &[("lanes", 4), ("scheme", 3), ("refill", 1)],
            &[("lanes", 4), ("scheme", 4), ("refill", 0)],
            &[("lanes", 4), ("scheme", 4), ("refill", 1)],
            &[("scheme", 0)],
            &[("scheme", 1)],
            &[("scheme", 3)],
            &[("scheme", 4)],
            &[("refill", 1)],
            &[("bins", 64)],
        ],
        mutants: FOUR_LANES,
        mutant_count: 100,
        gates: FOUR_LANES,
        ..Sizes::DEFAULT
    },
    pins: |p| core(&Parameters::of(&p.0)),
};

pub static HWWL: Unit = Unit {
    name: "hwwl",
    description: "the whole worklist: all cores and the network between them",
    timing: "latency of a pull 1 cycle; for each core, one pull or push of all lanes a cycle while push_ready",
    paper: HWWL_III_B,
    parameters: &[CORES, LANES, ENTRIES, SCHEME, THRESHOLD, INTERVAL, REFILL, REFILL_INTERVAL, BINS, LINK],
    relations: &[THRESHOLD_WITHIN_BANK, ROOM_FOR_REFILL, FEW_BANKS_IF_GLOBAL],
    shipped: &[
        &[2, 4, 32, 0, 5, 10, 0, 10, 0, 0],
        &[2, 4, 32, 1, 5, 10, 0, 10, 0, 0],
        &[2, 4, 32, 2, 5, 10, 0, 10, 0, 0],
        &[2, 4, 32, 2, 5, 10, 1, 10, 0, 0],
        &[2, 4, 32, 3, 5, 10, 0, 10, 0, 0],
        &[2, 4, 32, 4, 5, 10, 0, 10, 0, 0],
        &[4, 16, 32, 0, 5, 10, 0, 10, 0, 0],
        &[4, 16, 32, 1, 5, 10, 0, 10, 0, 0],
        &[4, 16, 32, 2, 5, 10, 0, 10, 0, 0],
        &[4, 16, 32, 3, 5, 10, 0, 10, 0, 0],
        &[4, 16, 32, 4, 5, 10, 0, 10, 0, 0],
        &[4, 16, 32, 2, 5, 10, 0, 10, 64, 0],
        &[2, 4, 32, 2, 5, 10, 0, 10, 0, 2],
        &[4, 16, 32, 2, 5, 10, 0, 10, 0, 2],
    ],
    sizes: Sizes {
        campaign: &[
            &[("cores", 2), ("lanes", 4), ("scheme", 0)],
            &[("cores", 2), ("lanes", 4), ("scheme", 1)],
            &[("cores", 2), ("lanes", 4), ("scheme", 2)],
            &[("cores", 2), ("lanes", 4), ("scheme", 3)],
            &[("cores", 2), ("lanes", 4), ("scheme", 4)],
            &[("cores", 2), ("lanes", 4), ("refill", 1)],
            &[("scheme", 0)],
            &[("scheme", 1)],
            &[("scheme", 3)],
            &[("scheme", 4)],
            &[("bins", 64)],
            &[("link", 2)],
            FAR,
        ],
        mutants: TWO_SMALL_CORES,
        mutant_count: 100,
        gates: TWO_SMALL_CORES,
        ..Sizes::DEFAULT
    },
    pins: |p| interface::<HwwlIn, HwwlOut, _>(&Parameters::of(&p.0)),
};

pub static EDGE_EXPANDER: Unit = Unit {
    name: "edge_expander",
    description: "hands out the edges of a core's work IDs, which are nodes, to its lanes",
    timing: "2 cycles from a pull to its edges if the row is there; a pass of all lanes every two cycles",
    paper: "-",
    parameters: &[LANES, NODES],
    relations: &[],
    shipped: &[&[4, 4], &[16, 16]],
    sizes: Sizes {
        campaign: &[&[("lanes", 4), ("nodes", 4)]],
        mutants: &[("lanes", 4), ("nodes", 4)],
        mutant_count: 100,
        ..Sizes::DEFAULT
    },
    pins: |p| interface::<ExpanderIn, ExpanderOut, _>((p.get("lanes") as usize, p.get("nodes") as usize)),
};

fn wru(banks: u64, p: &Values) -> Interface {
    interface::<WruIn, WruOut, _>((banks as usize, p.get("entries") as usize))
}

fn core(p: &Parameters) -> Interface {
    match p.scheme {
        Scheme::GlobalSorting => interface::<ExternalCoreIn, ExternalCoreOut, _>((p.lanes, p.entries)),
        _ => interface::<CoreIn, CoreOut, _>(p.lanes),
    }
}
