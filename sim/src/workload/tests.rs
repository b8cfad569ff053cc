//! All workloads in all variants, on every preset.

use super::*;
use crate::attach::models;
use crate::config::Config;
use crate::gpu::Gpu;
use crate::graph::{self, Graph, GraphError, Weights, MAX_LENGTH};
use proptest::prelude::*;

/// With the units that the variant needs.
pub(super) fn gpu(config: &Config, variant: Variant) -> Gpu {
    Gpu::new(config, models(config, variant.into()).unwrap())
}

/// This configuration, or one with the units that the variant needs. Of a large GPU four cores are there: inputs are small.
pub(super) fn home(variant: Variant, config: &Config) -> Config {
    let four_cores_of = |preset: &str| {
        let mut config = Config::preset(preset).unwrap();
        config.set("core.count=4").unwrap();
        config
    };
    match variant.needs_iru() {
        _ if variant.has_nodes_in_worklist() => four_cores_of("unruly-b32"),
        true => four_cores_of("iru-gtx980"),
        false => {
            let mut config = config.clone();
            let has_expander = |config: &Config| config.hwwl.as_ref().is_some_and(|hwwl| hwwl.nodes > 0);
            if variant.needs_expander() && config.hwwl.is_some() && !has_expander(&config) {
                config.set("hwwl.nodes=16").unwrap();
            }
            config
        }
    }
}

fn micro14(changes: &[&str]) -> Config {
    let mut config = Config::preset("hwwl-micro14").unwrap();
    config.set_all(changes).unwrap();
    config
}

fn presets() -> Vec<Config> {
    Config::presets().iter().map(|(name, _)| Config::preset(name).unwrap()).collect()
}

/// Hubs, isolated nodes and several components.
fn skewed() -> Graph {
    graph::open("gen:kron:7:degree=4").unwrap()
}

/// Small sizes; odd, so that the last CTA, tile and warp are never full.
fn small(workload: &Workload) -> u32 {
    match workload.name {
        "matmul" | "hotspot" | "nw" => 37,
        "laplace" | "cp" => 13,
        "nqueens" => 7,
        "nn" => 1,
        "dwt" | "fft" | "sp" => 5,
        "lib" => 5,
        "bh" => 77,
        "dmr" => 19,
        _ => 277,
    }
}

fn outcome(workload: &Workload, variant: Variant, config: &Config, graph: &Graph) -> Outcome {
    outcome_on(&mut gpu(config, variant), workload, variant, graph)
}

fn outcome_on(gpu: &mut Gpu, workload: &Workload, variant: Variant, graph: &Graph) -> Outcome {
    let input = match workload.takes {
        Takes::Size(_) => Input::Size(small(workload)),
        _ => Input::Graph { graph, source: graph.source },
    };
    let run = workload.run(gpu, input, variant, &mut |_| {});
    run.unwrap_or_else(|error| panic!("{} {} on {}: {error}", workload.name, variant.name(), gpu.config().name))
}

/// Its variants, but one for all numbers of lanes: they have one kernel.
fn kernels_of(workload: &'static Workload) -> impl Iterator<Item = Variant> {
    let is_other = |variant: &Variant| matches!(variant, Variant::Lanes4 | Variant::Lanes16);
    workload.variants.iter().copied().filter(move |variant| !is_other(variant))
}

/// No floats whose operations, or their order, differ between the variants or between widths of a warp.
fn is_exact(workload: &Workload) -> bool {
    !["pagerank", "bc", "sp", "bh"].contains(&workload.name)
}

/// Every fourth of the presets that can run a variant does.
const STRIDE: usize = 4;

/// A run checks its result; beyond that, no preset and no variant gives other integers than the others. The first preset is another one
/// for each workload: all of them see many workloads.
#[test]
fn every_workload_runs_in_every_variant_on_presets() {
    let (graph, presets) = (skewed(), presets());
    for (place, workload) in catalog().iter().enumerate() {
        let mut first: Option<Vec<u32>> = None;
        for &variant in workload.variants {
            let able: Vec<_> = presets.iter().filter(|config| variant.runs_on(config)).collect();
            let start = if able.len() < STRIDE { 0 } else { place % STRIDE };
            for config in able.into_iter().skip(start).step_by(STRIDE) {
                let outcome = outcome(workload, variant, config, &graph);
                assert!(outcome.steps.iter().all(|step| step.stats.cycles > 0));
                match &first {
                    Some(result) if is_exact(workload) => {
                        assert_eq!(&outcome.result, result, "{} {} on {}", workload.name, variant.name(), config.name)
                    }
                    _ => first = Some(outcome.result),
                }
            }
        }
    }
}

