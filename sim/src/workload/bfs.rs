//! Breadth-first search, one launch per level (HWWL, II: Fig 1a topology-driven, Fig 2 data-driven).
//!
//! In all variants the first launch spreads the source's edges over all CTAs, and a launch for each level follows.

use super::reference::{self, UNREACHED};
use super::{Outcome, Params, Start, Step, Variant, Watch, WorkloadError};
use crate::gpu::{Gpu, Launch};
use crate::graph::Graph;
use crate::kernels;
use crate::ptx::program::{Program, WARP_SIZE};
use crate::ptx::Module;

/// Threads a CTA.
const BLOCK: u32 = 256;

/// Gives the distances from `source`, [`UNREACHED`] for what cannot be reached.
pub fn run(
    gpu: &mut Gpu,
    graph: &Graph,
    variant: Variant,
    source: u32,
    watch: Watch,
) -> Result<Outcome, WorkloadError> {
    if source as usize >= graph.nodes() {
        let (graph, last) = (graph.name.clone(), graph.nodes() - 1);
        return Err(WorkloadError::Source { source_node: source, graph, last });
    }
    let mut search = Search::new(gpu, graph, variant, source, watch)?;
    match variant {
        Variant::Topo => search.topology_driven()?,
        Variant::Swwl => search.software_worklist()?,
        Variant::Hwwl => search.hardware_worklist()?,
    }
    let result = search.distances()?;
    check(graph, &result, &reference::bfs(graph, source))?;
    Ok(Outcome { steps: search.steps, result })
}

/// Names the first node whose distance is wrong.
fn check(graph: &Graph, found: &[u32], expected: &[u32]) -> Result<(), WorkloadError> {
    let is_wrong = |&node: &usize| found[node] != expected[node];
    let Some(node) = (0..graph.nodes()).find(is_wrong) else { return Ok(()) };
    let shown = |distance: u32| match distance {
        UNREACHED => "not reached".to_owned(),
        distance => format!("distance {distance}"),
    };
    Err(WorkloadError::Wrong {
        graph: graph.name.clone(),
        nodes: graph.nodes(),
        wrong: (0..graph.nodes()).filter(is_wrong).count(),
        node: node as u32,
        label: graph.label(node as u32),
        found: shown(found[node]),
        expected: shown(expected[node]),
    })
}

/// A search under way.
struct Search<'a> {
    gpu: &'a mut Gpu,
    watch: Watch<'a>,
    nodes: u32,
    source: u32,
    init: Program,
    level: Program,
    /// Device addresses.
    row: u64,
    col: u64,
    dist: u64,
    steps: Vec<Step>,
}

impl<'a> Search<'a> {
    /// Graph and distances are on the device.
    fn new(
        gpu: &'a mut Gpu,
        graph: &Graph,
        variant: Variant,
        source: u32,
        watch: Watch<'a>,
    ) -> Result<Self, WorkloadError> {
        let ptx = match variant {
            Variant::Topo => kernels::BFS_TOPO,
            Variant::Swwl => kernels::BFS_SWWL,
            Variant::Hwwl => kernels::BFS_HWWL,
        };
        let module = Module::parse(ptx.name, ptx.text)?;
        let (init, level) = (module.kernel("bfs_init")?, module.kernel("bfs_level")?);
        let mut distances = vec![UNREACHED; graph.nodes()];
        distances[source as usize] = 0;
        let (row, col, dist) = (to_device(gpu, &graph.row)?, to_device(gpu, &graph.col)?, to_device(gpu, &distances)?);
        let nodes = graph.nodes() as u32;
        Ok(Search { gpu, watch, nodes, source, init, level, row, col, dist, steps: Vec::new() })
    }

    fn distances(&self) -> Result<Vec<u32>, WorkloadError> {
        Ok(self.gpu.memory().read_u32s(self.dist, self.nodes as usize)?)
    }

    fn read(&self, address: u64) -> Result<u32, WorkloadError> {
        Ok(self.gpu.memory().read_u32s(address, 1)?[0])
    }

    /// As many CTAs as the cores have room for at a time.
    fn persistent_ctas(&self) -> u32 {
        let core = &self.gpu.config().core;
        (core.count * (core.max_warps * WARP_SIZE / BLOCK as usize).max(1)) as u32
    }

    fn launch(&mut self, start: Start, ctas: u32, params: Params) -> Result<(), WorkloadError> {
        (self.watch)(start);
        let program = if start.level == 0 { &self.init } else { &self.level };
        let launch = Launch { grid: [ctas, 1, 1], block: [BLOCK, 1, 1], dynamic_shared: 0, params: params.bytes() };
        let stats = self.gpu.launch(program, &launch)?;
        self.steps.push(Step { kernel: program.name.clone(), start, stats });
        Ok(())
    }

