//! Ligra: `AdjacencyGraph` or `WeightedAdjacencyGraph`, the numbers of nodes and edges, the first edge of each node, the target of each edge, and the
//! length of each if they have lengths. Nodes are called from 0.

use super::found::Found;
use super::length::FoundLengths;
use super::lines::Text;
use super::rows::pairs;
use super::Asked;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;

pub const PLAIN: &str = "AdjacencyGraph";
pub const WEIGHTED: &str = "WeightedAdjacencyGraph";

pub fn read(text: Text, asked: Asked) -> Result<Found, GraphError> {
    let mut words = text.words(&[]);
    let has_lengths = match words.next() {
        Some(PLAIN) => false,
        Some(WEIGHTED) => true,
        _ => return Err(words.line.error("not Ligra's first word".into(), "start with AdjacencyGraph")),
    };
    let header = words.line.number;
    let nodes = words.node_count()?;
    let edges = words.number("the number of edges")?;
    let mut starts = Vec::new();
    for _ in 0..nodes {
        starts.push(words.number("the first edge of a node")?);
    }
    starts.push(edges);
    let mut targets = Vec::new();
    for _ in 0..edges {
        targets.push(words.node("a target", 0, nodes)?);
    }
    let mut found = Found::new(nodes, Labels::From(0), FoundLengths::of_header(asked.lengths, header, has_lengths));
    for _ in 0..edges {
        let length = if has_lengths { words.next() } else { None };
        found.lengths.push((&words.line).into(), length);
        if has_lengths && length.is_none() {
            return Err(words.line.error("the file ends before the last length".into(), "fetch the file again"));
        }
    }
    words.end()?;
    found.pairs = pairs(text.path, &starts, &targets)?;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edges, open, refuses};

    #[test]
    fn with_and_without_lengths() {
        let graph = open("a.adj", "AdjacencyGraph\n3\n4\n0\n1\n3\n1\n0\n2\n1\n").unwrap();
        assert_eq!((graph.nodes(), graph.edges(), graph.neighbours(1)), (3, 4, &[0, 2][..]));
        let graph = open("a", "WeightedAdjacencyGraph\n4\n2\n0\n1\n1\n2\n1\n3\n5\n7\n").unwrap();
        assert_eq!(edges(&graph), [("0", "1", 5), ("2", "3", 7)]);
    }

    #[test]
    fn what_is_refused() {
        let cases = [
            ("AdjacencyGraph\n2\n2\n0\n1\n1\n", "a.adj:6: the file ends before a target"),
            ("AdjacencyGraph\n2\n2\n0\n1\n1\n0\n7\n", "a.adj:8: more words than the counts"),
            ("AdjacencyGraph\n2\n2\n0\n1\n1\n2\n", "a.adj:7: edge out of range: a target is 2"),
            ("AdjacencyGraph\n2\n2\n1\n1\n1\n0\n", "a.adj: the edges of node 0 begin at 1"),
            ("AdjacencyGraph\n2\n2\n0\n3\n1\n0\n", "a.adj: the edges of node 0 begin at 0 and end at 3, of 2"),
            ("WeightedAdjacencyGraph\n2\n1\n0\n1\n1\n", "a.adj:6: the file ends before the last length"),
        ];
        refuses("a.adj", &cases);
    }
}
