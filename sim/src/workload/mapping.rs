//! Vertices of a topology-driven kernel on threads: a vertex to a thread, to a warp, or to a part of one (`kernels/mapping.h`).

use super::Variant;
use crate::gpu::Gpu;
use crate::kernels::Ptx;

/// A kernel that is compiled for all mappings.
pub struct Mapped {
    pub thread: Ptx,
    pub warp: Ptx,
    pub lanes: Ptx,
}

impl Mapped {
    pub fn of(self, variant: Variant) -> Ptx {
        match (variant.maps_to_warps(), variant.lanes()) {
            (true, _) => self.warp,
            (false, Some(_)) => self.lanes,
            (false, None) => self.thread,
        }
    }
}

/// CTAs of `block` threads for so many vertices.
pub fn ctas(vertices: u32, block: u32, variant: Variant, gpu: &Gpu) -> u32 {
    let warp = if variant.maps_to_warps() { gpu.config().core.warp_size as u32 } else { 1 };
    vertices.div_ceil(block / variant.lanes().unwrap_or(warp))
}

/// The size of a grid of them, and that of a CTA.
pub fn grid(vertices: u32, block: u32, variant: Variant, gpu: &Gpu) -> [[u32; 3]; 2] {
    let lanes = variant.lanes().unwrap_or(block);
    [[ctas(vertices, block, variant, gpu), 1, 1], [lanes, block / lanes, 1]]
}
