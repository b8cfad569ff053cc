//! Connected components by propagation of labels along all edges, with pointer jumping: three launches per round, until a round
//! changes nothing.

use super::reference;
use super::rounds::{Edges, Frontier, Rounds};
use super::session::kernels;
use super::{check, Outcome, Params, Result, Variant, Watch};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;
use crate::units::iru::Filter;

pub const VARIANTS: &[Variant] = &[Variant::Thread, Variant::ThreadIru];

/// Gives for each node the least number of a node of its component.
pub fn run(gpu: &mut Gpu, graph: &Graph, variant: Variant, watch: Watch) -> Result<Outcome> {
    check::undirected(graph, "finding components")?;
    let ptx = if variant.needs_iru() { kernels::CC_IRU } else { kernels::CC };
    let [offer, hook, jump] = kernels(ptx, ["cc_offer", "cc_hook", "cc_jump"])?;
    let mut rounds = Rounds::new(gpu, graph, variant, watch)?;
    let (nodes, count) = (rounds.nodes, rounds.edges as u32);
    let label = rounds.session.upload(&(0..nodes).collect::<Vec<_>>())?;
    let sources = rounds.session.upload(&graph.sources())?;
    let offers = rounds.session.alloc_for_iru(rounds.edges);
    let changed = rounds.session.alloc(1);
    let edges = Frontier::of(rounds.col);
    for level in 0.. {
        if count == 0 {
            break;
        }
        rounds.session.write(changed, &[0])?;
        let params = Params::default().u64(sources).u32(count).u64(label).u64(offers);
        rounds.launch(&offer, level, count.into(), params)?;
        let offered = Edges { frontier: &edges, count, weights: Some(offers), label, filter: Filter::Minimum };
        rounds.contract(&hook, level, &offered, Params::default().u64(label).u64(changed))?;
        if rounds.session.read_word(changed)? == 0 {
            break;
        }
        rounds.launch(&jump, level, nodes.into(), Params::default().u64(label).u32(nodes))?;
    }
    rounds.session.finish_with(label, graph.nodes(), |found| {
        check::nodes(graph, found, &reference::components(graph), |label| format!("component of node {label}"))?;
        let components = (0..).zip(found).filter(|(v, label)| v == *label).count();
        Ok(format!("all labels equal, {components} components"))
    })
}
