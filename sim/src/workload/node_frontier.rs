//! The node frontier of a search with frontiers: an array in memory, or the hardware worklist. An expansion takes the nodes, and the
//! last launch of a round leaves those of the next one.
//!
//! The worklist is in double-buffer mode, and every launch that uses it ends with an exchange of its sides. An expansion only pulls,
//! and what it leaves is two empty sides, so that their exchange means nothing; the launch that pushes does not pull, and the
//! exchange at its end makes what it pushed the nodes of the next expansion.

use super::rounds::{Frontier, Rounds};
use super::session::kernels;
use super::worklist::{persistent_ctas, Worklist, BLOCK};
use super::{Params, Result, Start};
use crate::kernels::Ptx;
use crate::ptx::program::Program;

pub(super) enum NodeFrontier {
    /// Those to expand, and those that are found meanwhile.
    Memory {
        nodes: Frontier,
        next: Frontier,
    },
    Worklist(Worklist),
}

impl NodeFrontier {
    /// With the nodes of the first round, which are in an array. `ptx`: the variant's kernels; `room`: most nodes of a round.
    pub fn new(rounds: &mut Rounds, first: Frontier, ptx: Ptx, room: usize) -> Result<Self> {
        if !rounds.variant.has_nodes_in_worklist() {
            let next = Frontier::new(&mut rounds.session, room);
            return Ok(NodeFrontier::Memory { nodes: first, next });
        }
        let [begin] = kernels(ptx, ["frontier_begin"])?;
        let worklist = Worklist::new(&mut rounds.session, rounds.variant, room)?;
        let count = first.count(&rounds.session)?;
        let params = worklist.params().u64(first.items).u32(count);
        let start = Start { level: 0, work: count.into() };
        rounds.session.launch(&begin, start, [1, 1, 1], [BLOCK, 1, 1], params)?;
        Ok(NodeFrontier::Worklist(worklist))
    }

    /// Expands the nodes: a warp for each in memory, a thread for each in the worklist. `graph` and `edges` are the parameters
    /// before and behind those that say where the nodes are. The array for the next nodes is empty then.
    pub fn expand(
        &mut self,
        rounds: &mut Rounds,
        program: &Program,
        level: u32,
        graph: Params,
        edges: Params,
    ) -> Result<()> {
        match self {
            NodeFrontier::Memory { nodes, next } => {
                let count = nodes.count(&rounds.session)?;
                next.clear(&mut rounds.session)?;
                rounds.expand(program, level, count, graph.u64(nodes.items).u32(count).then(&edges))
            }
            NodeFrontier::Worklist(worklist) => {
                let start = Start { level, work: rounds.session.gpu().worklist_count() };
                let (ctas, params) = (persistent_ctas(&rounds.session), graph.then(&worklist.params()).then(&edges));
                rounds.session.launch(program, start, [ctas, 1, 1], [BLOCK, 1, 1], params)
            }
        }
    }

    /// Where a launch leaves the nodes of the next round, as its kernel takes it.
    pub fn params(&self) -> Params {
        match self {
            NodeFrontier::Memory { next, .. } => next.params(),
            NodeFrontier::Worklist(worklist) => worklist.params(),
        }
    }

    /// The next round begins: gives the number of its nodes.
    pub fn turn(&mut self, rounds: &Rounds) -> Result<u64> {
        match self {
            NodeFrontier::Memory { nodes, next } => {
                std::mem::swap(nodes, next);
                Ok(nodes.count(&rounds.session)?.into())
            }
            NodeFrontier::Worklist(_) => Ok(rounds.session.gpu().worklist_count()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::reference::{self, UNREACHED};
    use super::super::{find, tests, Input, Variant};
    use crate::config::Config;
    use crate::graph::{self, Graph};

    /// Nodes of each round of a search.
    fn pulled(workload: &str, variant: Variant, preset: &str, graph: &Graph) -> Vec<u64> {
        let mut config = Config::preset(preset).unwrap();
        config.set("core.count=2").unwrap();
        let input = Input::Graph { graph, source: graph.source };
        let search = find(workload).unwrap();
        let outcome = search.run(&mut tests::gpu(&config, variant), input, variant, &mut |_| {}).unwrap();
        let expansions = outcome.steps.iter().filter(|step| step.kernel.ends_with("_expand"));
        expansions.map(|step| step.start.work).collect()
    }

    /// Nodes at each distance.
    fn levels(graph: &Graph) -> Vec<u64> {
        let distances = reference::bfs(graph, graph.source);
        let at = |level| distances.iter().filter(|&&distance| distance == level).count() as u64;
        (0..).map(at).take_while(|&nodes| nodes > 0).collect()
    }

    /// Nodes whose path got shorter in each round of Bellman and Ford's method in which all edges see the paths of the round before.
    fn rounds(graph: &Graph) -> Vec<u64> {
        let lengths = graph.edge_weights().unwrap();
        let mut label = vec![u64::from(UNREACHED); graph.nodes()];
        label[graph.source as usize] = 0;
        let (mut nodes, mut sizes) = (vec![graph.source], Vec::new());
        while !nodes.is_empty() {
            sizes.push(nodes.len() as u64);
            let before = label.clone();
            for &v in &nodes {
                for e in graph.row[v as usize]..graph.row[v as usize + 1] {
                    let (u, length) = (graph.col[e as usize] as usize, u64::from(lengths[e as usize]));
                    label[u] = label[u].min(before[v as usize] + length);
                }
            }
            nodes = (0..graph.nodes() as u32).filter(|&v| label[v as usize] < before[v as usize]).collect();
        }
        sizes
    }

    /// Whoever finds a node first: it is in the worklist once a round.
    #[test]
    fn a_round_pulls_each_of_its_nodes_once() {
        for graph in ["gen:kron:8:degree=4", "gen:grid:9x7"].map(|name| graph::open(name).unwrap()) {
            for preset in ["unruly-b32", "unruly-gw8"] {
                for variant in [Variant::HwwlFrontier, Variant::HwwlIru] {
                    assert_eq!(pulled("bfs", variant, preset, &graph), levels(&graph), "bfs {preset}");
                    assert_eq!(pulled("sssp", variant, preset, &graph), rounds(&graph), "sssp {preset}");
                }
            }
        }
    }

    /// A pull is then held, and a warp that waits with one lane would leave the IDs of the other banks where they are.
    #[test]
    fn refills_on_demand_are_refused() {
        let mut config = Config::preset("unruly-b32").unwrap();
        config.set("hwwl.refill=demand").unwrap();
        for variant in [Variant::HwwlFrontier, Variant::HwwlIru] {
            let text = find("bfs").unwrap().check_variant(variant, &config).unwrap_err().to_string();
            let name = variant.name();
            let start = format!("bfs {name} does not run on unruly-b32, which has hwwl.refill = demand");
            assert!(text.starts_with(&start) && text.lines().count() == 1, "{text}");
        }
    }
}
