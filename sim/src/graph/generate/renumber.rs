//! Other numbers for the nodes of a graph, as software gives them before a kernel starts, for locality or against it.

use super::super::csr::Graph;
use super::random::SplitMix64;
use std::cmp::Reverse;

/// An order in which nodes get their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Any, the same each time.
    Shuffled,
    /// Cuthill and McKee's: breadth-first from a node of the least degree, neighbours of lower degree first.
    Bfs,
    /// The largest degree first.
    Degree,
}

impl Order {
    pub const ALL: [(&'static str, Order); 3] =
        [("shuffled", Order::Shuffled), ("bfs", Order::Bfs), ("degree", Order::Degree)];

    /// The new number of each node.
    pub fn numbers(self, graph: &Graph) -> Vec<u32> {
        let order = match self {
            Order::Shuffled => SplitMix64(1).permutation(graph.nodes()),
            Order::Bfs => breadth_first(graph),
            Order::Degree => sorted((0..graph.nodes() as u32).collect(), |v| Reverse(graph.neighbours(v).len())),
        };
        let mut number = vec![0; order.len()];
        order.into_iter().zip(0..).for_each(|(v, n)| number[v as usize] = n);
        number
    }
}

/// Equal ones keep their order.
fn sorted<K: Ord>(mut nodes: Vec<u32>, key: impl Fn(u32) -> K) -> Vec<u32> {
    nodes.sort_by_key(|&v| key(v));
    nodes
}

fn breadth_first(graph: &Graph) -> Vec<u32> {
    let by_degree = |nodes| sorted(nodes, |v| graph.neighbours(v).len());
    let (mut is_met, mut order) = (vec![false; graph.nodes()], Vec::new());
    let mut next = 0;
    for start in by_degree((0..graph.nodes() as u32).collect()) {
        let mut met = vec![start];
        loop {
            met.retain(|&v| !std::mem::replace(&mut is_met[v as usize], true));
            order.append(&mut met);
            let Some(&v) = order.get(next) else { break };
            next += 1;
            met = by_degree(graph.neighbours(v).to_vec());
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{open, tests};

    /// Every order numbers one graph: as many nodes of each degree, and equal lengths in both directions.
    #[test]
    fn other_numbers_change_where_neighbours_are_and_nothing_else() {
        for spec in ["gen:census:3000", "gen:kron:9", "gen:road:500", "gen:collaboration:500"] {
            let plain = open(spec).unwrap();
            let facts = |graph: &Graph| {
                let mut degrees: Vec<_> = (0..graph.nodes() as u32).map(|v| graph.neighbours(v).len()).collect();
                let mut lengths = graph.edge_weights().unwrap();
                degrees.sort_unstable();
                lengths.sort_unstable();
                (degrees, lengths, graph.neighbours(graph.source).len())
            };
            for (name, order) in Order::ALL {
                let graph = open(&format!("{spec}:renumber={name}")).unwrap();
                tests::assert_simple_and_symmetric(&graph);
                assert_eq!(facts(&graph), facts(&plain), "{spec} {name}");
                assert_ne!(graph.col, plain.col, "{spec} {name}");
                let mut numbers = order.numbers(&plain);
                for v in 0..plain.nodes() as u32 {
                    let mut moved: Vec<_> = plain.neighbours(v).iter().map(|&u| numbers[u as usize]).collect();
                    moved.sort_unstable();
                    assert_eq!(moved, graph.neighbours(numbers[v as usize]), "{spec} {name}");
                }
                numbers.sort_unstable();
                assert!(numbers.into_iter().eq(0..plain.nodes() as u32));
            }
        }
    }

    #[test]
    fn orders_are_what_they_are_called() {
        //  4 - 0 - 2 - 3, 2 - 1
        let graph = Graph::undirected("g", 6, &[(0, 4), (0, 2), (2, 3), (2, 1)]);
        assert_eq!(Order::Degree.numbers(&graph), [1, 2, 0, 3, 4, 5]);
        assert_eq!(Order::Bfs.numbers(&graph), [4, 1, 2, 3, 5, 0], "5, then 1 and its 2, then 3, 0 and 4");
    }

    #[test]
    fn duplicates_stay() {
        let edges = |spec| open(spec).unwrap().edges();
        assert_eq!(edges("gen:uniform:50:renumber=bfs"), edges("gen:uniform:50"));
    }
}
