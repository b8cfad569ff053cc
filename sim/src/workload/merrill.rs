//! Breadth-first search that expands and contracts as Merrill, Garland and Grimshaw have it (PPoPP 2012): CTAs share out
//! edges by degree, and culls instead of atomics drop most of the nodes that were visited.

use super::rounds::{Edges, Frontier, Rounds};
use super::session::{kernels, Session};
use super::{Outcome, Params, Result, Start, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;
use crate::ptx::program::Program;
use crate::units::iru::Filter;

/// Threads a CTA, and nodes of a tile of the expansion.
const BLOCK: u32 = 128;
/// Edges of a tile of the contraction.
const TILE: u32 = 2 * BLOCK;
/// CTAs a core; they take tiles in turns.
const CTAS: u32 = 8;

/// A frontier that may hold an item several times, so that no number of the graph's bounds its size.
struct Queue {
    frontier: Frontier,
    room: usize,
}

impl Queue {
    fn new(session: &mut Session, room: usize) -> Queue {
        Queue { frontier: Frontier::new(session, room), room }
    }

    /// Empties it, and takes a larger array if it does not hold `items`.
    fn prepare(&mut self, session: &mut Session, items: usize) -> Result<()> {
        if items > self.room {
            *self = Queue::new(session, items);
        }
        self.frontier.clear(session)
    }
}

/// Edges of all nodes of a frontier.
fn edges_of(session: &Session, graph: &Graph, nodes: &Frontier, count: u32) -> Result<usize> {
    let nodes = session.read(nodes.items, count as usize)?;
    Ok(nodes.into_iter().map(|v| graph.neighbours(v).len()).sum())
}

fn launch(rounds: &mut Rounds, program: &Program, start: Start, tile: u32, params: Params) -> Result<()> {
    let resident = rounds.session.gpu().config().core.count as u32 * CTAS;
    let tiles = start.work.div_ceil(u64::from(tile)).clamp(1, u64::from(resident));
    rounds.session.launch(program, start, [tiles as u32, 1, 1], [BLOCK, 1, 1], params)
}

/// Gives the distances.
pub fn bfs<'a>(
    gpu: &'a mut Gpu,
    graph: &Graph,
    variant: Variant,
    source: u32,
    watch: Watch<'a>,
    check: impl Fn(&[u32]) -> Result<String>,
) -> Result<Outcome> {
    // Edges have no values: all of one node are equal, and any of them stays.
    let (ptx, filter) = match variant {
        Variant::MerrillIruFilter => (kernels::BFS_MERRILL_IRU_FILTER, Filter::Minimum),
        Variant::MerrillIru => (kernels::BFS_MERRILL_IRU, Filter::None),
        _ => (kernels::BFS_MERRILL, Filter::None),
    };
    let [expand, contract] = kernels(ptx, ["bfs_expand", "bfs_contract"])?;
    let mut rounds = Rounds::new(gpu, graph, variant, watch)?;
    let (label, first) = rounds.begin(graph, source)?;
    let mut nodes = Queue { frontier: first, room: graph.nodes() };
    let mut next = Queue::new(&mut rounds.session, rounds.edges);
    let mut edges = Queue::new(&mut rounds.session, rounds.edges);
    let visited = rounds.session.upload(&vec![0; graph.nodes().div_ceil(32)])?;
    for level in 1.. {
        let frontier = nodes.frontier.count(&rounds.session)?;
        let count = edges_of(&rounds.session, graph, &nodes.frontier, frontier)?;
        if count == 0 {
            break;
        }
        edges.prepare(&mut rounds.session, count)?;
        let arrays = Params::default().u64(rounds.row).u64(rounds.col).u64(nodes.frontier.items).u32(frontier);
        let start = Start { level, work: u64::from(frontier) };
        launch(&mut rounds, &expand, start, BLOCK, arrays.then(&edges.frontier.params()))?;
        let count = edges.frontier.count(&rounds.session)?;
        next.prepare(&mut rounds.session, count as usize)?;
        let taken = Edges { frontier: &edges.frontier, count, weights: None, label, filter };
        rounds.reorder(&taken)?;
        let params = Params::default().u64(edges.frontier.items).u32(count).u64(label).u32(level);
        let params = params.then(&next.frontier.params()).u64(visited);
        launch(&mut rounds, &contract, Start { level, work: u64::from(count) }, TILE, params)?;
        (nodes, next) = (next, nodes);
    }
    rounds.session.finish_with(label, graph.nodes(), check)
}

