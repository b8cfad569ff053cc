//! The ways in which an algorithm can be written for a GPU.

use super::{Result, WorkloadError};
use crate::attach::Uses;
use crate::config::Config;
use crate::ptx::isa::WARP_SIZE;
use crate::units::hwwl::Refill;
use std::str::FromStr;

spelling::named! {
    /// Way in which an algorithm finds its work (HWWL, II-A) and spreads it over the threads.
    pub enum Variant {
        Topo = "topo": "topology-driven: a thread for every node, work to do or not",
        Warp = "warp": "a warp for every node, work to do or not; its lanes walk the node's edges side by side",
        TopoLsg = "topo-lsg": "topology-driven as in LonestarGPU: in every launch every node relaxes every edge, reached or not",
        Swwl = "swwl": "data-driven, software worklist: two arrays in memory, atomic tail, grid sized to the list",
        SwwlWch = "swwl-wch": "swwl with work chunking: a thread collects its pushes, one atomic for up to 8 of them",
        SwwlAru = "swwl-aru": "swwl with atomic-reduced updates: prefix sum over the pushes of a CTA, one atomic for all of them",
        SwwlWdo = "swwl-wdo": "swwl with work donating: threads with more work than their CTA's mean give IDs to a list in shared memory",
        SwwlEdge = "swwl-edge": "data-driven, software worklist, an edge to a thread: prefix sums over a CTA, one atomic for 704 edges",
        Hwwl = "hwwl": "data-driven, hardware worklist in double-buffer mode, persistent threads; needs a GPU with [hwwl]",
        HwwlSingle = "hwwl-single": "data-driven, hardware worklist in single-buffer mode: one launch until no work is left; needs [hwwl]",
        HwwlEdges = "hwwl-edges": "hwwl, whose edge expander gives each thread an edge of a node; needs [hwwl] with nodes",
        HwwlEdgesSingle = "hwwl-edges-single": "hwwl-single, whose edge expander gives each thread an edge of a node; needs [hwwl] with nodes",
        Frontier = "frontier": "frontiers of nodes and edges in memory, a warp for each node to expand, a thread for each edge to contract",
        Iru = "iru": "frontier, its edges reordered on the way to the threads by the reorder units; needs [iru]",
        HwwlFrontier = "hwwl-frontier": "frontier, but its nodes are pulled from the hardware worklist and pushed to it; needs [hwwl] with refill = interval",
        HwwlIru = "hwwl-iru": "hwwl-frontier, its edges reordered on the way to the threads by the reorder units; needs [iru] and [hwwl] with refill = interval",
        NearFar = "near-far": "frontier, but nodes with a long path wait in a pile until those with shorter ones are done",
        NearFarIru = "near-far-iru": "near-far, its edges reordered on the way to the threads by the reorder units; needs [iru]",
        NearFarIruSplit = "near-far-iru-split": "near-far-iru, the split of its nodes into near and far ones reordered too; needs [iru]",
        Merrill = "merrill": "frontiers in memory, edges shared out by degree, visited nodes dropped by four culls instead of atomics",
        MerrillIru = "merrill-iru": "merrill, its edges reordered on the way to the threads by the reorder units; needs [iru]",
        MerrillIruFilter = "merrill-iru-filter": "merrill-iru, whose units also drop edges to a node that still waits in them; needs [iru]",
        Rodinia = "rodinia": "Rodinia's: two launches a level, bytes for the frontier and marks, CTAs of 512, a thread for every node",
        RodiniaWarp = "rodinia-warp": "rodinia with a warp for every node in the launch that walks edges",
        Push = "push": "a thread for every node pushes along the node's edges with atomic additions",
        PushWarp = "push-warp": "push with a warp for every node, as in Graph-Waving's Listing 2",
        Lanes4 = "lanes-4": "push, rodinia or topo with 4 lanes of a warp for every node, where it walks edges",
        Lanes8 = "lanes-8": "the same with 8 lanes",
        Lanes16 = "lanes-16": "the same with 16 lanes",
        Thread = "thread": "a thread for every element",
        ThreadIru = "thread-iru": "thread, its elements reordered on the way to the threads by the reorder units; needs [iru]",
    }
}

