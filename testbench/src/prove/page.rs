//! The page of all proofs.

use super::{Kind, Outcome, ProofReport, Verdict};
use gen::elaborate::parameter_list;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What stands before the rows.
const HEAD: &str = include_str!("page.md");

/// docs/proofs.md: a row for each claim.
pub fn page(reports: &[ProofReport]) -> String {
    let mut page =
        format!("{HEAD}| module | unit | parameters | claim | | result | digest |\n|---|---|---|---|---|---|---|\n");
    for report in reports {
        for verdict in &report.verdicts {
            let _ = writeln!(
                page,
                "| `{}` | {} | {} | `{}` | {} | {} | `{}` |",
                report.module,
                report.unit,
                parameter_list(&report.parameters),
                verdict.claim.name,
                kind_and_sentence(verdict),
                result(verdict),
                &report.digest[..12]
            );
        }
    }
    let count = |kind: Kind| {
        reports
            .iter()
            .flat_map(|report| &report.verdicts)
            .filter(|v| v.claim.kind == kind && v.outcome == Outcome::Proven)
            .count()
    };
    let _ = writeln!(
        page,
        "\nTogether {} properties and {} invariants of {} units are proven.",
        count(Kind::Property),
        count(Kind::Invariant),
        reports.iter().map(|report| &report.unit).collect::<BTreeSet<_>>().len()
    );
    page
}

/// What stands before the rows of docs/gates.md.
const GATES_HEAD: &str = include_str!("gates.md");

/// docs/gates.md: a row for each part of a unit, and the others of `units` by name.
pub fn gates_page(reports: &[ProofReport], units: &[&str]) -> String {
    let mut page = format!("{GATES_HEAD}| part | unit | parameters | | result | digest |\n|---|---|---|---|---|---|\n");
    for report in reports {
        for verdict in &report.verdicts {
            let _ = writeln!(
                page,
                "| `{}` | {} | {} | {} | {} | `{}` |",
                verdict.claim.name,
                report.unit,
                parameter_list(&report.parameters),
                verdict.claim.sentence,
                result(verdict),
                &report.digest[..12]
            );
        }
    }
    let is_missing = |unit: &&&str| !reports.iter().any(|report| report.unit == **unit);
    let missing: Vec<String> = units.iter().filter(is_missing).map(|unit| format!("`{unit}`")).collect();
    if !missing.is_empty() {
        let _ = writeln!(page, "\nNot compared: {}.", missing.join(", "));
    }
    page
}

fn kind_and_sentence(verdict: &Verdict) -> String {
    let kind = match verdict.claim.kind {
        Kind::Property => "",
        Kind::Invariant => "Invariant: ",
        Kind::Reached => "Reached: ",
        Kind::Assumption => "Assumption: ",
    };
    kind.to_string() + &verdict.claim.sentence.replace('|', "\\|")
}

/// `proven`, `holds for 12 cycles`
pub fn result(verdict: &Verdict) -> String {
    // Of a question that is not about cycles.
    match (verdict.outcome, verdict.cycles) {
        (Outcome::Bounded, None) => return "open".into(),
        (Outcome::Failed, None) => return "FAILED".into(),
        _ => {}
    }
    let cycles = match verdict.cycles {
        Some(1) => "1 cycle".to_string(),
        Some(cycles) => format!("{cycles} cycles"),
        None => String::new(),
    };
    match verdict.outcome {
        Outcome::Proven => "proven".into(),
        Outcome::Bounded => format!("holds for {cycles}"),
        Outcome::Failed => format!("FAILED in {cycles}"),
        Outcome::Reached => format!("reached in {cycles}"),
        Outcome::Unreachable => "never reached".into(),
        Outcome::NotReached => format!("not reached in {cycles}"),
        Outcome::Assumed => "assumed".into(),
    }
}
