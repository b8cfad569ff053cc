//! Gene network: the expected degrees are log-normal, and edges join ends in proportion to them (Chung and Lu). The class
//! of human_gene1 in the IRU's Table 3: 22,283 nodes with 1,107 neighbours on average, up to 7,900, numbered at random.

use super::super::csr::Graph;
use super::super::error::GraphError;
use super::random::SplitMix64;
use super::{Kind, Spec};

pub const KIND: Kind = Kind {
    name: "human",
    form: "gen:human:NODES[:degree=D][:seed=N]",
    description: "gene network: log-normal degrees with mean D (1107), ends drawn in proportion to them, no locality; source: the first node with an edge",
    options: &["degree", "seed"],
    make,
};

/// Standard deviation of a degree's logarithm: of 22,283 nodes the greatest has then about 7 times the mean degree.
const SPREAD: f64 = 0.55;

fn make(spec: &Spec) -> Result<Graph, GraphError> {
    let nodes = spec.nodes()?;
    let degree = spec.number("degree", 1, 1107)?;
    if degree.saturating_mul(4) > nodes as u64 {
        return Err(spec.wrong(format!("degree {degree} is more than a quarter of the nodes")));
    }
    spec.check_edges(degree * nodes as u64)?;
    let mut random = SplitMix64(spec.seed()?);
    let ends = Ends::new(&mut random, nodes);
    let wanted = degree as usize * nodes / 2;
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(wanted);
    while pairs.len() < wanted {
        let missing = wanted - pairs.len();
        let drawn = (0..missing).map(|_| (ends.draw(&mut random), ends.draw(&mut random)));
        pairs.extend(drawn.filter(|(v, u)| v != u).map(|(v, u)| (v.min(u), v.max(u))));
        pairs.sort_unstable();
        pairs.dedup();
    }
    let mut graph = Graph::undirected(spec.text, nodes, &pairs);
    graph.source = (0..nodes as u32).find(|&v| !graph.neighbours(v).is_empty()).unwrap_or(0);
    Ok(graph)
}

/// Nodes, drawn in proportion to their expected degrees.
struct Ends {
    /// Sums of the weights up to each node.
    upto: Vec<f64>,
}

impl Ends {
    fn new(random: &mut SplitMix64, nodes: usize) -> Ends {
        let mut sum = 0.0;
        let mut weight = || {
            sum += libm::exp(SPREAD * normal(random));
            sum
        };
        Ends { upto: (0..nodes).map(|_| weight()).collect() }
    }

    fn draw(&self, random: &mut SplitMix64) -> u32 {
        let last = self.upto.len() - 1;
        let at = random.unit() * self.upto[last];
        self.upto.partition_point(|&sum| sum <= at).min(last) as u32
    }
}

/// About a standard normal number: the sum of twelve uniform ones has variance 1.
fn normal(random: &mut SplitMix64) -> f64 {
    (0..12).map(|_| random.unit()).sum::<f64>() - 6.0
}

#[cfg(test)]
mod tests {
    use crate::graph;

    #[test]
    fn has_the_degree_that_was_asked_for_broadly_spread() {
        let graph = graph::open("gen:human:6000:degree=60").unwrap();
        graph::tests::assert_simple_and_symmetric(&graph);
        assert_eq!(graph.edges(), 60 * 6000);
        let mut degrees: Vec<_> = (0..6000).map(|v| graph.neighbours(v).len()).collect();
        degrees.sort_unstable();
        let [least, median, most] = [degrees[60], degrees[3000], degrees[5999]];
        // A log-normal's median is e^(-spread^2 / 2) of its mean: 0.86.
        assert!((48..56).contains(&median), "{median}");
        assert!(least < 20 && (240..480).contains(&most), "{least} to {most}");
    }

    #[test]
    fn neighbours_are_anywhere() {
        let share = graph::tests::local_share(&graph::open("gen:human:6000:degree=60").unwrap());
        assert!((0.005..0.016).contains(&share), "64 of 6,000 numbers are within 32: {share}");
    }
}
