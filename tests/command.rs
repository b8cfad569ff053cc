//! The command as a user meets it: exit codes, one-line errors, JSON, the same answer every time.

use crate::common::command::{self, ends, stderr, succeeds, unruly};
use crate::common::interrupt::interrupt;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::LazyLock;
use tempfile::TempDir;

/// Runs a line with `--json` and returns the object.
fn json(line: &str) -> Value {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("result.json");
    succeeds(unruly(line).arg("--json").arg(&path));
    command::json(path)
}

/// The line must fail with `code` and one line that contains all of `words`.
fn refuses(line: &str, code: i32, words: &[&str]) {
    command::refuses(&mut unruly(line), code, words);
}

/// A file with this text, by its path.
fn file(directory: &TempDir, name: &str, text: &str) -> String {
    let path = directory.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

/// A file of the checkout.
fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

const SMALL: &str = "run bfs --config hwwl-micro14 --graph gen:uniform:3000 --variant hwwl";

#[test]
fn every_command_has_help_with_an_example() {
    for command in ["run", "cosim", "mutate", "prove", "verilog", "area", "microbench", "list", "config"] {
        let text = succeeds(&mut unruly(&format!("{command} --help")));
        assert!(text.contains(&format!("unruly {command}")) && text.contains("Example"), "{text}");
    }
}

#[test]
fn list_names_what_the_commands_accept() {
    let all = json("list");
    let names = |group: &str| -> Vec<String> {
        all[group].as_array().unwrap().iter().map(|e| e["name"].as_str().unwrap().to_string()).collect()
    };
    assert!(names("presets").contains(&"hwwl-micro14".to_string()));
    let regular = ["vecadd", "matmul", "reduction", "hotspot", "pathfinder", "backprop", "laplace", "nw", "nqueens"];
    let waving = ["cp", "nn", "dwt", "lib", "aes", "fft", "mum"];
    for workload in ["bfs", "sssp", "mst", "pagerank", "colour", "bc"].into_iter().chain(regular).chain(waving) {
        assert!(names("workloads").contains(&workload.to_string()), "{workload}");
    }
    let generators =
        ["uniform", "kron", "grid", "delaunay", "census", "geometric", "collaboration", "human", "mesh", "shell"];
    for graph in generators.map(|kind| format!("gen:{kind}:")).iter().map(String::as_str).chain(["debian"]) {
        assert!(names("graphs").iter().any(|name| name.starts_with(graph)), "{graph}");
    }
}

/// The manifest has all instances, and the long co-simulation has all units that can be co-simulated.
#[test]
fn units_are_listed_with_their_instances() {
    let all = json("list units");
    let units = all["units"].as_array().unwrap();
    let listed = units.iter().flat_map(|unit| {
        let instances = unit["instances"].as_array().unwrap().iter();
        instances.map(|i| (i["module"].as_str().unwrap(), (unit["name"].as_str().unwrap(), &i["parameters"])))
    });
    let manifest: Value = serde_json::from_str(&read("verilog-out/manifest.json")).unwrap();
    let sizes = manifest["sizes"].as_array().unwrap().iter();
    let shipped = sizes.map(|size| (size["flat"].as_str().unwrap(), (size["unit"].as_str().unwrap(), &size["size"])));
    assert_eq!(listed.collect::<BTreeMap<_, _>>(), shipped.collect());
    let rows: Value = serde_json::from_str(&read("docs/data/cosim.json")).unwrap();
    let compared = |unit: &str| rows.as_array().unwrap().iter().any(|row| row["unit"] == unit);
    // Units of extensions are in crates of their own.
    for unit in units.iter().filter(|unit| !unit["instances"].as_array().unwrap().is_empty()) {
        let name = unit["name"].as_str().unwrap();
        let source = format!("hdl/src/{}/{name}.rs", unit["system"].as_str().unwrap());
        assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join(&source).exists(), "no {source}");
        assert_eq!(unit["cosim"], compared(name), "{unit}");
    }
}

/// A field's unit, value in the preset, range and meaning, in the list and in the file that a user edits.
#[test]
fn fields_are_listed_and_a_configuration_is_a_file() {
    let all = json("list fields");
    let fields = all["fields"].as_array().unwrap();
    let field = |name: &str| fields.iter().find(|field| field["name"] == name).unwrap_or_else(|| panic!("{name}"));
    let entries = field("hwwl.entries");
    let found = ["unit", "default", "of", "range"].map(|key| entries[key].clone());
    assert_eq!(
        serde_json::json!(found),
        serde_json::json!(["IDs", 32, "hwwl-micro14", "a power of two from 4 to 65536"])
    );
    assert_eq!(field("iru.hash")["range"], "multiplicative, modulo, xor");
    assert_eq!(field("gw.swst")["of"], "gw-fermi-gw8");
    assert!(fields.iter().all(|field| field["description"].as_str().unwrap().len() > 3));

    let said = |line: &str| succeeds(&mut unruly(line));
    assert!(said("list fields").contains("hwwl.entries = 32"));
    let text = said("config gw-fermi-gw8 --set core.count=2");
    let line = text.lines().find(|line| line.starts_with("count = ")).unwrap();
    assert_eq!(line.split_whitespace().collect::<Vec<_>>().join(" "), "count = 2 # cores (SMs) [1 to 1024]");
    let directory = TempDir::new().unwrap();
    let own = file(&directory, "own.toml", &text);
    assert_eq!(said(&format!("config {own}")), text);
    let run = |config: &str| json(&format!("run vecadd --size 100 --config {config}"));
    assert_eq!(run(&own)["statistics"], run("gw-fermi-gw8 --set core.count=2")["statistics"]);
    refuses("config no-such-preset", 2, &["no-such-preset", "hwwl-micro14"]);
    refuses("config hwwl-micro14 --set l2.sets=3", 2, &["l2.sets = 3", "must be a power of two"]);
}

