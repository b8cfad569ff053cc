//! Betweenness centrality in 32-bit floats, from one source: a term of Brandes' sum. A launch a level, away from the source
//! to count the shortest paths and back to it to add up what depends on each node.

use super::check::{self, Bounded};
use super::reference::{self, UNREACHED};
use super::session::{kernels, Session};
use super::traversal::{check_source, ctas};
use super::worklist::BLOCK;
use super::{Outcome, Params, Result, Start, Variant, Watch, WorkloadError};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;

pub const VARIANTS: &[Variant] = &[Variant::Topo, Variant::Warp];

/// With at most 2 to this many paths to a node, the part of them that leads over another is a normal number.
const PATHS_LOG2: i32 = 120;

/// Gives the dependency of the source on each node: the sum over all targets of the part of the shortest paths to them that
/// leads over the node.
pub fn run(gpu: &mut Gpu, graph: &Graph, variant: Variant, source: u32, watch: Watch) -> Result<Outcome> {
    check_source(graph, source)?;
    let expected = expected(graph, source)?;
    let ptx = if variant == Variant::Warp { kernels::BC_WARP } else { kernels::BC_TOPO };
    let [forward, backward] = kernels(ptx, ["bc_forward", "bc_backward"])?;
    let mut session = Session::new(gpu, watch);
    let nodes = graph.nodes();
    let mut distances = vec![UNREACHED; nodes];
    distances[source as usize] = 0;
    let (row, col, dist) = (session.upload(&graph.row)?, session.upload(&graph.col)?, session.upload(&distances)?);
    let [paths, changed, delta] = [nodes, 1, nodes].map(|words| session.alloc(words));
    session.write(delta, &vec![0; nodes])?;
    let arrays = Params::default().u64(row).u64(col).u64(dist).u64(paths);
    let ctas = ctas(nodes as u32, variant, session.gpu());
    let mut launch = |program, level, last: u64| {
        let distances = session.read(dist, nodes)?;
        let start = Start { level, work: distances.iter().filter(|&&distance| distance == level).count() as u64 };
        session.write(changed, &[0])?;
        let params = arrays.clone().u64(last).u32(nodes as u32).u32(level);
        session.launch(program, start, [ctas, 1, 1], [BLOCK, 1, 1], params)?;
        session.read_word(changed)
    };
    let mut last = 0;
    while launch(&forward, last, changed)? != 0 {
        last += 1;
    }
    // Nothing lies behind the last level, and what leads over the source itself does not count.
    for level in (1..last).rev() {
        launch(&backward, level, delta)?;
    }
    let found = session.read(delta, nodes)?;
    let worst = check::nodes_within(graph, &found, &expected)?;
    let checked = format!("dependencies over {last} levels within {worst:.0} % of what rounding may do");
    Ok(session.finish(found, checked))
}

fn expected(graph: &Graph, source: u32) -> Result<Vec<Bounded>> {
    let distances = reference::bfs(graph, source);
    let counts = reference::path_counts(graph, &distances, source);
    if counts.iter().any(|&count| count > 2f64.powi(PATHS_LOG2)) {
        return Err(WorkloadError::Paths { graph: graph.name.clone(), source_node: source, limit: PATHS_LOG2 });
    }
    Ok(reference::dependencies(graph, &distances, &counts))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attach::Units;
    use crate::config::Config;
    use crate::graph;

    fn search(graph: &Graph, variant: Variant, source: u32) -> Result<Outcome> {
        run(
            &mut Gpu::new(&Config::preset("gw-fermi-gw8").unwrap(), Units::default()),
            graph,
            variant,
            source,
            &mut |_| {},
        )
    }

    /// On a tree what depends on a node is what hangs on it: whole numbers, the same in every order.
    #[test]
    fn on_a_path_a_node_carries_all_that_is_behind_it() {
        let path = Graph::undirected("path", 6, &[(0, 1), (1, 2), (2, 3), (3, 4)]);
        for &variant in VARIANTS {
            let outcome = search(&path, variant, 0).unwrap();
            assert_eq!(outcome.result, [0.0, 3.0, 2.0, 1.0, 0.0, 0.0].map(f32::to_bits));
            let levels: Vec<_> = outcome.steps.iter().map(|step| step.start.level).collect();
            assert_eq!(levels, [0, 1, 2, 3, 4, 3, 2, 1]);
            assert!(outcome.steps.iter().all(|step| step.start.work == 1));
        }
    }

    /// The shortest paths across a grid are as many as the binomial coefficients.
    #[test]
    fn counts_beyond_24_bits_are_within_the_tolerance_and_too_many_are_refused() {
        let grid = graph::open("gen:grid:20x20").unwrap();
        for &variant in VARIANTS {
            search(&grid, variant, 0).unwrap();
        }
        let message = search(&graph::open("gen:grid:70x70").unwrap(), Variant::Topo, 0).unwrap_err().to_string();
        assert!(message.contains("more than 2^120 shortest paths from node 0") && !message.contains('\n'), "{message}");
        let message = search(&grid, Variant::Topo, 400).unwrap_err().to_string();
        assert!(message.starts_with("source 400: graph"), "{message}");
    }
}
