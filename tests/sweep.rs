//! Sweeps as a user meets them: rows and speedups, going on after a kill, the same bytes every time, plans that cannot be.

use serde_json::Value;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PLAN: &str = r#"
title = "Tiny"
figure = "bars"
config = "hwwl-micro14"
workloads = ["bfs"]
graphs = ["gen:uniform:256", "gen:grid:9x9"]
baselines = ["topo", "swwl"]

[axis]
field = "hwwl.entries"
label = "entries a bank"
values = [8, 32]

[[series]]
name = "demand"
variant = "hwwl"
set = ["hwwl.refill=demand"]

[[series]]
name = "interval"
variant = "hwwl"

[[series]]
name = "the same"
variant = "hwwl"
set = ["hwwl.refill=interval"]

[[series]]
name = "infinite"
variant = "hwwl"
set = ["hwwl.ideal=infinite"]
axis = false

[[claim]]
section = "IV-E"
text = "thirty-two entries do"
series = "interval"
at = 32
range = [1.2, 2.4]
"#;

/// On each graph: two baselines, two series of two values (the third is the same as the second), and one away from the axis.
const RUNS: usize = 2 * (2 + 2 * 2 + 1);

struct Place {
    directory: TempDir,
}

impl Place {
    fn new(plan: &str) -> Place {
        let directory = TempDir::new().unwrap();
        std::fs::write(directory.path().join("tiny.toml"), plan).unwrap();
        Place { directory }
    }

    fn plan(&self) -> PathBuf {
        self.directory.path().join("tiny.toml")
    }

    fn out(&self) -> PathBuf {
        self.directory.path().join("out")
    }