    /// The first launch: level 0. `worklist` is what the kernel's parameters begin with.
    fn launch_init(&mut self, worklist: Params) -> Result<(), WorkloadError> {
        let params = worklist.u64(self.row).u64(self.col).u64(self.dist).u32(self.source);
        self.launch(Start { level: 0, work: 1 }, self.persistent_ctas(), params)
    }

    /// All nodes in each level, until a level reaches no new one.
    fn topology_driven(&mut self) -> Result<(), WorkloadError> {
        let changed = self.gpu.memory_mut().alloc(4);
        self.launch_init(Params::default())?;
        for level in 1.. {
            let work = self.distances()?.iter().filter(|&&distance| distance == level).count() as u64;
            self.gpu.copy_to_device(changed, &[0; 4])?;
            let graph = Params::default().u64(self.row).u64(self.col).u64(self.dist);
            let params = graph.u64(changed).u32(self.nodes).u32(level);
            self.launch(Start { level, work }, self.nodes.div_ceil(BLOCK), params)?;
            if self.read(changed)? == 0 {
                break;
            }
        }
        Ok(())
    }

    /// One thread per ID in the list; what the level pushes is the next level's list.
    fn software_worklist(&mut self) -> Result<(), WorkloadError> {
        let memory = self.gpu.memory_mut();
        let ids_bytes = 4 * self.nodes as u64;
        let mut pull = (memory.alloc(ids_bytes), memory.alloc(4));
        let mut push = (memory.alloc(ids_bytes), memory.alloc(4));
        let worklist =
            |pull: (u64, u64), push: (u64, u64)| Params::default().u64(pull.0).u64(pull.1).u64(push.0).u64(push.1);
        for (_, count) in [pull, push] {
            self.gpu.copy_to_device(count, &[0; 4])?;
        }
        self.launch_init(worklist(pull, push))?;
        for level in 1.. {
            (pull, push) = (push, pull);
            let work = self.read(pull.1)?;
            if work == 0 {
                break;
            }
            self.gpu.copy_to_device(push.1, &[0; 4])?;
            let params = worklist(pull, push).u64(self.row).u64(self.col).u64(self.dist).u32(level);
            self.launch(Start { level, work: work as u64 }, work.div_ceil(BLOCK), params)?;
        }
        Ok(())
    }

    /// Threads stay until their core's worklist is empty; the worklists exchange their sides when a launch ends.
    fn hardware_worklist(&mut self) -> Result<(), WorkloadError> {
        // Without a virtualization unit nothing spills, so the overflow buffer is empty.
        let worklist = || Params::default().u64(0).u64(0);
        self.launch_init(worklist())?;
        for level in 1.. {
            let work = self.gpu.worklist_count();
            if work == 0 {
                break;
            }
            let params = worklist().u64(self.row).u64(self.col).u64(self.dist).u32(level);
            self.launch(Start { level, work }, self.persistent_ctas(), params)?;
        }
        Ok(())
    }
}

