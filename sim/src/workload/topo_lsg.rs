//! Searches as LonestarGPU's topology-driven versions have them (HWWL, II-D: the yardstick of Table II): in every launch
//! every node relaxes every edge, reached or not, and the search ends with the launch that lowered no distance.

use super::session::{kernels, Session};
use super::traversal::{block, first_distances};
use super::{Outcome, Params, Result, Start, Watch};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels::Ptx;

/// Threads a CTA, unless a core has room for fewer: the most that Fermi's CTAs can have.
const MAX_BLOCK: usize = 1024;

/// Gives the distances. `weights` are those of the edges, none if all have length 1.
pub fn run<'a>(
    gpu: &'a mut Gpu,
    graph: &Graph,
    weights: Option<&[u32]>,
    ptx: Ptx,
    source: u32,
    watch: Watch<'a>,
    check: impl Fn(&[u32]) -> Result<String>,
) -> Result<Outcome> {
    let distances = first_distances(graph, source)?;
    let [relax_all] = kernels(ptx, ["relax_all"])?;
    let mut session = Session::new(gpu, watch);
    let arrays = upload(&mut session, graph, weights)?;
    let (dist, changed) = (session.upload(&distances)?, session.alloc(1));
    let params = arrays.u64(dist).u64(changed);
    let nodes = graph.nodes() as u32;
    let block = block(MAX_BLOCK, session.gpu());
    for level in 0.. {
        session.write(changed, &[0])?;
        let start = Start { level, work: nodes.into() };
        session.launch(&relax_all, start, [nodes.div_ceil(block), 1, 1], [block, 1, 1], params.clone())?;
        if session.read_word(changed)? == 0 {
            break;
        }
    }
    session.finish_with(dist, graph.nodes(), check)
}

/// `LsgGraph` of `kernels/lsg.h`.
fn upload(session: &mut Session, graph: &Graph, weights: Option<&[u32]>) -> Result<Params> {
    let nodes = graph.nodes();
    let out_degree: Vec<_> = graph.row.windows(2).map(|row| row[1] - row[0]).collect();
    let number: Vec<_> = (0..nodes as u32).collect();
    let first_edge: Vec<_> = graph.row[..nodes].iter().map(|&begin| begin + 1).collect();
    let from_one = |words: &[u32]| [&[0], words].concat();
    let mut params = Params::default().u32(nodes as u32).u32(graph.edges() as u32);
    for words in [&out_degree, &number, &first_edge, &from_one(&graph.col), &from_one(weights.unwrap_or_default())] {
        params = params.u64(session.upload(words)?);
    }
    Ok(params)
}

#[cfg(test)]
mod tests {
    use super::super::{tests, Variant};
    use super::*;
    use crate::config::Config;
    use crate::graph;
    use crate::kernels;

    fn search(graph: &Graph) -> Outcome {
        let mut gpu = tests::gpu(&Config::preset("hwwl-micro14").unwrap(), Variant::TopoLsg);
        run(&mut gpu, graph, None, kernels::BFS_TOPO_LSG, 0, &mut |_| {}, |_| Ok(String::new())).unwrap()
    }

    /// Every node relaxes every edge in every launch: the last one, which changes nothing, does the work of the others.
    #[test]
    fn every_launch_relaxes_every_edge() {
        let graph = graph::open("gen:uniform:3000").unwrap();
        let steps = search(&graph).steps;
        for step in &steps {
            let instructions = step.stats.core.thread_instructions;
            assert!(instructions > 20 * graph.edges() as u64, "level {}: {instructions}", step.start.level);
        }
    }

    /// CTAs that start later go on from distances that others have lowered.
    #[test]
    fn a_launch_may_go_several_hops() {
        let graph = graph::open("gen:grid:80x32").unwrap();
        let launches = search(&graph).steps.len();
        assert!(launches < 80 + 32 - 2, "{launches}");
    }
}