#[test]
fn storage_is_summed_memory_by_memory() {
    let units = json("area --unit iru_partition --storage");
    let units = units["units"].as_array().unwrap();
    let paper = units.iter().find(|unit| unit["parameters"]["sets"] == 256).unwrap();
    let bits = |m: &Value| ["instances", "words", "width"].iter().map(|key| m[key].as_u64().unwrap()).product::<u64>();
    let memories = paper["memories"].as_array().unwrap();
    assert_eq!(paper["bits"], memories.iter().map(bits).sum::<u64>());
    assert_eq!(
        paper["bits"],
        8 * (2048 + 1792 + 1280 + 2880 + 81920) + 3104 + 4 * 342,
        "Table 1 of the paper, places, replies"
    );
}

/// Arguments with which a run of a listed workload is short.
fn short_input(workload: &Value) -> &'static str {
    match workload["takes"].as_str().unwrap().starts_with("--graph") {
        true => "--graph gen:geometric:120",
        false if workload["name"] == "nn" => "--size 1",
        // Cubes, searches and levels grow fast.
        false if ["laplace", "nqueens", "dwt", "sp"].iter().any(|name| workload["name"] == *name) => "--size 7",
        false if workload["name"] == "dmr" => "--size 20",
        false => "--size 70",
    }
}

#[test]
fn every_listed_variant_runs_and_is_verified() {
    for workload in json("list workloads")["workloads"].as_array().unwrap() {
        for variant in workload["variants"].as_array().unwrap() {
            let (name, variant) = (workload["name"].as_str().unwrap(), variant["name"].as_str().unwrap());
            let input = short_input(workload);
            let config = match variant {
                "hwwl-iru" => "unruly-b32",
                _ if variant.contains("iru") => "iru-gtx980",
                _ => "hwwl-micro14",
            };
            let nodes = if variant.contains("edges") { "--set hwwl.nodes=16" } else { "" };
            let run = json(&format!("run {name} {input} --variant {variant} --config {config} {nodes}"));
            assert_eq!((&run["verified"], &run["variant"]), (&true.into(), &variant.into()), "{name} {variant}");
            let launches = run["launches"].as_array().unwrap();
            for field in ["cycles", "launches"] {
                let sum: u64 = launches.iter().map(|launch| launch["statistics"][field].as_u64().unwrap()).sum();
                assert_eq!(run["statistics"][field], sum, "{name} {variant}: {field} a launch and in all");
            }
        }
    }
}

/// A preset runs a variant, or says in one line which ones it runs.
#[test]
fn every_preset_runs_what_it_has_units_for() {
    let presets = json("list presets");
    for preset in presets["presets"].as_array().unwrap().iter().map(|preset| preset["name"].as_str().unwrap()) {
        let run = |variant| format!("run bfs --graph gen:grid:9x9 --variant {variant} --config {preset}");
        assert_eq!(json(&run("warp"))["verified"], true);
        let runs = |variant| unruly(&run(variant)).output().unwrap().status.success();
        match runs("hwwl") {
            true => assert_eq!(json(&run("hwwl"))["verified"], true),
            false => refuses(&run("hwwl"), 2, &["bfs hwwl", preset, "there is topo, warp, topo-lsg, swwl"]),
        }
        match runs("iru") {
            true => assert_eq!(json(&run("iru"))["statistics"]["reorder"]["delivered"], 288),
            false => refuses(&run("iru"), 2, &["bfs iru", preset, "there is topo, warp, topo-lsg, swwl"]),
        }
    }
}

#[test]
fn a_run_shows_what_the_gpu_did() {
    let text = succeeds(&mut unruly(&format!("{SMALL} --against topo")));
    let row = |label: &str| -> Vec<f64> {
        let line =
            text.lines().find(|line| line.trim_start().starts_with(label)).unwrap_or_else(|| panic!("{label}: {text}"));
        let values = line[40..].split_whitespace().filter(|word| *word != "%");
        values.map(|word| word.parse().unwrap_or_else(|_| panic!("{line}"))).collect()
    };
    let breakdown = text.lines().skip_while(|line| !line.starts_with("issue slots")).skip(1);
    let parts: Vec<_> =
        breakdown.take_while(|line| line.starts_with("  ")).map(|line| line[..40].trim().to_owned()).collect();
    assert!(parts.len() >= 6, "{text}");
    for run in 0..2 {
        let sum: f64 = parts.iter().map(|part| row(part)[run]).sum();
        assert!((sum - 100.0).abs() < 1e-6, "{text}");
        assert!((1.0..=32.0).contains(&row("requests per memory access")[run]));
        for share in ["lane utilisation", "L1 data: hits", "L2: hits", "DRAM: bandwidth used of peak", "DRAM: row hits"]
        {
            assert!((0.0..=100.0).contains(&row(share)[run]), "{share}");
        }
        assert!(row("NoC: bytes to cores")[run] > 0.0);
    }
    assert_eq!(row("worklist: IDs pushed")[0], 2999.0, "every node but the source");
    assert!(text.contains("hwwl: verified, all distances equal"));
}

#[test]
fn three_bodies_one_answer() {
    let runs = ["behavioural", "rtl", "lockstep"].map(|units| json(&format!("{SMALL} --units {units}")));
    for run in &runs {
        assert_eq!(run["verified"], true);
        assert!(run["units"].is_string());
        for field in ["cycles", "warp_instructions", "thread_instructions", "statistics"] {
            assert_eq!(run[field], runs[0][field], "{field}");
        }
    }
    let lockstep = &runs[2]["lockstep"];
    assert!(lockstep["cycles"].as_u64().unwrap() >= runs[2]["cycles"].as_u64().unwrap());
    assert!(lockstep["comparisons"].as_u64().unwrap() > 4 * lockstep["cycles"].as_u64().unwrap(), "of four cores");
    assert_eq!(lockstep["mismatches"], 0);
}

