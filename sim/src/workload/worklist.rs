//! The host's side of a worklist (HWWL, II-A to II-C and III): its memory, what the kernels get of it, and the turn from one
//! launch to the next. Kernels see it through `kernels/worklist.h`.

use super::session::Session;
use super::{Params, Result, Variant};
use crate::units::hwwl::pins::LINE_IDS;

/// Threads a CTA.
pub const BLOCK: u32 = 256;
/// Most lines of a core's part of the overflow buffer, of a number that can be halved for the two sides.
const MAX_LINES: usize = u16::MAX as usize - 1;

/// An array of IDs and the word that says how many they are.
#[derive(Clone, Copy, Debug)]
pub struct List {
    ids: u64,
    count: u64,
}

pub enum Worklist {
    /// Two lists, to pull from and to push to; IDs that each has room for, and the most CTAs of a launch.
    Software { pull: List, push: List, room: u32, most_ctas: u32 },
    /// The units; address and bytes of the overflow buffer.
    Hardware { buffer: u64, bytes: u64 },
}

impl Worklist {
    /// The worklist of a variant, empty, with room for `ids` work IDs on each side, or on its only side.
    pub fn new(session: &mut Session, variant: Variant, ids: usize) -> Result<Self> {
        match variant {
            Variant::Hwwl | Variant::HwwlEdges | Variant::HwwlFrontier | Variant::HwwlIru => {
                Ok(Self::hardware(session, 2 * ids.div_ceil(LINE_IDS)))
            }
            Variant::HwwlSingle | Variant::HwwlEdgesSingle => Ok(Self::hardware(session, ids.div_ceil(LINE_IDS))),
            // Threads give IDs away, so they must have several: four CTAs a core, as many as LonestarGPU's.
            Variant::SwwlWdo => Self::software(session, ids, 4 * session.gpu().config().core.count as u32),
            _ => Self::software(session, ids, u32::MAX),
        }
    }

    fn software(session: &mut Session, ids: usize, most_ctas: u32) -> Result<Self> {
        let mut list = || List { ids: session.alloc(ids), count: session.alloc(1) };
        let (pull, push) = (list(), list());
        session.write(pull.count, &[0])?;
        session.write(push.count, &[0])?;
        Ok(Worklist::Software { pull, push, room: ids.min(u32::MAX as usize) as u32, most_ctas })
    }

    /// Every core has as many lines: all work may come to one of them. Should the most that a core can have be too little,
    /// the run says so.
    fn hardware(session: &mut Session, lines: usize) -> Self {
        let ids = lines.clamp(1, MAX_LINES) * LINE_IDS * session.gpu().config().core.count;
        Worklist::Hardware { buffer: session.alloc(ids), bytes: 4 * ids as u64 }
    }

    /// First parameters of a data-driven kernel.
    pub fn params(&self) -> Params {
        let params = Params::default();
        match *self {
            Worklist::Software { pull, push, room, .. } => {
                let arrays = params.u64(pull.ids).u64(pull.count).u64(push.ids).u64(push.count);
                // With the padding that makes the kernels' structure a multiple of 8 bytes.
                arrays.u32(room).u32(0)
            }
            Worklist::Hardware { buffer, bytes } => params.u64(buffer).u64(bytes),
        }
    }

    /// After a launch: what it pushed is to be pulled now. Gives the IDs there are. The units exchange their sides
    /// themselves, and end the run if their buffer overflows. A list in memory that was too short has lost IDs: the next
    /// launch pulls `all` that may have work, from a list twice as long.
    pub fn turn(&mut self, session: &mut Session, all: impl FnOnce(&Session) -> Result<Vec<u32>>) -> Result<u64> {
        let Worklist::Software { pull, push, room, most_ctas } = self else {
            return Ok(session.gpu().worklist_count());
        };
        std::mem::swap(pull, push);
        let work = session.read_word(pull.count)?;
        if work > *room {
            let (ids, longer) = (all(session)?, 2 * *room as usize);
            *self = Self::software(session, longer.max(ids.len()), *most_ctas)?;
            return self.fill(session, &ids);
        }
        session.write(push.count, &[0])?;
        Ok(work.into())
    }

    /// The host puts IDs into an empty list in memory, to be pulled. Gives their number.
    pub fn fill(&self, session: &mut Session, ids: &[u32]) -> Result<u64> {
        let Worklist::Software { pull, .. } = self else { unreachable!("the units have kernels that push") };
        session.write(pull.ids, ids)?;
        session.write(pull.count, &[ids.len() as u32])?;
        Ok(ids.len() as u64)
    }

    /// CTAs for so many IDs: in software one thread each, up to a most; in hardware as many threads as
    /// the GPU has room for, which stay until no work is left.
    pub fn ctas(&self, session: &Session, work: u64) -> u32 {
        self.ctas_of(session, work, BLOCK)
    }

    /// CTAs of `block` threads for so many IDs.
    pub fn ctas_of(&self, session: &Session, work: u64, block: u32) -> u32 {
        match *self {
            Worklist::Software { most_ctas, .. } => (work.div_ceil(block as u64) as u32).min(most_ctas),
            Worklist::Hardware { .. } => persistent_ctas_of(session, block),
        }
    }
}

/// Sums of all values before each, and of all: what threads that donate work estimate by.
pub fn sums_before(values: impl Iterator<Item = u32>) -> Vec<u32> {
    let ends = values.scan(0, |end, value| {
        *end += value;
        Some(*end)
    });
    [0].into_iter().chain(ends).collect()
}

