//! networkx's adjacency list: a node and its neighbours a line, no lengths; `#` starts a comment.

use super::found::Found;
use super::length::FoundLengths;
use super::lines::Text;
use super::names::Names;
use super::Asked;
use crate::graph::error::GraphError;
use crate::graph::shown::shown;
use std::collections::BTreeSet;

const REMEDY: &str = "give each node a line of its own";

pub fn read(text: Text, asked: Asked) -> Result<Found, GraphError> {
    let (mut names, mut has_line, mut pairs) = (Names::default(), Vec::new(), Vec::new());
    let mut counts = BTreeSet::new();
    let mut is_counted = false;
    for mut line in text.rows(&['#']) {
        let head = line.words.next().expect("a line that is not blank");
        let node = names.node((&line).into(), head)?;
        has_line.resize(names.len().max(has_line.len()), false);
        if std::mem::replace(&mut has_line[node as usize], true) {
            return Err(line.error(format!("a second line of node `{}`", shown(head)), REMEDY));
        }
        let before = pairs.len();
        while let Some(word) = line.words.next() {
            pairs.push((node, names.node((&line).into(), word)?));
        }
        let neighbours = pairs.len() - before;
        match has_line.len() {
            1 if neighbours == 0 && head.parse::<u64>().is_ok() => is_counted = true,
            _ => _ = counts.insert(neighbours),
        }
    }
    // A line of two words is an edge as well, and one of three has a length; the number of nodes may stand before them.
    let may_be_edges = counts.len() == 1 && (counts.contains(&1) || is_counted && counts.contains(&2));
    // networkx writes a line for every node.
    let whole = has_line.len() == names.len() && has_line.iter().all(|has_line| *has_line);
    if !asked.named && !whole {
        return Err(text.error("not an adjacency list: there are nodes without a line".into(), REMEDY));
    }
    if !asked.named && may_be_edges {
        return Err(
            text.error("the lines may be edges as well".into(), "say --graph-format adjacency-list if they are none")
        );
    }
    let mut found = Found::new(names.len() as u64, names.labels(), FoundLengths::of_first(asked.lengths));
    found.pairs = pairs;
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{message, open, open_as};

    #[test]
    fn a_line_for_each_node() {
        for text in ["#w.py\n# GMT Sat\n# \n0 1 2\n1 3\n2\n3\n4\n", "a b c\nb d\nc\nd\ne\n"] {
            let graph = open("a.txt", text).unwrap();
            assert_eq!([0, 1, 2, 3, 4].map(|v| graph.neighbours(v).len()), [2, 2, 1, 1, 0], "{text}");
            assert_eq!(graph.origin.unwrap().format.name(), "adjacency-list");
        }
    }

    #[test]
    fn what_may_be_something_else() {
        let text = "0 1 2\n1 2 0\n2 0 1\n";
        assert!(message("a.txt", text).contains("fits several formats: adjacency-list, edge-list; name the right one"));
        for text in ["10\n1 2\n2 3\n3 1\n", "4\n0 1\n1 2\n2 0\n", "10\n1 2 3\n2 3 1\n3 1 2\n"] {
            assert!(message("a.txt", text).starts_with("a.txt:1: one number, which may count the nodes or be a node"));
            assert!(
                message("a.adjlist", text).starts_with("a.adjlist: the lines may be edges as well; say --graph-format")
            );
            assert!(open_as("a.txt", text, "adjacency-list").is_ok());
        }
        assert_eq!(open("a.txt", "a\nb c\nc b\n").unwrap().nodes(), 3, "a name counts nothing");
        assert_eq!(open("a.adjlist", text).unwrap().edges(), 6);
        assert_eq!(open_as("a.txt", "1 2 3\n", "adjacency-list").unwrap().edges(), 4);
        assert!(open_as("a", "1 2\n1 3\n", "adjacency-list")
            .unwrap_err()
            .to_string()
            .contains("a:2: a second line of node `1`"));
    }
}
