//! Number of triangles. The host lets edges lead from nodes of lower to nodes of higher degree, so that rows are short. Two edges of a
//! node are a wedge, and an edge between their ends closes it: a launch lists the wedges of some edges, a warp for each edge, and one
//! looks for what closes them, a thread for each wedge.

use super::reference;
use super::rounds::{Edges, Frontier, Rounds};
use super::session::kernels;
use super::{check, Outcome, Params, Result, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;
use crate::units::iru::Filter;

pub const VARIANTS: &[Variant] = &[Variant::Thread, Variant::ThreadIru];

/// Most wedges of a round, unless a single edge has more.
const ROOM: u32 = 1 << 20;

/// Gives the number in two words, the lower one first. Loops and parallel edges do not count.
pub fn run(gpu: &mut Gpu, graph: &Graph, variant: Variant, watch: Watch) -> Result<Outcome> {
    check::undirected(graph, "counting triangles")?;
    let ptx = if variant.needs_iru() { kernels::TRIANGLES_IRU } else { kernels::TRIANGLES };
    let [list, close] = kernels(ptx, ["triangles_list", "triangles_close"])?;
    let upward = upward(graph);
    let mut rounds = Rounds::new(gpu, &upward, variant, watch)?;
    let sources = rounds.session.upload(&upward.sources())?;
    let batches = batches(&upward, ROOM);
    let room = batches.iter().map(|batch| batch.wedges as usize).max().unwrap_or(0);
    let wedges = Frontier::new(&mut rounds.session, room);
    let tips = rounds.session.alloc_for_iru(room);
    let triangles = rounds.session.alloc(1);
    let mut found = 0;
    for (level, batch) in (0..).zip(&batches) {
        wedges.clear(&mut rounds.session)?;
        rounds.session.write(triangles, &[0])?;
        let arrays = Params::default().u64(rounds.row).u64(rounds.col);
        let params = arrays.clone().u64(sources).u32(batch.first).u32(batch.end).then(&wedges.params()).u64(tips);
        rounds.expand(&list, level, batch.end - batch.first, params)?;
        let (count, weights) = (batch.wedges, Some(tips));
        let taken = Edges { frontier: &wedges, count, weights, label: rounds.row, filter: Filter::None };
        if count > 0 {
            rounds.contract(&close, level, &taken, arrays.u64(triangles))?;
        }
        found += u64::from(rounds.session.read_word(triangles)?);
    }
    let expected = reference::triangles(graph);
    check::listed(["number", "numbers of triangles"], &[found], &[expected], |count| format!("{count} triangles"))?;
    Ok(rounds.session.finish(vec![found as u32, (found >> 32) as u32], format!("all {found} triangles found")))
}

/// Each edge once, from the lower to the higher number, where nodes are numbered by degree.
fn upward(graph: &Graph) -> Graph {
    let mut order: Vec<u32> = (0..graph.nodes() as u32).collect();
    order.sort_by_key(|&v| (graph.neighbours(v).len(), v));
    let mut numbers = vec![0; graph.nodes()];
    for (number, v) in (0..).zip(order) {
        numbers[v as usize] = number;
    }
    let renumbered = graph.ends().map(|(v, u)| (numbers[v as usize], numbers[u as usize]));
    Graph::directed(&graph.name, graph.nodes(), &renumbered.filter(|(v, u)| v < u).collect::<Vec<_>>())
}

/// Edges from `first` to `end`, and the wedges of each with the later edges of its node.
#[derive(Debug, PartialEq)]
struct Batch {
    first: u32,
    end: u32,
    wedges: u32,
}

/// All edges, as many in each batch as have at most `room` wedges.
fn batches(graph: &Graph, room: u32) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    for (e, source) in (0..).zip(graph.sources()) {
        let later = graph.row[source as usize + 1] - e - 1;
        match batches.last_mut() {
            Some(batch) if batch.wedges + later <= room => {
                batch.end = e + 1;
                batch.wedges += later;
            }
            _ => batches.push(Batch { first: e, end: e + 1, wedges: later }),
        }
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::super::tests;
    use super::*;
    use crate::config::Config;

    fn count(graph: &Graph, variant: Variant) -> Outcome {
        let config = tests::home(variant, &Config::preset("hwwl-micro14").unwrap());
        run(&mut tests::gpu(&config, variant), graph, variant, &mut |_| {}).unwrap()
    }

    /// All of six nodes know each other: 6 over 3.
    fn complete() -> Graph {
        let pairs: Vec<_> = (0..6).flat_map(|v| (0..v).map(move |u| (v, u))).collect();
        Graph::undirected("complete", 6, &pairs)
    }

    #[test]
    fn triangles_count_once() {
        let mut twice = Graph::undirected("twice", 3, &[(0, 1), (1, 2), (2, 0)]);
        twice.col = [[1, 2, 0, 1], [0, 2, 2, 0], [0, 1, 1, 2]].concat();
        twice.row = vec![0, 4, 8, 12];
        for &variant in VARIANTS {
            assert_eq!(count(&complete(), variant).result, [20, 0]);
            assert_eq!(count(&twice, variant).result, [1, 0]);
            for nodes in [0, 1, 3] {
                let outcome = count(&Graph::undirected("apart", nodes, &[]), variant);
                assert!(outcome.steps.is_empty() && outcome.result == [0, 0]);
            }
        }
    }

    #[test]
    fn edges_lead_to_nodes_of_higher_degree() {
        let star = Graph::undirected("star", 5, &[(0, 1), (0, 2), (0, 3), (0, 4)]);
        let upward = upward(&star);
        assert_eq!((upward.row, upward.col), (vec![0, 1, 2, 3, 4, 4], vec![4; 4]));
    }

    #[test]
    fn batches_hold_as_many_edges_as_there_is_room_for() {
        let batch = |first, end, wedges| Batch { first, end, wedges };
        // Edges with 4, 3, 2, 1, 0, 3, 2, 1, 0, 2, 1, 0, 1, 0 and 0 later ones.
        let upward = upward(&complete());
        assert_eq!(batches(&upward, 100), [batch(0, 15, 20)]);
        assert_eq!(
            batches(&upward, 3),
            [
                batch(0, 1, 4),
                batch(1, 2, 3),
                batch(2, 5, 3),
                batch(5, 6, 3),
                batch(6, 9, 3),
                batch(9, 12, 3),
                batch(12, 15, 1)
            ]
        );
    }
}
