//! Plain CPU algorithms that the results of the kernels are held against.

use crate::graph::Graph;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Distance of a node that cannot be reached.
pub const UNREACHED: u32 = u32::MAX;

/// Number of edges from `source` to each node.
pub fn bfs(graph: &Graph, source: u32) -> Vec<u32> {
    let mut distances = vec![UNREACHED; graph.nodes()];
    distances[source as usize] = 0;
    let mut queue = VecDeque::from([source]);
    while let Some(v) = queue.pop_front() {
        for &u in graph.neighbours(v) {
            if distances[u as usize] == UNREACHED {
                distances[u as usize] = distances[v as usize] + 1;
                queue.push_back(u);
            }
        }
    }
    distances
}

/// Length of the shortest path from `source` to each node (Dijkstra). `weights` has a length for each entry of `col`;
/// a path too long for 32 bits does not reach.
pub fn sssp(graph: &Graph, weights: &[u32], source: u32) -> Vec<u32> {
    let mut distances = vec![UNREACHED; graph.nodes()];
    distances[source as usize] = 0;
    let mut nearest = BinaryHeap::from([Reverse((0, source))]);
    while let Some(Reverse((distance, v))) = nearest.pop() {
        if distance > distances[v as usize] {
            continue;
        }
        for (&u, e) in graph.neighbours(v).iter().zip(graph.row[v as usize]..) {
            let length = distance.saturating_add(weights[e as usize]);
            if length < distances[u as usize] {
                distances[u as usize] = length;
                nearest.push(Reverse((length, u)));
            }
        }
    }
    distances
}

/// The edges of the minimum spanning forest (Kruskal), edges of equal length in the order of their numbers: a 1 for each
/// entry of `col` that is the number of one of them. `weights` and `numbers` are those of the entries.
pub fn mst(graph: &Graph, weights: &[u32], numbers: &[u32]) -> Vec<u32> {
    let mut edges = Vec::new();
    for v in 0..graph.nodes() as u32 {
        for (&u, e) in graph.neighbours(v).iter().zip(graph.row[v as usize]..) {
            edges.push((weights[e as usize], numbers[e as usize], v, u));
        }
    }
    edges.sort_unstable();
    let mut parents: Vec<u32> = (0..graph.nodes() as u32).collect();
    let mut chosen = vec![0; graph.edges()];
    for (_, number, v, u) in edges {
        let [v, u] = [v, u].map(|node| root(&mut parents, node));
        if v != u {
            parents[v as usize] = u;
            chosen[number as usize] = 1;
        }
    }
    chosen
}

/// The representative of the tree that a node is in; halves the way there.
fn root(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        parents[node as usize] = parents[parents[node as usize] as usize];
        node = parents[node as usize];
    }
    node
}

/// A rank, and how far one that was computed with 32-bit floats may be from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rank {
    pub value: f64,
    pub tolerance: f64,
}

