//! Holding a result against its reference.

use super::{Result, WorkloadError};
use crate::graph::Graph;

/// Elements of a result, as a message shows them.
pub struct Elements<'a> {
    /// Name of the elements, in the plural: "nodes of debian".
    pub what: String,
    pub count: usize,
    /// Element, value found and value expected.
    pub shown: &'a dyn Fn(usize) -> [String; 3],
}

impl Elements<'_> {
    /// Fails with the first element that is not right.
    pub fn check(&self, is_right: impl Fn(usize) -> bool) -> Result<()> {
        let mut wrong = (0..self.count).filter(|&i| !is_right(i));
        let Some(first) = wrong.next() else { return Ok(()) };
        let [place, found, expected] = (self.shown)(first);
        let wrong = 1 + wrong.count();
        Err(WorkloadError::Wrong { wrong, count: self.count, what: self.what.clone(), place, found, expected })
    }
}

/// Exact comparison of a value per node; `text` shows one.
pub fn nodes(graph: &Graph, found: &[u32], expected: &[u32], text: impl Fn(u32) -> String) -> Result<()> {
    let shown = |v: usize| [node(graph, v), text(found[v]), text(expected[v])];
    let elements = Elements { what: format!("nodes of {}", graph.name), count: graph.nodes(), shown: &shown };
    elements.check(|v| found[v] == expected[v])
}

/// A real number, and how far one that was computed with 32-bit floats may be from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded {
    pub value: f64,
    pub tolerance: f64,
}

/// Comparison of 32-bit floats, each within its own tolerance; `what` they are, in the plural, and `place` of one. Gives the
/// largest error as a part of what is tolerated, in per cent.
pub fn within(what: String, place: impl Fn(usize) -> String, found: &[u32], expected: &[Bounded]) -> Result<f64> {
    let error = |i: usize| (f32::from_bits(found[i]) as f64 - expected[i].value).abs();
    let shown = |i: usize| {
        let Bounded { value, tolerance } = expected[i];
        [place(i), float(found[i]), format!("{value:e} within {tolerance:.1e}")]
    };
    let elements = Elements { what, count: expected.len(), shown: &shown };
    elements.check(|i| error(i) <= expected[i].tolerance)?;
    let inexact = (0..expected.len()).filter(|&i| error(i) > 0.0);
    Ok(100.0 * inexact.map(|i| error(i) / expected[i].tolerance).fold(0.0, f64::max))
}

/// Comparison of a float per node, each within its own tolerance.
pub fn nodes_within(graph: &Graph, found: &[u32], expected: &[Bounded]) -> Result<f64> {
    within(format!("nodes of {}", graph.name), |v| node(graph, v), found, expected)
}

/// A node, as messages call it.
pub fn node(graph: &Graph, v: usize) -> String {
    format!("node {v} ({})", graph.label(v as u32))
}

/// Every edge has one back, as `who` needs it.
pub fn undirected(graph: &Graph, who: &'static str) -> Result<()> {
    let Some((v, u)) = graph.one_way_edge() else { return Ok(()) };
    let [v, u] = [v, u].map(|v| node(graph, v as usize));
    Err(WorkloadError::OneWay { graph: graph.name.clone(), v, u, who })
}

/// Exact comparison of arrays of one value per element; `text` shows one.
pub fn array(found: &[u32], expected: &[u32], text: impl Fn(u32) -> String) -> Result<()> {
    listed(["element", "elements"], found, expected, text)
}

/// Exact comparison of values of any kind, with what one and several of them are called.
pub fn listed<T: Copy + PartialEq>(
    [one, several]: [&str; 2],
    found: &[T],
    expected: &[T],
    text: impl Fn(T) -> String,
) -> Result<()> {
    let shown = |i: usize| [format!("{one} {i}"), text(found[i]), text(expected[i])];
    let elements = Elements { what: several.into(), count: expected.len(), shown: &shown };
    elements.check(|i| found[i] == expected[i])
}

/// The bits of a 32-bit float, as it is written.
pub fn float(bits: u32) -> String {
    format!("{:e}", f32::from_bits(bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Labels;

    #[test]
    fn a_wrong_result_names_the_first_element_and_both_values() {
        let mut graph = Graph::undirected("broom", 6, &[(0, 1), (0, 2), (2, 3), (4, 5)]);
        graph.labels = Labels::From(1);
        let expected = [0, 1, 1, 2, 9, 9];
        assert!(nodes(&graph, &expected, &expected, |d| d.to_string()).is_ok());
        let message =
            nodes(&graph, &[0, 1, 7, 0, 9, 9], &expected, |d| format!("distance {d}")).unwrap_err().to_string();
        assert_eq!(
            message,
            "wrong result: 2 of 6 nodes of broom; the first is node 2 (3): distance 7, should be distance 1"
        );
        let message = array(&[0x3f80_0000, 0], &[0x3f80_0000, 0x3f00_0000], float).unwrap_err().to_string();
        assert_eq!(message, "wrong result: 1 of 2 elements; the first is element 1: 0e0, should be 5e-1");
    }
}
