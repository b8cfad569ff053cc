//! Format of a file. Its contents tell it: their beginning, or else that they fit a format as a whole. The name's
//! ending decides between those that fit, and is not contradicted.

use super::bytes::Bytes;
use super::columns::COMMENTS;
use super::found::Found;
use super::lines::{Line, Text};
use super::unpack::{Contents, ENDINGS, ZIP};
use super::{foreign, galois, gap, ligra, reader, Asked};
use crate::graph::error::GraphError;
use crate::graph::format::{names, Format};

/// Texts that have no beginning of their own.
const PLAIN: [Format; 8] = [
    Format::AdjacencyList,
    Format::AdjacencyMatrix,
    Format::EdgeList,
    Format::EdgeListWithCounts,
    Format::Lgl,
    Format::Metis,
    Format::Rodinia,
    Format::Scotch,
];

pub fn read(path: &str, contents: &Contents, asked: Asked) -> Result<(Format, Found), GraphError> {
    let bytes = &contents.bytes[..];
    let read = |format| reader::read(format, path, bytes, asked).map(|found| (format, found));
    if let Some(format) = binary(bytes) {
        return read(format);
    }
    foreign::refuse(Bytes { path, bytes })?;
    let hint = hint(&contents.name);
    let as_hinted = |format: Format| match read(format) {
        Err(error) => Err(unfit(error, format)),
        // The reader of another format of this ending has more to say.
        Ok(_) => Err(GraphError::Format { path: path.into() }),
    };
    let Some(text) = reader::text(bytes) else {
        let wanted = hint.iter().rev().find(|format| [Format::Galois, Format::Gap, Format::Scipy].contains(format));
        return wanted.map_or(Err(GraphError::Format { path: path.into() }), |format| as_hinted(*format));
    };
    if text.trim().is_empty() {
        return Err(GraphError::Empty { place: path.into() });
    }
    let text = Text { path, text: &text };
    if let Some(format) = beginning(text) {
        return read(format);
    }
    let mut fits: Vec<_> = PLAIN.into_iter().filter_map(|format| read(format).ok()).collect();
    fits.retain(|(_, found)| !found.pairs.is_empty());
    let is_hinted = |(format, _): &(Format, Found)| hint.contains(format);
    // No ending says whether an edge list has counts.
    let counts = hint == [Format::EdgeList] && fits.iter().any(|(format, _)| *format == Format::EdgeListWithCounts);
    match (fits.iter().position(is_hinted), hint.first()) {
        (Some(place), _) if fits.len() == 1 || !counts => Ok(fits.swap_remove(place)),
        (None, Some(format)) if *format != Format::EdgeList => as_hinted(*format),
        _ if fits.len() == 1 => Ok(fits.swap_remove(0)),
        _ if fits.is_empty() => Err(closest(text, asked)),
        _ => {
            let formats: Vec<Format> = fits.iter().map(|(format, _)| *format).collect();
            Err(GraphError::Ambiguous { path: path.into(), formats: names(&formats) })
        }
    }
}

fn unfit(error: GraphError, format: Format) -> GraphError {
    match error {
        GraphError::Empty { .. } | GraphError::TooManyNodes { .. } => error,
        error => GraphError::Unfit { error: Box::new(error), format: format.name() },
    }
}

fn binary(bytes: &[u8]) -> Option<Format> {
    match bytes {
        _ if bytes.starts_with(ZIP) => Some(Format::Scipy),
        _ if galois::is(bytes) => Some(Format::Galois),
        _ if gap::is(bytes) => Some(Format::Gap),
        _ => None,
    }
}

/// A text that begins as no other format does.
fn beginning(text: Text) -> Option<Format> {
    let first = text.lines().find(|line| !line.is_blank())?.words.next()?;
    let lower = first.to_ascii_lowercase();
    match first {
        ligra::PLAIN | ligra::WEIGHTED => Some(Format::Ligra),
        _ if lower.starts_with("%%matrixmarket") => Some(Format::MatrixMarket),
        _ if first.starts_with('<') => Some(Format::GraphMl),
        _ if is_dimacs(text) => Some(Format::Dimacs),
        _ if is_gml(text) => Some(Format::Gml),
        _ => None,
    }
}

/// A line `p KIND NUMBER` behind comments `c`.
fn is_dimacs(text: Text) -> bool {
    let mut lines = text.lines().filter(|line| !line.is_blank());
    let problem = lines.find_map(|mut line| match line.words.next() {
        Some("c") => None,
        first => Some((first, line.words.next(), line.words.next())),
    });
    let Some((Some("p"), Some(kind), Some(count))) = problem else { return false };
    kind.starts_with(|c: char| c.is_ascii_alphabetic()) && count.parse::<i64>().is_ok()
}

/// `graph [` among the first lines, outside of comments.
fn is_gml(text: Text) -> bool {
    let start = Text { text: &text.text[..text.text.floor_char_boundary(4096)], ..text };
    let start = start.rows(COMMENTS).map(|line| line.text).collect::<Vec<_>>().join("\n");
    start.match_indices("graph").any(|(at, word)| {
        let before = start[..at].chars().next_back().is_none_or(char::is_whitespace);
        before && start[at + word.len()..].trim_start().starts_with('[')
    })
}

/// The error of the format that comes closest, of a text that fits none.
fn closest(text: Text, asked: Asked) -> GraphError {
    let rows = text.lines().filter(|line| !line.is_comment(&['%', '#']));
    let number = |mut line: Line| line.words.next()?.parse::<i64>().ok();
    let mut words = rows.clone().filter(|line| !line.is_blank()).map(number);
    let Some(first) = words.next() else { return GraphError::Empty { place: text.path.into() } };
    let format = match (first, words.next().flatten()) {
        // METIS has a line for each node.
        (Some(nodes), _) if nodes > 2 && rows.skip_while(Line::is_blank).count() as i64 == nodes + 1 => Format::Metis,
        // Names of columns may stand over the numbers.
        (Some(_), _) | (None, Some(_)) => Format::EdgeList,
        (None, None) => return GraphError::Format { path: text.path.into() },
    };
    match reader::read(format, text.path, text.text.as_bytes(), asked) {
        Err(error) => unfit(error, format),
        Ok(_) => GraphError::Empty { place: text.path.into() },
    }
}

/// The formats that the ending of a file's name stands for.
fn hint(name: &str) -> &'static [Format] {
    let name = ENDINGS.iter().fold(name, |name, ending| name.strip_suffix(ending).unwrap_or(name));
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "mtx" => &[Format::MatrixMarket],
        "gr" => &[Format::Dimacs, Format::Galois],
        "col" => &[Format::Dimacs],
        "graph" | "metis" | "chaco" => &[Format::Metis],
        "grf" => &[Format::Scotch],
        "sg" | "wsg" => &[Format::Gap],
        "npz" => &[Format::Scipy],
        "gml" => &[Format::Gml],
        "graphml" => &[Format::GraphMl],
        "lgl" => &[Format::Lgl],
        "adjlist" => &[Format::AdjacencyList],
        "el" | "wel" | "edgelist" | "edges" | "csv" | "tsv" => &[Format::EdgeList],
        _ => &[],
    }
}