/// PageRank after `iterations` from equal ranks, on an undirected graph: rank = (1 - damping) / nodes + damping x (sum over
/// the neighbours of their rank / degree). As in the GAP benchmark suite, what nodes without neighbours have is not
/// passed on, so the ranks add up to 1 only where there are none.
///
/// The tolerance follows the roundings through the iterations. Each operation on 32-bit floats is off by at most the
/// unit roundoff u = 2^-24 of its result; all terms are positive, so a sum of d terms in any order is off by at most d u of
/// itself, and the product, the addition, the division and the two rounded constants add five more (to first order; one
/// more covers the second). What the shares were off by is passed on as the shares are.
pub fn pagerank(graph: &Graph, damping: f64, iterations: u32) -> Vec<Rank> {
    const ROUNDOFF: f64 = 1.0 / (1 << 24) as f64;
    let nodes = graph.nodes() as f64;
    let first = Rank { value: 1.0 / nodes, tolerance: 2.0 * ROUNDOFF / nodes };
    let mut ranks = vec![first; graph.nodes()];
    for _ in 0..iterations {
        let next = |v: u32| {
            let degree = |u: u32| graph.neighbours(u).len() as f64;
            let sum = |part: fn(&Rank) -> f64| -> f64 {
                graph.neighbours(v).iter().map(|&u| part(&ranks[u as usize]) / degree(u)).sum()
            };
            let value = (1.0 - damping) / nodes + damping * sum(|rank| rank.value);
            let tolerance = damping * sum(|rank| rank.tolerance) + (degree(v) + 6.0) * ROUNDOFF * value;
            Rank { value, tolerance }
        };
        ranks = (0..graph.nodes() as u32).map(next).collect();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph;

    /// Every node's distance is the least of its neighbours' and the edge's: what defines it.
    #[test]
    fn shortest_paths_satisfy_their_definition() {
        let graph = graph::open("gen:uniform:3000:seed=9").unwrap();
        let weights = graph.edge_weights();
        let distances = sssp(&graph, &weights, 7);
        for v in 0..graph.nodes() as u32 {
            let edges = graph.neighbours(v).iter().zip(&weights[graph.row[v as usize] as usize..]);
            let through = edges.map(|(&u, &weight)| distances[u as usize].saturating_add(weight));
            let expected = if v == 7 { 0 } else { through.min().unwrap_or(UNREACHED) };
            assert_eq!(distances[v as usize], expected, "node {v}");
        }
    }

    #[test]
    fn with_unit_lengths_shortest_paths_are_breadth_first() {
        let graph = graph::open("gen:geometric:2000:degree=5").unwrap();
        assert_eq!(sssp(&graph, &vec![1; graph.edges()], 3), bfs(&graph, 3));
    }

    #[test]
    fn a_path_too_long_for_32_bits_does_not_reach() {
        let graph = Graph::undirected_weighted("g", 3, &[(0, 1), (1, 2)], &[u32::MAX - 5, 10]);
        assert_eq!(sssp(&graph, &graph.edge_weights(), 0), [0, u32::MAX - 5, UNREACHED]);
    }

    /// On a connected undirected graph without damping, ranks tend to degree / edges; with it they still add up to 1.
    #[test]
    fn ranks_of_a_star() {
        let star = Graph::undirected("star", 5, &[(0, 1), (0, 2), (0, 3), (0, 4)]);
        let ranks = pagerank(&star, 0.85, 200);
        // hub = 0.03 + 0.85 x 4 leaf, leaf = 0.03 + 0.85 x hub / 4
        let hub = (0.03 + 0.85 * 0.12) / (1.0 - 0.85 * 0.85);
        assert!((ranks[0].value - hub).abs() < 1e-12, "{ranks:?}");
        assert!((ranks.iter().map(|rank| rank.value).sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(ranks.iter().all(|rank| rank.tolerance > 0.0 && rank.tolerance < 1e-4 * rank.value));
    }

    /// Every node's distance is one more than its nearest neighbour's: what defines it.
    #[test]
    fn distances_satisfy_their_definition() {
        let graph = graph::open("gen:uniform:3000:seed=9").unwrap();
        let distances = bfs(&graph, 7);
        for v in 0..graph.nodes() as u32 {
            let nearest = graph.neighbours(v).iter().map(|&u| distances[u as usize]).min().unwrap_or(UNREACHED);
            let expected = if v == 7 { 0 } else { nearest.saturating_add(1) };
            assert_eq!(distances[v as usize], expected, "node {v}");
        }
    }

    #[test]
    fn debian_from_libc6() {
        let graph = graph::open("debian").unwrap();
        let distances = bfs(&graph, graph.source);
        let at = |level| distances.iter().filter(|&&d| d == level).count();
        assert_eq!((0..9).map(at).collect::<Vec<_>>(), [1, 21841, 19823, 13455, 2602, 505, 82, 9, 1]);
        assert_eq!(at(UNREACHED), 63_666 - 58_319);
    }
}
