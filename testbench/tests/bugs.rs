//! Bugs as designers make them are found, and what was once found stays found. `unruly bugs` tries every tool on each.

use std::fs;
use std::path::{Path, PathBuf};
use testbench::bugs::{find, in_kernel, in_kernel_as_shipped, systems, Bug};
use testbench::by_name::replay;
use testbench::error::Error;
use testbench::lockstep::Evidence;
use testbench::pages::Data;

/// Bugs of units that are built in a few seconds, some of each system.
const QUICK: [&str; 7] = [
    "held-loses-a-push",
    "held-of-a-full-bank",
    "one-chunk-too-many",
    "address-of-35-bits",
    "turn-does-not-pass",
    "second-slot-first",
    "want-beats-reset",
];

#[test]
fn quick_bugs_are_found_in_lock_step() {
    let directory = tempfile::tempdir().unwrap();
    for name in QUICK {
        let report = find(name).unwrap().cosim().unwrap().run(1_000_000, 1, directory.path(), &mut |_| {}).unwrap();
        assert!(report.failure().is_some() && report.cycles < 1_000_000, "{name}: {report:?}");
    }
}

/// Traces by the bugs that they are of.
fn traces() -> Vec<(Bug, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let traces = paths.filter(|path| path.extension().is_some_and(|extension| extension == "trace"));
    traces.map(|path| (find(path.file_stem().unwrap().to_str().unwrap()).unwrap(), path)).collect()
}

/// The inputs are legal, the RTL that ships does what the model does, and with the bug it does not.
#[test]
fn minimal_traces_tell_the_rtl_from_the_rtl_with_a_bug() {
    let directory = tempfile::tempdir().unwrap();
    let traces = traces();
    assert!(traces.len() >= 6, "{} traces", traces.len());
    for (bug, trace) in traces {
        assert_eq!(replay(&trace, directory.path()).unwrap(), None, "{}", bug.name);
        match bug.cosim().unwrap().replay(&trace, directory.path()) {
            Ok(Some(_)) | Err(Error::Violation(_)) => {}
            other => panic!("{}: not found: {other:?}", bug.name),
        }
    }
}

#[test]
fn a_trace_that_fails_becomes_short() {
    let directory = tempfile::tempdir().unwrap();
    let bug = find("held-loses-a-push").unwrap().cosim().unwrap();
    let report = bug.run(1_000_000, 3, directory.path(), &mut |_| {}).unwrap();
    let difference = report.difference.unwrap();
    let Evidence::Files { trace, .. } = &difference.evidence else { panic!("{difference}") };
    let minimal = directory.path().join("minimal.trace");
    let found = bug.shrink(trace, &minimal).unwrap().unwrap();
    assert!(found.cycles < 8 && found.cycles <= difference.cycle, "{found:?}, {difference}");
    assert!(bug.replay(&minimal, directory.path()).unwrap().is_some());
    assert_eq!(replay(&minimal, directory.path()).unwrap(), None);
}

/// Values that fill the registers before reset show a reset that is missing, and nothing else.
#[test]
fn a_missing_reset_is_found_in_the_gpu() {
    let directory = tempfile::tempdir().unwrap();
    let bug = find("waits-not-reset").unwrap();
    let seeds = 1..=4;
    let found = seeds.clone().filter(|&seed| in_kernel(&bug, seed, directory.path()).unwrap().is_some());
    assert!(found.count() >= 1, "no seed shows it");
    for seed in seeds {
        let difference = in_kernel_as_shipped(&bug.unit, seed, directory.path()).unwrap();
        assert!(difference.is_none(), "seed {seed}: {difference:?}");
    }
}

#[test]
fn the_rows_are_of_today() {
    let rows = Data::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/data")).unwrap().bugs;
    let bugs: Vec<_> = systems().into_iter().flat_map(|system| system.bugs).collect();
    for bug in &bugs {
        let row = rows.iter().find(|row| row.bug == bug.name && bug.digest().unwrap().starts_with(&row.digest));
        let row = row.unwrap_or_else(|| panic!("docs/data/bugs.json is stale, run `make bugs`: {}", bug.name));
        assert!(row.digest.len() == 12 && row.hunted().unwrap().first().is_some(), "{row:?}");
    }
    assert_eq!(rows.len(), bugs.len(), "docs/data/bugs.json has rows of other bugs");
}
