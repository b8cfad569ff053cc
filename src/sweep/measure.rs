//! Values in a figure per cell, that is per workload and input: a number, for most measures relative to the baseline's,
//! or the shares of a whole.

use super::energy;
use super::numbers::Numbers;
use super::work::Workload;

/// The kinds of measures, in their order: name in plans, title, and columns of `runs.csv` that they are made of beside the cycles.
macro_rules! kinds {
    ($($kind:ident $name:literal $title:literal [$($column:literal)*])*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind {
            $($kind),*
        }

        impl Kind {
            pub const ALL: &[Kind] = &[$(Kind::$kind),*];

            /// The measure's name in a plan.
            pub fn name(self) -> &'static str {
                match self {
                    $(Kind::$kind => $name),*
                }
            }

            pub fn title(self) -> &'static str {
                match self {
                    $(Kind::$kind => $title),*
                }
            }

            /// Columns of `runs.csv` that the measure is made of, beside the cycles.
            pub fn columns(self) -> &'static [&'static str] {
                match self {
                    $(Kind::$kind => &[$($column),*]),*
                }
            }
        }
    };
}

kinds! {
    Speedup "speedup" "speedup over the baseline" []
    L1Accesses "l1_accesses" "accesses to L1 data caches" ["l1_accesses"]
    L2Accesses "l2_accesses" "accesses to the L2, prefetches of the reorder units among them" ["l2_accesses"]
    L2DemandAccesses "l2_demand_accesses" "accesses to the L2 without prefetches of the reorder units" ["l2_accesses" "l2_prefetches"]
    NetworkBytes "network_bytes" "traffic between cores and memory partitions, both ways" ["network_bytes"]
    DramAccesses "dram_accesses" "reads and writes of main memory" ["dram_accesses"]
    RequestsPerAccess "requests_per_access" "requests that a memory access of a warp becomes" ["requests_per_access"]
    Filtered "filtered" "elements merged by the reorder units" ["elements" "merged"]
    Repeated "repeated" "elements whose index one before them has: so many could be merged" ["elements" "repeated"]
    WarpTime "warp_time" "average time of a warp" ["warps" "warp_cycles" "warp_cycles_to_first_load"]
    L2Misses "l2_misses" "misses of the L2" ["l2_misses"]
    MemoryRequests "memory_requests" "requests to memory" ["memory_requests"]
    Fetches "fetches" "fetches of instructions" ["fetches"]
    Decodes "decodes" "instructions decoded" ["decodes"]
    Redundant "redundant" "instructions that one lane could execute for its warp" ["warp_instructions" "warp_instructions_scalar"]
    ActiveLanes "active_lanes" "active lanes of what is issued" ["active_lanes"]
    IssuableWarps "issuable_warps" "warps of a core that could issue" ["issuable_warps"]
    IssuableScalars "issuable_scalars" "scalar instructions of a core that could issue" ["issuable_scalars"]
    WaveMembers "wave_members" "members of scalar waves" ["wave_members"]
    IssuedAs "issued_as" "what schedulers issue" ["issued_as"]
    Ipc "ipc" "instructions of threads a cycle" ["thread_instructions"]
    WarpIpc "warp_ipc" "instructions of warps a cycle" ["warp_instructions"]
    Instructions "instructions" "instructions of threads" ["thread_instructions"]
    WarpInstructions "warp_instructions" "instructions of warps" ["warp_instructions"]
    MemoryStalls "memory_stalls" "issue slots lost to memory" ["memory_stall_slots"]
    Waits "waits" "pulls that are told to wait" ["waits"]
    L1MissRate "l1_miss_rate" "misses of L1 data caches" ["l1_accesses" "l1_misses"]
    Energy "energy" "energy of all events" ["thread_instructions" "l1_accesses" "l2_accesses" "network_bytes" "dram_accesses" "elements"]
    IruEnergy "iru_energy" "energy of the reorder units" ["thread_instructions" "l1_accesses" "l2_accesses" "network_bytes" "dram_accesses" "elements"]
}

