//! All three extensions in one GPU, each as RTL in lock-step with its model: worklists, reorder units, and the front end of every core.

use sim::attach::hwwl::WorklistStats;
use sim::attach::iru::ReorderStats;
use sim::attach::Uses;
use sim::config::Config;
use sim::gpu::Gpu;
use sim::stats::Stats;
use sim::workload::{self, Input};
use testbench::in_gpu::{Choice, Handle, Implementation};
use testbench::systems::used;

/// Two cores of two schedulers, with small units: those of the other tests of whole GPUs and of the IRU, whose models are built anyway.
fn config() -> Config {
    let mut config = Config::preset("unruly-gw8").unwrap();
    let cores = ["core.count=2", "core.schedulers=2", "core.max_warps=64", "hwwl.lanes=4"];
    let front_end = ["gw.swst=4", "gw.instructions=32", "gw.sets=8", "gw.ways=2"];
    let reorder_units = ["dram.channels=2", "iru.sets=8", "iru.timeout=16", "iru.requests=16"];
    config.set_all(&[&cores[..], &front_end, &reorder_units].concat()).unwrap();
    config
}

/// An outcome is a verified one.
fn run(implementation: Implementation, name: &str, graph: &str) -> (Stats, [Handle; 3]) {
    let (config, directory) = (config(), tempfile::tempdir().unwrap());
    let choice = Choice::new(implementation, directory.path());
    let attached: Vec<_> =
        used(Uses::all(), &config).map(|(_, place)| (place.attach)(&config, &choice).unwrap()).collect();
    let (systems, handles): (Vec<_>, Vec<_>) = attached.into_iter().unzip();
    let handles = handles.try_into().expect("the preset has all three");
    let mut gpu = Gpu::new(&config, systems);
    let graph = sim::graph::open(graph).unwrap();
    let input = Input::Graph { graph: &graph, source: graph.source };
    let variant = "hwwl-iru".parse().unwrap();
    let outcome = workload::find(name).unwrap().run(&mut gpu, input, variant, &mut |_| {});
    outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
    (gpu.stats().clone(), handles)
}

#[test]
fn searches_run_on_all_three_without_a_difference() {
    for (name, graph) in [("bfs", "gen:kron:7:degree=4"), ("sssp", "gen:grid:5x6")] {
        let (stats, handles) = run(Implementation::Lockstep, name, graph);
        for handle in &handles {
            assert_eq!(handle.check(), Ok(()), "{name}");
        }
        assert!(handles[2].cycles() >= stats.core.active_cycles, "{name}: not every cycle was compared");
        assert!(stats.of::<WorklistStats>().ids_pulled > 0 && stats.of::<ReorderStats>().delivered > 0, "{name}");
        assert!(stats.core.pairs_issued > 0 && stats.core.halves_issued > 0, "{name}");
        assert_eq!(stats, run(Implementation::Behavioural, name, graph).0, "{name}: a lock-step changes nothing");
    }
}
