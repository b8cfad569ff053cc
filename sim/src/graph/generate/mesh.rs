//! Finite-element mesh: nodes of a block of bricks, each joined with all nodes of the bricks that it is a corner of.

use super::super::csr::Graph;
use super::super::error::GraphError;
use super::{Kind, Spec};
use crate::number::whole_u64;

pub const KIND: Kind = Kind {
    name: "mesh",
    form: "gen:mesh:XxYxZ",
    description: "finite-element mesh of bricks, X x Y x Z nodes: up to 26 neighbours each; node = (x x Y + y) x Z + z",
    options: &[],
    make,
};

fn make(spec: &Spec) -> Result<Graph, GraphError> {
    bricks(spec, 1)
}

/// Each place of the mesh has so many nodes of the graph, all joined with each other and with those of the places around.
pub fn bricks(spec: &Spec, unknowns: u64) -> Result<Graph, GraphError> {
    let size = size(spec)?;
    let nodes = spec.check_nodes(size.iter().fold(unknowns, |nodes, &side| side.saturating_mul(nodes)))?;
    let (mut row, mut col) = (Vec::with_capacity(nodes + 1), Vec::with_capacity(27 * unknowns as usize * nodes));
    row.push(0);
    for v in 0..nodes as u64 {
        let place = v / unknowns;
        let at = [place / size[2] / size[1], place / size[2] % size[1], place % size[2]];
        let around = |axis: usize| at[axis].saturating_sub(1)..(at[axis] + 2).min(size[axis]);
        for x in around(0) {
            for y in around(1) {
                let line = (x * size[1] + y) * size[2];
                let around = around(2);
                let column = (line + around.start) * unknowns..(line + around.end) * unknowns;
                col.extend(column.filter(|&u| u != v).map(|u| u as u32));
            }
        }
        row.push(col.len() as u32);
    }
    Ok(Graph::from_rows(spec.text, row, col))
}

fn size(spec: &Spec) -> Result<[u64; 3], GraphError> {
    let sides: Option<Vec<u64>> = spec.size.split('x').map(|side| whole_u64(side).ok()).collect();
    let sides = sides.and_then(|sides| sides.try_into().ok());
    sides.ok_or_else(|| spec.wrong(format!("`{}` is not a size in three directions", spec.size)))
}

#[cfg(test)]
mod tests {
    use crate::graph;

    #[test]
    fn two_bricks() {
        let graph = graph::open("gen:mesh:3x2x2").unwrap();
        graph::tests::assert_simple_and_symmetric(&graph);
        assert_eq!(graph.neighbours(0), [1, 2, 3, 4, 5, 6, 7], "a corner of one brick");
        assert_eq!(graph.neighbours(5), [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11], "a corner of both");
    }

    /// Along each axis there are 3 n - 2 pairs of places that differ by at most one; a node is not its own neighbour.
    #[test]
    fn each_node_has_all_that_differ_by_at_most_one_in_each_direction() {
        let graph = graph::open("gen:mesh:5x7x4").unwrap();
        graph::tests::assert_simple_and_symmetric(&graph);
        assert_eq!((graph.nodes(), graph.edges()), (140, 13 * 19 * 10 - 140));
        let at = |v: u32| [v / 28, v / 4 % 7, v % 4];
        for v in 0..140 {
            for &u in graph.neighbours(v) {
                assert!(at(v).iter().zip(at(u)).all(|(a, b)| a.abs_diff(b) <= 1));
            }
        }
    }
}
