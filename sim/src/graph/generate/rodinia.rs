//! A graph like the inputs of Rodinia's breadth-first search.

use super::super::csr::Graph;
use super::super::error::GraphError;
use super::random::SplitMix64;
use super::{Kind, Spec};
use std::collections::HashSet;

pub const KIND: Kind = Kind {
    name: "rodinia",
    form: "gen:rodinia:NODES[:seed=N]",
    description: "graph like the inputs of Rodinia's BFS: a random tree and more edges between any nodes, 3 x NODES in all, numbers permuted",
    options: &["seed"],
    make,
};

/// Undirected edges, a node.
const EDGES: usize = 3;
/// So many nodes have enough pairs.
const LEAST: usize = 2 * EDGES + 1;

/// Node i of the tree hangs on any one before it. The other edges are all different and no loops. The edges of a node are in
/// ascending order.
fn make(spec: &Spec) -> Result<Graph, GraphError> {
    let nodes = spec.nodes()?;
    if nodes < LEAST {
        return Err(spec.wrong(format!("{EDGES} x NODES different edges need at least {LEAST} nodes")));
    }
    let mut random = SplitMix64(spec.seed()?);
    let mut edges: HashSet<(u32, u32)> = (1..nodes).map(|i| (random.below(i) as u32, i as u32)).collect();
    while edges.len() < EDGES * nodes {
        let [v, u] = [(); 2].map(|()| random.below(nodes) as u32);
        if v != u {
            edges.insert((v.min(u), v.max(u)));
        }
    }
    let label = random.permutation(nodes);
    let pairs: Vec<_> = edges.iter().map(|&(v, u)| (label[v as usize], label[u as usize])).collect();
    Ok(Graph::undirected(spec.text, nodes, &pairs))
}

#[cfg(test)]
mod tests {
    use crate::graph::{self, Graph};

    fn of_degree(graph: &Graph, degree: usize) -> usize {
        (0..graph.nodes() as u32).filter(|&v| graph.neighbours(v).len() == degree).count()
    }

    /// Nodes of Rodinia's graph65536 with 1 to 5 neighbours, and the highest degree.
    #[test]
    fn has_the_degrees_of_the_original() {
        let graph = graph::open("gen:rodinia:65536").unwrap();
        assert_eq!((graph.nodes(), graph.edges()), (65_536, 393_216));
        for (degree, published) in (1..).zip([638, 2_696, 6_141, 9_516, 11_094]) {
            let found = of_degree(&graph, degree);
            // Three times the square root: what such counts vary by.
            let spread = 3.0 * f64::from(published).sqrt();
            assert!((found as f64 - f64::from(published)).abs() < spread, "{degree}: {found}, {published}");
        }
        let most = (0..65_536).map(|v| graph.neighbours(v).len()).max().unwrap();
        assert!((21..=28).contains(&most), "{most}");
    }

    #[test]
    fn is_simple_and_connected() {
        for spec in ["gen:rodinia:7", "gen:rodinia:4096"] {
            let graph = graph::open(spec).unwrap();
            graph::tests::assert_simple_and_symmetric(&graph);
            assert_eq!(graph.edges(), 6 * graph.nodes());
            assert_eq!(of_degree(&graph, 0), 0);
            let mut reached = vec![false; graph.nodes()];
            let mut open = vec![0];
            while let Some(v) = open.pop() {
                if !std::mem::replace(&mut reached[v as usize], true) {
                    open.extend(graph.neighbours(v));
                }
            }
            assert!(reached.iter().all(|&reached| reached), "{spec}");
        }
    }
}
