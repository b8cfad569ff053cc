//! Plain CPU algorithms that the results of the kernels are held against.

use super::check::Bounded;
use crate::graph::Graph;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

/// Distance of a node that cannot be reached.
pub const UNREACHED: u32 = u32::MAX;

/// Largest rounding of a 32-bit float, as a part of the result.
const ROUNDOFF: f64 = 1.0 / (1 << 24) as f64;

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

/// Length of the shortest path from `source` to each node (Dijkstra), `None` where there is no path. `weights` has a length for
/// each entry of `col`.
pub fn sssp(graph: &Graph, weights: &[u32], source: u32) -> Vec<Option<u64>> {
    let mut distances = vec![None; graph.nodes()];
    distances[source as usize] = Some(0);
    let mut nearest = BinaryHeap::from([Reverse((0, source))]);
    while let Some(Reverse((distance, v))) = nearest.pop() {
        if distances[v as usize].is_some_and(|known| distance > known) {
            continue;
        }
        for (&u, e) in graph.neighbours(v).iter().zip(graph.row[v as usize]..) {
            let length = distance + u64::from(weights[e as usize]);
            if distances[u as usize].is_none_or(|known| length < known) {
                distances[u as usize] = Some(length);
                nearest.push(Reverse((length, u)));
            }
        }
    }
    distances
}

/// The edges of the minimum spanning forest (Kruskal), edges of equal length in the order of their numbers: a 1 for each
/// entry of `col` that is the number of one of them. `weights` and `numbers` are those of the entries.
pub fn mst(graph: &Graph, weights: &[u32], numbers: &[u32]) -> Vec<u32> {
    let mut edges = Vec::new();
    for v in 0..graph.nodes() as u32 {
        for (&u, e) in graph.neighbours(v).iter().zip(graph.row[v as usize]..) {
            edges.push((weights[e as usize], numbers[e as usize], v, u));
        }
    }
    edges.sort_unstable();
    let mut parents: Vec<u32> = (0..graph.nodes() as u32).collect();
    let mut chosen = vec![0; graph.edges()];
    for (_, number, v, u) in edges {
        let [v, u] = [v, u].map(|node| root(&mut parents, node));
        if v != u {
            parents[v as usize] = u;
            chosen[number as usize] = 1;
        }
    }
    chosen
}

/// The representative of the tree that a node is in; halves the way there.
fn root(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        parents[node as usize] = parents[parents[node as usize] as usize];
        node = parents[node as usize];
    }
    node
}

/// The least number of a node of each node's component: nodes that no smaller number has reached reach all they can.
pub fn components(graph: &Graph) -> Vec<u32> {
    let mut labels = vec![None; graph.nodes()];
    for least in 0..graph.nodes() as u32 {
        let mut open = vec![least];
        while let Some(v) = open.pop() {
            if labels[v as usize].is_none() {
                labels[v as usize] = Some(least);
                open.extend(graph.neighbours(v));
            }
        }
    }
    labels.into_iter().map(|label| label.expect("each node reaches itself")).collect()
}

/// The core number of each node, by repeated removal: what is left after nodes with at most `core` neighbours are gone is the
/// next core. Loops and parallel edges do not count.
pub fn core_numbers(graph: &Graph) -> Vec<u32> {
    let mut left = neighbour_sets(graph);
    let mut cores = vec![None; graph.nodes()];
    for core in 0.. {
        let open = |v: &u32| cores[*v as usize].is_none();
        let mut going: Vec<u32> = (0..graph.nodes() as u32).filter(open).collect();
        if going.is_empty() {
            break;
        }
        while let Some(v) = going.pop() {
            if cores[v as usize].is_none() && left[v as usize].len() <= core as usize {
                cores[v as usize] = Some(core);
                for u in std::mem::take(&mut left[v as usize]) {
                    left[u as usize].remove(&v);
                    going.push(u);
                }
            }
        }
    }
    cores.into_iter().map(|core| core.expect("each node goes")).collect()
}

/// Number of triangles: common neighbours of the ends of each edge, those with a larger number than both. Loops and parallel edges
/// do not count.
pub fn triangles(graph: &Graph) -> u64 {
    let sets = neighbour_sets(graph);
    let mut count = 0;
    for (v, set) in (0..).zip(&sets) {
        for &u in set.range(v + 1..) {
            count += set.intersection(&sets[u as usize]).filter(|&&w| w > u).count() as u64;
        }
    }
    count
}

/// The other nodes that each node has an edge to.
fn neighbour_sets(graph: &Graph) -> Vec<BTreeSet<u32>> {
    (0..graph.nodes() as u32).map(|v| graph.neighbours(v).iter().copied().filter(|&u| u != v).collect()).collect()
}

