//! Edge lists: an edge a line, as SNAP, KONECT, networkx and tables have them. `#` and `%` start a comment. Every line has as many words. Numbers may have gaps:
//! the nodes of the graph are those that occur, in ascending order.

use super::attributes::Attributes;
use super::columns::{weight, Columns, Row, COMMENTS};
use super::counts::Counts;
use super::found::{Found, Promise};
use super::length::FoundLengths;
use super::lines::{Line, Text};
use super::names::Names;
use super::numbers::{ids, nodes};
use super::Asked;
use crate::graph::csr::Labels;
use crate::graph::error::GraphError;
use crate::graph::limits::MAX_NODES;
use crate::graph::shown::shown;
use std::collections::BTreeSet;

pub fn read(text: Text, asked: Asked) -> Result<Found, GraphError> {
    let comments = Comments::read(text)?;
    let mut rows = text.rows(COMMENTS).peekable();
    let Some(first) = rows.peek().cloned() else { return Err(GraphError::Empty { place: text.path.into() }) };
    let header = Columns::of_header(&first);
    let (columns, unused) = match header {
        Some(header) => {
            rows.next();
            header
        }
        None => {
            let columns = Columns::of(&first);
            if columns.count() > 4 && !asked.named {
                let what = format!("{} words, more than two nodes, a length and a time", columns.count());
                return Err(first.error(what, "say --graph-format edge-list if it is one"));
            }
            (columns, columns.unused().into_iter().collect())
        }
    };
    let mut edges = Edges::new(columns, asked);
    let mut found = match has_names(rows.clone(), &columns, asked.named)? {
        true => edges.with_names(rows)?,
        false => {
            let named = edges.with_numbers(rows)?;
            if !asked.named {
                Counts::refuse_evident(&first, &named)?;
            }
            let ids = ids(&named);
            let nodes = nodes(&named, &ids);
            too_many(text.path, ids.len())?;
            let mut found = Found::new(ids.len() as u64, Labels::Ids(ids), edges.lengths.take().expect("just made"));
            found.pairs = nodes;
            found
        }
    };
    if let Some(promise) = comments.promise {
        promise.check(text.path, found.pairs.len() as u64)?;
    }
    found.symmetric = comments.symmetric;
    found.unused = unused;
    found.unused.extend(edges.other_keys.told());
    Ok(found)
}

fn too_many(path: &str, nodes: usize) -> Result<(), GraphError> {
    match nodes as u64 > MAX_NODES {
        true => Err(GraphError::TooManyNodes { place: path.into(), nodes: nodes as u64 }),
        false => Ok(()),
    }
}

/// What comments say: SNAP's `# Nodes: N Edges: M`, and KONECT's first line `% sym|asym|bip ...`.
struct Comments {
    promise: Option<Promise>,
    symmetric: bool,
}

impl Comments {
    fn read(text: Text) -> Result<Comments, GraphError> {
        let mut comments = Comments { promise: None, symmetric: false };
        for line in text.lines().filter(|line| line.is_comment(COMMENTS)) {
            let words = line.text.trim_start().trim_start_matches(COMMENTS).split_whitespace();
            let words: Vec<&str> = words.take(4).collect();
            match words[..] {
                ["Nodes:", _, "Edges:", edges] => {
                    let edges = edges.parse().ok();
                    comments.promise = edges.map(|edges| Promise { line: line.number, edges }).or(comments.promise);
                }
                ["sym", _] if line.number == 1 => comments.symmetric = true,
                ["bip", _] if line.number == 1 => {
                    let what = "the graph is bipartite: the two columns number different nodes".into();
                    return Err(line.error(what, "number them all differently and leave out this line"));
                }
                _ => {}
            }
        }
        Ok(comments)
    }
}

/// Nodes are called by names, not by numbers. A text of people is not taken for such a list: its lines have two words, or a number or a dictionary
/// behind them, no line has a name and a number as its nodes, and a name occurs more than once.
fn has_names<'a>(
    mut rows: impl Iterator<Item = Line<'a>> + Clone,
    columns: &Columns,
    named: bool,
) -> Result<bool, GraphError> {
    let is_name = |word: &str| word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_');
    let mut ends = rows.clone().map_while(|line| columns.row(&line).ok()).flat_map(|row| row.ends);
    if !ends.any(is_name) {
        return Ok(false);
    }
    let is_plain = |row: Row| {
        let is_number = |end: &str| end.parse::<f64>().is_ok();
        is_number(row.ends[0]) == is_number(row.ends[1]) && row.length.is_none_or(is_number)
    };
    let plain = columns.unused().is_none() && rows.clone().all(|line| columns.row(&line).is_ok_and(is_plain));
    let mut seen = BTreeSet::new();
    let twice = || rows.any(|line| columns.row(&line).is_ok_and(|row| row.ends.iter().any(|end| !seen.insert(*end))));
    Ok(named || plain && { twice }())
}

/// A reading of all edges.
struct Edges {
    columns: Columns,
    lengths: Option<FoundLengths>,
    other_keys: Attributes,
}

impl Edges {
    fn new(columns: Columns, asked: Asked) -> Edges {
        Edges { columns, lengths: Some(FoundLengths::of_first(asked.lengths)), other_keys: Attributes::default() }
    }

    fn length(&mut self, line: &Line, row: &Row) -> Result<(), GraphError> {
        let mut length = row.length;
        if let Some(dictionary) = row.dictionary {
            let Some((weight, others)) = weight(dictionary) else {
                let what = format!("not a dictionary that is known: `{}`", shown(dictionary));
                return Err(line.error(what, "write the edges with data=['weight'], or without data"));
            };
            length = length.or(weight);
            others.into_iter().for_each(|key| self.other_keys.add(key));
        }
        self.lengths.as_mut().expect("taken at the end").push(line.into(), length);
        Ok(())
    }

    fn with_numbers<'a>(&mut self, rows: impl Iterator<Item = Line<'a>>) -> Result<Vec<(u64, u64)>, GraphError> {
        let mut named = Vec::new();
        for line in rows {
            let row = self.columns.row(&line)?;
            let [v, u] = row.ends;
            named.push((line.whole(v, "the first node")?, line.whole(u, "the second node")?));
            self.length(&line, &row)?;
        }
        Ok(named)
    }

    fn with_names<'a>(&mut self, rows: impl Iterator<Item = Line<'a>>) -> Result<Found, GraphError> {
        let (mut names, mut pairs) = (Names::default(), Vec::new());
        for line in rows {
            let row = self.columns.row(&line)?;
            let [v, u] = row.ends;
            pairs.push((names.node((&line).into(), v)?, names.node((&line).into(), u)?));
            self.length(&line, &row)?;
        }
        let lengths = self.lengths.take().expect("taken once");
        let mut found = Found::new(names.len() as u64, names.labels(), lengths);
        found.pairs = pairs;
        Ok(found)
    }
}
