//! The page `mutants.md`: mutants. `scripts/mutation_campaign.py` keeps the reports of `unruly mutate`, a file for each unit.

use super::{code, short};
use crate::cosim::units;
use crate::error::{Error, Result};
use crate::mutants::{MutationReport, Survivor};
use gen::elaborate::parameter_list;
use gen::table::{markdown, numbers, with_commas, words, Column};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

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

/// The reports of a folder, in the order of the catalogue.
pub(super) fn read(folder: &Path) -> Result<Vec<MutationReport>> {
    let mut reports = vec![];
    for entry in std::fs::read_dir(folder).map_err(Error::file(folder))? {
        let path = entry.map_err(Error::file(folder))?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = std::fs::read_to_string(&path).map_err(Error::file(&path))?;
            let report = serde_json::from_str(&text).map_err(|problem| Error::file(&path)(problem.into()))?;
            reports.push(report);
        }
    }
    let units = units();
    reports.sort_by_key(|report: &MutationReport| units.iter().position(|unit| *unit == report.unit));
    Ok(reports)
}

pub(super) fn page(reports: &[MutationReport]) -> String {
    let largest = |of: fn(&MutationReport) -> u64| with_commas(reports.iter().map(of).max().unwrap_or(0));
    let patience: BTreeSet<_> = reports.iter().map(|report| report.patience).collect();
    let head = format!(
        include_str!("mutants.md"),
        faults = largest(|report| report.mutants),
        cycles = largest(|report| report.cycles),
        patience = with_commas(patience.first().copied().unwrap_or(0)),
        most = largest(|report| report.patience)
    );
    let mut page = head + &markdown(&COLUMNS, reports.iter().map(cells));
    let sum = |of: fn(&MutationReport) -> u64| with_commas(reports.iter().map(of).sum());
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
    page + "\n## Mutants that survive\n" + &survivors(reports)
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
        code(short(&report.digests.traffic)),
    ]
}

fn survivors(reports: &[MutationReport]) -> String {
    let of = |report: &MutationReport| {
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
