//! Graph colouring by rounds, two launches each, as Pannotia's: in each round the nodes whose values are the largest among
//! their neighbours without a colour take the round's number as theirs.

use super::mapping::{grid, Mapped};
use super::reference;
use super::session::{kernels, Session};
use super::worklist::BLOCK;
use super::{check, inputs, Outcome, Params, Result, Start, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;

pub const VARIANTS: &[Variant] = &[Variant::Topo, Variant::Warp, Variant::Lanes4, Variant::Lanes8, Variant::Lanes16];

const NO_COLOUR: u32 = u32::MAX;

/// Gives the colour of each node, from 0.
pub fn run(gpu: &mut Gpu, graph: &Graph, variant: Variant, watch: Watch) -> Result<Outcome> {
    check::undirected(graph, "colouring")?;
    let mapped = Mapped { thread: kernels::COLOUR_TOPO, warp: kernels::COLOUR_WARP, lanes: kernels::COLOUR_LANES };
    let [look, assign] = kernels(mapped.of(variant), ["colour_largest", "colour_assign"])?;
    let mut session = Session::new(gpu, watch);
    let (nodes, values) = (graph.nodes() as u32, inputs::distinct(graph.nodes()).collect::<Vec<_>>());
    let (row, col, value) = (session.upload(&graph.row)?, session.upload(&graph.col)?, session.upload(&values)?);
    let colour = session.upload(&vec![NO_COLOUR; graph.nodes()])?;
    let [largest, left] = [graph.nodes(), 1].map(|words| session.alloc(words));
    let ([walkers, shape], threads) = (grid(nodes, BLOCK, variant, session.gpu()), nodes.div_ceil(BLOCK));
    for level in 0.. {
        let open = session.read(colour, graph.nodes())?.iter().filter(|&&colour| colour == NO_COLOUR).count();
        let start = Start { level, work: open as u64 };
        session.write(left, &[0])?;
        let params = Params::default().u64(row).u64(col).u64(value).u64(colour).u64(largest).u64(left).u32(nodes);
        session.launch(&look, start, walkers, shape, params)?;
        let params = Params::default().u64(value).u64(largest).u64(colour).u32(nodes).u32(level);
        session.launch(&assign, start, [threads, 1, 1], [BLOCK, 1, 1], params)?;
        if session.read_word(left)? == 0 {
            break;
        }
    }
    let found = session.read(colour, graph.nodes())?;
    let checked = compare(graph, &found, &reference::colouring(graph, &values))?;
    Ok(session.finish(found, checked))
}

fn compare(graph: &Graph, found: &[u32], expected: &[u32]) -> Result<String> {
    let text = |colour: u32| match colour {
        NO_COLOUR => "no colour".into(),
        colour => format!("colour {colour}"),
    };
    check::nodes(graph, found, expected, text)?;
    let colours = 1 + found.iter().max().expect("a node");
    let clash = |&(v, u): &(u32, u32)| v != u && found[v as usize] == found[u as usize];
    let edges = graph.ends();
    let clashes: Vec<_> = edges.filter(clash).collect();
    let shown = |i: usize| {
        let (v, u) = clashes[i];
        let [v, u] = [v, u].map(|v| check::node(graph, v as usize));
        [format!("between {v} and {u}"), "one colour for both".into(), "two".into()]
    };
    let what = format!("edges of {} with equal ends", graph.name);
    check::Elements { what, count: clashes.len(), shown: &shown }.check(|_| false)?;
    Ok(format!("all colours equal, {colours} of them, no two neighbours alike"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_of_one_colour_are_found() {
        let graph = Graph::undirected("path", 3, &[(0, 1), (1, 2)]);
        assert!(compare(&graph, &[0, 1, 0], &[0, 1, 0]).is_ok());
        let message = compare(&graph, &[0, 1, 1], &[0, 1, 1]).unwrap_err().to_string();
        assert!(message.contains("the first is between node 1 (1) and node 2 (2): one colour for both"), "{message}");
        let message = compare(&graph, &[0, 1, NO_COLOUR], &[0, 1, 0]).unwrap_err().to_string();
        assert!(message.contains("node 2 (2): no colour, should be colour 0"), "{message}");
    }
}
