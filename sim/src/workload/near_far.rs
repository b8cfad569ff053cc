//! Shortest paths, near ones first (Davidson et al., IPDPS 2014): as the variant `frontier`, but nodes that are not nearer
//! than a bound wait in a pile. When no nearer ones are left, the bound goes up, and the pile gives what it has below it.

use super::rounds::{Edges, Frontier, Rounds};
use super::session::kernels;
use super::{Outcome, Params, Result, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels::{self, Ptx};
use crate::ptx::isa::WARP_SIZE;
use crate::ptx::program::Program;
use crate::units::iru::Filter;

/// The nodes that wait, and room for those that go on waiting.
struct Pile {
    far: [Frontier; 2],
    /// A word for each node: 1 once it was put here. No node comes twice: what leaves is nearer than the bound for good.
    waits: u64,
    /// Paths that are shorter than this are near.
    bound: u32,
    /// By how much the bound goes up.
    step: u32,
    raise: Program,
}

impl Pile {
    /// Moves what is near now from the pile to `near`, which is empty. Gives how many nodes are there.
    fn refill(&mut self, rounds: &mut Rounds, level: u32, label: u64, near: &Frontier) -> Result<u32> {
        loop {
            let waiting = self.far[0].count(&rounds.session)?;
            if waiting == 0 {
                return Ok(0);
            }
            let before = self.bound;
            self.bound = before.saturating_add(self.step);
            self.far[1].clear(&mut rounds.session)?;
            let pile = Params::default().u64(self.far[0].items).u32(waiting).u64(label).u32(before).u32(self.bound);
            let params = pile.then(&near.params()).then(&self.far[1].params());
            rounds.launch(&self.raise, level, u64::from(waiting), params)?;
            self.far.swap(0, 1);
            let found = near.count(&rounds.session)?;
            if found > 0 {
                return Ok(found);
            }
        }
    }
}

/// The launch that splits what was shortened into near and far nodes.
struct Split {
    plain: Program,
    /// The same, its edges from the reorder units.
    reordered: Option<Program>,
}

impl Split {
    fn new(ptx: Ptx, variant: Variant) -> Result<Self> {
        let split = |ptx| kernels(ptx, ["sssp_split"]).map(|[split]| split);
        let is_reordered = variant == Variant::NearFarIruSplit;
        let reordered = is_reordered.then(|| split(kernels::SSSP_NEAR_FAR_IRU_SPLIT)).transpose()?;
        Ok(Split { plain: split(ptx)?, reordered })
    }

    /// `edges` are those of so many nodes.
    fn launch(&self, rounds: &mut Rounds, level: u32, nodes: u32, edges: &Edges, params: Params) -> Result<()> {
        let reordered = self.reordered.as_ref().filter(|_| gains_from_order(nodes, edges.count));
        if reordered.is_some() {
            rounds.reorder(edges)?;
        }
        rounds.launch(reordered.unwrap_or(&self.plain), level, u64::from(edges.count), params)
    }
}

/// Lists of neighbours are shorter than a warp on average. Warps find longer ones in order, and the units may then take longer
/// than they save; without this rule meshes with long lists of near nodes lose, and large graphs without locality gain more.
fn gains_from_order(nodes: u32, edges: u32) -> bool {
    u64::from(edges) < WARP_SIZE as u64 * u64::from(nodes)
}

/// A warp's worth of mean lengths, divided by the mean degree.
fn step(graph: &Graph, lengths: &[u32]) -> u32 {
    let sum: u128 = lengths.iter().map(|&length| u128::from(length)).sum();
    let edges = (graph.edges() as u128).max(1);
    (WARP_SIZE as u128 * sum * graph.nodes() as u128 / (edges * edges)).clamp(1, u32::MAX.into()) as u32
}

/// Gives the lengths of the shortest paths.
pub fn sssp<'a>(
    gpu: &'a mut Gpu,
    graph: &Graph,
    lengths: &[u32],
    variant: Variant,
    source: u32,
    watch: Watch<'a>,
    check: impl Fn(&[u32]) -> Result<String>,
) -> Result<Outcome> {
    let ptx = if variant.needs_iru() { kernels::SSSP_NEAR_FAR_IRU } else { kernels::SSSP_NEAR_FAR };
    let [expand, compaction, raise] = kernels(ptx, ["sssp_expand", "sssp_compaction", "sssp_raise"])?;
    let split = Split::new(ptx, variant)?;
    let mut rounds = Rounds::new(gpu, graph, variant, watch)?;
    let (label, mut near) = rounds.begin(graph, source)?;
    let weight = rounds.session.upload(lengths)?;
    let lookup = rounds.session.upload(&vec![u32::MAX; graph.nodes()])?;
    let mut next = Frontier::new(&mut rounds.session, graph.nodes());
    let edges = Frontier::new(&mut rounds.session, rounds.edges);
    let weights = rounds.session.alloc_for_iru(rounds.edges);
    let far = [(); 2].map(|()| Frontier::new(&mut rounds.session, graph.nodes()));
    far[0].clear(&mut rounds.session)?;
    let waits = rounds.session.upload(&vec![0; graph.nodes()])?;
    let step = step(graph, lengths);
    let mut pile = Pile { far, waits, bound: step, step, raise };
    for level in 1.. {
        let mut frontier = near.count(&rounds.session)?;
        if frontier == 0 {
            frontier = pile.refill(&mut rounds, level, label, &near)?;
        }
        if frontier == 0 {
            break;
        }
        edges.clear(&mut rounds.session)?;
        let graph = Params::default().u64(rounds.row).u64(rounds.col).u64(weight).u64(label);
        let params = graph.u64(near.items).u32(frontier).then(&edges.params()).u64(weights);
        rounds.expand(&expand, level, frontier, params)?;
        let count = edges.count(&rounds.session)?;
        next.clear(&mut rounds.session)?;
        if count > 0 {
            let taken = Edges { frontier: &edges, count, weights: Some(weights), label, filter: Filter::Minimum };
            rounds.contract(&compaction, level, &taken, Params::default().u64(label).u64(lookup))?;
            let arrays = Params::default().u64(edges.items).u32(count).u64(label).u64(lookup).u64(pile.waits);
            let params = arrays.u32(pile.bound).then(&next.params()).then(&pile.far[0].params());
            // No filter: the element that lookup names must come out, and another one of its node could outlive it.
            let all = Edges { weights: None, label: lookup, filter: Filter::None, ..taken };
            split.launch(&mut rounds, level, frontier, &all, params)?;
        }
        (near, next) = (next, near);
    }
    rounds.session.finish_with(label, graph.nodes(), check)
}

