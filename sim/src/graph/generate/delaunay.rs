//! Delaunay triangulation of random points in the unit square: planar, about six neighbours a node.
//!
//! The triangulation is the crate `delaunator`'s. It uses no operation that IEEE 754 leaves open and no hashing by
//! address or time, so it is the same everywhere; points in general position have one triangulation anyway.

use super::super::csr::Graph;
use super::super::error::GraphError;
use super::{curve, points, Kind, Spec};
use delaunator::{next_halfedge, triangulate, Point, EMPTY};

pub const KIND: Kind = Kind {
    name: "delaunay",
    form: "gen:delaunay:NODES[:order=drawn|local][:seed=N]",
    description: "Delaunay triangulation of random points in the unit square, numbered as drawn, or local: three quarters of them, and of the rest again, each along a curve that fills the square",
    options: &["order", "seed"],
    make,
};

fn make(spec: &Spec) -> Result<Graph, GraphError> {
    let nodes = spec.nodes()?;
    let mut points = points(spec, nodes)?;
    match spec.option("order") {
        None | Some("drawn") => {}
        Some("local") => points = in_rounds(&points),
        Some(other) => return Err(spec.wrong(format!("order `{other}` is neither drawn nor local"))),
    }
    Ok(Graph::undirected(spec.text, nodes, &edges(&points)))
}

/// Points are no longer shared out by rounds below this number.
const LEAST_ROUND: usize = 64;

/// The order in which programs insert points into a triangulation: the last three quarters of them in a row along a curve,
/// before them three quarters of the others, and so on. delaunay_n15 has half of its edges within 32 numbers, and four in
/// ten between rounds; this order has the same.
fn in_rounds(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut rounds = Vec::new();
    let mut rest = points;
    while !rest.is_empty() {
        let (before, round) = rest.split_at(if rest.len() < LEAST_ROUND { 0 } else { rest.len() / 4 });
        rounds.push(curve::order(round).into_iter().map(|v| round[v as usize]).collect::<Vec<_>>());
        rest = before;
    }
    rounds.reverse();
    rounds.concat()
}

/// As many as a triangulation needs, at least.
pub fn points(spec: &Spec, nodes: usize) -> Result<Vec<(f64, f64)>, GraphError> {
    if nodes < 3 {
        return Err(spec.wrong("a triangulation needs at least 3 points".into()));
    }
    Ok(points::draw(nodes, spec.seed()?))
}

/// Each edge of the triangulation once.
pub fn edges(points: &[(f64, f64)]) -> Vec<(u32, u32)> {
    let points: Vec<_> = points.iter().map(|&(x, y)| Point { x, y }).collect();
    let made = triangulate(&points);
    let has_edge = |&half: &usize| made.halfedges[half] == EMPTY || half < made.halfedges[half];
    let ends = |half| (made.triangles[half] as u32, made.triangles[next_halfedge(half)] as u32);
    (0..made.triangles.len()).filter(has_edge).map(ends).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph;

    #[test]
    fn is_planar_connected_and_symmetric() {
        let nodes = 20_000;
        let graph = graph::open(&format!("gen:delaunay:{nodes}")).unwrap();
        graph::tests::assert_simple_and_symmetric(&graph);
        let undirected = graph.edges() / 2;
        assert!(undirected <= 3 * nodes - 6, "planar: {undirected}");
        assert!(undirected >= 3 * nodes - 3 - nodes / 100, "3n - 3 less the corners of the convex hull: {undirected}");
        assert!((0..nodes as u32).all(|v| graph.neighbours(v).len() >= 2));
        let (mut reached, mut stack) = (vec![false; nodes], vec![0]);
        while let Some(v) = stack.pop() {
            if !std::mem::replace(&mut reached[v as usize], true) {
                stack.extend(graph.neighbours(v));
            }
        }
        assert!(reached.into_iter().all(|reached| reached), "connected");
    }

    /// An edge is Delaunay's if some circle through its ends holds no point. For an edge with the two triangles (v, u, a)
    /// and (v, u, b), their circumcircles are such: no point lies in them.
    #[test]
    fn circumcircles_are_empty() {
        let points = points::draw(1500, 7);
        let graph = graph::open("gen:delaunay:1500:seed=7").unwrap();
        let mut checked = 0;
        for v in (0..1500).step_by(29) {
            for &u in graph.neighbours(v) {
                let common = graph.neighbours(v).iter().filter(|a| graph.neighbours(u).contains(a));
                let empty = common.filter(|&&a| circle_is_empty(&points, [v, u, a])).count();
                assert!((1..=2).contains(&empty), "edge {v}-{u} has {empty} triangles");
                checked += empty;
            }
        }
        assert!(checked > 500);
    }

    /// Both orders number one graph: as many edges, and as many nodes of each degree.
    #[test]
    fn local_numbers_change_where_neighbours_are_and_nothing_else() {
        let [drawn, local] = ["drawn", "local"].map(|order| {
            let graph = graph::open(&format!("gen:delaunay:8000:order={order}")).unwrap();
            graph::tests::assert_simple_and_symmetric(&graph);
            let mut degrees: Vec<_> = (0..8000).map(|v| graph.neighbours(v).len()).collect();
            degrees.sort_unstable();
            (degrees, graph::tests::local_share(&graph))
        });
        assert_eq!(drawn.0, local.0);
        assert!(drawn.1 < 0.02 && (0.49..0.55).contains(&local.1), "{} and {}", drawn.1, local.1);
    }

    fn circle_is_empty(points: &[(f64, f64)], corners: [u32; 3]) -> bool {
        let [(ax, ay), (bx, by), (cx, cy)] = corners.map(|v| points[v as usize]);
        let (bx, by, cx, cy) = (bx - ax, by - ay, cx - ax, cy - ay);
        let (b2, c2, d) = (bx * bx + by * by, cx * cx + cy * cy, 2.0 * (bx * cy - by * cx));
        let (x, y) = ((cy * b2 - by * c2) / d, (bx * c2 - cx * b2) / d);
        let inside = |&(px, py): &(f64, f64)| (px - ax - x).hypot(py - ay - y) < x.hypot(y) * (1.0 - 1e-9);
        !points.iter().any(inside)
    }
}
