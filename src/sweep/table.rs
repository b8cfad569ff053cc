//! One row for each point of the figure: what was run, what it took, how it compares with the yardstick.
//!
//! The yardstick of a workload on an input is the better of the baselines: topology-driven, and all that are data-driven with a
//! software worklist (HWWL, IV-A).

use super::inputs::Given;
use super::measure::{Kind, Measure};
use super::plan::Plan;
use super::points::{Point, Spread};
use super::store::{Ending, Finished, Numbers};
use anyhow::Result;
use serde::Serialize;
use sim::graph::Graph;
use sim::timeline::ActiveThreads;
use std::collections::BTreeMap;

/// What is not known is left empty.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub workload: String,
    /// Or what size.
    pub graph: String,
    pub nodes: Option<usize>,
    pub edges: Option<usize>,
    /// `yardstick` for the candidates.
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
    /// Cycles of the yardstick over `cycles`.
    pub speedup: Option<f64>,
    /// Variant that is the yardstick here.
    pub yardstick: Option<String>,
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

/// The same for programs: with the measures of a series, and the threads over time for a figure that shows them.
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
    /// Of the yardstick.
    pub yardstick: Option<&'a Numbers>,
}

pub const YARDSTICK: &str = "yardstick";

/// All rows, in the order of the points.
pub fn rows<'a>(plan: &Plan, inputs: &[Given], spread: &'a Spread, finished: &'a [Finished]) -> Vec<Placed<'a>> {
    spread.points.iter().map(|point| placed(plan, &inputs[point.input], spread, point, finished)).collect()
}

fn placed<'a>(plan: &Plan, input: &Given, spread: &Spread, point: &'a Point, finished: &'a [Finished]) -> Placed<'a> {
    let (numbers, failure) = match &finished[point.run].ending {
        Ending::Verified(numbers) => (Some(numbers), None),
        Ending::Failed(why) => (None, Some(why.clone())),
    };
    let best = best(&point.baselines, finished);
    let series = point.series.map(|i| &plan.series[i]);
    let speedup = |numbers: &Numbers| best.map(|(_, best)| best.cycles as f64 / numbers.cycles as f64);
    let row = Row {
        workload: point.workload.name.into(),
        graph: plan.input(point.input),
        nodes: input.graph().map(Graph::nodes),
        edges: input.graph().map(Graph::edges),
        series: series.map_or(YARDSTICK.into(), |s| s.name.clone()),
        panel: series.map_or(String::new(), |s| s.panel.clone()),
        variant: point.variant.name().into(),
        axis: plan.axis.as_ref().zip(point.value).map(|(axis, v)| format!("{}={}", axis.field, axis.values[v])),
        settings: series.map_or(String::new(), |s| s.set.join(" ")),
        verified: numbers.is_some(),
        failure,
        cycles: numbers.map(|n| n.cycles),
        speedup: numbers.and_then(speedup),
        yardstick: best.map(|(run, _)| spread.runs[run].variant.name().into()),
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
    Placed { row, counts, point, numbers, yardstick: best.map(|(_, numbers)| numbers) }
}

/// The run with the fewest cycles, if all of them ended well: of a missing candidate nobody knows how good it is.
fn best<'a>(baselines: &[usize], finished: &'a [Finished]) -> Option<(usize, &'a Numbers)> {
    let numbers = baselines.iter().map(|&run| match &finished[run].ending {
        Ending::Verified(numbers) => Some((run, numbers)),
        Ending::Failed(_) => None,
    });
    numbers.collect::<Option<Vec<_>>>()?.into_iter().min_by_key(|(_, numbers)| numbers.cycles)
}

pub fn csv(rows: &[Placed]) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for placed in rows {
        match &placed.counts {
            Some(counts) => writer.serialize((&placed.row, counts))?,
            None => writer.serialize(&placed.row)?,
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

/// Of a series; the yardstick is what they are measured with.
fn measures(plan: &Plan, placed: &Placed) -> BTreeMap<&'static str, Value> {
    let (Some(_), Some(own), Some(yardstick)) = (placed.point.series, placed.numbers, placed.yardstick) else {
        return BTreeMap::new();
    };
    let here = plan.measures.iter().filter(|m| m.workloads.iter().any(|w| w.name == placed.row.workload));
    let value = |m: &Measure| {
        let bar = m.bar(own, yardstick)?;
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
