//! What a figure shows of a cell, that is of a workload on a graph: a number, of most measures beside the yardstick's.

use super::store::Numbers;
use sim::workload::Workload;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Speedup,
    L1Accesses,
    L2Accesses,
    L2DemandAccesses,
    NetworkBytes,
    DramAccesses,
    RequestsPerAccess,
    Filtered,
    Repeated,
    WarpTime,
}

impl Kind {
    pub const ALL: [Kind; 10] = [
        Kind::Speedup,
        Kind::L1Accesses,
        Kind::L2Accesses,
        Kind::L2DemandAccesses,
        Kind::NetworkBytes,
        Kind::DramAccesses,
        Kind::RequestsPerAccess,
        Kind::Filtered,
        Kind::Repeated,
        Kind::WarpTime,
    ];

    /// As in plans.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Speedup => "speedup",
            Kind::L1Accesses => "l1_accesses",
            Kind::L2Accesses => "l2_accesses",
            Kind::L2DemandAccesses => "l2_demand_accesses",
            Kind::NetworkBytes => "network_bytes",
            Kind::DramAccesses => "dram_accesses",
            Kind::RequestsPerAccess => "requests_per_access",
            Kind::Filtered => "filtered",
            Kind::Repeated => "repeated",
            Kind::WarpTime => "warp_time",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Kind::Speedup => "speedup over the yardstick",
            Kind::L1Accesses => "accesses to L1 data caches",
            Kind::L2Accesses => "accesses to the L2, prefetches of the reorder units among them",
            Kind::L2DemandAccesses => "accesses to the L2 without prefetches of the reorder units",
            Kind::NetworkBytes => "traffic between cores and memory partitions, both ways",
            Kind::DramAccesses => "reads and writes of main memory",
            Kind::RequestsPerAccess => "requests that a memory access of a warp becomes",
            Kind::Filtered => "elements merged by the reorder units",
            Kind::Repeated => "elements whose index one before them has: so many could be merged",
            Kind::WarpTime => "average time of a warp",
        }
    }

    /// Of the vertical axis, and of all numbers.
    pub fn unit(self) -> &'static str {
        match self {
            Kind::Speedup => "speedup",
            Kind::RequestsPerAccess => "requests an access",
            Kind::Filtered | Kind::Repeated => "% of the elements",
            Kind::WarpTime => "% of the yardstick's time",
            _ => "% of the yardstick's",
        }
    }

    /// What a cell has that is no better than the yardstick.
    pub fn even(self) -> Option<f64> {
        match self {
            Kind::Speedup => Some(1.0),
            Kind::RequestsPerAccess | Kind::Filtered | Kind::Repeated => None,
            _ => Some(100.0),
        }
    }

    /// The yardstick has a bar of its own.
    pub fn shows_yardstick(self) -> bool {
        matches!(self, Kind::RequestsPerAccess | Kind::WarpTime)
    }

    /// On an axis.
    pub fn tick(self, value: f64) -> String {
        match self {
            Kind::Speedup | Kind::RequestsPerAccess => format!("{value:.1}"),
            _ => format!("{value:.0}"),
        }
    }

    /// In a table.
    pub fn shown(self, value: f64) -> String {
        match self {
            Kind::Speedup | Kind::RequestsPerAccess => format!("{value:.2}"),
            _ => format!("{value:.1} %"),
        }
    }
}

/// A measure of a plan.
#[derive(Debug)]
pub struct Measure {
    pub kind: Kind,
    pub workloads: Vec<&'static Workload>,
    /// Whose warps count, for [`Kind::WarpTime`].
    pub kernels: Vec<String>,
}

/// A bar of the figure, in the unit of its measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    pub whole: f64,
    /// Of the time of a warp: the part until its first load is served.
    pub until: Option<f64>,
}

impl From<f64> for Bar {
    fn from(whole: f64) -> Bar {
        Bar { whole, until: None }
    }
}

/// `None` if there is nothing to divide by.
fn quotient(a: u64, b: u64) -> Option<f64> {
    (b != 0).then(|| a as f64 / b as f64)
}

impl Measure {
    /// Of a run; `None` if it has no such thing.
    pub fn bar(&self, own: &Numbers, yardstick: &Numbers) -> Option<Bar> {
        let beside = |count: fn(&Numbers) -> u64| quotient(count(own), count(yardstick)).map(|share| 100.0 * share);
        let value = match self.kind {
            Kind::Speedup => quotient(yardstick.cycles, own.cycles),
            Kind::L1Accesses => beside(|n| n.l1_accesses),
            Kind::L2Accesses => beside(|n| n.l2_accesses),
            Kind::L2DemandAccesses => beside(|n| n.l2_accesses - n.l2_prefetches),
            Kind::NetworkBytes => beside(|n| n.network_bytes),
            Kind::DramAccesses => beside(|n| n.dram_accesses),
            Kind::RequestsPerAccess => Some(own.requests_per_access),
            Kind::Filtered => quotient(own.merged, own.elements).map(|share| 100.0 * share),
            Kind::Repeated => quotient(own.repeated, own.elements).map(|share| 100.0 * share),
            Kind::WarpTime => return self.warp_time(own, yardstick),
        };
        value.map(Bar::from)
    }

    fn warp_time(&self, own: &Numbers, yardstick: &Numbers) -> Option<Bar> {
        let [own, yardstick] = [own, yardstick].map(|numbers| numbers.warp_time(&self.kernels));
        let unit = 100.0 / quotient(yardstick.cycles, yardstick.warps)?;
        let until = quotient(own.cycles_to_first_load, own.warps)? * unit;
        Some(Bar { whole: quotient(own.cycles, own.warps)? * unit, until: Some(until) })
    }
}
