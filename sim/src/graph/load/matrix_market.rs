//! Matrix Market: a `%%MatrixMarket` header, `%` comments, `rows columns entries`, then `row column [value]` a line, from 1; in an `array`
//! all values of the columns, one after another, of which 0 is no edge.

use super::found::{Found, Promise};
use super::length::FoundLengths;
use super::lines::{Line, Text};
use super::Asked;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;
use crate::graph::shown::shown;

const HEADER: &str = "start with `%%MatrixMarket matrix coordinate pattern|real|integer|unsigned-integer general|symmetric`, the form of a graph";
const AGAIN: &str = "fetch the file again";

#[derive(Clone, Copy, PartialEq)]
enum Symmetry {
    General,
    Symmetric,
    Skew,
}

struct Header {
    is_array: bool,
    has_values: bool,
    symmetry: Symmetry,
}

pub fn read(text: Text, asked: Asked) -> Result<Found, GraphError> {
    let mut lines = text.lines().filter(|line| !line.is_blank());
    let first = lines.next().expect("a file that is not empty has a line");
    let header = header(&first)?;
    let mut rows = lines.filter(|line| !line.is_comment(&['%']));
    let Some(mut size) = rows.next() else {
        return Err(first.error("no line with rows, columns and entries follows".into(), AGAIN));
    };
    let nodes = size.node_count("the number of rows")?;
    let columns = size.number("the number of columns")?;
    if columns != nodes {
        return Err(size.error(format!("{nodes} rows but {columns} columns"), "give a square matrix: a graph's"));
    }
    let lengths = FoundLengths::of_header(asked.lengths, first.number, header.has_values);
    let mut found = Found::new(nodes, Labels::From(1), lengths);
    found.symmetric = header.symmetry != Symmetry::General;
    if header.symmetry == Symmetry::Skew {
        let what = "a skew-symmetric matrix has negative values in one direction".into();
        found.lengths.refuse(first.error(what, "give a symmetric one, or try --lengths hash"));
    }
    match header.is_array {
        true => array(size, rows, &header, &mut found)?,
        false => coordinates(size, rows, &header, &mut found)?,
    }
    Ok(found)
}

fn header(line: &Line) -> Result<Header, GraphError> {
    let lower = line.text.to_ascii_lowercase();
    let words: Vec<_> = lower.split_whitespace().take(6).collect();
    let unknown = || line.error(format!("not a header that is known: `{}`", shown(line.text.trim())), HEADER);
    let ["%%matrixmarket", "matrix", form, values, symmetry] = words[..] else { return Err(unknown()) };
    let is_array = match form {
        "coordinate" => false,
        "array" => true,
        _ => return Err(unknown()),
    };
    let has_values = match values {
        "pattern" if !is_array => false,
        "real" | "double" | "integer" | "unsigned-integer" => true,
        "complex" => return Err(line.error("complex values are no lengths".into(), HEADER)),
        _ => return Err(unknown()),
    };
    let symmetry = match symmetry {
        "general" => Symmetry::General,
        "symmetric" => Symmetry::Symmetric,
        "skew-symmetric" if has_values => Symmetry::Skew,
        _ => return Err(unknown()),
    };
    Ok(Header { is_array, has_values, symmetry })
}

fn coordinates<'a>(
    mut size: Line<'a>,
    rows: impl Iterator<Item = Line<'a>>,
    header: &Header,
    found: &mut Found,
) -> Result<(), GraphError> {
    let nodes = found.nodes as u64;
    let promise = Promise { line: size.number, edges: size.number("the number of entries")? };
    size.end()?;
    for mut line in rows {
        found.pairs.push((line.node("the row", 1, nodes)?, line.node("the column", 1, nodes)?));
        let value = line.words.next();
        found.lengths.push((&line).into(), value);
        line.end()?;
    }
    promise.check(size.path, found.pairs.len() as u64)?;
    if header.symmetry != Symmetry::General && found.pairs.is_empty() && nodes > 1 {
        return Err(size.error(
            "a symmetric matrix without an entry".into(),
            "scipy's mmwrite with symmetry='symmetric' drops all entries above the diagonal: give it a matrix with both triangles, or leave symmetry out",
        ));
    }
    Ok(())
}

