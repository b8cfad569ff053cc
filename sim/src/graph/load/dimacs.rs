//! DIMACS: `c` comments, one line `p KIND nodes edges`, then an edge a line, nodes from 1. Kind `sp` has arcs `a from to length`; `edge` and `col`
//! have undirected edges `e node node [length]`, and lines `n node value` that are not used.

use super::found::{Found, Promise};
use super::length::FoundLengths;
use super::lines::{Line, Text};
use super::Asked;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;
use crate::graph::shown::shown;

const START: &str = "start with `p sp NODES ARCS`, or `p edge NODES EDGES`";

struct Problem {
    nodes: u64,
    promise: Promise,
    /// `p edge` and `p col`.
    undirected: bool,
}

impl Problem {
    fn read(line: &mut Line) -> Result<Problem, GraphError> {
        let undirected = match line.words.next() {
            Some("sp") => false,
            Some("edge" | "edges" | "col") => true,
            other => {
                return Err(
                    line.error(format!("a problem `{}`, not sp, edge or col", shown(other.unwrap_or(""))), START)
                )
            }
        };
        let nodes = line.node_count("the number of nodes")?;
        let what = if undirected { "the number of edges" } else { "the number of arcs" };
        let promise = Promise { line: line.number, edges: line.number(what)? };
        line.end()?;
        Ok(Problem { nodes, promise, undirected })
    }

    fn letter(&self) -> &'static str {
        if self.undirected {
            "e"
        } else {
            "a"
        }
    }
}

pub fn read(text: Text, asked: Asked) -> Result<Found, GraphError> {
    let mut problem: Option<Problem> = None;
    let mut found = Found::new(0, Labels::From(1), FoundLengths::of_first(asked.lengths));
    for mut line in text.lines() {
        match (line.words.next(), &problem) {
            (None | Some("c"), _) => {}
            (Some("p"), None) => problem = Some(Problem::read(&mut line)?),
            (Some("p"), Some(_)) => return Err(line.error("a second `p` line".into(), "keep one")),
            (Some(letter), Some(problem)) if letter == problem.letter() => {
                let ends = if problem.undirected { ["a node", "a node"] } else { ["from", "to"] };
                let [v, u] = ends.map(|end| line.node(end, 1, problem.nodes));
                found.pairs.push((v?, u?));
                let length = line.words.next();
                found.lengths.push((&line).into(), length);
                line.end()?;
            }
            (Some("n"), Some(Problem { undirected: true, .. })) => note(&mut found),
            (Some("a" | "e"), None) => return Err(line.error("an edge before the `p` line".into(), START)),
            (Some(word), Some(problem)) => {
                let remedy = if problem.undirected { "use c, p, e and n only" } else { "use c, p and a only" };
                return Err(line.error(format!("a line that starts with `{}`", shown(word)), remedy));
            }
            (Some(word), None) => return Err(line.error(format!("a line that starts with `{}`", shown(word)), START)),
        }
    }
    let problem = problem.ok_or_else(|| GraphError::Empty { place: text.path.into() })?;
    // Some files of `edge` count both directions and name one.
    if !(problem.undirected && problem.promise.edges == 2 * found.pairs.len() as u64) {
        problem.promise.check(text.path, found.pairs.len() as u64)?;
    }
    found.nodes = problem.nodes as usize;
    found.symmetric = problem.undirected;
    Ok(found)
}

fn note(found: &mut Found) {
    let values = "the values of nodes";
    if found.unused.is_empty() {
        found.unused.push(values.into());
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edges, open, refuses};

    #[test]
    fn edge_and_col_are_undirected() {
        for (kind, edges) in [("edge", 2), ("col", 2), ("edges", 4)] {
            let text = format!("c x\np {kind} 4 {edges}\nn 1 7\ne 1 2\ne 2 3\n");
            let graph = open("k.col", &text).unwrap();
            assert_eq!((graph.nodes(), graph.edges(), graph.changes.unwrap().one_way), (4, 4, 0));
            assert_eq!(graph.origin.unwrap().unused, ["the values of nodes"]);
        }
        let graph = open("k", "p edge 3 2\ne 1 2 5\ne 3 2 7\n").unwrap();
        assert_eq!(edges(&graph), [("1", "2", 5), ("2", "3", 7)]);
    }

    #[test]
    fn what_is_refused() {
        let cases = [
            ("p max 2 1\na 1 2 1\n", "k.col:1: a problem `max`, not sp, edge or col; start with `p sp"),
            ("p tw 2 1\n1 2\n", "k.col:1: a problem `tw`"),
            ("p edge 2 1\na 1 2\n", "k.col:2: a line that starts with `a`; use c, p, e and n only"),
            ("p edge 3 3\ne 1 2\ne 2 3\n", "k.col:1: fewer edges than promised"),
            ("p sp 2 2\na 1 2 1\n", "k.col:1: fewer edges than promised"),
            ("p edge 2 1\ne 1 2 3 4\n", "k.col:2: `4` follows behind the last word"),
            ("e 1 2\n", "k.col:1: an edge before the `p` line"),
        ];
        refuses("k.col", &cases);
    }
}
