//! Properties of units: those that ship are proven, and RTL with a planted bug breaks the right one.

use testbench::prove::{Kind, Outcome, ProofReport, Subject};

const SECONDS: u32 = 60;

fn queue() -> Subject {
    Subject::new("queue", &[]).unwrap()
}

fn shown(report: &ProofReport) -> Vec<(&str, Outcome, Option<u64>, f64)> {
    report.verdicts.iter().map(|v| (v.claim.name.as_str(), v.outcome, v.cycles, v.seconds)).collect()
}

#[test]
fn the_queue_is_one() {
    let report = queue().prove(SECONDS).unwrap();
    assert_eq!(report.failures().len(), 0, "{:#?}", shown(&report));
    let proven =
        |kind: Kind| report.verdicts.iter().filter(|v| v.claim.kind == kind && v.outcome == Outcome::Proven).count();
    assert!(proven(Kind::Property) >= 4 && proven(Kind::Invariant) >= 1);
}
