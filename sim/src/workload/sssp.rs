//! Single-source shortest paths, one launch per round; single-buffered, one launch for all of
//! them. Lengths of edges are the file's or a hash of the edge
//! (`graph/weights.rs`). How many rounds it takes depends on who is first; the distances do not.

use super::reference::{self, UNREACHED};
use super::traversal::{check_source, Kernels, Traversal};
use super::{check, frontier, Outcome, Result, Variant, Watch, WorkloadError};
use crate::gpu::Gpu;
use crate::graph::{Graph, MAX_LENGTH};
use crate::kernels;
use Variant::{Frontier, Hwwl, HwwlSingle, Iru, Swwl, SwwlAru, SwwlWch, Topo, Warp};

pub const VARIANTS: &[Variant] = &[Topo, Warp, Swwl, SwwlWch, SwwlAru, Hwwl, HwwlSingle, Frontier, Iru];

/// Gives the lengths of the shortest paths from `source`, [`UNREACHED`] for what cannot be reached.
pub fn run(gpu: &mut Gpu, graph: &Graph, variant: Variant, source: u32, watch: Watch) -> Result<Outcome> {
    check_source(graph, source)?;
    let weights = graph.edge_weights()?;
    let expected = distances(graph, &weights, source)?;
    let check = |found: &[u32]| {
        check::nodes(graph, found, &expected, shown)?;
        Ok("all distances equal".to_owned())
    };
    let (ptx, round) = match variant {
        Frontier | Iru => return frontier::sssp(gpu, graph, &weights, variant, source, watch, check),
        Swwl => (kernels::SSSP_SWWL, "sssp_round"),
        SwwlWch => (kernels::SSSP_SWWL_WCH, "sssp_round"),
        SwwlAru => (kernels::SSSP_SWWL_ARU, "sssp_round"),
        Hwwl => (kernels::SSSP_HWWL, "sssp_round"),
        HwwlSingle => (kernels::SSSP_HWWL_SINGLE, "sssp_drain"),
        Warp => (kernels::SSSP_WARP, "sssp_round"),
        _ => (kernels::SSSP_TOPO, "sssp_round"),
    };
    let kernels = Kernels { ptx, init: "sssp_init", round };
    let mut search = Traversal::new(gpu, graph, source, &kernels, Some(&weights), watch)?;
    match variant {
        Swwl | SwwlWch | SwwlAru | Hwwl => {
            // The round in which each node was last pushed: none.
            search.add_array(u32::MAX)?;
            search.data_driven(variant)?
        }
        HwwlSingle => search.single_buffered()?,
        _ => search.topology_driven(variant, |distance, _| distance != UNREACHED, |params, _| params)?,
    }
    search.finish(check)
}

/// The right distances, if all fit the kernels' 32 bits. Longer ways to a node, which lose, need not fit: there the kernels'
/// sums end at [`UNREACHED`].
fn distances(graph: &Graph, weights: &[u32], source: u32) -> Result<Vec<u32>> {
    let fitting = |(v, distance): (usize, Option<u64>)| match distance {
        None => Ok(UNREACHED),
        Some(length) if length <= MAX_LENGTH.into() => Ok(length as u32),
        Some(length) => Err(WorkloadError::TooFar { graph: graph.name.clone(), node: check::node(graph, v), length }),
    };
    reference::sssp(graph, weights, source).into_iter().enumerate().map(fitting).collect()
}

fn shown(distance: u32) -> String {
    match distance {
        UNREACHED => "not reached".into(),
        distance => format!("distance {distance}"),
    }
}
