//! METIS and Chaco: `nodes edges [fmt [ncon]]`, then a line for each node: its size, its weights, and its neighbours, each with the length of the edge if
//! there are lengths. `%` starts a comment; an empty line is a node without edges. Each edge stands at both of its ends.

use super::found::Found;
use super::length::FoundLengths;
use super::lines::{Line, Text};
use super::Asked;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;
use crate::graph::shown::shown;

const COUNTS: &str = "correct the counts in the first line, or fetch the file again";

struct Header {
    line: usize,
    nodes: u64,
    edges: u64,
    /// A word at the start of each line: METIS has a size there, Chaco the node's number.
    has_first: bool,
    weights: u64,
    has_lengths: bool,
}

impl Header {
    fn read(line: &mut Line) -> Result<Header, GraphError> {
        let nodes = line.node_count("the number of nodes")?;
        let edges = line.number("the number of edges")?;
        let code = line.words.next().unwrap_or("0");
        let Some([has_first, has_weights, has_lengths]) = bits(code) else {
            let what = format!("`{}` is no code of what the lines have", shown(code));
            return Err(line.error(what, "give up to three digits 0 or 1"));
        };
        let several = line.words.clone().next().is_some();
        let weights = if several { line.number("the number of weights of a node")? } else { has_weights.into() };
        if weights > 0 && !has_weights {
            return Err(line.error(format!("{weights} weights of a node, but a code without weights"), COUNTS));
        }
        line.end()?;
        Ok(Header { line: line.number, nodes, edges, has_first, weights, has_lengths })
    }
}

/// The three digits of a code, leading zeros left out or not.
fn bits(code: &str) -> Option<[bool; 3]> {
    let good = (1..=3).contains(&code.len()) && code.bytes().all(|digit| matches!(digit, b'0' | b'1'));
    let number: u32 = code.parse().ok().filter(|_| good)?;
    Some([number / 100 == 1, number / 10 % 10 == 1, number % 10 == 1])
}

/// The meaning of the words at the line starts, if there are any.
#[derive(Clone, Copy, PartialEq)]
enum First {
    Size,
    Number,
}

pub fn read(text: Text, asked: Asked) -> Result<Found, GraphError> {
    read_with(text, asked, First::Size)
}

/// Chaco's first words are the numbers of the nodes.
pub fn read_chaco(text: Text, asked: Asked) -> Result<Found, GraphError> {
    read_with(text, asked, First::Number)
}

fn read_with(text: Text, asked: Asked, meaning: First) -> Result<Found, GraphError> {
    let mut lines = text.lines().filter(|line| !line.is_comment(&['%']));
    let Some(mut first) = lines.find(|line| !line.is_blank()) else {
        return Err(GraphError::Empty { place: text.path.into() });
    };
    let header = Header::read(&mut first)?;
    check_lines(&header, &first, lines.clone())?;
    let lengths = FoundLengths::of_header(asked.lengths, header.line, header.has_lengths);
    let mut found = Found::new(header.nodes, Labels::From(1), lengths);
    let mut firsts = Vec::new();
    for (node, mut line) in (0..header.nodes as u32).zip(lines) {
        let mut number = node;
        if header.has_first {
            let word = line.number("the first word")?;
            firsts.push(word);
            if meaning == First::Number {
                number = line.in_range(word, "the node", 1, header.nodes)?;
            }
        }
        for _ in 0..header.weights {
            line.number("a weight of the node")?;
        }
        while line.words.clone().next().is_some() {
            found.pairs.push((number, line.node("a neighbour", 1, header.nodes)?));
            let length = header.has_lengths.then(|| line.words.next()).flatten();
            found.lengths.push((&line).into(), length);
            if header.has_lengths && length.is_none() {
                return Err(line.error("the last neighbour has no length".into(), "complete the line"));
            }
        }
    }
    if meaning == First::Size && !asked.named && is_other_order(&firsts) {
        return Err(first.error(
            "the first words of the lines are sizes in METIS, and numbers of the nodes in Chaco".into(),
            "say which with --graph-format metis or chaco",
        ));
    }
    check_edges(&header, &found, text.path)?;
    if header.weights > 0 {
        found.unused.push("the weights of nodes".into());
    }
    if header.has_first && meaning == First::Size {
        found.unused.push("the sizes of nodes".into());
    }
    Ok(found)
}

/// A line for each node; nothing but blank lines behind them.
fn check_lines<'a>(header: &Header, first: &Line, mut lines: impl Iterator<Item = Line<'a>>) -> Result<(), GraphError> {
    let nodes = header.nodes as usize;
    let found = lines.by_ref().take(nodes).count();
    if found < nodes {
        let what = format!("{nodes} nodes, but {found} lines of nodes follow");
        return Err(first.error(what, COUNTS));
    }
    match lines.find(|line| !line.is_blank()) {
        None => Ok(()),
        Some(line) => Err(line.error(format!("more lines than the {nodes} nodes of line {}", header.line), COUNTS)),
    }
}