#[cfg(test)]
mod tests {
    use super::super::{sssp, tests};
    use super::*;
    use crate::attach::iru::ReorderStats;
    use crate::config::Config;
    use crate::graph;

    fn outcome(graph: &Graph, variant: Variant) -> Outcome {
        let mut gpu = tests::gpu(&Config::preset("iru-gtx980").unwrap(), variant);
        sssp::run(&mut gpu, graph, variant, graph.source, &mut |_| {}).unwrap()
    }

    /// Edges that were relaxed.
    fn relaxed(outcome: &Outcome) -> u64 {
        outcome.steps.iter().filter(|step| step.kernel == "sssp_compaction").map(|step| step.start.work).sum()
    }

    /// The pile saves work: a node waits until its way is short, and is then expanded fewer times.
    #[test]
    fn near_paths_first_relax_fewer_edges() {
        let graph = graph::open("gen:geometric:800:degree=24").unwrap();
        let [all, near] = [Variant::Frontier, Variant::NearFar].map(|variant| outcome(&graph, variant));
        assert_eq!(all.result, near.result);
        assert!(near.steps.iter().any(|step| step.kernel == "sssp_raise"));
        assert!(relaxed(&near) >= graph.edges() as u64, "each node that can be reached once, at least");
        assert!(relaxed(&near) * 10 < relaxed(&all) * 8, "{} of {}", relaxed(&near), relaxed(&all));
    }

    #[test]
    fn the_bound_goes_up_by_a_warp_of_lengths_over_the_degree() {
        // Two nodes with two neighbours on average, lengths of 100.
        let ring = Graph::undirected_weighted("ring", 3, &[(0, 1), (1, 2), (2, 0)], &[100; 3]);
        assert_eq!(step(&ring, &[100; 6]), 32 * 100 / 2);
        assert_eq!(step(&ring, &[0; 6]), 1, "it goes up in any case");
        assert_eq!(step(&Graph::undirected("alone", 1, &[]), &[]), 1);
        let sparse = Graph::undirected_weighted("sparse", 9, &[(0, 1)], &[u32::MAX - 1]);
        assert_eq!(step(&sparse, &[u32::MAX - 1; 2]), u32::MAX, "then all that is reached is near");
    }

    /// A star: its centre's list is longer than a warp, and those of its leaves are shorter and lead to one node.
    #[test]
    fn short_lists_are_split_through_the_units_and_no_element_is_merged() {
        let pairs: Vec<_> = (1..=100).map(|leaf| (0, leaf)).collect();
        let star = Graph::undirected_weighted("star", 101, &pairs, &[1; 100]);
        let splits = |variant| {
            let outcome = outcome(&star, variant);
            assert_eq!(outcome.result[..2], [0, 1]);
            let splits = outcome.steps.iter().filter(|step| step.kernel == "sssp_split");
            let of_units = splits.map(|step| step.stats.of::<ReorderStats>());
            of_units.map(|units| (units.elements, units.delivered)).collect::<Vec<_>>()
        };
        assert_eq!(splits(Variant::NearFarIruSplit), [(0, 0), (100, 100)]);
        assert_eq!(splits(Variant::NearFarIru), [(0, 0); 2]);
        assert!(gains_from_order(1, 31) && !gains_from_order(1, 32) && gains_from_order(u32::MAX, u32::MAX));
    }

    /// A path whose lengths leave several steps of the bound empty.
    #[test]
    fn steps_without_nodes_are_passed() {
        let path = Graph::undirected_weighted("path", 5, &[(0, 1), (1, 2), (2, 3), (3, 4)], &[1, 1, 1, 100_000]);
        for variant in [Variant::NearFarIru, Variant::NearFarIruSplit] {
            assert_eq!(outcome(&path, variant).result, [0, 1, 2, 3, 100_003]);
        }
    }
}
