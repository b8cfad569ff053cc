//! Whole kernels with the RTL front end in every core, Graph-Waving's or the baseline's, in lock-step with the model.

use sim::config::Config;
use sim::gpu::{Gpu, RunError};
use sim::stats::CoreStats;
use sim::units::gw::{B32FrontEnd, GwFrontEnd};
use sim::workload::{self, Input, WorkloadError};
use testbench::in_gpu::{Choice, Handle, Implementation};
use testbench::lockstep::Evidence;

/// Two cores of two schedulers, 64 warps of 8 each. The storage is so small that kernels replace what it holds.
fn config() -> Config {
    let mut config = Config::preset("gw-fermi-gw8").unwrap();
    let fields = ["core.count=2", "core.schedulers=2", "core.max_warps=64", "gw.swst=4"];
    let storage = ["gw.instructions=32", "gw.sets=8", "gw.ways=2"];
    config.set_all(&[&fields[..], &storage[..]].concat()).unwrap();
    config
}

/// Runs a workload on the result of `change` to the RTL.
fn run(
    name: &str,
    variant: &str,
    size: Option<u32>,
    change: impl Fn(String) -> String,
) -> (Result<CoreStats, WorkloadError>, Handle, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let config = config();
    let choice = Choice::new(Implementation::Lockstep, directory.path()).changed(&change);
    let (front_ends, handle) = choice.attach::<GwFrontEnd>(&config).unwrap();
    let mut gpu = Gpu::new(&config, vec![front_ends]);
    let graph = sim::graph::open("gen:kron:7").unwrap();
    let input = size.map_or(Input::Graph { graph: &graph, source: graph.source }, Input::Size);
    let outcome = workload::find(name).unwrap().run(&mut gpu, input, variant.parse().unwrap(), &mut |_| {});
    (outcome.map(|_| gpu.stats().core.clone()), handle, directory)
}

/// An outcome is a verified one.
fn check(name: &str, variant: &str, size: Option<u32>) -> CoreStats {
    let (outcome, handle, _) = run(name, variant, size, |verilog| verilog);
    let stats = outcome.unwrap_or_else(|error| panic!("{name} {variant}: {error}"));
    assert_eq!(handle.mismatches(), 0, "{name} {variant}");
    assert!(handle.cycles() >= stats.active_cycles, "{name} {variant}: not every cycle was compared");
    assert!(handle.comparisons() > 10 * handle.cycles(), "{name} {variant}");
    assert!(stats.pairs_issued > 0 && stats.halves_issued > 0, "{name} {variant}");
    stats
}

#[test]
fn kernels_run_without_a_difference() {
    let waves = |stats: &CoreStats| stats.waves_by_members.iter().sum::<u64>();
    let of_graphs = [check("bfs", "warp", None), check("pagerank", "warp", None), check("colour", "topo", None)];
    let regular = [check("hotspot", "thread", Some(32)), check("nw", "thread", Some(32))];
    assert!(of_graphs.iter().chain(&regular).all(|stats| waves(stats) > 0));
    assert!(of_graphs.iter().chain(&regular).any(|stats| stats.storage_full > 0), "no fetch waited for an entry");
    assert!(of_graphs.iter().any(|stats| stats.atomics > 0) || regular.iter().any(|stats| stats.shared_accesses > 0));
}

/// A scheduler that makes a pair of an even half and of an odd one that is one instruction ahead: the GPU gets a front end
/// that says so, with cycle, pin, values and files.
#[test]
fn a_kernel_on_broken_rtl_ends_at_the_first_difference() {
    let (from, to) = ("(front_slot[2*i] == front_slot[2*i + 1])", "(front_slot[2*i] <= front_slot[2*i + 1])");
    let (outcome, handle, _directory) = run("bfs", "topo", None, |verilog| {
        assert_eq!(verilog.matches(from).count(), 1, "`{from}` is not there exactly once");
        verilog.replace(from, to)
    });
    let error = outcome.unwrap_err();
    let WorkloadError::Run(RunError::Unit { unit: "front end", text, .. }) = &error else { panic!("{error}") };
    let difference = handle.difference().expect("the lock-step remembers it");
    assert!(text.ends_with(&difference.to_string()), "{text}");
    let Evidence::Files { waveform, trace } = &difference.evidence else { panic!("{difference}") };
    assert!(waveform.exists() && trace.exists());
}

