//! Graphs: where they come from and how they are kept.
//!
//! [`open`] takes what a user writes: the name of a built-in graph, a generator, or a file.

mod builtin;
mod csr;
mod error;
mod generate;
mod load;

pub use csr::{Graph, Labels, MAX_NODES};
pub use error::GraphError;

/// A name that [`open`] takes, or the form of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: &'static str,
    pub description: &'static str,
}

/// `spec` is a built-in graph (`debian`), a generator (`gen:KIND:SIZE[:seed=N]`) or the path of a file.
///
/// Errors: see [`GraphError`]; each says what is wrong, where, and what to do.
pub fn open(spec: &str) -> Result<Graph, GraphError> {
    if let Some(rest) = spec.strip_prefix("gen:") {
        return generate::open(spec, rest);
    }
    match spec {
        builtin::DEBIAN => Ok(builtin::debian()),
        path => load::open(path),
    }
}

/// Everything that [`open`] takes, for people to read.
pub fn catalog() -> Vec<Entry> {
    let mut entries = vec![Entry {
        name: builtin::DEBIAN,
        description: "package dependencies of Debian 12 main: 63,666 packages, 277,181 relations, source libc6",
    }];
    entries.extend(generate::KINDS);
    entries.extend(load::FORMATS);
    entries
}