/// Loops, edges beside each other, two components and a node that nothing leads to. The source has no loop: the first launch
/// of `bfs topo` and `bfs warp` would take it for a neighbour of itself (no file and no generator gives a graph with loops).
fn knotted() -> Graph {
    let (row, col) = (vec![0, 3, 8, 10, 11, 12, 12], vec![0, 1, 1, 0, 2, 0, 1, 2, 1, 1, 4, 3]);
    let weights = Weights::Given(vec![1, 4, 9, 9, 2, 4, 3, 5, 5, 2, 7, 7]);
    Graph { row, col, weights, source: 2, ..Graph::undirected("knotted", 1, &[]) }
}

/// A path whose edges are the longer the farther out: in the first round of the spanning forest each node joins the one
/// before, so that all hang on one another in a chain.
fn chain(nodes: u32) -> Graph {
    let pairs: Vec<_> = (1..nodes).map(|v| (v - 1, v)).collect();
    Graph::undirected_weighted("chain", nodes as usize, &pairs, &(1..nodes).collect::<Vec<_>>())
}

/// Every kind that there is, and what is hard for one or another.
fn graphs() -> Vec<Graph> {
    let kinds = ["uniform:260", "kron:7:degree=4", "grid:6x11", "delaunay:70", "geometric:150:degree=3"];
    let star: Vec<_> = (1..520).map(|leaf| (0, leaf)).collect();
    let mut graphs: Vec<_> = kinds.iter().map(|kind| graph::open(&format!("gen:{kind}")).unwrap()).collect();
    graphs.extend([
        Graph::undirected("apart", 9, &[(0, 1), (1, 2), (4, 5), (7, 8)]),
        Graph::undirected("star", 520, &star),
        Graph::undirected_weighted("even", 40, &graphs[2].pairs(40), &[7; 40]),
        Graph::undirected("alone", 1, &[]),
        // A way round that is too long for 32 bits.
        Graph::undirected_weighted("far", 3, &[(0, 1), (1, 2), (0, 2)], &[MAX_LENGTH - 5, 100, MAX_LENGTH]),
        chain(37),
        knotted(),
    ]);
    graphs
}

impl Graph {
    /// The first edges, by their two ends.
    fn pairs(&self, count: usize) -> Vec<(u32, u32)> {
        let of = |v: u32| self.neighbours(v).iter().map(move |&u| (v % 40, u % 40));
        (0..self.nodes() as u32).flat_map(of).take(count).collect()
    }
}

#[test]
fn graph_workloads_are_right_on_every_kind_of_graph() {
    let config = micro14(&["hwwl.entries=16"]);
    for graph in graphs() {
        for workload in catalog().iter().filter(|w| !matches!(w.takes, Takes::Size(_))) {
            for variant in kernels_of(workload) {
                outcome(workload, variant, &home(variant, &config), &graph);
            }
        }
    }
}

#[test]
fn lengths_that_no_path_can_have_are_refused() {
    let config = micro14(&[]);
    let message = |name: &str, graph: &Graph| {
        let input = Input::Graph { graph, source: 0 };
        let run = find(name).unwrap().run(&mut gpu(&config, Variant::Topo), input, Variant::Topo, &mut |_| {});
        run.map(|outcome| outcome.checked).map_err(|error| error.to_string())
    };
    let far = Graph::undirected_weighted("far", 3, &[(0, 1), (1, 2)], &[MAX_LENGTH, 1]);
    assert_eq!(
        message("sssp", &far).unwrap_err(),
        "graph far: the shortest path to node 2 (2) is 4294967295 long, but paths are at most 4294967294, 32 bits; give smaller lengths"
    );
    assert_eq!(message("mst", &far).unwrap(), "all 2 edges of the forest equal, 4294967295 long");
    let wrong = GraphError::Empty { place: "a".into() };
    let unusable = Graph { weights: Weights::Unusable(wrong.clone()), ..Graph::undirected("bad", 2, &[(0, 1)]) };
    for name in ["sssp", "mst"] {
        assert_eq!(message(name, &unusable).unwrap_err(), wrong.to_string());
    }
    let on_graphs = |w: &&Workload| !matches!(w.takes, Takes::Size(_)) && w.variants.contains(&Variant::Topo);
    for workload in catalog().iter().filter(on_graphs).filter(|w| !w.takes_lengths) {
        assert!(message(workload.name, &unusable).is_ok(), "{} takes no lengths", workload.name);
    }
}

