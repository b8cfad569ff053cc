//! `report.md`: our numbers in the form of the figure, and what the paper says beside them.

mod clocks;
mod counters;
mod measures;
mod yardsticks;

pub use clocks::verdicts;
pub use measures::{number as papers_number, scope};

use super::claim::Claim;
use super::figure::{cell, columns, groups, panels, speedups, with_mean};
use super::found::column;
use super::numbers::Numbers;
use super::own_clocks::OwnClocks;
use super::plan::{Figure, Plan, BASELINE};
use super::table::{geometric_mean, Placed};
use std::fmt::Write;

/// `own`: clocks of units of the user's own; `plot`: the figure's file, beside the report.
pub fn text(plan: &Plan, rows: &[Placed], own: &OwnClocks, plot: &str) -> String {
    let mut text = format!("# {}\n\n![{}]({plot})\n\n", plan.title, plan.title);
    let baselines = plan.baselines.iter().map(|choice| choice.name()).collect::<Vec<_>>().join(", ");
    text += &format!(
        "Configuration {}. Speedups are over the baseline: the fastest of {baselines} on the same workload and input.\n\n",
        plan.config.name
    );
    text += &baseline_table(rows);
    text += &match plan.is_plain() {
        true => speedups_and_effects(plan, rows),
        false => measures::text(plan, rows),
    };
    if plan.figure == Figure::Activity {
        text += &activity(rows);
    }
    text += &yardsticks::text(plan, rows);
    text += &clocks::text(plan, rows, own);
    text += &counters::text(rows);
    text += &claims(plan, rows);
    text + &failures(rows)
}

fn speedups_and_effects(plan: &Plan, rows: &[Placed]) -> String {
    let mut text = String::new();
    for panel in panels(plan) {
        if !panel.is_empty() {
            text += &format!("## {panel}\n\n");
        }
        text += &speedup_table(plan, rows, panel);
        text += &effects(plan, rows, panel);
    }
    text
}

fn table(text: &mut String, head: &[String], lines: impl Iterator<Item = Vec<String>>) {
    let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    *text += &row(head);
    *text += &row(&vec!["---".to_owned(); head.len()]);
    lines.for_each(|cells| *text += &row(&cells));
    *text += "\n";
}

fn baseline_table(rows: &[Placed]) -> String {
    let mut text = "## Baselines\n\n".to_owned();
    let head = ["workload", "graph", "axis", "variant", "cycles", "warp instructions"].map(str::to_owned);
    let lines = rows.iter().filter(|p| p.point.series.is_none()).map(|p| {
        let row = &p.row;
        let number = |n: Option<u64>| n.map_or("failed".into(), |n| n.to_string());
        let axis = row.axis.clone().unwrap_or_default();
        [&row.workload, &row.graph, &axis, &row.variant]
            .map(String::clone)
            .into_iter()
            .chain([number(row.cycles), number(p.numbers.map(|n| n.warp_instructions))])
            .collect()
    });
    table(&mut text, &head, lines);
    text
}

fn ratio(value: Option<f64>) -> String {
    value.map_or("-".into(), |v| format!("{v:.2}"))
}

fn speedup_table(plan: &Plan, rows: &[Placed], panel: &str) -> String {
    let columns = columns(plan, panel);
    let head: Vec<_> =
        ["workload", "graph"].map(str::to_owned).into_iter().chain(columns.iter().map(|c| c.label.clone())).collect();
    let values: Vec<_> = columns.iter().map(|c| with_mean(speedups(plan, rows, c))).collect();
    let names = groups(plan).into_iter().map(|(workload, input, _)| [workload.to_owned(), plan.input(input)]);
    let names = names.chain([["geometric mean".to_owned(), String::new()]]);
    let lines = names
        .enumerate()
        .map(|(i, name)| name.into_iter().chain(values.iter().map(|column| ratio(column[i]))).collect::<Vec<_>>());
    let mut text = "Speedup:\n\n".to_owned();
    table(&mut text, &head, lines);
    text
}