/// No unit is there to be RTL or to be compared with it: the answer names the runs that have one.
#[test]
fn without_a_unit_there_is_nothing_to_compare() {
    let of_bfs = [
        "--variant hwwl or hwwl-single or hwwl-frontier with --config hwwl-micro14",
        "--variant iru or merrill-iru or merrill-iru-filter with --config iru-gtx980",
    ];
    let of_all = "with --config gw-fermi-gw8";
    let run = |more: &str, words: &[&str]| {
        refuses(&format!("run bfs --graph gen:grid:5x5 {more}"), 2, &[words, &of_bfs, &[of_all]].concat());
    };
    run("--variant topo --units lockstep", &["bfs topo on hwwl-micro14 uses no hardware unit"]);
    run("--variant frontier --units rtl", &["bfs frontier on hwwl-micro14 uses no hardware unit"]);
    let iru = "--variant frontier --config iru-gtx980 --units lockstep";
    run(iru, &["bfs frontier on iru-gtx980 uses no hardware unit"]);
    refuses("run vecadd --units lockstep", 2, &["--variant thread with --config gw-fermi-gw8"]);
}

#[test]
fn same_inputs_same_bytes_on_any_thread_count() {
    let directory = TempDir::new().unwrap();
    let run = |threads: &str| -> Vec<u8> {
        let line = format!("{SMALL} --against swwl,topo --json result.json");
        succeeds(unruly(&line).current_dir(directory.path()).env("RAYON_NUM_THREADS", threads));
        std::fs::read(directory.path().join("result.json")).unwrap()
    };
    let first = run("1");
    assert_eq!(first, run("1"));
    assert_eq!(first, run("2"));
    let value: Value = serde_json::from_slice(&first).unwrap();
    let better = value["against"].as_array().unwrap().iter().map(|r| r["cycles"].as_u64().unwrap()).min().unwrap();
    let expected = better as f64 / value["cycles"].as_u64().unwrap() as f64;
    assert!((value["speedup"].as_f64().unwrap() - expected).abs() < 1e-9);
}

#[test]
fn bad_input_is_refused_in_one_line() {
    let directory = TempDir::new().unwrap();
    let file = |name: &str, text: &str| file(&directory, name, text);
    let graph = |path: &str, words: &[&str]| {
        refuses(&format!("run bfs --config hwwl-micro14 --graph {path} --variant topo"), 2, words)
    };
    let header = "%%MatrixMarket matrix coordinate pattern general\n";
    graph("no-such-file.mtx", &["no-such-file.mtx"]);
    graph(&file("range.mtx", &format!("{header}3 3 1\n1 4\n")), &["range.mtx", "3", "4"]);
    graph(&file("negative.mtx", &format!("{header}-3 3 1\n1 2\n")), &["negative.mtx", "2"]);
    graph(&file("missing.mtx", &format!("{header}3 3\n1 2\n")), &["missing.mtx", "2"]);
    graph(&file("empty.mtx", &format!("{header}0 0 0\n")), &["empty.mtx", "empty"]);
    graph(&file("many.mtx", &format!("{header}16777217 16777217 1\n1 2\n")), &["many.mtx", "16777216"]);
    graph("gen:uniform:-5", &["gen:uniform:-5"]);
    graph("gen:nothing:5", &["gen:nothing:5"]);

    graph("gen:kron:99", &["gen:kron:99", "24"]);
    graph("gen:grid:7", &["gen:grid:7", "ROWSxCOLS"]);
    for command in ["bugs", "prove --gates", "prove --sizes", "prove --stimulus 10"] {
        let words = ["no/such/rows.json: cannot write", "there is no folder"];
        refuses(&format!("{command} --rows no/such/rows.json"), 2, &words);
    }
    refuses("run bfs --variant topo", 2, &["bfs needs a graph", "--graph"]);
    refuses("run bfs --graph debian", 2, &["bfs needs a --variant", "topo, warp, topo-lsg, swwl"]);
    refuses("run bfs --graph debian --variant topo --size 5", 2, &["--size"]);
    refuses("run pagerank --graph debian --variant warp --source 5", 2, &["--source"]);
    refuses("run matmul --graph debian", 2, &["matmul works on no graph"]);
    refuses("run matmul --source 1", 2, &["matmul works on no graph"]);
    refuses("run matmul --size 0", 2, &["size 0", "1 to 8192"]);
    refuses("run matmul --variant hwwl", 2, &["matmul has no variant `hwwl`", "thread"]);
    refuses("run tetris", 2, &["tetris", "bfs", "pathfinder"]);

    let run = |config: &str, words: &[&str]| {
        refuses(&format!("run bfs --graph gen:uniform:64 --variant topo {config}"), 2, words)
    };
    run("--config no-such-preset", &["no-such-preset", "hwwl-micro14"]);
    let folder = directory.path().to_str().unwrap();
    run(&format!("--config {folder}"), &[folder, "is a folder", "TOML"]);
    run("--config .", &["--config .: is a folder"]);
    run("--config no/such/file", &["--config no/such/file: cannot read"]);
    run("--config missing.toml", &["--config missing.toml: cannot read"]);
    let topo = "bfs topo on hwwl-micro14 uses no hardware unit";
    run("--units lockstep", &[topo, "--variant hwwl", "gw-fermi-gw8"]);
    run("--config hwwl-micro14 --set hwwl.entires=8", &["entires"]);
    run("--config hwwl-micro14 --set hwwl.entries=33", &["entries", "33"]);
    let both = "--set hwwl.threshold=40 --set hwwl.entries=32";
    run(both, &["hwwl.threshold = 40", "must be from 1 to entries"]);
    run("--set hwwl.entries=0", &["hwwl.entries = 0", "must be a power of two from 4 to 65536"]);
    run("--set hwwl.lanes=12", &["hwwl.lanes = 12", "must be a power of two"]);
    let preset = include_str!("../sim/presets/hwwl-micro14.toml");
    let preset = file("threshold.toml", &preset.replace("threshold = 5 ", "threshold = 40 "));
    run(&format!("--config {preset}"), &["hwwl.threshold = 40", "must be from 1 to entries"]);
    run("--config hwwl-micro14 --json /dev/null/x.json", &["/dev/null/x.json"]);
    run("--config hwwl-micro14 --source 64", &["64"]);
    refuses("cosim --unit no_such_unit", 2, &["no_such_unit", "bank"]);
    for command in ["bugs held-loses-a-push", "prove queue", "mutate queue -n 5", "cosim --unit bank"] {
        refuses(&format!("{command} --stale"), 2, &["--stale goes with --rows"]);
        refuses(&format!("{command} --jobs 2"), 2, &["--jobs goes with --rows"]);
    }
    let rows = directory.path().join("none/rows.json");
    refuses(&format!("bugs --stale --rows {}", rows.display()), 1, &["missing or stale"]);
    assert!(!rows.parent().unwrap().exists(), "naming stale rows makes no folder");
    refuses("cosim --unit bank --cycles 0", 2, &["--cycles 0", "nothing would be compared", "1000000"]);
    let cosim = |change: &str, words: &[&str]| refuses(&format!("cosim --unit hwwl --set {change}"), 2, words);
    cosim("threshold=40", &["threshold = 40", "must be from 1 to entries"]);
    cosim("entries=0", &["entries = 0", "must be a power of two from 4 to 65536"]);
    cosim("entries=4", &["threshold = 5", "must be from 1 to entries"]);
    cosim("lanes=12", &["lanes = 12", "must be a power of two from 4 to 32"]);
    refuses("verilog --out /dev/null/verilog", 2, &["/dev/null/verilog"]);
    let empty = directory.path().display().to_string();
    refuses(&format!("verilog --unit hwwl_bank --out {}", directory.path().display()), 2, &["did you mean", "bank"]);
    for form in ["--unit bank --set entries=8", "--flat", "--every-size"] {
        let remedy = format!("it is missing): run `unruly verilog {form} --out {empty}`");
        refuses(&format!("verilog {form} --out {empty} --check"), 1, &[&remedy]);
    }
}

