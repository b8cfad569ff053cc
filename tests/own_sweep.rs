//! Sweeps of a kernel and a unit of the user's own: rows, wrong results, fingerprints, plans that cannot be.

use crate::common::command::{ends, json, refuses, succeeds, unruly};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const PLAN: &str = r#"
title = "Late"
figure = "lines"
config = "hwwl-micro14"
baselines = ["plain"]

[[kernel]]
file = "late.cu"
grid = 4
block = 32
args = ["in:in.bin", "out:sums/out.bin:512"]
check = { "sums/out.bin" = "right.bin" }

[variant.plain]

[variant.late]
define = ["LATE"]
unit = "late=late.v"

[axis]
field = "unit.WAIT"
label = "cycles"
values = [0, 40]

[[series]]
name = "unit"
variant = "late"
"#;

/// A text of the plan, the one in its place, and words of the message.
type Wrong<'a> = (&'a str, &'a str, &'a [&'a str]);

struct Folder(TempDir);

impl Folder {
    fn new(plan: &str) -> Folder {
        let folder = Folder(TempDir::new().unwrap());
        for name in ["late.cu", "late.v"] {
            let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/own_unit").join(name);
            std::fs::copy(source, folder.path(name)).unwrap();
        }
        folder.write("in.bin", &words(|i| 7 * i));
        folder.write("right.bin", &words(|i| 8 * i));
        folder.write("plan.toml", plan.as_bytes());
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    fn replace(&self, name: &str, old: &str, new: &str) {
        let text = std::fs::read_to_string(self.path(name)).unwrap();
        assert!(text.contains(old), "{name}: {old}");
        self.write(name, text.replace(old, new).as_bytes());
    }

    fn sweep(&self, options: &str) -> Command {
        let mut command = unruly(&format!("sweep {options}"));
        command.arg(self.path("plan.toml")).arg("--out").arg(self.path("out"));
        command
    }

    fn rows(&self) -> Vec<Value> {
        json(self.path("out/runs.json"))["rows"].as_array().unwrap().clone()
    }

    fn runs(&self) -> usize {
        std::fs::read_dir(self.path("out/runs")).unwrap().count()
    }

    /// The JSON of `unruly kernel`.
    fn kernel(&self, options: &str) -> Value {
        let mut command = unruly(&format!(
            "kernel late.cu --grid 4 --block 32 --arg in:in.bin --arg out:out.bin:512 {options} --json said.json"
        ));
        succeeds(command.current_dir(self.0.path()));
        json(self.path("said.json"))
    }
}

fn words(word: impl Fn(u32) -> u32) -> Vec<u8> {
    (0..128).flat_map(|i| word(i).to_le_bytes()).collect()
}

#[test]
fn a_row_is_what_a_single_run_of_the_kernel_gives() {
    let folder = Folder::new(PLAN);
    assert_eq!(succeeds(&mut folder.sweep("--check")), "plan: 3 points, 3 different runs\n");
    succeeds(&mut folder.sweep("--shard 1/2"));
    succeeds(&mut folder.sweep("--shard 2/2"));
    assert_eq!(folder.runs(), 3);
    let said = succeeds(&mut folder.sweep(""));
    assert!(said.starts_with("Late\n"), "{said}");
    let report = std::fs::read_to_string(folder.path("out/report.md")).unwrap();
    assert!(report.contains("| late | grid 4, block 32 | unit | unit.WAIT=40 | 4 |"), "{report}");
    let verdict = "late: longest path ";
    let met = |text: &str| {
        text.lines().any(|line| line.contains(verdict) && line.contains("a cycle of the GPU leaves 39: met"))
    };
    assert!(met(&said) && met(&report), "{said}{report}");
    let rows = folder.rows();
    let late = "--define LATE --unit late=late.v --parameter";
    let singles = [String::new(), format!("{late} WAIT=0"), format!("{late} WAIT=40")].map(|more| folder.kernel(&more));
    let places: Vec<_> = rows.iter().map(|row| (row["variant"].as_str(), row["axis"].as_str())).collect();
    let late = Some("late");
    assert_eq!(places, [(Some("plain"), None), (late, Some("unit.WAIT=0")), (late, Some("unit.WAIT=40"))]);
    for (row, single) in rows.iter().zip(&singles) {
        assert_eq!((&row["workload"], &row["graph"]), (&"late".into(), &"grid 4, block 32".into()));
        assert_eq!(row["verified"], true);
        for field in ["cycles", "warp_instructions", "thread_instructions"] {
            assert_eq!(row[field], single[field], "{field}");
        }
        assert_eq!(row["unit"], single["unit"]["counters"]);
        let clock = &single["unit"]["clock"];
        assert!(row["variant"] == "plain" || clock["target_fo4"] == 39.0 && clock["path_fo4"].as_f64() > Some(1.0));
    }
    assert_eq!(rows[1]["unit"]["stat_calls"], 4);
    let cycles = |row: usize| rows[row]["cycles"].as_f64().unwrap();
    assert!(cycles(2) > cycles(1), "{rows:?}");
    assert!((rows[2]["speedup"].as_f64().unwrap() - cycles(0) / cycles(2)).abs() < 1e-12);
    let again = folder.path("again");
    let rows = folder.path("out/runs.csv");
    succeeds(unruly("sweep --from").arg(rows).arg(folder.path("plan.toml")).arg("--out").arg(&again));
    for file in ["report.md", "plan.svg"] {
        assert_eq!(std::fs::read(again.join(file)).unwrap(), std::fs::read(folder.path("out").join(file)).unwrap());
    }
    assert!(!folder.path("sums").exists(), "runs write in folders of their own");
}

#[test]
fn a_wrong_result_is_a_row_that_says_what_is_wrong() {
    let folder = Folder::new(PLAN);
    folder.write("right.bin", &words(|i| 8 * i + u32::from(i == 3)));
    ends(&mut folder.sweep("--no-area"), 1, &["3 of 3 rows failed"]);
    let why = "sums/out.bin is wrong: its byte 12 is 0x18, and in right.bin it is 0x19";
    assert!(folder.rows().iter().all(|row| row["failure"] == why && row["cycles"].is_null()), "{:?}", folder.rows());

    let files = "{ \"sums/out.bin\" = \"right.bin\" }";
    folder.replace("plan.toml", files, "[\"cmp\", \"-s\", \"sums/out.bin\", \"{plan}/right.bin\"]");
    ends(&mut folder.sweep("--no-area"), 1, &["3 of 3 rows failed"]);
    let why = "the check `cmp -s sums/out.bin {plan}/right.bin` says that the result is wrong (exit status: 1)";
    assert!(folder.rows().iter().all(|row| row["failure"] == why), "{:?}", folder.rows());
    folder.write("right.bin", &words(|i| 8 * i));
    succeeds(&mut folder.sweep("--no-area"));

    folder.replace("late.v", "sums[32 * lane +: 32] <=", "sums[32 * lane +: 32] <= 1 +");
    ends(&mut folder.sweep("--no-area"), 1, &["2 of 3 rows failed"]);
    assert_eq!(folder.rows()[0]["verified"], true);
}

/// Changes, and how many of the three runs each concerns.
#[test]
fn no_stale_result_is_taken() {
    let folder = Folder::new(PLAN);
    succeeds(&mut folder.sweep("--no-area"));
    let mut runs = 3;
    let changes: [(&str, &dyn Fn()); 6] = [
        ("2", &|| folder.replace("late.v", "left - 1", "left - 8'd1")),
        ("1", &|| folder.replace("plan.toml", "[0, 40]", "[0, 41]")),
        ("2", &|| folder.replace("late.cu", "unit_call<0>", "unit_call<1>")),
        ("3", &|| folder.replace("late.cu", "extern", "\nextern")),
        ("3", &|| folder.write("in.bin", &[words(|i| 7 * i), vec![0]].concat())),
        ("3", &|| folder.replace("plan.toml", "\"right.bin\" }", "\"right.bin\", \"other.bin\" = \"right.bin\" }")),
    ];
    for (number, (concerned, change)) in changes.into_iter().enumerate() {
        if number == 5 {
            folder.replace("plan.toml", "\"out:sums/out.bin:512\"", "\"out:sums/out.bin:512\", \"out:other.bin:512\"");
            folder.replace("late.cu", "unsigned *out)", "unsigned *out, unsigned *other)");
            folder.replace("late.cu", "+ i;\n#endif", "+ i;\n#endif\n  other[i] = 8 * i;");
        }
        change();
        succeeds(&mut folder.sweep("--no-area"));
        runs += concerned.parse::<usize>().unwrap();
        assert_eq!(folder.runs(), runs, "change {number}");
        succeeds(&mut folder.sweep("--no-area"));
        assert_eq!(folder.runs(), runs, "change {number}: nothing is run again");
    }
}

#[test]
fn what_cannot_be_is_one_line_that_names_file_and_field() {
    let cases: [Wrong; 24] = [
        ("file = \"late.cu\"", "files = \"late.cu\"", &["files", "line"]),
        ("file = \"late.cu\"", "file = \"none.cu\"", &["kernel[0]", "none.cu", "cannot read"]),
        ("file = \"late.cu\"", "file = \"late.v\"", &["kernel[0]", "late.v", ".cu (CUDA C++) or .ptx"]),
        ("[[kernel]]", "[[kernel]]\nname = \"\"", &["kernel[0]", "name", "is empty"]),
        ("grid = 4", "grid = 0", &["kernel[0]", "grid 0", "numbers from 1 on"]),
        ("grid = 4\n", "", &["grid"]),
        ("in:in.bin", "in:none.bin", &["kernel[0]", "args in:none.bin", "cannot read"]),
        ("\"in:in.bin\", ", "", &["kernel[0]", "variant.late", "takes 2 parameters"]),
        ("out:sums/", "out:../", &["kernel[0]", "../out.bin", "a folder of the run's own"]),
        ("check = { \"sums/out.bin\" = \"right.bin\" }\n", "", &["check"]),
        ("{ \"sums/out.bin\" = \"right.bin\" }", "\"right.bin\"", &["check", "a list of words"]),
        ("{ \"sums/out.bin\" = \"right.bin\" }", "[]", &["kernel[0]", "check", "is empty"]),
        ("{ \"sums/out.bin\" =", "{ \"out.bin\" =", &["kernel[0]", "check", "no argument writes this file"]),
        ("= \"right.bin\"", "= \"left.bin\"", &["kernel[0]", "check", "left.bin", "cannot read"]),
        ("define =", "defines =", &["defines"]),
        ("late=late.v", "late=none.v", &["kernel[0]", "variant.late", "unit late=none.v", "none.v"]),
        ("late=late.v", "other=late.v", &["variant.late", "no module other; there is late"]),
        ("late=late.v", "late.v", &["variant.late", "write MODULE=FILE.v"]),
        (
            "variant = \"late\"",
            "variant = \"lost\"",
            &["series[0].variant", "no variant `lost`; there are late, plain"],
        ),
        (
            "variant = \"late\"",
            "variant = \"plain\"",
            &["series[0].variant", "plain has no unit with a parameter WAIT"],
        ),
        ("[0, 40]", "[0, \"x\"]", &["axis.values[1]", "unit.WAIT=x", "no whole number"]),
        ("\"hwwl-micro14\"", "\"gw-fermi-gw8\"", &["series[0].variant", "pairs warps"]),
        ("[[kernel]]", "workloads = [\"bfs\"]\n\n[[kernel]]", &["workloads", "[[kernel]]"]),
        ("[[kernel]]", "graphs = [\"gen:kron:7\"]\n\n[[kernel]]", &["graphs", "[[kernel]]"]),
    ];
    for (right, wrong, said) in cases {
        assert!(PLAN.contains(right), "{right}");
        let folder = Folder::new(&PLAN.replacen(right, wrong, 1));
        refuses(&mut folder.sweep("--check"), 2, &[said, &["plan.toml"]].concat());
        assert!(!folder.path("out").exists());
    }
    let (head, tail) = PLAN.split_once("[variant.plain]").unwrap();
    let (_, tail) = tail.split_once("[axis]").unwrap();
    refuses(&mut Folder::new(&format!("{head}[axis]{tail}")).sweep("--check"), 2, &["variant", "[variant.NAME]"]);
    // Only Verilator knows the unit's parameters.
    let folder = Folder::new(&PLAN.replace("unit.WAIT", "unit.WIAT"));
    refuses(&mut folder.sweep("--no-area"), 2, &["--parameter WIAT: late has no parameter", "did you mean `WAIT`?"]);
}

/// The example, and the same text in docs/sweeps.md.
#[test]
fn the_example_can_be_swept() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = root.join("examples/combine");
    let text = std::fs::read_to_string(example.join("sweep.toml")).unwrap();
    let (_, plan) = text.split_once("\n\n").unwrap();
    assert!(std::fs::read_to_string(root.join("docs/sweeps.md")).unwrap().contains(plan), "docs/sweeps.md is stale");
    let folder = Folder::new(&text);
    for file in ["histogram.cu", "combine.v", "data.py"] {
        std::fs::copy(example.join(file), folder.path(file)).unwrap();
    }
    assert!(Command::new("python3").arg("data.py").current_dir(folder.0.path()).status().unwrap().success());
    let said = succeeds(&mut folder.sweep("--no-area"));
    let rows = folder.rows();
    let cycles: Vec<_> = rows.iter().map(|row| row["cycles"].as_u64().unwrap()).collect();
    assert_eq!(cycles.len(), 1 + 6);
    let readme = std::fs::read_to_string(example.join("README.md")).unwrap();
    let [atomics, all] = [cycles[0], cycles[6]];
    assert!(readme.contains(&format!("{atomics} cycles without the unit, {all} with it")), "{cycles:?}");
    let speedups = said.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())).collect::<Vec<_>>();
    assert!(speedups.len() == 6 && readme.contains(&speedups.join("\n")), "the README should say: {said}");
}