/// Beside the baseline's, as geometric means over workloads and graphs; WAIT answers, spills and refills in all.
fn effects(plan: &Plan, rows: &[Placed], panel: &str) -> String {
    let head = ["", "thread instructions", "memory stall slots", "WAIT answers", "lines spilled", "lines refilled"];
    let lines = columns(plan, panel).into_iter().map(|column| {
        let cells = || groups(plan).into_iter().map(|group| cell(rows, &group, &column));
        let mean = |count: fn(&Numbers) -> u64| {
            let beside = |p: &Placed| Some(count(p.numbers?).max(1) as f64 / count(p.baseline?).max(1) as f64);
            geometric_mean(cells().map(|p| p.and_then(beside)))
        };
        let sum = |count: fn(&Numbers) -> u64| {
            let all = cells().map(|p| p.and_then(|p| p.numbers).map(count)).sum::<Option<u64>>();
            all.map_or("-".into(), |n| n.to_string())
        };
        vec![
            column.label.clone(),
            ratio(mean(|n| n.thread_instructions)),
            ratio(mean(|n| n.memory_stall_slots)),
            sum(|n| n.waits),
            sum(|n| n.spills),
            sum(|n| n.refills),
        ]
    });
    let mut text =
        "Instructions and memory stalls as a multiple of the baseline's (geometric mean); counts in all:\n\n".into();
    table(&mut text, &head.map(str::to_owned), lines);
    text
}

fn activity(rows: &[Placed]) -> String {
    let mut text = "## Active hardware threads\n\n".to_owned();
    let head = ["workload", "graph", "series", "cycles", "average, %", "peak window, %"].map(str::to_owned);
    let lines = rows.iter().filter(|p| p.point.series.is_some()).filter_map(|p| {
        let numbers = p.numbers?;
        let active = numbers.active_threads.as_ref()?;
        let peak = active.active_percent.iter().copied().fold(0.0, f64::max);
        let (window, mut left, mut sum) = (active.window_cycles, numbers.cycles, 0.0);
        for percent in &active.active_percent {
            sum += percent * left.min(window) as f64;
            left -= left.min(window);
        }
        let average = sum / numbers.cycles as f64;
        Some(vec![
            p.row.workload.clone(),
            p.row.graph.clone(),
            p.row.series.clone(),
            numbers.cycles.to_string(),
            format!("{average:.1}"),
            format!("{peak:.1}"),
        ])
    });
    table(&mut text, &head, lines);
    text
}

fn claims(plan: &Plan, rows: &[Placed]) -> String {
    if plan.claims.is_empty() {
        return String::new();
    }
    if !plan.is_plain() || !plan.claims.iter().all(Claim::is_plain) {
        return measures::claims(plan, rows);
    }
    let mut text = "## What the paper says\n\n".to_owned();
    let head = ["section", "the paper", "its range", "our speedup"].map(str::to_owned);
    let lines = plan.claims.iter().map(|claim| {
        let range = claim.range.map_or(String::new(), |[low, high]| format!("{low} to {high}"));
        vec![claim.section.clone(), claim.text.clone(), range, ours(plan, rows, claim)]
    });
    table(&mut text, &head, lines);
    text
}

/// Least and greatest speedup of the claim's series, and the geometric mean.
fn ours(plan: &Plan, rows: &[Placed], claim: &Claim) -> String {
    let Some(column) = claim.series.as_deref().and_then(|series| column(plan, claim, series)) else {
        return String::new();
    };
    let speedups = speedups(plan, rows, &column);
    let Some(mean) = geometric_mean(speedups.iter().copied()) else { return "a run is missing".into() };
    let (low, high) = speedups.iter().flatten().fold((f64::MAX, 0.0f64), |(low, high), s| (low.min(*s), high.max(*s)));
    format!("{low:.2} to {high:.2}, geometric mean {mean:.2}")
}

fn failures(rows: &[Placed]) -> String {
    let mut text = String::new();
    for row in rows.iter().map(|p| &p.row) {
        let Some(why) = &row.failure else { continue };
        let (what, axis) = (if row.series == BASELINE { &row.variant } else { &row.series }, row.axis.as_deref());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- {} on {}: {what} {}: {why}", row.workload, row.graph, axis.unwrap_or_default());
    }
    match text.is_empty() {
        true => text,
        false => format!("## Runs that failed\n\n{text}"),
    }
}