impl Kind {
    /// The names of the shares, from the least; empty for a measure without shares.
    pub fn parts(self) -> &'static [&'static str] {
        match self {
            Kind::ActiveLanes => &["1-4", "5-8", "9-16", "17-24", "25-32"],
            Kind::IssuableWarps | Kind::IssuableScalars => &["0", "1", "2-4", "5-8", "9-16", ">16"],
            Kind::WaveMembers => &["1", "2-4", "5-8", "9-16"],
            Kind::IssuedAs => &["pair", "half a pair", "wave"],
            _ => &[],
        }
    }

    /// Only Graph-Waving's front end has such a thing.
    pub fn needs_gw(self) -> bool {
        matches!(self, Kind::IssuableWarps | Kind::IssuableScalars | Kind::WaveMembers | Kind::IssuedAs)
    }

    /// The unit of the vertical axis and of all numbers.
    pub fn unit(self) -> &'static str {
        match self {
            Kind::Speedup => "speedup",
            Kind::Ipc | Kind::WarpIpc => "times the baseline's",
            Kind::RequestsPerAccess => "requests an access",
            Kind::Filtered | Kind::Repeated => "% of the elements",
            Kind::WarpTime => "% of the baseline's time",
            Kind::Redundant => "% of the warp instructions",
            Kind::L1MissRate => "% of the accesses",
            Kind::IruEnergy => "% of the energy",
            Kind::ActiveLanes => "% of the issue slots used",
            Kind::IssuableWarps | Kind::IssuableScalars => "% of the cycles",
            Kind::WaveMembers => "% of the waves",
            Kind::IssuedAs => "% of the issue slots used",
            _ => "% of the baseline's",
        }
    }

    /// A multiple of the baseline's, not a part in per cent.
    fn is_multiple(self) -> bool {
        matches!(self, Kind::Speedup | Kind::Ipc | Kind::WarpIpc)
    }

    /// The value of a cell that is no better than the baseline.
    pub fn even(self) -> Option<f64> {
        match self {
            _ if self.is_multiple() => Some(1.0),
            Kind::RequestsPerAccess
            | Kind::Filtered
            | Kind::Repeated
            | Kind::Redundant
            | Kind::L1MissRate
            | Kind::IruEnergy => None,
            _ if !self.parts().is_empty() => None,
            _ => Some(100.0),
        }
    }

    /// The baseline has a bar of its own.
    pub fn shows_baseline(self) -> bool {
        matches!(
            self,
            Kind::RequestsPerAccess | Kind::WarpTime | Kind::Redundant | Kind::ActiveLanes | Kind::L1MissRate
        )
    }

    /// Something beside the baseline's, of which the geometric mean says how it compares.
    pub fn is_ratio(self) -> bool {
        self.even().is_some() && self != Kind::WarpTime
    }

    /// Parts of a bar, from below; empty for a bar of one part.
    pub fn stacked(self) -> &'static [&'static str] {
        match self {
            Kind::WarpTime => &["until its first load is served", "after it"],
            _ => self.parts(),
        }
    }

    /// Beside a bar.
    pub fn label(self, value: f64) -> String {
        match self {
            Kind::RequestsPerAccess => format!("{value:.2}"),
            _ if self.is_multiple() => format!("{value:.2}"),
            _ if value >= 9.95 => format!("{value:.0}"),
            _ if value >= 0.095 || value == 0.0 => format!("{value:.1}"),
            _ => format!("{value:.2}"),
        }
    }

    /// In a table.
    pub fn shown(self, value: f64) -> String {
        match self {
            Kind::RequestsPerAccess => format!("{value:.2}"),
            _ if self.is_multiple() => format!("{value:.2}"),
            _ => format!("{value:.1} %"),
        }
    }

    /// A bar as text, with its parts.
    pub fn shown_bar(self, bar: &Bar) -> String {
        match &bar.parts[..] {
            [until, after] if self == Kind::WarpTime => {
                format!("{} ({} + {})", self.shown(bar.whole()), self.shown(*until), self.shown(*after))
            }
            parts if !self.parts().is_empty() => {
                format!("{} %", parts.iter().map(|part| format!("{part:.1}")).collect::<Vec<_>>().join(" / "))
            }
            _ => self.shown(bar.whole()),
        }
    }
}

