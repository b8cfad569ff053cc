//! Graphs: where they come from and how they are kept.
//!
//! [`open`] takes what a user writes: the name of a built-in graph, a generator, or a file.

mod builtin;
mod changes;
mod csr;
mod error;
mod format;
mod generate;
mod limits;
mod load;
mod named;
mod options;
mod origin;
mod shown;
mod weights;

pub use changes::Changes;
pub use csr::{Graph, Labels, Weights};
pub use error::GraphError;
pub use format::Format;
pub use generate::SplitMix64;
pub use limits::{MAX_LENGTH, MAX_NODES};
pub use named::NoSuchNode;
pub use options::{Lengths, ReadOptions};
pub use origin::Origin;

/// A name that [`open`] takes, or the form of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: &'static str,
    pub description: &'static str,
}

/// [`open_with`] without options.
pub fn open(spec: &str) -> Result<Graph, GraphError> {
    open_with(spec, &ReadOptions::default())
}

/// `spec` is a built-in graph (`debian`), a generator (`gen:KIND:SIZE[:OPTION=VALUE ...]`) or the path of a file; options are for files.
///
/// Errors: see [`GraphError`]; each says what is wrong, where, and what to do.
pub fn open_with(spec: &str, options: &ReadOptions) -> Result<Graph, GraphError> {
    if is_path(spec) {
        return load::open(spec, options);
    }
    if *options != ReadOptions::default() {
        return Err(GraphError::Options { spec: spec.into() });
    }
    match spec.strip_prefix("gen:") {
        Some(rest) => generate::open(spec, rest),
        None => Ok(builtin::debian()),
    }
}

/// [`open`] takes it as the path of a file.
pub fn is_path(spec: &str) -> bool {
    !spec.starts_with("gen:") && spec != builtin::DEBIAN
}

/// Everything that [`open`] takes, for people to read.
pub fn catalog() -> Vec<Entry> {
    let mut entries = vec![Entry {
        name: builtin::DEBIAN,
        description: "package dependencies of Debian 12 main: 63,666 packages, 277,181 relations, source libc6",
    }];
    entries.extend(generate::entries());
    entries.push(Entry {
        name: "FILE",
        description: "a file in one of these formats, found from its contents or named by --graph-format; plain or as .gz, .bz2, .xz, .zst, or alone in a .tar or .zip",
    });
    entries.extend(Format::ALL.map(|format| Entry { name: format.name(), description: format.description() }));
    entries
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Every edge in both directions, none twice, no loop, targets ascending; degrees add up to the edges.
    pub fn assert_simple_and_symmetric(graph: &Graph) {
        let nodes = graph.nodes() as u32;
        assert_eq!((0..nodes).map(|v| graph.neighbours(v).len()).sum::<usize>(), graph.edges());
        for v in 0..nodes {
            let neighbours = graph.neighbours(v);
            assert!(neighbours.windows(2).all(|pair| pair[0] < pair[1]), "node {v}: {neighbours:?}");
            assert!(!neighbours.contains(&v), "node {v} has a loop");
            assert!(neighbours.iter().all(|&u| graph.neighbours(u).binary_search(&v).is_ok()), "node {v}");
        }
    }

    /// Share of the edges whose ends have numbers that differ by 32 at most: about as many words as a memory block has.
    pub fn local_share(graph: &Graph) -> f64 {
        let of = |v: u32| graph.neighbours(v).iter().filter(|&&u| u.abs_diff(v) <= 32).count();
        (0..graph.nodes() as u32).map(of).sum::<usize>() as f64 / graph.edges() as f64
    }

    #[test]
    fn every_generator_and_format_is_listed() {
        let names: Vec<_> = catalog().iter().map(|entry| entry.name).collect();
        for start in [
            "debian",
            "gen:uniform:",
            "gen:kron:",
            "gen:rmat:",
            "gen:grid:",
            "gen:road:",
            "gen:delaunay:",
            "gen:geometric:",
            "gen:census:",
            "gen:collaboration:",
            "gen:human:",
            "gen:mesh:",
            "gen:shell:",
            "gen:rodinia:",
            "gen:directed:",
            "FILE",
            "matrix-market",
            "dimacs",
        ] {
            assert!(names.iter().any(|name| name.starts_with(start)), "{start}");
        }
    }
}
