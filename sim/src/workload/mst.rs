//! Minimum spanning forest by Boruvka's method, thread by node. A round is three launches, as all nodes must have looked for
//! the shortest edges before components join, and all have joined before nodes learn where they are now: `find`, in which
//! work is to be found (all nodes or those of the worklist), `hook` and `flatten`, a thread for every node. Lengths of edges
//! are the file's or a hash of the edge; edges of equal length are ordered by number, which makes the forest unique.

use super::reference;
use super::session::{kernels, Session};
use super::worklist::{Worklist, BLOCK};
use super::{check, Outcome, Params, Result, Start, Variant, Watch, WorkloadError};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;
use crate::ptx::program::Program;
use Variant::{Hwwl, Swwl, SwwlAru, SwwlWch, SwwlWdo, Topo};

pub const VARIANTS: &[Variant] = &[Topo, Swwl, SwwlWch, SwwlAru, SwwlWdo, Hwwl];

/// Gives a word for each entry of `col`: 1 if it is the number of an edge of the forest, else 0 (see [`numbers`]).
pub fn run(gpu: &mut Gpu, graph: &Graph, variant: Variant, watch: Watch) -> Result<Outcome> {
    let weights = graph.edge_weights()?;
    let numbers = numbers(graph, &weights)?;
    let mut forest = Forest::new(gpu, graph, &weights, &numbers, variant, watch)?;
    match variant {
        Swwl | SwwlWch | SwwlAru | SwwlWdo | Hwwl => forest.data_driven(variant)?,
        _ => forest.topology_driven()?,
    }
    let chosen = forest.session.read(forest.chosen, graph.edges())?;
    let expected = reference::mst(graph, &weights, &numbers);
    check_edges(graph, &chosen, &expected)?;
    let edges = chosen.iter().filter(|&&word| word == 1).count();
    let length: u64 = chosen.iter().zip(&weights).map(|(&word, &weight)| word as u64 * weight as u64).sum();
    let checked = format!("all {edges} edges of the forest equal, {length} long");
    Ok(forest.session.finish(chosen, checked))
}

/// The number of the undirected edge that each entry of `col` stands for: the place of the one of its two entries that
/// leaves the smaller node. Of parallel edges the first from one end belongs to the first from the other, among those of
/// one length.
fn numbers(graph: &Graph, weights: &[u32]) -> Result<Vec<u32>> {
    let mut numbers: Vec<u32> = (0..graph.edges() as u32).collect();
    let mut away: Vec<_> = entries(graph).filter(|&(_, v, u)| v < u).map(|(e, v, u)| (v, u, weights[e], e)).collect();
    let mut back: Vec<_> = entries(graph).filter(|&(_, v, u)| u < v).map(|(e, v, u)| (u, v, weights[e], e)).collect();
    away.sort_unstable();
    back.sort_unstable();
    let mut pairs = away.iter().zip(&back);
    let edge = |&(v, u, weight, _): &(u32, u32, u32, usize)| (v, u, weight);
    let unpaired = pairs.find(|(away, back)| edge(away) != edge(back)).map(|(away, back)| *away.min(back));
    let left = away.get(back.len()).or(back.get(away.len())).copied();
    if let Some((v, u, ..)) = unpaired.or(left) {
        let [v, u] = [v, u].map(|v| check::node(graph, v as usize));
        return Err(WorkloadError::Directed { graph: graph.name.clone(), v, u });
    }
    away.iter().zip(&back).for_each(|(away, back)| numbers[back.3] = away.3 as u32);
    Ok(numbers)
}

/// Place, source and target of each entry of `col`.
fn entries(graph: &Graph) -> impl Iterator<Item = (usize, u32, u32)> + '_ {
    let of = |v: u32| (graph.row[v as usize] as usize..).zip(graph.neighbours(v)).map(move |(e, &u)| (e, v, u));
    (0..graph.nodes() as u32).flat_map(of)
}

fn check_edges(graph: &Graph, found: &[u32], expected: &[u32]) -> Result<()> {
    let text = |word: u32| if word == 1 { "in the forest" } else { "not in the forest" }.to_string();
    let shown = |e: usize| {
        let v = graph.row.partition_point(|&begin| begin as usize <= e) - 1;
        let [v, u] = [v, graph.col[e] as usize].map(|v| check::node(graph, v));
        [format!("edge {e} from {v} to {u}"), text(found[e]), text(expected[e])]
    };
    let elements = check::Elements { what: format!("edges of {}", graph.name), count: graph.edges(), shown: &shown };
    elements.check(|e| found[e] == expected[e])
}

