//! Map of census blocks: a Delaunay triangulation of random points of which some edges are missing. The class of ca2010 in
//! the IRU's Table 3: 710,145 nodes with 4.9 neighbours on average, blocks of one tract numbered one after the other.

use super::super::csr::Graph;
use super::super::error::GraphError;
use super::random::SplitMix64;
use super::{curve, delaunay, Kind, Spec};

pub const KIND: Kind = Kind {
    name: "census",
    form: "gen:census:NODES[:seed=N]",
    description: "map of census blocks: 82 % of the edges of a Delaunay triangulation, tracts of 88 nodes in a row, tracts in any order; source: the first node with an edge",
    options: &["seed"],
    make,
};

/// Part of the triangulation's edges that is kept; a node has then 4.9 neighbours.
const KEPT: f64 = 0.82;

/// Nodes with numbers in a row: California's 710,145 blocks lie in 8,057 tracts.
const TRACT: usize = 88;

fn make(spec: &Spec) -> Result<Graph, GraphError> {
    let nodes = spec.nodes()?;
    let points = delaunay::points(spec, nodes)?;
    // Another stream than that of the points.
    let mut random = SplitMix64(!spec.seed()?);
    let number = numbers(&mut random, &points);
    let edges = delaunay::edges(&points);
    let kept = edges.iter().filter(|_| random.unit() < KEPT);
    let pairs: Vec<_> = kept.map(|&(v, u)| (number[v as usize], number[u as usize])).collect();
    let mut graph = Graph::undirected(spec.text, nodes, &pairs);
    graph.source = (0..nodes as u32).find(|&v| !graph.neighbours(v).is_empty()).unwrap_or(0);
    Ok(graph)
}

/// Each point's number: tracts are stretches of a curve that fills the square.
fn numbers(random: &mut SplitMix64, points: &[(f64, f64)]) -> Vec<u32> {
    let order = curve::order(points);
    let tracts: Vec<_> = order.chunks(TRACT).collect();
    let shuffled = random.permutation(tracts.len());
    let mut number = vec![0; points.len()];
    let inhabitants = shuffled.iter().flat_map(|&tract| tracts[tract as usize]);
    inhabitants.zip(0..).for_each(|(&point, n)| number[point as usize] = n);
    number
}

#[cfg(test)]
mod tests {
    use super::super::points;
    use super::*;
    use crate::graph;

    #[test]
    fn has_the_degrees_and_the_locality_of_its_class() {
        let graph = graph::open("gen:census:20000").unwrap();
        graph::tests::assert_simple_and_symmetric(&graph);
        let mean = graph.edges() as f64 / 20_000.0;
        assert!((4.85..4.98).contains(&mean), "{mean}");
        let share = graph::tests::local_share(&graph);
        assert!((0.77..0.82).contains(&share), "{share}");
    }

    #[test]
    fn tracts_are_whole_and_lie_anywhere() {
        let points = points::draw(2_000, 3);
        let number = numbers(&mut SplitMix64(5), &points);
        let order = curve::order(&points);
        let stretches: Vec<Vec<u32>> =
            order.chunks(TRACT).map(|tract| tract.iter().map(|&v| number[v as usize]).collect()).collect();
        assert!(stretches.iter().all(|numbers| numbers.windows(2).all(|pair| pair[1] == pair[0] + 1)));
        let in_place = stretches.iter().zip(0..).filter(|(numbers, i)| numbers[0] == i * TRACT as u32).count();
        assert!(in_place < 6, "{in_place} of 23");
        let mut all = number;
        all.sort_unstable();
        assert!(all.into_iter().eq(0..2_000));
    }
}
