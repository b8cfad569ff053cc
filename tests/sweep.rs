//! Sweeps as a user meets them: rows and speedups, going on after a kill, the same bytes every time, plans that cannot be, figures that
//! are drawn again.

use crate::common::command::{self, ends, json, stderr, succeeds, unruly};
use crate::common::interrupt::interrupt;
use serde_json::Value;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
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

    /// A place where the plan has been carried out.
    fn swept(plan: &str) -> Place {
        let place = Place::new(plan);
        place.sweep();
        place
    }

    fn plan(&self) -> PathBuf {
        self.directory.path().join("tiny.toml")
    }

    fn out(&self) -> PathBuf {
        self.directory.path().join("out")
    }

    /// The text of a file of the results.
    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.out().join(name)).unwrap()
    }

    fn command(&self, more: &[&str]) -> Command {
        let mut command = sweep(&self.plan());
        command.arg("--out").arg(self.out()).args(more).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn sweep(&self) {
        succeeds(&mut self.command(&[]));
    }

    /// Name and bytes of a sweep's files other than its runs.
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

    /// Plot and report, made of nothing but the rows, equal those of the sweep.
    fn draws_the_same_again(&self) {
        let again = self.directory.path().join("again");
        succeeds(sweep(&self.plan()).arg("--from").arg(self.out().join("runs.csv")).arg("--out").arg(&again));
        for file in ["tiny.svg", "report.md"] {
            let [first, second] = [&self.out(), &again].map(|out| std::fs::read_to_string(out.join(file)).unwrap());
            assert!(first == second, "{file} differs");
        }
        assert_eq!(std::fs::read_dir(&again).unwrap().count(), 2, "nothing else is written");
    }

    fn rows(&self) -> Vec<Value> {
        json(self.out().join("runs.json"))["rows"].as_array().unwrap().clone()
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

fn sweep(plan: &Path) -> Command {
    let mut command = unruly("sweep");
    command.arg(plan);
    command
}

/// The JSON of `unruly run`.
fn run(args: &str) -> Value {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("run.json");
    succeeds(unruly(&format!("run {args}")).arg("--json").arg(&path));
    json(path)
}

/// The tiny plan on a graph that takes a while.
fn slow() -> String {
    PLAN.replace("\"gen:uniform:256\", \"gen:grid:9x9\"", "\"gen:uniform:9000\", \"gen:grid:40x40\"")
}

#[test]
fn every_row_is_there_and_speedups_are_over_the_better_baseline() {
    let place = Place::swept(PLAN);
    assert_eq!(place.runs().len(), RUNS, "equal runs are made once");
    let rows = place.rows();
    assert_eq!(rows.len(), 2 * (2 + 3 * 2 + 1));
    for graph in ["gen:uniform:256", "gen:grid:9x9"] {
        let here: Vec<_> = rows.iter().filter(|row| row["graph"] == graph).collect();
        let cycles = |row: &Value| row["cycles"].as_u64().unwrap();
        let baselines: Vec<_> = here.iter().filter(|row| row["series"] == "baseline").collect();
        assert_eq!(baselines.iter().map(|row| row["variant"].as_str().unwrap()).collect::<Vec<_>>(), ["topo", "swwl"]);
        let best = baselines.iter().map(|row| cycles(row)).min().unwrap();
        let mut places = Vec::new();
        for row in here.iter().filter(|row| row["series"] != "baseline") {
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
    let csv = place.read("runs.csv");
    assert_eq!(csv.lines().count(), rows.len() + 1);
    assert!(csv.starts_with("workload,graph,nodes,edges,series,") && !csv.contains("seconds"));
    let report = place.read("report.md");
    assert!(report.contains("| IV-E | thirty-two entries do | 1.2 to 2.4 |"), "{report}");
    assert!(place.read("tiny.svg").starts_with("<svg"));
    place.draws_the_same_again();
}

/// A run of a sweep takes the cycles that `unruly run` gives.
#[test]
fn a_row_is_what_a_single_run_gives() {
    let place = Place::swept(PLAN);
    let set = "--set hwwl.entries=8 --set hwwl.refill=demand";
    let run = run(&format!("bfs --graph gen:grid:9x9 --variant hwwl --against topo,swwl {set}"));
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
        succeeds(&mut place.command(&["--jobs", jobs]));
        (place.results(), place.runs().into_keys().collect::<Vec<_>>())
    });
    assert!(one == two);
}

#[test]
fn a_killed_sweep_goes_on_where_it_was() {
    let whole = Place::swept(&slow());
    let place = Place::new(&slow());
    let mut child = place.start();
    child.kill().unwrap();
    child.wait().unwrap();
    let before = place.runs();
    assert!((1..RUNS).contains(&before.len()), "{} runs were finished", before.len());
    assert!(!place.out().join("runs.csv").exists());
    place.sweep();
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
    let text = stderr(&interrupt(place.start()));
    assert!(text.contains("interrupted; ") && text.contains(&format!("of {RUNS} runs are kept")), "{text}");
    let leftovers = std::fs::read_dir(place.out().join("runs")).unwrap();
    let names = leftovers.map(|file| file.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|name| name.ends_with(".json")));
}

/// Rows of a changed configuration or plan are run again, and so is one whose file was cut off; others are not.
#[test]
fn no_stale_result_is_taken() {
    let place = Place::swept(PLAN);
    let (before, results) = (place.runs(), place.results());
    let cut = before.keys().next().unwrap();
    std::fs::write(place.out().join("runs").join(cut), "{").unwrap();
    place.sweep();
    assert!(place.results() == results);
    assert!(place.runs().iter().all(|(name, stamp)| (before[name] == *stamp) == (name != cut)));
    std::fs::write(place.plan(), PLAN.replace("\"hwwl-micro14\"", "\"hwwl-micro14\"\nset = [\"core.clock_mhz=900\"]"))
        .unwrap();
    place.sweep();
    assert_eq!(place.runs().len(), 2 * RUNS);
}

/// Rows that are there are kept as they are, right or not; those of the second series are made.
#[test]
fn runs_without_a_row_are_made_beside_the_others() {
    let place = Place::swept(PLAN);
    let (mut results, csv) = (place.results(), place.directory.path().join("part.csv"));
    results.remove("runs.json");
    let part: Vec<_> =
        place.read("runs.csv").lines().filter(|row| !row.contains(",demand,")).map(str::to_owned).collect();
    assert!(part.len() > 1 && part.len() < place.rows().len());
    std::fs::write(&csv, part.join("\n") + "\n").unwrap();
    std::fs::remove_dir_all(place.out()).unwrap();
    let from = ["--from", csv.to_str().unwrap()];
    ends(&mut place.command(&from), 2, &["no row for ", "--complete"]);
    succeeds(&mut place.command(&[&from[..], &["--complete"]].concat()));
    results.iter().for_each(|(name, bytes)| assert!(place.read(name).as_bytes() == bytes, "{name} differs"));
    assert!((1..RUNS).contains(&place.runs().len()), "only what was missing was simulated");
}

#[test]
fn a_run_that_fails_is_a_row_and_the_others_go_on() {
    let broken =
        "[[series]]\nname = \"broken\"\nvariant = \"hwwl\"\naxis = false\nset = [\"core.registers=64\"]\n\n[[claim]]";
    let place = Place::new(&PLAN.replacen("[[claim]]", broken, 1));
    ends(&mut place.command(&[]), 1, &["2 of 20 rows failed"]);
    for row in place.rows() {
        let fails = row["series"] == "broken";
        assert_eq!(row["verified"], !fails);
        assert_eq!(row["failure"].as_str().is_some_and(|why| why.contains("core.registers")), fails);
        assert_eq!(row["cycles"].is_null(), fails);
    }
    assert!(place.read("report.md").contains("Runs that failed"));
}

#[test]
fn what_cannot_be_is_one_line_that_names_file_and_field() {
    let cases = [
        ("\"bfs\"", "\"bsf\"", &["workloads[0]", "unknown workload `bsf`", "did you mean `bfs`?"][..]),
        ("\"bfs\"", "\"vecadd\"", &["graphs", "no workload runs on them"]),
        ("[\"gen:uniform:256\", \"gen:grid:9x9\"]", "[]", &["graphs", "is empty"]),
        ("\"bfs\"", "\"bfs\", \"bfs\"", &["workloads[1]", "there twice"]),
        ("title =", "titel =", &["line 2", "titel", "did you mean `title`?"]),
        ("figure = \"bars\"", "figure = \"bars\"\naddition = \"ours\"", &["addition: no series `ours`"]),
        ("figure = \"bars\"", "figure = \"pie\"", &["line 3: figure: unknown variant `pie`"]),
        ("figure = \"bars\"", "figure = \"line\"", &["line 3: figure: ", "did you mean `lines`?"]),
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
        (
            "variant = \"hwwl\"",
            "variant = \"hwll\"",
            &["series[0].variant", "unknown variant `hwll`", "did you mean `hwwl`?"],
        ),
        ("name = \"interval\"", "name = \"demand\"", &["series[1]", "there twice"]),
        ("name = \"interval\"", "name = \"baseline\"", &["series[1].name", "baselines"]),
        ("series = \"interval\"", "series = \"intervals\"", &["claim[0].series", "no series `intervals`"]),
        ("at = 32", "at = 16", &["claim[0].at", "no run at 16"]),
        ("[1.2, 2.4]", "[2.4, 1.2]", &["claim[0].range"]),
        ("gen:grid:9x9", "gen:grid:9", &["graphs[1]"]),
        ("[axis]", "[reading.\"a.mtx\"]\n[axis]", &["reading: no graph `a.mtx` in graphs or inputs"]),
        ("[axis]", "[reading.\"gen:grid:9x9\"]\ndirected = true\n[axis]", &["graphs[1]", "are for graphs in files"]),
        (
            "[axis]",
            "[reading.\"gen:grid:9x9\"]\nlengths = \"half\"\n[axis]",
            &["reading.gen:grid:9x9: lengths", "`half`"],
        ),
        ("[axis]", "[reading.\"gen:grid:9x9\"]\nformat = \"mtx\"\n[axis]", &["format", "`mtx`; give one of"]),
    ];
    refuses_each(PLAN, &cases);
    let (head, _) = PLAN.split_once("[axis]").unwrap();
    refuses(&format!("{head}series = []\n"), &["series", "is empty"]);
    let series = "[[series]]\nname = \"a\"\nvariant = \"hwwl\"\n";
    let without = head.replace("hwwl-micro14", "gw-fermi-b32");
    refuses(&format!("{without}{series}"), &["series[0].variant", "bfs hwwl", "gw-fermi-b32"]);
    refuses(&format!("{}{series}", head.replace("bars", "lines")), &["figure", "[axis]"]);
    let topo = series.replace("\"hwwl\"", "\"topo\"");
    refuses(&format!("{}{topo}", head.replace("bars", "activity")), &["series[0].variant", "activity"]);
}

/// Each case: a text of the plan, a wrong one in its place, and words of the message.
fn refuses_each(plan: &str, cases: &[(&str, &str, &[&str])]) {
    for (right, wrong, words) in cases {
        assert!(plan.contains(right), "{right}");
        refuses(&plan.replacen(right, wrong, 1), words);
    }
}

fn refuses(plan: &str, words: &[&str]) {
    let place = Place::new(plan);
    command::refuses(&mut place.command(&["--check"]), 2, &[words, &["tiny.toml"]].concat());
    assert!(!place.out().exists());
}

#[test]
fn a_plan_that_is_not_there_is_named() {
    let place = Place::new(PLAN);
    std::fs::remove_file(place.plan()).unwrap();
    ends(&mut place.command(&[]), 2, &["tiny.toml: cannot read the plan"]);
}

/// Its own rows; rows with another number of cycles, and with another counter.
#[test]
fn runs_that_differ_from_their_rows_are_found() {
    let place = Place::swept(PLAN);
    let csv = place.out().join("runs.csv");
    let again = || {
        let mut command = sweep(&place.plan());
        command.arg("--from").arg(&csv).args(["--again", "1"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    assert!(succeeds(&mut again()).starts_with("1 of "));
    ends(
        sweep(&place.plan()).arg("--from").arg(&csv).args(["--again", "0"]).stderr(Stdio::piped()),
        2,
        &["--again", "zero"],
    );
    let text = std::fs::read_to_string(&csv).unwrap();
    let columns: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    for (column, says) in [("cycles", " cycles, in its row 7: sweep"), ("thread_instructions", "thread_instructions ")]
    {
        let at = columns.iter().position(|name| name == &column).unwrap();
        let changed = |line: &str| {
            line.split(',').enumerate().map(|(i, cell)| if i == at { "7" } else { cell }).collect::<Vec<_>>().join(",")
        };
        let lines: Vec<String> = text.lines().skip(1).map(changed).collect();
        std::fs::write(&csv, format!("{}\n{}\n", columns.join(","), lines.join("\n"))).unwrap();
        ends(&mut again(), 1, &[says]);
    }
}

/// Results of each system: a change of the model or of a kernel that moves them makes the committed rows stale.
#[test]
fn committed_results_are_those_of_this_model() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (plan, runs) in [("hwwl-tuning", "3"), ("iru-timeout", "2"), ("gw-swst", "4"), ("composition", "2")] {
        let csv = root.join(format!("docs/results/{plan}/runs.csv"));
        let mut command = sweep(&root.join(format!("plans/{plan}.toml")));
        let said = succeeds(command.arg("--from").arg(csv).args(["--again", runs]));
        assert!(said.contains("made again: as in their rows"), "{plan}: {said}");
    }
}

#[test]
fn every_figure_draws_its_form() {
    let lines = PLAN.replace("\"bars\"", "\"lines\"");
    let activity = PLAN.replace("\"bars\"", "\"activity\"");
    for (plan, word) in [(&lines, "entries a bank"), (&activity, "active hardware threads, %")] {
        let place = Place::swept(plan);
        let svg = place.read("tiny.svg");
        assert!(svg.contains(word) && svg.contains("demand"), "{word}");
        type_can_be_read(&svg);
        place.draws_the_same_again();
    }
}

#[test]
fn the_plans_that_come_with_the_project_can_be_carried_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/sweeps.md")).unwrap();
    let mut seen = Vec::new();
    for plan in std::fs::read_dir(root.join("plans")).unwrap().map(|file| file.unwrap().path()) {
        let name = plan.file_stem().unwrap().to_string_lossy().into_owned();
        let row = page.lines().find(|line| line.starts_with(&format!("| `plans/{name}.toml` | "))).unwrap();
        let [.., points, runs] = row.trim_end_matches(" |").split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        assert_eq!(succeeds(sweep(&plan).arg("--check")), format!("{name}: {points} points, {runs} different runs\n"));
        seen.push(name);
    }
    seen.sort();
    let hwwl = [
        "hwwl-atomics",
        "hwwl-atomics-by-lane",
        "hwwl-bins",
        "hwwl-buffering",
        "hwwl-capacity",
        "hwwl-cores",
        "hwwl-gain-16",
        "hwwl-link",
        "hwwl-schemes",
        "hwwl-table2",
        "hwwl-tuning",
    ];
    let gw = [
        "gw-ablation",
        "gw-figures",
        "gw-gain",
        "gw-gain-large",
        "gw-ideal",
        "gw-large",
        "gw-storage",
        "gw-swst",
        "gw-width",
    ];
    let iru = [
        "iru-bundle",
        "iru-conditions",
        "iru-figures",
        "iru-frontier",
        "iru-hash",
        "iru-kernels",
        "iru-large",
        "iru-link",
        "iru-sets",
        "iru-timeout",
    ];
    assert_eq!(seen, [&["composition"][..], &gw, &hwwl, &iru].concat());
}

const YARDSTICKS: &str = r#"
[[yardstick]]
name = "either worklist"
of = ["swwl", "demand"]

[[claim]]
section = "II"
text = "faster than software"
series = "interval"
at = 8
over = "either worklist"

[[claim]]
section = "II"
text = "as fast as itself"
series = "either worklist"
at = 32
over = "topo"
"#;

/// The fastest of a variant among the baselines and a series at the same place of the axis.
#[test]
fn a_yardstick_is_the_fastest_of_what_it_names() {
    let place = Place::swept(&(PLAN.to_owned() + YARDSTICKS));
    let rows = place.rows();
    let cycles = |graph: &str, what: [&str; 2], axis: &str| -> f64 {
        let [column, name] = what;
        let same = |r: &&Value| {
            r["graph"] == graph
                && r[column] == name
                && (r["axis"].is_null() || r["axis"] == format!("hwwl.entries={axis}"))
        };
        rows.iter().filter(same).map(|r| r["cycles"].as_f64().unwrap()).reduce(f64::min).unwrap()
    };
    let graphs = ["gen:uniform:256", "gen:grid:9x9"];
    let yardstick = |graph: &str, axis: &str| {
        cycles(graph, ["variant", "swwl"], axis).min(cycles(graph, ["series", "demand"], axis))
    };
    let geometric = |of: &dyn Fn(&str) -> f64| (of(graphs[0]) * of(graphs[1])).sqrt();
    let own = geometric(&|graph| yardstick(graph, "8") / cycles(graph, ["series", "interval"], "8"));
    let topo = geometric(&|graph| cycles(graph, ["variant", "topo"], "32") / yardstick(graph, "32"));
    let report = place.read("report.md");
    let line = |words: &str| report.lines().find(|line| line.contains(words)).unwrap().to_owned();
    assert!(line("faster than software").contains(&format!("geometric {own:.2}")), "{}", line("faster than software"));
    assert!(line("as fast as itself").contains(&format!("geometric {topo:.2}")), "{}", line("as fast as itself"));
    assert!(line("| interval 8 | bfs |").ends_with(&format!("| {own:.2} |")), "{}", line("| interval 8 | bfs |"));
}

#[test]
fn a_yardstick_that_cannot_be_is_one_line() {
    let cases = [
        ("\"either worklist\"\nof", "\"demand\"\nof", &["yardstick[0]", "`demand` is the name of something else"][..]),
        ("[\"swwl\", \"demand\"]", "[]", &["yardstick[0].of", "is empty"]),
        (
            "[\"swwl\", \"demand\"]",
            "[\"swwl\", \"warp\"]",
            &["yardstick[0].of[1]", "`warp` is neither a series nor among the baselines"],
        ),
        ("over = \"topo\"", "", &["claim[2].over", "`either worklist` is software"]),
        ("over = \"either worklist\"", "over = \"other\"", &["claim[1].over", "no series `other`"]),
        ("at = 32\nover", "at = 33\nover", &["claim[2].at", "the axis has no value 33"]),
    ];
    refuses_each(&(PLAN.to_owned() + YARDSTICKS), &cases);
}

/// Every measure, for a figure in the form of the IRU paper's.
const MEASURES: &str = r#"
title = "Measured"
figure = "bars"
config = "iru-gtx980"
set = ["core.count=4"]
workloads = ["bfs", "pagerank"]
graphs = ["gen:kron:7", "gen:grid:9x9"]
baselines = ["frontier"]
measures = [
    "speedup",
    "l1_accesses",
    "l2_accesses",
    "l2_demand_accesses",
    "network_bytes",
    "dram_accesses",
    "requests_per_access",
    "filtered",
    "repeated",
    "warp_time",
]

[labels]
"gen:kron:7" = "kron"

[measure.warp_time]
kernels = ["bfs_contract", "pagerank_contract"]

[measure.filtered]
workloads = ["pagerank"]

[measure.repeated]
workloads = ["pagerank"]

[[series]]
name = "reordered"
variant = "iru"

[[claim]]
section = "6.3"
text = "it is faster"
measure = "speedup"
series = "reordered"
value = 1.33

[[claim]]
section = "6.2"
text = "much is filtered"
measure = "filtered"
workloads = ["pagerank"]
graphs = ["gen:kron:7"]
series = "reordered"
value = 79
range = [10, 90]
why = "a smaller graph"
"#;

/// `unruly run` of both variants.
fn single_run(workload: &str, graph: &str) -> Value {
    let on = "--config iru-gtx980 --set core.count=4";
    run(&format!("{workload} --graph {graph} --variant iru --against frontier {on}"))
}

/// The counter at a place like `l2.cache.accesses`.
fn counter(statistics: &Value, place: &str) -> f64 {
    let found = place.split('.').fold(statistics, |value, name| &value[name]);
    found.as_u64().unwrap_or_else(|| panic!("{place}")) as f64
}

fn sum(statistics: &Value, places: &[&str]) -> f64 {
    places.iter().map(|place| counter(statistics, place)).sum()
}

/// Average cycles of a warp of the contraction's launches: until its first load is served, and in all.
fn warp_time(variant: &Value) -> [f64; 2] {
    let contract = |launch: &&Value| launch["kernel"].as_str().unwrap().ends_with("_contract");
    let launches: Vec<_> = variant["launches"].as_array().unwrap().iter().filter(contract).collect();
    let total = |place: &str| launches.iter().map(|launch| counter(&launch["statistics"], place)).sum::<f64>();
    // A thread for each element: every warp that has one loads it.
    let warps: u64 = launches.iter().map(|launch| launch["work"].as_u64().unwrap().div_ceil(32)).sum();
    assert_eq!(total("core.loading_warps"), warps as f64);
    ["core.cycles_to_first_load", "core.loading_warp_cycles"].map(|place| total(place) / warps as f64)
}

/// All measures of a run, by the counters of `unruly run`.
fn measured(run: &Value) -> BTreeMap<&'static str, f64> {
    let (own, baseline) = (&run["statistics"], &run["against"][0]["statistics"]);
    let percent = |places: &[&str]| 100.0 * sum(own, places) / sum(baseline, places);
    let demand = |s: &Value| counter(s, "l2.cache.accesses") - counter(s, "l2.prefetches");
    let mut all = BTreeMap::from([
        ("speedup", counter(baseline, "cycles") / counter(own, "cycles")),
        ("l1_accesses", percent(&["l1d.accesses"])),
        ("l2_accesses", percent(&["l2.cache.accesses"])),
        ("l2_demand_accesses", 100.0 * demand(own) / demand(baseline)),
        ("network_bytes", percent(&["requests.bytes", "replies.bytes"])),
        ("dram_accesses", percent(&["dram.reads", "dram.writes"])),
        ("requests_per_access", counter(own, "core.memory_requests") / counter(own, "core.memory_accesses")),
        ("warp_time", 100.0 * warp_time(run)[1] / warp_time(&run["against"][0])[1]),
    ]);
    if run["workload"] == "pagerank" {
        all.insert("filtered", 100.0 * counter(own, "reorder.merged") / counter(own, "reorder.elements"));
        all.insert("repeated", 100.0 * counter(own, "reorder.repeated") / counter(own, "reorder.elements"));
    }
    all
}

#[test]
fn measures_are_those_of_single_runs() {
    let place = Place::swept(MEASURES);
    let rows = place.rows();
    assert_eq!((rows.len(), place.runs().len()), (2 * 2 * 2, 2 * 2 * 2));
    let report = place.read("report.md");
    let mut speedups = Vec::new();
    for (workload, graph, shown) in [
        ("bfs", "gen:kron:7", "kron (gen:kron:7)"),
        ("bfs", "gen:grid:9x9", "gen:grid:9x9"),
        ("pagerank", "gen:kron:7", "kron (gen:kron:7)"),
        ("pagerank", "gen:grid:9x9", "gen:grid:9x9"),
    ] {
        let run = single_run(workload, graph);
        let here = |row: &&Value| row["workload"] == workload && row["graph"] == graph;
        let [baseline, row] = rows.iter().filter(here).collect::<Vec<_>>()[..] else { panic!("two rows") };
        assert!(baseline["measures"].is_null() && baseline["elements"].is_null() && baseline["merged"].is_null());
        let expected = measured(&run);
        let found = row["measures"].as_object().unwrap();
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (name, value) in &expected {
            let found = found[*name].as_f64().unwrap();
            assert!((found / value - 1.0).abs() < 1e-12, "{workload} {graph} {name}: {found}, not {value}");
        }
        for (row, statistics) in [(row, &run["statistics"]), (baseline, &run["against"][0]["statistics"])] {
            for (field, places) in [
                ("l1_accesses", &["l1d.accesses"][..]),
                ("l2_accesses", &["l2.cache.accesses"]),
                ("l2_prefetches", &["l2.prefetches"]),
                ("network_bytes", &["requests.bytes", "replies.bytes"]),
                ("dram_accesses", &["dram.reads", "dram.writes"]),
            ] {
                assert_eq!(row[field].as_u64().unwrap() as f64, sum(statistics, places), "{field}");
            }
        }
        // The cell of the report: as Fig 3, the parts beside the baseline's.
        let [(until, whole), (own_until, own_whole)] =
            [&run["against"][0], &run].map(|variant| warp_time(variant)).map(|[a, b]: [f64; 2]| (a, b));
        let parts = |until: f64, all: f64| {
            let [all, until, after] = [all, until, all - until].map(|cycles| 100.0 * cycles / whole);
            format!("{all:.1} % ({until:.1} % + {after:.1} %)")
        };
        let line = format!("| {workload} | {shown} | {} | {} |", parts(until, whole), parts(own_until, own_whole));
        assert!(report.contains(&line), "{line}\n{report}");
        speedups.push(expected["speedup"]);
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let product: f64 = speedups.iter().product();
    for line in [
        format!("| bfs | arithmetic mean | {:.2} |", mean(&speedups[..2])),
        format!("| pagerank | arithmetic mean | {:.2} |", mean(&speedups[2..])),
        format!("| all cells | arithmetic mean | {:.2} |", mean(&speedups)),
        format!("| all cells | geometric mean | {:.2} |", product.powf(0.25)),
        format!(
            "| all workloads | arithmetic mean of their means | {:.2} |",
            mean(&[mean(&speedups[..2]), mean(&speedups[2..])])
        ),
    ] {
        assert!(report.contains(&line), "{line}\n{report}");
    }
}

#[test]
fn the_paper_stands_beside_our_measures() {
    let place = Place::swept(MEASURES);
    let report = place.read("report.md");
    let rows = place.rows();
    let all: Vec<_> = rows.iter().filter_map(|row| row["measures"]["speedup"].as_f64()).collect();
    let (low, high) = all.iter().fold((f64::MAX, 0.0f64), |(low, high), s| (low.min(*s), high.max(*s)));
    let claim = format!("| 6.3 | it is faster | speedup | 1.33 | {low:.2} to {high:.2}, arithmetic mean ");
    assert!(report.contains(&claim), "{claim}\n{report}");
    let kron = |row: &&Value| row["workload"] == "pagerank" && row["graph"] == "gen:kron:7";
    let filtered = rows.iter().filter(kron).find_map(|row| row["measures"]["filtered"].as_f64()).unwrap();
    let scope = "| 6.2 | much is filtered | filtered; pagerank; gen:kron:7 | 79.0 %; 10.0 % to 90.0 % |";
    let claim = format!("{scope} {filtered:.1} % | a smaller graph |");
    assert!(report.contains(&claim), "{claim}\n{report}");
    let svg = place.read("tiny.svg");
    for title in ["accesses to L1 data caches", "until its first load is served", "elements merged", "kron"] {
        assert!(svg.contains(title), "{title}");
    }
    let csv = place.read("runs.csv");
    let header = csv.lines().next().unwrap();
    assert!(header.starts_with("workload,graph,") && header.ends_with(",warp_cycles_to_first_load"), "{header}");
    assert!(csv.lines().all(|line| line.split(',').count() == header.split(',').count()), "{csv}");
    place.draws_the_same_again();
}

/// Baselines have no reorder unit, so that they run once, whatever is swept in it.
#[test]
fn measures_over_an_axis_are_panels_of_lines() {
    let (head, tail) = MEASURES.split_once("[labels]").unwrap();
    let axis = "[axis]\nfield = \"iru.sets\"\nlabel = \"sets a partition\"\nvalues = [64, 256]\n\n[labels]";
    let (tail, _) = tail.split_once("[[claim]]").unwrap();
    let plan = format!("{}{axis}{tail}", head.replace("\"bars\"", "\"lines\""));
    let place = Place::swept(&plan);
    assert_eq!(place.runs().len(), 2 * 2 * (1 + 2));
    let svg = place.read("tiny.svg");
    for word in ["speedup over the baseline", "sets a partition", "(thin: baseline)", "reordered: pagerank on kron"] {
        assert!(svg.contains(word), "{word}");
    }
}

#[test]
fn a_plan_that_measures_what_it_cannot_is_one_line() {
    let cases = [
        ("\"speedup\",", "\"speed\",", &["measures[0]", "no measure `speed`", "l1_accesses"][..]),
        ("\"l1_accesses\",", "\"speedup\",", &["measures[1]", "there twice"]),
        ("    \"warp_time\",\n", "", &["measure.warp_time", "not in measures"]),
        ("[measure.filtered]", "[measure.filter]", &["measure.filter:", "not in measures"]),
        ("kernels = [\"bfs_contract\", \"pagerank_contract\"]", "", &["warp_time.kernels"]),
        ("bfs_contract", "bfs_contrakt", &["warp_time.kernels[0]", "no workload has a kernel `bfs_contrakt`"]),
        (
            "[measure.filtered]",
            "[measure.speedup]\nkernels = [\"bfs_contract\"]\n[measure.filtered]",
            &["speedup.kernels"],
        ),
        ("[\"pagerank\"]", "[\"sssp\"]", &["filtered.workloads[0]", "`sssp` is not in workloads"]),
        ("workloads = [\"pagerank\"]", "workloads = []", &["filtered.workloads", "is empty"]),
        ("workloads = [\"pagerank\"]", "kernel = []", &["kernel"]),
        ("variant = \"iru\"", "variant = \"frontier\"", &["measures[7]", "filtered", "series[0].variant frontier"]),
        ("[\"frontier\"]", "[\"iru\"]", &["baselines[0]", "reorder units"]),
        ("\"gen:kron:7\" =", "\"gen:kron:8\" =", &["labels", "no graph `gen:kron:8`"]),
        ("measure = \"speedup\"", "measure = \"entropy\"", &["claim[0].measure", "no measure `entropy`"]),
        ("value = 1.33", "workloads = [\"sssp\"]", &["claim[0].workloads", "no `sssp` for speedup"]),
        ("graphs = [\"gen:kron:7\"]\nseries", "graphs = [\"kron\"]\nseries", &["claim[1].graphs", "no `kron`"]),
        ("measure = \"speedup\"\nseries = \"reordered\"", "measure = \"speedup\"", &["claim[0].series", "is missing"]),
        ("value = 1.33", "value = \"1.33\"", &["line 43", "f64"]),
    ];
    refuses_each(MEASURES, &cases);
    let speedups = PLAN.replacen("[axis]", "measures = [\"l1_accesses\"]\n[axis]", 1);
    refuses(&speedups.replace("bars", "activity"), &["measures", "activity"]);
}

/// Workloads with and without variants and graphs, two configurations, classes and shares: figures in the form of Graph-Waving's.
const WAVING: &str = r#"
title = "Waving"
figure = "bars"
config = "gw-fermi-b32"
set = ["core.count=2"]
workloads = ["reduction", "bfs", "pagerank"]
graphs = ["gen:kron:7"]
baselines = [["topo", "thread"]]
measures = [
    "speedup",
    "l2_misses",
    "memory_requests",
    "fetches",
    "decodes",
    "redundant",
    "active_lanes",
    "issuable_warps",
    "issuable_scalars",
    "wave_members",
    "issued_as",
]

[inputs]
reduction = [3000]
bfs = ["gen:grid:9x9", "gen:kron:7"]

[labels]
"gen:kron:7" = "kron"

[[class]]
name = "REGULAR"
workloads = ["reduction"]

[[class]]
name = "GRAPH"
workloads = ["bfs", "pagerank"]

[[series]]
name = "B32"
variant = ["warp", "thread"]

[[series]]
name = "GW8"
config = "gw-fermi-gw8"
variant = ["warp", "thread"]

[[claim]]
section = "4.1"
text = "few lanes are active"
measure = "active_lanes"
parts = ["1-4", "5-8"]
workloads = ["bfs"]
graphs = ["gen:kron:7"]
series = "baseline"
value = 30

[[claim]]
section = "8.2"
text = "it is faster"
series = "GW8"
workloads = ["bfs", "pagerank"]
value = 4.41
"#;

/// `unruly run` of both configurations, the baseline's first.
fn waving_runs(workload: &str, input: &str, variants: [&str; 3]) -> [Value; 3] {
    let flag = if input.starts_with("gen") { "--graph" } else { "--size" };
    let [first, second, third] = variants;
    [("gw-fermi-b32", first), ("gw-fermi-b32", second), ("gw-fermi-gw8", third)].map(|(config, variant)| {
        let on = format!("--config {config} --set core.count=2");
        run(&format!("{workload} {flag} {input} --variant {variant} {on}"))["statistics"].clone()
    })
}

/// Sum of the counters from `first` to `last` of a list, in % of the sum of all.
fn share(list: &Value, first: usize, last: usize) -> f64 {
    let counts: Vec<_> = list.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as f64).collect();
    100.0 * counts[first..=last].iter().sum::<f64>() / counts.iter().sum::<f64>()
}

#[test]
fn a_cell_is_a_workload_on_an_input_of_its_own_and_a_series_has_its_configuration() {
    let place = Place::swept(WAVING);
    let rows = place.rows();
    // The regular workload has one variant: its baseline is the series on the same configuration.
    assert_eq!((rows.len(), place.runs().len()), (4 * 3, 3 * 3 + 2));
    let report = place.read("report.md");
    let mut speedups = Vec::new();
    for (workload, input, shown, variants) in [
        ("reduction", "3000", "size 3000", ["thread"; 3]),
        ("bfs", "gen:grid:9x9", "gen:grid:9x9", ["topo", "warp", "warp"]),
        ("bfs", "gen:kron:7", "gen:kron:7", ["topo", "warp", "warp"]),
        ("pagerank", "gen:kron:7", "gen:kron:7", ["thread", "warp", "warp"]),
    ] {
        let here: Vec<_> = rows.iter().filter(|row| row["workload"] == workload && row["graph"] == shown).collect();
        assert_eq!(here.iter().map(|row| row["variant"].as_str().unwrap()).collect::<Vec<_>>(), variants);
        assert_eq!(here[0]["nodes"].is_null(), workload == "reduction");
        let runs = waving_runs(workload, input, variants);
        let baseline = &runs[0];
        for (row, own) in here.iter().zip(&runs).skip(1) {
            let measures = &row["measures"];
            let core = &own["core"];
            let beside = |counted: &str| 100.0 * counter(own, counted) / counter(baseline, counted);
            let redundant = 100.0 * counter(own, "core.scalar_instructions") / counter(own, "core.warp_instructions");
            for (name, value) in [
                ("speedup", counter(baseline, "cycles") / counter(own, "cycles")),
                ("l2_misses", beside("l2.cache.misses")),
                ("memory_requests", beside("core.memory_requests")),
                ("fetches", beside("core.fetches")),
                ("decodes", beside("core.decodes")),
                ("redundant", redundant),
            ] {
                let found = measures[name].as_f64().unwrap_or_else(|| panic!("{name} of {row}"));
                assert!((found - value).abs() < 1e-9 * value, "{workload} {shown} {name}: {found}, not {value}");
            }
            let mut shares = vec![
                ("active_lanes", "1-4", share(&core["issued_by_active_lanes"], 0, 3)),
                ("active_lanes", "25-32", share(&core["issued_by_active_lanes"], 24, 31)),
            ];
            if row["series"] == "GW8" {
                shares.extend([
                    ("issuable_warps", "2-4", share(&core["issuable_warps"], 2, 2)),
                    ("issuable_scalars", "0", share(&core["issuable_scalars"], 0, 0)),
                    ("wave_members", "5-8", share(&core["waves_by_members"], 5, 8)),
                ]);
                let issued = counter(core, "issue.issued");
                let pairs = 100.0 * counter(core, "pairs_issued") / issued;
                shares.push(("issued_as", "pair", pairs));
            }
            for (name, part, value) in shares {
                let found = measures[name][part].as_f64().unwrap_or_else(|| panic!("{name} {part} of {row}"));
                assert!((found - value).abs() < 1e-9, "{workload} {shown} {name} {part}: {found}, not {value}");
            }
        }
        speedups.push(here[2]["measures"]["speedup"].as_f64().unwrap());
        if shown == "gen:kron:7" && workload == "bfs" {
            let few = share(&baseline["core"]["issued_by_active_lanes"], 0, 7);
            let scope = "| 4.1 | few lanes are active | active_lanes; 1-4, 5-8; bfs; gen:kron:7 | 30.0 % |";
            assert!(report.contains(&format!("{scope} {few:.1} % |")), "{few} {report}");
        }
    }
    let geometric = |values: &[f64]| values.iter().product::<f64>().powf(1.0 / values.len() as f64);
    for (class, values) in [("REGULAR", &speedups[..1]), ("GRAPH", &speedups[1..]), ("all cells", &speedups)] {
        let line = format!("| {class} | geometric mean | ");
        let found = report.lines().find(|text| text.starts_with(&line)).unwrap_or_else(|| panic!("{line}"));
        assert!(found.ends_with(&format!("| {:.2} |", geometric(values))), "{found}");
    }
    let svg = place.read("tiny.svg");
    for word in ["REGULAR", "geo. mean", "bfs kron", "reduction", "baseline: topo or thread on gw-fermi-b32"] {
        assert!(svg.contains(word), "{word}");
    }
    type_can_be_read(&svg);
    place.draws_the_same_again();
    every_panel_has_a_legend_of_its_own(&svg);
}

/// Texts of the SVG, in its order: height of the type in pixels, and text.
fn texts(svg: &str) -> Vec<(f64, String)> {
    let text = |element: &str| {
        let (_, rest) = element.split_once("font-size=\"").unwrap();
        let (size, rest) = rest.split_once('"').unwrap();
        let (_, rest) = rest.split_once('>').unwrap();
        (size.parse().unwrap(), rest.split_once('<').unwrap().0.trim().to_owned())
    };
    svg.split("<text ").skip(1).map(text).collect()
}

/// At least 9 pixels where a page's column of 840 pixels shows the figure.
pub fn type_can_be_read(svg: &str) {
    let (_, width) = svg.split_once("<svg width=\"").unwrap();
    let width: f64 = width.split_once('"').unwrap().0.parse().unwrap();
    for (size, text) in texts(svg) {
        let shown = size * (840.0 / width).min(1.0);
        assert!(shown > 8.999, "{shown} pixels: {text}");
    }
}

/// The plan above: a panel's legend has what is in the panel, and nothing else. A class of one cell has no mean.
fn every_panel_has_a_legend_of_its_own(svg: &str) {
    let all: Vec<_> = texts(svg).into_iter().map(|(_, text)| text).collect();
    let titles = [
        "speedup over the baseline",
        "misses of the L2",
        "requests to memory",
        "fetches of instructions",
        "instructions decoded",
        "instructions that one lane could execute for its warp",
        "active lanes of what is issued",
        "warps of a core that could issue",
        "scalar instructions of a core that could issue",
        "members of scalar waves",
        "what schedulers issue",
    ];
    let starts = titles.map(|title| all.iter().position(|text| text == title).unwrap_or_else(|| panic!("{title}")));
    let ends = starts.iter().skip(1).copied().chain([all.len()]);
    for ((title, start), end) in titles.iter().zip(starts).zip(ends) {
        let panel = &all[start..end];
        let count = |word: &str| panel.iter().filter(|text| *text == word).count();
        let lanes = *title == "active lanes of what is issued";
        let redundant = title.starts_with("instructions that one lane");
        let front_end = start >= starts[7];
        let expected = [usize::from(lanes || redundant), usize::from(!front_end), 1];
        assert_eq!(["baseline", "B32", "GW8"].map(count), expected, "{title}");
        assert_eq!([count("1-4"), count("25-32")], [usize::from(lanes); 2], "{title}");
        assert_eq!(count("wave"), usize::from(*title == "what schedulers issue"), "{title}");
        let ratio = start < starts[5];
        assert_eq!([count("geo. mean"), count("arith. mean")], if ratio { [2, 0] } else { [0, 2] }, "{title}");
    }
}

#[test]
fn rows_that_do_not_fit_the_plan_are_one_line() {
    let place = Place::swept(PLAN);
    let rows = place.read("runs.csv");
    let path = place.directory.path().join("rows.csv");
    let without_a_row = rows.lines().filter(|line| !line.contains("gen:grid:9x9,81,288,infinite")).collect::<Vec<_>>();
    assert_eq!(without_a_row.len() + 1, rows.lines().count());
    let cases = [
        (rows.replacen(",waits,", ",weights,", 1), &["no column waits"][..]),
        (without_a_row.join("\n"), &["no row for bfs hwwl gen:grid:9x9 infinite", "this plan"]),
        (rows.replacen(",true,", ",perhaps,", 1), &["line 2", "verified", "perhaps"]),
        (rows.replacen(",true,,", ",true,,-", 1), &["line 2", "cycles: -"]),
        (rows.replacen("gen:uniform:256", "gen:uniform:257", 1), &["no row for bfs topo gen:uniform:256 baseline"]),
        (format!("{rows}a,b\n"), &["22 fields"]),
    ];
    for (text, words) in cases {
        assert!(text != rows);
        std::fs::write(&path, text).unwrap();
        let mut command = place.command(&["--from", path.to_str().unwrap()]);
        command::refuses(&mut command, 2, &[words, &["rows.csv"]].concat());
    }
    let mut nowhere = sweep(&place.plan());
    nowhere.args(["--from", "nowhere.csv", "--out"]).arg(place.out().join("none"));
    command::refuses(&mut nowhere, 2, &["nowhere.csv: cannot read the rows"]);
    assert!(!place.out().join("none").exists(), "a folder for nothing");
}

/// The baselines' configuration has no such field: they run once.
#[test]
fn an_axis_of_a_series_own_configuration_leaves_the_baselines_alone() {
    let (head, tail) = WAVING.split_once("[[series]]\nname = \"B32\"").unwrap();
    let (_, tail) = tail.split_once("[[series]]").unwrap();
    let (tail, _) = tail.split_once("[[claim]]").unwrap();
    let axis = "[axis]\nfield = \"gw.swst\"\nlabel = \"entries\"\nvalues = [2, 16]\n\n[[series]]";
    let place = Place::swept(&format!("{head}{axis}{tail}"));
    assert_eq!(place.runs().len(), 4 * (1 + 2));
    let wrong = format!("{head}{axis}{tail}").replace("[2, 16]", "[2, 17]");
    refuses(&wrong, &["axis.values[1]", "gw.swst = 17"]);
}

/// Fields that must fit together are set together.
#[test]
fn overrides_are_checked_together() {
    let both = "config = \"gw-fermi-gw8\"\nset = [\"gw.sets=8\", \"gw.instructions=48\"]";
    let place = Place::new(&WAVING.replace("config = \"gw-fermi-gw8\"", both));
    succeeds(&mut place.command(&["--check"]));
    let one = WAVING.replace("config = \"gw-fermi-gw8\"", "config = \"gw-fermi-gw8\"\nset = [\"gw.sets=8\"]");
    refuses(&one, &["series[1].set", "gw.instructions"]);
}

#[test]
fn inputs_and_classes_that_cannot_be_are_one_line() {
    let cases = [
        ("reduction = [3000]", "reduktion = [3000]", &["inputs.reduktion", "not in workloads"][..]),
        ("reduction = [3000]", "reduction = [0]", &["inputs.reduction[0]", "0"]),
        ("reduction = [3000]", "reduction = [1.5]", &["inputs.reduction[0]", "1.5", "whole number"]),
        ("reduction = [3000]", "reduction = [\"gen:kron:7\"]", &["inputs.reduction[0]", "give a size"]),
        ("reduction = [3000]", "reduction = [9, 9]", &["inputs.reduction[1]", "there twice"]),
        ("reduction = [3000]", "reduction = []", &["inputs.reduction", "is empty"]),
        ("[\"gen:grid:9x9\", ", "[81, ", &["inputs.bfs[0]", "81 is no graph"]),
        ("[\"gen:grid:9x9\", ", "[\"gen:grid:9\", ", &["inputs.bfs[0]", "grid"]),
        ("workloads = [\"bfs\", \"pagerank\"]\n\n", "workloads = [\"bfs\"]\n\n", &["class", "`pagerank` is in none"]),
        ("[\"reduction\"]", "[\"bfs\"]", &["class[1].workloads", "`bfs` is in a class before"]),
        ("[\"reduction\"]", "[\"nw\"]", &["class[0].workloads[0]", "`nw` is not in workloads"]),
        ("[[\"topo\", \"thread\"]]", "[\"topo\"]", &["baselines[0]", "reduction has no variant `topo`"]),
        ("[[\"topo\", \"thread\"]]", "[[]]", &["baselines[0]", "is empty"]),
        ("[\"warp\", \"thread\"]", "[\"warp\", \"threat\"]", &["series[0].variant", "`threat`"]),
        ("config = \"gw-fermi-gw8\"", "config = \"gw-fermi-gw9\"", &["series[1].config", "unknown preset"]),
        ("config = \"gw-fermi-gw8\"\n", "", &["measures[7]", "issuable_warps", "[gw]"]),
        (
            "\"bars\"",
            "\"lines\"\naxis = { field = \"core.count\", label = \"cores\", values = [2] }",
            &["measures[6]", "lines cannot show"],
        ),
        ("parts = [\"1-4\", \"5-8\"]\n", "", &["claim[0].parts", "is missing", "25-32"]),
        ("[\"1-4\", \"5-8\"]", "[\"1-8\"]", &["claim[0].parts", "no `1-8`"]),
        ("series = \"GW8\"\n", "parts = [\"1-4\"]\nseries = \"GW8\"\n", &["claim[1].parts", "no shares"]),
        ("series = \"GW8\"\n", "series = \"baseline\"\n", &["claim[1].series", "baseline"]),
    ];
    refuses_each(WAVING, &cases);
}

#[test]
fn parts_of_a_sweep_make_up_the_whole() {
    let (whole, parts) = (Place::swept(PLAN), Place::new(PLAN));
    for part in ["1/3", "2/3", "3/3"] {
        let said = succeeds(&mut parts.command(&["--shard", part]));
        assert!(said.starts_with(&format!("part {part}: ")), "{said}");
    }
    let kept = parts.runs();
    assert_eq!(kept.len(), RUNS);
    assert!(!parts.out().join("runs.csv").exists(), "a part draws nothing");
    parts.sweep();
    assert_eq!(parts.runs(), kept, "nothing was left to be made");
    assert_eq!(parts.results(), whole.results());
}

#[test]
fn a_part_that_cannot_be_is_refused() {
    let place = Place::new(PLAN);
    for (options, word) in [
        (["--shard", "4/3"], "as in 3/8"),
        (["--shard", "3"], "as in 3/8"),
        (["--engine", "pbs"], "slurm"),
        (["--tasks", "0"], "1 to 1000"),
        (["--tasks", "3"], "--engine"),
    ] {
        ends(&mut place.command(&options), 2, &[word]);
    }
    let output = place.command(&["--engine", "slurm"]).env("PATH", "").output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("sbatch: not found"), "{}", stderr(&output));
}

/// Core minutes of all plans together in docs/clusters.md.
#[test]
fn the_page_of_clusters_adds_up_all_plans() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/clusters.md")).unwrap();
    let files = std::fs::read_dir(root.join("plans")).unwrap().map(|file| file.unwrap().path());
    let plans: Vec<_> = files.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).collect();
    let minutes = |path: &PathBuf| {
        let plan: toml::Table = std::fs::read_to_string(path).unwrap().parse().unwrap();
        plan["core_minutes"].as_integer().unwrap()
    };
    let sum: i64 = plans.iter().map(minutes).sum();
    let row = page.lines().find(|line| line.starts_with("| all ")).unwrap();
    assert!(row.starts_with(&format!("| all {} |", plans.len())) && row.contains(&format!("| {sum} |")), "{row}");
}
