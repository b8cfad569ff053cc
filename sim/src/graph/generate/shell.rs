//! Shell structure: a finite-element mesh of bricks, few layers thick, with two unknowns at each of its nodes. The class of
//! msdoor in the IRU's Table 3: 415,863 unknowns with 48.7 neighbours on average.

use super::super::csr::Graph;
use super::super::error::GraphError;
use super::{mesh, Kind, Spec};

pub const KIND: Kind = Kind {
    name: "shell",
    form: "gen:shell:XxYxZ",
    description: "finite-element mesh of bricks with two unknowns at each of X x Y x Z places, up to 53 neighbours each; few places in Z make a shell; node = 2 x ((x x Y + y) x Z + z) + (0 or 1)",
    options: &[],
    make,
};

/// Unknowns of a place: they have the same neighbours, and each other.
const UNKNOWNS: u64 = 2;

fn make(spec: &Spec) -> Result<Graph, GraphError> {
    mesh::bricks(spec, UNKNOWNS)
}

#[cfg(test)]
mod tests {
    use crate::graph;

    #[test]
    fn rows_are_equal_in_pairs() {
        let graph = graph::open("gen:shell:5x4x3").unwrap();
        graph::tests::assert_simple_and_symmetric(&graph);
        let mesh = graph::open("gen:mesh:5x4x3").unwrap();
        assert_eq!(graph.nodes(), 2 * mesh.nodes());
        for place in 0..mesh.nodes() as u32 {
            let mut around = mesh.neighbours(place).to_vec();
            around.push(place);
            around.sort_unstable();
            let unknowns: Vec<_> = around.iter().flat_map(|&p| [2 * p, 2 * p + 1]).collect();
            for v in [2 * place, 2 * place + 1] {
                assert!(graph.neighbours(v).iter().eq(unknowns.iter().filter(|&&u| u != v)), "{v}");
            }
        }
    }

    /// msdoor has 48.7.
    #[test]
    fn eight_places_thick_it_has_the_degree_of_its_class() {
        let graph = graph::open("gen:shell:40x40x8").unwrap();
        let mean = graph.edges() as f64 / graph.nodes() as f64;
        assert!((46.0..49.0).contains(&mean), "{mean}");
        let share = graph::tests::local_share(&graph);
        assert!((0.3..0.4).contains(&share), "a third lies in the column of the node and in those beside it: {share}");
        assert_eq!((0..graph.nodes() as u32).map(|v| graph.neighbours(v).len()).max(), Some(53));
    }
}
