//! Rounds of programs with frontiers: their arrays, and launches that expand nodes and contract edges.

use super::session::Session;
use super::traversal::first_distances;
use super::{Params, Result, Start, Variant, Watch};
use crate::attach::iru::Reorder;
use crate::gpu::Gpu;
use crate::graph::Graph;
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

    /// Frontier in an array whose length the host knows: it has no word for the number.
    pub fn of(items: u64) -> Self {
        Frontier { items, count: 0 }
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

/// Inputs of a contraction, or elements of a kernel without a graph.
pub(super) struct Edges<'a> {
    pub frontier: &'a Frontier,
    pub count: u32,
    /// Values that go with the edges.
    pub weights: Option<u64>,
    /// Array that the edges or elements lead to.
    pub label: u64,
    pub filter: Filter,
}

/// The graph on the device, and launches.
pub(super) struct Rounds<'a> {
    pub session: Session<'a>,
    pub variant: Variant,
    pub row: u64,
    pub col: u64,
    pub nodes: u32,
    pub edges: usize,
}

impl<'a> Rounds<'a> {
    pub fn new(gpu: &'a mut Gpu, graph: &Graph, variant: Variant, watch: Watch<'a>) -> Result<Self> {
        let mut session = Session::new(gpu, watch);
        let row = session.upload(&graph.row)?;
        // The edge frontier of those that take all edges.
        let col = session.upload_for_iru(&graph.col)?;
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
        self.session.launch_threads(program, level, threads, params)
    }

    /// A warp for each of `nodes` nodes.
    pub fn expand(&mut self, program: &Program, level: u32, nodes: u32, params: Params) -> Result<()> {
        let warp = self.session.gpu().config().core.warp_size as u64;
        self.launch(program, level, u64::from(nodes) * warp, params)
    }

    /// Tells the reorder units of the next launch's edges, if the variant takes them from there.
    pub fn reorder(&mut self, edges: &Edges) -> Result<()> {
        self.session.reorder(self.variant, edges)
    }

    /// A thread for each edge; `params` follow those that say where the edges are.
    pub fn contract(&mut self, program: &Program, level: u32, edges: &Edges, params: Params) -> Result<()> {
        self.session.contract(self.variant, program, level, edges, params)
    }
}

/// The same launches without a graph.
impl Session<'_> {
    /// In CTAs of [`BLOCK`] threads.
    pub fn launch_threads(&mut self, program: &Program, level: u32, threads: u64, params: Params) -> Result<()> {
        let ctas = threads.div_ceil(u64::from(BLOCK)).max(1) as u32;
        let start = Start { level, work: threads };
        self.launch(program, start, [ctas, 1, 1], [BLOCK, 1, 1], params)
    }

    fn reorder(&mut self, variant: Variant, edges: &Edges) -> Result<()> {
        if !variant.needs_iru() {
            return Ok(());
        }
        let Edges { frontier, count, weights, label, filter } = *edges;
        self.configure_iru(Reorder {
            target: label,
            element_bytes: WORD,
            indices: frontier.items,
            secondary: weights,
            count: u64::from(count),
            filter,
        })
    }

    /// See [`Rounds::contract`].
    pub(super) fn contract(
        &mut self,
        variant: Variant,
        program: &Program,
        level: u32,
        edges: &Edges,
        params: Params,
    ) -> Result<()> {
        self.reorder(variant, edges)?;
        let mut arrays = Params::default().u64(edges.frontier.items);
        if let Some(weights) = edges.weights {
            arrays = arrays.u64(weights);
        }
        self.launch_threads(program, level, u64::from(edges.count), arrays.u32(edges.count).then(&params))
    }
}
