//! The counters of a run that figures are made of.

use crate::simulate::Simulated;
use anyhow::{ensure, Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::{json, Value};
use sim::attach::hwwl::timeline::ActiveThreads;
use sim::attach::hwwl::WorklistStats;
use sim::attach::iru::ReorderStats;
use sim::stats::Stats;
use sim::workload::Step;
use std::collections::BTreeMap;
use std::ops::{AddAssign, RangeInclusive};

/// Declares the counters, in lists. Each is a column of `runs.csv`: name, type, and what it is in the statistics of a run.
macro_rules! counters {
    ($stats:ident: $($(#[$list_doc:meta])* $list:ident {
        $($(#[$doc:meta])* $name:ident: $type:ty = $from:expr;)*
    })*) => {
        $($(#[$list_doc])* pub const $list: &[&str] = &[$(stringify!($name)),*];)*

        /// The numbers of a run that a figure needs.
        #[derive(Clone, Debug, Default, Serialize, Deserialize)]
        pub struct Numbers {
            pub cycles: u64,
            $($($(#[$doc])* pub $name: $type,)*)*
            /// Times per kernel, all launches together.
            pub warp_times: BTreeMap<String, WarpTime>,
            pub active_threads: Option<ActiveThreads>,
            /// The counters of the unit of the user's own.
            #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
            pub unit: BTreeMap<String, u64>,
        }

        impl Numbers {
            fn count($stats: &Stats) -> Self {
                Numbers { cycles: $stats.cycles, $($($name: $from,)*)* ..Numbers::default() }
            }

            /// The counter in a column; null if no counter has this name.
            pub fn value(&self, column: &str) -> Value {
                match column {
                    $($(stringify!($name) => json!(self.$name),)*)*
                    _ => Value::Null,
                }
            }

            /// The counters of a row, whose columns have these texts.
            ///
            /// # Errors
            /// A text that is not empty and not what the column holds.
            pub fn read<'a>(text: impl Fn(&str) -> &'a str) -> Result<Self> {
                Ok(Numbers {
                    cycles: read("cycles", text("cycles"))?,
                    $($($name: read(stringify!($name), text(stringify!($name)))?,)*)*
                    ..Numbers::default()
                })
            }
        }
    };
}

counters! {
    s:
    /// Counters of every row.
    COUNTERS {
        warp_instructions: u64 = s.core.warp_instructions;
        thread_instructions: u64 = s.core.thread_instructions;
        ids_pulled: u64 = s.of::<WorklistStats>().ids_pulled;
        /// Answers to pulls, in lanes, that told to wait.
        waits: u64 = s.of::<WorklistStats>().waits;
        /// Lines to and from the overflow buffers.
        spills: u64 = s.of::<WorklistStats>().spill_stores;
        refills: u64 = s.of::<WorklistStats>().refill_loads;
        /// Issue slots lost to an operand from memory, or to a full load-store unit.
        memory_stall_slots: u64 = s.core.issue.scoreboard_memory + s.core.issue.pipeline_memory;
        requests_per_access: f64 = s.requests_per_access();
    }
    /// Counters for measures other than the speedup, besides the time of a warp.
    MEASURED {
        l1_accesses: u64 = s.l1d.accesses;
        l1_misses: u64 = s.l1d.misses;
        /// In sectors, and those of them that reorder units asked for.
        l2_accesses: u64 = s.l2.cache.accesses;
        l2_prefetches: u64 = s.l2.prefetches;
        /// Bytes from cores to memory partitions and back.
        network_bytes: u64 = s.requests.bytes + s.replies.bytes;
        dram_accesses: u64 = s.dram.reads + s.dram.writes;
        /// Elements that the IRU was given; `merged`: elements that it merged into equal ones.
        elements: u64 = s.of::<ReorderStats>().elements;
        merged: u64 = s.of::<ReorderStats>().merged;
        /// Elements whose index one before them in the same launch has.
        repeated: u64 = s.of::<ReorderStats>().repeated;
        l2_misses: u64 = s.l2.cache.misses;
        memory_requests: u64 = s.core.memory_requests;
        /// Warp instructions that one lane could execute for its warp.
        warp_instructions_scalar: u64 = s.core.scalar_instructions;
        fetches: u64 = s.core.fetches;
        decodes: u64 = s.core.decodes;
    }
    /// Counts by part, a list for each measure of shares.
    PARTS {
        /// Warp instructions by their active lanes: 1 to 4, 5 to 8, 9 to 16, 17 to 24, 25 to 32.
        active_lanes: [u64; 5] = [1..=4, 5..=8, 9..=16, 17..=24, 25..=32].map(|n| sum(&s.core.issued_by_active_lanes, 1, n));
        /// Cycles by issuable warps of Graph-Waving's front end, as in [`sim::stats::CoreStats`].
        issuable_warps: [u64; 6] = s.core.issuable_warps;
        issuable_scalars: [u64; 6] = s.core.issuable_scalars;
        /// Waves by their members: 1, 2 to 4, 5 to 8, 9 to 16.
        wave_members: [u64; 4] = [1..=1, 2..=4, 5..=8, 9..=16].map(|n| sum(&s.core.waves_by_members, 0, n));
        /// Pairs, halves, waves.
        issued_as: [u64; 3] = [s.core.pairs_issued, s.core.halves_issued, s.core.waves_by_members.iter().sum()];
    }
}

/// The sum of the counts in the range; the first count is that of `first`.
fn sum(counts: &[u64], first: usize, range: RangeInclusive<usize>) -> u64 {
    counts[range.start() - first..=range.end() - first].iter().sum()
}

/// The value of a column.
pub trait Cell: Sized {
    fn read(text: &str) -> Result<Self>;
}

impl Cell for u64 {
    fn read(text: &str) -> Result<Self> {
        Ok(text.parse()?)
    }
}

impl Cell for f64 {
    fn read(text: &str) -> Result<Self> {
        text.parse().ok().filter(|value: &f64| value.is_finite()).context("must be a number")
    }
}

impl<const N: usize> Cell for [u64; N] {
    fn read(text: &str) -> Result<Self> {
        let counts = text.split_whitespace().map(str::parse).collect::<Result<Vec<u64>, _>>()?;
        counts.try_into().ok().with_context(|| format!("must be {N} numbers"))
    }
}

/// The text of a column; empty for what a run has not counted, which is 0.
pub fn read<T: Cell + Default>(column: &str, text: &str) -> Result<T> {
    match text {
        "" => Ok(T::default()),
        text => T::read(text).with_context(|| format!("{column}: {text}")),
    }
}

/// Times of warps that load something: cycles from start to end, and from start until the first load was served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarpTime {
    pub warps: u64,
    pub cycles: u64,
    pub cycles_to_first_load: u64,
}

impl AddAssign for WarpTime {
    fn add_assign(&mut self, other: WarpTime) {
        self.warps += other.warps;
        self.cycles += other.cycles;
        self.cycles_to_first_load += other.cycles_to_first_load;
    }
}

/// Sums of many numbers that are no larger do not overflow; no run takes as many cycles.
const MOST: f64 = (1u64 << 44) as f64;

fn is_small(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_some_and(|number| (0.0..=MOST).contains(&number)),
        Value::Array(list) => list.iter().all(is_small),
        Value::Object(fields) => fields.values().all(is_small),
        _ => true,
    }
}

impl Numbers {
    /// The check that the values in a file can be those of a run.
    pub fn check(&self) -> Result<()> {
        ensure!(self.cycles > 0, "cycles: must be 1 or more");
        // The unit's counters are the user's own.
        let ours = Numbers { unit: BTreeMap::new(), ..self.clone() };
        ensure!(is_small(&serde_json::to_value(ours)?), "a number is not from 0 to {MOST}");
        Ok(())
    }

    /// `unit`: the counters of its unit, if it has one.
    pub fn of_kernel(statistics: &Stats, active_threads: Option<ActiveThreads>, unit: BTreeMap<String, u64>) -> Self {
        Numbers { active_threads, unit, ..Numbers::count(statistics) }
    }

    pub fn new(run: Simulated) -> Self {
        let Simulated { outcome, statistics, active_threads, .. } = run;
        let mut numbers = Numbers { active_threads, ..Numbers::count(&statistics) };
        for Step { kernel, stats, .. } in outcome.steps {
            *numbers.warp_times.entry(kernel).or_default() += WarpTime {
                warps: stats.core.loading_warps,
                cycles: stats.core.loading_warp_cycles,
                cycles_to_first_load: stats.core.cycles_to_first_load,
            };
        }
        numbers
    }

    /// The time of these kernels together.
    pub fn warp_time(&self, kernels: &[String]) -> WarpTime {
        let mut sum = WarpTime::default();
        kernels.iter().filter_map(|kernel| self.warp_times.get(kernel)).for_each(|time| sum += *time);
        sum
    }
}
