//! The ways in which an algorithm can be written for a GPU.

use super::{Result, WorkloadError};
use crate::attach::Uses;
use crate::config::Config;
use crate::ptx::isa::WARP_SIZE;
use crate::units::hwwl::Refill;
use std::str::FromStr;

/// How an algorithm finds its work (HWWL, II-A) and spreads it over the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    Topo,
    Warp,
    TopoLsg,
    Swwl,
    SwwlWch,
    SwwlAru,
    SwwlWdo,
    SwwlEdge,
    Hwwl,
    HwwlSingle,
    Frontier,
    Iru,
    HwwlFrontier,
    HwwlIru,
    NearFar,
    NearFarIru,
    Merrill,
    MerrillIru,
    Rodinia,
    RodiniaWarp,
    Push,
    PushWarp,
    Thread,
}

impl Variant {
    pub const ALL: [Variant; 23] = [
        Variant::Topo,
        Variant::Warp,
        Variant::TopoLsg,
        Variant::Swwl,
        Variant::SwwlWch,
        Variant::SwwlAru,
        Variant::SwwlWdo,
        Variant::SwwlEdge,
        Variant::Hwwl,
        Variant::HwwlSingle,
        Variant::Frontier,
        Variant::Iru,
        Variant::HwwlFrontier,
        Variant::HwwlIru,
        Variant::NearFar,
        Variant::NearFarIru,
        Variant::Merrill,
        Variant::MerrillIru,
        Variant::Rodinia,
        Variant::RodiniaWarp,
        Variant::Push,
        Variant::PushWarp,
        Variant::Thread,
    ];

    pub fn name(self) -> &'static str {
        self.name_and_description().0
    }

    pub fn description(self) -> &'static str {
        self.name_and_description().1
    }

    fn name_and_description(self) -> (&'static str, &'static str) {
        match self {
            Variant::Topo => ("topo", "topology-driven: a thread for every node, work to do or not"),
            Variant::Warp => ("warp", "a warp for every node, work to do or not; its lanes walk the node's edges side by side"),
            Variant::TopoLsg => ("topo-lsg", "topology-driven as in LonestarGPU: in every launch every node relaxes every edge, reached or not"),
            Variant::Swwl => ("swwl", "data-driven, software worklist: two arrays in memory, atomic tail, grid sized to the list"),
            Variant::SwwlWch => ("swwl-wch", "swwl with work chunking: a thread collects its pushes, one atomic for up to 8 of them"),
            Variant::SwwlAru => ("swwl-aru", "swwl with atomic-reduced updates: prefix sum over the pushes of a CTA, one atomic for all of them"),
            Variant::SwwlWdo => ("swwl-wdo", "swwl with work donating: threads with more work than their CTA's mean give IDs to a list in shared memory"),
            Variant::SwwlEdge => ("swwl-edge", "data-driven, software worklist, an edge to a thread: prefix sums over a CTA, one atomic for 704 edges"),
            Variant::Hwwl => ("hwwl", "data-driven, hardware worklist in double-buffer mode, persistent threads; needs a GPU with [hwwl]"),
            Variant::HwwlSingle => ("hwwl-single", "data-driven, hardware worklist in single-buffer mode: one launch until no work is left; needs [hwwl]"),
            Variant::Frontier => ("frontier", "frontiers of nodes and edges in memory, a warp for each node to expand, a thread for each edge to contract"),
            Variant::Iru => ("iru", "frontier, its edges reordered on the way to the threads by the reorder units; needs [iru]"),
            Variant::HwwlFrontier => ("hwwl-frontier", "frontier, but its nodes are pulled from the hardware worklist and pushed to it; needs [hwwl] with refill = interval"),
            Variant::HwwlIru => ("hwwl-iru", "hwwl-frontier, its edges reordered on the way to the threads by the reorder units; needs [iru] and [hwwl] with refill = interval"),
            Variant::NearFar => ("near-far", "frontier, but nodes with a long path wait in a pile until those with shorter ones are done"),
            Variant::NearFarIru => ("near-far-iru", "near-far, its edges reordered on the way to the threads by the reorder units; needs [iru]"),
            Variant::Merrill => ("merrill", "frontiers in memory, edges shared out by degree, visited nodes dropped by four culls instead of atomics"),
            Variant::MerrillIru => ("merrill-iru", "merrill, its edges reordered on the way to the threads by the reorder units; needs [iru]"),
            Variant::Rodinia => ("rodinia", "Rodinia's: two launches a level, bytes for the frontier and marks, CTAs of 512, a thread for every node"),
            Variant::RodiniaWarp => ("rodinia-warp", "rodinia with a warp for every node in the launch that walks edges"),
            Variant::Push => ("push", "a thread for every node pushes along the node's edges with atomic additions"),
            Variant::PushWarp => ("push-warp", "push with a warp for every node, as in Graph-Waving's Listing 2"),
            Variant::Thread => ("thread", "a thread for every element"),
        }
    }

    /// A warp for every node walks the node's edges.
    pub fn maps_to_warps(self) -> bool {
        matches!(self, Variant::Warp | Variant::RodiniaWarp | Variant::PushWarp)
    }

    /// The variant uses the worklist units.
    pub fn needs_hwwl(self) -> bool {
        matches!(self, Variant::Hwwl | Variant::HwwlSingle) || self.has_nodes_in_worklist()
    }

    /// The variant has the node frontier in the hardware worklist, and the edge frontier in memory.
    pub fn has_nodes_in_worklist(self) -> bool {
        matches!(self, Variant::HwwlFrontier | Variant::HwwlIru)
    }

    /// The variant takes edges from the reorder units.
    pub fn needs_iru(self) -> bool {
        matches!(self, Variant::Iru | Variant::HwwlIru | Variant::NearFarIru | Variant::MerrillIru)
    }

    pub fn runs_on(self, config: &Config) -> bool {
        self.obstacle(config).is_none()
    }

    /// What a GPU with this configuration has, or lacks, so that the variant does not run there.
    pub fn obstacle(self, config: &Config) -> Option<&'static str> {
        // A pull on demand is held until its refill has come, and a warp that waits with one lane pulls from no other bank meanwhile.
        let holds_pulls = config.hwwl.as_ref().is_some_and(|hwwl| hwwl.refill == Refill::Demand);
        let obstacles = [
            (self.needs_hwwl() && config.hwwl.is_none(), "no hardware worklist ([hwwl])"),
            (self.needs_iru() && config.iru.is_none(), "no reorder units ([iru])"),
            (self.has_nodes_in_worklist() && holds_pulls, "hwwl.refill = demand (the variant takes interval)"),
            (
                self.needs_wide_warps() && config.core.warp_size != WARP_SIZE,
                "narrow warps (the variant's kernels are compiled for 32 lanes)",
            ),
        ];
        obstacles.iter().find(|(stands, _)| *stands).map(|(_, what)| *what)
    }

    /// Its kernels are compiled for warps of 32 lanes.
    fn needs_wide_warps(self) -> bool {
        matches!(self, Variant::NearFar | Variant::NearFarIru | Variant::Merrill | Variant::MerrillIru)
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
        let known = || spelling::listed(name, Variant::ALL.map(Variant::name));
        let unknown = || WorkloadError::UnknownVariant { name: name.into(), known: known() };
        Variant::ALL.into_iter().find(|variant| variant.name() == name).ok_or_else(unknown)
    }
}
