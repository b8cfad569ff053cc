//! Why a workload did not run or came to a wrong result, in one line.

use super::{Variant, WORKLOADS};
use crate::exec::AddressError;
use crate::gpu::RunError;
use crate::ptx::PtxError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum WorkloadError {
    #[error("unknown workload `{name}`; there is {known}", known = WORKLOADS.map(|w| w.name).join(", "))]
    UnknownWorkload { name: String },
    #[error("unknown variant `{name}`; there is {known}", known = Variant::ALL.map(Variant::name).join(", "))]
    UnknownVariant { name: String },
    #[error("source {source_node}: graph {graph} has nodes 0 to {last}; give one of them")]
    Source { source_node: u32, graph: String, last: usize },
    #[error(transparent)]
    Ptx(#[from] PtxError),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("host access: {0}")]
    Memory(#[from] AddressError),
    #[error(
        "wrong result: {wrong} of {nodes} nodes of {graph}; the first is node {node} ({label}): {found}, should be {expected}"
    )]
    Wrong { graph: String, nodes: usize, wrong: usize, node: u32, label: String, found: String, expected: String },
}
