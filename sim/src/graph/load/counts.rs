//! Edge lists whose first line has counts: `nodes edges`, `nodes edges` and a third word, or `nodes nodes edges`. Nodes are called from 0 or from 1.

use super::columns::{Columns, Separator, COMMENTS};
use super::found::Found;
use super::length::FoundLengths;
use super::lines::{Line, Text};
use super::Asked;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;

const REMEDY: &str = "correct the counts, or fetch the file again";

/// The meaning of a first line that counts.
pub struct Counts {
    nodes: u64,
    edges: u64,
}

impl Counts {
    /// All that the words may mean.
    fn of(words: &[u64]) -> Vec<Counts> {
        match *words {
            [nodes, edges] => vec![Counts { nodes, edges }],
            [nodes, again, edges] if nodes == again && again != edges => {
                vec![Counts { nodes, edges }, Counts { nodes, edges: again }]
            }
            [nodes, edges, _] => vec![Counts { nodes, edges }],
            _ => Vec::new(),
        }
    }

    /// An edge may be counted or named once for each direction, if it is certain that the line counts.
    fn fits(&self, named: &[(u64, u64)]) -> bool {
        let lines = named.len() as u64;
        let twice = [lines.checked_mul(2), lines.is_multiple_of(2).then_some(lines / 2)];
        let counted = self.edges == lines || self.is_certain() && twice.contains(&Some(self.edges));
        counted && self.has_room(named)
    }

    /// There are as many nodes as the edges name.
    fn has_room(&self, named: &[(u64, u64)]) -> bool {
        let largest = named.iter().map(|&(v, u)| v.max(u)).max().unwrap_or(0);
        let zero = named.iter().any(|&(v, u)| v == 0 || u == 0);
        largest.saturating_add(zero.into()) <= self.nodes
    }

    /// As an edge the line would lead to a number that is no node.
    fn is_certain(&self) -> bool {
        self.edges > self.nodes
    }

    /// An error if the first line counts nodes and edges beyond doubt, or may count edges of which some do not follow.
    pub fn refuse_evident(first: &Line, named: &[(u64, u64)]) -> Result<(), GraphError> {
        let words: Option<Vec<u64>> =
            first.text.split_ascii_whitespace().take(4).map(|word| word.parse().ok()).collect();
        let counts = words.map_or_else(Vec::new, |words| Counts::of(&words));
        let evident = |counts: &Counts| named.len() > 1 && counts.is_certain() && counts.fits(&named[1..]);
        let lines = named.len().saturating_sub(1) as u64;
        let cut =
            |counts: &Counts| lines > 1 && lines < counts.edges && counts.is_certain() && counts.has_room(&named[1..]);
        if let Some(Counts { nodes, edges }) = counts.iter().find(|counts| evident(counts)) {
            return Err(first.error(format!("the line counts {nodes} nodes and {edges} edges"), "leave it out"));
        }
        match counts.iter().find(|counts| cut(counts)) {
            None => Ok(()),
            Some(Counts { nodes, edges }) => Err(first.error(
                format!("an edge, or {nodes} nodes and {edges} edges, of which {lines} follow"),
                "say --graph-format edge-list if it is an edge, or fetch the file again",
            )),
        }
    }
}

