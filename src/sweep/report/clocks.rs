//! Speedups in time rather than in cycles: the clock of the hardware units of each column.

use super::{ratio, table};
use crate::sweep::figure::{columns, panels, speedups, Column};
use crate::sweep::own_clocks::OwnClocks;
use crate::sweep::plan::Plan;
use crate::sweep::table::{geometric_mean, Placed};
use crate::unit_clock::{source, stretch, UnitClock};
use std::collections::BTreeSet;

/// Empty for a figure without hardware units.
pub fn text(plan: &Plan, rows: &[Placed], own: &OwnClocks) -> String {
    let all = panels(plan).into_iter().flat_map(|panel| columns(plan, panel).into_iter().map(move |c| (panel, c)));
    let lines: Vec<_> = all.filter_map(|(panel, column)| line(plan, rows, own, panel, &column)).collect();
    if lines.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "## Clock of the units\n\nSpeedups are ratios of cycles. They are ratios of time if each unit makes the clock of the GPU. A unit that \
         misses it slows the whole GPU down in the last column. The paths are those of {}.\n\n",
        source()
    );
    if !own.is_empty() {
        text += "That of a unit of your own was measured in the same way.\n\n";
    }
    let head = ["", "hardware units", "speedup, geometric mean", "speedup in time"].map(str::to_owned);
    table(&mut text, &head, lines.into_iter());
    text
}

/// The clock verdicts, a line for each unit of each size.
pub fn verdicts(plan: &Plan, own: &OwnClocks) -> Vec<String> {
    let columns = panels(plan).into_iter().flat_map(|panel| columns(plan, panel));
    let mut lines: Vec<_> = columns.flat_map(|column| units(plan, own, &column)).map(|unit| unit.shown()).collect();
    let mut seen = BTreeSet::new();
    lines.retain(|line| seen.insert(line.clone()));
    lines
}

/// `None` for a column without hardware units.
fn line(plan: &Plan, rows: &[Placed], own: &OwnClocks, panel: &str, column: &Column) -> Option<Vec<String>> {
    let units = units(plan, own, column);
    if units.is_empty() {
        return None;
    }
    let mean = geometric_mean(speedups(plan, rows, column).into_iter());
    let in_time =
        mean.zip(stretch(&units)).zip(faster(plan, column)).map(|((mean, stretch), faster)| mean * faster / stretch);
    let shown = units.iter().map(UnitClock::shown).collect::<Vec<_>>().join("; ");
    Some(vec![format!("{panel} {}", column.label).trim().to_owned(), shown, ratio(mean), ratio(in_time)])
}

/// The clock of a column's GPU over that of its baselines'.
fn faster(plan: &Plan, column: &Column) -> Option<f64> {
    let clock = |series| Some(f64::from(plan.setting(series, column.value).ok()?.config.core.clock_mhz));
    Some(clock(Some(&plan.series[column.series]))? / clock(None)?)
}

/// Those that some workload of the plan uses.
fn units(plan: &Plan, own: &OwnClocks, column: &Column) -> Vec<UnitClock> {
    let series = &plan.series[column.series];
    let Ok(setting) = plan.setting(Some(series), column.value) else { return vec![] };
    let used = plan.cells.iter().map(|(workload, _)| UnitClock::all(&setting.config, series.variant.of(workload)));
    let used = used.max_by_key(Vec::len).unwrap_or_default();
    used.into_iter().chain(own.of(column).cloned()).collect()
}