/// A forest that grows.
struct Forest<'a> {
    session: Session<'a>,
    nodes: u32,
    init: Program,
    find: Program,
    hook: Program,
    flatten: Program,
    /// `Forest` of `kernels/mst.h`.
    arrays: Params,
    /// Device address of the result.
    chosen: u64,
}

impl<'a> Forest<'a> {
    fn new(
        gpu: &'a mut Gpu,
        graph: &Graph,
        weights: &[u32],
        numbers: &[u32],
        variant: Variant,
        watch: Watch<'a>,
    ) -> Result<Self> {
        let ptx = match variant {
            Swwl => kernels::MST_SWWL,
            SwwlWch => kernels::MST_SWWL_WCH,
            SwwlAru => kernels::MST_SWWL_ARU,
            SwwlWdo => kernels::MST_SWWL_WDO,
            Hwwl => kernels::MST_HWWL,
            _ => kernels::MST_TOPO,
        };
        let [init, find, hook, flatten] = kernels(ptx, ["mst_init", "mst_find", "mst_hook", "mst_flatten"])?;
        let mut session = Session::new(gpu, watch);
        let from: Vec<_> = entries(graph).map(|(_, v, _)| v).collect();
        let keys: Vec<_> = numbers.iter().zip(weights).flat_map(|(&number, &weight)| [number, weight]).collect();
        let mut arrays = Params::default();
        for words in [&graph.row, &graph.col, &from, &keys] {
            arrays = arrays.u64(session.upload(words)?);
        }
        let nodes = graph.nodes();
        for words in [nodes, nodes, 2 * nodes] {
            arrays = arrays.u64(session.alloc(words));
        }
        let chosen = session.upload(&vec![0; graph.edges()])?;
        let arrays = arrays.u64(chosen);
        Ok(Forest { session, nodes: nodes as u32, init, find, hook, flatten, arrays, chosen })
    }

    /// CTAs for a thread for every node.
    fn ctas(&self) -> u32 {
        self.nodes.div_ceil(BLOCK)
    }

    /// The components that have found an edge join.
    fn join(&mut self, level: u32) -> Result<()> {
        let (ctas, start) = (self.ctas(), Start { level, work: self.nodes as u64 });
        for program in [&self.hook, &self.flatten] {
            let params = self.arrays.clone().u32(self.nodes);
            self.session.launch(program, start, [ctas, 1, 1], [BLOCK, 1, 1], params)?;
        }
        Ok(())
    }

    fn launch_init(&mut self, worklist: Params) -> Result<()> {
        let (ctas, start) = (self.ctas(), Start { level: 0, work: self.nodes as u64 });
        let params = worklist.then(&self.arrays).u32(self.nodes);
        self.session.launch(&self.init, start, [ctas, 1, 1], [BLOCK, 1, 1], params)
    }

    /// All nodes look in each round, until none finds an edge.
    fn topology_driven(&mut self) -> Result<()> {
        let changed = self.session.alloc(1);
        self.launch_init(Params::default())?;
        for level in 1.. {
            self.session.write(changed, &[0])?;
            let params = self.arrays.clone().u64(changed).u32(self.nodes);
            let (ctas, start) = (self.ctas(), Start { level, work: self.nodes as u64 });
            self.session.launch(&self.find, start, [ctas, 1, 1], [BLOCK, 1, 1], params)?;
            if self.session.read_word(changed)? == 0 {
                break;
            }
            self.join(level)?;
        }
        Ok(())
    }