pub fn read(text: Text, asked: Asked) -> Result<Found, GraphError> {
    let mut rows = text.rows(COMMENTS);
    let Some(first) = rows.next() else { return Err(GraphError::Empty { place: text.path.into() }) };
    let mut words = first.clone();
    let mut counts = vec![words.node_count("the number of nodes")?, words.number("the number of edges")?];
    if words.words.clone().next().is_some() {
        counts.push(words.number("the third count")?);
    }
    words.end()?;
    let mut rows = rows.peekable();
    let Some(second) = rows.peek() else { return Err(first.error("no edge follows".into(), REMEDY)) };
    let columns = Columns::of(second, Separator::of(second));
    if columns.count() > 4 {
        return Err(second.error("more than two nodes, a length and a time".into(), REMEDY));
    }
    let mut lengths = FoundLengths::of_first(asked.lengths);
    let mut named = Vec::new();
    for line in rows {
        let row = columns.row(&line)?;
        named.push((line.whole(row.ends[0], "the first node")?, line.whole(row.ends[1], "the second node")?));
        lengths.push((&line).into(), row.length);
        let (v, u) = named[named.len() - 1];
        line.in_range(v.max(u), "a node", 0, counts[0] + 1)?;
        if named.len() as u64 / 2 > counts[1].max(counts[counts.len() - 1]) {
            return Err(first.error("more edges follow than the line counts".into(), REMEDY));
        }
    }
    let Some(Counts { nodes, .. }) = Counts::of(&counts).into_iter().find(|counts| counts.fits(&named)) else {
        return Err(first.error(format!("the counts do not fit the {} edges that follow", named.len()), REMEDY));
    };
    let from = u32::from(named.iter().all(|&(v, u)| v > 0 && u > 0));
    let node = |number: u64| (number - u64::from(from)) as u32;
    let mut found = Found::new(nodes, Labels::From(from), lengths);
    found.pairs = named.iter().map(|&(v, u)| (node(v), node(u))).collect();
    found.unused = columns.unused().into_iter().collect();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edges, message, open, open_as};

    const LENGTHS: [(&str, &str, u32); 5] = [("1", "2", 5), ("1", "3", 9), ("1", "4", 6), ("2", "3", 5), ("3", "4", 5)];
    const EDGES: &str = "1 2 5\n2 3 5\n3 4 5\n4 1 6\n1 3 9\n";

    #[test]
    fn the_counts_are_no_edge() {
        for first in ["4 5", "4 5 1", "4 4 5", "# from a list\n4 5"] {
            let graph = open("a.txt", &format!("{first}\n{EDGES}")).unwrap();
            assert_eq!(edges(&graph), LENGTHS, "{first}");
            assert_eq!((graph.nodes(), graph.origin.unwrap().format.name()), (4, "edge-list-with-counts"));
        }
        for first in ["4 10", "4 10 1", "4 4 10"] {
            assert_eq!(edges(&open("a.txt", &format!("{first}\n{EDGES}")).unwrap()), LENGTHS, "{first}");
        }
        let both = "2 1 5\n3 2 5\n4 3 5\n1 4 6\n3 1 9\n";
        assert_eq!(edges(&open("a.txt", &format!("4 5\n{EDGES}{both}")).unwrap()), LENGTHS);
        let graph = open("a.txt", "5 6\n0 1\n1 2\n2 0\n0 3\n1 3\n3 2\n").unwrap();
        assert_eq!((graph.nodes(), graph.edges(), graph.label(0).as_str()), (5, 12, "0"));
    }

    #[test]
    fn what_may_be_an_edge_is_not_guessed() {
        let tree = "4 3\n1 2\n2 3\n3 4\n";
        assert!(message("a.txt", tree)
            .starts_with("a.txt: the file fits several formats: edge-list, edge-list-with-counts; name"));
        assert_eq!(open_as("a.txt", tree, "edge-list").unwrap().edges(), 6, "the edge 3 to 4 twice");
        let graph = open_as("a.txt", tree, "edge-list-with-counts").unwrap();
        assert_eq!((graph.edges(), graph.changes.unwrap().repeated), (6, 0));
        assert_eq!(open("a.txt", "3 1\n1 2\n2 3\n").unwrap().edges(), 6, "a triangle");
        assert_eq!(open_as("a.txt", "4 5\n1 2\n2 3\n3 4\n4 1\n1 3\n", "edge-list").unwrap().nodes(), 5);
    }

    /// Four of eight edges may be all of them, each counted for both directions.
    #[test]
    fn edges_that_are_cut_off_are_missed() {
        let list = "1 2\n2 3\n3 4\n4 5\n5 6\n6 1\n1 3\n2 4\n";
        for lines in [2, 3, 5, 6, 7] {
            let kept: String = list.split_inclusive('\n').take(lines).collect();
            for (first, kept) in [("6 8", kept.clone()), ("6 8 1", kept.replace('\n', " 5\n"))] {
                assert!(open("a.txt", &format!("{first}\n{kept}")).is_err(), "{first} {lines}");
            }
        }
        let cut = format!("6 8\n{}", &list[..list.len() - 4]);
        assert!(message("a.txt", &cut).starts_with("a.txt:1: an edge, or 6 nodes and 8 edges, of which 7 follow; say"));
        assert_eq!(open_as("a.txt", &cut, "edge-list").unwrap().edges(), 16);
        assert_eq!(open("a.txt", "3 4\n1 2\n2 4\n").unwrap().edges(), 6, "4 is a node");
    }

    #[test]
    fn counts_that_do_not_fit() {
        let largest = format!("{} 9\n1 2\n", u64::MAX);
        assert_eq!(open("a.txt", &largest).unwrap().nodes(), 4, "the first line is an edge");
        let wrong = |text: &str| open_as("a.txt", text, "edge-list-with-counts").unwrap_err().to_string();
        assert!(wrong("4 5\n1 2\n2 3\n").contains("a.txt:1: the counts do not fit the 2 edges that follow"));
        assert!(wrong("2 2\n1 2\n2 3\n").contains("a.txt:3: edge out of range: a node is 3, nodes are 0 to 2"));
        assert!(wrong("3 2\n0 1\n1 3\n").contains("a.txt:1: the counts do not fit"), "nodes from 0 to 3 are four");
        assert!(wrong("4 1\n1 2\n2 3\n3 4\n4 1\n").contains("a.txt:1: more edges follow than the line counts"));
    }
}
