//! Searches and PageRank with frontiers, as the IRU paper has them (4.1): a round expands the nodes of the node frontier into
//! the edge frontier, a warp for each node, and contracts the edge frontier, a thread for each edge. The variant `iru` differs
//! from `frontier` in where the threads of the contraction take their edges from, `hwwl-frontier` and `hwwl-iru` from these in where
//! the nodes are ([`NodeFrontier`]).

use super::node_frontier::NodeFrontier;
use super::rounds::{Edges, Frontier, Rounds};
use super::session::kernels;
use super::{Outcome, Params, Result, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels::{self, Ptx};
use crate::ptx::isa::WARP_SIZE;
use crate::units::iru::Filter;

/// Kernels of an algorithm, each without reorder units and with them, for warps of 32 and for narrower ones.
struct Forms {
    wide: [Ptx; 2],
    narrow: [Ptx; 2],
}

impl Forms {
    fn of(&self, variant: Variant, gpu: &Gpu) -> Ptx {
        let forms = if gpu.config().core.warp_size == WARP_SIZE { self.wide } else { self.narrow };
        forms[usize::from(variant.needs_iru())]
    }
}

const BFS: Forms = Forms {
    wide: [kernels::BFS_FRONTIER, kernels::BFS_IRU],
    narrow: [kernels::BFS_FRONTIER_NARROW, kernels::BFS_IRU_NARROW],
};
const SSSP: Forms = Forms {
    wide: [kernels::SSSP_FRONTIER, kernels::SSSP_IRU],
    narrow: [kernels::SSSP_FRONTIER_NARROW, kernels::SSSP_IRU_NARROW],
};

/// Breadth-first search: gives the distances.
pub fn bfs<'a>(
    gpu: &'a mut Gpu,
    graph: &Graph,
    variant: Variant,
    source: u32,
    watch: Watch<'a>,
    check: impl Fn(&[u32]) -> Result<String>,
) -> Result<Outcome> {
    let ptx = match variant {
        Variant::HwwlFrontier => kernels::BFS_HWWL_FRONTIER,
        Variant::HwwlIru => kernels::BFS_HWWL_IRU,
        _ => BFS.of(variant, gpu),
    };
    let [expand, contract] = kernels(ptx, ["bfs_expand", "bfs_contract"])?;
    let mut rounds = Rounds::new(gpu, graph, variant, watch)?;
    let (label, first) = rounds.begin(graph, source)?;
    let mut nodes = NodeFrontier::new(&mut rounds, first, ptx, graph.nodes())?;
    let edges = Frontier::new(&mut rounds.session, rounds.edges);
    for level in 1.. {
        edges.clear(&mut rounds.session)?;
        let graph = Params::default().u64(rounds.row).u64(rounds.col);
        nodes.expand(&mut rounds, &expand, level, graph, edges.params())?;
        let count = edges.count(&rounds.session)?;
        if count == 0 {
            break;
        }
        let taken = Edges { frontier: &edges, count, weights: None, label, filter: Filter::None };
        rounds.contract(&contract, level, &taken, Params::default().u64(label).u32(level).then(&nodes.params()))?;
        if nodes.turn(&rounds)? == 0 {
            break;
        }
    }
    rounds.session.finish_with(label, graph.nodes(), check)
}

/// Shortest paths: gives their lengths.
pub fn sssp<'a>(
    gpu: &'a mut Gpu,
    graph: &Graph,
    lengths: &[u32],
    variant: Variant,
    source: u32,
    watch: Watch<'a>,
    check: impl Fn(&[u32]) -> Result<String>,
) -> Result<Outcome> {
    let ptx = match variant {
        Variant::HwwlFrontier => kernels::SSSP_HWWL_FRONTIER,
        Variant::HwwlIru => kernels::SSSP_HWWL_IRU,
        _ => SSSP.of(variant, gpu),
    };
    let [expand, compaction, filter] = kernels(ptx, ["sssp_expand", "sssp_compaction", "sssp_filter"])?;
    let mut rounds = Rounds::new(gpu, graph, variant, watch)?;
    let (label, first) = rounds.begin(graph, source)?;
    let weight = rounds.session.upload(lengths)?;
    let lookup = rounds.session.upload(&vec![u32::MAX; graph.nodes()])?;
    let mut nodes = NodeFrontier::new(&mut rounds, first, ptx, graph.nodes())?;
    let edges = Frontier::new(&mut rounds.session, rounds.edges);
    let weights = rounds.session.alloc_for_iru(rounds.edges);
    for level in 1.. {
        edges.clear(&mut rounds.session)?;
        let graph = Params::default().u64(rounds.row).u64(rounds.col).u64(weight).u64(label);
        nodes.expand(&mut rounds, &expand, level, graph, edges.params().u64(weights))?;
        let count = edges.count(&rounds.session)?;
        if count == 0 {
            break;
        }
        let taken = Edges { frontier: &edges, count, weights: Some(weights), label, filter: Filter::Minimum };
        rounds.contract(&compaction, level, &taken, Params::default().u64(label).u64(lookup))?;
        let params = Params::default().u64(edges.items).u32(count).u64(lookup).then(&nodes.params());
        rounds.launch(&filter, level, u64::from(count), params)?;
        if nodes.turn(&rounds)? == 0 {
            break;
        }
    }
    rounds.session.finish_with(label, graph.nodes(), check)
}

/// Its frontier is all nodes.
const PAGERANK: Forms = Forms {
    wide: [kernels::PAGERANK_FRONTIER, kernels::PAGERANK_IRU],
    narrow: [kernels::PAGERANK_FRONTIER_NARROW, kernels::PAGERANK_IRU_NARROW],
};

/// PageRank by pushing: gives the ranks as bits of 32-bit floats.
pub fn pagerank<'a>(
    gpu: &'a mut Gpu,
    graph: &Graph,
    (damping, iterations): (f64, u32),
    variant: Variant,
    watch: Watch<'a>,
    check: impl Fn(&[u32]) -> Result<String>,
) -> Result<Outcome> {
    let [expand, contract, update] =
        kernels(PAGERANK.of(variant, gpu), ["pagerank_expand", "pagerank_contract", "pagerank_update"])?;
    let mut rounds = Rounds::new(gpu, graph, variant, watch)?;
    let nodes = rounds.nodes;
    let rank = rounds.session.upload_f32(&vec![1.0 / nodes as f32; graph.nodes()])?;
    let label = rounds.session.upload_f32(&vec![0.0; graph.nodes()])?;
    let weights = rounds.session.alloc_for_iru(rounds.edges);
    let edges = Frontier::of(rounds.col);
    let base = ((1.0 - damping) / f64::from(nodes)) as f32;
    for level in 1..=iterations {
        let params = Params::default().u64(rounds.row).u64(rank).u32(nodes).u64(weights);
        rounds.expand(&expand, level, nodes, params)?;
        if rounds.edges > 0 {
            let count = rounds.edges as u32;
            let taken = Edges { frontier: &edges, count, weights: Some(weights), label, filter: Filter::Addition };
            rounds.contract(&contract, level, &taken, Params::default().u64(label))?;
        }
        let params = Params::default().u64(rank).u64(label).u32(nodes).f32(base).f32(damping as f32);
        rounds.launch(&update, level, u64::from(nodes), params)?;
    }
    rounds.session.finish_with(rank, graph.nodes(), check)
}
