//! A warp's place in the grid, and the demand of an instruction of it.

use super::effect::{Access, Demand};
use crate::ptx::isa::WARP_SIZE;

/// Who a warp is: the source of its special registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpInfo {
    pub ctaid: [u32; 3],
    pub ntid: [u32; 3],
    pub nctaid: [u32; 3],
    /// Linear thread id, in the CTA, of lane 0.
    pub first_thread: u32,
    /// Mask of the lanes that exist.
    pub threads: u32,
    /// Lanes of a warp on this GPU: 8, 16 or 32.
    pub size: u32,
    /// `%warpid`: slot of the warp on its core.
    pub warp_slot: u32,
    /// `%nwarpid`: warp slots of a core.
    pub warp_slots: u32,
    /// `%smid`
    pub core: u32,
    /// `%nsmid`
    pub cores: u32,
    /// `%gridid`: number of the launch.
    pub grid: u64,
    /// `%clock`: core cycles.
    pub clock: u64,
    /// Clock of the cores.
    pub clock_mhz: u32,
    /// Bytes of shared memory that the launch asked for beyond the kernel's static ones.
    pub dynamic_shared_bytes: u32,
}

/// `%ctaid` of the CTA with this number, counted along x, then y, then z.
pub fn cta_place(number: u64, grid: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = grid.map(u64::from);
    [number % x, number / x % y, number / x / y].map(|n| n as u32)
}

impl Default for WarpInfo {
    /// A warp of 32 lanes, none of which exists.
    fn default() -> Self {
        WarpInfo {
            ctaid: [0; 3],
            ntid: [0; 3],
            nctaid: [0; 3],
            first_thread: 0,
            threads: 0,
            size: WARP_SIZE as u32,
            warp_slot: 0,
            warp_slots: 0,
            core: 0,
            cores: 0,
            grid: 0,
            clock: 0,
            clock_mhz: 1000,
            dynamic_shared_bytes: 0,
        }
    }
}

impl WarpInfo {
    /// `%globaltimer`: the time of the model.
    pub fn nanoseconds(&self) -> u64 {
        (u128::from(self.clock) * 1000 / u128::from(self.clock_mhz)) as u64
    }

    /// `%gridwarpid`: all warps of the CTAs before, and those of its own CTA.
    pub fn number_in_grid(&self) -> u32 {
        let [x, y, z] = self.ctaid;
        let cta = (z * self.nctaid[1] + y) * self.nctaid[0] + x;
        let threads: u32 = self.ntid.iter().product();
        cta * threads.div_ceil(self.size) + self.first_thread / self.size
    }

    /// `%tid` of a lane.
    pub fn tid(&self, lane: u32) -> [u32; 3] {
        let linear = self.first_thread + lane;
        let [x, y, _] = self.ntid.map(|n| n.max(1));
        [linear % x, linear / x % y, linear / x / y]
    }

    /// Mask of the lanes that exist in the warp of `size` lanes whose lane 0 is thread `first_thread` of a CTA of `ntid` threads.
    pub fn threads(ntid: [u32; 3], first_thread: u32, size: u32) -> u32 {
        let left = ntid.iter().product::<u32>().saturating_sub(first_thread);
        u32::MAX.checked_shr(WARP_SIZE as u32 - left.min(size)).unwrap_or(0)
    }
}

/// Room for what an [`super::Effect`] refers to. Reused from call to call.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    pub(super) access: Access,
    pub(super) changed: bool,
    /// Operands for a port, by lane.
    pub(super) operands: [[u32; WARP_SIZE]; 2],
}

impl Scratch {
    /// The demand of a memory access.
    pub(super) fn demand(&self) -> Demand<'_> {
        Demand::Access { access: &self.access, changed: self.changed }
    }
}