/// A name that is nearly right gets one line with the right word, whichever kind of name it is.
#[test]
fn a_word_that_is_nearly_right_is_recognised() {
    let bfs = "run bfs --graph gen:uniform:64 --variant topo";
    let on = |more: &str| format!("{bfs} {more}");
    for (line, meant) in [
        ("runn bfs".to_owned(), "run"),
        ("run bsf".into(), "bfs"),
        ("run bfs --graph gen:uniform:64 --variant tpo".into(), "topo"),
        ("run bfs --graph gen:unifrom:64 --variant topo".into(), "uniform"),
        ("run bfs --graph gen:uniform:64:sed=1 --variant topo".into(), "seed"),
        (on("--config hwwl-micro41"), "hwwl-micro14"),
        (on("--set core.coutn=2"), "core.count"),
        (on("--set coer.count=2"), "core.count"),
        (on("--set warp_size=8"), "core.warp_size"),
        (on("--set core.scheduler=gtto"), "gto"),
        (on("--units lokstep"), "lockstep"),
        (on("--attach combinr"), "combiner"),
        (on("--agianst topo"), "--against"),
        ("cosim --unit bnak".into(), "bank"),
        ("cosim --unit bank --set entires=8".into(), "entries"),
        ("area --unit hvuu".into(), "hvu"),
        ("area --module hwwl_bank_e33".into(), "hwwl_bank_e32"),
        ("prove queu".into(), "queue"),
        ("bugs age-not-rest".into(), "age-not-reset"),
        ("microbench --only l2-latenzy".into(), "l2-latency"),
        ("list preset".into(), "presets"),
        ("config iru-gtx970".into(), "iru-gtx980"),
    ] {
        refuses(&line, 2, &[&format!("did you mean `{meant}`?")]);
    }
    for (line, words) in [
        ("run", &["not provided: <WORKLOAD>; see `unruly run --help`"][..]),
        ("kernel", &["--grid", "--block", "<FILE>; see `unruly kernel --help`"]),
        ("claims --json", &["a value is required for '--json <FILE>'", "see `unruly claims --help`"]),
        ("area --unit bank --route bank", &["cannot be used with", "see `unruly area --help`"]),
        ("prove --sizes queue --stimulus 5", &["cannot be used with", "see `unruly prove --help`"]),
        ("xyzzy", &["unrecognized subcommand 'xyzzy'; see `unruly --help`"]),
    ] {
        refuses(line, 2, words);
    }
}

/// A node is meant by what its file calls it, or by its place.
#[test]
fn a_search_starts_at_the_node_that_the_file_calls_so() {
    let directory = TempDir::new().unwrap();
    let file = |name: &str, text: &str| file(&directory, name, text);
    let path = file("path.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n6 6 3\n3 2\n4 3\n5 4\n");
    let labels = file("labels.txt", "70 900\n900 4\n");
    let run = |graph: &str, source: &str| format!("run bfs --variant topo --graph {graph} {source}");
    // From node 2 the path has four nodes; node 1 and node 6 have no edge.
    for (graph, source, from, reached) in [
        (&path, "--source 2", "from node 2", 4),
        (&path, "--source 1", "from node 1", 1),
        (&path, "--source 6", "from node 6", 1),
        (&path, "--source-index 1", "from node 2", 4),
        (&labels, "--source 900", "from node 900", 3),
        (&labels, "--source-index 0", "from node 4", 3),
    ] {
        let said = succeeds(&mut unruly(&run(graph, source)));
        let nodes = if graph == &path { 6 } else { 3 };
        assert!(said.lines().next().unwrap().contains(from), "{source}: {said}");
        assert!(said.contains(&format!("reached: {reached} of {nodes} nodes\n")), "{source}: {said}");
    }
    let report = json(&format!("run sssp --variant topo --against warp --graph {path} --source 2"));
    assert_eq!((&report["graph"]["source"], &report["graph"]["source_name"]), (&1.into(), &"2".into()));
    assert_eq!((&report["reached"], &report["against"][0]["reached"]), (&4.into(), &4.into()));
    assert!(json(&format!("run mst --variant topo --graph {path}")).get("reached").is_none());
    for (graph, source, words) in [
        (&path, "--source 0", &["--source", "no node is called `0`; nodes are called 1 to 6"][..]),
        (&path, "--source 7", &["no node is called `7`"]),
        (&path, "--source -1", &["no node is called `-1`"]),
        (&path, "--source-index 6", &["--source-index 6: path has the places 0 to 5"]),
        (&labels, "--source 1", &["no node is called `1`; 3 nodes are called by numbers from 4 to 900"]),
        (&path, "--source 1 --source-index 1", &["cannot be used with"]),
    ] {
        refuses(&run(graph, source), 2, words);
    }
}

