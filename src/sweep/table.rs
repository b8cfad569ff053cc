//! One row for each point of the figure: what was run, what it took, how it compares with the baseline.
//!
//! The baseline of a workload on an input is the fastest of the plan's `baselines`, for HWWL the topology-driven variant and those that are
//! data-driven with a software worklist (IV-A).

use super::measure::{Kind, Measure};
use super::numbers::{Numbers, COUNTERS, MEASURED, PARTS};
use super::plan::{Figure, Plan, BASELINE};
use super::points::{Point, Spread};
use super::store::Ending;
use anyhow::Result;
use serde::{Serialize, Serializer};
use serde_json::{json, Value};
use sim::attach::hwwl::timeline::ActiveThreads;
use std::collections::BTreeMap;

/// Declares the parts of a row, which are its first columns.
macro_rules! row {
    ($($(#[$doc:meta])* $name:ident: $type:ty,)*) => {
        /// Values that are not known are left empty.
        pub struct Row {
            $($(#[$doc])* pub $name: $type,)*
        }

        impl Row {
            fn columns(&self) -> Vec<(&'static str, Value)> {
                vec![$((stringify!($name), json!(self.$name))),*]
            }
        }
    };
}

row! {
    workload: String,
    /// Or what size.
    graph: String,
    nodes: Option<usize>,
    edges: Option<usize>,
    /// `baseline` for the candidates, of which the fastest is the baseline.
    series: String,
    panel: String,
    variant: String,
    /// Place on the axis: field=value.
    axis: Option<String>,
    /// Overrides of the series.
    settings: String,
    verified: bool,
    failure: Option<String>,
    cycles: Option<u64>,
    /// Cycles of the baseline over `cycles`.
    speedup: Option<f64>,
    /// Variant that is the baseline here.
    baseline: Option<String>,
}

/// Counters of a variant that uses the reorder units.
const OF_REORDERED: [&str; 3] = ["elements", "merged", "repeated"];

/// Name and value of each column.
type Columns = Vec<(&'static str, Value)>;

/// The time of a warp in the kernels that the plan names for it.
fn warp_time(plan: &Plan, numbers: Option<&Numbers>) -> Columns {
    let measure = plan.measures.iter().find(|m| m.kind == Kind::WarpTime);
    let time = numbers.zip(measure).map(|(numbers, measure)| numbers.warp_time(&measure.kernels));
    vec![
        ("warps", json!(time.map(|time| time.warps))),
        ("warp_cycles", json!(time.map(|time| time.cycles))),
        ("warp_cycles_to_first_load", json!(time.map(|time| time.cycles_to_first_load))),
    ]
}

/// Columns of a figure that shows threads in time: length of a window, and a number per window.
fn activity(numbers: Option<&Numbers>) -> Columns {
    let active = numbers.and_then(|n| n.active_threads.as_ref());
    let percent = active.map(|active| active.active_percent.iter().map(f64::to_string).collect::<Vec<_>>().join(" "));
    vec![
        ("active_threads_window_cycles", json!(active.map(|active| active.window_cycles))),
        ("active_threads_percent", json!(percent)),
    ]
}

/// Columns of a plan whose kernels may have units of the user's own: their counters, as `NAME=VALUE`.
fn unit_counters(numbers: Option<&Numbers>) -> Columns {
    let shown = |unit: &BTreeMap<String, u64>| {
        unit.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    };
    vec![("unit", json!(numbers.map(|numbers| shown(&numbers.unit))))]
}

/// In a file of rows, numbers of a list are separated by spaces.
fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(Value::to_string).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// A row as JSON, with the measures of a series, and with threads over time if the figure shows them.
#[derive(Serialize)]
struct JsonRow<'a> {
    #[serde(flatten, serialize_with = "in_order")]
    columns: Columns,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    measures: BTreeMap<&'static str, Measured>,
    #[serde(skip_serializing_if = "Option::is_none")]
    active_threads: Option<&'a ActiveThreads>,
    /// Counters of the unit of the user's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'a BTreeMap<String, u64>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Measured {
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
    pub point: &'a Point,
    pub numbers: Option<&'a Numbers>,
    /// Numbers of the baseline.
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
        workload: point.workload.name().into(),
        graph: plan.input(point.input),
        nodes: extent.map(|(nodes, _)| nodes),
        edges: extent.map(|(_, edges)| edges),
        series: series.map_or(BASELINE.into(), |s| s.name.clone()),
        panel: series.map_or(String::new(), |s| s.panel.clone()),
        variant: point.variant.name().into(),
        axis: plan.axis.as_ref().zip(point.value).map(|(axis, v)| format!("{}={}", axis.field, axis.values[v])),
        settings: settings(plan, point),
        verified: numbers.is_some(),
        failure,
        cycles: numbers.map(|n| n.cycles),
        speedup: numbers.and_then(speedup),
        baseline: best.map(|(run, _)| spread.runs[run].variant.name().into()),
    };
    Placed { row, point, numbers, baseline: best.map(|(_, numbers)| numbers) }
}

/// Settings of the point's series.
pub fn settings(plan: &Plan, point: &Point) -> String {
    point.series.map_or(String::new(), |series| plan.series[series].set.join(" "))
}

/// The run with the fewest cycles, if all of them ended well: of a missing candidate nobody knows how good it is.
fn best<'a>(baselines: &[usize], endings: &'a [Ending]) -> Option<(usize, &'a Numbers)> {
    let numbers = baselines.iter().map(|&run| match &endings[run] {
        Ending::Verified(numbers) => Some((run, numbers)),
        Ending::Failed(_) => None,
    });
    numbers.collect::<Option<Vec<_>>>()?.into_iter().min_by_key(|(_, numbers)| numbers.cycles)
}

impl Placed<'_> {
    /// The counters in these columns; null if the run failed.
    fn counters(&self, names: &'static [&str]) -> impl Iterator<Item = (&'static str, Value)> + '_ {
        let known = |name: &&str| self.numbers.filter(|n| n.elements > 0 || !OF_REORDERED.contains(name));
        names.iter().map(move |name| (*name, known(name).map_or(Value::Null, |numbers| numbers.value(name))))
    }

    /// Columns for programs.
    fn columns(&self, plan: &Plan) -> Columns {
        let mut columns = self.row.columns();
        columns.extend(self.counters(COUNTERS));
        if plan.counted().any(|m| m.kind.columns().iter().any(|column| MEASURED.contains(column))) || !plan.is_plain() {
            columns.extend(self.counters(MEASURED).chain(warp_time(plan, self.numbers)));
        }
        columns
    }

    /// With everything that the figure is drawn from.
    fn all_columns(&self, plan: &Plan) -> Columns {
        let mut columns = self.columns(plan);
        if plan.counted().any(|m| !m.kind.parts().is_empty()) {
            columns.extend(self.counters(PARTS));
        }
        if plan.is_plain() && plan.figure == Figure::Activity {
            columns.extend(activity(self.numbers));
        }
        if !plan.ways.is_empty() {
            columns.extend(unit_counters(self.numbers));
        }
        columns
    }
}

