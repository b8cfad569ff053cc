//! Inputs of algorithms: a graph, or an input of a given size that they make themselves.

use crate::graph::Graph;

/// Kind of an algorithm's input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    Graph,
    /// A graph and the node to start from.
    GraphAndSource,
    /// Nothing but a size: it makes its input itself.
    Size(Size),
}

/// Size of a regular kernel's input, 1 to `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Name of what is counted: "elements of a vector".
    pub meaning: &'static str,
    pub default: u32,
    pub max: u32,
}

/// Input of a run.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// `source` only matters to an algorithm that starts somewhere.
    Graph { graph: &'a Graph, source: u32 },
    /// Elements, rows or whatever else the workload is measured in.
    Size(u32),
}
