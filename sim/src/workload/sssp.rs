//! Single-source shortest paths, one launch per round. Lengths of edges are the file's or a hash of the edge
//! (`graph/weights.rs`). How many rounds it takes depends on who is first; the distances do not.

use super::reference::{self, UNREACHED};
use super::traversal::{Kernels, Traversal};
use super::{check, Outcome, Variant, Watch, WorkloadError};
use crate::gpu::Gpu;
use crate::graph::Graph;
use crate::kernels;

pub const VARIANTS: &[Variant] = &[Variant::Topo, Variant::Warp, Variant::Swwl];

/// Gives the lengths of the shortest paths from `source`, [`UNREACHED`] for what cannot be reached.
pub fn run(
    gpu: &mut Gpu,
    graph: &Graph,
    variant: Variant,
    source: u32,
    watch: Watch,
) -> Result<Outcome, WorkloadError> {
    let ptx = match variant {
        Variant::Swwl => kernels::SSSP_SWWL,
        Variant::Warp => kernels::SSSP_WARP,
        _ => kernels::SSSP_TOPO,
    };
    let kernels = Kernels { ptx, init: "sssp_init", round: "sssp_round" };
    let weights = graph.edge_weights();
    let mut search = Traversal::new(gpu, graph, source, &kernels, Some(&weights), watch)?;
    match variant {
        Variant::Swwl => {
            // The round in which each node was last pushed: none.
            search.add_array(u32::MAX)?;
            search.software_worklist()?
        }
        _ => search.topology_driven(variant, |distance, _| distance != UNREACHED, |params, _| params)?,
    }
    let found = search.distances()?;
    check::nodes(graph, &found, &reference::sssp(graph, &weights, source), shown)?;
    Ok(search.finish(found, format!("all distances equal; lengths of edges {}", graph.weights_origin())))
}

fn shown(distance: u32) -> String {
    match distance {
        UNREACHED => "not reached".into(),
        distance => format!("distance {distance}"),
    }
}
