//! The model holds to the reference simulator: instruction counts equal, cycles within the limits, results right.

use crate::common::command::{json, refuses, succeeds, unruly};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

fn calibrate(folder: &Path, more: &[&str]) -> Command {
    let mut command = unruly("calibrate");
    command.arg(folder).args(more);
    command
}

fn set() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/calibration")
}

fn is_racy(run: &Value) -> bool {
    run["timing_dependent"] == Value::Bool(true)
}

/// The command of the README.
#[test]
fn the_whole_set_is_within_the_limits() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("all.json");
    let mut command = calibrate(Path::new("tests/calibration"), &["--json", path.to_str().unwrap()]);
    succeeds(command.current_dir(env!("CARGO_MANIFEST_DIR")));
    let report = json(path);
    let runs = report["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 102);
    let kept = json(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/data/calibration.json"));
    assert!(
        report["runs"] == kept["runs"],
        "run `unruly calibrate tests/calibration --rows docs/data/calibration.json`"
    );
    assert!(runs.iter().all(|run| run["verified"] == Value::Bool(true)));
    let racy = runs.iter().filter(|run| is_racy(run)).count();
    assert_eq!(racy, runs.iter().filter(|run| run["run"].as_str().unwrap().starts_with("bfs_topo")).count());
    for run in runs.iter().filter(|run| !is_racy(run)) {
        for count in ["warp_instructions", "thread_instructions"] {
            assert_eq!(run["ours"][count], run["reference"][count], "{run}");
        }
    }
    assert!(report["mean_difference"].as_f64().unwrap() <= 15.0);
    assert!(report["largest_difference"].as_f64().unwrap() <= 30.0);
}

/// A copy of one run, changed by `change`.
fn changed_set(change: impl Fn(&mut Value)) -> TempDir {
    let directory = TempDir::new().unwrap();
    let mut results = json(set().join("results.json"));
    let runs = results["runs"].as_array_mut().unwrap();
    runs.retain(|r| r["run"] == "fma_chain_latency" && r["compiler"] == "clang" && r["config"] == "micro14");
    change(&mut runs[0]);
    std::fs::write(directory.path().join("results.json"), results.to_string()).unwrap();
    std::fs::create_dir(directory.path().join("ptx")).unwrap();
    std::fs::copy(set().join("ptx/fma_chain.clang.ptx"), directory.path().join("ptx/fma_chain.clang.ptx")).unwrap();
    directory
}

fn fails(code: i32, words: &str, change: impl Fn(&mut Value)) {
    refuses(&mut calibrate(changed_set(change).path(), &[]), code, &[words]);
}

#[test]
fn what_differs_fails() {
    fails(1, "the reference counts 4929", |run| run["total"]["warp_instructions"] = 4929.into());
    fails(1, "cycles differ by", |run| run["total"]["cycles_total"] = 9000.into());
    fails(1, "wrong result: out[0]", |run| run["source"] = "kernels/fma_independent.cu".into());
}

#[test]
fn what_cannot_be_run_is_named() {
    fails(2, "calibration-gtx9", |run| run["config"] = "gtx9".into());
    fails(2, "none.ptx: cannot read", |run| run["ptx"] = "ptx/none.ptx".into());
    fails(2, "takes 4 arguments", |run| run["host_events"][1]["args"] = "out,0.5".into());
    fails(2, "buffer `out` is at", |run| run["host_events"][0]["address"] = 0.into());
    let nowhere = Path::new("no-such-folder");
    refuses(&mut calibrate(nowhere, &[]), 2, &["no-such-folder/results.json: cannot read"]);
}

#[test]
fn rows_are_kept_of_a_set_that_is_within_the_limits() {
    let directory = changed_set(|_| ());
    let rows = directory.path().join("rows.json");
    let with_rows = |folder: &Path| calibrate(folder, &["--rows", rows.to_str().unwrap()]);
    succeeds(&mut with_rows(directory.path()));
    assert_eq!(json(&rows)["runs"][0]["run"], "fma_chain_latency");
    std::fs::remove_file(&rows).unwrap();
    let wrong = changed_set(|run| run["total"]["cycles_total"] = 9000.into());
    refuses(&mut with_rows(wrong.path()), 1, &["cycles differ by"]);
    assert!(!rows.exists());
}
