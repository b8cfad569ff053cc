//! Origin of a graph that was read from a file.

use super::format::Format;
use super::options::Lengths;

#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    pub format: Format,
    /// Edges have kept their directions.
    pub directed: bool,
    pub lengths: Lengths,
    /// Other facts of the file about its nodes and edges, which nobody uses: for people to read.
    pub unused: Vec<String>,
}
