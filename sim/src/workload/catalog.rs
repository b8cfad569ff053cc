//! All algorithms, and running one.

use super::{
    backprop, bc, bfs, colour, hotspot, laplace, matmul, mst, nqueens, nw, pagerank, pathfinder, reduction, sssp,
    vecadd,
};
use super::{Input, Outcome, Result, Size, Takes, Variant, Watch, WorkloadError};
use crate::config::Config;
use crate::gpu::Gpu;
use crate::graph::Graph;

/// An algorithm that [`Workload::run`] runs.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    pub name: &'static str,
    pub description: &'static str,
    pub variants: &'static [Variant],
    pub takes: Takes,
    /// It adds up or compares lengths of edges ([`Graph::edge_weights`]).
    pub takes_lengths: bool,
    body: Body,
}

#[derive(Clone, Copy, Debug)]
enum Body {
    Search(fn(&mut Gpu, &Graph, Variant, u32, Watch) -> Result<Outcome>),
    WholeGraph(fn(&mut Gpu, &Graph, Variant, Watch) -> Result<Outcome>),
    Regular(fn(&mut Gpu, u32, Watch) -> Result<Outcome>),
}

const fn regular(
    name: &'static str,
    description: &'static str,
    size: Size,
    run: fn(&mut Gpu, u32, Watch) -> Result<Outcome>,
) -> Workload {
    Workload {
        name,
        description,
        variants: &[Variant::Thread],
        takes: Takes::Size(size),
        takes_lengths: false,
        body: Body::Regular(run),
    }
}

const WORKLOADS: [Workload; 15] = [
    Workload {
        name: "bfs",
        description: "breadth-first search: distance in edges from a source to every node, one launch per level",
        variants: bfs::VARIANTS,
        takes: Takes::GraphAndSource,
        takes_lengths: false,
        body: Body::Search(bfs::run),
    },
    Workload {
        name: "sssp",
        description: "shortest paths from a source to every node (Bellman-Ford), one launch per round; lengths of edges are the file's or a hash",
        variants: sssp::VARIANTS,
        takes: Takes::GraphAndSource,
        takes_lengths: true,
        body: Body::Search(sssp::run),
    },
    Workload {
        name: "mst",
        description: "minimum spanning forest (Boruvka), three launches per round; lengths of edges are the file's or a hash",
        variants: mst::VARIANTS,
        takes: Takes::Graph,
        takes_lengths: true,
        body: Body::WholeGraph(mst::run),
    },
    Workload {
        name: "pagerank",
        description: "PageRank by pulling or by pushing, 10 iterations with damping 0.85 in 32-bit floats",
        variants: pagerank::VARIANTS,
        takes: Takes::Graph,
        takes_lengths: false,
        body: Body::WholeGraph(pagerank::run),
    },
    Workload {
        name: "colour",
        description: "graph colouring, two launches per round: the largest of random values among neighbours takes its colour",
        variants: colour::VARIANTS,
        takes: Takes::Graph,
        takes_lengths: false,
        body: Body::WholeGraph(colour::run),
    },
    Workload {
        name: "bc",
        description: "betweenness centrality from a source (Brandes) in 32-bit floats, one launch per level forward and backward",
        variants: bc::VARIANTS,
        takes: Takes::GraphAndSource,
        takes_lengths: false,
        body: Body::Search(bc::run),
    },
    regular("vecadd", "vector addition in 32-bit floats", vecadd::SIZE, vecadd::run),
    regular("matmul", "product of square matrices in 32-bit floats, tiles in shared memory", matmul::SIZE, matmul::run),
    regular("reduction", "sum of 32-bit integers: tree in shared memory, then shuffles", reduction::SIZE, reduction::run),
    regular("hotspot", "temperature of a chip, 6 steps of a five-point stencil in 32-bit floats, two a launch with a ghost zone", hotspot::SIZE, hotspot::run),
    regular(
        "pathfinder",
        "cheapest way down a grid of 100 rows: dynamic programming with a ghost zone in shared memory",
        pathfinder::SIZE,
        pathfinder::run,
    ),
    regular(
        "backprop",
        "a training step of a network with 16 hidden units in 32-bit floats: trees in shared memory, then new weights",
        backprop::SIZE,
        backprop::run,
    ),
    regular(
        "laplace",
        "Laplace's equation in a cube, a step of a seven-point stencil in 32-bit floats, three planes in shared memory",
        laplace::SIZE,
        laplace::run,
    ),
    regular(
        "nw",
        "alignment of two sequences (Needleman-Wunsch): a wavefront of tiles in shared memory, one launch per diagonal",
        nw::SIZE,
        nw::run,
    ),
    regular("nqueens", "queens' problem: a thread counts by backtracking, its stack in shared memory", nqueens::SIZE, nqueens::run),
];

/// All algorithms.
pub fn catalog() -> &'static [Workload] {
    &WORKLOADS
}

/// The algorithm of that name.
pub fn find(name: &str) -> Result<&'static Workload> {
    let known = || WORKLOADS.map(|w| w.name).join(", ");
    let unknown = || WorkloadError::UnknownWorkload { name: name.into(), known: known() };
    WORKLOADS.iter().find(|w| w.name == name).ok_or_else(unknown)
}

impl Workload {
    /// The variants that a GPU with this configuration can run.
    pub fn variants_on<'a>(&'a self, config: &'a Config) -> impl Iterator<Item = Variant> + 'a {
        self.variants.iter().copied().filter(|variant| variant.runs_on(config))
    }

    /// There is this variant, and a GPU with this configuration has what it needs.
    pub fn check_variant(&self, variant: Variant, config: &Config) -> Result<()> {
        if self.variants_on(config).any(|v| v == variant) {
            return Ok(());
        }
        let known = self.variants_on(config).map(Variant::name).collect::<Vec<_>>().join(", ");
        let (workload, variant_name, config) = (self.name, variant.name(), config.name.clone());
        Err(match self.variants.contains(&variant) {
            true => WorkloadError::Unsupported { workload, variant: variant_name, config, known },
            false => WorkloadError::NoVariant { workload, variant: variant_name, config, known },
        })
    }

    /// Runs on a GPU that has not run anything else. An outcome is a verified one: a wrong result is
    /// [`WorkloadError::Wrong`].
    pub fn run(&self, gpu: &mut Gpu, input: Input, variant: Variant, watch: Watch) -> Result<Outcome> {
        self.check_variant(variant, gpu.config())?;
        match (self.body, input) {
            (Body::Search(run), Input::Graph { graph, source }) => run(gpu, graph, variant, source, watch),
            (Body::WholeGraph(run), Input::Graph { graph, .. }) => run(gpu, graph, variant, watch),
            (Body::Regular(run), Input::Size(size)) => run(gpu, self.check_size(size)?, watch),
            (Body::Regular(_), Input::Graph { .. }) => Err(WorkloadError::NoGraph { workload: self.name }),
            (_, Input::Size(_)) => Err(WorkloadError::NeedsGraph { workload: self.name }),
        }
    }

    fn check_size(&self, size: u32) -> Result<u32> {
        match self.takes {
            Takes::Size(Size { meaning, max, .. }) if !(1..=max).contains(&size) => {
                Err(WorkloadError::Size { workload: self.name, size, meaning, max })
            }
            _ => Ok(size),
        }
    }
}
