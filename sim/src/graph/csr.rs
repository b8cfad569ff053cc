//! Compressed sparse rows: the form in which the kernels read a graph.

use super::changes::Changes;
use super::error::GraphError;
use super::origin::Origin;

/// Names of nodes by the graph's origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Labels {
    /// Node `v` is called `v` plus this number.
    From(u32),
    /// Node `v` is called by this number; ascending.
    Ids(Vec<u64>),
    /// Node `v` has this name; all differ.
    Names(Vec<String>),
}

/// Information of a graph's origin on the lengths of its edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Nothing: a hash of the edge stands in.
    Hashed,
    /// A length for each entry of `col`; an undirected edge has the same in both directions.
    Given(Vec<u32>),
    /// No lengths that a workload can take; the others do not mind.
    Unusable(GraphError),
}

/// A directed graph. One that is meant to be undirected holds every edge in both directions.
#[derive(Clone, Debug, PartialEq)]
pub struct Graph {
    pub name: String,
    /// The edges of node `v` are `col[row[v]..row[v + 1]]`; one more entry than nodes.
    pub row: Vec<u32>,
    /// Target of each edge.
    pub col: Vec<u32>,
    /// Length of each edge.
    pub weights: Weights,
    /// Where a search starts unless told otherwise.
    pub source: u32,
    pub labels: Labels,
    /// Changes made to its origin's edges; `None`: it was generated.
    pub changes: Option<Changes>,
    /// Origin in a file; `None`: it is not from a file.
    pub origin: Option<Origin>,
}

impl Graph {
    /// Without lengths and names.
    pub(super) fn from_rows(name: &str, row: Vec<u32>, col: Vec<u32>) -> Graph {
        let (weights, labels) = (Weights::Hashed, Labels::From(0));
        Graph { name: name.into(), row, col, weights, source: 0, labels, changes: None, origin: None }
    }

    /// From edges (source, target); edges of one node keep the order that they have here.
    pub(super) fn from_edges(name: &str, nodes: usize, edges: &[(u32, u32)]) -> Graph {
        let (row, col) = group(nodes, edges.iter().copied());
        Graph::from_rows(name, row, col)
    }

    /// From pairs of neighbours: every pair in both directions, once each however often it is named; loops are dropped.
    /// The edges of a node are in ascending order.
    pub(crate) fn undirected(name: &str, nodes: usize, pairs: &[(u32, u32)]) -> Graph {
        Graph::merged(name, nodes, pairs.iter().flat_map(|&(v, u)| [(v, u), (u, v)]))
    }

    /// From pairs of neighbours with a length each; of pairs named more than once, the shortest counts.
    pub(crate) fn undirected_weighted(name: &str, nodes: usize, pairs: &[(u32, u32)], weights: &[u32]) -> Graph {
        let pairs = pairs.iter().zip(weights);
        Graph::merged_weighted(name, nodes, pairs.flat_map(|(&(v, u), &w)| [(v, (u, w)), (u, (v, w))]))
    }

    /// As [`Graph::undirected`], but every pair in the one direction in which it is named.
    pub(crate) fn directed(name: &str, nodes: usize, pairs: &[(u32, u32)]) -> Graph {
        Graph::merged(name, nodes, pairs.iter().copied())
    }

    /// As [`Graph::undirected_weighted`], but every pair in the one direction in which it is named.
    pub(super) fn directed_weighted(name: &str, nodes: usize, pairs: &[(u32, u32)], weights: &[u32]) -> Graph {
        Graph::merged_weighted(name, nodes, pairs.iter().zip(weights).map(|(&(v, u), &w)| (v, (u, w))))
    }

