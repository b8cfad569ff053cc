//! Scotch: version 0, the numbers of nodes and arcs, the number of the first node and three digits that say whether there are labels, loads of edges and loads
//! of nodes; then each node's label, load, degree, and its neighbours, each behind the load of the edge. `#` starts a comment.

use super::found::Found;
use super::length::FoundLengths;
use super::lines::Text;
use super::names::Names;
use super::Asked;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;
use crate::graph::shown::shown;

const COUNT: &str = "fetch the file again or correct the count";

pub fn read(text: Text, asked: Asked) -> Result<Found, GraphError> {
    let mut words = text.words(&['#']);
    if words.next() != Some("0") {
        return Err(words.line.error("not version 0 of Scotch's format".into(), "give a file of version 0"));
    }
    let nodes = words.node_count()?;
    let arcs = words.number("the number of arcs")?;
    let first = words.number("the number of the first node")?;
    let code = words.next().unwrap_or_default();
    let digits = code.bytes().all(|digit| matches!(digit, b'0' | b'1')) && (1..=3).contains(&code.len());
    let Some(number) = code.parse::<u32>().ok().filter(|_| digits && first < 2) else {
        let what = format!("`{first} {}` is no first node and code", shown(code));
        return Err(words.line.error(what, "give a first node 0 or 1, and three digits 0 or 1"));
    };
    let [has_labels, has_lengths, has_loads] = [number / 100, number / 10 % 10, number % 10].map(|digit| digit == 1);
    let lengths = FoundLengths::of_header(asked.lengths, words.line.number, has_lengths);
    let mut found = Found::new(nodes, Labels::From(first as u32), lengths);
    let (mut names, mut targets) = (Names::default(), Vec::new());
    for node in 0..nodes as u32 {
        if has_labels {
            let label = words.number("a label")?;
            names.add((&words.line).into(), &label.to_string())?;
        }
        if has_loads {
            words.number("the load of a node")?;
        }
        for _ in 0..words.number("the number of neighbours")? {
            let length = if has_lengths { words.next() } else { None };
            targets.push(words.number("a neighbour")?);
            found.lengths.push((&words.line).into(), length);
            if !has_labels {
                words.line.in_range(targets[targets.len() - 1], "a neighbour", first, nodes)?;
            }
            found.pairs.push((node, 0));
        }
    }
    words.end()?;
    if targets.len() as u64 != arcs {
        return Err(text.error(format!("{arcs} arcs promised, {} in the file", targets.len()), COUNT));
    }
    for (pair, target) in found.pairs.iter_mut().zip(targets) {
        pair.1 = match has_labels {
            false => (target - first) as u32,
            true => names.get(&target.to_string()).ok_or_else(|| {
                text.error(format!("edge out of range: no node has the label {target}"), "correct the label")
            })?,
        };
    }
    if has_labels {
        found.labels = names.labels();
    }
    if has_loads {
        found.unused.push("the loads of nodes".into());
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edges, open, open_as};

    /// The manual of Scotch 7, 5.1: the code's digits are labels, loads of edges, loads of nodes.
    #[test]
    fn codes_of_what_the_nodes_have() {
        let cases = [
            ("0\n4 4\n0 010\n1 5 1\n2 5 0 7 2\n1 7 1\n0\n", ["0", "1", "2"]),
            ("0\n# a comment\n4 4\n1 011\n9 1 5 2\n9 2 5 1 7 3\n9 1 7 2\n9 0\n", ["1", "2", "3"]),
            ("0\n4 4\n0 111\n50 9 1 5 40\n40 9 2 5 50 7 30\n30 9 1 7 40\n20 9 0\n", ["50", "40", "30"]),
        ];
        for (text, [a, b, c]) in cases {
            let graph = open("a.grf", text).unwrap();
            assert_eq!(edges(&graph), [(a, b, 5), (b, c, 7)], "{text}");
            assert_eq!((graph.nodes(), graph.origin.unwrap().format.name()), (4, "scotch"));
        }
        assert_eq!(open("a", "0\n3 4\n0 000\n1 1\n2 0 2\n1 1\n").unwrap().edges(), 4);
    }

    #[test]
    fn what_is_refused() {
        let wrong = |text: &str| open_as("a", text, "scotch").unwrap_err().to_string();
        assert!(wrong("1\n2 2\n0 000\n1 1\n1 0\n").contains("a:1: not version 0"));
        assert!(wrong("0\n2 3\n0 000\n1 1\n1 0\n").contains("3 arcs promised, 2 in the file"));
        assert!(wrong("0\n2 2\n0 000\n1 2\n1 0\n").contains("a:4: edge out of range: a neighbour is 2"));
        assert!(wrong("0\n2 2\n2 000\n1 1\n1 0\n").contains("a:3: `2 000` is no first node and code"));
        assert!(wrong("0\n2 2\n0 100\n7 1 8\n8 1 9\n").contains("no node has the label 9"));
    }
}
