//! A sweep's `runs.csv`, read again: how every run of a plan ended, as far as the figure shows it.

use super::numbers::{self, Numbers, WarpTime};
use super::plan::{Figure, Plan, BASELINE};
use super::points::{Point, Spread};
use super::store::Ending;
use super::table;
use anyhow::{ensure, Context, Result};
use csv::StringRecord;
use sim::attach::hwwl::timeline::ActiveThreads;
use std::collections::BTreeMap;
use std::path::Path;

/// Columns of every row.
const ALWAYS: [&str; 8] = ["workload", "graph", "series", "variant", "axis", "verified", "failure", "cycles"];
/// Further columns on the runs in speedup figures.
const PLAIN: [&str; 5] = ["thread_instructions", "memory_stall_slots", "waits", "spills", "refills"];
const ACTIVITY: [&str; 2] = ["active_threads_window_cycles", "active_threads_percent"];

/// Columns by name.
type Head = BTreeMap<String, usize>;

/// The result of each run of the plan.
///
/// # Errors
/// A column or a row that the plan's figure needs is missing, or a number cannot be read.
pub fn endings(plan: &Plan, spread: &Spread, path: &Path) -> Result<Vec<Ending>> {
    let kept = kept(plan, spread, path)?;
    let missing = kept.iter().position(Option::is_none).map(|run| names(plan, point(spread, run)).join(" "));
    ensure!(
        missing.is_none(),
        "no row for {}: were the runs of this plan? --complete makes those that are missing",
        missing.unwrap_or_default().trim_end()
    );
    Ok(kept.into_iter().flatten().collect())
}

/// The result of each run of the plan that has a row.
///
/// # Errors
/// As [`endings`], but a row may be missing.
pub fn kept(plan: &Plan, spread: &Spread, path: &Path) -> Result<Vec<Option<Ending>>> {
    let mut reader = csv::Reader::from_path(path).context("cannot read the rows")?;
    let head: Head = reader.headers()?.iter().enumerate().map(|(i, name)| (name.to_owned(), i)).collect();
    check_columns(plan, &head)?;
    let records = reader.into_records().collect::<Result<Vec<_>, _>>()?;
    let rows: Vec<_> = records.iter().enumerate().map(|(i, record)| Row { head: &head, record, line: i + 2 }).collect();
    let of_run = |run: usize| {
        let point = point(spread, run);
        let names = names(plan, point);
        let settings = table::settings(plan, point);
        let row = rows.iter().find(|row| row.names() == names && row.text("settings") == settings);
        row.map(|row| row.ending(plan).with_context(|| format!("line {}", row.line))).transpose()
    };
    (0..spread.runs.len()).map(of_run).collect()
}

fn point(spread: &Spread, run: usize) -> &Point {
    spread.points.iter().find(|point| point.run == run).expect("each run is a point's")
}

fn check_columns(plan: &Plan, head: &Head) -> Result<()> {
    let extra = match plan.figure {
        Figure::Activity => &ACTIVITY[..],
        _ => &[],
    };
    let plain = if plan.is_plain() { &PLAIN[..] } else { &[] };
    let measured = plan.counted().flat_map(|measure| measure.kind.columns());
    let mut needed = ALWAYS.iter().chain(["warp_instructions"].iter()).chain(plain).chain(extra).chain(measured);
    needed.try_for_each(|name| {
        ensure!(head.contains_key(*name), "no column {name}, which this plan's figure shows: sweep it again");
        Ok(())
    })
}

/// The names that tell a row from the others, in the order of [`Row::names`].
fn names(plan: &Plan, point: &Point) -> [String; 5] {
    let series = point.series.map_or(BASELINE.into(), |series| plan.series[series].name.clone());
    let axis = plan.axis.as_ref().zip(point.value).map(|(axis, v)| format!("{}={}", axis.field, axis.values[v]));
    let graph = plan.input(point.input);
    [point.workload.name().into(), point.variant.name().into(), graph, series, axis.unwrap_or_default()]
}

struct Row<'a> {
    head: &'a Head,
    record: &'a StringRecord,
    /// Line number in the file, from 1.
    line: usize,
}

impl Row<'_> {
    /// Empty in a file that has no such column.
    fn text(&self, column: &str) -> &str {
        self.head.get(column).and_then(|place| self.record.get(*place)).unwrap_or_default()
    }

    fn names(&self) -> [String; 5] {
        ["workload", "variant", "graph", "series", "axis"].map(|column| self.text(column).to_owned())
    }

    fn number(&self, column: &str) -> Result<u64> {
        numbers::read(column, self.text(column))
    }

    fn ending(&self, plan: &Plan) -> Result<Ending> {
        match self.text("verified") {
            "true" => Ok(Ending::Verified(self.numbers(plan)?)),
            "false" => Ok(Ending::Failed(self.text("failure").to_owned())),
            other => anyhow::bail!("verified: {other}: must be true or false"),
        }
    }

    fn numbers(&self, plan: &Plan) -> Result<Numbers> {
        let counted = Numbers::read(|column| self.text(column))?;
        let (warp_times, active_threads, unit) = (self.warp_times(plan)?, self.active_threads()?, self.unit()?);
        let numbers = Numbers { warp_times, active_threads, unit, ..counted };
        numbers.check()?;
        Ok(numbers)
    }

    /// The file has the sum over the plan's kernels: it stands under the first.
    fn warp_times(&self, plan: &Plan) -> Result<BTreeMap<String, WarpTime>> {
        let time = WarpTime {
            warps: self.number("warps")?,
            cycles: self.number("warp_cycles")?,
            cycles_to_first_load: self.number("warp_cycles_to_first_load")?,
        };
        let kernel = plan.measures.iter().find_map(|measure| measure.kernels.first());
        Ok(kernel.map(|kernel| (kernel.clone(), time)).into_iter().collect())
    }

    /// The counters of the unit of the user's own.
    fn unit(&self) -> Result<BTreeMap<String, u64>> {
        let counter = |text: &str| {
            let (name, value) = text.split_once('=').context("unit: must be NAME=VALUE")?;
            Ok((name.to_owned(), numbers::read(name, value)?))
        };
        self.text("unit").split_whitespace().map(counter).collect()
    }

    fn active_threads(&self) -> Result<Option<ActiveThreads>> {
        let [window, percent] = ACTIVITY;
        if self.text(window).is_empty() {
            return Ok(None);
        }
        Ok(Some(ActiveThreads {
            window_cycles: self.number(window)?,
            active_percent: self
                .text(percent)
                .split_whitespace()
                .map(|n| numbers::read(percent, n))
                .collect::<Result<_>>()?,
            // These are not drawn.
            hardware_threads: 0,
            waiting_percent: Vec::new(),
        }))
    }
}
