//! Whole runs of the GPU model: how many warp instructions and cycles a second, and how much memory. Each run is a process of
//! its own, made three times; the fastest counts. Then runs with all RTL in lock-step, and the same runs without.
//! `cargo bench --bench runs -- sizes`: workloads on graphs of more and more nodes, each once. Adds the rows that are missing to
//! `docs/performance-sizes.csv` and draws `docs/performance-sizes.svg`.
//! `cargo bench --bench runs -- NAME` makes only those whose name contains NAME.

mod plot;

use plot::{draw, Panel};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use tempfile::TempDir;
use wait4::Wait4;

const ROUNDS: usize = 3;

const RUNS: [(&str, &str); 6] = [
    ("bfs topo, Fermi 14 SM", "bfs --config gw-fermi-b32 --graph gen:uniform:65536:seed=1 --variant topo"),
    ("bfs hwwl, 4 SM", "bfs --config hwwl-micro14 --graph gen:uniform:16384:seed=1 --variant hwwl"),
    ("sssp swwl, 4 SM", "sssp --config hwwl-micro14 --graph gen:geometric:8192 --variant swwl"),
    ("pagerank warp, Maxwell 16 SM", "pagerank --config iru-gtx980 --graph gen:kron:12 --variant warp"),
    ("matmul, Fermi 15 SM", "matmul --config calibration-gtx480 --size 256"),
    ("hotspot, Fermi 14 SM of 8-wide warps", "hotspot --config gw-fermi-gw8 --size 256"),
];

/// Each with the RTL of all its units.
const LOCKSTEPS: [(&str, &str); 3] = [
    ("lockstep of HWWL, 4 cores", "bfs --config hwwl-micro14 --graph gen:collaboration:23133 --variant hwwl"),
    ("lockstep of IRU, 4 partitions", "pagerank --config iru-gtx980 --graph gen:kron:12 --variant iru"),
    ("lockstep of GW, 14 front ends", "pagerank --config gw-fermi-gw8 --graph gen:kron:10 --variant warp"),
];

/// Workloads on larger and larger graphs: each variant.
const WORKLOADS: [(&str, &str); 3] = [("bfs", "topo"), ("sssp", "near-far"), ("pagerank", "thread")];
/// Binary logarithms of the numbers of nodes.
const SIZES: [u32; 7] = [10, 12, 14, 16, 18, 20, 22];

struct Measured {
    cycles: u64,
    warp_instructions: u64,
    seconds: f64,
    processor_seconds: f64,
    megabytes: f64,
}

/// A run on a graph of some size: a row of the file.
#[derive(Deserialize, Serialize)]
struct Row {
    workload: String,
    variant: String,
    nodes: u64,
    warp_instructions: u64,
    cycles: u64,
    processor_seconds: f64,
    megabytes: f64,
}

fn main() {
    let filter = std::env::args().skip(1).find(|a| !a.starts_with('-')).unwrap_or_default();
    if filter == "sizes" {
        return sizes();
    }
    println!(
        "{:<38} {:>12} {:>12} {:>8} {:>12} {:>12} {:>7}",
        "run", "warp instr.", "cycles", "s", "kwarp-i./s", "kcycles/s", "MB"
    );
    let is_wanted = |(name, arguments): &&(&str, &str)| name.contains(&filter) || arguments.contains(&filter);
    for (name, arguments) in RUNS.iter().filter(is_wanted) {
        let Measured { cycles, warp_instructions, seconds, megabytes, .. } = best(arguments);
        let thousands = |n: u64| n as f64 / seconds / 1e3;
        println!(
            "{name:<38} {warp_instructions:>12} {cycles:>12} {seconds:>8.2} {:>12.0} {:>12.0} {megabytes:>7.0}",
            thousands(warp_instructions),
            thousands(cycles)
        );
    }
    println!("\n{:<38} {:>12} {:>12} {:>8} {:>8} {:>8}", "run", "warp instr.", "cycles", "s", "with RTL", "ratio");
    for (name, arguments) in LOCKSTEPS.iter().filter(is_wanted) {
        let locked = format!("{arguments} --units lockstep");
        // The first builds the RTL's models.
        measure(&locked);
        let [plain, locked] = [arguments, locked.as_str()].map(best);
        let Measured { cycles, warp_instructions, seconds, .. } = plain;
        let ratio = locked.seconds / seconds;
        println!("{name:<38} {warp_instructions:>12} {cycles:>12} {seconds:>8.2} {:>8.2} {ratio:>8.2}", locked.seconds);
    }
}

