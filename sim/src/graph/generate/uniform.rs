//! Uniform random graph, as the generator of Rodinia's BFS input draws it.

use super::super::csr::Graph;
use super::super::error::GraphError;
use super::random::SplitMix64;
use super::{Kind, Spec};

pub const KIND: Kind = Kind {
    name: "uniform",
    form: "gen:uniform:NODES[:seed=N]",
    description:
        "each node draws 2 to 4 undirected edges to nodes anywhere (as Rodinia's BFS input); seed 1 if not given",
    options: &["seed"],
    make,
};

/// Each node draws 2 to 4 neighbours; an edge goes in both directions. Duplicates stay; a loop is dropped and its
/// draw not repeated. The edges of a node are in the order in which they were drawn.
fn make(spec: &Spec) -> Result<Graph, GraphError> {
    let nodes = spec.nodes()?;
    let mut random = SplitMix64(spec.seed()?);
    let mut edges = Vec::with_capacity(nodes * 6);
    for v in 0..nodes as u32 {
        for _ in 0..2 + random.draw() % 3 {
            let u = random.below(nodes) as u32;
            if u != v {
                edges.extend([(v, u), (u, v)]);
            }
        }
    }
    Ok(Graph::from_edges(spec.text, nodes, &edges))
}

#[cfg(test)]
mod tests {
    use crate::graph::{self, Graph};

    /// FNV-like fold of row and col, word by word.
    fn fold(graph: &Graph) -> u64 {
        let words = graph.row.iter().chain(&graph.col);
        words.fold(1469598103934665603, |h, &word| (h ^ word as u64).wrapping_mul(1099511628211))
    }

    /// Values of the reference set that was run on GPGPU-Sim.
    #[test]
    fn is_the_reference_graph_to_the_bit() {
        for (nodes, edges, check) in [(16384, 98018, 0xa8f2b7e60017172f), (65536, 393630, 0xab6463587d662c35)] {
            let graph = graph::open(&format!("gen:uniform:{nodes}")).unwrap();
            assert_eq!((graph.nodes(), graph.edges(), graph.source), (nodes, edges, 0));
            assert_eq!((0..nodes as u32).map(|v| graph.neighbours(v).len()).max(), Some(16));
            assert_eq!(fold(&graph), check, "{nodes} nodes: {:016x}", fold(&graph));
        }
    }
}