    /// Nodes that found an edge look again in the next round, until none is left.
    fn data_driven(&mut self, variant: Variant) -> Result<()> {
        let mut worklist = Worklist::new(&mut self.session, variant, self.nodes as usize)?;
        self.launch_init(worklist.params())?;
        let nodes = self.nodes;
        let all = |_: &Session| Ok((0..nodes).collect());
        let mut work = worklist.turn(&mut self.session, all)?;
        for level in 1.. {
            if work == 0 {
                break;
            }
            let (ctas, params) = (worklist.ctas(&self.session, work), worklist.params().then(&self.arrays));
            self.session.launch(&self.find, Start { level, work }, [ctas, 1, 1], [BLOCK, 1, 1], params)?;
            work = worklist.turn(&mut self.session, all)?;
            if work > 0 {
                self.join(level)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attach::{models, Uses};
    use crate::config::Config;
    use crate::graph::{self, Weights};

    fn forest(graph: &Graph, variant: Variant) -> Result<Outcome> {
        let config = Config::preset("hwwl-micro14").unwrap();
        run(&mut Gpu::new(&config, models(&config, Uses::all()).unwrap()), graph, variant, &mut |_| {})
    }

    /// Length of the spanning forest by Prim's method, which knows no numbers of edges; and how many edges it has.
    fn prim(graph: &Graph, weights: &[u32]) -> (u64, usize) {
        let (mut is_in, mut length, mut edges) = (vec![false; graph.nodes()], 0, 0);
        for first in 0..graph.nodes() as u32 {
            let mut near = std::collections::BTreeSet::from([(0, first)]);
            while let Some((weight, v)) = near.pop_first() {
                if std::mem::replace(&mut is_in[v as usize], true) {
                    continue;
                }
                (length, edges) = (length + weight as u64, edges + (v != first) as usize);
                near.extend(
                    graph.neighbours(v).iter().zip(graph.row[v as usize]..).map(|(&u, e)| (weights[e as usize], u)),
                );
            }
        }
        (length, edges)
    }

    #[test]
    fn forests_are_as_short_as_prims_and_span_as_much() {
        for name in ["uniform:500", "kron:9:degree=8", "grid:20x31", "geometric:400:degree=3"] {
            let graph = graph::open(&format!("gen:{name}")).unwrap();
            let weights = graph.edge_weights().unwrap();
            let result = forest(&graph, Hwwl).unwrap().result;
            let chosen: Vec<_> = result.iter().zip(&weights).filter(|(&word, _)| word == 1).collect();
            let length = chosen.iter().map(|(_, &weight)| weight as u64).sum();
            assert_eq!((length, chosen.len()), prim(&graph, &weights), "{name}");
        }
    }

    /// Once the components are few, most nodes have no edge that leaves theirs: the worklist holds what is left.
    #[test]
    fn nodes_without_an_edge_to_another_component_do_not_come_back() {
        let graph = graph::open("gen:grid:40x40").unwrap();
        for variant in [Swwl, SwwlWch, SwwlAru, Hwwl] {
            let steps = forest(&graph, variant).unwrap().steps;
            let work: Vec<_> = steps.iter().filter(|s| s.kernel == "mst_find").map(|s| s.start.work).collect();
            assert_eq!(work[0], 1600);
            assert!(work.is_sorted_by(|a, b| a >= b) && work[work.len() - 1] < 1600, "{work:?}");
        }
    }

    #[test]
    fn both_directions_of_an_edge_have_one_number() {
        let graph = graph::open("gen:uniform:400").unwrap();
        let numbers = numbers(&graph, &graph.edge_weights().unwrap()).unwrap();
        let ends: Vec<_> = entries(&graph).map(|(_, v, u)| (v.min(u), v.max(u))).collect();
        let mut times = vec![0; graph.edges()];
        for (&number, &pair) in numbers.iter().zip(&ends) {
            assert_eq!(ends[number as usize], pair);
            times[number as usize] += 1;
        }
        assert_eq!(times.iter().filter(|&&n| n == 2).count(), graph.edges() / 2);
    }

    #[test]
    fn a_directed_graph_is_refused() {
        let blank = Graph::undirected("arrow", 3, &[]);
        let one_way = Graph {
            row: vec![0, 2, 3, 3],
            col: vec![1, 2, 0],
            weights: Weights::Given(vec![5, 1, 5]),
            ..blank.clone()
        };
        let two_lengths =
            Graph { row: vec![0, 1, 2, 2], col: vec![1, 0], weights: Weights::Given(vec![5, 6]), ..blank };
        for (graph, u) in [(one_way, 2), (two_lengths, 1)] {
            let message = forest(&graph, Topo).unwrap_err().to_string();
            assert!(message.contains(&format!("between node 0 (0) and node {u} ({u})")), "{message}");
        }
    }
}