fn array<'a>(
    mut size: Line<'a>,
    mut rows: impl Iterator<Item = Line<'a>>,
    header: &Header,
    found: &mut Found,
) -> Result<(), GraphError> {
    size.end()?;
    let nodes = found.nodes as u32;
    for column in 0..nodes {
        let first = match header.symmetry {
            Symmetry::General => 0,
            Symmetry::Symmetric => column,
            Symmetry::Skew => column + 1,
        };
        for row in first..nodes {
            let Some(mut line) = rows.next() else {
                return Err(size.error("fewer values than the matrix has".into(), AGAIN));
            };
            let word = line.words.next().expect("a line that is not blank");
            line.end()?;
            if word.parse() != Ok(0.0) {
                found.pairs.push((row, column));
                found.lengths.push((&line).into(), Some(word));
            }
        }
    }
    match rows.next() {
        None => Ok(()),
        Some(line) => Err(line.error("more values than the matrix has".into(), AGAIN)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{edges, open, refuses};

    fn matrix(kind: &str, rest: &str) -> String {
        format!("%%MatrixMarket matrix {kind}\n{rest}")
    }

    #[test]
    fn banners_in_any_case_and_values_of_each_kind() {
        let cases = [
            ("coordinate unsigned-integer symmetric", "%\n3 3 2\n2 1 5\n3 2 7\n"),
            ("COORDINATE Integer Symmetric", "3 3 2\n2 1 5\n3 2 7\n"),
            ("coordinate real general", "3 3 2\n1 2 5.\n2 3 .7e1\n"),
            ("coordinate integer general", "  % indented\n3 3 2\n1 2 +5\n2 3 7\n"),
            ("array integer symmetric", "3 3\n0\n5\n0\n0\n7\n0\n"),
            ("array real general", "3 3\n0.0\n5\n0\n5\n0\n7\n0\n7\n0e0\n"),
        ];
        for (kind, rest) in cases {
            let graph = open("a.mtx", &matrix(kind, rest)).unwrap();
            assert_eq!(edges(&graph), [("1", "2", 5), ("2", "3", 7)], "{kind}");
        }
        let text = "%%matrixmarket MATRIX coordinate pattern symmetric\n2 2 1\n2 1\n";
        assert_eq!(open("a", text).unwrap().edges(), 2);
    }

    #[test]
    fn a_skew_matrix_has_edges_but_no_lengths() {
        for text in ["coordinate real skew-symmetric\n3 3 1\n3 1 5\n", "array real skew-symmetric\n3 3\n0\n5\n0\n"] {
            let graph = open("a.mtx", &format!("%%MatrixMarket matrix {text}")).unwrap();
            assert_eq!((graph.neighbours(0), graph.nodes()), (&[2][..], 3));
            assert!(graph.edge_weights().unwrap_err().to_string().contains("a.mtx:1: a skew-symmetric matrix has"));
        }
    }

    #[test]
    fn what_is_refused() {
        let cases = [
            (matrix("coordinate complex general", "2 2 1\n1 2 1 0\n"), "a.mtx:1: complex values are no lengths"),
            (matrix("coordinate real hermitian", "2 2 1\n2 1 1\n"), "a.mtx:1: not a header that is known"),
            (matrix("array pattern general", "1 1\n0\n"), "a.mtx:1: not a header that is known"),
            (matrix("coordinate real general", "2 2 1\n1 2 1 9\n"), "a.mtx:3: `9` follows behind the last word"),
            (matrix("coordinate real general", "2 2 1 7\n1 2 1\n"), "a.mtx:2: `7` follows behind"),
            (matrix("array real general", "2 2\n0\n1\n1\n"), "a.mtx:2: fewer values than the matrix has"),
            (matrix("array real general", "2 2\n0\n1\n1\n0\n0\n"), "a.mtx:7: more values than the matrix has"),
            // scipy 1.17 writes this of a matrix with entries above the diagonal alone.
            (
                matrix("coordinate real symmetric", "%\n3 3 0\n"),
                "a.mtx:3: a symmetric matrix without an entry; scipy's mmwrite",
            ),
        ];
        refuses("a.mtx", &cases);
    }
}
