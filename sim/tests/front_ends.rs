//! What a kernel computes does not depend on the front end: each workload leaves the same on the baseline and with every
//! combination of Graph-Waving's pairs, reuse and waves.

use rayon::prelude::*;
use sim::attach::Units;
use sim::config::Config;
use sim::gpu::Gpu;
use sim::graph;
use sim::stats::{CoreStats, Stats};
use sim::workload::{find, Input};

/// Workload, variant, size of a regular one.
type Job = (&'static str, &'static str, Option<u32>);

/// Workloads on graphs with their variants.
const GRAPHS: [(&str, &[&str]); 6] = [
    ("bfs", &["topo", "warp", "swwl-aru"]),
    ("sssp", &["topo", "warp"]),
    ("mst", &["topo"]),
    ("pagerank", &["thread", "warp"]),
    ("colour", &["topo", "warp"]),
    ("bc", &["topo", "warp"]),
];

/// Regular workloads with their sizes.
const REGULAR: [(&str, u32); 13] = [
    ("vecadd", 5_000),
    ("matmul", 40),
    ("reduction", 5_000),
    ("hotspot", 40),
    ("pathfinder", 2_000),
    ("backprop", 256),
    ("laplace", 24),
    ("nw", 48),
    ("nqueens", 8),
    ("cp", 32),
    ("aes", 4_000),
    ("fft", 4),
    ("mum", 300),
];

/// Sums of 32-bit floats by the lanes of a warp: their order is the warp's width.
fn depends_on_width((name, variant, _): Job) -> bool {
    variant == "warp" && ["pagerank", "bc"].contains(&name)
}

/// `skip`: cycles in which nothing can happen are left out.
fn run((name, variant, size): Job, config: &Config, skip: bool) -> (Vec<u32>, Stats) {
    let graph = graph::open("gen:kron:7").unwrap();
    let mut gpu = Gpu::new(config, Units::default());
    // What goes into a wave has equal operands in all lanes.
    gpu.set_check_scalars(true);
    gpu.set_skip_idle(skip);
    let input = size.map_or(Input::Graph { graph: &graph, source: graph.source }, Input::Size);
    let outcome = find(name).unwrap().run(&mut gpu, input, variant.parse().unwrap(), &mut |_| {});
    (outcome.unwrap_or_else(|error| panic!("{name} {variant}: {error}")).result, gpu.stats().clone())
}

fn gw8(pairs: bool, reuse: bool, waves: bool) -> Config {
    let mut config = Config::preset("gw-fermi-gw8").unwrap();
    for (field, on) in [("gw.pairs", pairs), ("gw.reuse", reuse), ("gw.waves", waves)] {
        config.set(&format!("{field}={on}")).unwrap();
    }
    config
}

/// What is switched off does not happen, what is on does; every warp instruction was issued once.
fn check_counts(job: Job, core: &CoreStats, pairs: bool, waves: bool) {
    let by_waves: u64 = core.waves_by_members.iter().zip(0..).map(|(count, members)| count * members).sum();
    let issued = 2 * core.pairs_issued + core.halves_issued + by_waves;
    assert_eq!(core.warp_instructions, issued, "{job:?}");
    assert_eq!(core.pairs_issued > 0, pairs, "{job:?}: pairs");
    assert_eq!(by_waves > 0, waves, "{job:?}: waves");
}

fn check(job: Job) {
    let (baseline, _) = run(job, &Config::preset("gw-fermi-b32").unwrap(), true);
    let mut first: Option<(Vec<u32>, u64)> = None;
    for switches in 0..8 {
        let [pairs, reuse, waves] = [0, 1, 2].map(|bit| switches >> bit & 1 == 1);
        let (result, stats) = run(job, &gw8(pairs, reuse, waves), true);
        let what = format!("{job:?} with pairs {pairs}, reuse {reuse}, waves {waves}");
        assert!(result == baseline || depends_on_width(job), "{what}: another result than on the baseline");
        check_counts(job, &stats.core, pairs, waves);
        let (other, fetches) = first.get_or_insert((result.clone(), stats.core.fetches));
        assert!(result == *other, "{what}: another result than with everything off");
        assert!(!reuse || stats.core.fetches < *fetches, "{what}: as many fetches as without reuse");
    }
}

#[test]
fn graph_algorithms_do_not_depend_on_the_front_end() {
    let jobs =
        GRAPHS.par_iter().flat_map(|(name, variants)| variants.par_iter().map(|variant| (*name, *variant, None)));
    jobs.for_each(check);
}

#[test]
fn regular_kernels_do_not_depend_on_the_front_end() {
    REGULAR.par_iter().for_each(|(name, size)| check((name, "thread", Some(*size))));
}

#[test]
fn sleeping_cores_count_what_wakeful_ones_do() {
    for reuse in [true, false] {
        let stats = |skip| run(("bc", "warp", None), &gw8(true, reuse, true), skip).1;
        assert_eq!(stats(true), stats(false));
    }
}
