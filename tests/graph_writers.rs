//! Graph files of other programs: each is read as the program's own reader reads it, or refused for the reason that stands beside it.
//! `tests/graphs` has the files and what the readers found; `scripts/graph_writers.sh` makes both.

use serde::Deserialize;
use sha2::{Digest, Sha256};
use sim::graph::{self, Graph, Weights};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Expected {
    /// Digest of the scripts.
    scripts: String,
    files: Vec<Row>,
}

/// What the writer's own reader found in a file. Edges are undirected, without loops, and each stands once with its shortest length.
#[derive(Deserialize)]
struct Row {
    file: String,
    writer: String,
    sha256: String,
    nodes: BTreeSet<String>,
    edges: Vec<(String, String, Option<f64>)>,
    /// Why no graph comes out of it here.
    refused: Option<String>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/graphs")
}

fn expected() -> Expected {
    serde_json::from_str(&fs::read_to_string(folder().join("expected.json")).unwrap()).unwrap()
}

fn hex(digest: Sha256) -> String {
    digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// All files in a folder and the folders in it, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// An edge with the lesser name first.
fn edge(a: String, b: String) -> (String, String) {
    if a < b {
        (a, b)
    } else {
        (b, a)
    }
}

/// Edges and lengths by the names that the file gives its nodes.
fn edges(graph: &Graph) -> BTreeSet<(String, String, Option<u32>)> {
    let mut found = BTreeSet::new();
    for v in 0..graph.nodes() as u32 {
        let first = graph.row[v as usize] as usize;
        for (i, &u) in graph.neighbours(v).iter().enumerate().filter(|(_, &u)| v < u) {
            let length = match &graph.weights {
                Weights::Given(lengths) => Some(lengths[first + i]),
                _ => None,
            };
            let (a, b) = edge(graph.label(v), graph.label(u));
            found.insert((a, b, length));
        }
    }
    found
}

impl Row {
    /// What differs, in a line.
    fn difference(&self) -> Option<String> {
        let path = folder().join("files").join(&self.file);
        match (graph::open(path.to_str().unwrap()), &self.refused) {
            (Err(_), Some(_)) => None,
            (Ok(graph), Some(why)) => {
                Some(format!("read with {} nodes and {} edges, but {why}", graph.nodes(), graph.edges() / 2))
            }
            (Err(error), None) => Some(format!("refused: {error}")),
            (Ok(graph), None) => self.compare(&graph),
        }
    }

    fn compare(&self, graph: &Graph) -> Option<String> {
        let nodes: BTreeSet<String> = (0..graph.nodes() as u32).map(|v| graph.label(v)).collect();
        if nodes != self.nodes {
            return Some(format!("nodes {nodes:?}, right {:?}", self.nodes));
        }
        let whole = self.edges.iter().all(|(_, _, length)| length.is_none_or(|length| length.fract() == 0.0));
        let usable = !matches!(graph.weights, Weights::Unusable(_));
        if usable != whole {
            return Some(format!("lengths that are {}whole: {:?}", if whole { "" } else { "not " }, graph.weights));
        }
        let length = |length: &Option<f64>| length.filter(|_| whole).map(|length| length as u32);
        let named = |(a, b, l): &(String, String, Option<f64>)| (a.clone(), b.clone(), length(l));
        let (found, right) = (edges(graph), self.edges.iter().map(named).collect());
        (found != right).then(|| format!("edges {found:?}, right {right:?}"))
    }
}

#[test]
fn files_of_other_programs_are_read_as_their_own_readers_read_them() {
    let differences: Vec<String> = expected()
        .files
        .iter()
        .filter_map(|row| row.difference().map(|what| format!("{} of {}: {what}", row.file, row.writer)))
        .collect();
    assert!(differences.is_empty(), "{} files:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn the_files_are_those_of_the_scripts() {
    let expected = expected();
    let mut scripts = Sha256::new();
    for path in files(&folder().join("writers")) {
        scripts.update(format!("{}\0", path.file_name().unwrap().to_str().unwrap()));
        scripts.update(fs::read(path).unwrap());
    }
    assert_eq!(hex(scripts), expected.scripts, "tests/graphs is stale: run scripts/graph_writers.sh");
    for row in &expected.files {
        let bytes = fs::read(folder().join("files").join(&row.file)).unwrap();
        assert_eq!(hex(Sha256::new_with_prefix(bytes)), row.sha256, "{} is not as it was written", row.file);
    }
    let writers: BTreeSet<&str> = expected.files.iter().map(|row| row.writer.as_str()).collect();
    assert!(writers.len() > 12, "{writers:?}");
}