/// The period over 0.5 ps of FO4 a nanometre, less 45 %: 11 FO4 at 2500 MHz and 40 nm.
#[test]
fn the_verdict_is_about_the_clock_of_the_configuration() {
    let line = |set: &str| format!("run bfs --graph gen:uniform:64 --variant hwwl --against topo {set}");
    let verdict = |set: &str| succeeds(&mut unruly(&line(set)));
    assert!(verdict("").contains("leaves 39: missed"));
    assert!(verdict("--set core.clock_mhz=2500").contains("leaves 11: missed"));
    assert!(verdict("--set core.clock_mhz=2500 --set core.node_nm=8").contains("leaves 55: met"));
    let report = json(&line("--set core.clock_mhz=2500"));
    let number = |value: &Value| value.as_f64().unwrap();
    let clock = &report["unit_clocks"][0];
    let stretch = number(&clock["path_fo4"]) / number(&clock["target_fo4"]);
    assert!(number(&clock["target_fo4"]) == 11.0 && stretch > 3.0);
    assert!((number(&report["speedup"]) / number(&report["speedup_in_time"]) - stretch).abs() < 1e-9);
}

/// Whatever prints much, little, or through clap says so in one line when nothing more fits.
#[test]
fn standard_output_that_is_full_is_one_line() {
    for line in ["list", "run vecadd --size 100", "config hwwl-micro14", "claims", "--help", "run --help", "--version"]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = unruly(line).stdout(full).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{line}: {said}");
        assert!(said.starts_with("unruly: cannot print: ") && said.contains("No space left"), "{line}: {said}");
        assert_eq!(said.lines().count(), 1, "{line}: {said}");
    }
}

/// Faults that survive are looked at once more, and the report says what is left of them.
#[test]
fn faults_that_survive_are_looked_at_again() {
    let directory = TempDir::new().unwrap();
    let mutate = |line: &str| {
        let mut command = unruly(&format!("mutate {line} --limit 2"));
        command.current_dir(directory.path());
        command
    };
    let report = |name: &str| command::json(directory.path().join(name));
    let few = "icrn --set cores=2 -n 20 --cycles 1 --patience 0 --json few.json";
    ends(&mut mutate(few), 1, &["of 20 mutants survive"]);
    succeeds(&mut mutate("--again few.json --patience 20000 --json all.json"));
    let (few, all) = (report("few.json"), report("all.json"));
    let found = |report: &Value| report["killed"].as_u64().unwrap() + report["equivalent"].as_u64().unwrap();
    let left = few["survivors"].as_array().unwrap().len() as u64;
    assert!(left > 10, "{left} survive a cycle");
    assert_eq!((found(&few) + left, found(&all)), (20, 20));
    command::refuses(&mut mutate("--again few.json --json few.json"), 2, &["few.json"]);
    command::refuses(&mut mutate("--again no.json"), 2, &["no.json: cannot read"]);
    let text = file(&directory, "text.json", "{}");
    command::refuses(&mut mutate(&format!("--again {text}")), 2, &["text.json: not a report of `unruly mutate`"]);
    ends(&mut mutate("icrn --again few.json"), 2, &["cannot be used with '--again <FILE>'"]);
    let other = few.to_string().replace("\"seed\":1", "\"seed\":2");
    let other = file(&directory, "other.json", &other);
    command::refuses(&mut mutate(&format!("--again {other}")), 2, &["other.json: the report of icrn_c2 has other RTL"]);
}

#[test]
fn numbers_may_be_written_short() {
    let vecadd = |size, cores| {
        let run = json(&format!("run vecadd --size {size} --set {cores}"));
        (run["size"].clone(), run["statistics"].clone())
    };
    assert_eq!(vecadd("1e3", "core.count=0.2e1"), vecadd("1000", "core.count=2"));
    let graph = |size| json(&format!("run bfs --variant topo --graph {size}"))["graph"]["nodes"].clone();
    assert_eq!([graph("gen:uniform:1e2"), graph("gen:grid:2_0x5")], [100, 100]);
    refuses("run vecadd --size 1.5", 2, &["'1.5'", "--size", "whole number", "1e6"]);
    refuses("run vecadd --size 1e10", 2, &["'1e10'", "--size", "at most 4294967295"]);
    refuses("cosim --unit bank --cycles 2.5e0", 2, &["'2.5e0'", "--cycles", "whole number"]);
    refuses("cosim --unit bank --set entries=1.5", 2, &["entries=1.5", "whole number"]);
    refuses("run vecadd --set core.count=1.5", 2, &["core.count = 1.5", "whole number"]);
}

