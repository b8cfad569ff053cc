//! Why a workload did not run or came to a wrong result, in one line.

use crate::attach::iru::ReorderError;
use crate::exec::AddressError;
use crate::gpu::RunError;
use crate::graph::{GraphError, MAX_LENGTH};
use crate::ptx::PtxError;
use thiserror::Error;

/// Result of a workload.
pub type Result<T, E = WorkloadError> = std::result::Result<T, E>;

#[derive(Debug, Error)]
pub enum WorkloadError {
    #[error("unknown workload `{name}`; there is {known}")]
    UnknownWorkload { name: String, known: String },
    #[error("unknown variant `{name}`; there is {known}")]
    UnknownVariant { name: String, known: String },
    #[error("{workload} has no variant `{variant}`; on {config} there is {known}")]
    NoVariant { workload: &'static str, variant: &'static str, config: String, known: String },
    #[error("{workload} {variant} does not run on {config}, which has {what}; there is {known}")]
    Unsupported { workload: &'static str, variant: &'static str, config: String, what: &'static str, known: String },
    #[error("{workload} needs a graph: give --graph debian, gen:KIND:SIZE or a file (see `unruly list graphs`)")]
    NeedsGraph { workload: &'static str },
    #[error("{workload} works on no graph: leave out --graph and give a --size, or neither")]
    NoGraph { workload: &'static str },
    #[error("size {size}: {workload} takes 1 to {max} {meaning}")]
    Size { workload: &'static str, size: u32, meaning: &'static str, max: u32 },
    #[error("size {size}: {workload} takes at least {least} {meaning}")]
    TooSmall { workload: &'static str, size: u32, meaning: &'static str, least: u32 },
    #[error(
        "{bodies} bodies: some lie so close to each other that the octree is deeper than 32 cells; give another size"
    )]
    Crowded { bodies: u32 },
    #[error("{points} points: {what}; give another size")]
    Refinement { points: u32, what: &'static str },
    #[error("source {source_node}: graph {graph} has nodes 0 to {last}; give one of them")]
    Source { source_node: u32, graph: String, last: usize },
    #[error("graph {graph}: the edge between {v} and {u} goes in one direction only; give an undirected graph, with the same lengths both ways: a file is one without --directed")]
    Directed { graph: String, v: String, u: String },
    #[error("graph {graph}: the edge from {v} to {u} has none back, and {who} needs both directions; give an undirected graph: a file is one without --directed")]
    OneWay { graph: String, v: String, u: String, who: &'static str },
    #[error("graph {graph}: the shortest path to {node} is {length} long, but paths are at most {MAX_LENGTH}, 32 bits; give smaller lengths")]
    TooFar { graph: String, node: String, length: u64 },
    #[error("graph {graph}: more than 2^{limit} shortest paths from node {source_node}, too many for 32-bit floats to share out; give a graph with fewer, or another source")]
    Paths { graph: String, source_node: u32, limit: i32 },
    #[error(transparent)]
    Graph(#[from] GraphError),
    #[error(transparent)]
    Ptx(#[from] PtxError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Reorder(#[from] ReorderError),
    #[error("host access: {0}")]
    Memory(#[from] AddressError),
    #[error("wrong result: {wrong} of {count} {what}; the first is {place}: {found}, should be {expected}")]
    Wrong { wrong: usize, count: usize, what: String, place: String, found: String, expected: String },
}
