//! Compressed rows: the targets of all edges, and where those of each node begin.

use crate::graph::error::GraphError;

/// Each edge as a pair. `starts` has one more entry than there are nodes; targets are nodes.
pub fn pairs(path: &str, starts: &[u64], targets: &[u32]) -> Result<Vec<(u32, u32)>, GraphError> {
    let mut pairs = Vec::with_capacity(targets.len());
    for (node, ends) in starts.windows(2).enumerate() {
        let whole = ends[0] == pairs.len() as u64 && (ends[0]..=targets.len() as u64).contains(&ends[1]);
        if !whole {
            return Err(GraphError::File {
                path: path.into(),
                what: format!(
                    "the edges of node {node} begin at {} and end at {}, of {}",
                    ends[0],
                    ends[1],
                    targets.len()
                ),
                remedy: "fetch the file again",
            });
        }
        pairs.extend(targets[ends[0] as usize..ends[1] as usize].iter().map(|&target| (node as u32, target)));
    }
    match pairs.len() == targets.len() {
        true => Ok(pairs),
        false => Err(GraphError::File {
            path: path.into(),
            what: format!("{} edges, but the nodes have {}", targets.len(), pairs.len()),
            remedy: "fetch the file again",
        }),
    }
}
