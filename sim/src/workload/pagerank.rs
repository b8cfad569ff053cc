//! PageRank in 32-bit floats: by pulling, one launch per iteration, or by pushing, along the edges of
//! each node or along the edge frontier.
//!
//! The number of iterations is fixed, so that all variants and configurations do the same work; what damping leaves of the
//! start is then 0.85^10 = 20 %, enough for ranks to differ by orders of magnitude and short enough to simulate.

use super::check::Bounded;
use super::mapping::ctas;
use super::reference;
use super::session::{kernels, Session};
use super::worklist::BLOCK;
use super::{check, frontier, push, Outcome, Params, Result, Start, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;

pub const VARIANTS: &[Variant] = &[
    Variant::Thread,
    Variant::Warp,
    Variant::Push,
    Variant::PushWarp,
    Variant::Frontier,
    Variant::Iru,
    Variant::Lanes4,
    Variant::Lanes8,
    Variant::Lanes16,
];

const DAMPING: f64 = 0.85;
const ITERATIONS: u32 = 10;

/// Gives the ranks, each within the tolerance of [`reference::pagerank`].
pub fn run(gpu: &mut Gpu, graph: &Graph, variant: Variant, watch: Watch) -> Result<Outcome> {
    let check = |found: &[u32]| compare(graph, found, &reference::pagerank(graph, DAMPING, ITERATIONS));
    match variant {
        Variant::Frontier | Variant::Iru => {
            return frontier::pagerank(gpu, graph, (DAMPING, ITERATIONS), variant, watch, check)
        }
        Variant::Push | Variant::PushWarp | Variant::Lanes4 | Variant::Lanes8 | Variant::Lanes16 => {
            return push::pagerank(gpu, graph, (DAMPING, ITERATIONS), variant, watch, check)
        }
        _ => check::undirected(graph, "pulling")?,
    }
    let ptx = if variant == Variant::Warp { kernels::PAGERANK_WARP } else { kernels::PAGERANK_THREAD };
    let [init, iterate] = kernels(ptx, ["pagerank_init", "pagerank_iterate"])?;
    let mut session = Session::new(gpu, watch);
    let nodes = graph.nodes() as u32;
    let (row, col) = (session.upload(&graph.row)?, session.upload(&graph.col)?);
    let [rank, mut share, mut next_share] = [(); 3].map(|()| session.alloc(graph.nodes()));
    let params = Params::default().u64(row).u64(share).u32(nodes).f32(1.0 / nodes as f32);
    let start = |level| Start { level, work: nodes as u64 };
    session.launch(&init, start(0), [nodes.div_ceil(BLOCK), 1, 1], [BLOCK, 1, 1], params)?;
    let base = ((1.0 - DAMPING) / nodes as f64) as f32;
    for level in 1..=ITERATIONS {
        let arrays = Params::default().u64(row).u64(col).u64(share).u64(rank).u64(next_share);
        let params = arrays.u32(nodes).f32(base).f32(DAMPING as f32);
        let ctas = ctas(nodes, BLOCK, variant, session.gpu());
        session.launch(&iterate, start(level), [ctas, 1, 1], [BLOCK, 1, 1], params)?;
        (share, next_share) = (next_share, share);
    }
    session.finish_with(rank, graph.nodes(), check)
}

fn compare(graph: &Graph, found: &[u32], expected: &[Bounded]) -> Result<String> {
    let worst = check::nodes_within(graph, found, expected)?;
    Ok(format!("ranks after {ITERATIONS} iterations within {worst:.0} % of what rounding may do"))
}
