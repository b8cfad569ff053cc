//! RTL and model of the worklist units in lock-step, and RTL that is broken on purpose.

use std::path::Path;
use testbench::cosim::{cosim, Cosim, CosimReport};
use testbench::lockstep::Evidence;

fn run(unit: &str, parameters: &[(&str, u64)], cycles: u64, seed: u64) -> CosimReport {
    let directory = tempfile::tempdir().unwrap();
    let report = cosim(unit, parameters, cycles, seed, directory.path(), &mut |_| {}).unwrap();
    if let Some(difference) = &report.difference {
        panic!("{difference}");
    }
    assert_eq!((report.cycles, report.mismatches), (cycles, 0));
    assert!(report.comparisons > cycles);
    report
}

/// Every event of the unit's traffic happened.
fn assert_covered(report: &CosimReport) {
    let missed: Vec<_> = report.coverage.iter().filter(|(_, &count)| count == 0).map(|(event, _)| event).collect();
    assert!(missed.is_empty(), "{} never saw: {missed:?}", report.module);
}

#[test]
fn bank() {
    for entries in [4, 32, 128] {
        assert_covered(&run("bank", &[("entries", entries)], 500_000, 1));
    }
}

#[test]
fn sorter() {
    assert_covered(&run("sorter", &[("items", 4), ("width", 5), ("cut", 1)], 100_000, 1));
    for (width, cut) in [(10, 3), (10, 1), (18, 3)] {
        assert_covered(&run("sorter", &[("width", width), ("cut", cut)], 100_000, 2));
    }
}

#[test]
fn wru_sorting() {
    for (lanes, entries) in [(4, 4), (16, 32)] {
        assert_covered(&run("wru_sorting", &[("lanes", lanes), ("entries", entries)], 200_000, 1));
    }
}

#[test]
fn hwwl_core() {
    for (lanes, entries) in [(4, 4), (4, 8), (16, 8), (16, 32)] {
        assert_covered(&run("hwwl_core", &[("lanes", lanes), ("entries", entries)], 200_000, 1));
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let (one, two) = (run("bank", &[], 100_000, 9), run("bank", &[], 100_000, 9));
    assert_eq!((one.comparisons, one.coverage), (two.comparisons, two.coverage));
    assert_ne!(run("bank", &[], 100_000, 10).comparisons, one.comparisons);
}
