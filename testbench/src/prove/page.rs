//! The page of all proofs.

use super::{Kind, Outcome, ProofReport, Subject, TrafficReport, Verdict};
use gen::elaborate::parameter_list;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What stands before the rows.
const HEAD: &str = include_str!("page.md");

/// A row of docs/proofs.md for each claim of a unit.
pub struct Rows(Vec<String>);

impl Rows {
    /// Of proofs that were just made.
    pub fn of(report: &ProofReport) -> Self {
        let ProofReport { unit, module, parameters, digest, verdicts } = report;
        let (parameters, digest) = (parameter_list(parameters), &digest[..12]);
        let row = |verdict: &Verdict| {
            let (name, sentence, result) = (&verdict.claim.name, kind_and_sentence(verdict), result(verdict));
            format!("| `{module}` | {unit} | {parameters} | `{name}` | {sentence} | {result} | `{digest}` |")
        };
        Rows(verdicts.iter().map(row).collect())
    }

    /// Those that a page has of `subject`, if they are of what it is today and all is as it should be.
    pub fn kept(page: &str, subject: &Subject) -> Option<Self> {
        let (unit, digest) = (format!("| {} |", subject.unit), format!("| `{}` |", &subject.digest()[..12]));
        let rows: Vec<_> = page.lines().filter(|row| row.contains(&unit) && row.ends_with(&digest)).collect();
        let is_good =
            |row: &&str| ["proven", "reached in", "assumed"].iter().any(|good| cell(row, RESULT).starts_with(good));
        (!rows.is_empty() && rows.iter().all(is_good)).then(|| Rows(rows.into_iter().map(String::from).collect()))
    }
}

/// Places of cells in a row of docs/proofs.md.
const MODULE: usize = 1;
const UNIT: usize = 2;
const CLAIM: usize = 4;
const SENTENCE: usize = 5;
const RESULT: usize = 6;

fn cell(row: &str, place: usize) -> &str {
    // A bar within a sentence has a backslash before it.
    let mut bars = row.match_indices('|').map(|(bar, _)| bar).filter(|&bar| !row[..bar].ends_with('\\'));
    let (begin, end) = (bars.nth(place - 1), bars.next());
    begin.zip(end).map_or("", |(begin, end)| row[begin + 1..end].trim())
}

/// docs/proofs.md.
pub fn page<'a>(rows: impl Iterator<Item = &'a Rows>) -> String {
    let rows: Vec<&str> = rows.flat_map(|rows| &rows.0).map(String::as_str).collect();
    let proven = rows.iter().copied().filter(|row| cell(row, RESULT) == "proven");
    // A claim may stand in several rows, each with other ones beside it.
    let proven: BTreeSet<_> = proven.map(|row| [MODULE, CLAIM, SENTENCE].map(|place| cell(row, place))).collect();
    let invariants = proven.iter().filter(|[.., sentence]| sentence.starts_with(INVARIANT)).count();
    let units = rows.iter().map(|row| cell(row, UNIT)).collect::<BTreeSet<_>>().len();
    let head = ["| module | unit | parameters | claim | | result | digest |", "|---|---|---|---|---|---|---|"];
    let table: String = head.into_iter().chain(rows).flat_map(|row| [row, "\n"]).collect();
    format!(
        "{HEAD}{table}\nTogether {} properties and {invariants} invariants of {units} units are proven.\n",
        proven.len() - invariants
    )
}

const INVARIANT: &str = "Invariant: ";

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

/// What stands before the rows of docs/assumptions.md.
const ASSUMPTIONS_HEAD: &str = include_str!("assumptions.md");

/// A row of docs/assumptions.md.
pub struct TrafficRow(String);

