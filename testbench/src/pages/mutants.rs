//! The page `mutants.md`: the report of `unruly mutate` for each unit.

use super::{code, short};
use crate::by_name::units;
use crate::campaign;
use crate::cosim::Digests;
use crate::mutants::{MutationReport, Survivor};
use gen::elaborate::parameter_list;
use gen::table::{markdown, numbers, with_commas, words, Column};
use hdl::catalog::Instance;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Write;

const COLUMNS: [Column; 10] = [
    words("module"),
    words("unit"),
    words("parameters"),
    numbers("mutants"),
    numbers("killed"),
    numbers("proven equivalent"),
    numbers("survive"),
    numbers("last kill in cycle"),
    words("RTL"),
    words("model and stimulus"),
];

/// The mutants of a unit.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Row {
    /// Mutants that were asked for: the unit may have no more places.
    pub asked: u32,
    #[serde(flatten)]
    pub report: MutationReport,
}

impl Row {
    /// True if the row is of today's RTL, stimulus and effort.
    pub fn is_of(&self, instance: &Instance, today: &Digests) -> bool {
        let effort = (self.asked, self.report.cycles) == (campaign::mutants(instance), campaign::MUTANT_CYCLES);
        effort && self.report.digests == *today
    }

    /// True if mutants survive that have not had so much more stimulus.
    pub fn has_open(&self, patience: u64) -> bool {
        self.report.patience < patience && !self.report.survivors.is_empty()
    }
}

pub(super) fn page(rows: &[Row]) -> String {
    let reports: Vec<&MutationReport> = rows.iter().map(|row| &row.report).collect();
    let largest = |of: fn(&MutationReport) -> u64| with_commas(reports.iter().copied().map(of).max().unwrap_or(0));
    let patience: BTreeSet<_> = reports.iter().map(|report| report.patience).collect();
    let head = format!(
        include_str!("mutants.md"),
        faults = largest(|report| report.mutants),
        cycles = largest(|report| report.cycles),
        patience = with_commas(patience.first().copied().unwrap_or(0))
    );
    let mut page = head + &markdown(&COLUMNS, reports.iter().copied().map(cells));
    let sum = |of: fn(&MutationReport) -> u64| with_commas(reports.iter().copied().map(of).sum());
    let survive = |report: &MutationReport| report.survivors.len() as u64;
    let _ = writeln!(
        page,
        "\nTogether {} mutants: {} killed, {} proven equivalent, {} survive.",
        sum(|report| report.mutants),
        sum(|report| report.killed),
        sum(|report| report.equivalent),
        sum(survive)
    );
    let is_missing = |unit: &&str| !reports.iter().any(|report| report.unit == *unit);
    let missing: Vec<_> = units().into_iter().filter(is_missing).collect();
    if !missing.is_empty() {
        let _ = writeln!(page, "\nWithout a report (not run yet, or failed): {}.", missing.join(", "));
    }
    for cycles in patience.into_iter().skip(1) {
        let rows: Vec<_> = reports.iter().filter(|report| report.patience == cycles).map(|r| code(&r.module)).collect();
        let (cycles, rows) = (with_commas(cycles), rows.join(", "));
        let _ =
            writeln!(page, "\nMutants that nothing had killed so far had {cycles} more cycles in these rows: {rows}.");
    }
    page + "\n## Mutants that survive\n" + &survivors(&reports)
}

fn cells(report: &MutationReport) -> [String; 10] {
    [
        code(&report.module),
        report.unit.clone(),
        parameter_list(&report.parameters),
        with_commas(report.mutants),
        with_commas(report.killed),
        with_commas(report.equivalent),
        report.survivors.len().to_string(),
        with_commas(report.slowest_kill),
        code(short(&report.digests.rtl)),
        code(short(&report.digests.stimulus)),
    ]
}

fn survivors(reports: &[&MutationReport]) -> String {
    let of = |report: &&MutationReport| {
        let lines: String = report.survivors.iter().map(line).collect();
        format!("\n`{}`:\n\n{lines}", report.module)
    };
    let text: String = reports.iter().filter(|report| !report.survivors.is_empty()).map(of).collect();
    if text.is_empty() {
        "\nNone.\n".into()
    } else {
        text
    }
}

fn line(survivor: &Survivor) -> String {
    let Survivor { mutation, finding, .. } = survivor;
    let wire = mutation.wire.as_ref().map(|wire| format!(" ({wire})")).unwrap_or_default();
    let finding = if finding.is_empty() { String::new() } else { format!(" ({finding})") };
    format!("* {} at `{}`{wire} in `{}`: `{}`{finding}\n", mutation.mode, mutation.bit, mutation.module, mutation.line)
}
