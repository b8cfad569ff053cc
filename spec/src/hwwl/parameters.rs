//! Parameters of the worklist.

use super::limits::{LINE_IDS, MAX_CORES};
use crate::parameter::Parameter;
use crate::{choice, parameters};

choice! {
    /// Moves of work between banks (III-C).
    Scheme {
        /// Not at all.
        None = "none",
        /// From banks above the threshold to banks below it, within a core; what is too much goes to another core.
        Threshold = "threshold",
        /// From the most occupied banks to the least occupied, within a core; what is too much goes to another core.
        LocalSorting = "lsorting",
        /// From the most occupied banks of all cores to the least occupied.
        GlobalSorting = "gsorting",
        /// One ID at a time from the most occupied bank to the least occupied, within a core; what is too much goes to another core.
        Serial = "serial",
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

pub const ENTRIES: Parameter = Parameter::new("entries", "work IDs that a bank holds", 32)
    .must_be("a power of two from 4 to 65536", |v| v.is_power_of_two() && (4..=65536).contains(&v));

pub const LANES: Parameter = Parameter::new("lanes", "lanes of the core, a bank each", 16)
    .must_be("a power of two from 4 to 32", |v| v.is_power_of_two() && (4..=32).contains(&v));

pub const CORES: Parameter =
    Parameter::new("cores", "cores that share work", 4).must_be("from 1 to 16", |v| (1..=16).contains(&v));

pub const SCHEME: Parameter = Parameter::new(
    "scheme",
    "work redistribution: 0 none, 1 threshold, 2 local sorting, 3 global sorting, 4 serial",
    2,
)
.must_be("0 (none), 1 (threshold), 2 (local sorting), 3 (global sorting) or 4 (serial)", |v| {
    v < Scheme::ALL.len() as u64
});

pub const REFILL: Parameter = Parameter::new("refill", "when IDs come back from memory: 0 interval, 1 demand", 0)
    .must_be("0 (interval) or 1 (demand)", |v| v < Refill::ALL.len() as u64);

pub const REFILL_INTERVAL: Parameter = Parameter::new("refill_interval", "cycles between refills", 10)
    .must_be("from 2 to 65536", |v| (2..=65536).contains(&v));

pub const BINS: Parameter =
    Parameter::new("bins", "bins in which spilled IDs gather, or none", 0).must_be("0 or 64", |v| v == 0 || v == 64);

pub const THRESHOLD: Parameter =
    Parameter::new("threshold", "work IDs below which a lane is in need", 5).must_be(THRESHOLD_RULE, |v| v >= 1);

pub const INTERVAL: Parameter = Parameter::new("interval", "cycles between redistribution events", 10)
    .must_be("even and from 10 to 65536", |v| v % 2 == 0 && (10..=65536).contains(&v));

pub const LINK: Parameter =
    Parameter::new("link", "cycles of the way between a core and the ICRN; 0: none but wires", 0)
        .must_be("from 0 to 8", |v| v <= 8);

pub const NODES: Parameter = Parameter::new("nodes", "nodes whose rows the expander reads ahead", 16)
    .must_be("a power of two from 4 to 64", |v| v.is_power_of_two() && (4..=64).contains(&v));

/// [`NODES`], or none.
pub const EXPANDER_RULE: &str = "0 or a power of two from 4 to 64";

pub const THRESHOLD_RULE: &str = "from 1 to entries: a bank never holds more";

parameters! {
    /// The default is the paper's (Table IV, IV-C).
    Parameters {
        /// Banks of a core, one a lane.
        lanes: usize = LANES,
        cores: usize = CORES,
        /// IDs that a bank holds.
        entries: usize = ENTRIES,
        /// A bank with fewer IDs on its pull side takes from others.
        threshold: u32 = THRESHOLD,
        /// Cycles between two redistributions.
        interval: u32 = INTERVAL,
        scheme: Scheme = SCHEME,
        refill: Refill = REFILL,
        /// Cycles between two checks whether a refill is possible.
        refill_interval: u32 = REFILL_INTERVAL,
        /// Bins in which spilled IDs gather before they become lines, or 0.
        bins: usize = BINS,
        /// Cycles of the way between a core and the ICRN.
        link: usize = LINK,
    }
}

impl Parameters {
    /// Words of a line that belong to each bank.
    pub fn refill_words(&self) -> usize {
        LINE_IDS / self.lanes
    }
}

/// Bits that count the IDs between the cores: of each of 16, three in the ICRN and as many as its links have credits.
pub const fn held_bits(link: usize) -> u32 {
    if link == 0 {
        return 7;
    }
    let credits = (2 * link + 3).next_power_of_two();
    (MAX_CORES * (3 + 2 * credits)).ilog2() + 1
}