    fn command(&self, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unruly"));
        command.arg("sweep").arg(self.plan()).arg("--out").arg(self.out()).args(more);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn sweep(&self, more: &[&str]) -> Output {
        self.command(more).output().expect("the command starts")
    }

    /// Name and bytes of what a sweep leaves behind besides its runs.
    fn results(&self) -> BTreeMap<String, Vec<u8>> {
        let name = |file: &str| (file.to_owned(), std::fs::read(self.out().join(file)).unwrap());
        ["runs.csv", "runs.json", "report.md", "tiny.svg"].map(name).into()
    }

    /// The finished runs, with what changes when a file is written anew.
    fn runs(&self) -> BTreeMap<String, (u64, i64, i64)> {
        let Ok(files) = std::fs::read_dir(self.out().join("runs")) else { return BTreeMap::new() };
        let entry = |file: std::io::Result<std::fs::DirEntry>| {
            let file = file.ok()?;
            let name = file.file_name().into_string().ok()?;
            let data = file.metadata().ok()?;
            name.ends_with(".json").then_some((name, (data.ino(), data.mtime(), data.mtime_nsec())))
        };
        files.filter_map(entry).collect()
    }

    fn rows(&self) -> Vec<Value> {
        let all: Value = serde_json::from_slice(&std::fs::read(self.out().join("runs.json")).unwrap()).unwrap();
        all["rows"].as_array().unwrap().clone()
    }

    /// Starts a sweep and waits until its first run is finished.
    fn start(&self) -> Child {
        let mut child = self.command(&["--jobs", "1"]).spawn().unwrap();
        let started = Instant::now();
        while self.runs().is_empty() {
            assert!(child.try_wait().unwrap().is_none() && started.elapsed() < Duration::from_secs(120));
            std::thread::sleep(Duration::from_millis(1));
        }
        child
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn succeeds(output: &Output) {
    assert!(output.status.success(), "{}", stderr(output));
}

/// The tiny plan on a graph that takes a while.
fn slow() -> String {
    PLAN.replace("\"gen:uniform:256\", \"gen:grid:9x9\"", "\"gen:uniform:9000\", \"gen:grid:40x40\"")
}

#[test]
fn every_row_is_there_and_speedups_are_over_the_better_baseline() {
    let place = Place::new(PLAN);
    succeeds(&place.sweep(&[]));
    assert_eq!(place.runs().len(), RUNS, "equal runs are made once");
    let rows = place.rows();
    assert_eq!(rows.len(), 2 * (2 + 3 * 2 + 1));
    for graph in ["gen:uniform:256", "gen:grid:9x9"] {
        let here: Vec<_> = rows.iter().filter(|row| row["graph"] == graph).collect();
        let cycles = |row: &Value| row["cycles"].as_u64().unwrap();
        let baselines: Vec<_> = here.iter().filter(|row| row["series"] == "yardstick").collect();
        assert_eq!(baselines.iter().map(|row| row["variant"].as_str().unwrap()).collect::<Vec<_>>(), ["topo", "swwl"]);
        let best = baselines.iter().map(|row| cycles(row)).min().unwrap();
        let mut places = Vec::new();
        for row in here.iter().filter(|row| row["series"] != "yardstick") {
            // The reader of JSON may be off by the last bit.
            let speedup = best as f64 / cycles(row) as f64;
            assert!((row["speedup"].as_f64().unwrap() / speedup - 1.0).abs() < 1e-14, "{row}");
            assert_eq!(row["verified"], true);
            assert!(row["ids_pulled"].as_u64().unwrap() > 0 && row["warp_instructions"].as_u64().unwrap() > 0);
            places.push((row["series"].as_str().unwrap(), row["axis"].as_str().unwrap_or("")));
        }
        let expected = ["demand", "interval", "the same"].map(|s| [(s, "hwwl.entries=8"), (s, "hwwl.entries=32")]);
        assert_eq!(places, [expected.concat(), vec![("infinite", "")]].concat());
    }
    let csv = std::fs::read_to_string(place.out().join("runs.csv")).unwrap();
    assert_eq!(csv.lines().count(), rows.len() + 1);
    assert!(csv.starts_with("workload,graph,nodes,edges,series,") && !csv.contains("seconds"));
    let report = std::fs::read_to_string(place.out().join("report.md")).unwrap();
    assert!(report.contains("| IV-E | thirty-two entries do | 1.2 to 2.4 |"), "{report}");
    assert!(std::fs::read_to_string(place.out().join("tiny.svg")).unwrap().starts_with("<svg"));
}

/// A run of a sweep takes the cycles that `unruly run` gives.
#[test]
fn a_row_is_what_a_single_run_gives() {
    let place = Place::new(PLAN);
    succeeds(&place.sweep(&[]));
    let path = place.directory.path().join("run.json");
    let mut run = Command::new(env!("CARGO_BIN_EXE_unruly"));
    run.args(["run", "bfs", "--graph", "gen:grid:9x9", "--variant", "hwwl", "--against", "topo,swwl"]);
    run.args(["--set", "hwwl.entries=8", "--set", "hwwl.refill=demand", "--json"]).arg(&path);
    succeeds(&run.output().unwrap());
    let run: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let rows = place.rows();
    let same = |r: &&Value| {
        (&r["graph"], &r["series"], &r["axis"]) == (&"gen:grid:9x9".into(), &"demand".into(), &"hwwl.entries=8".into())
    };
    let row = rows.iter().find(same).unwrap();
    for field in ["cycles", "warp_instructions", "thread_instructions", "speedup", "active_threads"] {
        assert_eq!(row[field], run[field], "{field}");
    }
}

#[test]
fn the_bytes_are_the_same_however_many_run_at_a_time() {
    let [one, two] = ["1", "2"].map(|jobs| {
        let place = Place::new(PLAN);
        succeeds(&place.sweep(&["--jobs", jobs]));
        (place.results(), place.runs().into_keys().collect::<Vec<_>>())
    });
    assert!(one == two);
}

#[test]
fn a_killed_sweep_goes_on_where_it_was() {
    let whole = Place::new(&slow());
    succeeds(&whole.sweep(&[]));
    let place = Place::new(&slow());
    let mut child = place.start();
    child.kill().unwrap();
    child.wait().unwrap();
    let before = place.runs();
    assert!((1..RUNS).contains(&before.len()), "{} runs were finished", before.len());
    assert!(!place.out().join("runs.csv").exists());
    succeeds(&place.sweep(&[]));
    let after = place.runs();
    assert_eq!(after.len(), RUNS);
    for (name, stamp) in &before {
        assert_eq!(after[name], *stamp, "{name} was run again");
    }
    assert!(place.results() == whole.results());
}

#[test]
fn an_interrupt_ends_a_sweep_cleanly() {
    let place = Place::new(&slow());
    let child = place.start();
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    let text = stderr(&output);
    assert!(text.contains("interrupted; ") && text.contains(&format!("of {RUNS} runs are kept")), "{text}");
    let leftovers = std::fs::read_dir(place.out().join("runs")).unwrap();
    let names = leftovers.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|name| name.ends_with(".json")));
}

/// What a changed configuration or plan needs is run; what is the same is not; a file that was cut off is.
#[test]
fn no_stale_result_is_taken() {
    let place = Place::new(PLAN);
    succeeds(&place.sweep(&[]));
    let (before, results) = (place.runs(), place.results());
    let cut = before.keys().next().unwrap();
    std::fs::write(place.out().join("runs").join(cut), "{").unwrap();
    succeeds(&place.sweep(&[]));
    assert!(place.results() == results);
    assert!(place.runs().iter().all(|(name, stamp)| (before[name] == *stamp) == (name != cut)));
    std::fs::write(place.plan(), PLAN.replace("\"hwwl-micro14\"", "\"hwwl-micro14\"\nset = [\"core.clock_mhz=900\"]"))
        .unwrap();
    succeeds(&place.sweep(&[]));
    assert_eq!(place.runs().len(), 2 * RUNS);
}

#[test]
fn a_run_that_fails_is_a_row_and_the_others_go_on() {
    let broken =
        "[[series]]\nname = \"broken\"\nvariant = \"hwwl\"\naxis = false\nset = [\"core.registers=64\"]\n\n[[claim]]";
    let place = Place::new(&PLAN.replacen("[[claim]]", broken, 1));
    let output = place.sweep(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("2 of 20 rows failed"), "{}", stderr(&output));
    for row in place.rows() {
        let fails = row["series"] == "broken";
        assert_eq!(row["verified"], !fails);
        assert_eq!(row["failure"].as_str().is_some_and(|why| why.contains("core.registers")), fails);
        assert_eq!(row["cycles"].is_null(), fails);
    }
    assert!(std::fs::read_to_string(place.out().join("report.md")).unwrap().contains("Runs that failed"));
}

#[test]
fn what_cannot_be_is_one_line_that_names_file_and_field() {
    let cases = [
        ("\"bfs\"", "\"bsf\"", &["workloads[0]", "unknown workload `bsf`"][..]),
        ("\"bfs\"", "\"vecadd\"", &["workloads[0]", "works on no graph"]),
        ("\"bfs\"", "\"bfs\", \"bfs\"", &["workloads[1]", "there twice"]),
        ("title =", "titel =", &["line 2", "titel"]),
        ("figure = \"bars\"", "figure = \"pie\"", &["line 3", "pie"]),
        ("axis = false", "axes = false", &["axes"]),
        ("\"hwwl-micro14\"", "\"hwwl-micro15\"", &["config", "unknown preset"]),
        ("\"hwwl-micro14\"", "\"gw-fermi-b32\"", &["axis.values[0]", "hwwl.entries"]),
        ("hwwl.refill=demand", "hwwl.refil=demand", &["series[0].set", "no field `hwwl.refil`"]),
        ("hwwl.refill=demand", "hwwl.refill=never", &["series[0].set", "hwwl.refill = never"]),
        ("[8, 32]", "[8, 33]", &["axis.values[1]", "power of two"]),
        ("[8, 32]", "[]", &["axis.values", "is empty"]),
        ("\"topo\", \"swwl\"", "", &["baselines", "is empty"]),
        ("\"topo\", \"swwl\"", "\"topo\", \"hwwl\"", &["baselines[1]", "software"]),
        ("\"topo\", \"swwl\"", "\"thread\"", &["baselines[0]", "bfs has no variant `thread`"]),
        ("variant = \"hwwl\"", "variant = \"hwll\"", &["series[0].variant", "unknown variant `hwll`"]),
        ("name = \"interval\"", "name = \"demand\"", &["series[1]", "there twice"]),
        ("series = \"interval\"", "series = \"intervals\"", &["claim[0].series", "no series `intervals`"]),
        ("at = 32", "at = 16", &["claim[0].at", "no run at 16"]),
        ("[1.2, 2.4]", "[2.4, 1.2]", &["claim[0].range"]),
        ("gen:grid:9x9", "gen:grid:9", &["graphs[1]"]),
    ];
    for (right, wrong, words) in cases {
        assert!(PLAN.contains(right), "{right}");
        refuses(&PLAN.replacen(right, wrong, 1), words);
    }
    let (head, _) = PLAN.split_once("[axis]").unwrap();
    refuses(&format!("{head}series = []\n"), &["series", "is empty"]);
    let series = "[[series]]\nname = \"a\"\nvariant = \"hwwl\"\n";
    let without = head.replace("hwwl-micro14", "gw-fermi-b32");
    refuses(&format!("{without}{series}"), &["series[0].variant", "bfs hwwl", "gw-fermi-b32"]);
    refuses(&format!("{}{series}", head.replace("bars", "lines")), &["figure", "[axis]"]);
    let topo = series.replace("\"hwwl\"", "\"topo\"");
    refuses(&format!("{}{topo}", head.replace("bars", "activity")), &["series[0].variant", "activity"]);
}

fn refuses(plan: &str, words: &[&str]) {
    let place = Place::new(plan);
    let output = place.sweep(&["--check"]);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
    assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    for word in words.iter().chain(&["tiny.toml"]) {
        assert!(text.contains(word), "should mention `{word}`: {text}");
    }
    assert!(!place.out().exists());
}

#[test]
fn a_plan_that_is_not_there_is_named() {
    let place = Place::new(PLAN);
    std::fs::remove_file(place.plan()).unwrap();
    let output = place.sweep(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("tiny.toml: cannot read the plan"), "{}", stderr(&output));
}

#[test]
fn every_figure_draws_its_form() {
    let lines = PLAN.replace("\"bars\"", "\"lines\"");
    let activity = PLAN.replace("\"bars\"", "\"activity\"");
    for (plan, word) in [(&lines, "entries a bank"), (&activity, "active hardware threads, %")] {
        let place = Place::new(plan);
        succeeds(&place.sweep(&[]));
        let svg = std::fs::read_to_string(place.out().join("tiny.svg")).unwrap();
        assert!(svg.contains(word) && svg.contains("demand"), "{word}");
    }
}

#[test]
fn the_plans_that_come_with_the_project_can_be_carried_out() {
    let plans = Path::new(env!("CARGO_MANIFEST_DIR")).join("plans");
    let mut seen = Vec::new();
    for plan in std::fs::read_dir(plans).unwrap().map(|file| file.unwrap().path()) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unruly"));
        let output = command.arg("sweep").arg(&plan).arg("--check").output().unwrap();
        succeeds(&output);
        assert!(String::from_utf8_lossy(&output.stdout).contains("different runs"));
        seen.push(plan.file_stem().unwrap().to_string_lossy().into_owned());
    }
    seen.sort();
    assert_eq!(seen, ["hwwl-buffering", "hwwl-capacity", "hwwl-cores", "hwwl-schemes"]);
}
