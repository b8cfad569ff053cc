//! A resident warp and the CTA that it belongs to.

use super::simt_stack::SimtStack;
use crate::exec::{Access, Arrival, Registers, Scratch, WarpInfo};
use crate::ptx::program::WARP_SIZE;

/// Barriers of a CTA.
pub const BARRIERS: usize = 16;

/// An atomic on its way; the warp does not go on before it is back.
#[derive(Clone, Debug)]
pub struct AtomicInFlight {
    pub pc: u32,
    pub access: Access,
    /// What each lane found.
    pub old: [u64; WARP_SIZE],
}

#[derive(Clone, Debug)]
pub struct Warp {
    pub cta: usize,
    pub info: WarpInfo,
    pub stack: SimtStack,
    pub registers: Registers,
    pub local: Vec<u8>,
    /// Instruction buffer: `buffered` instructions from `buffer_pc` on.
    pub buffer_pc: u32,
    pub buffered: u32,
    /// Where to fetch next, if no branch turns out to be taken.
    pub fetch_pc: u32,
    /// Issued instructions that are not done.
    pub in_flight: u32,
    /// Store acknowledgements and replies of atomics that have not come yet.
    pub stores: u32,
    pub atomics: u32,
    pub atomic: AtomicInFlight,
    /// The last barrier that the warp came to, and the lanes that did.
    pub barrier_pc: u32,
    pub barrier_lanes: u32,
}

impl Warp {
    pub fn new(slots: usize, local_bytes: usize) -> Self {
        Warp {
            cta: 0,
            info: WarpInfo::default(),
            stack: SimtStack::with_capacity(2 * WARP_SIZE),
            registers: Registers::new(slots),
            local: vec![0; local_bytes],
            buffer_pc: 0,
            buffered: 0,
            fetch_pc: 0,
            in_flight: 0,
            stores: 0,
            atomics: 0,
            atomic: AtomicInFlight { pc: 0, access: Scratch::default().access, old: [0; WARP_SIZE] },
            barrier_pc: 0,
            barrier_lanes: 0,
        }
    }

    /// Nothing of the warp is on its way.
    pub fn is_quiet(&self) -> bool {
        self.in_flight == 0 && self.stores == 0 && self.atomics == 0
    }
}

/// A barrier of a CTA.
#[derive(Clone, Copy, Debug, Default)]
pub struct Barrier {
    /// Warps that wait, one bit each.
    pub waiting: u64,
    /// Warps that have arrived without waiting.
    pub arrived: u32,
    /// Warps that the barrier is for; `None`: all that have not ended.
    pub warps: Option<u32>,
    /// Threads that have arrived, and those with a true predicate.
    pub lanes: u32,
    pub votes: u32,
}

impl Barrier {
    /// Counts warp `w` in; false if the warps that are there already expect another number.
    pub fn arrive(&mut self, w: usize, arrival: Arrival) -> bool {
        let first = self.waiting == 0 && self.arrived == 0;
        if !first && self.warps != arrival.warps {
            return false;
        }
        self.warps = arrival.warps;
        self.lanes += arrival.lanes.count_ones();
        self.votes += arrival.votes.count_ones();
        match arrival.passes {
            true => self.arrived += 1,
            false => self.waiting |= 1 << w,
        }
        true
    }

    /// Warps that are still to come.
    pub fn missing(&self, live: u64) -> u32 {
        match self.warps {
            Some(warps) => warps.saturating_sub(self.waiting.count_ones() + self.arrived),
            None => (live & !self.waiting).count_ones(),
        }
    }

    /// Nobody is missing of those that somebody waits for.
    fn opens(&self, live: u64) -> bool {
        (self.waiting != 0 || self.arrived != 0) && self.missing(live) == 0
    }
}

#[derive(Clone, Debug)]
pub struct Cta {
    /// Warps that have not ended, one bit each.
    pub live: u64,
    pub barriers: [Barrier; BARRIERS],
    pub shared: Vec<u8>,
}

impl Cta {
    pub fn new(shared_bytes: usize) -> Self {
        Cta { live: 0, barriers: [Barrier::default(); BARRIERS], shared: vec![0; shared_bytes] }
    }

    /// Opens a barrier that nobody is missing at, and gives what was counted there.
    pub fn open_barrier(&mut self) -> Option<Barrier> {
        let barrier = self.barriers.iter_mut().find(|barrier| barrier.opens(self.live))?;
        Some(std::mem::take(barrier))
    }
}
