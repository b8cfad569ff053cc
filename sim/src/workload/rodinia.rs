//! Breadth-first search as Rodinia's: two launches a level. The first takes the nodes of the frontier and marks their
//! neighbours that have not been visited; the second makes the next frontier of what is marked.

use super::mapping::{grid, Mapped};
use super::session::{kernels, Session};
use super::traversal::first_distances;
use super::{Outcome, Params, Result, Start, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;

/// Threads a CTA.
const BLOCK: u32 = 512;

/// A byte a node on the device, each 0 or 1.
struct Bytes {
    address: u64,
    words: usize,
}

impl Bytes {
    /// All 0 but that of node `one`.
    fn new(session: &mut Session, nodes: usize, one: Option<u32>) -> Result<Bytes> {
        let mut words = vec![0; nodes.div_ceil(4)];
        if let Some(node) = one {
            words[node as usize / 4] = 1 << (8 * (node % 4));
        }
        Ok(Bytes { address: session.upload(&words)?, words: words.len() })
    }

    /// Number of bytes that are 1.
    fn count(&self, session: &Session) -> Result<u64> {
        Ok(session.read(self.address, self.words)?.iter().map(|word| u64::from(word.count_ones())).sum())
    }
}

/// Gives the distances.
pub fn bfs(
    gpu: &mut Gpu,
    graph: &Graph,
    variant: Variant,
    source: u32,
    watch: Watch,
    check: impl Fn(&[u32]) -> Result<String>,
) -> Result<Outcome> {
    let costs = first_distances(graph, source)?;
    let mapped =
        Mapped { thread: kernels::BFS_RODINIA, warp: kernels::BFS_RODINIA_WARP, lanes: kernels::BFS_RODINIA_LANES };
    let [mark, commit] = kernels(mapped.of(variant), ["bfs_mark", "bfs_commit"])?;
    let mut session = Session::new(gpu, watch);
    let nodes = graph.nodes();
    let ranges: Vec<u32> = graph.row.windows(2).flat_map(|row| [row[0], row[1] - row[0]]).collect();
    let (node, col, cost) = (session.upload(&ranges)?, session.upload(&graph.col)?, session.upload(&costs)?);
    let frontier = Bytes::new(&mut session, nodes, Some(source))?;
    let marked = Bytes::new(&mut session, nodes, None)?;
    let visited = Bytes::new(&mut session, nodes, Some(source))?;
    let more = session.alloc(1);
    let [walkers, shape] = grid(nodes as u32, BLOCK, variant, session.gpu());
    for level in 0.. {
        session.write(more, &[0])?;
        let params = Params::default().u64(node).u64(col).u64(frontier.address).u64(marked.address);
        let params = params.u64(visited.address).u64(cost).u32(nodes as u32);
        let start = Start { level, work: frontier.count(&session)? };
        session.launch(&mark, start, walkers, shape, params)?;
        let params = Params::default().u64(frontier.address).u64(marked.address).u64(visited.address).u64(more);
        let start = Start { level, work: marked.count(&session)? };
        let ctas = (nodes as u32).div_ceil(BLOCK);
        session.launch(&commit, start, [ctas, 1, 1], [BLOCK, 1, 1], params.u32(nodes as u32))?;
        if session.read_word(more)? == 0 {
            break;
        }
    }
    session.finish_with(cost, nodes, check)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::workload::bfs;

    /// Two launches a level, and the level after the last, which marks nothing.
    #[test]
    fn a_level_is_two_launches_that_take_the_frontier_and_its_marks() {
        let graph = Graph::undirected("path", 5, &[(0, 1), (0, 2), (2, 3)]);
        for variant in [Variant::Rodinia, Variant::RodiniaWarp, Variant::Lanes8] {
            let mut gpu = Gpu::new(&Config::preset("gw-fermi-gw8").unwrap(), Vec::new());
            let steps = bfs::run(&mut gpu, &graph, variant, 0, &mut |_| {}).unwrap().steps;
            let work: Vec<_> = steps.iter().map(|step| (&step.kernel[..], step.start.level, step.start.work)).collect();
            let expected = [1, 2, 1, 0]
                .windows(2)
                .zip(0..)
                .flat_map(|(work, level)| [("bfs_mark", level, work[0]), ("bfs_commit", level, work[1])]);
            assert_eq!(work, expected.collect::<Vec<_>>());
        }
    }
}
