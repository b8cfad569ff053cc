//! Road-like graph: sparse, planar, connected, with long ways; crossings have two to four roads, lengths are distances.
//!
//! Random points are the crossings. The roads are the shortest tree that connects them, which is part of their Delaunay
//! triangulation, and the triangulation's shortest other edges.

use super::super::csr::Graph;
use super::super::error::GraphError;
use super::{curve, delaunay, Kind, Spec};

pub const KIND: Kind = Kind {
    name: "road",
    form: "gen:road:NODES[:seed=N]",
    description: "road-like: spanning tree of random points and the shortest of their other Delaunay edges, 1.27 x NODES in all, numbered along a space-filling curve; lengths are distances",
    options: &["seed"],
    make,
};

/// Roads for each hundred crossings: a road network of the ninth DIMACS challenge has about 2.5 directed edges a node.
const ROADS_PER_HUNDRED: usize = 127;
/// Side of a square of one point on average, in the unit of the lengths: lengths then have four digits, as those of the
/// DIMACS files, and paths of 2^24 points fit 32 bits.
const SPACING: f64 = 1000.0;

fn make(spec: &Spec) -> Result<Graph, GraphError> {
    let nodes = spec.nodes()?;
    let drawn = delaunay::points(spec, nodes)?;
    let points: Vec<_> = curve::order(&drawn).into_iter().map(|v| drawn[v as usize]).collect();
    let mut roads = roads(&points);
    roads.sort_unstable_by(|a, b| a.partial_cmp(b).expect("distances are numbers"));
    let pairs = chosen(nodes, &roads);
    let scale = SPACING * (nodes as f64).sqrt();
    let lengths: Vec<_> = pairs.iter().map(|road| rounded(scale * road.0.sqrt())).collect();
    let pairs: Vec<_> = pairs.iter().map(|&(_, v, u)| (v, u)).collect();
    Ok(Graph::undirected_weighted(spec.text, nodes, &pairs, &lengths))
}

/// Square of its length in the unit square, and its ends.
type Road = (f64, u32, u32);

/// The edges of the triangulation.
fn roads(points: &[(f64, f64)]) -> Vec<Road> {
    let square = |v: u32, u: u32| {
        let ((x, y), (a, b)) = (points[v as usize], points[u as usize]);
        (x - a) * (x - a) + (y - b) * (y - b)
    };
    delaunay::edges(points).into_iter().map(|(v, u)| (square(v, u), v.min(u), v.max(u))).collect()
}

/// Roads of the shortest tree (Kruskal), and the first of the others. `roads` are in the order of their lengths.
fn chosen(nodes: usize, roads: &[Road]) -> Vec<Road> {
    let mut trees = Trees((0..nodes as u32).collect());
    let (mut chosen, others): (Vec<_>, Vec<_>) = roads.iter().copied().partition(|&(_, v, u)| trees.join(v, u));
    let wanted = nodes * ROADS_PER_HUNDRED / 100;
    chosen.extend(others.into_iter().take(wanted.saturating_sub(nodes - 1)));
    chosen
}

/// Sets of points that are connected: each point's way to the root of its set.
struct Trees(Vec<u32>);

impl Trees {
    fn root(&mut self, mut v: u32) -> u32 {
        while self.0[v as usize] != v {
            let above = self.0[v as usize];
            self.0[v as usize] = self.0[above as usize];
            v = above;
        }
        v
    }

    /// False if they were connected before.
    fn join(&mut self, v: u32, u: u32) -> bool {
        let (v, u) = (self.root(v), self.root(u));
        self.0[v as usize] = u;
        v != u
    }
}

/// To the next whole number, halves up; at least 1.
fn rounded(length: f64) -> u32 {
    ((length + 0.5) as u32).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph;

    /// Roads from the first crossing to the farthest one; all can be reached.
    fn levels(graph: &Graph) -> usize {
        let mut reached = vec![false; graph.nodes()];
        let mut level = vec![0];
        let mut levels = 0;
        while !level.is_empty() {
            level.retain(|&v| !std::mem::replace(&mut reached[v as usize], true));
            level =
                level.iter().flat_map(|&v| graph.neighbours(v)).copied().filter(|&u| !reached[u as usize]).collect();
            levels += 1;
        }
        assert!(reached.into_iter().all(|reached| reached), "connected");
        levels - 1
    }

    /// Few roads a crossing, no hub, in one piece, and ways of very many roads.
    #[test]
    fn is_sparse_connected_and_wide() {
        let nodes = 10_000;
        let graph = graph::open("gen:road:10000").unwrap();
        graph::tests::assert_simple_and_symmetric(&graph);
        assert_eq!(graph.edges(), 2 * 12_700);
        let degree = |v: u32| graph.neighbours(v).len();
        let two_to_four = (0..nodes).filter(|&v| (2..=4).contains(&degree(v))).count();
        assert!(two_to_four > nodes as usize * 7 / 10, "{two_to_four}");
        assert!((0..nodes).all(|v| (1..=8).contains(&degree(v))));
        assert!((200..2000).contains(&levels(&graph)), "{}", levels(&graph));
    }

    /// Against the distances of all pairs: the tree is the shortest (Prim), and lengths are rounded distances.
    #[test]
    fn lengths_are_distances_and_the_tree_is_the_shortest() {
        let nodes = 300;
        let graph = graph::open("gen:road:300:seed=6").unwrap();
        let drawn = crate::graph::generate::points::draw(nodes, 6);
        let points: Vec<_> = curve::order(&drawn).into_iter().map(|v| drawn[v as usize]).collect();
        let distance = |v: usize, u: usize| {
            let ((x, y), (a, b)) = (points[v], points[u]);
            ((x - a).powi(2) + (y - b).powi(2)).sqrt()
        };
        let lengths = graph.edge_weights().unwrap();
        for v in 0..nodes {
            for (&u, e) in graph.neighbours(v as u32).iter().zip(graph.row[v]..) {
                let exact = 1000.0 * (nodes as f64).sqrt() * distance(v, u as usize);
                assert!((lengths[e as usize] as f64 - exact).abs() <= 0.5 + 1e-6, "{v}-{u}");
            }
        }
        let (mut near, mut apart) = (vec![(f64::INFINITY, 0); nodes], vec![true; nodes]);
        near[0] = (0.0, 0);
        for _ in 0..nodes {
            let v = (0..nodes).filter(|&v| apart[v]).min_by(|&a, &b| near[a].0.total_cmp(&near[b].0)).unwrap();
            apart[v] = false;
            assert!(v == 0 || graph.neighbours(v as u32).contains(&(near[v].1 as u32)), "{v}-{}", near[v].1);
            for u in (0..nodes).filter(|&u| apart[u]) {
                let way = (distance(v, u), v);
                near[u] = if way.0 < near[u].0 { way } else { near[u] };
            }
        }
    }

    #[test]
    fn neighbours_have_near_numbers() {
        let graph = graph::open("gen:road:5000").unwrap();
        let near = |v: u32| graph.neighbours(v).iter().filter(|&&u| v.abs_diff(u) <= 32).count();
        let near: usize = (0..5000).map(near).sum();
        assert!(near * 10 > graph.edges() * 7, "{near} of {}", graph.edges());
    }
}
