//! Searches and PageRank with frontiers, as the IRU paper has them (4.1): a round expands the nodes of the node frontier into
//! the edge frontier, a warp for each node, and contracts the edge frontier, a thread for each edge. The variant `iru` differs
//! from `frontier` in where the threads of the contraction take their edges from, `hwwl-frontier` and `hwwl-iru` from these in where
//! the nodes are ([`NodeFrontier`]).

use super::node_frontier::NodeFrontier;
use super::session::{kernels, Session};
use super::traversal::first_distances;
use super::{Outcome, Params, Result, Start, Variant, Watch};
use crate::attach::iru::Reorder;
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels::{self, Ptx};
use crate::ptx::isa::WARP_SIZE;
use crate::ptx::program::Program;
use crate::units::iru::Filter;

/// Threads a CTA.
const BLOCK: u32 = 256;
/// Bytes of a word: of all arrays that edges lead to.
const WORD: u64 = 4;

/// An array of nodes or edges, and a word with their number: device addresses.
pub(super) struct Frontier {
    pub items: u64,
    count: u64,
}

impl Frontier {
    pub fn new(session: &mut Session, items: usize) -> Self {
        Frontier { items: session.alloc_for_iru(items), count: session.alloc(1) }
    }

    pub fn clear(&self, session: &mut Session) -> Result<()> {
        session.write(self.count, &[0])
    }

    pub fn count(&self, session: &Session) -> Result<u32> {
        session.read_word(self.count)
    }

    /// As the kernels take it.
    pub fn params(&self) -> Params {
        Params::default().u64(self.items).u64(self.count)
    }
}

/// What a contraction takes from its edge frontier.
pub(super) struct Edges<'a> {
    pub frontier: &'a Frontier,
    pub count: u32,
    /// Values that go with the edges.
    pub weights: Option<u64>,
    /// Array that the edges lead to.
    pub label: u64,
    pub filter: Filter,
}

/// The graph on the device, and launches.
pub(super) struct Rounds<'a> {
    pub session: Session<'a>,
    pub variant: Variant,
    pub row: u64,
    pub col: u64,
    nodes: u32,
    pub edges: usize,
}

impl<'a> Rounds<'a> {
    pub fn new(gpu: &'a mut Gpu, graph: &Graph, variant: Variant, watch: Watch<'a>) -> Result<Self> {
        let mut session = Session::new(gpu, watch);
        let row = session.upload(&graph.row)?;
        // PageRank's edge frontier.
        let col = session.alloc_for_iru(graph.edges());
        session.write(col, &graph.col)?;
        Ok(Rounds { session, variant, row, col, nodes: graph.nodes() as u32, edges: graph.edges() })
    }

    /// Distances: 0 for the source, [`UNREACHED`](super::reference::UNREACHED) for the others; and
    /// the node frontier with the source in it.
    pub fn begin(&mut self, graph: &Graph, source: u32) -> Result<(u64, Frontier)> {
        let label = self.session.upload(&first_distances(graph, source)?)?;
        let nodes = Frontier::new(&mut self.session, graph.nodes());
        self.session.write(nodes.items, &[source])?;
        self.session.write(nodes.count, &[1])?;
        Ok((label, nodes))
    }

    pub fn launch(&mut self, program: &Program, level: u32, threads: u64, params: Params) -> Result<()> {
        let ctas = threads.div_ceil(u64::from(BLOCK)).max(1) as u32;
        let start = Start { level, work: threads };
        self.session.launch(program, start, [ctas, 1, 1], [BLOCK, 1, 1], params)
    }

    /// A warp for each of `nodes` nodes.
    pub fn expand(&mut self, program: &Program, level: u32, nodes: u32, params: Params) -> Result<()> {
        let warp = self.session.gpu().config().core.warp_size as u64;
        self.launch(program, level, u64::from(nodes) * warp, params)
    }

    /// Tells the reorder units of the next launch's edges, if the variant takes them from there.
    pub fn reorder(&mut self, edges: &Edges) -> Result<()> {
        if !self.variant.needs_iru() {
            return Ok(());
        }
        let Edges { frontier, count, weights, label, filter } = *edges;
        self.session.configure_iru(Reorder {
            target: label,
            element_bytes: WORD,
            indices: frontier.items,
            secondary: weights,
            count: u64::from(count),
            filter,
        })
    }

    /// A thread for each edge; `params` follow those that say where the edges are.
    pub fn contract(&mut self, program: &Program, level: u32, edges: &Edges, params: Params) -> Result<()> {
        self.reorder(edges)?;
        let mut arrays = Params::default().u64(edges.frontier.items);
        if let Some(weights) = edges.weights {
            arrays = arrays.u64(weights);
        }
        self.launch(program, level, u64::from(edges.count), arrays.u32(edges.count).then(&params))
    }
}

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
    let edges = Frontier { items: rounds.col, count: 0 };
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