impl Variant {
    /// A warp for every node walks the node's edges.
    pub fn maps_to_warps(self) -> bool {
        matches!(self, Variant::Warp | Variant::RodiniaWarp | Variant::PushWarp)
    }

    /// Lanes of a warp that walk a node's edges, where it is a part of a warp that does.
    pub fn lanes(self) -> Option<u32> {
        match self {
            Variant::Lanes4 => Some(4),
            Variant::Lanes8 => Some(8),
            Variant::Lanes16 => Some(16),
            _ => None,
        }
    }

    /// The variant uses the worklist units.
    pub fn needs_hwwl(self) -> bool {
        matches!(self, Variant::Hwwl | Variant::HwwlSingle) || self.has_nodes_in_worklist() || self.needs_expander()
    }

    /// The variant pulls edges.
    pub fn needs_expander(self) -> bool {
        matches!(self, Variant::HwwlEdges | Variant::HwwlEdgesSingle)
    }

    /// The variant has the node frontier in the hardware worklist, and the edge frontier in memory.
    pub fn has_nodes_in_worklist(self) -> bool {
        matches!(self, Variant::HwwlFrontier | Variant::HwwlIru)
    }

    /// The variant takes edges or other elements from the reorder units.
    pub fn needs_iru(self) -> bool {
        use Variant::{HwwlIru, Iru, MerrillIru, MerrillIruFilter, NearFarIru, NearFarIruSplit, ThreadIru};
        matches!(self, Iru | HwwlIru | NearFarIru | NearFarIruSplit | MerrillIru | MerrillIruFilter | ThreadIru)
    }

    pub fn runs_on(self, config: &Config) -> bool {
        self.obstacle(config).is_none()
    }

    /// Property of a GPU with this configuration that keeps the variant from running there.
    pub fn obstacle(self, config: &Config) -> Option<&'static str> {
        // A pull on demand is held until its refill has come, and a warp that waits with one lane pulls from no other bank meanwhile.
        let holds_pulls = config.hwwl.as_ref().is_some_and(|hwwl| hwwl.refill == Refill::Demand);
        let obstacles = [
            (self.needs_hwwl() && config.hwwl.is_none(), "no hardware worklist ([hwwl])"),
            (
                self.needs_expander() && config.hwwl.as_ref().is_some_and(|hwwl| hwwl.nodes == 0),
                "no edge expander (hwwl.nodes = 0; set it to 16)",
            ),
            (self.needs_iru() && config.iru.is_none(), "no reorder units ([iru])"),
            (self.has_nodes_in_worklist() && holds_pulls, "hwwl.refill = demand (the variant takes interval)"),
            (
                self.lanes().is_some_and(|lanes| lanes as usize > config.core.warp_size),
                "warps of fewer lanes than the variant has for a node",
            ),
            (
                self.needs_wide_warps() && config.core.warp_size != WARP_SIZE,
                "narrow warps (the variant's kernels are compiled for 32 lanes)",
            ),
        ];
        obstacles.iter().find(|(stands, _)| *stands).map(|(_, what)| *what)
    }

    /// Its kernels are compiled for warps of 32 lanes.
    fn needs_wide_warps(self) -> bool {
        use Variant::{Merrill, MerrillIru, MerrillIruFilter, NearFar, NearFarIru, NearFarIruSplit};
        matches!(self, NearFar | NearFarIru | NearFarIruSplit | Merrill | MerrillIru | MerrillIruFilter)
    }
}

impl From<Variant> for Uses {
    fn from(variant: Variant) -> Uses {
        Uses::that(|system| match system.name {
            "hwwl" => variant.needs_hwwl(),
            "iru" => variant.needs_iru(),
            _ => false,
        })
    }
}

impl FromStr for Variant {
    type Err = WorkloadError;
    fn from_str(name: &str) -> Result<Variant> {
        Variant::find(name).map_err(|known| WorkloadError::UnknownVariant { name: name.into(), known })
    }
}
