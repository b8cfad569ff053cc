//! The file of `--json`: a result with its conditions, or a failure that says why; never the result of another command
//! line. Its keys are those of docs/json.md.

use crate::common::command::{self, ends, refuses, succeeds, unruly};
use gen::{fpga, layout};
use serde_json::{json, Map, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use testbench::cosim::Minimal;
use testbench::lockstep::{Difference, Evidence};
use testbench::prove::{Broken, Claim, Kind};

/// Writes 7 to the first word of `a`.
const SEVEN: &str = ".version 3.2
.target sm_35
.address_size 64
.visible .entry seven(.param .u64 a, .param .u64 b)
{
.reg .b32 %r; .reg .b64 %rd;
ld.param.u64 %rd, [a]; mov.u32 %r, 7; st.global.u32 [%rd], %r;
ret;
}
";

/// With words that nobody uses.
const TIMED: &str = "0 1 5 1300000000\n1 2 7 1300000001\n";
const GRAPH: &str = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n";

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Folder(TempDir::new().unwrap());
        let kernels = [("seven.ptx", SEVEN), ("pushes.ptx", PUSHES)];
        let others = [
            ("graph.mtx", GRAPH),
            ("timed.txt", TIMED),
            ("plan.toml", PLAN),
            ("launches.toml", LAUNCHES),
            ("a.bin", "12345678"),
            ("bank.v", "module bank; endmodule"),
            ("notes.txt", "{\"schema\": 1}"),
        ];
        kernels.into_iter().chain(others).for_each(|(name, text)| folder.write(name, text));
        std::fs::create_dir(folder.path("sub")).unwrap();
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn json(&self, name: &str) -> Value {
        command::json(self.path(name))
    }

    /// A passed result of some earlier command.
    fn earlier(&self, name: &str) {
        self.write(name, &json!({"schema": 1, "command": ["run"], "verified": true, "mismatches": 0}).to_string());
    }

    fn command(&self, line: &str) -> Command {
        let mut command = unruly(line);
        command.current_dir(self.0.path());
        command
    }
}

/// The lines end as they should. An earlier command's result is gone, and the reason is in its place.
#[test]
fn a_failure_takes_the_place_of_an_earlier_result() {
    let folder = Folder::new();
    let lines = [
        (2, "run bfs --variant topo --graph none.mtx"),
        (2, "run bfs --variant topo --graph graph.mtx --units lockstep"),
        (2, "kernel none.ptx --grid 1 --block 32"),
        (1, "kernel seven.ptx --grid 1 --block 32 --arg u64:0 --arg u64:0"),
        (2, "cosim --unit none"),
        (2, "cosim --unit bank --cycles 0"),
        (2, "mutate none"),
        (2, "prove none"),
        (2, "area --unit none"),
        (2, "sweep none.toml"),
        (2, "calibrate sub"),
        (2, "microbench --only nothing"),
        (2, "list nothing"),
    ];
    for (code, line) in lines {
        folder.earlier("result.json");
        let said = ends(&mut folder.command(&format!("{line} --json result.json")), code, &[]);
        let result = folder.json("result.json");
        assert_eq!((&result["failed"], &result["exit_code"]), (&json!(true), &json!(code)), "{line}");
        assert!(said.contains(result["error"].as_str().unwrap()), "{line}: {result}");
        assert_eq!((&result["verified"], &result["mismatches"]), (&Value::Null, &Value::Null), "{line}");
        let command: Vec<_> = line.split_whitespace().chain(["--json", "result.json"]).collect();
        assert_eq!(result["command"], json!(command));
    }
}

#[test]
fn a_line_that_means_nothing_replaces_nothing_but_results() {
    let folder = Folder::new();
    folder.write("result.json", "{\"notes\": 3}");
    ends(&mut folder.command("list nothing --json result.json"), 2, &[]);
    assert_eq!(folder.read("result.json"), "{\"notes\": 3}");
    ends(&mut folder.command("list nothing --json=new.json"), 2, &[]);
    assert!(!folder.path("new.json").exists());
    succeeds(&mut folder.command("list --json result.json --help"));
    assert_eq!(folder.read("result.json"), "{\"notes\": 3}");
}

