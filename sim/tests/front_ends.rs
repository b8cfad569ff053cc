//! A kernel's results do not depend on the front end: those of each workload are the same on the baseline and with all
//! of Graph-Waving's pairs, reuse and waves, with none, and with one of the other combinations, whenever the core answers a
//! branch. Each combination has several workloads.

use rayon::prelude::*;
use sim::config::Config;
use sim::gpu::Gpu;
use sim::graph;
use sim::stats::{CoreStats, Stats};
use sim::workload::{find, Input};

/// Workload, variant, size of a regular one.
type Job = (&'static str, &'static str, Option<u32>);

/// Workloads on graphs with their variants.
const GRAPHS: [(&str, &[&str]); 6] = [
    ("bfs", &["topo", "warp", "rodinia", "rodinia-warp"]),
    ("sssp", &["topo", "warp"]),
    ("mst", &["topo"]),
    ("pagerank", &["thread", "warp", "push", "push-warp"]),
    ("colour", &["topo", "warp"]),
    ("bc", &["topo", "warp"]),
];

/// Regular workloads with their sizes.
const REGULAR: [(&str, u32); 13] = [
    ("vecadd", 5_000),
    ("matmul", 40),
    ("reduction", 5_000),
    ("hotspot", 26),
    ("pathfinder", 500),
    ("backprop", 256),
    ("laplace", 24),
    ("nw", 48),
    ("nqueens", 8),
    ("cp", 20),
    ("aes", 4_000),
    ("fft", 4),
    ("mum", 300),
];

/// Sums of 32-bit floats by the lanes of a warp: their order is the warp's width.
fn depends_on_width((name, variant, _): Job) -> bool {
    (name, variant) == ("pagerank", "warp")
}

/// Sums of 32-bit floats by atomics: their order is that of arrival. A run holds them against their bound.
fn depends_on_arrival((name, variant, _): Job) -> bool {
    name == "bc" || variant.starts_with("push")
}

