//! Tables of a figure of measures: every cell and all means, and the paper's numbers beside ours.

use super::table;
use crate::sweep::cells::{bars, classes, geometric, mean, mean_of_workloads, of_workloads, places, Bars, Place};
use crate::sweep::claim::Claim;
use crate::sweep::figure::panels;
use crate::sweep::found::{found, with_addition};
use crate::sweep::measure::{Bar, Kind, Measure};
use crate::sweep::plan::Plan;
use crate::sweep::table::Placed;

pub fn text(plan: &Plan, rows: &[Placed]) -> String {
    let mut text = match &plan.axis {
        Some(axis) => format!("Columns of numbers: {}.\n\n", axis.label),
        None => String::new(),
    };
    for measure in &plan.measures {
        let title = measure.kind.title();
        text += &format!("## {}{}\n\n", title[..1].to_uppercase(), &title[1..]);
        text += &match measure.kind {
            Kind::Speedup => String::new(),
            Kind::WarpTime => format!(
                "In {} (until the first load is served + after it), of {}.\n\n",
                measure.kind.unit(),
                measure.kernels.join(", ")
            ),
            kind if !kind.parts().is_empty() => format!("In {}: {}.\n\n", kind.unit(), kind.parts().join(" / ")),
            kind => format!("In {}.\n\n", kind.unit()),
        };
        for panel in panels(plan) {
            if !panel.is_empty() {
                text += &format!("{panel}:\n\n");
            }
            cells(&mut text, plan, rows, measure, panel);
        }
    }
    text
}

fn shown(kind: Kind, bar: Option<Bar>) -> String {
    bar.map_or("-".into(), |bar| kind.shown_bar(&bar))
}

/// Every cell, the mean of each class or workload, and three means of all. Shares have no geometric mean.
fn cells(text: &mut String, plan: &Plan, rows: &[Placed], measure: &Measure, panel: &str) {
    let (places, columns) = (places(plan, measure), bars(plan, rows, measure, panel));
    let head = ["workload", "graph"].map(str::to_owned).into_iter().chain(columns.iter().map(|c| c.label.clone()));
    let line = |name: [&str; 2], number: &dyn Fn(&Bars) -> Option<Bar>| -> Vec<String> {
        let numbers = columns.iter().map(|column| shown(measure.kind, number(column)));
        name.map(str::to_owned).into_iter().chain(numbers).collect()
    };
    let mut lines: Vec<_> = (0..places.len())
        .map(|i| line([places[i].0, &graph(plan, &places[i])], &|column| column.bars[i].clone()))
        .collect();
    let ratios = measure.kind.parts().is_empty();
    for class in classes(plan, measure) {
        let of = |column: &Bars| of_workloads(&places, &column.bars, &class.workloads);
        lines.push(line([&class.name, "arithmetic mean"], &|column| mean(&of(column))));
        if ratios && !plan.classes.is_empty() {
            lines.push(line([&class.name, "geometric mean"], &|column| geometric(&of(column)).map(Bar::from)));
        }
    }
    lines.push(line(["all cells", "arithmetic mean"], &|column| mean(&column.bars)));
    if ratios {
        lines.push(line(["all cells", "geometric mean"], &|column| geometric(&column.bars).map(Bar::from)));
    }
    lines.push(line(["all workloads", "arithmetic mean of their means"], &|c| {
        mean_of_workloads(&places, &c.bars, measure)
    }));
    table(text, &head.collect::<Vec<_>>(), lines.into_iter());
}

/// The name of the input in the figure, and the input.
fn graph(plan: &Plan, place: &Place) -> String {
    let input = plan.input(place.1);
    plan.labels.get(&input).map_or_else(|| input.clone(), |label| format!("{label} ({input})"))
}

pub fn claims(plan: &Plan, rows: &[Placed]) -> String {
    let mut text = "## What the paper says\n\n".to_owned();
    let head = ["section", "the paper", "measure", "its number", "ours"].map(str::to_owned).into_iter();
    let head = head.chain(plan.addition.as_ref().map(|series| format!("ours, {series}")));
    let head: Vec<_> = head.chain(["difference".to_owned()]).collect();
    let lines = plan.claims.iter().map(|claim| {
        let measure = plan.measure(claim).filter(|_| claim.series.is_some());
        let cells = [
            claim.section.clone(),
            claim.text.clone(),
            measure.map_or(String::new(), |measure| scope(measure, claim)),
            number(measure, claim),
            measure.map_or(String::new(), |_| ours(plan, rows, claim)),
        ];
        let of_addition = || with_addition(plan, rows, claim).map_or(String::new(), |found| found.to_string());
        let cells = cells.into_iter().chain(plan.addition.as_ref().map(|_| of_addition()));
        cells.chain([claim.why.clone().unwrap_or_default()]).collect()
    });
    table(&mut text, &head, lines);
    text
}

/// The measure, the yardstick if not the baseline, and the workloads and graphs if not all.
pub fn scope(measure: &Measure, claim: &Claim) -> String {
    let name = measure.kind.name();
    let what = claim.over.as_ref().map_or(name.to_owned(), |over| format!("{name}, over {over}"));
    let parts = [&claim.parts, &claim.workloads, &claim.graphs].into_iter().flatten().map(|names| names.join(", "));
    std::iter::once(what).chain(parts).collect::<Vec<_>>().join("; ")
}

fn ours(plan: &Plan, rows: &[Placed], claim: &Claim) -> String {
    found(plan, rows, claim).map_or("a run is missing".into(), |found| found.to_string())
}

/// The paper's.
pub fn number(measure: Option<&Measure>, claim: &Claim) -> String {
    let shown = |value: f64| measure.map_or_else(|| value.to_string(), |measure| measure.kind.shown(value));
    let range = claim.range.map(|[low, high]| format!("{} to {}", shown(low), shown(high)));
    claim.value.map(shown).into_iter().chain(range).collect::<Vec<_>>().join("; ")
}
