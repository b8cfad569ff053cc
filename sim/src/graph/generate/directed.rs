//! A directed random graph, as GTgraph draws it and Pannotia has it for betweenness centrality.

use super::super::csr::Graph;
use super::super::error::GraphError;
use super::random::SplitMix64;
use super::{Kind, Spec};

pub const KIND: Kind = Kind {
    name: "directed",
    form: "gen:directed:NODES[:degree=D][:seed=N]",
    description: "directed graph (as Pannotia's inputs of BC): D (128) x NODES arcs, both ends of each drawn anywhere",
    options: &["degree", "seed"],
    make,
};

/// Duplicates stay; a loop is drawn again. The arcs of a node are in the order in which they were drawn.
fn make(spec: &Spec) -> Result<Graph, GraphError> {
    let nodes = spec.nodes()?;
    if nodes < 2 {
        return Err(GraphError::Empty { place: spec.text.into() });
    }
    let arcs = spec.number("degree", 1, 128)?.saturating_mul(nodes as u64);
    spec.check_edges(arcs)?;
    let mut random = SplitMix64(spec.seed()?);
    let mut arc = || loop {
        let [v, u] = [(); 2].map(|()| random.below(nodes) as u32);
        if v != u {
            return (v, u);
        }
    };
    let edges: Vec<_> = (0..arcs).map(|_| arc()).collect();
    Ok(Graph::from_edges(spec.text, nodes, &edges))
}

#[cfg(test)]
mod tests {
    use crate::graph;
    use std::collections::HashSet;

    /// Pannotia's 1k-128k as published: 131,072 arcs, 95 to 164 per node, 6 % of them again, 12 % both ways.
    #[test]
    fn has_the_degrees_of_the_original() {
        let graph = graph::open("gen:directed:1024").unwrap();
        assert_eq!((graph.nodes(), graph.edges()), (1024, 131_072));
        let degrees: Vec<_> = (0..1024).map(|v| graph.neighbours(v).len()).collect();
        let (least, most) = (degrees.iter().min().unwrap(), degrees.iter().max().unwrap());
        assert!((88..=100).contains(least) && (157..=172).contains(most), "{least}, {most}");
        let arcs: HashSet<_> = (0..1024).flat_map(|v| graph.neighbours(v).iter().map(move |&u| (v, u))).collect();
        assert!(arcs.iter().all(|(v, u)| v != u));
        let share = |count: usize| count as f64 / graph.edges() as f64;
        let again = share(graph.edges() - arcs.len());
        assert!((0.05..0.07).contains(&again), "{again}");
        let mutual = share(arcs.iter().filter(|&&(v, u)| arcs.contains(&(u, v))).count());
        assert!((0.10..0.13).contains(&mutual), "{mutual}");
        assert!(graph.one_way_edge().is_some());
    }

    #[test]
    fn degree_sets_the_number_of_arcs() {
        assert_eq!(graph::open("gen:directed:500:degree=3").unwrap().edges(), 1500);
    }
}