/// Rows of growing graphs, and the figure of them. A command that was stopped goes on where it was.
fn sizes() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let file = docs.join("performance-sizes.csv");
    let mut rows: Vec<Row> = vec![];
    if file.exists() {
        let mut reader = csv::Reader::from_path(&file).expect("the file can be read");
        rows.extend(reader.deserialize().map(|row| row.expect("a row")));
    }
    println!("{:<38} {:>12} {:>12} {:>12} {:>7}", "run", "warp instr.", "cycles", "processor s", "MB");
    for nodes in SIZES.map(|logarithm| 1 << logarithm) {
        for (workload, variant) in WORKLOADS {
            let is_this = |row: &Row| row.is_of(workload, variant) && row.nodes == nodes;
            if !rows.iter().any(is_this) {
                rows.push(row(workload, variant, nodes));
                rows.sort_by_key(|row| (row.nodes, WORKLOADS.iter().position(|(name, _)| *name == row.workload)));
                keep(&file, &rows);
                std::fs::write(docs.join("performance-sizes.svg"), figure(&rows)).expect("the figure can be written");
            }
            let row = rows.iter().find(|row| is_this(row)).expect("a row");
            let Row { warp_instructions, cycles, processor_seconds, megabytes, .. } = row;
            let label = format!("{workload} {variant}, {nodes} nodes");
            println!("{label:<38} {warp_instructions:>12} {cycles:>12} {processor_seconds:>12.2} {megabytes:>7.0}");
        }
    }
}

/// Time and memory over the number of nodes.
fn figure(rows: &[Row]) -> String {
    let panel = |title, value: fn(&Row) -> f64| {
        let lines = WORKLOADS.map(|(workload, variant)| {
            let own = rows.iter().filter(|row| row.is_of(workload, variant));
            (format!("{workload} {variant}"), own.map(|row| (row.nodes as f64, value(row))).collect())
        });
        Panel { title, lines: lines.into() }
    };
    draw(&[panel("seconds of the processor", |row| row.processor_seconds), panel("megabytes", |row| row.megabytes)])
        .expect("a figure")
}

impl Row {
    fn is_of(&self, workload: &str, variant: &str) -> bool {
        (&self.workload[..], &self.variant[..]) == (workload, variant)
    }
}

fn row(workload: &str, variant: &str, nodes: u64) -> Row {
    let graph = format!("gen:uniform:{nodes}:seed=1");
    let run = measure(&format!("{workload} --config gw-fermi-b32 --graph {graph} --variant {variant}"));
    let Measured { cycles, warp_instructions, .. } = run;
    let (workload, variant, megabytes) = (workload.into(), variant.into(), run.megabytes.round());
    let processor_seconds = (100.0 * run.processor_seconds).round() / 100.0;
    Row { workload, variant, nodes, warp_instructions, cycles, processor_seconds, megabytes }
}

/// Nothing is lost if the command is stopped here.
fn keep(file: &Path, rows: &[Row]) {
    let new = file.with_extension("csv.new");
    let mut writer = csv::Writer::from_path(&new).expect("the file can be written");
    rows.iter().for_each(|row| writer.serialize(row).expect("a row"));
    writer.flush().expect("the file can be written");
    std::fs::rename(new, file).expect("the file can be written");
}

fn best(arguments: &str) -> Measured {
    let rounds = (0..ROUNDS).map(|_| measure(arguments));
    rounds.min_by(|a, b| a.seconds.total_cmp(&b.seconds)).expect("a round")
}

fn measure(arguments: &str) -> Measured {
    let directory = TempDir::new().expect("a temporary directory");
    let json = directory.path().join("run.json");
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_unruly"))
        .arg("run")
        .args(arguments.split(' '))
        .arg("--json")
        .arg(&json)
        .stdout(Stdio::null())
        .spawn()
        .expect("the command starts");
    let end = child.wait4().expect("the command ends");
    let seconds = start.elapsed().as_secs_f64();
    assert!(end.status.success(), "unruly run {arguments} failed");
    let report = read(&json);
    let count = |name: &str| report[name].as_u64().expect("a count");
    Measured {
        cycles: count("cycles"),
        warp_instructions: count("warp_instructions"),
        seconds,
        processor_seconds: (end.rusage.utime + end.rusage.stime).as_secs_f64(),
        megabytes: end.rusage.maxrss as f64 / 1e6,
    }
}

fn read(json: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(json).expect("the result was written")).expect("JSON")
}
