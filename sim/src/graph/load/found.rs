//! The contents of a file, before they become a graph.

use super::length::FoundLengths;
use crate::graph::changes::{Changes, Directions};
use crate::graph::csr::{Graph, Labels, Weights};
use crate::graph::error::GraphError;
use crate::graph::format::Format;
use crate::graph::origin::Origin;

/// Edges as a file names them.
pub struct Found {
    pub nodes: usize,
    pub labels: Labels,
    pub pairs: Vec<(u32, u32)>,
    pub lengths: FoundLengths,
    /// By the file's form each pair stands for both directions.
    pub symmetric: bool,
    /// Where the file starts a search.
    pub source: Option<u32>,
    /// Other parts of the file, each by its name.
    pub unused: Vec<String>,
}

impl Found {
    pub fn new(nodes: u64, labels: Labels, lengths: FoundLengths) -> Found {
        let (nodes, pairs, unused) = (nodes as usize, Vec::new(), Vec::new());
        Found { nodes, labels, pairs, lengths, symmetric: false, source: None, unused }
    }

    /// Without loops, each edge once in each of its directions. `directed`: a direction that is not named is not added.
    pub fn graph(self, path: &str, format: Format, directed: bool) -> Result<Graph, GraphError> {
        let Found { nodes, labels, pairs, lengths, symmetric, source, unused } = self;
        let directions = match (symmetric, directed) {
            (true, _) => Directions::Symmetric,
            (false, true) => Directions::Kept,
            (false, false) => Directions::Doubled,
        };
        let kept = directions == Directions::Kept;
        let edges = pairs.len() as u64 * if kept { 1 } else { 2 };
        if edges > u32::MAX as u64 {
            return Err(GraphError::TooManyEdges { place: path.into(), edges });
        }
        let name = name(path);
        let values = lengths.values();
        let graph = match (kept, values) {
            (true, Some(values)) => Graph::directed_weighted(&name, nodes, &pairs, values),
            (true, None) => Graph::directed(&name, nodes, &pairs),
            (false, Some(values)) => Graph::undirected_weighted(&name, nodes, &pairs, values),
            (false, None) => Graph::undirected(&name, nodes, &pairs),
        };
        let changes = Changes::of(&pairs, values.unwrap_or(&[]), directions);
        let origin = Origin { format, directed, lengths: lengths.asked, unused };
        let weights = lengths.wrong.map_or(graph.weights, Weights::Unusable);
        let source = source.unwrap_or(graph.source);
        Ok(Graph { labels, weights, source, changes: Some(changes), origin: Some(origin), ..graph })
    }
}

/// A graph's name: the file's, without directory and extensions.
fn name(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    let stem = super::unpack::ENDINGS.iter().fold(file, |file, ending| file.strip_suffix(ending).unwrap_or(file));
    stem.rsplit_once('.').map_or(stem, |(stem, _)| stem).to_owned()
}

/// The edges that a file's header promised.
pub struct Promise {
    /// Line of the header.
    pub line: usize,
    pub edges: u64,
}

impl Promise {
    pub fn check(&self, path: &str, found: u64) -> Result<(), GraphError> {
        if found == self.edges {
            return Ok(());
        }
        let than = if found < self.edges { "fewer edges than promised" } else { "more edges than promised" };
        Err(GraphError::Line {
            path: path.into(),
            line: self.line,
            what: format!("{than}: {} here, {found} in the file", self.edges),
            remedy: "fetch the file again or correct the count",
        })
    }
}
