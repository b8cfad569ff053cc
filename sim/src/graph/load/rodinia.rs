//! The text of Rodinia's search: the number of nodes, the first edge and the number of edges of each, the node to start from, the number of edges, the target
//! and the length of each. Nodes are called from 0.

use super::found::Found;
use super::length::FoundLengths;
use super::lines::Text;
use super::Asked;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;

pub fn read(text: Text, asked: Asked) -> Result<Found, GraphError> {
    let mut words = text.words(&[]);
    let nodes = words.node_count()?;
    let (mut degrees, mut edges) = (Vec::new(), 0u64);
    for node in 0..nodes {
        let start = words.number("the first edge of a node")?;
        if start != edges {
            let what = format!("the edges of node {node} begin at {start}, not at {edges}");
            return Err(words.line.error(what, "let the edges of each node follow those of the one before"));
        }
        degrees.push(words.number("the number of edges of a node")?);
        edges = edges.saturating_add(degrees[node as usize]);
    }
    let source = words.node("the node to start from", 0, nodes)?;
    let promised = words.number("the number of edges")?;
    if promised != edges {
        let what = format!("{promised} edges, but the nodes have {edges}");
        return Err(words.line.error(what, "fetch the file again or correct the count"));
    }
    let mut found = Found::new(nodes, Labels::From(0), FoundLengths::of_first(asked.lengths));
    for (node, degree) in degrees.into_iter().enumerate() {
        for _ in 0..degree {
            found.pairs.push((node as u32, words.node("the target", 0, nodes)?));
            let length = words.next();
            found.lengths.push((&words.line).into(), length);
            if length.is_none() {
                return Err(words.line.error("the last edge has no length".into(), "fetch the file again"));
            }
        }
    }
    words.end()?;
    found.source = Some(source);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edges, open, open_as};

    const TEXT: &str = "4\n0 1\n1 2\n3 1\n4 0\n\n1\n\n4\n1 5\n0 5\n2 7\n1 7\n";

    #[test]
    fn the_text_of_rodinia() {
        let graph = open("graph.txt", TEXT).unwrap();
        assert_eq!(edges(&graph), [("0", "1", 5), ("1", "2", 7)]);
        assert_eq!((graph.nodes(), graph.source, graph.label(3).as_str()), (4, 1, "3"));
        assert_eq!(graph.origin.unwrap().format.name(), "rodinia");
    }

    #[test]
    fn what_is_refused() {
        let wrong =
            |from: &str, to: &str| open_as("g.txt", &TEXT.replacen(from, to, 1), "rodinia").unwrap_err().to_string();
        assert!(wrong("1 2\n", "2 2\n").contains("g.txt:3: the edges of node 1 begin at 2, not at 1"));
        assert!(wrong("\n4\n1", "\n5\n1").contains("g.txt:9: 5 edges, but the nodes have 4"));
        assert!(wrong("\n1\n\n", "\n4\n\n").contains("g.txt:7: edge out of range: the node to start from is 4"));
        assert!(wrong("1 7\n", "1 7 7\n").contains("g.txt:13: more words than the counts"));
        assert!(wrong("1 7\n", "").contains("the file ends before the target"));
    }
}