/// Each edge stands at both of its ends, and there are as many as promised.
fn check_edges(header: &Header, found: &Found, path: &str) -> Result<(), GraphError> {
    let error = |what| GraphError::Line { path: path.into(), line: header.line, what, remedy: COUNTS };
    if header.edges.checked_mul(2) != Some(found.pairs.len() as u64) {
        return Err(error(format!("{} edges, but {} neighbours, not twice as many", header.edges, found.pairs.len())));
    }
    let mut there = found.pairs.clone();
    let mut back: Vec<_> = there.iter().map(|&(v, u)| (u, v)).collect();
    there.sort_unstable();
    back.sort_unstable();
    match there.iter().zip(&back).find(|(there, back)| there != back) {
        None => Ok(()),
        Some((there, back)) => {
            let (v, u) = *there.min(back);
            Err(error(format!("the edge of nodes {} and {} stands at one of them only", v + 1, u + 1)))
        }
    }
}

/// All numbers from 1 on, but not in their order.
fn is_other_order(firsts: &[u64]) -> bool {
    let mut sorted = firsts.to_vec();
    sorted.sort_unstable();
    let is_order = |words: &[u64]| (1..).zip(words).all(|(number, word)| number == *word);
    is_order(&sorted) && !is_order(firsts)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edges, message, open, open_as, refuses};

    const LENGTHS: [(&str, &str, u32); 4] = [("1", "2", 7), ("1", "4", 9), ("2", "3", 5), ("3", "4", 3)];

    /// One square in every code, by the manual of METIS 5.1, 4.1.1.
    #[test]
    fn codes_of_what_the_lines_have() {
        let cases = [
            "4 4 1\n2 7 4 9\n1 7 3 5\n2 5 4 3\n1 9 3 3\n",
            "4 4 001\n% a comment\n2 7 4 9\n1 7 3 5\n% another\n2 5 4 3\n1 9 3 3\n",
            "4 4 011\n8 2 7 4 9\n8 1 7 3 5\n8 2 5 4 3\n8 1 9 3 3\n",
            "4 4 11 2\n8 6 2 7 4 9\n8 6 1 7 3 5\n8 6 2 5 4 3\n0 1 1 9 3 3\n",
            "4 4 101\n3 2 7 4 9\n3 1 7 3 5\n3 2 5 4 3\n3 1 9 3 3\n",
            "4 4 111 3\n3 0 0 0 2 7 4 9\n3 0 0 0 1 7 3 5\n3 0 0 0 2 5 4 3\n3 0 0 0 1 9 3 3\n",
            "% first\n\n 4 4 1\n 2 7 4 9 \n\t1 7 3 5\n2 5 4 3\n1 9 3 3\n\n\n",
        ];
        for text in cases {
            let graph = open("a.graph", text).unwrap();
            assert_eq!(edges(&graph), LENGTHS, "{text}");
            assert_eq!((graph.nodes(), graph.origin.unwrap().format.name()), (4, "metis"));
        }
        for text in [
            "4 4\n2 4\n1 3\n2 4\n1 3\n",
            "4 4 10\n9 2 4\n9 1 3\n9 2 4\n9 1 3\n",
            "4 4 100\n9 2 4\n9 1 3\n9 2 4\n9 1 3\n",
        ] {
            let graph = open("a.graph", text).unwrap();
            assert_eq!((graph.nodes(), graph.edges(), graph.weights_origin().as_str()), (4, 8, "hashed, 1 to 255"));
        }
    }

    #[test]
    fn an_empty_line_is_a_node_without_edges() {
        let graph = open("a.graph", "6 3\n\n3 5\n2 5\n\n3 2\n\n").unwrap();
        assert_eq!(graph.nodes(), 6);
        assert_eq!([0, 1, 2, 3, 4, 5].map(|v| graph.neighbours(v).len()), [0, 2, 2, 0, 2, 0]);
    }

    #[test]
    fn numbers_at_the_line_starts_are_chacos_if_it_is_named() {
        let text = "3 2 100\n2 1 3\n1 2\n3 2\n";
        assert!(message("a.graph", text).contains("a.graph:1: the first words of the lines are sizes in METIS, and"));
        let graph = open_as("a.graph", text, "chaco").unwrap();
        assert_eq!((graph.neighbours(1), graph.neighbours(0)), (&[0, 2][..], &[1][..]));
        assert!(open_as("a.graph", text, "metis").is_err(), "node 1 is no neighbour of itself");
        assert_eq!(open("a.graph", "3 2 100\n1 2\n2 1 3\n3 2\n").unwrap().edges(), 4);
    }

    #[test]
    fn what_is_refused() {
        let cases = [
            ("4 4\n2 4\n1 3\n2 4\n", "a.graph:1: 4 nodes, but 3 lines of nodes follow; correct the counts"),
            ("3 2\n2\n1 3\n2\n1\n", "a.graph:5: more lines than the 3 nodes of line 1"),
            ("3 3\n2\n1 3\n2\n", "a.graph:1: 3 edges, but 4 neighbours, not twice as many"),
            ("3 2\n2\n1 3\n1\n", "a.graph:1: the edge of nodes 1 and 3 stands at one of them only"),
            ("3 2\n2\n1 4\n2\n", "a.graph:3: edge out of range: a neighbour is 4, nodes are 1 to 3"),
            ("3 2 2\n2\n1 3\n2\n", "a.graph:1: `2` is no code of what the lines have"),
            ("3 2 1\n2 5\n1 5 3\n2 5\n", "a.graph:3: the last neighbour has no length"),
            ("3 9223372036854775810\n2\n1 3\n2\n", "a.graph:1: 9223372036854775810 edges, but 4 neighbours"),
            ("3 2 1 1\n2 5\n1 5 3 6\n2 6\n", "a.graph:1: 1 weights of a node, but a code without weights"),
        ];
        refuses("a.graph", &cases);
    }
}
