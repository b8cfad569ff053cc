//! Graph files of other programs: each is read as the program's own reader reads it, or refused for the listed reason.
//! `tests/graphs` has the files and what the readers found; `scripts/graph_writers.sh` makes both.

use serde::Deserialize;
use sha2::{Digest, Sha256};
use sim::graph::{self, Graph, Lengths, ReadOptions, Weights};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
struct Expected {
    /// Digest of the scripts.
    scripts: String,
    files: Vec<Row>,
}

/// The graph that the writer's own reader found in a file. Edges are undirected, without loops, and each is there once
/// with its shortest length.
#[derive(Deserialize)]
struct Row {
    file: String,
    writer: String,
    sha256: String,
    nodes: BTreeSet<String>,
    edges: Vec<(String, String, Option<f64>)>,
    /// The edges of a directed graph with their directions.
    arcs: Option<Vec<(String, String, Option<f64>)>>,
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

/// It makes whole numbers of all lengths of these files.
const SCALE: f64 = 1000.0;

type Edges = BTreeSet<(String, String, Option<u32>)>;

/// Edges and lengths by the names that the file gives its nodes: each in its direction, or each once with the lesser name first.
fn edges(graph: &Graph, directed: bool) -> Edges {
    let mut found = BTreeSet::new();
    for v in 0..graph.nodes() as u32 {
        let first = graph.row[v as usize] as usize;
        for (i, &u) in graph.neighbours(v).iter().enumerate() {
            let length = match &graph.weights {
                Weights::Given(lengths) => Some(lengths[first + i]),
                _ => None,
            };
            let (a, b) = (graph.label(v), graph.label(u));
            if directed || a < b {
                found.insert((a, b, length));
            }
        }
    }
    found
}

/// A way to read a file.
struct Reading {
    directed: bool,
    lengths: Lengths,
}

impl Reading {
    fn options(&self) -> ReadOptions {
        ReadOptions { directed: self.directed, lengths: self.lengths, ..ReadOptions::default() }
    }

    /// A length as it should come out; `None` if it cannot be one.
    fn length(&self, length: f64) -> Option<u32> {
        let length = match self.lengths {
            Lengths::Scale(factor) => (length * factor).round(),
            _ => length,
        };
        (length.fract() == 0.0 && length >= 0.0).then_some(length as u32)
    }
}

impl Row {
    fn readings(&self) -> Vec<Reading> {
        let ways = [(false, Lengths::File), (false, Lengths::Scale(SCALE)), (true, Lengths::File)];
        let has_lengths = self.edges.iter().any(|edge| edge.2.is_some());
        let ways = ways.into_iter().filter(|(directed, lengths)| match (directed, lengths) {
            (true, _) => self.arcs.is_some(),
            (false, Lengths::Scale(_)) => has_lengths,
            _ => true,
        });
        ways.map(|(directed, lengths)| Reading { directed, lengths }).collect()
    }

    /// The difference, in a line.
    fn difference(&self) -> Option<String> {
        self.readings().iter().find_map(|reading| self.difference_of(reading))
    }

    fn difference_of(&self, reading: &Reading) -> Option<String> {
        let path = folder().join("files").join(&self.file);
        match (graph::open_with(path.to_str().unwrap(), &reading.options()), &self.refused) {
            (Err(_), Some(_)) => None,
            (Ok(graph), Some(why)) => {
                Some(format!("read with {} nodes and {} edges, but {why}", graph.nodes(), graph.edges()))
            }
            (Err(error), None) => Some(format!("refused: {error}")),
            (Ok(graph), None) => self.compare(&graph, reading),
        }
    }

    fn compare(&self, graph: &Graph, reading: &Reading) -> Option<String> {
        let nodes: BTreeSet<String> = (0..graph.nodes() as u32).map(|v| graph.label(v)).collect();
        if nodes != self.nodes {
            return Some(format!("nodes {nodes:?}, right {:?}", self.nodes));
        }
        let right = self.arcs.as_ref().filter(|_| reading.directed).unwrap_or(&self.edges);
        let usable = right.iter().all(|edge| edge.2.is_none_or(|length| reading.length(length).is_some()));
        if usable == matches!(graph.weights, Weights::Unusable(_)) {
            return Some(format!("lengths that can be used: {usable}; {:?}", graph.weights));
        }
        let named = |(a, b, length): &(String, String, Option<f64>)| {
            (a.clone(), b.clone(), length.filter(|_| usable).and_then(|length| reading.length(length)))
        };
        let (found, right): (Edges, Edges) = (edges(graph, reading.directed), right.iter().map(named).collect());
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
    // OGB's graph is a folder, named by the file of its edges.
    let named: BTreeSet<PathBuf> = expected.files.iter().map(|row| folder().join("files").join(&row.file)).collect();
    let beside = |path: &Path| path.parent().is_some_and(|parent| parent.ends_with("ogb-raw"));
    let unnamed: Vec<PathBuf> =
        files(&folder().join("files")).into_iter().filter(|path| !named.contains(path) && !beside(path)).collect();
    assert!(unnamed.is_empty(), "nothing is known of {unnamed:?}");
    let writers: BTreeSet<&str> = expected.files.iter().map(|row| row.writer.as_str()).collect();
    assert!(writers.len() > 12, "{writers:?}");
}
