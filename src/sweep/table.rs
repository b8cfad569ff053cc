//! One row for each point of the figure: what was run, what it took, how it compares with the baseline.
//!
//! The baseline of a workload on an input is the fastest of the plan's `baselines`, for HWWL the topology-driven variant and those that are
//! data-driven with a software worklist (IV-A).

use super::measure::{Kind, Measure};
use super::numbers::Numbers;
use super::plan::{Figure, Plan, BASELINE};
use super::points::{Point, Spread};
use super::store::Ending;
use anyhow::Result;
use serde::Serialize;
use sim::attach::hwwl::timeline::ActiveThreads;
use std::collections::BTreeMap;

/// What is not known is left empty.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub workload: String,
    /// Or what size.
    pub graph: String,
    pub nodes: Option<usize>,
    pub edges: Option<usize>,
    /// `baseline` for the candidates, of which the fastest is the baseline.
    pub series: String,
    pub panel: String,
    pub variant: String,
    /// Place on the axis: field=value.
    pub axis: Option<String>,
    /// Overrides of the series.
    pub settings: String,
    pub verified: bool,
    pub failure: Option<String>,
    pub cycles: Option<u64>,
    /// Cycles of the baseline over `cycles`.
    pub speedup: Option<f64>,
    /// Variant that is the baseline here.
    pub baseline: Option<String>,
    pub warp_instructions: Option<u64>,
    pub thread_instructions: Option<u64>,
    pub ids_pulled: Option<u64>,
    pub waits: Option<u64>,
    pub spills: Option<u64>,
    pub refills: Option<u64>,
    pub memory_stall_slots: Option<u64>,
    pub requests_per_access: Option<f64>,
}

/// What measures other than the speedup are made of.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Counts {
    pub l1_accesses: Option<u64>,
    pub l2_accesses: Option<u64>,
    pub l2_prefetches: Option<u64>,
    pub network_bytes: Option<u64>,
    pub dram_accesses: Option<u64>,
    /// Of a variant that uses the reorder units.
    pub elements: Option<u64>,
    pub merged: Option<u64>,
    pub repeated: Option<u64>,
    pub l2_misses: Option<u64>,
    pub memory_requests: Option<u64>,
    pub warp_instructions_scalar: Option<u64>,
    pub fetches: Option<u64>,
    pub decodes: Option<u64>,
    /// Of the kernels that the plan names for the time of a warp.
    pub warps: Option<u64>,
    pub warp_cycles: Option<u64>,
    pub warp_cycles_to_first_load: Option<u64>,
}

impl Counts {
    fn new(plan: &Plan, numbers: &Numbers) -> Counts {
        let reordered = |count: u64| (numbers.elements > 0).then_some(count);
        let time = plan.measures.iter().find(|m| m.kind == Kind::WarpTime).map(|m| numbers.warp_time(&m.kernels));
        Counts {
            l1_accesses: Some(numbers.l1_accesses),
            l2_accesses: Some(numbers.l2_accesses),
            l2_prefetches: Some(numbers.l2_prefetches),
            network_bytes: Some(numbers.network_bytes),
            dram_accesses: Some(numbers.dram_accesses),
            elements: reordered(numbers.elements),
            merged: reordered(numbers.merged),
            repeated: reordered(numbers.repeated),
            l2_misses: Some(numbers.l2_misses),
            memory_requests: Some(numbers.memory_requests),
            warp_instructions_scalar: Some(numbers.scalar_instructions),
            fetches: Some(numbers.fetches),
            decodes: Some(numbers.decodes),
            warps: time.map(|time| time.warps),
            warp_cycles: time.map(|time| time.cycles),
            warp_cycles_to_first_load: time.map(|time| time.cycles_to_first_load),
        }
    }
}

/// Counts by part, a column for each measure of shares: in a field the numbers are separated by spaces.
#[derive(Serialize)]
struct Parts {
    active_lanes: String,
    issuable_warps: String,
    issuable_scalars: String,
    wave_members: String,
    issued_as: String,
}

impl Parts {
    fn new(numbers: Option<&Numbers>) -> Parts {
        let of = |counts: fn(&Numbers) -> &[u64]| numbers.map_or(String::new(), |n| spaced(counts(n)));
        Parts {
            active_lanes: of(|n| &n.active_lanes),
            issuable_warps: of(|n| &n.issuable_warps),
            issuable_scalars: of(|n| &n.issuable_scalars),
            wave_members: of(|n| &n.wave_members),
            issued_as: of(|n| &n.issued_as),
        }
    }
}

/// Of a figure that shows threads over time.
#[derive(Serialize)]
struct Activity {
    /// Length of a window.
    active_threads_window_cycles: Option<u64>,
    /// Of each window, separated by spaces.
    active_threads_percent: String,
}

impl Activity {
    fn new(numbers: Option<&Numbers>) -> Activity {
        let active = numbers.and_then(|n| n.active_threads.as_ref());
        Activity {
            active_threads_window_cycles: active.map(|active| active.window_cycles),
            active_threads_percent: active.map_or(String::new(), |active| spaced(&active.active_percent)),
        }
    }
}

fn spaced<T: ToString>(numbers: &[T]) -> String {
    numbers.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

/// A row as JSON, with the measures of a series, and with threads over time if the figure shows them.
#[derive(Serialize)]
struct JsonRow<'a> {
    #[serde(flatten)]
    row: &'a Row,
    #[serde(flatten)]
    counts: Option<&'a Counts>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    measures: BTreeMap<&'static str, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    active_threads: Option<&'a ActiveThreads>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Value {
    Number(f64),
    /// By name, in %.
    Shares(BTreeMap<&'static str, f64>),
}

#[derive(Serialize)]
pub struct Json<'a> {
    title: &'a str,
    config: &'a str,
    rows: Vec<JsonRow<'a>>,
}

