//! Searches from a source that go round by round, a launch each, until a round finds nothing new (HWWL, II-A: Fig 1a
//! topology-driven, Fig 2 data-driven). In all variants the first launch spreads the source's edges over all CTAs.

use super::mapping::ctas;
use super::reference::UNREACHED;
use super::session::{kernels, Session};
use super::worklist::{persistent_ctas, Worklist, BLOCK};
use super::{Outcome, Params, Result, Start, Variant, Watch, WorkloadError};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels::Ptx;
use crate::ptx::program::Program;

/// The graph has such a node.
pub fn check_source(graph: &Graph, source: u32) -> Result<()> {
    if (source as usize) < graph.nodes() {
        return Ok(());
    }
    let (graph, last) = (graph.name.clone(), graph.nodes() - 1);
    Err(WorkloadError::Source { source_node: source, graph, last })
}

/// Kernels of one algorithm.
pub struct Kernels<'a> {
    pub ptx: Ptx,
    pub init: &'a str,
    /// Kernel of all later launches.
    pub round: &'a str,
}

/// A search under way.
pub struct Traversal<'a> {
    session: Session<'a>,
    nodes: u32,
    source: u32,
    init: Program,
    round: Program,
    /// The arrays that all kernels take, in this order.
    arrays: Params,
    /// Device address of the distances.
    dist: u64,
}

impl<'a> Traversal<'a> {
    /// The graph is on the device, and distances: 0 for the source, [`UNREACHED`] for the others. `weights` are those of
    /// the edges, if the kernels take them.
    pub fn new(
        gpu: &'a mut Gpu,
        graph: &Graph,
        source: u32,
        names: &Kernels,
        weights: Option<&[u32]>,
        watch: Watch<'a>,
    ) -> Result<Self> {
        let distances = first_distances(graph, source)?;
        let [init, round] = kernels(names.ptx, [names.init, names.round])?;
        let mut session = Session::new(gpu, watch);
        let mut arrays = Params::default().u64(session.upload(&graph.row)?).u64(session.upload(&graph.col)?);
        if let Some(weights) = weights {
            arrays = arrays.u64(session.upload(weights)?);
        }
        let dist = session.upload(&distances)?;
        let (nodes, arrays) = (graph.nodes() as u32, arrays.u64(dist));
        Ok(Traversal { session, nodes, source, init, round, arrays, dist })
    }

    pub fn distances(&self) -> Result<Vec<u32>> {
        self.session.read(self.dist, self.nodes as usize)
    }

    /// Checks the distances; see [`Session::finish_with`].
    pub fn finish(self, check: impl Fn(&[u32]) -> Result<String, WorkloadError>) -> Result<Outcome, WorkloadError> {
        self.session.finish_with(self.dist, self.nodes as usize, check)
    }

    fn launch(&mut self, start: Start, ctas: u32, params: Params) -> Result<()> {
        let program = if start.level == 0 { &self.init } else { &self.round };
        self.session.launch(program, start, [ctas, 1, 1], [BLOCK, 1, 1], params)
    }

    /// The first launch: level 0. `worklist` is what the kernel's parameters begin with.
    fn launch_init(&mut self, worklist: Params) -> Result<()> {
        let params = worklist.then(&self.arrays).u32(self.source);
        self.launch(Start { level: 0, work: 1 }, persistent_ctas(&self.session), params)
    }

    /// All nodes in each round, until a round changes nothing. `has_work` tells from a node's distance and the round
    /// whether there is something to do for it; `scalars` adds the round's own parameters.
    pub fn topology_driven(
        &mut self,
        variant: Variant,
        has_work: impl Fn(u32, u32) -> bool,
        scalars: impl Fn(Params, u32) -> Params,
    ) -> Result<()> {
        let changed = self.session.alloc(1);
        self.launch_init(Params::default())?;
        for level in 1.. {
            let work = self.distances()?.iter().filter(|&&distance| has_work(distance, level)).count() as u64;
            self.session.write(changed, &[0])?;
            let params = scalars(self.arrays.clone().u64(changed).u32(self.nodes), level);
            let ctas = ctas(self.nodes, BLOCK, variant, self.session.gpu());
            self.launch(Start { level, work }, ctas, params)?;
            if self.session.read_word(changed)? == 0 {
                break;
            }
        }
        Ok(())
    }

    /// IDs that a round pushes are the next round's work. `room` is that of the worklist, in IDs; `scalars` adds the
    /// round's own parameters. Should a list in memory be too short, the next round works on all nodes reached so far:
    /// whoever fell in this round is among them, and the others relax their edges in vain.
    pub fn data_driven(
        &mut self,
        variant: Variant,
        room: usize,
        scalars: impl Fn(Params, u32) -> Params,
    ) -> Result<()> {
        let mut worklist = Worklist::new(&mut self.session, variant, room)?;
        self.launch_init(worklist.params())?;
        for level in 1.. {
            let (dist, nodes) = (self.dist, self.nodes);
            let work = worklist.turn(&mut self.session, |session| reached(session, dist, nodes))?;
            if work == 0 {
                break;
            }
            let params = scalars(worklist.params().then(&self.arrays), level);
            self.launch(Start { level, work }, worklist.ctas(&self.session, work), params)?;
        }
        Ok(())
    }

    /// One launch after the first, until no work is left, with a worklist of so much room.
    pub fn single_buffered(&mut self, room: usize) -> Result<()> {
        let worklist = Worklist::new(&mut self.session, Variant::HwwlSingle, room)?;
        self.launch_init(worklist.params())?;
        let work = self.session.gpu().worklist_count();
        if work == 0 {
            return Ok(());
        }
        let params = worklist.params().then(&self.arrays);
        self.launch(Start { level: 1, work }, worklist.ctas(&self.session, work), params)
    }
}

/// Threads of the CTAs of a launch: so many, unless a core has room for fewer.
pub fn block(most: usize, gpu: &Gpu) -> u32 {
    let core = &gpu.config().core;
    most.min(core.max_warps * core.warp_size) as u32
}

/// Distances at the start of a search: 0 for the source, which must be a node, and [`UNREACHED`] for the others.
pub fn first_distances(graph: &Graph, source: u32) -> Result<Vec<u32>> {
    check_source(graph, source)?;
    let mut distances = vec![UNREACHED; graph.nodes()];
    distances[source as usize] = 0;
    Ok(distances)
}

/// Room for a worklist in which a node may be several times, for each edge over which it was found nearer.
pub fn room_for_repeats(graph: &Graph) -> usize {
    graph.edges() + graph.nodes()
}

/// The nodes that have a distance.
pub fn reached(session: &Session, dist: u64, nodes: u32) -> Result<Vec<u32>> {
    let distances = session.read(dist, nodes as usize)?;
    Ok((0..nodes).zip(distances).filter(|(_, distance)| *distance != UNREACHED).map(|(v, _)| v).collect())
}
