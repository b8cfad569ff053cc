//! A sweep as tasks of a real cluster, which is brought up for it on this machine: the same bytes as without one, also after a task was killed.
//!
//! A cluster that cannot be brought up here is skipped by name; `make test-cluster` installs what they need and skips none.

#[allow(dead_code, reason = "a part of it is needed here")]
#[path = "common/command.rs"]
mod command;

use command::{stderr, succeeds, unruly};
use libtest_mimic::{Arguments, Trial};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Five searches of each of six graphs.
const PLAN: &str = r#"
title = "Thirty points"
figure = "bars"
config = "hwwl-micro14"
workloads = ["bfs"]
graphs = ["gen:uniform:2048", "gen:uniform:4096", "gen:grid:32x32", "gen:kron:10", "gen:grid:64x32", "gen:uniform:3000"]
baselines = ["topo", "swwl"]
[axis]
field = "hwwl.entries"
label = "entries a bank"
values = [8, 32, 128]
[[series]]
name = "hardware"
variant = "hwwl"
"#;
const RUNS: usize = 30;
const TASKS: usize = 4;

fn main() -> ExitCode {
    let mut arguments = Arguments::from_args();
    // Clusters share the cores.
    arguments.test_threads.get_or_insert(1);
    let trial = |name: &'static str, engine: &'static str| {
        let is_missing = std::env::var_os("UNRULY_ALL_CLUSTERS").is_none() && !comes_up(engine);
        Trial::test(name, move || Ok(killed_and_gone_on_with(engine))).with_ignored_flag(is_missing)
    };
    let trials = vec![
        trial("a_killed_task_of_slurm_is_made_up_for", "slurm"),
        trial("a_killed_task_of_hyperqueue_is_made_up_for", "hq"),
    ];
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn on(engine: &str) -> Command {
    let mut command = Command::new("python3");
    command.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/cluster.py")).arg(engine).stdin(Stdio::null());
    command
}

fn comes_up(engine: &str) -> bool {
    on(engine).arg("true").output().is_ok_and(|output| output.status.success())
}

fn killed_and_gone_on_with(engine: &str) {
    let place = TempDir::new().unwrap();
    let path = |name: &str| place.path().join(name).display().to_string();
    std::fs::write(path("points.toml"), PLAN).unwrap();
    succeeds(unruly("sweep").args([&path("points.toml"), "--out", &path("local")]));

    let sweep = || sweep(engine, &path("points.toml"), &path("cluster"));
    let first = sweep();
    let dead = kill_a_task(&path("cluster"));
    let output = first.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = stderr(&output);
    let missing = format!("task {dead}: see {}/tasks/{dead}.log", path("cluster"));
    assert!(text.contains(&missing) && text.contains(&format!("of {RUNS} runs are missing")), "{text}");
    let kept = runs(&path("cluster"));

    let output = sweep().wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains(": 1 tasks for "), "only the part that is missing: {}", stderr(&output));
    let all = runs(&path("cluster"));
    assert_eq!(all.len(), RUNS);
    assert!(kept.iter().all(|(name, bytes)| all[name] == *bytes), "what was there was made again");
    for name in ["runs.csv", "runs.json", "report.md", "points.svg"] {
        let [one, other] = ["local", "cluster"].map(|out| std::fs::read(Path::new(&path(out)).join(name)).unwrap());
        assert!(one == other, "{name}");
    }
    let output: Output = sweep().wait_with_output().unwrap();
    assert!(output.status.success() && !stderr(&output).contains("tasks for"), "nothing is left: {}", stderr(&output));
}

fn sweep(engine: &str, plan: &str, out: &str) -> Child {
    let mut command = on(engine);
    command.args([env!("CARGO_BIN_EXE_unruly"), "sweep", plan, "--out", out, "--engine", engine, "--tasks"]);
    command.arg(TASKS.to_string()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The number of a task that was killed before it had done its part.
fn kill_a_task(out: &str) -> usize {
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(60) {
        for task in 1..=TASKS {
            let pattern = format!("--out {out} --shard {task}/{TASKS} ");
            let killed = Command::new("pkill").args(["-KILL", "-f", "--", &pattern]).status().unwrap();
            if killed.success() {
                return task;
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("no task came up");
}

fn runs(out: &str) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(Path::new(out).join("runs")).unwrap().map(|file| file.unwrap());
    let files = files.filter(|file| file.file_name().to_str().unwrap().ends_with(".json"));
    files.map(|file| (file.file_name().into_string().unwrap(), std::fs::read(file.path()).unwrap())).collect()
}
