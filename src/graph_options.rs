//! `--graph-format`, `--lengths` and `--directed`: how the file of `--graph` is read.

use anyhow::{ensure, Result};
use sim::graph::{self, Format, Graph, Lengths, ReadOptions};
use sim::workload::Workload;

#[derive(clap::Args)]
pub struct GraphOptions {
    /// Format of the file of --graph (see `unruly list graphs`) [default: found from the contents]
    #[arg(long, value_name = "FORMAT")]
    graph_format: Option<Format>,
    /// Lengths of edges: the file's (`file`), hashed (`hash`), or the file's times a number, rounded (`scale:N`) [default: file; hash if the file has none]
    #[arg(long, value_name = "LENGTHS")]
    lengths: Option<Lengths>,
    /// Keep the directions that the edges have in the file [default: every edge goes both ways]
    #[arg(long)]
    directed: bool,
}

impl GraphOptions {
    /// The option that is given, for a workload without a graph.
    pub fn given(&self) -> Option<&'static str> {
        let options = [
            ("--graph-format", self.graph_format.is_some()),
            ("--lengths", self.lengths.is_some()),
            ("--directed", self.directed),
        ];
        options.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    pub fn open(&self, spec: &str, workload: &Workload) -> Result<Graph> {
        let takes = self.lengths.is_none() || workload.takes_lengths;
        ensure!(takes, "{} takes no lengths of edges: leave out --lengths", workload.name);
        let (format, lengths) = (self.graph_format, self.lengths.unwrap_or_default());
        Ok(graph::open_with(spec, &ReadOptions { format, lengths, directed: self.directed })?)
    }
}