/// A row with where it comes from.
pub struct Placed<'a> {
    pub row: Row,
    /// Of a plan that measures more than speedups.
    pub counts: Option<Counts>,
    pub point: &'a Point,
    pub numbers: Option<&'a Numbers>,
    /// Of the baseline.
    pub baseline: Option<&'a Numbers>,
}

/// Nodes and edges of an input.
pub type Extent = Option<(usize, usize)>;

/// All rows, in the order of the points. `extents`: of the plan's inputs, `endings`: of the runs.
pub fn rows<'a>(plan: &Plan, extents: &[Extent], spread: &'a Spread, endings: &'a [Ending]) -> Vec<Placed<'a>> {
    spread.points.iter().map(|point| placed(plan, extents[point.input], spread, point, endings)).collect()
}

fn placed<'a>(plan: &Plan, extent: Extent, spread: &Spread, point: &'a Point, endings: &'a [Ending]) -> Placed<'a> {
    let (numbers, failure) = match &endings[point.run] {
        Ending::Verified(numbers) => (Some(numbers), None),
        Ending::Failed(why) => (None, Some(why.clone())),
    };
    let best = best(&point.baselines, endings);
    let series = point.series.map(|i| &plan.series[i]);
    let speedup = |numbers: &Numbers| best.map(|(_, best)| best.cycles as f64 / numbers.cycles as f64);
    let row = Row {
        workload: point.workload.name.into(),
        graph: plan.input(point.input),
        nodes: extent.map(|(nodes, _)| nodes),
        edges: extent.map(|(_, edges)| edges),
        series: series.map_or(BASELINE.into(), |s| s.name.clone()),
        panel: series.map_or(String::new(), |s| s.panel.clone()),
        variant: point.variant.name().into(),
        axis: plan.axis.as_ref().zip(point.value).map(|(axis, v)| format!("{}={}", axis.field, axis.values[v])),
        settings: series.map_or(String::new(), |s| s.set.join(" ")),
        verified: numbers.is_some(),
        failure,
        cycles: numbers.map(|n| n.cycles),
        speedup: numbers.and_then(speedup),
        baseline: best.map(|(run, _)| spread.runs[run].variant.name().into()),
        warp_instructions: numbers.map(|n| n.warp_instructions),
        thread_instructions: numbers.map(|n| n.thread_instructions),
        ids_pulled: numbers.map(|n| n.ids_pulled),
        waits: numbers.map(|n| n.waits),
        spills: numbers.map(|n| n.spills),
        refills: numbers.map(|n| n.refills),
        memory_stall_slots: numbers.map(|n| n.memory_stall_slots),
        requests_per_access: numbers.map(|n| n.requests_per_access),
    };
    let counts = (!plan.is_plain()).then(|| numbers.map_or_else(Counts::default, |n| Counts::new(plan, n)));
    Placed { row, counts, point, numbers, baseline: best.map(|(_, numbers)| numbers) }
}

/// The run with the fewest cycles, if all of them ended well: of a missing candidate nobody knows how good it is.
fn best<'a>(baselines: &[usize], endings: &'a [Ending]) -> Option<(usize, &'a Numbers)> {
    let numbers = baselines.iter().map(|&run| match &endings[run] {
        Ending::Verified(numbers) => Some((run, numbers)),
        Ending::Failed(_) => None,
    });
    numbers.collect::<Option<Vec<_>>>()?.into_iter().min_by_key(|(_, numbers)| numbers.cycles)
}

/// With everything that the figure is drawn from.
pub fn csv(plan: &Plan, rows: &[Placed]) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let parts = plan.measures.iter().any(|m| !m.kind.parts().is_empty());
    for Placed { row, counts, numbers, .. } in rows {
        match counts {
            Some(counts) if parts => writer.serialize((row, counts, Parts::new(*numbers)))?,
            Some(counts) => writer.serialize((row, counts))?,
            None if plan.figure == Figure::Activity => writer.serialize((row, Activity::new(*numbers)))?,
            None => writer.serialize(row)?,
        }
    }
    Ok(writer.into_inner()?)
}

pub fn json<'a>(plan: &'a Plan, rows: &'a [Placed]) -> Json<'a> {
    let row = |placed: &'a Placed| JsonRow {
        row: &placed.row,
        counts: placed.counts.as_ref(),
        measures: if plan.is_plain() { BTreeMap::new() } else { measures(plan, placed) },
        active_threads: placed.numbers.and_then(|n| n.active_threads.as_ref()),
    };
    let rows = rows.iter().map(row).collect();
    Json { title: &plan.title, config: &plan.config.name, rows }
}

/// Of a series.
fn measures(plan: &Plan, placed: &Placed) -> BTreeMap<&'static str, Value> {
    let (Some(_), Some(own), Some(baseline)) = (placed.point.series, placed.numbers, placed.baseline) else {
        return BTreeMap::new();
    };
    let here = plan.measures.iter().filter(|m| m.workloads.iter().any(|w| w.name == placed.row.workload));
    let value = |m: &Measure| {
        let bar = m.bar(own, baseline)?;
        let shares = || m.kind.parts().iter().copied().zip(bar.parts.iter().copied()).collect();
        Some(if m.kind.parts().is_empty() { Value::Number(bar.whole()) } else { Value::Shares(shares()) })
    };
    here.filter_map(|m| Some((m.kind.name(), value(m)?))).collect()
}

/// `None` if there is nothing, or something is missing.
pub fn geometric_mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0);
    for value in values {
        (sum, count) = (sum + value?.ln(), count + 1);
    }
    (count > 0).then(|| (sum / count as f64).exp())
}
