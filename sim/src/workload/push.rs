//! PageRank by pushing along the edges of each node, as Graph-Waving's Listings 1 and 2: an iteration is a launch that pushes
//! and one that damps.

use super::mapping::{grid, Mapped};
use super::session::{kernels, Session};
use super::worklist::BLOCK;
use super::{Outcome, Params, Result, Start, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;

/// Gives the ranks as bits of 32-bit floats.
pub fn pagerank(
    gpu: &mut Gpu,
    graph: &Graph,
    (damping, iterations): (f64, u32),
    variant: Variant,
    watch: Watch,
    check: impl Fn(&[u32]) -> Result<String>,
) -> Result<Outcome> {
    let mapped = Mapped {
        thread: kernels::PAGERANK_PUSH,
        warp: kernels::PAGERANK_PUSH_WARP,
        lanes: kernels::PAGERANK_PUSH_LANES,
    };
    let [start, push, damp] = kernels(mapped.of(variant), ["pagerank_start", "pagerank_push", "pagerank_damp"])?;
    let mut session = Session::new(gpu, watch);
    let nodes = graph.nodes() as u32;
    let (row, col) = (session.upload(&graph.row)?, session.upload(&graph.col)?);
    let [rank, next] = [(); 2].map(|()| session.alloc(graph.nodes()));
    let work = |level| Start { level, work: u64::from(nodes) };
    let (threads, [walkers, shape]) = (nodes.div_ceil(BLOCK), grid(nodes, BLOCK, variant, session.gpu()));
    let params = Params::default().u64(rank).u64(next).u32(nodes).f32(1.0 / nodes as f32);
    session.launch(&start, work(0), [threads, 1, 1], [BLOCK, 1, 1], params)?;
    let base = ((1.0 - damping) / f64::from(nodes)) as f32;
    for level in 1..=iterations {
        let params = Params::default().u64(row).u64(col).u64(rank).u64(next).u32(nodes);
        session.launch(&push, work(level), walkers, shape, params)?;
        let params = Params::default().u64(rank).u64(next).u32(nodes).f32(base).f32(damping as f32);
        session.launch(&damp, work(level), [threads, 1, 1], [BLOCK, 1, 1], params)?;
    }
    session.finish_with(rank, graph.nodes(), check)
}
