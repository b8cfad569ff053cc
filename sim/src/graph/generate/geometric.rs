//! Random geometric graph: points in the unit square, an edge between all that are near each other.

use super::super::csr::Graph;
use super::super::error::GraphError;
use super::{points, Kind, Spec};

pub const KIND: Kind = Kind {
    name: "geometric",
    form: "gen:geometric:NODES[:radius=R | :degree=D][:seed=N]",
    description: "random points in the unit square, numbered as drawn, with an edge up to distance R, or so that D (16) neighbours are expected; seed 1 if not given",
    options: &["radius", "degree", "seed"],
    make,
};

/// Above the diagonal of the square nothing changes.
const MAX_RADIUS: f64 = 1.5;

fn make(spec: &Spec) -> Result<Graph, GraphError> {
    let nodes = spec.nodes()?;
    let radius = radius(spec, nodes)?;
    let in_reach = (std::f64::consts::PI * radius * radius).min(1.0) * nodes as f64;
    spec.check_edges((in_reach * nodes as f64) as u64)?;
    let points = points::draw(nodes, spec.seed()?);
    let mut graph = Graph::undirected(spec.text, nodes, &near_pairs(&points, radius));
    graph.source = (0..nodes as u32).find(|&v| !graph.neighbours(v).is_empty()).unwrap_or(0);
    Ok(graph)
}

/// A circle of this radius holds `degree` of all points on average (fewer where the border cuts it).
fn radius(spec: &Spec, nodes: usize) -> Result<f64, GraphError> {
    let Some(value) = spec.option("radius") else {
        let degree = spec.number("degree", 1, 16)? as f64;
        return Ok((degree / (std::f64::consts::PI * nodes as f64)).sqrt().min(MAX_RADIUS));
    };
    if spec.option("degree").is_some() {
        return Err(spec.wrong("both `radius` and `degree` are given".into()));
    }
    let radius = value.parse().ok().filter(|&radius: &f64| radius > 0.0 && radius <= MAX_RADIUS);
    radius.ok_or_else(|| spec.wrong(format!("radius `{value}` is not a number above 0 and up to {MAX_RADIUS}")))
}

/// Square cells at least as wide as the radius: what is near lies in the same cell or in one of the eight around it.
struct Cells {
    /// Cells a side.
    side: usize,
    /// The points of cell `i` are `points[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    points: Vec<u32>,
}

impl Cells {
    fn new(points: &[(f64, f64)], radius: f64) -> Cells {
        // No finer than about one point a cell, however small the radius.
        let finest = (points.len() as f64).sqrt() as usize;
        let side = ((1.0 / radius) as usize).min(finest).max(1);
        let edges: Vec<_> = points.iter().zip(0..).map(|(&point, v)| (Self::index(side, point) as u32, v)).collect();
        let sorted = Graph::from_edges("", side * side, &edges);
        Cells { side, first: sorted.row, points: sorted.col }
    }

    fn place(side: usize, coordinate: f64) -> usize {
        ((coordinate * side as f64) as usize).min(side - 1)
    }

    fn index(side: usize, (x, y): (f64, f64)) -> usize {
        Self::place(side, y) * side + Self::place(side, x)
    }

    /// The points of the cells around that of a point, its own included.
    fn around(&self, (x, y): (f64, f64)) -> impl Iterator<Item = u32> + '_ {
        let span = |place: usize| place.saturating_sub(1)..=(place + 1).min(self.side - 1);
        let (columns, rows) = (span(Self::place(self.side, x)), span(Self::place(self.side, y)));
        rows.flat_map(move |row| {
            let (begin, end) = (row * self.side + columns.start(), row * self.side + columns.end());
            &self.points[self.first[begin] as usize..self.first[end + 1] as usize]
        })
        .copied()
    }
}

/// Each pair once.
fn near_pairs(points: &[(f64, f64)], radius: f64) -> Vec<(u32, u32)> {
    let cells = Cells::new(points, radius);
    let mut pairs = Vec::new();
    // In the order of the cells, so that the neighbours' coordinates are at hand.
    for &v in &cells.points {
        let (x, y) = points[v as usize];
        pairs.extend(cells.around((x, y)).filter(|&u| v < u).filter_map(|u| {
            let (dx, dy) = (points[u as usize].0 - x, points[u as usize].1 - y);
            (dx * dx + dy * dy <= radius * radius).then_some((v, u))
        }));
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph;

    /// Against all pairs.
    #[test]
    fn edges_are_the_pairs_within_the_radius() {
        for (count, radius) in [(700, 0.07), (700, 0.001), (60, 0.4), (30, 1.5), (900, 0.031)] {
            let graph = graph::open(&format!("gen:geometric:{count}:radius={radius}:seed=4"));
            let points = points::draw(count, 4);
            let near = |v: usize, u: usize| (points[v].0 - points[u].0).powi(2) + (points[v].1 - points[u].1).powi(2);
            let all = (0..count).flat_map(|v| (0..count).map(move |u| (v, u)));
            let expected: Vec<_> = all.filter(|&(v, u)| v != u && near(v, u) <= radius * radius).collect();
            let Ok(graph) = graph else { panic!("{count} {radius}: {expected:?}") };
            let found: Vec<_> =
                (0..count).flat_map(|v| graph.neighbours(v as u32).iter().map(move |&u| (v, u as usize))).collect();
            assert_eq!(found, expected, "{count} points, radius {radius}");
        }
    }

    #[test]
    fn degree_is_what_to_expect_inside() {
        let graph = graph::open("gen:geometric:20000:degree=9").unwrap();
        graph::tests::assert_simple_and_symmetric(&graph);
        let mean = graph.edges() as f64 / graph.nodes() as f64;
        assert!((8.5..9.1).contains(&mean), "{mean}");
    }

    #[test]
    fn delaunay_and_geometric_share_their_points() {
        // Each point's nearest neighbour is a Delaunay neighbour.
        let (near, mesh) = (graph::open("gen:geometric:2000").unwrap(), graph::open("gen:delaunay:2000").unwrap());
        let points = points::draw(2000, 1);
        for v in (0..2000).filter(|&v| !near.neighbours(v).is_empty()) {
            let distance = |u: &&u32| {
                let (dx, dy) =
                    (points[**u as usize].0 - points[v as usize].0, points[**u as usize].1 - points[v as usize].1);
                dx * dx + dy * dy
            };
            let nearest = near.neighbours(v).iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap();
            assert!(mesh.neighbours(v).contains(nearest), "{v}-{nearest}");
        }
    }
}
