//! Betweenness centrality in 32-bit floats, from one source: a term of Brandes' sum. A launch a level, away from the source
//! to count the shortest paths and back to it, against the edges, to add up what depends on each node.

use super::check::{self, Bounded};
use super::mapping::{grid, Mapped};
use super::reference;
use super::session::{kernels, Session};
use super::traversal::check_source;
use super::{Outcome, Params, Result, Start, Variant, Watch, WorkloadError};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;

pub const VARIANTS: &[Variant] = &[Variant::Topo, Variant::Warp, Variant::Lanes4, Variant::Lanes8, Variant::Lanes16];

/// Threads a CTA.
const BLOCK: u32 = 128;

/// With at most 2 to this many paths to a node, the part of them that leads over another is a normal number.
const PATHS_LOG2: i32 = 120;

/// Gives the dependency of the source on each node: the sum over all targets of the part of the shortest paths to them that
/// leads over the node.
pub fn run(gpu: &mut Gpu, graph: &Graph, variant: Variant, source: u32, watch: Watch) -> Result<Outcome> {
    check_source(graph, source)?;
    let expected = expected(graph, source)?;
    let mapped = Mapped { thread: kernels::BC_TOPO, warp: kernels::BC_WARP, lanes: kernels::BC_LANES };
    let [clear, forward, backward] = kernels(mapped.of(variant), ["bc_clear", "bc_forward", "bc_backward"])?;
    let mut session = Session::new(gpu, watch);
    let (nodes, into) = (graph.nodes(), graph.transposed());
    let out = Params::default().u64(session.upload(&graph.row)?).u64(session.upload(&graph.col)?);
    let into = Params::default().u64(session.upload(&into.row)?).u64(session.upload(&into.col)?);
    let [dist, paths, delta, changed] = [nodes, nodes, nodes, 1].map(|words| session.alloc(words));
    let params = Params::default().u64(dist).u64(paths).u64(delta).u32(nodes as u32).u32(source);
    let [walkers, shape] = grid(nodes as u32, BLOCK, variant, session.gpu());
    let threads = (nodes as u32).div_ceil(BLOCK);
    let start = Start { level: 0, work: nodes as u64 };
    session.launch(&clear, start, [threads, 1, 1], [BLOCK, 1, 1], params)?;
    let mut launch = |program, edges: &Params, level, last: u64| {
        let distances = session.read(dist, nodes)?;
        let start = Start { level, work: distances.iter().filter(|&&distance| distance == level).count() as u64 };
        session.write(changed, &[0])?;
        let params = edges.clone().u64(dist).u64(paths).u64(last).u32(nodes as u32).u32(level);
        session.launch(program, start, walkers, shape, params)?;
        session.read_word(changed)
    };
    let mut last = 0;
    while launch(&forward, &out, last, changed)? != 0 {
        last += 1;
    }
    // Paths through the source itself do not count: level 1 pushes nothing.
    for level in (2..=last).rev() {
        launch(&backward, &into, level, delta)?;
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
    use crate::config::Config;
    use crate::graph;

    /// Those that run on the preset.
    fn narrow() -> impl Iterator<Item = Variant> {
        let config = Config::preset("gw-fermi-gw8").unwrap();
        VARIANTS.iter().copied().filter(move |variant| variant.runs_on(&config))
    }

    fn search(graph: &Graph, variant: Variant, source: u32) -> Result<Outcome> {
        run(&mut Gpu::new(&Config::preset("gw-fermi-gw8").unwrap(), Vec::new()), graph, variant, source, &mut |_| {})
    }

    /// On a tree what depends on a node is what hangs on it: whole numbers, the same in every order.
    #[test]
    fn on_a_path_a_node_carries_all_that_is_behind_it() {
        let path = Graph::undirected("path", 6, &[(0, 1), (1, 2), (2, 3), (3, 4)]);
        for variant in narrow() {
            let outcome = search(&path, variant, 0).unwrap();
            assert_eq!(outcome.result, [0.0, 3.0, 2.0, 1.0, 0.0, 0.0].map(f32::to_bits));
            let levels: Vec<_> = outcome.steps.iter().map(|step| step.start.level).collect();
            assert_eq!(levels, [0, 0, 1, 2, 3, 4, 4, 3, 2]);
            assert!(outcome.steps[1..].iter().all(|step| step.start.work == 1));
        }
    }

    /// Two ways to node 3, one of them over an edge that only goes there; node 4 leads in, and nothing leads to it.
    #[test]
    fn edges_are_taken_in_their_direction() {
        let graph = graph::Graph {
            row: vec![0, 2, 3, 4, 5, 6, 7],
            col: vec![1, 2, 3, 3, 5, 0, 0],
            ..Graph::undirected("one way", 1, &[])
        };
        for variant in narrow() {
            assert_eq!(search(&graph, variant, 0).unwrap().result, [0.0, 1.0, 1.0, 1.0, 0.0, 0.0].map(f32::to_bits));
            assert_eq!(search(&graph, variant, 4).unwrap().result[0], 4f32.to_bits());
        }
    }

    /// The shortest paths across a grid are as many as the binomial coefficients.
    #[test]
    fn counts_beyond_24_bits_are_within_the_tolerance_and_too_many_are_refused() {
        let grid = graph::open("gen:grid:20x20").unwrap();
        for variant in narrow() {
            search(&grid, variant, 0).unwrap();
        }
        let message = search(&graph::open("gen:grid:70x70").unwrap(), Variant::Topo, 0).unwrap_err().to_string();
        assert!(message.contains("more than 2^120 shortest paths from node 0") && !message.contains('\n'), "{message}");
        let message = search(&grid, Variant::Topo, 400).unwrap_err().to_string();
        assert!(message.starts_with("source 400: graph"), "{message}");
    }
}