/// The run says whose lengths it takes and what it changed of a file's edges; who takes no lengths does not mind bad ones.
#[test]
fn a_run_says_what_it_takes_from_a_graph_file() {
    let directory = TempDir::new().unwrap();
    let file = |name: &str, text: &str| file(&directory, name, text);
    let run = |workload: &str, graph: &str| {
        let said = succeeds(&mut unruly(&format!("run {workload} --variant topo --graph {graph}")));
        said.lines().skip(1).take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    let arrows = file("arrows.gr", "p sp 3 4\na 1 2 7\na 2 3 5\na 2 3 4\na 3 3 1\n");
    let changes =
        "input: dimacs; made undirected, edges with one direction: 2; loops dropped: 1; repeated edges dropped: 1";
    let lengths = "lengths: of the file; edges with several, of which the shortest counts: 1";
    assert_eq!(run("sssp", &arrows), [changes, lengths]);
    assert_eq!(run("bfs", &arrows)[0], changes);
    let report = json(&format!("run mst --variant topo --graph {arrows}"));
    assert_eq!(report["graph"]["lengths"], "of the file");
    let counts = serde_json::json!({ "one_way": 2, "loops": 1, "repeated": 1, "several_lengths": 1 });
    assert_eq!(report["graph"]["changes"], counts);

    let symmetric = |values: &str, entry: &str| {
        file("a.mtx", &format!("%%MatrixMarket matrix coordinate {values} symmetric\n2 2 1\n2 1{entry}\n"))
    };
    assert_eq!(run("sssp", &symmetric("pattern", "")), ["input: matrix-market", "lengths: hashed, 1 to 255"]);
    let report = json("run bfs --variant topo --graph gen:grid:2x2");
    assert!(report["graph"].get("lengths").is_none() && report["graph"].get("changes").is_none());
    let fraction = symmetric("real", " 0.5");
    for workload in ["sssp", "mst"] {
        let line = format!("run {workload} --variant topo --graph {fraction}");
        refuses(&line, 2, &["a.mtx:3: the length is not whole: `0.5`", "--lengths hash"]);
    }
    assert_eq!(json(&format!("run bfs --variant topo --graph {fraction}"))["verified"], true);

    let options = "--lengths scale:4 --directed --graph-format matrix-market";
    let said = run("sssp", &format!("{fraction} {options}"));
    assert_eq!(said, ["input: matrix-market; directions kept", "lengths: of the file, times 4, rounded"]);
    let timed = file("timed.txt", "0 1 5 1300000000\n1 2 7 1300000001\n");
    let report = json(&format!("run sssp --variant topo --graph {timed} --directed"));
    assert_eq!(report["graph"]["unused"], serde_json::json!(["the fourth word of a line"]));
    assert_eq!((&report["graph"]["format"], &report["graph"]["directed"]), (&"edge-list".into(), &true.into()));
    refuses(
        &format!("run mst --variant topo --graph {timed} --directed"),
        2,
        &["one direction only", "a file is one without --directed"],
    );
    refuses(&format!("run bfs --variant topo --graph {timed} --lengths hash"), 2, &["bfs takes no lengths"]);
    refuses(
        "run sssp --variant topo --graph gen:grid:2x2 --lengths hash",
        2,
        &["gen:grid:2x2: --graph-format, --lengths"],
    );
    refuses("run vecadd --directed", 2, &["vecadd works on no graph: leave out --directed"]);
    refuses("run sssp --variant topo --graph debian --lengths scale:0", 2, &["scale:0", "file, hash or scale:N"]);
    let tree = file("tree.txt", "3 2\n1 2\n2 3\n");
    refuses(
        &format!("run bfs --variant topo --graph {tree}"),
        2,
        &["edge-list, edge-list-with-counts", "--graph-format"],
    );
}

/// Banks of 8 entries hold a part of the frontier; the rest goes to memory and comes back, whenever it is asked for.
#[test]
fn a_small_worklist_spills_and_loses_nothing() {
    for refill in ["hwwl.refill=interval", "hwwl.refill=demand"] {
        let run = json(&format!("{SMALL} --set hwwl.entries=8 --set {refill}"));
        let worklist = &run["statistics"]["worklist"];
        assert_eq!(run["verified"], true);
        assert!(worklist["ids_spilled"].as_u64().unwrap() > 0, "{worklist}");
        assert_eq!(worklist["ids_pushed"], worklist["ids_pulled"]);
    }
}

/// Worklists that no hardware could be, and every scheme: the same distances.
#[test]
fn every_scheme_and_every_ideal_gives_the_result() {
    let schemes = ["none", "threshold", "lsorting", "gsorting", "serial"].map(|scheme| format!("hwwl.scheme={scheme}"));
    let ideals = ["infinite", "magic", "fifo", "sorted", "core_sorted", "owner_sorted"]
        .map(|ideal| format!("hwwl.ideal={ideal}"));
    let run = "run bfs --graph gen:uniform:1000 --variant hwwl --set";
    for set in schemes.iter().chain(&ideals) {
        assert_eq!(json(&format!("{run} {set}"))["verified"], true, "{set}");
    }
    refuses(&format!("{run} hwwl.ideal=magic --units rtl"), 2, &["hwwl.ideal", "behavioural"]);
}

#[test]
fn a_missing_tool_is_named() {
    let empty = TempDir::new().unwrap();
    let mut cosim = unruly("cosim --unit bank --cycles 1000");
    let said = ends(cosim.env("PATH", empty.path()).env_remove("VERILATOR_ROOT"), 3, &[]);
    assert!(said.to_lowercase().contains("verilator"), "{said}");
}

#[test]
fn after_an_interrupt_there_is_no_result() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("result.json");
    let mut run = unruly("run bfs --config hwwl-micro14 --graph debian --variant topo");
    let child = run.arg("--json").arg(&path).stderr(Stdio::piped()).spawn().unwrap();
    while !catches_interrupts(child.id()) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    interrupt(child);
    assert_eq!(files(directory.path()), ["result.json"]);
    let left = command::json(path);
    assert_eq!((&left["failed"], &left["exit_code"], &left["verified"]), (&true.into(), &130.into(), &Value::Null));
}

/// By the bit of SIGINT in the mask that Linux shows.
fn catches_interrupts(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:\t")).expect("a process that runs");
    u64::from_str_radix(mask, 16).unwrap() >> 1 & 1 == 1
}

/// A Liberty file that ends too early: Yosys would never end on it.
#[test]
fn area_refuses_cells_that_are_cut_off() {
    let text = std::fs::read_to_string(gen::liberty::DEFAULT).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let group = lines.iter().position(|line| line.contains("cell (NAND3X1)")).unwrap();
    let cut = tempfile::Builder::new().suffix(".lib").tempfile().unwrap();
    std::fs::write(cut.path(), lines[..group + 4].join("\n")).unwrap();
    let path = cut.path().to_str().unwrap();
    refuses(&format!("area --unit bank --liberty {path}"), 2, &[path, "line ", "does not end: is the file cut off?"]);
}