/// Killed in the middle of a run.
#[test]
fn a_kill_leaves_no_earlier_result() {
    let folder = Folder::new();
    folder.earlier("result.json");
    let mut child = folder.command("run bfs --graph debian --variant topo --json result.json").spawn().unwrap();
    let started = std::time::Instant::now();
    while folder.path("result.json").exists() {
        assert!(child.try_wait().unwrap().is_none() && started.elapsed().as_secs() < 60);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    assert!(!child.wait().unwrap().success());
    assert!(!folder.path("result.json").exists());
}

/// One line, exit code 2, and every file is as it was.
#[test]
fn no_file_is_written_that_the_line_names_otherwise() {
    let folder = Folder::new();
    let kernel = "kernel seven.ptx --grid 1 --block 32";
    let lines = [
        ("run bfs --variant topo --graph graph.mtx --json graph.mtx".to_owned(), "graph.mtx"),
        ("run bfs --variant topo --graph graph.mtx --json sub/../graph.mtx".to_owned(), "graph.mtx"),
        ("sweep plan.toml --json plan.toml".to_owned(), "plan.toml"),
        (format!("{kernel} --arg out:r.bin:8 --arg u64:0 --json r.bin"), "--json r.bin"),
        (format!("{kernel} --arg out:r.bin:8 --arg u64:0 --json ./sub/../r.bin"), "r.bin"),
        (format!("{kernel} --arg inout:a.bin --arg u64:0 --json a.bin"), "--json a.bin"),
        (format!("{kernel} --arg in:a.bin --arg u64:0 --json a.bin"), "--json a.bin"),
        (format!("{kernel} --arg u64:0 --arg u64:0 --json seven.ptx"), "--json seven.ptx"),
        (
            format!("{kernel} --arg out:r.bin:8 --arg out:sub/../r.bin:8"),
            "--arg out:sub/../r.bin:8: is the same file as r.bin",
        ),
        (format!("{kernel} --arg out:seven.ptx:8 --arg u64:0"), "is the same file as seven.ptx"),
        (
            format!("{kernel} --arg in:a.bin --arg out:sub/../a.bin:8"),
            "--arg out:sub/../a.bin:8: is the same file as a.bin",
        ),
        (
            format!("{kernel} --arg u64:0 --arg u64:0 --json notes.txt"),
            "notes.txt: is there, and is no result of unruly",
        ),
        (format!("{kernel} --arg from:a.bin --arg u64:0 --ptx a.bin"), "--ptx a.bin: is the same file as a.bin"),
        (format!("{kernel} --arg inout:a.bin --arg out:a.bin:8"), "--arg out:a.bin:8: is the same file as a.bin"),
        (
            "cosim --unit bank --rtl bank.v --waveform ./bank.v".to_owned(),
            "--waveform ./bank.v: is the same file as bank.v",
        ),
        ("cosim --replay a.bin --waveform a.bin".to_owned(), "--waveform a.bin: is the same file as a.bin"),
        ("prove none --properties bank.v --json bank.v".to_owned(), "--json bank.v: is the same file as bank.v"),
        (format!("{kernel} --arg out:r.bin:8 --arg u64:0 --ptx r.bin"), "--arg out:r.bin:8: is the same file as r.bin"),
        (format!("{kernel} --arg in:a.bin --arg u64:0 --ptx sub/../a.bin"), "--ptx sub/../a.bin"),
        (format!("{kernel} --arg u64:0 --arg u64:0 --ptx seven.ptx"), "--ptx seven.ptx: is the same file as seven.ptx"),
        ("list --json a/b/x.json".to_owned(), "a/b/x.json: cannot write: there is no folder a; make it first"),
        ("list --json -".to_owned(), "--json -: write /dev/stdout for standard output"),
        (format!("{kernel} --arg out:-:4 --arg u64:0"), "--arg out:-:4: write /dev/stdout for standard output"),
        ("list --json sub".to_owned(), "sub: cannot write: it is a directory; name a file in it"),
    ];
    let files = || {
        let names = std::fs::read_dir(folder.0.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name != "sub").map(|name| (folder.read(&name), name)).collect::<BTreeSet<_>>()
    };
    let before = files();
    for (line, words) in lines {
        refuses(&mut folder.command(&line), 2, &[words]);
        assert_eq!(files(), before, "{line}");
    }
    succeeds(&mut folder.command(&format!("{kernel} --arg inout:a.bin --arg out:r.bin:8 --json result.json")));
    assert_eq!(std::fs::read(folder.path("a.bin")).unwrap()[..4], [7, 0, 0, 0]);
}

/// As `sha256sum` has it.
fn sha256(path: &Path) -> String {
    let output = Command::new("sha256sum").arg(path).output().unwrap();
    String::from_utf8(output.stdout).unwrap().split(' ').next().unwrap().to_owned()
}

#[test]
fn results_carry_their_conditions() {
    let folder = Folder::new();
    let inputs = |names: &[&str]| -> Value {
        names.iter().map(|name| json!({"path": name, "sha256": sha256(&folder.path(name))})).collect()
    };
    let line = "run bfs --variant topo --graph graph.mtx --set core.count=2 --json result.json";
    let expected = inputs(&["graph.mtx"]);
    succeeds(&mut folder.command(line));
    let result = folder.json("result.json");
    assert_eq!(result["command"], json!(line.split_whitespace().collect::<Vec<_>>()));
    assert_eq!(result["inputs"], expected);
    assert_eq!((&result["failed"], &result["version"]), (&json!(false), &json!(env!("CARGO_PKG_VERSION"))));
    assert_eq!(result["program"], json!(sha256(Path::new(env!("CARGO_BIN_EXE_unruly")))));
    assert_eq!(result["configuration"]["core"]["count"], 2, "a changed field");
    assert_eq!(result["configuration"]["core"]["max_warps"], 48, "Table IV of the paper");

    // The buffer is hashed as it was before the kernel changed it.
    let expected = inputs(&["seven.ptx", "a.bin"]);
    let line = "kernel seven.ptx --grid 1 --block 32 --arg inout:a.bin --arg u64:0 --json result.json";
    succeeds(&mut folder.command(line));
    let result = folder.json("result.json");
    assert_eq!((&result["inputs"], &result["ptx_sha256"]), (&expected, &expected[0]["sha256"]));
    assert_ne!(expected, inputs(&["seven.ptx", "a.bin"]));
}

/// Measures of every form, on the smallest graph.
const PLAN: &str = r#"
title = "Measures"
figure = "bars"
config = "hwwl-micro14"
workloads = ["bfs"]
graphs = ["gen:grid:5x5"]
baselines = ["topo"]
measures = ["speedup", "active_lanes", "fetches"]

[[series]]
name = "hardware worklist"
variant = "hwwl"
"#;

/// Two cores of four lanes.
const SMALL: &str = "--set core.count=2 --set hwwl.lanes=4";

/// Each thread pushes its number; the next launch takes all of them.
const PUSHES: &str = "
.version 3.2
.target sm_35
.address_size 64
.visible .entry push(.param .u64 push_param_0) {
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [push_param_0];
  wlinit.u64 %rd1, 65536;
  wlcfg.u32 1;
  mov.u32 %r1, %tid.x;
  wlpush.u32 %r1;
  ret;
}
.visible .entry pull() {
  .reg .b32 %r<2>;
  .reg .pred %p<2>;
again:
  wlpull.u32 %r1;
  setp.ne.u32 %p1, %r1, 0xffffffff;
  @%p1 bra again;
  ret;
}
";

/// A kernel and a unit of the user's own.
const OWN: &str = r#"
title = "Own"
figure = "bars"
config = "hwwl-micro14"
baselines = ["unit"]

[[kernel]]
file = "CHECKOUT/tests/own_unit/rogue.cu"
entry = "reads"
grid = 1
block = 32
args = ["in:a.bin", "out:words.bin:128"]
check = ["test", "-s", "words.bin"]

[variant.unit]
unit = "rogue=CHECKOUT/tests/own_unit/rogue.v"

[[series]]
name = "unit"
variant = "unit"
"#;

const LAUNCHES: &str = r#"
[buffers]
overflow = "buf:65536"

[[launch]]
kernel = "push"
grid = 1
block = 32
args = ["overflow"]

[[launch]]
kernel = "pull"
grid = 2
block = 32
"#;

/// docs/json.md: for each section, the types of its keys. The key `...` stands for all keys of another section.
struct Page {
    sections: BTreeMap<String, Vec<(String, String)>>,
    seen: RefCell<BTreeSet<(String, String)>>,
}

impl Page {
    fn read() -> Page {
        let mut sections: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        let mut section = String::new();
        for line in include_str!("../docs/json.md").lines() {
            if let Some(title) = line.strip_prefix("## ") {
                section = title.to_owned();
                assert!(sections.insert(section.clone(), Vec::new()).is_none(), "two sections {section}");
            }
            if let Some((key, rest)) = line.strip_prefix("* `").and_then(|row| row.split_once("` (")) {
                let kind = rest.split_once("): ").map_or_else(|| &rest[..rest.len() - 1], |(kind, _)| kind);
                sections.get_mut(&section).unwrap().push((key.to_owned(), kind.to_owned()));
            }
        }
        Page { sections, seen: RefCell::default() }
    }

    /// Section and type of each key of an object.
    fn keys(&self, section: &str) -> BTreeMap<&str, (String, &str)> {
        let rows = self.sections.get(section).unwrap_or_else(|| panic!("docs/json.md has no section {section}"));
        let mut keys = BTreeMap::new();
        for (key, kind) in rows {
            match key.as_str() {
                "..." => keys.extend(self.keys(linked(kind).expect("a section"))),
                key => drop(keys.insert(key, (section.to_owned(), kind))),
            }
        }
        keys
    }

    fn object(&self, section: &str, place: &str, value: &Value) -> Result<(), String> {
        let object: &Map<_, _> = value.as_object().ok_or_else(|| format!("{place} is no object: {value}"))?;
        if section == "configuration" {
            return configuration(place, value);
        }
        let keys = self.keys(section);
        for (key, value) in object {
            let place = format!("{place}.{key}");
            let (owner, kind) = keys.get(key.as_str()).ok_or_else(|| format!("docs/json.md does not have {place}"))?;
            self.check(kind, &place, value)?;
            self.seen.borrow_mut().insert((owner.clone(), key.clone()));
        }
        Ok(())
    }

    fn check(&self, kind: &str, place: &str, value: &Value) -> Result<(), String> {
        if let Some((one, other)) = kind.split_once(" or ").filter(|(one, _)| !one.contains('(') || one.contains(')')) {
            return self
                .check(one, place, value)
                .or_else(|first| self.check(other, place, value).map_err(|second| format!("{first}; {second}")));
        }
        if let Some(kind) = kind.strip_prefix("list of ") {
            let list = value.as_array().ok_or_else(|| format!("{place} is no list: {value}"))?;
            return list.iter().try_for_each(|value| self.check(kind, &format!("{place}[]"), value));
        }
        if let Some(kind) = kind.strip_prefix('(') {
            return self.check(kind.trim_end_matches(')'), place, value);
        }
        if let Some(kind) = kind.strip_prefix("map of ") {
            let map = value.as_object().ok_or_else(|| format!("{place} is no map: {value}"))?;
            return map.values().try_for_each(|value| self.check(kind, &format!("{place}.*"), value));
        }
        if let Some(section) = linked(kind) {
            return self.object(section, place, value);
        }
        let fits = match kind {
            "string" => value.is_string(),
            "integer" => value.is_u64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            _ => return Err(format!("docs/json.md: unknown type {kind} of {place}")),
        };
        fits.then_some(()).ok_or_else(|| format!("{place} is no {kind}: {value}"))
    }

    fn assert_has(&self, section: &str, value: &Value) {
        self.object(section, section, value).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// `[section](#anchor)`
fn linked(kind: &str) -> Option<&str> {
    Some(kind.strip_prefix('[')?.split_once(']')?.0)
}

/// Every field is one of a preset's file, or of a table of docs/presets.md.
fn configuration(place: &str, value: &Value) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sim/presets");
    let of_page =
        include_str!("../docs/presets.md").lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" |"));
    let of_page = of_page.filter_map(|(field, _)| Some((field.split_once('.')?.0, field)));
    let mut known: BTreeSet<_> = of_page.flat_map(|(table, field)| [table, field].map(str::to_owned)).collect();
    for file in std::fs::read_dir(folder).unwrap() {
        let table: toml::Table = std::fs::read_to_string(file.unwrap().path()).unwrap().parse().unwrap();
        for (table, fields) in table {
            known.extend(fields.as_table().into_iter().flatten().map(|(field, _)| format!("{table}.{field}")));
            known.insert(table);
        }
    }
    for (table, fields) in value.as_object().unwrap() {
        let fields = fields.as_object().into_iter().flatten().map(|(field, _)| format!("{table}.{field}"));
        if let Some(field) = fields.chain([table.clone()]).find(|field| !known.contains(field)) {
            return Err(format!("{place}: no preset has {field}"));
        }
    }
    Ok(())
}