/// A measure of a plan.
#[derive(Debug)]
pub struct Measure {
    pub kind: Kind,
    pub workloads: Vec<Workload>,
    /// Whose warps count, for [`Kind::WarpTime`].
    pub kernels: Vec<String>,
}

/// A bar of the figure, in the unit of its measure: its parts, from below. The time of a warp has that until its first load is served
/// and that after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    pub parts: Vec<f64>,
}

impl From<f64> for Bar {
    fn from(whole: f64) -> Bar {
        Bar { parts: vec![whole] }
    }
}

impl Bar {
    pub fn whole(&self) -> f64 {
        self.parts.iter().sum()
    }
}

/// `None` if there is nothing to divide by.
fn quotient(a: u64, b: u64) -> Option<f64> {
    (b != 0).then(|| a as f64 / b as f64)
}

fn percent(a: u64, b: u64) -> Option<f64> {
    quotient(a, b).map(|share| 100.0 * share)
}

/// The counts as shares of their sum.
fn shares(counts: &[u64]) -> Option<Bar> {
    let sum = counts.iter().sum();
    let parts = counts.iter().map(|count| percent(*count, sum)).collect::<Option<_>>()?;
    Some(Bar { parts })
}

impl Measure {
    /// The bar of a run. `None` if the run does not have what this measures.
    pub fn bar(&self, own: &Numbers, baseline: &Numbers) -> Option<Bar> {
        let beside = |count: fn(&Numbers) -> u64| percent(count(own), count(baseline));
        let rate = |count: fn(&Numbers) -> u64| {
            Some(quotient(count(own), own.cycles)? / quotient(count(baseline), baseline.cycles)?)
        };
        let value = match self.kind {
            Kind::Ipc => rate(|n| n.thread_instructions),
            Kind::WarpIpc => rate(|n| n.warp_instructions),
            Kind::Speedup => quotient(baseline.cycles, own.cycles),
            Kind::L1Accesses => beside(|n| n.l1_accesses),
            Kind::L2Accesses => beside(|n| n.l2_accesses),
            Kind::L2DemandAccesses => beside(|n| n.l2_accesses - n.l2_prefetches),
            Kind::L2Misses => beside(|n| n.l2_misses),
            Kind::NetworkBytes => beside(|n| n.network_bytes),
            Kind::DramAccesses => beside(|n| n.dram_accesses),
            Kind::MemoryRequests => beside(|n| n.memory_requests),
            Kind::Instructions => beside(|n| n.thread_instructions),
            Kind::WarpInstructions => beside(|n| n.warp_instructions),
            Kind::MemoryStalls => beside(|n| n.memory_stall_slots),
            Kind::Waits => beside(|n| n.waits),
            Kind::L1MissRate => percent(own.l1_misses, own.l1_accesses),
            Kind::Energy => Some(100.0 * energy::all(own) / energy::all(baseline)),
            Kind::IruEnergy => Some(100.0 * energy::reorder_units(own) / energy::all(own)),
            Kind::Fetches => beside(|n| n.fetches),
            Kind::Decodes => beside(|n| n.decodes),
            Kind::RequestsPerAccess => Some(own.requests_per_access),
            Kind::Filtered => percent(own.merged, own.elements),
            Kind::Repeated => percent(own.repeated, own.elements),
            Kind::Redundant => percent(own.warp_instructions_scalar, own.warp_instructions),
            Kind::WarpTime => return self.warp_time(own, baseline),
            Kind::ActiveLanes => return shares(&own.active_lanes),
            Kind::IssuableWarps => return shares(&own.issuable_warps),
            Kind::IssuableScalars => return shares(&own.issuable_scalars),
            Kind::WaveMembers => return shares(&own.wave_members),
            Kind::IssuedAs => return shares(&own.issued_as),
        };
        value.map(Bar::from)
    }

    fn warp_time(&self, own: &Numbers, baseline: &Numbers) -> Option<Bar> {
        let [own, baseline] = [own, baseline].map(|numbers| numbers.warp_time(&self.kernels));
        let unit = 100.0 / quotient(baseline.cycles, baseline.warps)?;
        let until = quotient(own.cycles_to_first_load, own.warps)? * unit;
        let whole = quotient(own.cycles, own.warps)? * unit;
        Some(Bar { parts: vec![until, whole - until] })
    }
}
