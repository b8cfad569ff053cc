//! All algorithms, and running one.

use super::reference::UNREACHED;
use super::{
    aes, backprop, bc, bfs, bh, cc, colour, cp, dmr, dwt, fft, histogram, hotspot, join, kcore, laplace, libor, matmul,
    mst, mum, nn, nqueens, nw, pagerank, pathfinder, reduction, sp, spmv, sssp, triangles, vecadd,
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
    /// The result is a distance a node.
    Distances(fn(&mut Gpu, &Graph, Variant, u32, Watch) -> Result<Outcome>),
    Search(fn(&mut Gpu, &Graph, Variant, u32, Watch) -> Result<Outcome>),
    WholeGraph(fn(&mut Gpu, &Graph, Variant, Watch) -> Result<Outcome>),
    Regular(fn(&mut Gpu, u32, Watch) -> Result<Outcome>),
    Irregular(fn(&mut Gpu, u32, Variant, Watch) -> Result<Outcome>),
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

const WORKLOADS: [Workload; 31] = [
    Workload {
        name: "bfs",
        description: "breadth-first search: distance in edges from a source to every node, one launch per level",
        variants: bfs::VARIANTS,
        takes: Takes::GraphAndSource,
        takes_lengths: false,
        body: Body::Distances(bfs::run),
    },
    Workload {
        name: "sssp",
        description: "shortest paths from a source to every node (Bellman-Ford), one launch per round; lengths of edges are the file's or a hash",
        variants: sssp::VARIANTS,
        takes: Takes::GraphAndSource,
        takes_lengths: true,
        body: Body::Distances(sssp::run),
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
    Workload {
        name: "cc",
        description: "connected components: labels along all edges, with pointer jumping, three launches per round",
        variants: cc::VARIANTS,
        takes: Takes::Graph,
        takes_lengths: false,
        body: Body::WholeGraph(cc::run),
    },
    Workload {
        name: "kcore",
        description: "core number of every node by peeling: per number a launch over all nodes, then two per round",
        variants: kcore::VARIANTS,
        takes: Takes::Graph,
        takes_lengths: false,
        body: Body::WholeGraph(kcore::run),
    },
    Workload {
        name: "triangles",
        description: "number of triangles: a launch that lists pairs of edges of a node, and one that looks for the third by binary search",
        variants: triangles::VARIANTS,
        takes: Takes::Graph,
        takes_lengths: false,
        body: Body::WholeGraph(triangles::run),
    },
    Workload {
        name: "spmv",
        description: "sparse matrix times vector in 32-bit floats, with an entry of the matrix for each edge: a launch for products and one for sums",
        variants: spmv::VARIANTS,
        takes: Takes::Graph,
        takes_lengths: false,
        body: Body::WholeGraph(spmv::run),
    },
    Workload {
        name: "histogram",
        description: "elements of each of 65,536 keys, of which few are frequent (Zipf): an atomic addition for each element",
        variants: histogram::VARIANTS,
        takes: Takes::Size(histogram::SIZE),
        takes_lengths: false,
        body: Body::Irregular(histogram::run),
    },
    Workload {
        name: "join",
        description: "hash join: a launch that hashes the keys of the larger table and one that probes; the host builds the hash table",
        variants: join::VARIANTS,
        takes: Takes::Size(join::SIZE),
        takes_lengths: false,
        body: Body::Irregular(join::run),
    },
    Workload {
        name: "sp",
        description: "survey propagation on a random formula (3 literals a clause, 4.2 clauses a variable) in 32-bit floats, two launches per round",
        variants: sp::VARIANTS,
        takes: Takes::Size(sp::SIZE),
        takes_lengths: false,
        body: Body::Irregular(sp::run),
    },
    Workload {
        name: "bh",
        description: "bodies that attract each other (Barnes-Hut), 2 steps in 32-bit floats; the host builds the octree",
        variants: bh::VARIANTS,
        takes: Takes::Size(bh::SIZE),
        takes_lengths: false,
        body: Body::Irregular(bh::run),
    },
    Workload {
        name: "dmr",
        description: "Delaunay mesh refinement until no angle is below 30 degrees, in 64-bit floats, three launches per super-step",
        variants: dmr::VARIANTS,
        takes: Takes::Size(dmr::SIZE),
        takes_lengths: false,
        body: Body::Irregular(dmr::run),
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
    regular(
        "cp",
        "Coulombic potential of 200 point charges on a plane, in 32-bit floats; charges in constant memory",
        cp::SIZE,
        cp::run,
    ),
    regular(
        "nn",
        "recognition of digits by a network of four layers in 32-bit floats, two of which have CTAs of one thread",
        nn::SIZE,
        nn::run,
    ),
    regular("dwt", "Haar's wavelets in one dimension in 32-bit floats: levels in shared memory", dwt::SIZE, dwt::run),
    regular(
        "lib",
        "Monte Carlo in the LIBOR market model in 32-bit floats: values of paths and their derivatives, in local memory",
        libor::SIZE,
        libor::run,
    ),
    regular("aes", "AES with a key of 128 bits, each block by itself: tables in shared memory", aes::SIZE, aes::run),
    regular("fft", "Fourier transforms of 512 complex points each in 32-bit floats, a CTA a transform", fft::SIZE, fft::run),
    regular("mum", "longest matches of short reads in a reference: a walk through its suffix tree", mum::SIZE, mum::run),
];

/// All algorithms.
pub fn catalog() -> &'static [Workload] {
    &WORKLOADS
}

/// The algorithm of that name.
pub fn find(name: &str) -> Result<&'static Workload> {
    let known = || spelling::listed(name, WORKLOADS.map(|w| w.name));
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
        let obstacle = variant.obstacle(config).filter(|_| self.variants.contains(&variant));
        let (workload, variant_name, config) = (self.name, variant.name(), config.name.clone());
        Err(match obstacle {
            Some(what) => WorkloadError::Unsupported { workload, variant: variant_name, config, what, known },
            None => WorkloadError::NoVariant { workload, variant: variant_name, config, known },
        })
    }

    /// Runs on a GPU that has not run anything else. An outcome is a verified one: a wrong result is
    /// [`WorkloadError::Wrong`].
    pub fn run(&self, gpu: &mut Gpu, input: Input, variant: Variant, watch: Watch) -> Result<Outcome> {
        self.check_variant(variant, gpu.config())?;
        match (self.body, input) {
            (Body::Distances(run) | Body::Search(run), Input::Graph { graph, source }) => {
                run(gpu, graph, variant, source, watch)
            }
            (Body::WholeGraph(run), Input::Graph { graph, .. }) => run(gpu, graph, variant, watch),
            (Body::Regular(run), Input::Size(size)) => run(gpu, self.check_size(size)?, watch),
            (Body::Irregular(run), Input::Size(size)) => run(gpu, self.check_size(size)?, variant, watch),
            (Body::Regular(_) | Body::Irregular(_), Input::Graph { .. }) => {
                Err(WorkloadError::NoGraph { workload: self.name })
            }
            (_, Input::Size(_)) => Err(WorkloadError::NeedsGraph { workload: self.name }),
        }
    }

    /// Nodes that a search for distances has reached, its source among them.
    pub fn reached(&self, outcome: &Outcome) -> Option<usize> {
        let distances = matches!(self.body, Body::Distances(_)).then_some(&outcome.result)?;
        Some(distances.iter().filter(|&&distance| distance != UNREACHED).count())
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