/// `skip`: cycles in which nothing can happen are left out.
fn run((name, variant, size): Job, config: &Config, skip: bool) -> (Vec<u32>, Stats) {
    let graph = graph::open("gen:kron:7").unwrap();
    let mut gpu = Gpu::new(config, Vec::new());
    // Instructions of a wave have equal operands in all lanes.
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

/// All that goes beyond the paper, for either front end.
const BEYOND: [&str; 3] = ["core.done_ahead=2", "core.issue_order=lowest", "core.mem_accesses=2"];

/// The same, for Graph-Waving's.
const BEYOND_GW: [&str; 3] = ["gw.land=true", "gw.express=true", "gw.prefetch=true"];

fn beyond(mut config: Config) -> Config {
    config.set_all(&BEYOND).unwrap();
    if config.gw.is_some() {
        config.set_all(&BEYOND_GW).unwrap();
    }
    config
}

/// Features that are off do not happen, those that are on do; every warp instruction was issued once.
fn check_counts(job: Job, core: &CoreStats, pairs: bool, waves: bool) {
    let by_waves: u64 = core.waves_by_members.iter().zip(0..).map(|(count, members)| count * members).sum();
    let issued = 2 * core.pairs_issued + core.halves_issued + by_waves;
    assert_eq!(core.warp_instructions, issued, "{job:?}");
    assert_eq!(core.pairs_issued > 0, pairs, "{job:?}: pairs");
    assert_eq!(by_waves > 0, waves, "{job:?}: waves");
}

/// `number`: of the job among those of its test.
fn check(job: Job, number: usize) {
    let (baseline, _) = run(job, &Config::preset("gw-fermi-b32").unwrap(), true);
    let mut first: Option<(Vec<u32>, u64)> = None;
    // The last combination of every second workload has what goes beyond the paper as well.
    for (switches, answer) in [(0, 1), (1 + number % 6, 1 + number % 16), (7 | number % 2 << 3, 4)] {
        let [pairs, reuse, waves, more] = [0, 1, 2, 3].map(|bit| switches >> bit & 1 == 1);
        let mut config = gw8(pairs, reuse, waves);
        if more {
            config = beyond(config);
            config.set(&format!("gw.window={}", 1 + number / 2 % 2)).unwrap();
        }
        config.set(&format!("core.answer_latency={answer}")).unwrap();
        let (result, stats) = run(job, &config, true);
        let what = format!("{job:?} with pairs {pairs}, reuse {reuse}, waves {waves}");
        let by_order = depends_on_arrival(job);
        assert!(result == baseline || by_order || depends_on_width(job), "{what}: another result than on the baseline");
        check_counts(job, &stats.core, pairs, waves);
        let (other, fetches) = first.get_or_insert((result.clone(), stats.core.fetches));
        assert!(result == *other || by_order, "{what}: another result than with everything off");
        assert!(!reuse || stats.core.fetches < *fetches, "{what}: as many fetches as without reuse");
    }
}

#[test]
fn graph_algorithms_do_not_depend_on_the_front_end() {
    let jobs: Vec<Job> = GRAPHS
        .iter()
        .flat_map(|(name, variants)| variants.iter().map(move |variant| (*name, *variant, None)))
        .collect();
    jobs.par_iter().enumerate().for_each(|(number, job)| check(*job, number));
}

#[test]
fn regular_kernels_do_not_depend_on_the_front_end() {
    REGULAR.par_iter().enumerate().for_each(|(number, (name, size))| check((name, "thread", Some(*size)), number));
}

#[test]
fn sleeping_cores_count_what_wakeful_ones_do() {
    let mut b32 = Config::preset("gw-fermi-b32").unwrap();
    b32.set("core.front_end=b32").unwrap();
    for mut config in
        [gw8(true, true, true), gw8(true, false, true), beyond(gw8(true, true, true)), beyond(b32.clone()), b32]
    {
        for latency in [1, 16] {
            config.set(&format!("core.answer_latency={latency}")).unwrap();
            let stats = |skip| run(("bc", "warp", None), &config, skip).1;
            assert_eq!(stats(true), stats(false));
        }
    }
}

/// A warp waits for its answer: each cycle of latency costs some.
#[test]
fn answers_cost_cycles_and_only_front_ends_that_are_units_know() {
    let cycles = |mut config: Config, field: &str, latency: u64| {
        config.set_all(&[field, &format!("core.answer_latency={latency}")]).unwrap();
        run(("nqueens", "thread", Some(6)), &config, true).1.cycles
    };
    let b32 = || Config::preset("gw-fermi-b32").unwrap();
    let gw = || gw8(true, true, true);
    for (config, field) in [(b32(), "core.front_end=b32"), (gw(), "gw.waves=true")] {
        let of = [1, 4, 16].map(|latency| cycles(config.clone(), field, latency));
        assert!(of.is_sorted_by(|less, more| less < more), "{field}: {of:?}");
    }
    assert_eq!(cycles(b32(), "core.front_end=ideal", 1), cycles(b32(), "core.front_end=ideal", 16));
    assert_eq!(cycles(gw(), "gw.ideal_front_end=true", 1), cycles(gw(), "gw.ideal_front_end=true", 16));
}

/// Each of these makes a kernel with few warps faster, where results are on their way most of the time.
#[test]
fn what_goes_beyond_the_paper_costs_fewer_cycles() {
    let cycles = |config: &Config| run(("nqueens", "thread", Some(6)), config, true).1.cycles;
    let mut b32 = Config::preset("gw-fermi-b32").unwrap();
    b32.set("core.front_end=b32").unwrap();
    for (mut config, fields) in [
        (b32, &["core.done_ahead=1", "core.done_ahead=2"][..]),
        (gw8(true, true, true), &["core.done_ahead=2", "gw.express=true", "gw.land=true", "gw.prefetch=true"]),
    ] {
        let mut before = cycles(&config);
        for field in fields {
            config.set(field).unwrap();
            let after = cycles(&config);
            assert!(after < before, "{field}: {before} cycles before, {after} with it");
            before = after;
        }
    }
}

/// Two pairs of a load-store unit for pairs read one line at once, or shared memory without a conflict.
#[test]
fn two_accesses_a_cycle_cost_fewer_cycles_and_change_no_result() {
    for job in [("pathfinder", "thread", Some(2_000)), ("matmul", "thread", Some(64))] {
        let config = gw8(true, true, true);
        let mut two = config.clone();
        two.set("core.mem_accesses=2").unwrap();
        let [(plain, before), (result, after)] = [run(job, &config, true), run(job, &two, true)];
        assert_eq!(result, plain, "{job:?}");
        assert!(after.cycles < before.cycles, "{job:?}: {} cycles, {} with two", before.cycles, after.cycles);
    }
}
