//! The formats of graph files.

use super::error::GraphError;
use super::shown::shown;
use std::str::FromStr;

/// In the order of their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    AdjacencyList,
    AdjacencyMatrix,
    Chaco,
    Dimacs,
    EdgeList,
    EdgeListWithCounts,
    Galois,
    Gap,
    Gml,
    GraphMl,
    Lgl,
    Ligra,
    MatrixMarket,
    Metis,
    Rodinia,
    Scipy,
    Scotch,
}

impl Format {
    pub const ALL: [Format; 17] = [
        Format::AdjacencyList,
        Format::AdjacencyMatrix,
        Format::Chaco,
        Format::Dimacs,
        Format::EdgeList,
        Format::EdgeListWithCounts,
        Format::Galois,
        Format::Gap,
        Format::Gml,
        Format::GraphMl,
        Format::Lgl,
        Format::Ligra,
        Format::MatrixMarket,
        Format::Metis,
        Format::Rodinia,
        Format::Scipy,
        Format::Scotch,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Format::AdjacencyList => "adjacency-list",
            Format::AdjacencyMatrix => "adjacency-matrix",
            Format::Chaco => "chaco",
            Format::Dimacs => "dimacs",
            Format::EdgeList => "edge-list",
            Format::EdgeListWithCounts => "edge-list-with-counts",
            Format::Galois => "galois",
            Format::Gap => "gap",
            Format::Gml => "gml",
            Format::GraphMl => "graphml",
            Format::Lgl => "lgl",
            Format::Ligra => "ligra",
            Format::MatrixMarket => "matrix-market",
            Format::Metis => "metis",
            Format::Rodinia => "rodinia",
            Format::Scipy => "scipy",
            Format::Scotch => "scotch",
        }
    }

    /// For people to read.
    pub fn description(self) -> &'static str {
        match self {
            Format::AdjacencyList => "networkx's adjacency list: a node and its neighbours a line; any names",
            Format::AdjacencyMatrix => "a row of numbers a line, 0 where there is no edge; nodes are called 0, 1, ...",
            Format::Chaco => "as METIS, with the nodes' numbers at the line starts; only if it is named",
            Format::Dimacs => "DIMACS, `p sp` (shortest path, .gr) and `p edge` or `p col` (.col); nodes are called 1, 2, ...",
            Format::EdgeList => {
                "edge list (SNAP, KONECT, networkx, csv): two nodes a line, behind them a length if it has lengths; # and % start a comment"
            }
            Format::EdgeListWithCounts => "edge list whose first line has the numbers of nodes and edges",
            Format::Galois => "Galois and LonestarGPU, binary .gr, versions 1 and 2; nodes are called 0, 1, ...",
            Format::Gap => "GAP's binary .sg and .wsg; nodes are called 0, 1, ...",
            Format::Gml => "GML; nodes are called by their labels",
            Format::GraphMl => "GraphML; nodes are called by their ids",
            Format::Lgl => "LGL: `# NODE`, then its neighbours, a line each",
            Format::Ligra => "Ligra's AdjacencyGraph and WeightedAdjacencyGraph; nodes are called 0, 1, ...",
            Format::MatrixMarket => "Matrix Market (.mtx); nodes are called 1, 2, ...",
            Format::Metis => "METIS and Chaco (.graph), nodes are called 1, 2, ...",
            Format::Rodinia => "the text of Rodinia's search; nodes are called 0, 1, ...",
            Format::Scipy => "scipy's sparse matrix (.npz), csr, csc or coo; nodes are called 0, 1, ...",
            Format::Scotch => "Scotch (.grf); nodes are called from the file's first number, or by its labels",
        }
    }
}

impl FromStr for Format {
    type Err = GraphError;
    fn from_str(text: &str) -> Result<Format, GraphError> {
        let known = Format::ALL.into_iter().find(|format| format.name() == text);
        let listed = || spelling::listed(text, Format::ALL.map(Format::name));
        known.ok_or_else(|| GraphError::FormatName { text: shown(text), known: listed() })
    }
}

/// The names of formats in a list.
pub fn names(formats: &[Format]) -> String {
    formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
}
