//! A matrix of numbers, a row a line, with blanks or commas between them; 0 is no edge. If all others are 1 the edges have no lengths.

use super::columns::COMMENTS;
use super::found::Found;
use super::length::FoundLengths;
use super::lines::{Line, Text};
use super::Asked;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;
use crate::graph::shown::shown;

const REMEDY: &str = "give a square matrix";

pub fn read(text: Text, asked: Asked) -> Result<Found, GraphError> {
    let mut rows = text.rows(COMMENTS).peekable();
    let Some(first) = rows.peek().cloned() else { return Err(GraphError::Empty { place: text.path.into() }) };
    let nodes = words(&first).count() as u64;
    first.check_nodes(nodes)?;
    let mut lengths = FoundLengths::of_header(asked.lengths, first.number, true);
    let (mut pairs, mut only_ones, mut has_loop, mut row) = (Vec::new(), true, false, 0);
    for line in rows {
        let mut columns = 0;
        for word in words(&line) {
            let Ok(value) = word.parse::<f64>() else {
                return Err(line.error(format!("not a number: `{}`", shown(word)), REMEDY));
            };
            if value != 0.0 {
                pairs.push((row, columns as u32));
                lengths.push((&line).into(), Some(word));
                only_ones &= value == 1.0;
                has_loop |= u64::from(row) == columns;
            }
            columns += 1;
            if columns > nodes {
                break;
            }
        }
        row += 1;
        if columns != nodes || u64::from(row) > nodes {
            return Err(line.error(format!("not a square matrix: the first row has {nodes} numbers"), REMEDY));
        }
    }
    if u64::from(row) != nodes {
        return Err(text.error(format!("not a square matrix: {row} rows of {nodes} numbers"), REMEDY));
    }
    if !asked.named && has_loop {
        return Err(text.error("the matrix has loops".into(), "name the format if it is one"));
    }
    let lengths = if only_ones { FoundLengths::of_first(asked.lengths) } else { lengths };
    let mut found = Found::new(nodes, Labels::From(0), lengths);
    found.pairs = pairs;
    Ok(found)
}

fn words<'a>(line: &Line<'a>) -> impl Iterator<Item = &'a str> {
    line.text.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edges, message, open, open_as};

    #[test]
    fn rows_of_numbers() {
        let path = "0 1 0 0\n1 0 1 0\n0 1 0 0\n0 0 0 0\n";
        for text in [path.to_owned(), path.replace(' ', ","), format!("# by hand\n{}", path.replace('1', "1.0e+00"))] {
            // Four words a line may be an edge with a time.
            let graph = open_as("a.txt", &text, "adjacency-matrix").unwrap();
            assert_eq!([0, 1, 2, 3].map(|v| graph.neighbours(v).len()), [1, 2, 1, 0], "{text}");
            assert_eq!(graph.weights_origin(), "hashed, 1 to 255");
        }
        let text = "0.0 5.0 0.0\n5.0 0.0 7.0\n0.0 7.0 0.0\n";
        let graph = open("a.txt", text).unwrap();
        assert_eq!(edges(&graph), [("0", "1", 5), ("1", "2", 7)]);
    }

    #[test]
    fn what_may_be_an_edge_list_is_not_guessed() {
        for text in ["0 1\n1 0\n", "0 1 0\n1 0 1\n0 1 0\n", "0,1,1,0\n1,0,0,0\n1,0,0,0\n0,0,0,0\n"] {
            assert!(message("a.txt", text).contains("fits several formats: adjacency-matrix, edge-list"), "{text}");
        }
        assert!(open_as("a", "0 1\n1 0\n0 1\n", "adjacency-matrix").unwrap_err().to_string().contains("not a square"));
        assert!(open_as("a", "0 1\n1\n", "adjacency-matrix").unwrap_err().to_string().contains("a:2: not a square"));
    }
}