/// Small real runs of every command. Those with RTL use models that other tests build too.
#[test]
fn every_key_is_on_the_page_and_every_key_of_the_page_is_written() {
    let (page, folder) = (Page::read(), Folder::new());
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The first word of a line is the section of its result.
    let leaves = |code: i32, line: &str| {
        let mut command = folder.command(line);
        command.current_dir(checkout).arg("--json").arg(folder.path("result.json"));
        ends(&mut command, code, &[]);
        page.assert_has(line.split(' ').next().unwrap(), &folder.json("result.json"));
    };
    let path = |name: &str| folder.path(name).display().to_string();
    let [seven, pushes] = ["seven.ptx", "pushes.ptx"].map(path);
    let lockstep = format!("--units lockstep {SMALL}");
    leaves(0, &format!("run bfs --graph gen:uniform:300 --variant hwwl --against topo {lockstep}"));
    leaves(0, &format!("run sssp --graph {} --variant topo", path("timed.txt")));
    leaves(0, "run vecadd --size 64");
    leaves(0, &format!("kernel {seven} --grid 1 --block 32 --arg inout:{} --arg u64:0", path("a.bin")));
    leaves(0, &format!("kernel {pushes} --launches {} {lockstep}", path("launches.toml")));
    let rogue = "tests/own_unit/rogue.cu --entry reads --unit rogue=tests/own_unit/rogue.v";
    let buffers = format!("--arg in:{} --arg out:{}:128", path("a.bin"), path("words.bin"));
    leaves(0, &format!("kernel {rogue} --grid 1 --block 32 {buffers}"));
    let stream = "--unit stream=examples/stream/stream.v --model examples/stream/stream.cpp --at partition";
    leaves(0, &format!("run vecadd --size 64 {stream} --no-area"));
    leaves(0, &format!("cosim --unit bank --cycles 200000 --waveform {}", path("bank.fst")));
    leaves(0, &format!("cosim {stream} --cycles 1000"));
    leaves(0, "cosim --unit bank --cycles 200000 --rtl verilog-out/hwwl_bank.v --top hwwl_bank");
    leaves(1, "cosim --unit icrn --set cores=2 --cycles 20 --coverage");
    leaves(1, "mutate icrn --set cores=2 -n 20 --cycles 2 --patience 0");
    leaves(0, "prove sram_1rw");
    leaves(0, "prove bank --stimulus 1000");
    leaves(0, "area --unit bank --set entries=4");
    leaves(0, "area --unit bank --storage");
    leaves(0, &format!("sweep {} --out {}", path("plan.toml"), path("out")));
    folder.write("own.toml", &OWN.replace("CHECKOUT", env!("CARGO_MANIFEST_DIR")));
    leaves(0, &format!("sweep {} --out {}", path("own.toml"), path("own")));
    leaves(0, "claims");
    leaves(0, "calibrate tests/calibration --only fma_chain_latency --only clang --only micro14");
    leaves(0, "microbench --config hwwl-micro14 --only l1-latency");
    leaves(0, "list");
    succeeds(&mut folder.command("exec --json result.json true"));
    page.assert_has("exec", &folder.json("result.json"));
    folder.write("launch.cu", "__global__ void k() {} int main() { k<<<1, 32>>>(); return cudaDeviceSynchronize(); }");
    succeeds(&mut folder.command("nvcc launch.cu -o launch"));
    succeeds(&mut folder.command("exec --stats stats.jsonl ./launch"));
    page.assert_has("launch of a program", &folder.json("stats.jsonl"));
    let race = "__shared__ volatile int a[64]; a[threadIdx.x] = 1; a[63 - threadIdx.x];";
    folder.write(
        "race.cu",
        &format!("__global__ void k() {{ {race} }} int main() {{ k<<<1, 64>>>(); cudaDeviceSynchronize(); }}"),
    );
    succeeds(&mut folder.command("nvcc race.cu -o race"));
    ends(&mut folder.command("exec --check races --json result.json ./race"), 1, &["no barrier"]);
    page.assert_has("exec", &folder.json("result.json"));

    // The command meets a difference only on broken RTL.
    let evidence = Evidence::Files { waveform: "w".into(), trace: "t".into() };
    for evidence in [evidence, Evidence::Lost("disk full".into())] {
        let [unit, pin, model, rtl] = ["bank", "full", "0x0", "0x1"].map(String::from);
        let difference = Difference { unit, cycle: 1, pin, model, rtl, evidence };
        page.assert_has("difference", &serde_json::to_value(difference).unwrap());
    }
    let claim = Claim { name: "full".into(), kind: Kind::Assumption, sentence: "It is full.".into() };
    page.assert_has("broken claim", &serde_json::to_value(Broken { claim, cycle: 1 }).unwrap());
    page.assert_has("cosim", &json!({ "minimal": Minimal { trace: "t".into(), cycles: 1 } }));

    // Optional tools make these rows.
    let [module, digest] = ["bank", "0"].map(String::from);
    let (unit, parameters) = (module.clone(), BTreeMap::from([("entries".to_string(), 4)]));
    let fpga = fpga::Row { unit, module, parameters, luts: 1, flip_flops: 1, block_rams: 1, mhz: Some(1.5) };
    let layout = layout::Row {
        unit: fpga.unit.clone(),
        module: fpga.module.clone(),
        digest,
        parameters: fpga.parameters.clone(),
        cells: 1,
        gate_equivalents: 1.5,
        sram_macros: 1,
        die_um2: 1.5,
        wire_mm: 1.5,
        lumped_nets: 1,
        ns_without_wires: 1.5,
        ns_with_wires: 1.5,
        ns_with_twice_the_capacitance: 1.5,
        lvs_errors: Some(0),
        drc_errors: None,
        seconds: 1.5,
    };
    page.assert_has("area", &json!({ "layouts": [layout], "fpga": [fpga] }));

    let keys =
        page.sections.iter().flat_map(|(section, rows)| rows.iter().map(|(key, _)| (section.clone(), key.clone())));
    let seen = page.seen.borrow();
    let unwritten: Vec<_> =
        keys.filter(|(section, key)| key != "..." && !seen.contains(&(section.clone(), key.clone()))).collect();
    assert_eq!(unwritten, [], "docs/json.md has keys that no command wrote");
}
