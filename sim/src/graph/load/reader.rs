//! The reader of each format.

use super::bytes::Bytes;
use super::found::Found;
use super::lines::Text;
use super::Asked;
use super::{adjacency_list, adjacency_matrix, counts, dimacs, edge_list, galois, gap, gml, graphml, lgl, ligra};
use super::{matrix_market, metis, rodinia, scipy, scotch};
use crate::graph::error::GraphError;
use crate::graph::format::Format;
use std::borrow::Cow;

enum Reader {
    Text(fn(Text, Asked) -> Result<Found, GraphError>),
    Binary(fn(Bytes, Asked) -> Result<Found, GraphError>),
}

fn of(format: Format) -> Reader {
    match format {
        Format::AdjacencyList => Reader::Text(adjacency_list::read),
        Format::AdjacencyMatrix => Reader::Text(adjacency_matrix::read),
        Format::Chaco => Reader::Text(metis::read_chaco),
        Format::Dimacs => Reader::Text(dimacs::read),
        Format::EdgeList => Reader::Text(edge_list::read),
        Format::EdgeListWithCounts => Reader::Text(counts::read),
        Format::Galois => Reader::Binary(galois::read),
        Format::Gap => Reader::Binary(gap::read),
        Format::Gml => Reader::Text(gml::read),
        Format::GraphMl => Reader::Text(graphml::read),
        Format::Lgl => Reader::Text(lgl::read),
        Format::Ligra => Reader::Text(ligra::read),
        Format::MatrixMarket => Reader::Text(matrix_market::read),
        Format::Metis => Reader::Text(metis::read),
        Format::Rodinia => Reader::Text(rodinia::read),
        Format::Scipy => Reader::Binary(scipy::read),
        Format::Scotch => Reader::Text(scotch::read),
    }
}

/// `bytes` are of this format.
pub fn read(format: Format, path: &str, bytes: &[u8], asked: Asked) -> Result<Found, GraphError> {
    match of(format) {
        Reader::Binary(read) => read(Bytes { path, bytes }, asked),
        Reader::Text(read) => match text(bytes) {
            Some(text) if text.trim().is_empty() => Err(GraphError::Empty { place: path.into() }),
            Some(text) => read(Text { path, text: &text }, asked),
            None => {
                let what = format!("not a text, as {} is", format.name());
                Err(GraphError::File { path: path.into(), what, remedy: "name the right format" })
            }
        },
    }
}

/// The text with line ends that are read everywhere; `None`: there is none.
pub fn text(bytes: &[u8]) -> Option<Cow<'_, str>> {
    if bytes.contains(&0) {
        return None;
    }
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    let is_lone = |at: usize| text.as_bytes()[at] == b'\r' && text.as_bytes().get(at + 1) != Some(&b'\n');
    match (0..text.len()).any(is_lone) {
        true => Some(text.replace("\r\n", "\n").replace('\r', "\n").into()),
        false => Some(text),
    }
}
