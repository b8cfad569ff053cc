//! A resident warp and the CTA that it belongs to.

use super::simt_stack::SimtStack;
use crate::exec::{Access, Registers, Scratch, WarpInfo};
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
        }
    }

    /// Nothing of the warp is on its way.
    pub fn is_quiet(&self) -> bool {
        self.in_flight == 0 && self.stores == 0 && self.atomics == 0
    }
}

#[derive(Clone, Debug)]
pub struct Cta {
    /// Warps that have not ended, one bit each.
    pub live: u64,
    /// Warps that wait at each barrier.
    pub waiting: [u64; BARRIERS],
    pub shared: Vec<u8>,
}

impl Cta {
    pub fn new(shared_bytes: usize) -> Self {
        Cta { live: 0, waiting: [0; BARRIERS], shared: vec![0; shared_bytes] }
    }

    /// Opens every barrier that all live warps have reached; gives the warps that may go on.
    pub fn open_barriers(&mut self) -> u64 {
        let mut free = 0;
        for waiting in self.waiting.iter_mut().filter(|w| **w != 0) {
            if *waiting & self.live == self.live {
                free |= std::mem::take(waiting);
            }
        }
        free
    }
}