/// PageRank after `iterations` from equal ranks: rank = (1 - damping) / nodes + damping x (sum over the nodes that lead here
/// of their rank / degree). As in the GAP benchmark suite, what nodes without neighbours have is not passed on, so the
/// ranks add up to 1 only where there are none.
///
/// The tolerance follows the roundings through the iterations. Each operation on 32-bit floats is off by at most the
/// unit roundoff u = 2^-24 of its result; all terms are positive, so a sum of d terms in any order is off by at most d u of
/// itself, and the product, the addition, the division and the two rounded constants add five more (to first order; one
/// more covers the second). What the shares were off by is passed on as the shares are.
pub fn pagerank(graph: &Graph, damping: f64, iterations: u32) -> Vec<Bounded> {
    let nodes = graph.nodes() as f64;
    let first = Bounded { value: 1.0 / nodes, tolerance: 2.0 * ROUNDOFF / nodes };
    let mut ranks = vec![first; graph.nodes()];
    let into = graph.transposed();
    for _ in 0..iterations {
        let next = |v: u32| {
            let degree = |u: u32| graph.neighbours(u).len() as f64;
            let sum = |part: fn(&Bounded) -> f64| -> f64 {
                into.neighbours(v).iter().map(|&u| part(&ranks[u as usize]) / degree(u)).sum()
            };
            let value = (1.0 - damping) / nodes + damping * sum(|rank| rank.value);
            let terms = into.neighbours(v).len() as f64;
            let tolerance = damping * sum(|rank| rank.tolerance) + (terms + 6.0) * ROUNDOFF * value;
            Bounded { value, tolerance }
        };
        ranks = (0..graph.nodes() as u32).map(next).collect();
    }
    ranks
}

/// Colouring by rounds: a node without a colour takes the round's number if its value is larger than those of all its
/// neighbours without one. `values` are all different.
pub fn colouring(graph: &Graph, values: &[u32]) -> Vec<u32> {
    let mut colours: Vec<Option<u32>> = vec![None; graph.nodes()];
    for round in 0.. {
        let is_open = |v: u32| colours[v as usize].is_none();
        let is_beaten_by = |v: u32, u: u32| is_open(u) && values[u as usize] > values[v as usize];
        let is_next = |&v: &u32| is_open(v) && !graph.neighbours(v).iter().any(|&u| is_beaten_by(v, u));
        let next: Vec<u32> = (0..graph.nodes() as u32).filter(is_next).collect();
        if next.is_empty() {
            break;
        }
        next.into_iter().for_each(|v| colours[v as usize] = Some(round));
    }
    colours.into_iter().map(|colour| colour.expect("the largest value left always has its turn")).collect()
}

/// Number of shortest paths from `source` to each node, 0 if there is none; parallel edges are paths of their own.
/// `distances` are those of [`bfs`].
pub fn path_counts(graph: &Graph, distances: &[u32], source: u32) -> Vec<f64> {
    let mut counts = vec![0.0; graph.nodes()];
    counts[source as usize] = 1.0;
    for v in by_distance(distances) {
        for u in successors(graph, distances, v) {
            counts[u as usize] += counts[v as usize];
        }
    }
    counts
}

/// Addition of the source of `counts` and `distances` to the betweenness of each node (Brandes, 2001): the sum over all
/// targets but the node itself of the part of the shortest paths to them that leads over the node. For the source
/// itself: 0.
///
/// The tolerance counts the roundings that a 32-bit float has gone through. All terms are positive, so a sum of d terms,
/// in any order, is what each term was times at most d - 1 factors between 1 - u and 1 + u, where u = 2^-24; an
/// operation of another kind multiplies the factors of its operands and adds one. A product of k such factors or of
/// their reciprocals is off by at most k u / (1 - k u) (Higham, Accuracy and Stability of Numerical Algorithms, 3.1).
/// Counts up to 2^24 are whole numbers that a float holds.
pub fn dependencies(graph: &Graph, distances: &[u32], counts: &[f64]) -> Vec<Bounded> {
    let nodes = graph.nodes();
    let of_count = roundings_of_counts(graph, distances, counts);
    let (mut sums, mut of_sum) = (vec![0.0; nodes], vec![0u64; nodes]);
    let inner: Vec<u32> = by_distance(distances).filter(|&v| distances[v as usize] > 0).collect();
    for &v in inner.iter().rev() {
        let place = v as usize;
        let mut terms = 0;
        for u in successors(graph, distances, v).map(|u| u as usize) {
            terms += 1;
            sums[place] += counts[place] / counts[u] * (1.0 + sums[u]);
            // The division, the addition and the product.
            of_sum[place] = of_sum[place].max(of_count[place] + of_count[u] + of_sum[u] + 3);
        }
        of_sum[place] += terms.max(1) - 1;
    }
    let bound = |roundings: u64| {
        let off = roundings as f64 * ROUNDOFF;
        if off < 1.0 {
            off / (1.0 - off)
        } else {
            f64::INFINITY
        }
    };
    let bounded = |(&value, &roundings): (&f64, &u64)| Bounded { value, tolerance: bound(roundings) * value };
    sums.iter().zip(&of_sum).map(bounded).collect()
}

