//! Breadth-first search, one launch per level; single-buffered, one launch for all of them.

use super::reference::{self, UNREACHED};
use super::traversal::{room_for_repeats, Kernels, Traversal};
use super::{bfs_edge, check, frontier, merrill, rodinia, topo_lsg, Outcome, Result, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;
use Variant::{
    Frontier, Hwwl, HwwlEdges, HwwlEdgesSingle, HwwlFrontier, HwwlIru, HwwlSingle, Iru, Lanes16, Lanes4, Lanes8,
    Merrill, MerrillIru, MerrillIruFilter, Rodinia, RodiniaWarp, Swwl, SwwlAru, SwwlEdge, SwwlWch, SwwlWdo, Topo,
    TopoLsg, Warp,
};

pub const VARIANTS: &[Variant] = &[
    Topo,
    Warp,
    TopoLsg,
    Swwl,
    SwwlWch,
    SwwlAru,
    SwwlWdo,
    SwwlEdge,
    Hwwl,
    HwwlSingle,
    HwwlEdges,
    HwwlEdgesSingle,
    Frontier,
    Iru,
    HwwlFrontier,
    HwwlIru,
    Merrill,
    MerrillIru,
    MerrillIruFilter,
    Rodinia,
    RodiniaWarp,
    Lanes4,
    Lanes8,
    Lanes16,
];

/// Gives the distances from `source`, [`UNREACHED`] for what cannot be reached.
pub fn run(gpu: &mut Gpu, graph: &Graph, variant: Variant, source: u32, watch: Watch) -> Result<Outcome> {
    let check = |found: &[u32]| {
        check::nodes(graph, found, &reference::bfs(graph, source), shown)?;
        Ok("all distances equal".into())
    };
    let (ptx, round) = match variant {
        Frontier | Iru | HwwlFrontier | HwwlIru => {
            return frontier::bfs(gpu, graph, variant, source, watch, check);
        }
        Merrill | MerrillIru | MerrillIruFilter => return merrill::bfs(gpu, graph, variant, source, watch, check),
        Rodinia | RodiniaWarp | Lanes4 | Lanes8 | Lanes16 => {
            return rodinia::bfs(gpu, graph, variant, source, watch, check)
        }
        TopoLsg => return topo_lsg::run(gpu, graph, None, kernels::BFS_TOPO_LSG, source, watch, check),
        SwwlEdge => return bfs_edge::run(gpu, graph, source, room_for_repeats(graph), watch, check),
        Swwl => (kernels::BFS_SWWL, "bfs_level"),
        SwwlWch => (kernels::BFS_SWWL_WCH, "bfs_level"),
        SwwlAru => (kernels::BFS_SWWL_ARU, "bfs_level"),
        SwwlWdo => (kernels::BFS_SWWL_WDO, "bfs_level"),
        Hwwl => (kernels::BFS_HWWL, "bfs_level"),
        HwwlSingle => (kernels::BFS_HWWL_SINGLE, "bfs_drain"),
        HwwlEdges => (kernels::BFS_HWWL_EDGES, "bfs_level"),
        HwwlEdgesSingle => (kernels::BFS_HWWL_EDGES_SINGLE, "bfs_drain"),
        Warp => (kernels::BFS_WARP, "bfs_level"),
        _ => (kernels::BFS_TOPO, "bfs_level"),
    };
    let kernels = Kernels { ptx, init: "bfs_init", round };
    let mut search = Traversal::new(gpu, graph, source, &kernels, None, watch)?;
    match variant {
        // A node is pushed once.
        Swwl | SwwlWch | SwwlAru | SwwlWdo | Hwwl | HwwlEdges => {
            search.data_driven(variant, graph.nodes(), |params, level| params.u32(level))?
        }
        HwwlSingle | HwwlEdgesSingle => search.single_buffered(room_for_repeats(graph))?,
        _ => search.topology_driven(variant, |distance, level| distance == level, |params, level| params.u32(level))?,
    }
    search.finish(check)
}

fn shown(distance: u32) -> String {
    match distance {
        UNREACHED => "not reached".into(),
        distance => format!("distance {distance}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attach::{models, Uses};
    use crate::config::Config;
    use crate::gpu::{Blame, RunError};
    use crate::graph;
    use crate::workload::WorkloadError;
    use crate::workload::{tests, Start};

    fn gpu(overrides: &[&str]) -> Gpu {
        let mut config = Config::preset("hwwl-micro14").unwrap();
        overrides.iter().for_each(|text| config.set(text).unwrap());
        Gpu::new(&config, models(&config, Uses::all()).unwrap())
    }

    /// With small banks and the units that the variant needs.
    fn gpu_for(variant: Variant) -> Gpu {
        let mut config = Config::preset("hwwl-micro14").unwrap();
        config.set("hwwl.entries=256").unwrap();
        tests::gpu(&tests::home(variant, &config), variant)
    }

    /// Variants in which a level is one launch.
    fn by_levels() -> impl Iterator<Item = Variant> {
        let others = |variant: &Variant| {
            matches!(
                variant,
                TopoLsg
                    | Frontier
                    | Iru
                    | Merrill
                    | MerrillIru
                    | MerrillIruFilter
                    | Rodinia
                    | RodiniaWarp
                    | Lanes4
                    | Lanes8
                    | Lanes16
            ) || variant.has_nodes_in_worklist()
        };
        VARIANTS.iter().copied().filter(move |variant| !others(variant))
    }

    fn search(gpu: &mut Gpu, graph: &Graph, variant: Variant, source: u32) -> Result<Outcome> {
        run(gpu, graph, variant, source, &mut |_| {})
    }

    /// Nodes at each distance, from 0.
    fn frontiers(graph: &Graph, source: u32) -> Vec<u64> {
        let distances = reference::bfs(graph, source);
        let at = |level| distances.iter().filter(|&&distance| distance == level).count() as u64;
        (0..).map(at).take_while(|&nodes| nodes > 0).collect()
    }

    /// A hub with `leaves` neighbours, a path that hangs on the last of them, and two nodes that nothing leads to.
    fn broom(leaves: u32, path: u32) -> Graph {
        let hub = (1..=leaves).map(|leaf| (0, leaf));
        let handle = (leaves..leaves + path).map(|v| (v, v + 1));
        let apart = leaves + path + 1;
        let pairs: Vec<_> = hub.chain(handle).chain([(apart, apart + 1)]).collect();
        Graph::undirected("broom", apart as usize + 2, &pairs)
    }

    #[test]
    fn all_variants_reach_every_node_at_its_distance() {
        let graphs = [graph::open("gen:uniform:700:seed=3").unwrap(), broom(90, 5), broom(1, 12)];
        for graph in &graphs {
            for variant in VARIANTS.iter().copied() {
                for source in [0, graph.nodes() as u32 / 2, graph.nodes() as u32 - 1] {
                    let outcome = search(&mut gpu_for(variant), graph, variant, source).unwrap();
                    assert_eq!(outcome.result, reference::bfs(graph, source));
                    assert!(outcome.steps.iter().all(|step| step.stats.cycles > 0));
                }
            }
        }
    }

    /// The claim by atomic minimum: no node is pushed twice, whatever the timing.
    #[test]
    fn the_worklists_hold_each_node_of_a_level_once() {
        let graph = graph::open("gen:uniform:2000:seed=5").unwrap();
        for variant in [Swwl, SwwlWch, SwwlAru, SwwlWdo, Hwwl] {
            let outcome = search(&mut gpu(&["hwwl.entries=512"]), &graph, variant, 11).unwrap();
            let work: Vec<_> = outcome.steps.iter().map(|step| step.start.work).collect();
            assert_eq!(work, frontiers(&graph, 11), "{}", variant.name());
        }
    }

    #[test]
    fn launches_are_announced_with_level_and_work() {
        let graph = broom(30, 3);
        for variant in by_levels() {
            let mut starts = Vec::new();
            let outcome = run(&mut gpu_for(variant), &graph, variant, 0, &mut |start| starts.push(start)).unwrap();
            assert_eq!(starts, outcome.steps.iter().map(|step| step.start).collect::<Vec<_>>());
            let expected: Vec<_> =
                [1, 30, 1, 1, 1].iter().zip(0..).map(|(&work, level)| Start { level, work }).collect();
            // In single-buffer mode all levels but the first are one launch.
            let launches = if matches!(variant, HwwlSingle | HwwlEdgesSingle) { 2 } else { expected.len() };
            assert_eq!(starts, expected[..launches], "{}", variant.name());
        }
    }

    #[test]
    fn the_same_run_takes_the_same_cycles() {
        let graph = graph::open("gen:uniform:500").unwrap();
        for variant in VARIANTS.iter().copied() {
            let cycles = || {
                let mut gpu = gpu_for(variant);
                search(&mut gpu, &graph, variant, 0).unwrap();
                gpu.cycle()
            };
            assert_eq!(cycles(), cycles(), "{}", variant.name());
        }
    }

    #[test]
    fn a_source_that_is_no_node_is_refused() {
        let message = search(&mut gpu(&[]), &broom(2, 1), Variant::Topo, 6).unwrap_err().to_string();
        assert_eq!(message, "source 6: graph broom has nodes 0 to 5; give one of them");
    }

    #[test]
    fn a_missing_worklist_is_an_error() {
        let graph = broom(2000, 1);
        let mut without = Gpu::new(&Config::preset("hwwl-micro14").unwrap(), Vec::new());
        let error = search(&mut without, &graph, Variant::Hwwl, 0).unwrap_err();
        let refused = matches!(error, WorkloadError::Run(RunError::System { blame: Blame::Missing, .. }));
        assert!(refused && error.to_string().contains(" uses the worklist, "), "{error}");
    }
}
