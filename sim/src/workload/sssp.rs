//! Single-source shortest paths, one launch per round; single-buffered, one launch for all of
//! them. Lengths of edges are the file's or a hash of the edge
//! (`graph/weights.rs`). How many rounds it takes depends on who is first; the distances do not.

use super::reference::{self, UNREACHED};
use super::traversal::{check_source, room_for_repeats, Kernels, Traversal};
use super::{check, frontier, near_far, topo_lsg, Outcome, Result, Variant, Watch, WorkloadError};
use crate::gpu::Gpu;
use crate::graph::{Graph, MAX_LENGTH};
use crate::kernels;
use Variant::{
    Frontier, Hwwl, HwwlEdges, HwwlEdgesSingle, HwwlFrontier, HwwlIru, HwwlSingle, Iru, NearFar, NearFarIru,
    NearFarIruSplit, Swwl, SwwlAru, SwwlWch, SwwlWdo, Topo, TopoLsg, Warp,
};

pub const VARIANTS: &[Variant] = &[
    Topo,
    Warp,
    TopoLsg,
    Swwl,
    SwwlWch,
    SwwlAru,
    SwwlWdo,
    Hwwl,
    HwwlSingle,
    HwwlEdges,
    HwwlEdgesSingle,
    Frontier,
    Iru,
    HwwlFrontier,
    HwwlIru,
    NearFar,
    NearFarIru,
    NearFarIruSplit,
];

/// Gives the lengths of the shortest paths from `source`, [`UNREACHED`] for what cannot be reached.
pub fn run(gpu: &mut Gpu, graph: &Graph, variant: Variant, source: u32, watch: Watch) -> Result<Outcome> {
    run_in(room_for_repeats(graph), gpu, graph, variant, source, watch)
}

/// With a worklist of so much room, in IDs.
fn run_in(room: usize, gpu: &mut Gpu, graph: &Graph, variant: Variant, source: u32, watch: Watch) -> Result<Outcome> {
    check_source(graph, source)?;
    let weights = graph.edge_weights()?;
    let expected = distances(graph, &weights, source)?;
    let check = |found: &[u32]| {
        check::nodes(graph, found, &expected, shown)?;
        Ok("all distances equal".to_owned())
    };
    let (ptx, round) = match variant {
        Frontier | Iru | HwwlFrontier | HwwlIru => {
            return frontier::sssp(gpu, graph, &weights, variant, source, watch, check);
        }
        NearFar | NearFarIru | NearFarIruSplit => {
            return near_far::sssp(gpu, graph, &weights, variant, source, watch, check);
        }
        TopoLsg => return topo_lsg::run(gpu, graph, Some(&weights), kernels::SSSP_TOPO_LSG, source, watch, check),
        Swwl => (kernels::SSSP_SWWL, "sssp_round"),
        SwwlWch => (kernels::SSSP_SWWL_WCH, "sssp_round"),
        SwwlAru => (kernels::SSSP_SWWL_ARU, "sssp_round"),
        SwwlWdo => (kernels::SSSP_SWWL_WDO, "sssp_round"),
        Hwwl => (kernels::SSSP_HWWL, "sssp_round"),
        HwwlSingle => (kernels::SSSP_HWWL_SINGLE, "sssp_drain"),
        HwwlEdges => (kernels::SSSP_HWWL_EDGES, "sssp_round"),
        HwwlEdgesSingle => (kernels::SSSP_HWWL_EDGES_SINGLE, "sssp_drain"),
        Warp => (kernels::SSSP_WARP, "sssp_round"),
        _ => (kernels::SSSP_TOPO, "sssp_round"),
    };
    let kernels = Kernels { ptx, init: "sssp_init", round };
    let mut search = Traversal::new(gpu, graph, source, &kernels, Some(&weights), watch)?;
    match variant {
        Swwl | SwwlWch | SwwlAru | SwwlWdo | Hwwl | HwwlEdges => {
            search.data_driven(variant, room, |params, _| params)?
        }
        HwwlSingle | HwwlEdgesSingle => search.single_buffered(room)?,
        _ => search.topology_driven(variant, |distance, _| distance != UNREACHED, |params, _| params)?,
    }
    search.finish(check)
}

/// The right distances, if all fit the kernels' 32 bits. Longer ways to a node, which lose, need not fit: there the kernels'
/// sums end at [`UNREACHED`].
fn distances(graph: &Graph, weights: &[u32], source: u32) -> Result<Vec<u32>> {
    let fitting = |(v, distance): (usize, Option<u64>)| match distance {
        None => Ok(UNREACHED),
        Some(length) if length <= MAX_LENGTH.into() => Ok(length as u32),
        Some(length) => Err(WorkloadError::TooFar { graph: graph.name.clone(), node: check::node(graph, v), length }),
    };
    reference::sssp(graph, weights, source).into_iter().enumerate().map(fitting).collect()
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
    use crate::config::Config;
    use crate::gpu::{Blame, RunError};
    use crate::graph;
    use crate::workload::tests;

    fn search(room: usize, graph: &Graph, variant: Variant) -> Result<Outcome> {
        let mut gpu = tests::gpu(&Config::preset("hwwl-micro14").unwrap(), variant);
        run_in(room, &mut gpu, graph, variant, 0, &mut |_| {})
    }

    /// A source, many nodes beside it, and one node behind all of them, which each brings nearer than the one before.
    fn fan(nodes: u32) -> Graph {
        let last = nodes + 1;
        let pairs: Vec<_> = (1..last).flat_map(|v| [(0, v), (v, last)]).collect();
        let lengths: Vec<_> = (1..last).flat_map(|v| [1, 2 * (last - v)]).collect();
        Graph::undirected_weighted("fan", last as usize + 1, &pairs, &lengths)
    }

    #[test]
    fn a_node_is_pushed_each_time_it_becomes_nearer() {
        for variant in [Swwl, SwwlWch, SwwlAru, SwwlWdo, Hwwl] {
            let graph = fan(512);
            let outcome = search(room_for_repeats(&graph), &graph, variant).unwrap();
            let work: Vec<_> = outcome.steps.iter().map(|step| step.start.work).collect();
            assert_eq!(work[..2], [1, 512], "{}", variant.name());
            assert!(work[2] > 1, "{}: one node, several times: {work:?}", variant.name());
        }
    }

    /// Whatever the list, and whoever finds no room in it: the next round makes up for what was lost.
    #[test]
    fn a_list_in_memory_that_is_too_short_gives_the_right_result() {
        let graph = graph::open("gen:uniform:600").unwrap();
        for variant in [Swwl, SwwlWch, SwwlAru, SwwlWdo] {
            for room in [1, 2, 50, 300] {
                let outcome = search(room, &graph, variant).unwrap();
                let work: Vec<_> = outcome.steps.iter().map(|step| step.start.work).collect();
                let pushed = |launch: usize| outcome.steps[launch].start.work;
                assert!((1..work.len()).any(|launch| pushed(launch) > room as u64), "{}: {work:?}", variant.name());
            }
        }
    }

    #[test]
    fn a_hardware_worklist_whose_buffer_is_too_small_says_so() {
        let graph = graph::open("gen:uniform:20000").unwrap();
        for variant in [Hwwl, HwwlSingle] {
            let error = search(32, &graph, variant).unwrap_err();
            let misused = matches!(error, WorkloadError::Run(RunError::System { blame: Blame::Misuse, .. }));
            assert!(misused && error.to_string().contains(" overflowed: "), "{error}");
        }
    }
}
