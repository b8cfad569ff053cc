//! Generated graphs, `gen:KIND:SIZE[:seed=N]`, the same on every machine.

use super::csr::{Graph, MAX_NODES};
use super::error::GraphError;
use super::Entry;

pub const KINDS: [Entry; 1] = [Entry {
    name: "gen:uniform:SIZE[:seed=N]",
    description: "SIZE nodes, each with 2 to 4 undirected edges to nodes drawn uniformly (as Rodinia's BFS input); seed 1 if not given",
}];

/// `rest` is `spec` without its `gen:`.
pub fn open(spec: &str, rest: &str) -> Result<Graph, GraphError> {
    let wrong = |what: String| GraphError::Generator { spec: spec.into(), what };
    let mut parts = rest.split(':');
    let kind = parts.next().unwrap_or_default();
    if kind != "uniform" {
        return Err(wrong(format!("no generator is called `{kind}`, there is `uniform`")));
    }
    let size = parts.next().ok_or_else(|| wrong("the number of nodes is missing".into()))?;
    let nodes: u64 = size.parse().map_err(|_| wrong(format!("`{size}` is not a number of nodes")))?;
    let mut seed = 1;
    if let Some(option) = parts.next() {
        let value = option.strip_prefix("seed=").ok_or_else(|| wrong(format!("`{option}` is not an option")))?;
        seed = value.parse().map_err(|_| wrong(format!("`{value}` is not a seed (0 to 2^64 - 1)")))?;
    }
    if let Some(more) = parts.next() {
        return Err(wrong(format!("`{more}` is one part too many")));
    }
    if nodes > MAX_NODES {
        return Err(GraphError::TooManyNodes { place: spec.into(), nodes });
    }
    let graph = uniform(spec, nodes as usize, seed);
    if graph.edges() == 0 {
        return Err(GraphError::Empty { place: spec.into() });
    }
    Ok(graph)
}

/// The generator splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
struct SplitMix64(u64);

impl SplitMix64 {
    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

/// Each node draws 2 to 4 neighbours; an edge goes in both directions. Duplicates stay; a loop is dropped and its
/// draw not repeated. The edges of a node are in the order in which they were drawn.
fn uniform(name: &str, nodes: usize, seed: u64) -> Graph {
    let mut random = SplitMix64(seed);
    let mut edges = Vec::with_capacity(nodes * 6);
    for v in 0..nodes as u32 {
        for _ in 0..2 + random.draw() % 3 {
            let u = (random.draw() % nodes as u64) as u32;
            if u != v {
                edges.extend([(v, u), (u, v)]);
            }
        }
    }
    Graph::from_edges(name, nodes, &edges)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph;

    /// FNV-like fold of row and col, word by word.
    fn fold(graph: &Graph) -> u64 {
        let words = graph.row.iter().chain(&graph.col);
        words.fold(1469598103934665603, |h, &word| (h ^ word as u64).wrapping_mul(1099511628211))
    }

    /// Values of the reference set that was run on GPGPU-Sim.
    #[test]
    fn uniform_is_the_reference_graph_to_the_bit() {
        for (nodes, edges, check) in [(16384, 98018, 0xa8f2b7e60017172f), (65536, 393630, 0xab6463587d662c35)] {
            let graph = graph::open(&format!("gen:uniform:{nodes}")).unwrap();
            assert_eq!((graph.nodes(), graph.edges(), graph.source), (nodes, edges, 0));
            assert_eq!((0..nodes as u32).map(|v| graph.neighbours(v).len()).max(), Some(16));
            assert_eq!(fold(&graph), check, "{nodes} nodes: {:016x}", fold(&graph));
        }
    }

    #[test]
    fn seed_one_is_the_default_and_others_differ() {
        let open = |spec: &str| graph::open(spec).unwrap().col;
        assert_eq!(open("gen:uniform:500"), open("gen:uniform:500:seed=1"));
        assert_ne!(open("gen:uniform:500"), open("gen:uniform:500:seed=2"));
    }

    #[test]
    fn bad_specs_say_what_is_wrong() {
        let cases = [
            ("gen:", "gen:: no generator is called ``, there is `uniform`; write gen:KIND:SIZE[:seed=N], for example gen:uniform:65536:seed=1"),
            ("gen:rmat:20", "no generator is called `rmat`"),
            ("gen:uniform", "the number of nodes is missing"),
            ("gen:uniform:-4", "`-4` is not a number of nodes"),
            ("gen:uniform:64k", "`64k` is not a number of nodes"),
            ("gen:uniform:64:5", "`5` is not an option"),
            ("gen:uniform:64:seed=x", "`x` is not a seed"),
            ("gen:uniform:64:seed=1:2", "`2` is one part too many"),
            ("gen:uniform:16777217", "16777217 nodes, but a work ID has 24 bits"),
            ("gen:uniform:0", "empty graph"),
            ("gen:uniform:1", "empty graph"),
        ];
        for (spec, message) in cases {
            let error = graph::open(spec).unwrap_err().to_string();
            assert!(error.contains(message) && !error.contains('\n'), "{spec}: {error}");
        }
    }
}
