//! Algorithms to run: device buffers, launches, and a check of the result against a plain CPU algorithm.

pub mod bfs;
mod error;
mod params;
pub mod reference;

pub use error::WorkloadError;
pub use params::Params;

use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::stats::LaunchStats;
use std::str::FromStr;

/// How an algorithm finds its work (HWWL, II-A).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    Topo,
    Swwl,
    Hwwl,
}

impl Variant {
    pub const ALL: [Variant; 3] = [Variant::Topo, Variant::Swwl, Variant::Hwwl];

    pub fn name(self) -> &'static str {
        match self {
            Variant::Topo => "topo",
            Variant::Swwl => "swwl",
            Variant::Hwwl => "hwwl",
        }
    }

    pub fn description(self) -> &'static str {
        match self {
            Variant::Topo => "topology-driven: a thread for every node, work to do or not",
            Variant::Swwl => {
                "data-driven, software worklist: two arrays in memory, atomic tail, grid sized to the list"
            }
            Variant::Hwwl => "data-driven, hardware worklist in double-buffer mode, persistent threads",
        }
    }
}

impl FromStr for Variant {
    type Err = WorkloadError;
    fn from_str(name: &str) -> Result<Variant, WorkloadError> {
        let unknown = || WorkloadError::UnknownVariant { name: name.into() };
        Variant::ALL.into_iter().find(|variant| variant.name() == name).ok_or_else(unknown)
    }
}

/// An algorithm that [`Workload::run`] runs.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    pub name: &'static str,
    pub description: &'static str,
    pub variants: &'static [Variant],
    run: fn(&mut Gpu, &Graph, Variant, u32, Watch) -> Result<Outcome, WorkloadError>,
}

/// Told of every launch before it starts.
pub type Watch<'a> = &'a mut dyn FnMut(Start);

/// What a launch is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Round of the algorithm, from 0.
    pub level: u32,
    /// Nodes with work to do.
    pub work: u64,
}

/// A launch that was made.
#[derive(Clone, Debug)]
pub struct Step {
    pub kernel: String,
    pub start: Start,
    pub stats: LaunchStats,
}

/// A run whose result is right.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// All launches, in order.
    pub steps: Vec<Step>,
    /// What was computed, a word a node.
    pub result: Vec<u32>,
}

const WORKLOADS: [Workload; 1] = [Workload {
    name: "bfs",
    description: "breadth-first search: distance in edges from a source to every node, one launch per level",
    variants: &Variant::ALL,
    run: bfs::run,
}];

/// All algorithms.
pub fn catalog() -> &'static [Workload] {
    &WORKLOADS
}

/// The algorithm of that name.
pub fn find(name: &str) -> Result<&'static Workload, WorkloadError> {
    WORKLOADS.iter().find(|w| w.name == name).ok_or_else(|| WorkloadError::UnknownWorkload { name: name.into() })
}

impl Workload {
    /// Runs on a GPU that has not run anything else, from node `source`. An outcome is a verified one: a wrong result is
    /// [`WorkloadError::Wrong`].
    pub fn run(
        &self,
        gpu: &mut Gpu,
        graph: &Graph,
        variant: Variant,
        source: u32,
        watch: Watch,
    ) -> Result<Outcome, WorkloadError> {
        (self.run)(gpu, graph, variant, source, watch)
    }
}
