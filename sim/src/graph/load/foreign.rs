//! Files that are no graphs, or graphs in formats that are not read: each is told by its name.

use super::bytes::Bytes;
use crate::graph::error::GraphError;

const CONVERT: &str = "convert it, for example to Matrix Market";

/// The beginning of a file, its format, and the remedy.
const BEGINNINGS: [(&[u8], &str, &str); 22] = [
    (b"\xff\xfe", "a text in UTF-16", "save it as UTF-8"),
    (b"\xfe\xff", "a text in UTF-16", "save it as UTF-8"),
    (b"\x93NUMPY", "a single array of NumPy", "save a sparse matrix with scipy.sparse.save_npz"),
    (b"\x89HDF", "an HDF5 file", CONVERT),
    (b"MATLAB 5.0", "a MATLAB file", CONVERT),
    (b"PAR1", "a Parquet file", CONVERT),
    (b"%PDF", "a PDF", "give a graph"),
    (b"\x80\x04\x95", "a pickle of Python", CONVERT),
    (b"*vertices", "Pajek's format, which is not read", CONVERT),
    (b"*network", "Pajek's format, which is not read", CONVERT),
    (b"leda.graph", "LEDA's format, which is not read", CONVERT),
    (b">>graph6<<", "the format graph6, which is not read", CONVERT),
    (b">>sparse6<<", "the format sparse6, which is not read", CONVERT),
    (b"<!doctype html", "a web page", "fetch the file itself"),
    (b"<html", "a web page", "fetch the file itself"),
    (b"digraph", "the format DOT, which is not read", CONVERT),
    (b"strict ", "the format DOT, which is not read", CONVERT),
    (b"graph {", "the format DOT, which is not read", CONVERT),
    (b"{", "JSON, which is not read", CONVERT),
    (b"[", "JSON, which is not read", CONVERT),
    (b"<gexf", "GEXF, which is not read", CONVERT),
    (b"edgearray", "the format EdgeArray, which is not read", CONVERT),
];

pub fn refuse(file: Bytes) -> Result<(), GraphError> {
    let bytes = file.bytes.trim_ascii_start();
    let begins = |beginning: &[u8]| {
        bytes.get(..beginning.len()).is_some_and(|start| start == beginning || start.to_ascii_lowercase() == beginning)
    };
    match BEGINNINGS.iter().find(|(beginning, ..)| begins(beginning)) {
        None => Ok(()),
        Some((_, what, remedy)) => Err(file.place().error((*what).to_owned(), remedy)),
    }
}
