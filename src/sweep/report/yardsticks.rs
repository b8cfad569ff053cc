//! Speedups over more than one thing: the baseline, and each yardstick of the plan.

use super::{ratio, table};
use crate::sweep::cells::{compared, Reference};
use crate::sweep::figure::{columns, groups, panels, speedups, Column};
use crate::sweep::found::yardstick;
use crate::sweep::measure::{Bar, Kind, Measure};
use crate::sweep::plan::Plan;
use crate::sweep::table::{geometric_mean, Placed};

/// Empty for a plan without yardsticks.
pub fn text(plan: &Plan, rows: &[Placed]) -> String {
    if plan.yardsticks.is_empty() {
        return String::new();
    }
    let mut text = "## Speedups over each yardstick\n\nGeometric means over the graphs.\n\n".to_owned();
    for yardstick in &plan.yardsticks {
        text += &format!("* {}: the fastest of {}\n", yardstick.name, yardstick.of.join(", "));
    }
    text += "\n";
    let names = plan.yardsticks.iter().map(|yardstick| yardstick.name.clone());
    let head: Vec<_> = ["", "workload", "baseline"].map(str::to_owned).into_iter().chain(names).collect();
    let all = panels(plan).into_iter().flat_map(|panel| columns(plan, panel));
    table(&mut text, &head, all.flat_map(|column| lines(plan, rows, &column)));
    text
}

/// Panels are not apart here: the series, and its place on the axis.
fn label(plan: &Plan, column: &Column) -> String {
    let series = &plan.series[column.series].name;
    column.value.map_or_else(|| series.clone(), |value| format!("{series} {}", plan.value(value)))
}

/// A line for each workload, and one for all.
fn lines(plan: &Plan, rows: &[Placed], column: &Column) -> Vec<Vec<String>> {
    let measure = Measure { kind: Kind::Speedup, workloads: plan.workloads.clone(), kernels: Vec::new() };
    let own = Reference::Series(column.clone());
    let over = |other: &Reference| {
        compared(plan, rows, &measure, &own, other).iter().map(|bar| bar.as_ref().map(Bar::whole)).collect()
    };
    let others = plan.yardsticks.iter().map(|known| yardstick(plan, known, column.value).map(|other| over(&other)));
    let all: Vec<Option<Vec<Option<f64>>>> =
        std::iter::once(Some(speedups(plan, rows, column))).chain(others).collect();
    let workloads: Vec<_> = groups(plan).iter().map(|(workload, ..)| *workload).collect();
    let mean = |cells: &Option<Vec<Option<f64>>>, wanted: Option<&str>| {
        let here =
            cells.as_ref()?.iter().zip(&workloads).filter(|(_, name)| wanted.is_none_or(|wanted| wanted == **name));
        geometric_mean(here.map(|(speedup, _)| *speedup))
    };
    let line = |wanted: Option<&str>| {
        let means = all.iter().map(|cells| ratio(mean(cells, wanted)));
        [label(plan, column), wanted.unwrap_or("all").to_owned()].into_iter().chain(means).collect()
    };
    plan.workloads.iter().map(|workload| Some(workload.name())).chain([None]).map(line).collect()
}
