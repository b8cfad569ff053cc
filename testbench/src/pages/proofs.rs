//! The page `proofs.md`: a row for each claim of a unit.

use super::{code, short};
use crate::prove::{Claim, Kind, Outcome, ProofReport, Verdict};
use gen::elaborate::parameter_list;
use gen::table::{markdown, words, Column};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

const COLUMNS: [Column; 7] = [
    words("module"),
    words("unit"),
    words("parameters"),
    words("claim"),
    words("what it says"),
    words("result"),
    words("digest"),
];

/// A claim with what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    pub module: String,
    pub unit: String,
    pub parameters: BTreeMap<String, u64>,
    #[serde(flatten)]
    pub claim: Claim,
    pub outcome: Outcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycles: Option<u64>,
    /// SHA-256, shortened.
    pub digest: String,
}

impl Row {
    /// The rows of proofs that were just made.
    pub fn all(report: &ProofReport) -> Vec<Self> {
        let row = |verdict: &Verdict| Row {
            module: report.module.clone(),
            unit: report.unit.clone(),
            parameters: report.parameters.clone(),
            claim: verdict.claim.clone(),
            outcome: verdict.outcome,
            cycles: verdict.cycles,
            digest: short(&report.digest).into(),
        };
        report.verdicts.iter().map(row).collect()
    }

    /// The rows of a unit as it is today, if all are as they should be.
    pub fn kept(rows: &[Self], unit: &str, digest: &str) -> Option<Vec<Self>> {
        let of_it: Vec<_> =
            rows.iter().filter(|row| row.unit == unit && row.digest == short(digest)).cloned().collect();
        (!of_it.is_empty() && of_it.iter().all(|row| row.outcome.is_good())).then_some(of_it)
    }
}

pub(super) fn page(rows: &[Row]) -> String {
    // A claim may be in several rows, each with other ones beside it.
    let proven = |is_invariant| {
        let proven = rows.iter().filter(|row| row.outcome == Outcome::Proven);
        let of_it = proven.filter(|row| (row.claim.kind == Kind::Invariant) == is_invariant);
        of_it.map(|row| (&row.module, &row.claim.name, &row.claim.sentence)).collect::<BTreeSet<_>>().len()
    };
    let units = rows.iter().map(|row| &row.unit).collect::<BTreeSet<_>>().len();
    format!(
        "{}{}\nTogether {} properties and {} invariants of {units} units are proven.\n",
        include_str!("proofs.md"),
        markdown(&COLUMNS, rows.iter().map(cells)),
        proven(false),
        proven(true)
    )
}

fn cells(row: &Row) -> [String; 7] {
    let kind = match row.claim.kind {
        Kind::Property => "",
        Kind::Invariant => "Invariant: ",
        Kind::Reached => "Reached: ",
        Kind::Assumption => "Assumption: ",
        Kind::Choice => "Choice: ",
    };
    [
        code(&row.module),
        row.unit.clone(),
        parameter_list(&row.parameters),
        code(&row.claim.name),
        kind.to_string() + &row.claim.sentence,
        result(row.outcome, row.cycles),
        code(&row.digest),
    ]
}

/// `proven`, `holds for 12 cycles`
pub fn result(outcome: Outcome, cycles: Option<u64>) -> String {
    // The question is not about cycles.
    match (outcome, cycles) {
        (Outcome::Bounded, None) => return "open".into(),
        (Outcome::Failed, None) => return "FAILED".into(),
        _ => {}
    }
    let cycles = match cycles {
        Some(1) => "1 cycle".to_string(),
        Some(cycles) => format!("{cycles} cycles"),
        None => String::new(),
    };
    match outcome {
        Outcome::Proven => "proven".into(),
        Outcome::Bounded => format!("holds for {cycles}"),
        Outcome::Failed => format!("FAILED in {cycles}"),
        Outcome::Reached => format!("reached in {cycles}"),
        Outcome::Unreachable => "never reached".into(),
        Outcome::NotReached => format!("not reached in {cycles}"),
        Outcome::Assumed => "assumed".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(outcome: Outcome) -> Vec<Row> {
        let claim = |kind, sentence: &str| Claim { kind, name: "a".into(), sentence: sentence.into() };
        let verdict = |claim, outcome| Verdict { claim, outcome, cycles: Some(3), trace: vec![], seconds: 0.0 };
        let verdicts = vec![
            verdict(claim(Kind::Property, "Either `a | b`."), Outcome::Proven),
            verdict(claim(Kind::Invariant, "One."), Outcome::Proven),
            verdict(claim(Kind::Property, "Another."), outcome),
        ];
        let (unit, module) = ("queue".into(), "queue_4x4".into());
        Row::all(&ProofReport { unit, module, parameters: BTreeMap::new(), digest: "0".repeat(64), verdicts })
    }

    #[test]
    fn rows_of_today_are_kept() {
        let rows = rows(Outcome::Reached);
        let text = page(&rows);
        assert!(text.ends_with("\nTogether 1 properties and 1 invariants of 1 units are proven.\n"), "{text}");
        let read: Vec<Row> = serde_json::from_str(&super::super::to_json(&rows)).unwrap();
        assert_eq!(Row::kept(&read, "queue", &"0".repeat(64)).unwrap(), rows);
    }

    #[test]
    fn a_claim_in_two_rows_counts_once() {
        let rows = rows(Outcome::Proven);
        let text = page(&[&rows[..], &rows[..]].concat());
        assert!(text.ends_with("\nTogether 2 properties and 1 invariants of 1 units are proven.\n"), "{text}");
    }

    #[test]
    fn rows_of_something_else_and_of_what_is_not_proven_are_not_kept() {
        let digest = "0".repeat(64);
        for outcome in [Outcome::Failed, Outcome::Bounded, Outcome::NotReached, Outcome::Unreachable] {
            assert!(Row::kept(&rows(outcome), "queue", &digest).is_none());
        }
        let good = rows(Outcome::Proven);
        assert!(Row::kept(&good, "bank", &digest).is_none());
        assert!(Row::kept(&good, "queue", &"1".repeat(64)).is_none());
    }
}
