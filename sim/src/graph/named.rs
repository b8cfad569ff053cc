//! Nodes by the names that the graph's origin has for them.

use super::csr::Graph;

/// No node has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{graph}: no node is called `{name}`; {names}")]
pub struct NoSuchNode {
    graph: String,
    name: String,
    /// Names that there are.
    names: String,
}

impl Graph {
    /// The node of this name.
    ///
    /// # Errors
    /// There is none.
    pub fn named(&self, name: &str) -> Result<u32, NoSuchNode> {
        let missing = || NoSuchNode { graph: self.name.clone(), name: name.into(), names: self.names(name) };
        self.find(name.trim()).ok_or_else(missing)
    }

    /// The names of nodes, for a message about `name`, which is none of them.
    fn names(&self, name: &str) -> String {
        let labels: Vec<String> = (0..self.nodes() as u32).map(|node| self.label(node)).collect();
        let numbers: Option<Vec<u64>> = labels.iter().map(|label| label.parse().ok()).collect();
        let ends = numbers.as_ref().and_then(|numbers| Some((*numbers.iter().min()?, *numbers.iter().max()?)));
        match ends {
            Some((first, last)) if last - first < labels.len() as u64 => format!("nodes are called {first} to {last}"),
            Some((first, last)) => format!("{} nodes are called by numbers from {first} to {last}", labels.len()),
            None => format!("nodes have names such as `{}`{}", labels[0], spelling::hint(name, &labels)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Labels;
    use super::*;

    #[test]
    fn who_asks_for_no_node_is_told_which_there_are() {
        let mut graph = Graph::undirected("g", 3, &[(0, 1), (1, 2)]);
        for (labels, name, node, wrong, names) in [
            (Labels::From(0), "0", 0, "3", "nodes are called 0 to 2"),
            (Labels::From(1), "3", 2, "0", "nodes are called 1 to 3"),
            (Labels::Ids(vec![4, 70, 900]), "70", 1, "1", "3 nodes are called by numbers from 4 to 900"),
            (
                Labels::Names(["apt", "bash", "libc6"].map(String::from).into()),
                "libc6",
                2,
                "libc",
                "nodes have names such as `apt` (did you mean `libc6`?)",
            ),
        ] {
            graph.labels = labels;
            assert_eq!(graph.named(name), Ok(node));
            let refused = graph.named(wrong).unwrap_err().to_string();
            assert_eq!(refused, format!("g: no node is called `{wrong}`; {names}"));
            assert!(graph.named("-1").is_err());
        }
    }
}
