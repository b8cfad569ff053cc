//! The places of points in a figure: groups (a workload on an input) in a row, in each a column for every series and
//! place on the axis; panels one above the other. Plots and the report's table have the same.

use super::plan::{Plan, Series};
use super::table::{geometric_mean, Placed};

#[derive(Clone)]
pub struct Column {
    pub series: usize,
    pub value: Option<usize>,
    pub label: String,
}

/// Names of the parts of the figure, in the order of the plan.
pub fn panels(plan: &Plan) -> Vec<&str> {
    let mut panels: Vec<&str> = Vec::new();
    for series in &plan.series {
        if !panels.contains(&series.panel.as_str()) {
            panels.push(&series.panel);
        }
    }
    panels
}

pub fn columns(plan: &Plan, panel: &str) -> Vec<Column> {
    let here = || plan.series.iter().enumerate().filter(move |(_, s)| s.panel == panel);
    let alone = here().filter(|(_, s)| s.on_axis).count() == 1;
    let label = |series: &Series, value: Option<usize>| match value {
        None => series.name.clone(),
        Some(v) if alone => plan.value(v).to_owned(),
        Some(v) => format!("{} {}", series.name, plan.value(v)),
    };
    let of = |(i, series): (usize, &'_ Series)| {
        let columns: Vec<_> =
            plan.values(series).map(|value| Column { series: i, value, label: label(series, value) }).collect();
        columns
    };
    here().flat_map(of).collect()
}

/// Workload and input, each with a short name for the latter.
pub fn groups(plan: &Plan) -> Vec<(&str, usize, String)> {
    plan.cells.iter().map(|(workload, input)| (workload.name(), *input, short(plan, *input))).collect()
}

/// The plan's label, or the name without the part that all graphs of a kind share.
fn short(plan: &Plan, input: usize) -> String {
    let name = plan.input(input);
    if let Some(label) = plan.labels.get(&name) {
        return label.clone();
    }
    let parts: Vec<_> = name.split(':').filter(|part| *part != "gen" && !part.contains('=')).collect();
    parts.join(" ").rsplit('/').next().unwrap_or_default().to_owned()
}

pub fn cell<'a, 'b>(
    rows: &'b [Placed<'a>],
    (workload, input, _): &(&str, usize, String),
    column: &Column,
) -> Option<&'b Placed<'a>> {
    let same = |p: &&Placed| {
        let point = p.point;
        (point.workload.name(), point.input) == (*workload, *input)
            && (point.series, point.value) == (Some(column.series), column.value)
    };
    rows.iter().find(same)
}

/// A candidate for the baseline: at this place of the axis, or away from it.
pub fn candidate<'a, 'b>(
    rows: &'b [Placed<'a>],
    (workload, input, _): &(&str, usize, String),
    variant: &str,
    value: Option<usize>,
) -> Option<&'b Placed<'a>> {
    let same = |p: &&Placed| {
        let point = p.point;
        let here = (point.workload.name(), point.input, point.variant.name()) == (*workload, *input, variant);
        here && point.series.is_none() && (point.value == value || point.value.is_none())
    };
    rows.iter().find(same)
}

pub fn speedups(plan: &Plan, rows: &[Placed], column: &Column) -> Vec<Option<f64>> {
    groups(plan).iter().map(|group| cell(rows, group, column).and_then(|p| p.row.speedup)).collect()
}

/// Appends the geometric mean of the speedups.
pub fn with_mean(mut speedups: Vec<Option<f64>>) -> Vec<Option<f64>> {
    speedups.push(geometric_mean(speedups.iter().copied()));
    speedups
}