pub fn csv(plan: &Plan, rows: &[Placed]) -> Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for (i, columns) in rows.iter().map(|row| row.all_columns(plan)).enumerate() {
        if i == 0 {
            writer.write_record(columns.iter().map(|(name, _)| name))?;
        }
        writer.write_record(columns.iter().map(|(_, value)| text(value)))?;
    }
    Ok(writer.into_inner()?)
}

fn in_order<S: Serializer>(columns: &Columns, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(columns.iter().map(|(name, value)| (name, value)))
}

pub fn json<'a>(plan: &'a Plan, rows: &'a [Placed]) -> Json<'a> {
    let row = |placed: &'a Placed| JsonRow {
        columns: placed.columns(plan),
        measures: if plan.is_plain() { BTreeMap::new() } else { measures(plan, placed) },
        active_threads: placed.numbers.and_then(|n| n.active_threads.as_ref()),
        unit: placed.numbers.map(|n| &n.unit).filter(|counters| !counters.is_empty()),
    };
    let rows = rows.iter().map(row).collect();
    Json { title: &plan.title, config: &plan.config.name, rows }
}

/// The measures of a series.
fn measures(plan: &Plan, placed: &Placed) -> BTreeMap<&'static str, Measured> {
    let (Some(_), Some(own), Some(baseline)) = (placed.point.series, placed.numbers, placed.baseline) else {
        return BTreeMap::new();
    };
    let here = plan.measures.iter().filter(|m| m.workloads.iter().any(|w| w.name() == placed.row.workload));
    let value = |m: &Measure| {
        let bar = m.bar(own, baseline)?;
        let shares = || m.kind.parts().iter().copied().zip(bar.parts.iter().copied()).collect();
        Some(if m.kind.parts().is_empty() { Measured::Number(bar.whole()) } else { Measured::Shares(shares()) })
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
