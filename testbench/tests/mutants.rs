//! Mutants of netlists: stimulus finds them, proofs do not hide them, and the design itself stays alive.

use testbench::mutants::{Effort, Mutants, MutationReport};
use testbench::watch::Watch;

fn report(unit: &str, parameters: &[(&str, u64)], count: u32, cycles: u64) -> MutationReport {
    report_of(unit, parameters, count, Effort { cycles, patience: 0, seconds: 1 })
}

fn report_of(unit: &str, parameters: &[(&str, u64)], count: u32, effort: Effort) -> MutationReport {
    Mutants::new(unit, parameters, count, 1).unwrap().run(effort, &Watch::of_this_process()).unwrap()
}

/// A run ends with a panic if the netlist without a fault differs from the model.
#[test]
fn every_fault_of_a_queue_is_found_or_proven_to_be_none() {
    let queue = report("queue", &[("entries", 16), ("width", 16)], 40, 20_000);
    assert_eq!((queue.mutants, queue.survivors.len()), (40, 0), "{:?}", queue.survivors);
    assert_eq!(queue.killed + queue.equivalent, 40);
    assert!(queue.killed > 36, "{} killed", queue.killed);
}

/// A mutant that stimulus kills is not the same as the design: no proof may say that it is, with properties or without.
#[test]
fn no_fault_that_stimulus_finds_is_proven_to_be_none() {
    let of_bank = |cycles| report("bank", &[("entries", 4)], 12, cycles);
    let [long, short] = [20_000, 1].map(of_bank);
    assert!(short.killed < 3 && long.killed > 9, "{} and {} killed", short.killed, long.killed);
    assert_eq!(long.equivalent, short.equivalent);
    // With a part that keeps values.
    let [long, short] = [20_000, 1].map(|cycles| report("queue", &[("entries", 16), ("width", 16)], 8, cycles));
    assert_eq!(long.equivalent, short.equivalent);
}

/// A mutant that is neither found nor proven gets more stimulus, and is not proven for it.
#[test]
fn patience_finds_what_is_left() {
    let of_patience = |patience| report_of("icrn", &[("cores", 2)], 20, Effort { cycles: 1, patience, seconds: 1 });
    let (none, some) = (of_patience(0), of_patience(20_000));
    assert_eq!(none.equivalent, some.equivalent);
    assert!(some.killed > 15 && some.survivors.len() < none.survivors.len(), "{} killed", some.killed);
    assert_eq!(none.killed + none.equivalent + none.survivors.len() as u64, 20);
    assert!(none.survivors.iter().all(|fault| !fault.mutation.mode.is_empty() && fault.mutation.number > 0));
    assert!(none.survivors.iter().any(|fault| fault.mutation.module == "icrn_c2" && !fault.mutation.line.is_empty()));
}

#[test]
fn survivors_of_a_report_are_looked_at_again() {
    let short = report("icrn", &[("cores", 2)], 20, 1);
    let again = |report: &MutationReport| {
        let effort = Effort { cycles: 0, patience: 20_000, seconds: 1 };
        Mutants::again(report.clone(), effort, &Watch::of_this_process())
    };
    let long = again(&short).unwrap();
    assert!(long.survivors.len() < short.survivors.len());
    assert_eq!((long.mutants, long.cycles, long.patience), (20, 1, 20_000));
    assert_eq!(long.killed + long.equivalent + long.survivors.len() as u64, 20);
    let problem = |report: &MutationReport| again(report).unwrap_err().to_string();
    let mut other = short.clone();
    other.digests.rtl = "0".into();
    let then = "than today: make its mutants anew, without --again";
    assert_eq!(problem(&other), format!("the report of icrn_c2 has other RTL or stimulus {then}"));
    let mut other = short;
    other.survivors[0].mutation.mode = "none".into();
    assert_eq!(problem(&other), format!("the report of icrn_c2 has other faults {then}"));
}

#[test]
fn the_same_seed_plants_the_same_faults() {
    let [one, same] = [1, 1].map(|cycles| report("icrn", &[("cores", 2)], 8, cycles).survivors);
    assert!(!one.is_empty());
    assert_eq!(one, same);
}
