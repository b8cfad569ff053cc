//! Errors in a graph: what, where, and what to do about it, in one line.

use super::limits::MAX_NODES;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GraphError {
    #[error("{path}: cannot read the graph: {reason}; give a readable file, `debian` or gen:KIND:SIZE")]
    Read { path: String, reason: String },
    #[error(
        "{path}: not a graph format that is known; `unruly list graphs` has those that are, --graph-format names one"
    )]
    Format { path: String },
    #[error("{path}: the file fits several formats: {formats}; name the right one with --graph-format")]
    Ambiguous { path: String, formats: String },
    /// `error` is of the format that comes closest.
    #[error("{error} (read as {format}; --graph-format names another format)")]
    Unfit { error: Box<GraphError>, format: &'static str },
    #[error("not a graph format that is known: `{text}`; give one of {known}")]
    FormatName { text: String, known: String },
    #[error("lengths are not taken like this: `{text}`; give file, hash or scale:N with a number N above 0")]
    Lengths { text: String },
    #[error("{spec}: --graph-format, --lengths and --directed are for graphs in files; leave them out")]
    Options { spec: String },
    /// A file as a whole.
    #[error("{path}: {what}; {remedy}")]
    File { path: String, what: String, remedy: &'static str },
    /// A line of a file.
    #[error("{path}:{line}: {what}; {remedy}")]
    Line { path: String, line: usize, what: String, remedy: &'static str },
    #[error("{place}: empty graph, it has no edge between two nodes; give one with at least one edge")]
    Empty { place: String },
    #[error("{place}: {nodes} nodes, but a work ID has 24 bits; give a graph of at most {MAX_NODES} nodes")]
    TooManyNodes { place: String, nodes: u64 },
    #[error(
        "{place}: {edges} edges, one for each direction, but edges are counted with 32 bits; give a smaller graph"
    )]
    TooManyEdges { place: String, edges: u64 },
    /// A specification of a generated graph, and the form that it should have.
    #[error("{spec}: {what}; write {form}")]
    Generator { spec: String, what: String, form: &'static str },
}