impl TrafficRow {
    /// Of what was just seen.
    pub fn of(report: &TrafficReport) -> Self {
        let TrafficReport { unit, module, parameters, cycles, assumptions, others, broken, digest, .. } = report;
        let parameters = parameter_list(parameters);
        let result = broken.as_ref().map_or("all held".into(), |broken| format!("FAILED: `{}`", broken.claim.name));
        TrafficRow(format!(
            "| `{module}` | {unit} | {parameters} | {assumptions} | {others} | {cycles} | {result} | `{}` |",
            &digest[..12]
        ))
    }

    /// The one that a page has of `subject`, if it is of what RTL, properties and traffic are today, of as many cycles and without a failure.
    pub fn kept(page: &str, subject: &Subject, cycles: u64, digest: &str) -> Option<Self> {
        let (unit, end) = (format!("| {} |", subject.unit), format!("| {cycles} | all held | `{}` |", &digest[..12]));
        let row = page.lines().find(|row| row.contains(&unit) && row.ends_with(&end))?;
        Some(TrafficRow(row.into()))
    }
}

/// docs/assumptions.md.
pub fn assumptions_page(rows: &[TrafficRow]) -> String {
    let head = "| module | unit | parameters | assumptions | other claims | cycles | result | digest |\n|---|---|---|--:|--:|--:|---|---|\n";
    let rows: String = rows.iter().flat_map(|row| [row.0.as_str(), "\n"]).collect();
    format!("{ASSUMPTIONS_HEAD}{head}{rows}")
}

fn kind_and_sentence(verdict: &Verdict) -> String {
    let kind = match verdict.claim.kind {
        Kind::Property => "",
        Kind::Invariant => INVARIANT,
        Kind::Reached => "Reached: ",
        Kind::Assumption => "Assumption: ",
        Kind::Choice => "Choice: ",
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

#[cfg(test)]
mod tests {
    use super::super::Claim;
    use super::*;

    fn report(outcome: Outcome) -> (Subject, ProofReport) {
        let subject = Subject::all("queue", &[]).unwrap().remove(0);
        let claim = |kind, sentence: &str| Claim { kind, name: "a".into(), sentence: sentence.into() };
        let verdict = |claim, outcome| Verdict { claim, outcome, cycles: Some(3), trace: vec![], seconds: 0.0 };
        let verdicts = vec![
            verdict(claim(Kind::Property, "Either `a | b`."), Outcome::Proven),
            verdict(claim(Kind::Invariant, "One."), Outcome::Proven),
            verdict(claim(Kind::Property, "Another."), outcome),
        ];
        let (unit, module) = (subject.unit.clone(), "queue_4x4".into());
        let (parameters, digest) = (subject.parameters.clone(), subject.digest());
        (subject, ProofReport { unit, module, parameters, digest, verdicts })
    }

    #[test]
    fn rows_of_today_are_kept() {
        let (subject, report) = report(Outcome::Reached);
        let text = page([Rows::of(&report)].iter());
        assert!(text.ends_with("\nTogether 1 properties and 1 invariants of 1 units are proven.\n"), "{text}");
        let kept = Rows::kept(&text, &subject).unwrap();
        assert_eq!(page([kept].iter()), text);
    }

    #[test]
    fn a_claim_in_two_rows_counts_once() {
        let (_, report) = report(Outcome::Proven);
        let text = page([Rows::of(&report), Rows::of(&report)].iter());
        assert!(text.ends_with("\nTogether 2 properties and 1 invariants of 1 units are proven.\n"), "{text}");
    }

    #[test]
    fn rows_of_something_else_and_of_what_is_not_proven_are_not_kept() {
        for outcome in [Outcome::Failed, Outcome::Bounded, Outcome::NotReached, Outcome::Unreachable] {
            let (subject, open) = report(outcome);
            assert!(Rows::kept(&page([Rows::of(&open)].iter()), &subject).is_none());
        }
        let (subject, good) = report(Outcome::Proven);
        let other = subject.with_properties(|text| format!("{text} // another"));
        assert!(Rows::kept(&page([Rows::of(&good)].iter()), &other).is_none());
    }
}
