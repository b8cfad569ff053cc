//! Breadth-first search with an edge to a thread, as the fastest of LonestarGPU 2.0: a launch a level, and CTAs that take as
//! many nodes of the worklist as they have threads.

use super::session::{kernels, Session};
use super::traversal::{block, first_distances, reached};
use super::worklist::Worklist;
use super::{Outcome, Params, Result, Start, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;

/// Threads a CTA, unless a core has room for fewer: `BATCH` of `kernels/bfs_edge.cu`.
const MAX_BLOCK: usize = 704;

/// Gives the distances. The worklist has room for `room` IDs: threads that find a node at the same time all push it.
pub fn run<'a>(
    gpu: &'a mut Gpu,
    graph: &Graph,
    source: u32,
    room: usize,
    watch: Watch<'a>,
    check: impl Fn(&[u32]) -> Result<String>,
) -> Result<Outcome> {
    let distances = first_distances(graph, source)?;
    let [program] = kernels(kernels::BFS_SWWL_EDGE, ["bfs_level"])?;
    let mut session = Session::new(gpu, watch);
    let (row, col) = (session.upload(&graph.row)?, session.upload(&graph.col)?);
    let dist = session.upload(&distances)?;
    let arrays = Params::default().u64(row).u64(col).u64(dist);
    let mut worklist = Worklist::new(&mut session, Variant::SwwlEdge, room)?;
    let mut work = worklist.fill(&mut session, &[source])?;
    let block = block(MAX_BLOCK, session.gpu());
    for level in 0.. {
        let ctas = work.div_ceil(block.into()) as u32;
        let params = worklist.params().then(&arrays).u32(level);
        session.launch(&program, Start { level, work }, [ctas, 1, 1], [block, 1, 1], params)?;
        work = worklist.turn(&mut session, |session| reached(session, dist, graph.nodes() as u32))?;
        if work == 0 {
            break;
        }
    }
    session.finish_with(dist, graph.nodes(), check)
}

#[cfg(test)]
mod tests {
    use super::super::{check, reference, tests};
    use super::*;
    use crate::config::Config;
    use crate::graph;

    fn search(graph: &Graph, source: u32, room: usize) -> Outcome {
        let mut gpu = tests::gpu(&Config::preset("hwwl-micro14").unwrap(), Variant::SwwlEdge);
        let expected = reference::bfs(graph, source);
        let check = |found: &[u32]| check::nodes(graph, found, &expected, |d| d.to_string()).map(|()| String::new());
        run(&mut gpu, graph, source, room, &mut |_| {}, check).unwrap()
    }

    /// A hub has more edges than a batch, and many nodes have none in theirs.
    #[test]
    fn edges_of_hubs_are_shared_out() {
        let star: Vec<_> = (1..4000).map(|leaf| (0, leaf)).collect();
        let star = Graph::undirected("star", 4000, &star);
        let launches = search(&star, 17, 8000).steps;
        assert_eq!(launches.iter().map(|step| step.start.work).collect::<Vec<_>>(), [1, 1, 3998]);
        let skewed = graph::open("gen:kron:10:degree=4").unwrap();
        search(&skewed, skewed.source, 8192);
    }

    /// One atomic for the nodes that a batch found.
    #[test]
    fn a_batch_takes_room_once() {
        let graph = graph::open("gen:uniform:3000").unwrap();
        let mut gpu = tests::gpu(&Config::preset("hwwl-micro14").unwrap(), Variant::SwwlEdge);
        let outcome = run(&mut gpu, &graph, 0, 30_000, &mut |_| {}, |_| Ok(String::new())).unwrap();
        let pushes: u64 = outcome.steps.iter().map(|step| step.start.work).sum();
        assert!(pushes >= 3000 && gpu.stats().l2.atomic_lanes < 64, "{pushes}, {}", gpu.stats().l2.atomic_lanes);
    }

    #[test]
    fn a_list_that_is_too_short_gives_the_right_result() {
        let graph = graph::open("gen:uniform:2000").unwrap();
        for room in [1, 30, 700] {
            search(&graph, 3, room);
        }
    }
}
