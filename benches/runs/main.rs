//! Whole runs of the GPU model: how many warp instructions and cycles a second, and how much memory. Each run is a process of
//! its own, made three times; the fastest counts. Then runs with all RTL in lock-step, beside the same runs without.
//! `cargo bench --bench runs -- sizes`: workloads on graphs of more and more nodes, each once; draws `docs/performance-sizes.svg`.
//! `cargo bench --bench runs -- NAME` makes only those whose name contains NAME.

mod plot;

use plot::{draw, Panel};
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

/// Workloads on larger and larger graphs: each variant, and the binary logarithms of the numbers of nodes.
const SIZES: [(&str, &str, &[u32]); 3] = [
    ("bfs", "topo", &[10, 12, 14, 16, 18, 20]),
    ("sssp", "topo", &[10, 12, 14, 16, 18]),
    ("pagerank", "warp", &[10, 12, 14, 16]),
];

struct Measured {
    cycles: u64,
    warp_instructions: u64,
    seconds: f64,
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
        let Measured { cycles, warp_instructions, seconds, megabytes } = best(arguments);
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

/// Rows of growing graphs, and the figure of them.
fn sizes() {
    println!("{:<38} {:>12} {:>12} {:>8} {:>7}", "run", "warp instr.", "cycles", "s", "MB");
    let lines = SIZES.map(|(workload, variant, logarithms)| {
        let name = format!("{workload} {variant}");
        let run = |logarithm: &u32| {
            let nodes = 1u64 << logarithm;
            let graph = format!("gen:uniform:{nodes}:seed=1");
            let run = measure(&format!("{workload} --config gw-fermi-b32 --graph {graph} --variant {variant}"));
            let Measured { cycles, warp_instructions, seconds, megabytes } = run;
            let row = format!("{name}, {nodes} nodes");
            println!("{row:<38} {warp_instructions:>12} {cycles:>12} {seconds:>8.2} {megabytes:>7.0}");
            (nodes as f64, run)
        };
        let runs: Vec<_> = logarithms.iter().map(run).collect();
        (name, runs)
    });
    let panel = |title, value: fn(&Measured) -> f64| {
        let points = |runs: &[(f64, Measured)]| runs.iter().map(|(nodes, run)| (*nodes, value(run))).collect();
        Panel { title, lines: lines.iter().map(|(name, runs)| (name.clone(), points(runs))).collect() }
    };
    let panels = [panel("seconds", |run| run.seconds), panel("megabytes", |run| run.megabytes)];
    let figure = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/performance-sizes.svg");
    std::fs::write(&figure, draw(&panels).expect("a figure")).expect("the figure can be written");
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
        megabytes: end.rusage.maxrss as f64 / 1e6,
    }
}

fn read(json: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(json).expect("the result was written")).expect("JSON")
}