/// Whatever moves work between the banks, and however they hold it.
#[test]
fn every_scheme_and_every_ideal_worklist_gives_the_right_result() {
    let (skewed, grid) = (skewed(), graph::open("gen:grid:12x12").unwrap());
    let schemes = ["none", "threshold", "lsorting", "gsorting", "serial"].map(|name| format!("hwwl.scheme={name}"));
    let ideals =
        ["infinite", "magic", "fifo", "sorted", "core_sorted", "owner_sorted"].map(|name| format!("hwwl.ideal={name}"));
    for text in schemes.iter().chain(&ideals) {
        let config = micro14(&[text, "hwwl.nodes=8"]);
        for workload in ["bfs", "sssp", "mst"].map(|name| find(name).unwrap()) {
            for &variant in workload.variants.iter().filter(|v| v.needs_hwwl() && !v.needs_iru()) {
                for graph in [&skewed, &grid] {
                    outcome(workload, variant, &config, graph);
                }
            }
        }
    }
}

prop_compose! {
    /// Few nodes, many edges beside each other and many of equal length; loops, but not at the source (see [`knotted`]).
    fn tangle()(nodes in 1u32..50)(
        nodes in Just(nodes),
        edges in prop::collection::vec((0..nodes, 0..nodes, 0u32..6), 0..150),
    ) -> Graph {
        let edges = edges.iter().filter(|(v, u, _)| (*v, *u) != (0, 0));
        let mut both: Vec<_> = edges.flat_map(|&(v, u, w)| [(v, u, w), (u, v, w)]).collect();
        both.sort_by_key(|&(v, _, _)| v);
        let row = (0..=nodes).map(|v| both.partition_point(|edge| edge.0 < v) as u32).collect();
        let (col, weights) = both.iter().map(|&(_, u, w)| (u, w)).unzip();
        Graph { row, col, weights: Weights::Given(weights), ..Graph::undirected("tangle", 1, &[]) }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn tangled_graphs(graph in tangle(), demand: bool) {
        let refill = if demand { "hwwl.refill=demand" } else { "hwwl.refill=interval" };
        let config = micro14(&["hwwl.entries=16", refill]);
        for workload in ["bfs", "sssp", "mst", "colour", "bc"].map(|name| find(name).unwrap()) {
            for variant in kernels_of(workload) {
                outcome(workload, variant, &home(variant, &config), &graph);
            }
        }
    }
}

/// Other latencies, other orders of arrival: the same values, to the bit even in floats within one variant. But for sums by
/// atomics, whose order is that of arrival, and for bodies, which walk with those that their warp has pulled with them.
#[test]
fn results_do_not_depend_on_timing() {
    let graph = skewed();
    let slow = [
        "l2.rop_latency=700",
        "l1d.latency=5",
        "core.schedulers=1",
        "operations.f32_add.latency=60",
        "iru.link=8",
        "hwwl.link=8",
    ];
    for workload in catalog() {
        let pulls = |variant| matches!(variant, Variant::Thread | Variant::Warp);
        let sums_by_atomics = |variant| workload.name == "bc" || workload.name == "pagerank" && !pulls(variant);
        let pulled_together = |variant| workload.name == "bh" && variant != Variant::Topo;
        for variant in kernels_of(workload) {
            let mut config = home(variant, &micro14(&[]));
            let plain = outcome(workload, variant, &config, &graph).result;
            let applied = slow.iter().filter(|text| config.set(text).is_ok()).count();
            assert!(applied >= 3 && config.iru.as_ref().is_none_or(|iru| iru.link == 8));
            assert!(config.hwwl.as_ref().is_none_or(|hwwl| hwwl.link == 8));
            let slowed = outcome(workload, variant, &config, &graph).result;
            let depends = sums_by_atomics(variant) || pulled_together(variant);
            assert!(slowed == plain || depends, "{} {}", workload.name, variant.name());
        }
    }
}

/// Kernels ask the GPU how wide its warps are: shuffles, trees and vertices mapped to warps are right on narrow ones too.
#[test]
fn narrow_warps_give_the_same_results() {
    let graph = skewed();
    for workload in catalog() {
        let mut plain = micro14(&[]);
        plain.hwwl = None;
        // So many warps of 8 lanes are a CTA of 512.
        let narrower = [8, 16].map(|width| {
            let mut config = plain.clone();
            config.set_all(&["core.max_warps=64", &format!("core.warp_size={width}")]).unwrap();
            config
        });
        for variant in workload.variants_on(&narrower[0]) {
            let wide = outcome(workload, variant, &plain, &graph).result;
            for config in &narrower {
                let narrow = outcome(workload, variant, config, &graph).result;
                let width = config.core.warp_size;
                assert!(narrow == wide || !is_exact(workload), "{} {} {width}", workload.name, variant.name());
            }
        }
    }
}

/// Sizes around those of warps, tiles and CTAs.
#[test]
fn regular_kernels_of_odd_sizes() {
    let config = micro14(&[]);
    for workload in catalog() {
        if !workload.variants.contains(&Variant::Thread) || !matches!(workload.takes, Takes::Size(_)) {
            continue;
        }
        // Queens' boards have at most 12 rows; others are too large, or take long.
        let most = match workload.name {
            "nqueens" => 12,
            "nn" => 1,
            "dwt" => 16,
            _ => 33,
        };
        for size in [1, 2, 15, 16, 17, 33].into_iter().filter(|&size| size <= most) {
            for &variant in workload.variants {
                let mut gpu = gpu(&home(variant, &config), variant);
                let run = workload.run(&mut gpu, Input::Size(size), variant, &mut |_| {});
                assert!(run.is_ok(), "{} {} {size}: {}", workload.name, variant.name(), run.unwrap_err());
            }
        }
    }
    for (name, sizes) in [("pathfinder", [216, 217]), ("vecadd", [255, 257]), ("reduction", [4096, 4097])] {
        for size in sizes {
            let mut gpu = gpu(&config, Variant::Thread);
            find(name).unwrap().run(&mut gpu, Input::Size(size), Variant::Thread, &mut |_| {}).unwrap();
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_in_one_line() {
    let (graph, mut config) = (skewed(), micro14(&[]));
    let message = |name: &str, input: Input, variant: Variant, config: &Config| {
        let error = find(name).unwrap().run(&mut gpu(config, variant), input, variant, &mut |_| {}).unwrap_err();
        error.to_string()
    };
    let on_graph = Input::Graph { graph: &graph, source: 0 };
    let far = Input::Graph { graph: &graph, source: 256 };
    for (name, input, variant, expected) in [
        ("bfs", Input::Size(5), Variant::Topo, "bfs needs a graph: give --graph debian"),
        ("matmul", on_graph, Variant::Thread, "matmul works on no graph: leave out --graph"),
        ("matmul", Input::Size(0), Variant::Thread, "size 0: matmul takes 1 to 8192 rows and columns"),
        ("vecadd", Input::Size(1 << 29), Variant::Thread, "takes 1 to 268435456 elements"),
        ("nqueens", Input::Size(17), Variant::Thread, "size 17: nqueens takes 1 to 12 rows of the board"),
        ("pagerank", on_graph, Variant::Swwl, "pagerank has no variant `swwl`; on hwwl-micro14 there is thread, warp"),
        ("sssp", far, Variant::Topo, "source 256: graph"),
    ] {
        let message = message(name, input, variant, &config);
        assert!(message.contains(expected) && !message.contains('\n'), "{message}");
    }
    config.core.warp_size = 8;
    let narrow = message("bfs", on_graph, Variant::Lanes16, &config);
    assert!(narrow.contains("which has warps of fewer lanes than the variant has for a node; there is "), "{narrow}");
    config.core.warp_size = 32;
    config.hwwl = None;
    assert_eq!(
        message("bfs", on_graph, Variant::Hwwl, &config),
        "bfs hwwl does not run on hwwl-micro14, which has no hardware worklist ([hwwl]); there is topo, warp, topo-lsg, swwl, swwl-wch, swwl-aru, swwl-wdo, swwl-edge, frontier, merrill, rodinia, rodinia-warp, lanes-4, lanes-8, lanes-16"
    );
}

/// On a directed graph a result is right, or the workload says that it needs edges both ways.
#[test]
fn directed_graphs_are_run_or_refused() {
    let graph = graph::open("gen:directed:150:degree=3").unwrap();
    let (config, mut refused) = (micro14(&[]), Vec::new());
    for workload in catalog().iter().filter(|w| !matches!(w.takes, Takes::Size(_))) {
        for &variant in workload.variants {
            let input = Input::Graph { graph: &graph, source: 0 };
            let home = home(variant, &config);
            match workload.run(&mut gpu(&home, variant), input, variant, &mut |_| {}) {
                Ok(_) => {}
                Err(error @ (WorkloadError::OneWay { .. } | WorkloadError::Directed { .. })) => {
                    assert!(error.to_string().contains("give an undirected graph"), "{error}");
                    refused.push(format!("{} {}", workload.name, variant.name()));
                }
                Err(error) => panic!("{} {}: {error}", workload.name, variant.name()),
            }
        }
    }
    let of = |name| find(name).unwrap().variants.iter().map(move |variant| format!("{name} {}", variant.name()));
    let pulling = ["pagerank thread", "pagerank warp"].map(str::to_owned);
    let both = |name| ["thread", "thread-iru"].map(|variant| format!("{name} {variant}"));
    let irregular = ["cc", "kcore", "triangles"].into_iter().flat_map(both);
    assert_eq!(refused, of("mst").chain(pulling).chain(of("colour")).chain(irregular).collect::<Vec<_>>());
}

#[test]
fn a_vertex_a_warp_keeps_more_lanes_busy() {
    let graph = graph::open("gen:kron:9:degree=16").unwrap();
    let config = micro14(&[]);
    let cycles = |variant| -> u64 {
        let outcome = outcome(find("bfs").unwrap(), variant, &config, &graph);
        outcome.steps.iter().map(|step| step.stats.cycles).sum()
    };
    assert!(cycles(Variant::Warp) < cycles(Variant::Topo), "hubs no longer wait for one thread");
}

/// Graph-Waving, 5.2.2: the divergence analysis is sound. Every marked instruction has equal operands and results in all active
/// lanes, on wide warps and on narrow ones, and some are marked in every workload: the share of those that are executed is printed.
#[test]
fn marked_instructions_are_scalar_in_every_workload() {
    let wide = micro14(&["hwwl.entries=16"]);
    let mut narrow = wide.clone();
    narrow.hwwl = None;
    narrow.set_all(&["core.warp_size=8", "core.max_warps=64"]).unwrap();
    for (i, graph) in [skewed(), knotted(), graph::open("gen:grid:9x11").unwrap()].into_iter().enumerate() {
        for config in [&wide, &narrow] {
            // The graph is nothing to those that take a size.
            for workload in catalog().iter().filter(|w| i == 0 || !matches!(w.takes, Takes::Size(_))) {
                for variant in kernels_of(workload) {
                    let home = home(variant, config);
                    if !variant.runs_on(&home) || home.core.warp_size != config.core.warp_size {
                        continue;
                    }
                    let mut gpu = gpu(&home, variant);
                    gpu.set_check_scalars(true);
                    outcome_on(&mut gpu, workload, variant, &graph);
                    let core = &gpu.stats().core;
                    let share = core.scalar_instructions as f64 / core.warp_instructions as f64;
                    println!("{} {} {} {}: {share:.3}", workload.name, variant.name(), home.core.warp_size, graph.name);
                    assert!(share > 0.0, "{} {}: {share}", workload.name, variant.name());
                }
            }
        }
    }
}
