//! Kronecker graphs, with the odds of Graph500 or those of GTgraph's R-MAT: few hubs with very many edges, many nodes with
//! few or none.

use super::super::csr::Graph;
use super::super::error::GraphError;
use super::random::SplitMix64;
use super::{Kind, Spec};
use crate::number::whole_u64;

pub const KIND: Kind = Kind {
    name: "kron",
    form: "gen:kron:SCALE[:degree=D][:seed=N]",
    description: "Kronecker graph of Graph500 (A 0.57, B 0.19, C 0.19): 2^SCALE nodes, D (16) x 2^SCALE undirected edges before loops and duplicates go; source: the largest hub",
    options: &["degree", "seed"],
    make: |spec| make(spec, 16, &GRAPH500),
};

/// The odds are the defaults of GTgraph, whose generator LonestarGPU's inputs of this kind come from.
pub const RMAT: Kind = Kind {
    name: "rmat",
    form: "gen:rmat:SCALE[:degree=D][:seed=N]",
    description: "as kron, with the odds of GTgraph's R-MAT (A 0.45, B 0.15, C 0.15): D (8) x 2^SCALE undirected edges",
    options: &["degree", "seed"],
    make: |spec| make(spec, 8, &GTGRAPH),
};

/// Draws below these lead to the quadrants (0, 0), (0, 1) and (1, 0) of the adjacency matrix, others to (1, 1).
struct Odds {
    a: u64,
    ab: u64,
    abc: u64,
}

const GRAPH500: Odds = Odds::percent(57, 19, 19);
const GTGRAPH: Odds = Odds::percent(45, 15, 15);

impl Odds {
    const fn percent(a: u64, b: u64, c: u64) -> Odds {
        let share = u64::MAX / 100;
        Odds { a: share * a, ab: share * (a + b), abc: share * (a + b + c) }
    }
}

const MAX_SCALE: u64 = 24;

fn make(spec: &Spec, degree: u64, odds: &Odds) -> Result<Graph, GraphError> {
    let (nodes, scale) = nodes(spec)?;
    let degree = spec.number("degree", 1, degree)?;
    let drawn = degree.saturating_mul(nodes as u64);
    spec.check_edges(drawn.saturating_mul(2))?;
    let mut random = SplitMix64(spec.seed()?);
    let mut pairs: Vec<_> = (0..drawn).map(|_| pair(&mut random, scale, odds)).collect();
    // Without it the hubs would be the nodes with few ones in their number.
    let label = random.permutation(nodes);
    for (v, u) in &mut pairs {
        (*v, *u) = (label[*v as usize], label[*u as usize]);
    }
    let mut graph = Graph::undirected(spec.text, nodes, &pairs);
    graph.source = largest_hub(&graph);
    Ok(graph)
}

fn nodes(spec: &Spec) -> Result<(usize, u32), GraphError> {
    let scale = whole_u64(spec.size).map_err(|_| spec.wrong(format!("`{}` is not a scale", spec.size)))?;
    if scale >= 32 {
        return Err(spec.wrong(format!("scale {scale} is more than {MAX_SCALE}")));
    }
    Ok((spec.check_nodes(1 << scale)?, scale as u32))
}

/// One edge: a quadrant of a quadrant of a quadrant of the adjacency matrix, one draw each.
fn pair(random: &mut SplitMix64, scale: u32, odds: &Odds) -> (u32, u32) {
    let (mut v, mut u) = (0, 0);
    for _ in 0..scale {
        let draw = random.draw();
        let down = draw >= odds.ab;
        let right = (odds.a..odds.ab).contains(&draw) || draw >= odds.abc;
        (v, u) = (v << 1 | down as u32, u << 1 | right as u32);
    }
    (v, u)
}

/// The first node of the largest degree: many nodes of such a graph have no edge at all.
fn largest_hub(graph: &Graph) -> u32 {
    (0..graph.nodes() as u32).rev().max_by_key(|&v| graph.neighbours(v).len()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph;

    /// Drawn edges have the published shares in the four quadrants of the matrix.
    #[test]
    fn quadrants_have_the_shares_of_their_origin() {
        for (odds, shares) in [(GRAPH500, [0.57, 0.19, 0.19, 0.05]), (GTGRAPH, [0.45, 0.15, 0.15, 0.25])] {
            let mut random = SplitMix64(5);
            let draws = 100_000;
            let pairs: Vec<_> = (0..draws).map(|_| pair(&mut random, 1, &odds)).collect();
            for (quadrant, share) in [(0, 0), (0, 1), (1, 0), (1, 1)].into_iter().zip(shares) {
                let found = pairs.iter().filter(|&&p| p == quadrant).count() as f64 / draws as f64;
                assert!((found - share).abs() < 0.006, "{quadrant:?}: {found}");
            }
        }
    }

    /// With 8 undirected edges drawn a node, an R-MAT graph is denser in the corner of ones and less skewed than Graph500's.
    #[test]
    fn rmat_is_less_skewed() {
        let (rmat, kron) = (graph::open("gen:rmat:12").unwrap(), graph::open("gen:kron:12:degree=8").unwrap());
        graph::tests::assert_simple_and_symmetric(&rmat);
        let most = |graph: &Graph| graph.neighbours(graph.source).len();
        let alone = |graph: &Graph| (0..4096).filter(|&v| graph.neighbours(v).is_empty()).count();
        assert!(rmat.edges() > kron.edges() && rmat.edges() <= 2 * 8 << 12, "{} {}", rmat.edges(), kron.edges());
        assert!(2 * most(&rmat) < most(&kron) && 2 * alone(&rmat) < alone(&kron), "{} {}", most(&rmat), alone(&rmat));
    }

    #[test]
    fn is_skewed_symmetric_and_without_loops_or_duplicates() {
        let graph = graph::open("gen:kron:14").unwrap();
        assert_eq!(graph.nodes(), 1 << 14);
        let drawn = 2 * 16 << 14;
        assert!((drawn * 7 / 10..drawn).contains(&graph.edges()), "{} of {drawn}", graph.edges());
        graph::tests::assert_simple_and_symmetric(&graph);
        let mut degrees: Vec<_> = (0..graph.nodes() as u32).map(|v| graph.neighbours(v).len()).collect();
        assert_eq!(degrees[graph.source as usize], *degrees.iter().max().unwrap());
        degrees.sort_unstable_by(|a, b| b.cmp(a));
        let mean = graph.edges() / graph.nodes();
        assert!(degrees[0] > 50 * mean, "a hub: {} of mean {mean}", degrees[0]);
        let top: usize = degrees[..graph.nodes() / 100].iter().sum();
        assert!(top * 4 > graph.edges(), "1 % of the nodes have a quarter of the edges: {top}");
        assert!(degrees.iter().filter(|&&d| d == 0).count() > graph.nodes() / 10, "many nodes have no edge");
    }

    #[test]
    fn labels_are_a_permutation_and_hubs_lie_anywhere() {
        let mut label = SplitMix64(1).permutation(1000);
        assert!(label.iter().zip(0..).filter(|(&l, v)| l == *v).count() < 10);
        label.sort_unstable();
        assert!(label.into_iter().eq(0..1000));
        assert_ne!(graph::open("gen:kron:14").unwrap().source, 0);
    }

    #[test]
    fn degree_sets_the_number_of_drawn_edges() {
        let edges = |degree| graph::open(&format!("gen:kron:12:degree={degree}")).unwrap().edges();
        assert!(edges(1) <= 2 << 12 && edges(1) > 1 << 12);
        assert!(edges(8) > 5 * edges(1));
    }
}
