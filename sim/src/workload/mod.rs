//! Algorithms to run: device buffers, launches, and a check of the result against a plain CPU algorithm.

pub mod aes;
pub mod backprop;
pub mod bc;
pub mod bfs;
mod bfs_edge;
pub mod bh;
mod bounded;
mod catalog;
pub mod cc;
pub(crate) mod check;
pub mod colour;
pub mod cp;
pub mod dmr;
pub mod dwt;
mod error;
pub mod fft;
mod frontier;
pub mod histogram;
pub mod hotspot;
mod inputs;
pub mod join;
pub mod kcore;
pub mod laplace;
pub mod libor;
mod mapping;
pub mod matmul;
mod merrill;
pub mod mst;
pub mod mum;
mod near_far;
pub mod nn;
mod node_frontier;
pub mod nqueens;
pub mod nw;
pub mod pagerank;
mod params;
pub mod pathfinder;
mod push;
pub mod reduction;
pub mod reference;
mod rodinia;
mod rounds;
mod session;
pub mod sp;
pub mod spmv;
pub mod sssp;
mod suffix_tree;
mod takes;
mod topo_lsg;
mod traversal;
pub mod triangles;
mod variant;
pub mod vecadd;
mod worklist;

pub use catalog::{catalog, find, Workload};
pub use error::{Result, WorkloadError};
pub use params::Params;
pub use takes::{Input, Size, Takes};
pub use variant::Variant;

use crate::stats::LaunchStats;

/// Told of every launch before it starts.
pub type Watch<'a> = &'a mut dyn FnMut(Start);

/// Start of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Round of the algorithm, from 0.
    pub level: u32,
    /// Nodes or elements with work to do.
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
    /// Values that were computed, one per node, edge or element; a 32-bit float as its bits.
    pub result: Vec<u32>,
    /// Summary of the check of the result, for people to read.
    pub checked: String,
}

#[cfg(test)]
mod tests;
