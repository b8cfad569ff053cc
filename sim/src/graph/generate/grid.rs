//! Grid: the graph of the five-point stencil.

use super::super::csr::Graph;
use super::super::error::GraphError;
use super::{Kind, Spec};
use crate::number::whole_u64;

pub const KIND: Kind = Kind {
    name: "grid",
    form: "gen:grid:ROWSxCOLS",
    description:
        "five-point grid: each node has an edge to those above, left, right and below; node = row x COLS + column",
    options: &[],
    make,
};

fn make(spec: &Spec) -> Result<Graph, GraphError> {
    let (rows, columns) = size(spec)?;
    let nodes = spec.check_nodes(rows.saturating_mul(columns))?;
    let (rows, columns) = (rows as usize, columns as usize);
    let (mut row, mut col) = (Vec::with_capacity(nodes + 1), Vec::with_capacity(4 * nodes));
    row.push(0);
    for v in 0..nodes {
        let (r, c) = (v / columns, v % columns);
        let neighbours = [
            (r > 0, v.wrapping_sub(columns)),
            (c > 0, v.wrapping_sub(1)),
            (c + 1 < columns, v + 1),
            (r + 1 < rows, v + columns),
        ];
        col.extend(neighbours.iter().filter(|(exists, _)| *exists).map(|&(_, u)| u as u32));
        row.push(col.len() as u32);
    }
    Ok(Graph::from_rows(spec.text, row, col))
}

fn size(spec: &Spec) -> Result<(u64, u64), GraphError> {
    let parsed = spec.size.split_once('x').and_then(|(r, c)| Some((whole_u64(r).ok()?, whole_u64(c).ok()?)));
    parsed.ok_or_else(|| spec.wrong(format!("`{}` is not a size in rows and columns", spec.size)))
}

#[cfg(test)]
mod tests {
    use crate::graph;

    #[test]
    fn three_by_four() {
        let graph = graph::open("gen:grid:3x4").unwrap();
        assert_eq!((graph.nodes(), graph.edges()), (12, 2 * (3 * 3 + 2 * 4)));
        assert_eq!(graph.neighbours(0), [1, 4]);
        assert_eq!(graph.neighbours(5), [1, 4, 6, 9]);
        assert_eq!(graph.neighbours(7), [3, 6, 11]);
        assert_eq!(graph.neighbours(11), [7, 10]);
        graph::tests::assert_simple_and_symmetric(&graph);
    }

    /// Distance from the corner is row plus column: the diameter that makes grids hard for worklists.
    #[test]
    fn neighbours_differ_by_one_in_one_direction() {
        let graph = graph::open("gen:grid:37x23").unwrap();
        assert_eq!(graph.edges(), 2 * (36 * 23 + 37 * 22));
        for v in 0..graph.nodes() as u32 {
            for &u in graph.neighbours(v) {
                assert_eq!((v / 23).abs_diff(u / 23) + (v % 23).abs_diff(u % 23), 1);
            }
        }
    }

    #[test]
    fn one_row_is_a_path() {
        let graph = graph::open("gen:grid:1x5").unwrap();
        assert_eq!(graph.col, [1, 0, 2, 1, 3, 2, 4, 3]);
    }
}