    fn merged(name: &str, nodes: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Graph {
        let (mut row, mut col) = group(nodes, edges.filter(|(v, u)| v != u));
        sort_and_merge(&mut row, &mut col, |u| *u);
        Graph::from_rows(name, row, col)
    }

    fn merged_weighted(name: &str, nodes: usize, edges: impl Iterator<Item = (u32, (u32, u32))> + Clone) -> Graph {
        let (mut row, mut edges) = group(nodes, edges.filter(|(v, (u, _))| v != u));
        sort_and_merge(&mut row, &mut edges, |(u, _)| *u);
        let (col, weights) = edges.into_iter().unzip();
        Graph { weights: Weights::Given(weights), ..Graph::from_rows(name, row, col) }
    }

    pub fn nodes(&self) -> usize {
        self.row.len() - 1
    }

    /// Directed edges: an undirected one counts twice.
    pub fn edges(&self) -> usize {
        self.col.len()
    }

    /// Targets of the edges of `node`.
    pub fn neighbours(&self, node: u32) -> &[u32] {
        &self.col[self.row[node as usize] as usize..self.row[node as usize + 1] as usize]
    }

    /// Source and target of each edge.
    pub fn ends(&self) -> impl Iterator<Item = (u32, u32)> + Clone + '_ {
        (0..self.nodes() as u32).flat_map(|v| self.neighbours(v).iter().map(move |&u| (v, u)))
    }

    /// Source of each edge.
    pub fn sources(&self) -> Vec<u32> {
        self.ends().map(|(v, _)| v).collect()
    }

    /// Each edge once however often it is there, without loops and lengths. The edges of a node are in ascending order.
    pub(crate) fn simple(&self) -> Graph {
        Graph::merged(&self.name, self.nodes(), self.ends())
    }

    /// With every edge turned round, without lengths. The edges of a node are in ascending order.
    pub fn transposed(&self) -> Graph {
        let edges = self.ends().map(|(v, u)| (u, v));
        let (row, col) = group(self.nodes(), edges);
        Graph::from_rows(&self.name, row, col)
    }

    /// The same graph with other numbers: `number[v]` for node `v`. The edges of a node are in ascending order and keep their lengths.
    pub(super) fn renumbered(&self, number: &[u32]) -> Result<Graph, GraphError> {
        let new = |v: u32| number[v as usize];
        let lengths = self.edge_weights()?;
        let edges = self.ends().zip(lengths.iter().copied()).map(|((v, u), length)| (new(v), (new(u), length)));
        let (row, mut edges) = group(self.nodes(), edges);
        row.windows(2).for_each(|ends| edges[ends[0] as usize..ends[1] as usize].sort_unstable());
        let (col, lengths) = edges.into_iter().unzip();
        let graph = Graph::from_rows(&self.name, row, col);
        Ok(Graph { weights: Weights::Given(lengths), source: new(self.source), ..graph })
    }

    /// The first edge, by its source and then its target, that has no edge back; each of parallel edges needs its own.
    pub fn one_way_edge(&self) -> Option<(u32, u32)> {
        let into = self.transposed();
        // The edges of this graph again, those of a node in ascending order.
        let out = into.transposed();
        let unpaired = |v: u32| {
            let mut back = into.neighbours(v).iter().peekable();
            out.neighbours(v).iter().find(|&&u| {
                while back.next_if(|&&w| w < u).is_some() {}
                back.next_if(|&&w| w == u).is_none()
            })
        };
        (0..self.nodes() as u32).find_map(|v| unpaired(v).map(|&u| (v, u)))
    }

    /// Name of `node` by the graph's origin.
    pub fn label(&self, node: u32) -> String {
        match &self.labels {
            Labels::From(first) => (node as u64 + *first as u64).to_string(),
            Labels::Ids(ids) => ids[node as usize].to_string(),
            Labels::Names(names) => names[node as usize].clone(),
        }
    }

    /// The node that the graph's origin calls `label`.
    pub fn find(&self, label: &str) -> Option<u32> {
        let node = match &self.labels {
            Labels::From(first) => label.parse::<u32>().ok()?.checked_sub(*first)? as usize,
            Labels::Ids(ids) => ids.binary_search(&label.parse().ok()?).ok()?,
            Labels::Names(names) => names.iter().position(|name| name == label)?,
        };
        (node < self.nodes()).then_some(node as u32)
    }
}

/// Groups values by node, in their order: `row`, and the values of all nodes one after another.
fn group<T: Copy + Default>(nodes: usize, values: impl Iterator<Item = (u32, T)> + Clone) -> (Vec<u32>, Vec<T>) {
    let mut row = vec![0; nodes + 1];
    for (v, _) in values.clone() {
        row[v as usize + 1] += 1;
    }
    for v in 0..nodes {
        row[v + 1] += row[v];
    }
    let (mut next, mut grouped) = (row.clone(), vec![T::default(); row[nodes] as usize]);
    for (v, value) in values {
        grouped[next[v as usize] as usize] = value;
        next[v as usize] += 1;
    }
    (row, grouped)
}