/// Copies words into a new buffer.
fn to_device(gpu: &mut Gpu, words: &[u32]) -> Result<u64, WorkloadError> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let address = gpu.memory_mut().alloc(bytes.len() as u64);
    gpu.copy_to_device(address, &bytes)?;
    Ok(address)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::gpu::{RunError, Worklist};
    use crate::graph::{self, Labels};
    use crate::units::hwwl::{HwwlCore, Parameters};

    fn gpu(overrides: &[&str]) -> Gpu {
        let mut config = Config::preset("hwwl-micro14").unwrap();
        overrides.iter().for_each(|text| config.set(text).unwrap());
        let h = config.hwwl.as_ref().unwrap();
        let parameters =
            Parameters { lanes: h.lanes, entries: h.entries, threshold: h.threshold, interval: h.interval };
        let worklist = |_| -> Worklist { Box::new(HwwlCore::new(&parameters).unwrap()) };
        let worklists = (0..config.core.count).map(worklist).collect();
        Gpu::new(&config, worklists)
    }

    fn search(gpu: &mut Gpu, graph: &Graph, variant: Variant, source: u32) -> Result<Outcome, WorkloadError> {
        run(gpu, graph, variant, source, &mut |_| {})
    }

    /// Nodes at each distance, from 0.
    fn frontiers(graph: &Graph, source: u32) -> Vec<u64> {
        let distances = reference::bfs(graph, source);
        let at = |level| distances.iter().filter(|&&distance| distance == level).count() as u64;
        (0..).map(at).take_while(|&nodes| nodes > 0).collect()
    }

    /// A hub with `leaves` neighbours, a path that hangs on the last of them, and two nodes that nothing leads to.
    fn broom(leaves: u32, path: u32) -> Graph {
        let hub = (1..=leaves).map(|leaf| (0, leaf));
        let handle = (leaves..leaves + path).map(|v| (v, v + 1));
        let apart = leaves + path + 1;
        let pairs: Vec<_> = hub.chain(handle).chain([(apart, apart + 1)]).collect();
        Graph::undirected("broom", apart as usize + 2, &pairs)
    }

    #[test]
    fn all_variants_reach_every_node_at_its_distance() {
        let graphs = [graph::open("gen:uniform:700:seed=3").unwrap(), broom(90, 5), broom(1, 12)];
        for graph in &graphs {
            for variant in Variant::ALL {
                for source in [0, graph.nodes() as u32 / 2, graph.nodes() as u32 - 1] {
                    let outcome = search(&mut gpu(&["hwwl.entries=256"]), graph, variant, source).unwrap();
                    assert_eq!(outcome.result, reference::bfs(graph, source));
                    assert!(outcome.steps.iter().all(|step| step.stats.cycles > 0));
                }
            }
        }
    }

    /// The claim by atomic minimum: no node is pushed twice, whatever the timing.
    #[test]
    fn the_worklists_hold_each_node_of_a_level_once() {
        let graph = graph::open("gen:uniform:2000:seed=5").unwrap();
        for variant in [Variant::Swwl, Variant::Hwwl] {
            let outcome = search(&mut gpu(&["hwwl.entries=512"]), &graph, variant, 11).unwrap();
            let work: Vec<_> = outcome.steps.iter().map(|step| step.start.work).collect();
            assert_eq!(work, frontiers(&graph, 11), "{}", variant.name());
        }
    }

    #[test]
    fn launches_are_announced_with_level_and_work() {
        let graph = broom(30, 3);
        for variant in Variant::ALL {
            let mut starts = Vec::new();
            let outcome = run(&mut gpu(&[]), &graph, variant, 0, &mut |start| starts.push(start)).unwrap();
            assert_eq!(starts, outcome.steps.iter().map(|step| step.start).collect::<Vec<_>>());
            let expected: Vec<_> =
                [1, 30, 1, 1, 1].iter().zip(0..).map(|(&work, level)| Start { level, work }).collect();
            assert_eq!(starts, expected, "{}", variant.name());
        }
    }

    #[test]
    fn the_same_run_takes_the_same_cycles() {
        let graph = graph::open("gen:uniform:500").unwrap();
        for variant in Variant::ALL {
            let cycles = || {
                let mut gpu = gpu(&["hwwl.entries=256"]);
                search(&mut gpu, &graph, variant, 0).unwrap();
                gpu.cycle()
            };
            assert_eq!(cycles(), cycles(), "{}", variant.name());
        }
    }

    #[test]
    fn a_wrong_result_names_the_first_node_and_both_values() {
        let mut graph = broom(2, 1);
        graph.labels = Labels::From(1);
        let expected = reference::bfs(&graph, 0);
        assert!(check(&graph, &expected, &expected).is_ok());
        let mut found = expected.clone();
        found[2] = 7;
        found[3] = UNREACHED;
        let message = check(&graph, &found, &expected).unwrap_err().to_string();
        assert_eq!(
            message,
            "wrong result: 2 of 6 nodes of broom; the first is node 2 (3): distance 7, should be distance 1"
        );
    }

    #[test]
    fn a_source_that_is_no_node_is_refused() {
        let message = search(&mut gpu(&[]), &broom(2, 1), Variant::Topo, 6).unwrap_err().to_string();
        assert_eq!(message, "source 6: graph broom has nodes 0 to 5; give one of them");
    }

    #[test]
    fn a_worklist_that_is_too_small_or_missing_is_an_error() {
        let graph = broom(2000, 1);
        let error = search(&mut gpu(&["hwwl.entries=16"]), &graph, Variant::Hwwl, 0).unwrap_err();
        assert!(matches!(error, WorkloadError::Run(RunError::WorklistOverflow { .. })), "{error}");
        let mut without = Gpu::new(&Config::preset("hwwl-micro14").unwrap(), Vec::new());
        let error = search(&mut without, &graph, Variant::Hwwl, 0).unwrap_err();
        assert!(matches!(error, WorkloadError::Run(RunError::NoWorklist { .. })), "{error}");
    }
}
