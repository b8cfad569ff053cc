//! Open Graph Benchmark: beside `edge.csv` lies `num-node-list.csv` with the number of nodes, which are called from 0.

use super::found::Found;
use super::unpack;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;
use crate::graph::limits::MAX_NODES;
use std::path::Path;

/// Nodes without edges are nodes as well, if the file is one of these.
pub fn complete(path: &str, found: &mut Found) -> Result<(), GraphError> {
    let Labels::Ids(ids) = &found.labels else { return Ok(()) };
    let (Some(counts), Some(largest)) = (beside(path), ids.last()) else { return Ok(()) };
    let error = |what: String| GraphError::File { path: counts.clone(), what, remedy: "correct the number of nodes" };
    let text = unpack::read(&counts)?.bytes;
    let nodes = std::str::from_utf8(&text).ok().and_then(|text| text.trim().parse::<u64>().ok());
    let nodes = nodes.ok_or_else(|| error("not the number of nodes of one graph".into()))?;
    if nodes > MAX_NODES {
        return Err(GraphError::TooManyNodes { place: counts, nodes });
    }
    if *largest >= nodes {
        return Err(error(format!("{nodes} nodes, but an edge has node {largest}")));
    }
    let number = |node: u32| ids[node as usize] as u32;
    found.pairs.iter_mut().for_each(|(v, u)| (*v, *u) = (number(*v), number(*u)));
    (found.nodes, found.labels) = (nodes as usize, Labels::From(0));
    Ok(())
}

fn beside(path: &str) -> Option<String> {
    let path = Path::new(path);
    let name = path.file_name()?.to_str()?;
    let ending = name.strip_prefix("edge.csv")?;
    let counts = path.with_file_name(format!("num-node-list.csv{ending}"));
    counts.is_file().then(|| counts.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use crate::graph;

    #[test]
    fn nodes_without_edges_count() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        let open = || graph::open(folder.path().join("edge.csv").to_str().unwrap());
        file("edge.csv", "0,2\n2,3\n");
        assert_eq!(open().unwrap().nodes(), 3);
        file("num-node-list.csv", "5\n");
        let graph = open().unwrap();
        assert_eq!((graph.nodes(), graph.neighbours(2), graph.label(4).as_str()), (5, &[0, 3][..], "4"));
        file("num-node-list.csv", "3\n");
        assert!(open().unwrap_err().to_string().contains("num-node-list.csv: 3 nodes, but an edge has node 3"));
    }
}
