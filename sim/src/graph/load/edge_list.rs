//! Edge lists: an edge a line, as SNAP, KONECT, networkx and tables have them. `#` and `%` start a comment. Every line has as many words. Numbers may have gaps:
//! the nodes of the graph are those that occur, in ascending order.

use super::attributes::Attributes;
use super::columns::{is_name, is_number, weight, Columns, Row, Separator, COMMENTS};
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
    let separator = Separator::of_rows(&first, rows.clone());
    let header = Columns::of_header(&first, separator, rows.clone().skip(1));
    if header.is_some() {
        rows.next();
    }
    let may_have_names = asked.named || header.is_some();
    let (columns, unused) = match header {
        Some(header) => header,
        None => plain_columns(&first, separator, asked)?,
    };
    let mut edges =
        Edges { columns, lengths: FoundLengths::of_first(asked.lengths), other_keys: Attributes::default() };
    let (labels, pairs) = match has_names(rows.clone(), &columns, may_have_names) {
        true => edges.with_names(rows)?,
        false => {
            let named = edges.with_numbers(rows)?;
            if !asked.named {
                Counts::refuse_evident(&first, &named)?;
            }
            let ids = ids(&named);
            let pairs = nodes(&named, &ids);
            (Labels::Ids(ids), pairs)
        }
    };
    let nodes = match &labels {
        Labels::Ids(ids) => ids.len() as u64,
        Labels::Names(names) => names.len() as u64,
        Labels::From(_) => 0,
    };
    if nodes > MAX_NODES {
        return Err(GraphError::TooManyNodes { place: text.path.into(), nodes });
    }
    if let Some(promise) = comments.promise {
        promise.check(text.path, pairs.len() as u64)?;
    }
    if let Some((line, room)) = comments.nodes.filter(|(_, room)| *room < nodes) {
        let what = format!("more nodes than promised: {room} here, {nodes} in the file");
        return Err(line.error(what, "fetch the file again or correct the count"));
    }
    let mut found = Found::new(nodes, labels, edges.lengths);
    found.pairs = pairs;
    found.symmetric = comments.symmetric;
    found.unused = unused;
    found.unused.extend(edges.other_keys.told());
    Ok(found)
}

/// Two nodes, a length, and what nobody uses.
fn plain_columns(first: &Line, separator: Separator, asked: Asked) -> Result<(Columns, Vec<String>), GraphError> {
    let columns = Columns::of(first, separator);
    if columns.count() == 1 && is_number(first.text.trim_ascii()) {
        let what = "one number, which may count the nodes or be a node without edges".into();
        return Err(first.error(what, "leave the line out, or say --graph-format adjacency-list"));
    }
    if columns.count() > 4 && !asked.named {
        let what = format!("{} words, more than two nodes, a length and a time", columns.count());
        return Err(first.error(what, "say --graph-format edge-list if it is one"));
    }
    Ok((columns, columns.unused().into_iter().collect()))
}

/// Counts and kinds in comments: SNAP's `# Nodes: N Edges: M`, and KONECT's first lines `% sym|asym|bip ...` and `% EDGES NODES NODES`.
struct Comments<'a> {
    promise: Option<Promise>,
    /// A line, and the number of nodes that it has. Nodes without edges are not in the file.
    nodes: Option<(Line<'a>, u64)>,
    symmetric: bool,
}

impl<'a> Comments<'a> {
    fn read(text: Text<'a>) -> Result<Comments<'a>, GraphError> {
        let mut comments = Comments { promise: None, nodes: None, symmetric: false };
        let mut is_konect = false;
        for line in text.lines().filter(|line| line.is_comment(COMMENTS)) {
            let words = line.text.trim_ascii_start().trim_start_matches(COMMENTS).split_ascii_whitespace();
            let words: Vec<&str> = words.take(4).collect();
            match words[..] {
                ["Nodes:", nodes, "Edges:", edges] => comments.count(line, nodes, edges),
                [edges, nodes, _] if line.number == 2 && is_konect => comments.count(line, nodes, edges),
                [kind @ ("sym" | "asym"), _] if line.number == 1 => {
                    (is_konect, comments.symmetric) = (true, kind == "sym");
                }
                ["bip", _] if line.number == 1 => {
                    let what = "the graph is bipartite: the two columns number different nodes".into();
                    return Err(line.error(what, "number them all differently and leave out this line"));
                }
                _ => {}
            }
        }
        Ok(comments)
    }

    fn count(&mut self, line: Line<'a>, nodes: &str, edges: &str) {
        if let (Ok(nodes), Ok(edges)) = (nodes.parse(), edges.parse()) {
            self.promise = Some(Promise { line: line.number, edges });
            self.nodes = Some((line, nodes));
        }
    }
}

/// Nodes are called by names, not by numbers. A text of people is not taken for such a list: its lines have two words, or a number or a dictionary
/// behind them, no node is called by a number, as names of columns stand over numbers, and a name occurs more than once.
fn has_names<'a>(mut rows: impl Iterator<Item = Line<'a>> + Clone, columns: &Columns, named: bool) -> bool {
    let mut ends = rows.clone().map_while(|line| columns.row(&line).ok()).flat_map(|row| row.ends);
    if !ends.any(is_name) {
        return false;
    }
    let is_plain = |row: Row| !row.ends.iter().any(|end| is_number(end)) && row.length.is_none_or(is_number);
    let is_list = || columns.unused().is_none() && rows.clone().all(|line| columns.row(&line).is_ok_and(is_plain));
    if named || !is_list() {
        return named;
    }
    let mut seen = BTreeSet::new();
    rows.any(|line| columns.row(&line).is_ok_and(|row| row.ends.iter().any(|end| !seen.insert(*end))))
}

/// A reading of all edges.
struct Edges {
    columns: Columns,
    lengths: FoundLengths,
    other_keys: Attributes,
}

impl Edges {
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
        self.lengths.push(line.into(), length);
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

    fn with_names<'a>(
        &mut self,
        rows: impl Iterator<Item = Line<'a>>,
    ) -> Result<(Labels, Vec<(u32, u32)>), GraphError> {
        let (mut names, mut pairs) = (Names::default(), Vec::new());
        for line in rows {
            let row = self.columns.row(&line)?;
            let [v, u] = row.ends;
            pairs.push((names.node((&line).into(), v)?, names.node((&line).into(), u)?));
            self.length(&line, &row)?;
        }
        Ok((names.labels(), pairs))
    }
}
