//! The formats of graph files.

use super::error::GraphError;
use super::shown::shown;
use std::str::FromStr;

spelling::named! {
    /// In the order of their names.
    pub enum Format {
        AdjacencyList = "adjacency-list": "networkx's adjacency list: a node and its neighbours a line; any names",
        AdjacencyMatrix = "adjacency-matrix": "a row of numbers a line, 0 where there is no edge; nodes are called 0, 1, ...",
        Chaco = "chaco": "as METIS, with the nodes' numbers at the line starts; only if it is named",
        Dimacs = "dimacs": "DIMACS, `p sp` (shortest path, .gr) and `p edge` or `p col` (.col); nodes are called 1, 2, ...",
        EdgeList = "edge-list": "edge list (SNAP, KONECT, networkx, csv): two nodes a line, behind them a length if it has lengths; # and % start a comment",
        EdgeListWithCounts = "edge-list-with-counts": "edge list whose first line has the numbers of nodes and edges",
        Galois = "galois": "Galois and LonestarGPU, binary .gr, versions 1 and 2; nodes are called 0, 1, ...",
        Gap = "gap": "GAP's binary .sg and .wsg; nodes are called 0, 1, ...",
        Gml = "gml": "GML; nodes are called by their labels",
        GraphMl = "graphml": "GraphML; nodes are called by their ids",
        Lgl = "lgl": "LGL: `# NODE`, then its neighbours, a line each",
        Ligra = "ligra": "Ligra's AdjacencyGraph and WeightedAdjacencyGraph; nodes are called 0, 1, ...",
        MatrixMarket = "matrix-market": "Matrix Market (.mtx); nodes are called 1, 2, ...",
        Metis = "metis": "METIS and Chaco (.graph), nodes are called 1, 2, ...",
        Rodinia = "rodinia": "the text of Rodinia's search; nodes are called 0, 1, ...",
        Scipy = "scipy": "scipy's sparse matrix (.npz), csr, csc or coo; nodes are called 0, 1, ...",
        Scotch = "scotch": "Scotch (.grf); nodes are called from the file's first number, or by its labels",
    }
}

impl FromStr for Format {
    type Err = GraphError;
    fn from_str(text: &str) -> Result<Format, GraphError> {
        Format::find(text).map_err(|known| GraphError::FormatName { text: shown(text), known })
    }
}

/// The names of formats in a list.
pub fn names(formats: &[Format]) -> String {
    formats.iter().map(|format| format.name()).collect::<Vec<_>>().join(", ")
}