/// As many CTAs as the cores have room for at a time.
pub fn persistent_ctas(session: &Session) -> u32 {
    persistent_ctas_of(session, BLOCK)
}

fn persistent_ctas_of(session: &Session, block: u32) -> u32 {
    let core = &session.gpu().config().core;
    let by_warps = core.max_warps * core.warp_size / block as usize;
    (core.count * by_warps.clamp(1, core.max_ctas)) as u32
}

#[cfg(test)]
mod tests {
    use super::super::session::kernels;
    use super::super::Start;
    use super::*;
    use crate::config::Config;
    use crate::gpu::Gpu;
    use crate::graph::{self, Graph};
    use crate::kernels;

    /// IDs in memory behind the tail's start, sorted.
    fn pushed(session: &Session, worklist: &Worklist) -> Vec<u32> {
        let Worklist::Software { pull, .. } = worklist else { unreachable!("a worklist in memory") };
        let count = session.read_word(pull.count).unwrap();
        let mut ids = session.read(pull.ids, count as usize).unwrap();
        ids.sort_unstable();
        ids
    }

    /// IDs that the first launch of a breadth-first search pushes, and those of the second.
    fn two_levels(ptx: kernels::Ptx, graph: &Graph) -> [Vec<u32>; 2] {
        let mut gpu = Gpu::new(&Config::preset("hwwl-micro14").unwrap(), Vec::new());
        let mut watch = |_| {};
        let mut session = Session::new(&mut gpu, &mut watch);
        let mut distances = vec![u32::MAX; graph.nodes()];
        distances[0] = 0;
        let mut arrays = Params::default();
        for words in [&graph.row, &graph.col, &distances] {
            arrays = arrays.u64(session.upload(words).unwrap());
        }
        let [init, level] = kernels(ptx, ["bfs_init", "bfs_level"]).unwrap();
        let mut worklist = Worklist::new(&mut session, Variant::Swwl, graph.nodes()).unwrap();
        let mut ids = [init, level].into_iter().zip(0..).map(|(program, level)| {
            let ctas = if level == 0 { 4 } else { 7 };
            let params = worklist.params().then(&arrays).u32(level);
            let start = Start { level, work: 0 };
            session.launch(&program, start, [ctas, 1, 1], [BLOCK, 1, 1], params).unwrap();
            worklist.turn(&mut session, |_| unreachable!("a list that is long enough")).unwrap();
            pushed(&session, &worklist)
        });
        [ids.next().unwrap(), ids.next().unwrap()]
    }

    /// Whatever collects the pushes on their way: every ID is in the list exactly once. A thread of the first launch pushes
    /// up to 20 IDs and fills its chunk twice over; in the second some push nothing, some one, some a hundred.
    #[test]
    fn every_software_worklist_holds_what_was_pushed_once_each() {
        let hub = (1..=20_000).map(|v| (0, v));
        let second = (1..=2000).flat_map(|v| (0..if v % 97 == 0 { 100 } else { v % 3 }).map(move |i| (v, 100 * v + i)));
        let second = second.map(|(v, u)| (v, u + 20_001));
        let pairs: Vec<_> = hub.chain(second).collect();
        let graph = Graph::undirected("hub", 240_000, &pairs);
        let far: Vec<u32> = (20_001..240_000).filter(|&v| !graph.neighbours(v).is_empty()).collect();
        assert_eq!(far.len(), pairs.len() - 20_000);
        for ptx in [kernels::BFS_SWWL, kernels::BFS_SWWL_WCH, kernels::BFS_SWWL_ARU, kernels::BFS_SWWL_WDO] {
            let [first, second] = two_levels(ptx, &graph);
            assert!(first.iter().copied().eq(1..=20_000), "{}", ptx.name);
            assert_eq!(second, far, "{}", ptx.name);
        }
    }

    /// One node of 37 has most of the work, so that IDs are given away. Each of them has a push of its own.
    #[test]
    fn what_was_given_away_is_done_by_others() {
        let middle = 9000;
        let children = (1..=middle).flat_map(|v| (0..if v % 37 == 0 { 30 } else { 1 }).map(move |_| v));
        let pairs = (1..=middle).map(|v| (0, v)).chain(children.zip(middle + 1..));
        let pairs: Vec<_> = pairs.collect();
        let graph = Graph::undirected("given", pairs.len() + 1, &pairs);
        let [first, second] = two_levels(kernels::BFS_SWWL_WDO, &graph);
        assert!(first.into_iter().eq(1..=middle));
        assert!(second.into_iter().eq(middle + 1..=pairs.len() as u32));
    }

    /// Chunks and reductions save atomics on the tail, with the same pushes.
    #[test]
    fn chunks_and_reductions_spare_atomics() {
        let graph = graph::open("gen:kron:10:degree=16").unwrap();
        let atomics = |variant| {
            let mut gpu = Gpu::new(&Config::preset("hwwl-micro14").unwrap(), Vec::new());
            super::super::bfs::run(&mut gpu, &graph, variant, graph.source, &mut |_| {}).unwrap();
            gpu.stats().l2.atomic_lanes
        };
        let [plain, chunks, reduced] = [Variant::Swwl, Variant::SwwlWch, Variant::SwwlAru].map(atomics);
        assert!(chunks < plain && reduced < chunks, "{plain}, {chunks}, {reduced}");
    }
}