#[test]
fn area_prints_committed_rows_only_while_they_are_fresh() {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/data/area.json");
    let row = json(&format!("area --module hwwl_bank_e32 --committed {committed}"))["rows"][0].clone();
    assert_eq!((&row["module"], &row["sram"]["bits"]), (&"hwwl_bank_e32".into(), &(32 * 24).into()));
    let directory = TempDir::new().unwrap();
    let changed = read("docs/data/area.json").replace(row["digest"].as_str().unwrap(), "00");
    let changed = file(&directory, "area.json", &changed);
    let line = format!("area --module hwwl_bank_e32 --committed {changed}");
    refuses(&line, 1, &["hwwl_bank_e32 is stale", "make cost"]);
    refuses("area --module no_such_module", 2, &["no_such_module", "unruly list units"]);
}

#[test]
fn rows_of_one_library_are_not_replaced_by_those_of_another() {
    let directory = TempDir::new().unwrap();
    let library = std::fs::read_to_string(gen::liberty::Liberty::read(None).unwrap().path).unwrap();
    let other = file(&directory, "other.lib", &library.replacen("osu018_stdcells", "other_cells", 1));
    let rows = file(&directory, "area.json", &read("docs/data/area.json"));
    let words = [&*rows, "rows of the library osu018_stdcells, not of other_cells", "name another file"];
    refuses(&format!("area --rows {rows} --liberty {other} --as-written"), 2, &words);
    assert_eq!(std::fs::read_to_string(rows).unwrap(), read("docs/data/area.json"));
}

#[test]
fn an_interrupt_ends_area_with_its_tools() {
    let [work, cache] = [0; 2].map(|_| TempDir::new().unwrap());
    let mut area = unruly(&format!("area --unit hvu --cache {}", cache.path().to_str().unwrap()));
    let mut child = area.env("TMPDIR", work.path()).stderr(Stdio::piped()).spawn().unwrap();
    let tools = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes
            .filter(|p| std::fs::read_link(p.path().join("cwd")).is_ok_and(|at| at.starts_with(work.path())))
            .count()
    };
    while tools() == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before the interrupt");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let text = stderr(&interrupt(child));
    assert!(text.lines().last().unwrap().starts_with("unruly: interrupted; "), "{text}");
    assert_eq!((tools(), files(work.path())), (0, vec![]), "nothing is left");
    assert!(files(cache.path()).iter().all(|name| name.ends_with(".json")), "only whole results stay");
}

fn files(directory: &Path) -> Vec<String> {
    std::fs::read_dir(directory).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_short_cosim_reports_its_coverage() {
    let report = json("cosim --unit bank --cycles 200000 --seed 1");
    assert_eq!(report["mismatches"], 0);
    assert_eq!(report["cycles"], 200000);
    assert!(report["coverage"].as_object().unwrap().values().all(|count| count.as_u64().unwrap() > 0));
    assert!(!report["still"].as_object().unwrap().contains_key("push_id"), "{}", report["still"]);
}

#[test]
fn bits_that_a_cosim_never_moved_are_named() {
    let output = unruly("cosim --unit bank --cycles 10 --coverage").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    // Ten cycles are too few for every coverage point, and for every bit.
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains(" pins never moved, and should\n") && text.contains("  pull_occupancy[5:0]\n"), "{text}");
}

/// A module for each size, as `unruly verilog --flat` writes it.
fn flat(file: &str) -> String {
    static FLAT: LazyLock<TempDir> = LazyLock::new(|| {
        let directory = TempDir::new().unwrap();
        succeeds(&mut unruly(&format!("verilog --flat --out {}", directory.path().display())));
        directory
    });
    std::fs::read_to_string(FLAT.path().join(file)).unwrap()
}

/// A size that does not ship, with the parts and the constraints that it needs.
#[test]
fn a_unit_of_any_size_is_written_alone() {
    let directory = TempDir::new().unwrap();
    let out = directory.path().join("bank");
    succeeds(&mut unruly(&format!(
        "verilog --unit reorder_bank --set sets=256 --set bundle=2 --out {}",
        out.display()
    )));
    let module = |file: &str| std::fs::read_to_string(out.join(file)).unwrap();
    assert!(module("reorder_bank_s256_b2.v").contains("\nmodule reorder_bank_s256_b2 ("));
    assert!(module("reorder_bank_s256_b2.sdc").contains("create_clock"));
    for part in ["reorder_bank_s256_b2_port.v", "reorder_bank_s256_b2_adder.v"] {
        assert!(module("reorder_bank_s256_b2.v").contains(part.trim_end_matches(".v")) && !module(part).is_empty());
    }
    assert!(!out.join("prefetcher_p4.v").exists(), "no other unit is there");
}

/// In a whole run, and in one that is too short, each place with its line in the Verilog of that size.
#[test]
fn places_of_the_rtl_that_a_cosim_never_reached_are_named() {
    let whole = json("cosim --unit bank --cycles 200000 --coverage");
    assert!(whole["places"]["places"].as_u64().unwrap() > 30 && whole["places"]["never"] == serde_json::json!([]));
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("short.json");
    let output = unruly("cosim --unit bank --cycles 10 --coverage --json").arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let never = command::json(&path)["places"]["never"].clone();
    let doubled = |place: &&Value| place["text"] == "if (double_mode_q)" && place["way"] == "if";
    let place = never.as_array().unwrap().iter().find(doubled).expect("ten cycles without a second buffer");
    let file = place["file"].as_str().unwrap();
    let shipped = flat(file);
    let line = place["line"].as_u64().unwrap() as usize;
    assert_eq!(shipped.lines().nth(line - 1).unwrap().trim(), "if (double_mode_q) begin");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(&format!("  {file}:{line}: `if (double_mode_q)`, true\n")), "{text}");
}