#[test]
fn what_only_the_model_has_is_refused_as_rtl() {
    for (field, text) in [
        ("gw.reuse=false", "reuse = false, but it must be true"),
        ("gw.ideal_front_end=true", "ideal = true, but it must be false"),
    ] {
        let mut config = config();
        config.set(field).unwrap();
        let attach = |kind| Choice::new(kind, std::path::Path::new("out")).attach::<GwFrontEnd>(&config);
        assert!(attach(Implementation::Behavioural).is_ok());
        let error = attach(Implementation::Lockstep).err().unwrap().to_string();
        assert!(error.starts_with(&format!("gw_front_end: {text}")), "{error}");
    }
}

/// A workload on two cores like B32, of 16 warps each, on the result of `change` to the RTL of their front ends.
fn run_b32(
    name: &str,
    size: Option<u32>,
    change: impl Fn(String) -> String,
) -> (Result<CoreStats, WorkloadError>, Handle, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let mut config = Config::preset("gw-fermi-b32").unwrap();
    config.set_all(&["core.count=2", "core.max_warps=16", "core.front_end=b32"]).unwrap();
    let choice = Choice::new(Implementation::Lockstep, directory.path()).changed(&change);
    let (front_ends, handle) = choice.attach::<B32FrontEnd>(&config).unwrap();
    let mut gpu = Gpu::new(&config, vec![front_ends]);
    let graph = sim::graph::open("gen:kron:7").unwrap();
    let input = size.map_or(Input::Graph { graph: &graph, source: graph.source }, Input::Size);
    let variant = if size.is_none() { "topo" } else { "thread" };
    let outcome = workload::find(name).unwrap().run(&mut gpu, input, variant.parse().unwrap(), &mut |_| {});
    (outcome.map(|_| gpu.stats().core.clone()), handle, directory)
}

#[test]
fn kernels_run_on_the_front_end_of_the_baseline_without_a_difference() {
    let kernels = [("bfs", None), ("sssp", None), ("colour", None), ("nw", Some(48)), ("nqueens", Some(5))];
    let all = kernels.map(|(name, size)| {
        let (outcome, handle, _) = run_b32(name, size, |verilog| verilog);
        let stats = outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(handle.check(), Ok(()), "{name}");
        assert!(handle.cycles() >= stats.active_cycles, "{name}: not every cycle was compared");
        assert!(stats.pairs_issued == 0 && stats.warp_instructions > 0, "{name}");
        stats
    });
    let counts = all.map(|stats| (stats.atomics, stats.shared_accesses));
    assert!(
        counts.iter().any(|(atomics, _)| *atomics > 0) && counts.iter().any(|(_, shared)| *shared > 0),
        "{counts:?}"
    );
}

/// A scheduler that keeps what it fetched when a branch leaves the line.
#[test]
fn a_kernel_on_a_broken_front_end_of_the_baseline_ends_at_the_first_difference() {
    let (outcome, handle, _directory) = run_b32("bfs", None, |verilog| {
        assert_eq!(verilog.matches("{ends | ~stays}").count(), 1);
        verilog.replace("{ends | ~stays}", "{ends & ~stays}")
    });
    let error = outcome.unwrap_err();
    let WorkloadError::Run(RunError::Unit { unit: "front end", text, .. }) = &error else { panic!("{error}") };
    assert!(text.ends_with(&handle.difference().expect("the lock-step remembers it").to_string()), "{text}");
}
