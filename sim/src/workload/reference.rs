//! Plain CPU algorithms that the results of the kernels are held against.

use crate::graph::Graph;
use std::collections::VecDeque;

/// Distance of a node that cannot be reached.
pub const UNREACHED: u32 = u32::MAX;

/// Number of edges from `source` to each node.
pub fn bfs(graph: &Graph, source: u32) -> Vec<u32> {
    let mut distances = vec![UNREACHED; graph.nodes()];
    distances[source as usize] = 0;
    let mut queue = VecDeque::from([source]);
    while let Some(v) = queue.pop_front() {
        for &u in graph.neighbours(v) {
            if distances[u as usize] == UNREACHED {
                distances[u as usize] = distances[v as usize] + 1;
                queue.push_back(u);
            }
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph;

    /// Every node's distance is one more than its nearest neighbour's: what defines it.
    #[test]
    fn distances_satisfy_their_definition() {
        let graph = graph::open("gen:uniform:3000:seed=9").unwrap();
        let distances = bfs(&graph, 7);
        for v in 0..graph.nodes() as u32 {
            let nearest = graph.neighbours(v).iter().map(|&u| distances[u as usize]).min().unwrap_or(UNREACHED);
            let expected = if v == 7 { 0 } else { nearest.saturating_add(1) };
            assert_eq!(distances[v as usize], expected, "node {v}");
        }
    }

    #[test]
    fn debian_from_libc6() {
        let graph = graph::open("debian").unwrap();
        let distances = bfs(&graph, graph.source);
        let at = |level| distances.iter().filter(|&&d| d == level).count();
        assert_eq!((0..9).map(at).collect::<Vec<_>>(), [1, 21841, 19823, 13455, 2602, 505, 82, 9, 1]);
        assert_eq!(at(UNREACHED), 63_666 - 58_319);
    }
}