#[test]
fn a_segment_is_as_long_as_the_units_own_at_least() {
    let words = ["--segment 65535: hwwl_bank_e32 restarts every 65536 cycles"];
    ends(&mut unruly("cosim --unit bank --segment 65535"), 2, &words);
}

/// Ctrl-C while the model is built, and while it runs: one line, and nothing is left.
#[test]
fn an_interrupted_cosim_ends_like_everything_else() {
    let directory = TempDir::new().unwrap();
    let (cache, json) = (directory.path().join("cache"), directory.path().join("report.json"));
    let cosim = |cycles: &str, cache: &Path| {
        let mut command = unruly("cosim --unit sram_1r1w --set words=16 --set width=16");
        command.args(["--cycles", cycles]).env("UNRULY_CACHE", cache);
        command
    };
    let start =
        |cache: &Path| cosim("100000000000", cache).arg("--json").arg(&json).stderr(Stdio::piped()).spawn().unwrap();
    let ends = |child: Child| {
        assert_eq!(stderr(&interrupt(child)).lines().last(), Some("unruly: interrupted; there is no result"));
        let report = command::json(&json);
        assert_eq!((&report["failed"], &report["exit_code"]), (&true.into(), &130.into()));
    };
    let building = start(&cache);
    let models = cache.join("verilator");
    while !models.exists() || files(&models).is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    ends(building);
    assert_eq!(files(&models), Vec::<String>::new());

    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join(".cache");
    succeeds(&mut cosim("100000", &built));
    let running = start(&built);
    std::thread::sleep(std::time::Duration::from_millis(1500));
    ends(running);
}

/// An engineer's own Verilog in the place of ours, and a waveform of what it does.
#[test]
fn a_design_of_the_users_own_is_compared_and_shown() {
    let directory = TempDir::new().unwrap();
    let ours = flat("hwwl_bank_e8.v");
    let own = |name: &str, from: &str, to: &str| -> String {
        assert!(ours.contains(from), "{from}");
        file(&directory, name, &ours.replacen(from, to, 1))
    };
    let evidence = directory.path().join("evidence").to_str().unwrap().to_string();
    let cosim =
        |file: &str| format!("cosim --unit bank --set entries=8 --cycles 200000 --rtl {file} --evidence {evidence}");

    // Three segments of 65,536 cycles, and the rest.
    let waveform = directory.path().join("wave.fst");
    // The fault will be in a file that the Verilog includes.
    let tail = "tail_d[i*3 +: 3] = next_tail[i*3 +: 3]";
    let edited = own("edited.v", &format!("{tail};"), &format!("{tail} `FAULT;"));
    file(&directory, "edited.v", &format!("`include \"parts/fault.vh\"\n{}", read(&edited)));
    std::fs::create_dir(directory.path().join("parts")).unwrap();
    file(&directory, "parts/fault.vh", "`define FAULT\n");
    std::os::unix::fs::symlink("real.fst", &waveform).unwrap();
    let shown = format!("{} --waveform {}", cosim(&edited), waveform.display());
    let times = || {
        let bytes = std::fs::read(&waveform).unwrap();
        let time = |at: usize| u64::from_be_bytes(bytes[at..at + 8].try_into().unwrap());
        assert_eq!(bytes[0], 0, "an FST file begins with its header block");
        (time(9), time(17))
    };
    let report = json(&shown);
    assert!(waveform.is_symlink() && directory.path().join("real.fst").is_file(), "the link is followed");
    assert_eq!((&report["mismatches"], &report["rtl_files"][0]), (&Value::from(0), &Value::from(edited.as_str())));
    assert_eq!(times(), (2 * 199_000, 2 * 199_999 - 1), "the last 1,000 cycles, of which the last has outputs only");
    json(&format!("{shown} --from 100 --to 110"));
    assert_eq!(times(), (200, 219));
    let wrong = |range: &str, words: &[&str]| refuses(&format!("{shown} {range}"), 2, words);
    wrong("--from 65000 --to 66000", &["--from 65000", "restart before cycle", "65536"]);
    wrong("--to 200001", &["--to 200001", "200000 cycles"]);

    // Lines of progress come before the last one where building takes long.
    let ends = |file: &str, code: i32, words: &[&str]| ends(&mut unruly(&cosim(file)), code, words);
    file(&directory, "parts/fault.vh", "`define FAULT + 3'd1\n");
    let faulty = edited;
    ends(&faulty, 1, &["unruly: bank, cycle ", ": pin ", " in the model and ", " in the RTL", &evidence]);
    let left = std::fs::read_dir(&evidence).unwrap().map(|entry| entry.unwrap().path().display().to_string());
    let minimal = left.into_iter().find(|name| name.ends_with(".min.trace")).unwrap();
    let cycles = read(&minimal).lines().skip_while(|line| !line.starts_with("inputs ")).count() - 1;
    assert!((1..10).contains(&cycles), "{}", read(&minimal));
    refuses(&format!("cosim --replay {minimal} --rtl {faulty} --evidence {evidence}"), 1, &[" in the RTL"]);
    succeeds(&mut unruly(&format!("cosim --replay {minimal}")));
    let loops = own("loops.v", "= !(lane_pop | push);", "= !(lane_pop | push | (lane_idle & fill_push));");
    ends(
        &loops,
        1,
        &["unruly: bank, cycle ", ": it does not settle within a cycle: a signal depends on itself; waveform "],
    );
    let ports = own("ports.v", "output wire        full", "output wire full, output wire fuller");
    ends(&ports, 2, &["ports and pins differ: unexpected output fuller of 1 bits"]);
    let nonsense = own("nonsense.v", "endmodule", "endmodul");
    ends(&nonsense, 2, &["Verilator does not take the Verilog", &nonsense]);
    ends("missing.v", 2, &["unruly: missing.v: No such file or directory (os error 2)\n"]);
    let renamed = own("renamed.v", "module hwwl_bank_e8", "module other(); endmodule module third");
    refuses(&cosim(&renamed), 2, &["no module hwwl_bank_e8", "other, third", "--top"]);
}
