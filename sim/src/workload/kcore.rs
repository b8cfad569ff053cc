//! Core numbers by peeling. Step k begins with a launch that finds the nodes with k neighbours left. Then, as long as there are any,
//! a launch expands them into their edges, a warp for each, and one contracts the edges, a thread for each.

use super::reference;
use super::rounds::{Edges, Frontier, Rounds};
use super::session::kernels;
use super::{check, Outcome, Params, Result, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;
use crate::units::iru::Filter;

pub const VARIANTS: &[Variant] = &[Variant::Thread, Variant::ThreadIru];

/// Gives the core number of each node. Loops and parallel edges do not count.
pub fn run(gpu: &mut Gpu, graph: &Graph, variant: Variant, watch: Watch) -> Result<Outcome> {
    check::undirected(graph, "finding cores")?;
    let ptx = if variant.needs_iru() { kernels::KCORE_IRU } else { kernels::KCORE };
    let [scan, expand, contract] = kernels(ptx, ["kcore_scan", "kcore_expand", "kcore_contract"])?;
    let simple = graph.simple();
    let mut rounds = Rounds::new(gpu, &simple, variant, watch)?;
    let degrees = (0..rounds.nodes).map(|v| simple.neighbours(v).len() as u32);
    let degree = rounds.session.upload(&degrees.collect::<Vec<_>>())?;
    let core = rounds.session.alloc(graph.nodes());
    let [mut nodes, mut next] = [(); 2].map(|()| Frontier::new(&mut rounds.session, graph.nodes()));
    let edges = Frontier::new(&mut rounds.session, rounds.edges);
    let mut left = rounds.nodes;
    for k in 0.. {
        if left == 0 {
            break;
        }
        nodes.clear(&mut rounds.session)?;
        let params = Params::default().u64(degree).u32(rounds.nodes).u32(k).u64(core).then(&nodes.params());
        rounds.launch(&scan, k, rounds.nodes.into(), params)?;
        loop {
            let gone = nodes.count(&rounds.session)?;
            left -= gone;
            if gone == 0 || left == 0 {
                break;
            }
            edges.clear(&mut rounds.session)?;
            next.clear(&mut rounds.session)?;
            let params = Params::default().u64(rounds.row).u64(rounds.col).u64(nodes.items).u32(gone);
            rounds.expand(&expand, k, gone, params.then(&edges.params()))?;
            let count = edges.count(&rounds.session)?;
            if count > 0 {
                let taken = Edges { frontier: &edges, count, weights: None, label: degree, filter: Filter::None };
                let params = Params::default().u64(degree).u32(k).u64(core).then(&next.params());
                rounds.contract(&contract, k, &taken, params)?;
            }
            (nodes, next) = (next, nodes);
        }
    }
    rounds.session.finish_with(core, graph.nodes(), |found| {
        check::nodes(graph, found, &reference::core_numbers(graph), |core| format!("core {core}"))?;
        Ok(format!("all core numbers equal, up to {}", found.iter().max().unwrap_or(&0)))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests;
    use super::*;
    use crate::config::Config;

    fn cores(graph: &Graph, variant: Variant) -> Outcome {
        let config = tests::home(variant, &Config::preset("hwwl-micro14").unwrap());
        run(&mut tests::gpu(&config, variant), graph, variant, &mut |_| {}).unwrap()
    }

    /// Four nodes that all know each other, a tail, a node by itself, a loop and an edge that is there twice.
    #[test]
    fn nodes_have_the_largest_core_that_they_are_in() {
        let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (3, 4), (4, 5)];
        let mut graph = Graph::undirected("tail", 7, &pairs);
        for (v, u) in [(5, 4), (5, 5), (4, 5)] {
            graph.col.insert(graph.row[v] as usize, u);
            graph.row[v + 1..].iter_mut().for_each(|end| *end += 1);
        }
        for &variant in VARIANTS {
            assert_eq!(cores(&graph, variant).result, [3, 3, 3, 3, 1, 1, 0]);
            assert_eq!(cores(&Graph::undirected("apart", 3, &[]), variant).result, [0; 3]);
        }
    }

    #[test]
    fn a_graph_without_nodes_needs_no_launch() {
        let outcome = cores(&Graph::undirected("empty", 0, &[]), Variant::Thread);
        assert!(outcome.steps.is_empty() && outcome.result.is_empty());
    }
}
