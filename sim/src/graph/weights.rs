//! Lengths of edges, for shortest paths and spanning trees.

use super::csr::{Graph, Weights};
use super::error::GraphError;
use super::options::Lengths;

/// Lengths that are not in a file go from 1 to this.
pub const MAX_HASHED: u32 = 255;

impl Graph {
    /// A length for each entry of `col`: the origin's, or a hash of the undirected edge, 1 to [`MAX_HASHED`].
    ///
    /// # Errors
    /// The first line of the file with a length that cannot be used.
    pub fn edge_weights(&self) -> Result<Vec<u32>, GraphError> {
        let edges = |v| self.neighbours(v).iter().map(move |&u| hashed(v, u));
        match &self.weights {
            Weights::Hashed => Ok((0..self.nodes() as u32).flat_map(edges).collect()),
            Weights::Given(weights) => Ok(weights.clone()),
            Weights::Unusable(error) => Err(error.clone()),
        }
    }

    /// Where [`Graph::edge_weights`] come from, for people to read.
    pub fn weights_origin(&self) -> String {
        let asked = self.origin.as_ref().map(|origin| origin.lengths);
        match (&self.weights, asked) {
            (Weights::Hashed, Some(Lengths::Hash)) => format!("hashed, 1 to {MAX_HASHED}, whatever the file has"),
            (Weights::Hashed, _) => format!("hashed, 1 to {MAX_HASHED}"),
            (Weights::Given(_), None) => "of the generator".into(),
            (_, Some(Lengths::Scale(factor))) => format!("of the file, times {factor}, rounded"),
            (Weights::Given(_) | Weights::Unusable(_), _) => "of the file".into(),
        }
    }
}

/// Length of an edge, equal in both directions; the mixing function is splitmix64's.
fn hashed(v: u32, u: u32) -> u32 {
    let edge = (v.min(u) as u64) << 32 | v.max(u) as u64;
    let z = (edge ^ edge >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    1 + ((z ^ z >> 31) % MAX_HASHED as u64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph;

    #[test]
    fn a_generator_may_give_the_lengths() {
        assert_eq!(graph::open("gen:road:9").unwrap().weights_origin(), "of the generator");
        assert_eq!(graph::open("gen:grid:3x3").unwrap().weights_origin(), "hashed, 1 to 255");
    }

    #[test]
    fn hashed_weights_are_spread_and_the_same_in_both_directions() {
        let graph = graph::open("gen:uniform:5000").unwrap();
        let weights = graph.edge_weights().unwrap();
        let mut counts = [0; MAX_HASHED as usize + 1];
        for v in 0..graph.nodes() as u32 {
            for (&u, e) in graph.neighbours(v).iter().zip(graph.row[v as usize]..) {
                assert_eq!(weights[e as usize], hashed(u, v));
                counts[weights[e as usize] as usize] += 1;
            }
        }
        let mean = graph.edges() / MAX_HASHED as usize;
        assert_eq!(counts[0], 0);
        assert!(counts[1..].iter().all(|count| (mean / 2..2 * mean).contains(count)), "{counts:?}");
    }
}