/// Roundings that the count of paths to each node has gone through: none up to 2^24, beyond that those of the terms and of
/// their sum.
fn roundings_of_counts(graph: &Graph, distances: &[u32], counts: &[f64]) -> Vec<u64> {
    let (mut roundings, mut terms) = (vec![0; graph.nodes()], vec![0; graph.nodes()]);
    for v in by_distance(distances).map(|v| v as usize) {
        roundings[v] = if counts[v] > (1 << 24) as f64 { roundings[v] + terms[v] - 1 } else { 0 };
        for u in successors(graph, distances, v as u32).map(|u| u as usize) {
            roundings[u] = roundings[u].max(roundings[v]);
            terms[u] += 1;
        }
    }
    roundings
}

/// The nodes that were reached, the nearest first.
fn by_distance(distances: &[u32]) -> impl Iterator<Item = u32> + '_ {
    let mut nodes: Vec<u32> = (0..distances.len() as u32).collect();
    nodes.retain(|&v| distances[v as usize] != UNREACHED);
    nodes.sort_by_key(|&v| distances[v as usize]);
    nodes.into_iter()
}

/// The neighbours of `v` that are one edge farther from the source, as often as there are edges to them.
fn successors<'a>(graph: &'a Graph, distances: &'a [u32], v: u32) -> impl Iterator<Item = u32> + 'a {
    let next = distances[v as usize] + 1;
    graph.neighbours(v).iter().copied().filter(move |&u| distances[u as usize] == next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph;

    /// Every node's distance is the least of its neighbours' and the edge's: what defines it.
    #[test]
    fn shortest_paths_satisfy_their_definition() {
        let graph = graph::open("gen:uniform:3000:seed=9").unwrap();
        let weights = graph.edge_weights().unwrap();
        let distances = sssp(&graph, &weights, 7);
        for v in 0..graph.nodes() as u32 {
            let edges = graph.neighbours(v).iter().zip(&weights[graph.row[v as usize] as usize..]);
            let through = edges.filter_map(|(&u, &weight)| Some(distances[u as usize]? + u64::from(weight)));
            let expected = if v == 7 { Some(0) } else { through.min() };
            assert_eq!(distances[v as usize], expected, "node {v}");
        }
    }

    /// Those that a search from the label reaches, and from no smaller number.
    #[test]
    fn components_are_what_searches_reach() {
        let graph = graph::open("gen:geometric:60:degree=3").unwrap();
        let labels = components(&graph);
        for (v, &label) in labels.iter().enumerate() {
            let first = (0..graph.nodes() as u32).find(|&u| bfs(&graph, u)[v] != UNREACHED);
            assert_eq!(Some(label), first, "node {v}");
        }
        let components = (0..).zip(&labels).filter(|(v, label)| v == *label).count();
        assert!((2..30).contains(&components), "{components}");
    }

    /// By definition: the largest k for which the node outlives the removal of all that have fewer than k neighbours.
    #[test]
    fn core_numbers_satisfy_their_definition() {
        for name in ["kron:6:degree=4", "geometric:60:degree=4", "uniform:60"] {
            let graph = graph::open(&format!("gen:{name}")).unwrap();
            let cores = core_numbers(&graph);
            assert!(*cores.iter().max().unwrap() >= 3, "{name}");
            for k in 1..=9 {
                let mut alive: BTreeSet<u32> = (0..graph.nodes() as u32).collect();
                let neighbours = |v: u32, alive: &BTreeSet<u32>| {
                    alive.iter().filter(|&&u| u != v && graph.neighbours(v).contains(&u)).count()
                };
                while let Some(v) = alive.iter().copied().find(|&v| neighbours(v, &alive) < k) {
                    alive.remove(&v);
                }
                let found = (0..graph.nodes() as u32).filter(|&v| cores[v as usize] as usize >= k);
                assert_eq!(found.collect::<BTreeSet<_>>(), alive, "{name}: core {k}");
            }
        }
    }

    /// By all three nodes.
    #[test]
    fn triangles_are_those_of_all_triples() {
        for name in ["kron:6:degree=4", "geometric:60:degree=6", "uniform:60", "grid:5x5"] {
            let graph = graph::open(&format!("gen:{name}")).unwrap();
            let adjacent = |v: u32, u: u32| graph.neighbours(v).contains(&u);
            let nodes = graph.nodes() as u32;
            let corners = |v: u32| (v + 1..nodes).flat_map(move |u| (u + 1..nodes).map(move |w| (v, u, w)));
            let all = (0..nodes).flat_map(corners);
            let found = all.filter(|&(v, u, w)| adjacent(v, u) && adjacent(u, w) && adjacent(v, w)).count();
            assert_eq!(triangles(&graph), found as u64, "{name}");
        }
    }

    #[test]
    fn with_unit_lengths_shortest_paths_are_breadth_first() {
        let graph = graph::open("gen:geometric:2000:degree=5").unwrap();
        let levels = bfs(&graph, 3).into_iter().map(|level| (level != UNREACHED).then_some(level.into()));
        assert_eq!(sssp(&graph, &vec![1; graph.edges()], 3), levels.collect::<Vec<_>>());
    }

    /// By definition, on every pair: which part of the shortest paths between two nodes leads over a third.
    #[test]
    fn dependencies_satisfy_their_definition() {
        for name in ["kron:6:degree=3", "grid:7x6", "geometric:60:degree=4", "directed:50:degree=2"] {
            let graph = graph::open(&format!("gen:{name}")).unwrap();
            let nodes = graph.nodes() as u32;
            let distances: Vec<_> = (0..nodes).map(|s| bfs(&graph, s)).collect();
            let counts: Vec<_> = (0..nodes).map(|s| path_counts(&graph, &distances[s as usize], s)).collect();
            let found = dependencies(&graph, &distances[5], &counts[5]);
            for v in (0..nodes as usize).filter(|&v| v != 5 && distances[5][v] != UNREACHED) {
                let leads_over = |t: &usize| {
                    let way = distances[5][v].saturating_add(distances[v][*t]);
                    *t != v && distances[5][*t] != UNREACHED && way == distances[5][*t]
                };
                let part = |t: usize| counts[5][v] * counts[v][t] / counts[5][t];
                let expected: f64 = (0..nodes as usize).filter(leads_over).map(part).sum();
                assert!((found[v].value - expected).abs() < 1e-9 * (1.0 + expected), "{name}: node {v}");
                assert!(found[v].tolerance < 1e-4 * (1.0 + expected), "{name}: node {v}");
            }
            assert_eq!(found[5], Bounded { value: 0.0, tolerance: 0.0 });
        }
    }

    /// A ladder of squares, whose paths double with each: counts beyond 2^24 are rounded, and the tolerance knows.
    #[test]
    fn counts_beyond_24_bits_widen_the_tolerance() {
        let square = |i: u32| [(3 * i, 3 * i + 1), (3 * i, 3 * i + 2), (3 * i + 1, 3 * i + 3), (3 * i + 2, 3 * i + 3)];
        let tolerances = |squares: u32| {
            let pairs: Vec<_> = (0..squares).flat_map(square).collect();
            let graph = Graph::undirected("ladder", 3 * squares as usize + 1, &pairs);
            let distances = bfs(&graph, 0);
            let counts = path_counts(&graph, &distances, 0);
            assert_eq!(counts[3 * squares as usize], 2f64.powi(squares as i32));
            dependencies(&graph, &distances, &counts)[3 * squares as usize - 2]
        };
        let (exact, rounded) = (tolerances(24), tolerances(26));
        assert_eq!((exact.value, rounded.value), (0.5, 0.5));
        assert!(rounded.tolerance > exact.tolerance);
    }

    #[test]
    fn neighbours_have_different_colours_and_a_path_takes_the_largest_first() {
        let path = Graph::undirected("path", 4, &[(0, 1), (1, 2), (2, 3)]);
        assert_eq!(colouring(&path, &[1, 2, 3, 4]), [3, 2, 1, 0]);
        assert_eq!(colouring(&path, &[4, 1, 2, 3]), [0, 2, 1, 0]);
        let alone = Graph::undirected("alone", 2, &[]);
        assert_eq!(colouring(&alone, &[1, 2]), [0, 0]);
    }

    /// On a connected undirected graph without damping, ranks tend to degree / edges; with it they still add up to 1.
    #[test]
    fn ranks_of_a_star() {
        let star = Graph::undirected("star", 5, &[(0, 1), (0, 2), (0, 3), (0, 4)]);
        let ranks = pagerank(&star, 0.85, 200);
        // hub = 0.03 + 0.85 x 4 leaf, leaf = 0.03 + 0.85 x hub / 4
        let hub = (0.03 + 0.85 * 0.12) / (1.0 - 0.85 * 0.85);
        assert!((ranks[0].value - hub).abs() < 1e-12, "{ranks:?}");
        assert!((ranks.iter().map(|rank| rank.value).sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(ranks.iter().all(|rank| rank.tolerance > 0.0 && rank.tolerance < 1e-4 * rank.value));
    }

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