#[cfg(test)]
mod tests {
    use super::super::{bfs, reference, tests};
    use super::*;
    use crate::attach::iru::ReorderStats;
    use crate::config::Config;
    use crate::graph;

    fn outcome(graph: &Graph, variant: Variant) -> Outcome {
        let mut gpu = tests::gpu(&Config::preset("iru-gtx980").unwrap(), variant);
        bfs::run(&mut gpu, graph, variant, graph.source, &mut |_| {}).unwrap()
    }

    /// Items of the node frontiers.
    fn expanded(outcome: &Outcome) -> u64 {
        outcome.steps.iter().filter(|step| step.kernel == "bfs_expand").map(|step| step.start.work).sum()
    }

    /// Nodes with edges of every class (lists of a thread, of a warp and of a CTA), in one tile.
    #[test]
    fn lists_of_every_length_are_copied_whole() {
        let mut pairs: Vec<(u32, u32)> = (1..=100).map(|v| (0, v)).collect();
        let mut leaf = 101;
        for (node, edges) in (1..).zip([1, 31, 32, 33, 511, 512, 513, 700, 1500, 0, 5]) {
            pairs.extend((leaf..leaf + edges).map(|leaf| (node, leaf)));
            leaf += edges;
        }
        let graph = Graph::undirected("brooms", leaf as usize, &pairs);
        for variant in [Variant::Merrill, Variant::MerrillIru, Variant::MerrillIruFilter] {
            let outcome = outcome(&graph, variant);
            assert_eq!(outcome.result, reference::bfs(&graph, 0));
            // A tree: an edge each way, and no node twice.
            let contracted = outcome.steps.iter().filter(|step| step.kernel == "bfs_contract");
            assert_eq!(contracted.map(|step| step.start.work).sum::<u64>(), graph.edges() as u64);
            assert_eq!(expanded(&outcome), u64::from(leaf));
        }
    }

    /// Without atomics some nodes come through twice: here nearly all edges are in flight at a time.
    #[test]
    fn culls_leave_few_duplicates() {
        let graph = graph::open("gen:kron:11:degree=16").unwrap();
        let reached =
            reference::bfs(&graph, graph.source).iter().filter(|&&d| d != reference::UNREACHED).count() as u64;
        for variant in [Variant::Merrill, Variant::MerrillIru, Variant::MerrillIruFilter] {
            let expanded = expanded(&outcome(&graph, variant));
            assert!((reached..reached * 3 / 2).contains(&expanded), "{expanded} of {reached}");
        }
    }

    #[test]
    fn units_drop_edges_to_a_node_that_waits_in_them() {
        let graph = graph::open("gen:kron:11:degree=16").unwrap();
        let merged = |variant| -> u64 {
            outcome(&graph, variant).steps.iter().map(|step| step.stats.of::<ReorderStats>().merged).sum()
        };
        assert_eq!(merged(Variant::MerrillIru), 0);
        assert!(merged(Variant::MerrillIruFilter) > graph.edges() as u64 / 4);
    }

    #[test]
    fn a_queue_grows_when_duplicates_need_more_room() {
        let mut gpu = tests::gpu(&Config::preset("iru-gtx980").unwrap(), Variant::Merrill);
        let mut watch = |_| {};
        let mut session = Session::new(&mut gpu, &mut watch);
        let mut queue = Queue::new(&mut session, 10);
        let first = queue.frontier.items;
        queue.prepare(&mut session, 10).unwrap();
        assert_eq!((queue.frontier.items, queue.room), (first, 10));
        queue.prepare(&mut session, 11).unwrap();
        assert_ne!(queue.frontier.items, first);
        assert_eq!((queue.room, queue.frontier.count(&session).unwrap()), (11, 0));
    }
}
