//! Simulations share nothing: side by side they count the same as one after the other.

use rayon::prelude::*;
use sim::config::Config;
use sim::gpu::Gpu;
use sim::graph;
use sim::stats::Stats;
use sim::workload::{find, Input};

fn run(job: &(&str, &str, &str)) -> (Vec<u32>, Stats) {
    let (preset, name, variant) = *job;
    let graph = graph::open("gen:kron:8").unwrap();
    let mut gpu = Gpu::new(&Config::preset(preset).unwrap(), Vec::new());
    let input = Input::Graph { graph: &graph, source: graph.source };
    let outcome = find(name).unwrap().run(&mut gpu, input, variant.parse().unwrap(), &mut |_| {}).unwrap();
    (outcome.result, gpu.stats().clone())
}

#[test]
fn simulations_in_parallel_are_the_simulations_one_by_one() {
    let mut jobs = Vec::new();
    for preset in ["hwwl-micro14", "iru-gtx980", "gw-fermi-gw8"] {
        for (name, variant) in [("bfs", "topo"), ("bfs", "warp"), ("sssp", "swwl"), ("pagerank", "thread")] {
            jobs.push((preset, name, variant));
        }
    }
    let one_by_one: Vec<_> = jobs.iter().map(run).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let in_parallel: Vec<_> = pool.install(|| jobs.par_iter().map(run).collect());
    for ((job, a), b) in jobs.iter().zip(&one_by_one).zip(&in_parallel) {
        assert_eq!(a, b, "{job:?}");
    }
}