/// Sorts the values of each node and keeps the least of those with the same target.
fn sort_and_merge<T: Copy + Ord>(row: &mut [u32], values: &mut Vec<T>, target: impl Fn(&T) -> u32) {
    let (mut begin, mut kept) = (0, 0);
    for entry in &mut row[1..] {
        let end = *entry as usize;
        values[begin..end].sort_unstable();
        let mut last = None;
        for at in begin..end {
            let value = values[at];
            if last != Some(target(&value)) {
                last = Some(target(&value));
                values[kept] = value;
                kept += 1;
            }
        }
        begin = end;
        *entry = kept as u32;
    }
    values.truncate(kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_of_a_node_keep_their_order() {
        let graph = Graph::from_edges("g", 3, &[(2, 1), (0, 2), (2, 0), (0, 1), (0, 2)]);
        assert_eq!(graph.row, [0, 3, 3, 5]);
        assert_eq!(graph.col, [2, 1, 2, 1, 0]);
        assert_eq!((graph.nodes(), graph.edges()), (3, 5));
        assert_eq!(graph.neighbours(2), [1, 0]);
    }

    #[test]
    fn undirected_has_each_pair_once_in_each_direction_and_no_loop() {
        let graph = Graph::undirected("g", 4, &[(3, 1), (1, 3), (3, 1), (2, 2), (0, 3)]);
        assert_eq!(graph.row, [0, 1, 2, 2, 4]);
        assert_eq!(graph.col, [3, 3, 0, 1]);
    }

    #[test]
    fn an_edge_without_one_back_is_found() {
        let graph = |edges: &[(u32, u32)]| Graph::from_edges("g", 4, edges);
        assert_eq!(graph(&[(2, 1), (1, 2), (3, 3), (1, 0), (0, 1)]).one_way_edge(), None);
        assert_eq!(graph(&[(2, 1), (1, 2), (1, 3), (1, 0), (0, 1)]).one_way_edge(), Some((1, 3)));
        assert_eq!(graph(&[(2, 1), (1, 2), (2, 1)]).one_way_edge(), Some((2, 1)), "two there, one back");
        let turned = graph(&[(2, 1), (2, 0), (1, 0), (3, 1)]).transposed();
        assert_eq!((turned.row, turned.col), (vec![0, 2, 4, 4, 4], vec![1, 2, 2, 3]));
    }

    #[test]
    fn of_an_edge_named_twice_the_shortest_counts() {
        let graph = Graph::undirected_weighted("g", 3, &[(0, 1), (2, 1), (1, 0), (1, 1)], &[9, 4, 5, 1]);
        assert_eq!(graph.row, [0, 1, 3, 4]);
        assert_eq!(graph.col, [1, 0, 2, 1]);
        assert_eq!(graph.edge_weights().unwrap(), [5, 5, 4, 4]);
    }

    #[test]
    fn a_directed_graph_keeps_the_direction_and_length_of_each_edge() {
        let pairs = [(2, 1), (0, 2), (1, 2), (2, 2), (0, 2)];
        let graph = Graph::directed_weighted("g", 3, &pairs, &[9, 4, 5, 1, 3]);
        assert_eq!((graph.row, graph.col), (vec![0, 1, 2, 3], vec![2, 2, 1]));
        assert_eq!(graph.weights, Weights::Given(vec![3, 5, 9]));
        assert_eq!(Graph::directed("g", 3, &pairs).col, [2, 2, 1]);
    }

    #[test]
    fn labels_lead_to_nodes_and_back() {
        let mut graph = Graph::undirected("g", 3, &[(0, 1), (1, 2)]);
        let all =
            [Labels::From(1), Labels::Ids(vec![4, 70, 900]), Labels::Names(vec!["b".into(), "a".into(), "c".into()])];
        for labels in all {
            graph.labels = labels;
            for node in 0..3 {
                assert_eq!(graph.find(&graph.label(node)), Some(node));
            }
            assert_eq!(graph.find("0"), None);
            assert_eq!(graph.find("5"), None);
            assert_eq!(graph.find("zlib"), None);
        }
    }
}
