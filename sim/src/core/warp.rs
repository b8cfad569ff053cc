//! A resident warp and the CTA that it belongs to.

use super::in_flight::InFlight;
use super::simt_stack::SimtStack;
use super::warp_set::{Layout, WarpId, WarpSet};
use crate::exec::{Access, Arrival, Registers, WarpInfo};
use crate::ptx::isa::{BARRIERS, WARP_SIZE};
use std::ops::{Index, IndexMut};

/// An atomic on its way; the warp does not go on before it is back. That of two neighbours is kept by the even one.
#[derive(Clone, Debug)]
pub struct AtomicInFlight {
    pub op: InFlight,
    pub access: Access,
    /// The value that each lane found.
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
    /// Instructions issued, of all warps that the slot has held.
    pub issued: u64,
    /// Issued instructions that are not done.
    pub in_flight: u32,
    /// Store acknowledgements and replies of atomics that have not come yet.
    pub stores: u32,
    pub atomics: u32,
    pub atomic: Box<AtomicInFlight>,
    /// The last barrier that the warp came to.
    pub barrier: Option<(u32, Arrival)>,
    /// Cycle in which its CTA started.
    pub started: u64,
    pub first_load: FirstLoad,
}

/// The state of the first load of a warp from global memory or of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstLoad {
    /// The warp has issued no load.
    NotIssued,
    /// It was issued at this pc.
    OnItsWay { pc: u32 },
    /// In this cycle its registers were written.
    Served(u64),
}

impl Warp {
    /// Without registers and local memory: a warp gets them when its CTA starts.
    pub fn new() -> Self {
        Warp {
            cta: 0,
            info: WarpInfo::default(),
            stack: SimtStack::with_capacity(2 * WARP_SIZE),
            registers: Registers::default(),
            local: Vec::new(),
            buffer_pc: 0,
            buffered: 0,
            fetch_pc: 0,
            issued: 0,
            in_flight: 0,
            stores: 0,
            atomics: 0,
            atomic: Box::new(AtomicInFlight {
                op: InFlight::default(),
                access: Access::default(),
                old: [0; WARP_SIZE],
            }),
            barrier: None,
            started: 0,
            first_load: FirstLoad::NotIssued,
        }
    }

    /// A load from global memory, or of a port, was issued.
    pub fn issued_load(&mut self, pc: u32) {
        if self.first_load == FirstLoad::NotIssued {
            self.first_load = FirstLoad::OnItsWay { pc };
        }
    }

    /// Nothing of the warp is on its way.
    pub fn is_quiet(&self) -> bool {
        self.in_flight == 0 && self.stores == 0 && self.atomics == 0
    }
}

/// The warps of a core, in the order of their slots.
#[derive(Clone, Debug)]
pub struct Warps {
    warps: Vec<Warp>,
    layout: Layout,
}

impl Warps {
    pub fn new(layout: Layout) -> Self {
        Warps { warps: Vec::new(), layout }
    }

    /// So many new warps, which use the memory of those before.
    pub fn prepare(&mut self, count: usize) {
        self.warps.truncate(count);
        for warp in &mut self.warps {
            let Warp { registers, local, .. } = std::mem::replace(warp, Warp::new());
            (warp.registers, warp.local) = (registers, local);
        }
        self.warps.resize_with(count, Warp::new);
    }

    pub fn slots(&self) -> usize {
        self.warps.len()
    }
}

impl Index<WarpId> for Warps {
    type Output = Warp;

    #[inline(always)]
    fn index(&self, warp: WarpId) -> &Warp {
        &self.warps[self.layout.slot(warp)]
    }
}

impl IndexMut<WarpId> for Warps {
    #[inline(always)]
    fn index_mut(&mut self, warp: WarpId) -> &mut Warp {
        &mut self.warps[self.layout.slot(warp)]
    }
}

/// A barrier of a CTA.
#[derive(Clone, Copy, Debug, Default)]
pub struct Barrier {
    /// Warps that wait.
    pub waiting: WarpSet,
    /// Warps that have arrived without waiting.
    pub arrived: u32,
    /// Warps that the barrier is for; `None`: all that have not ended.
    pub warps: Option<u32>,
    /// Threads that have arrived, and those with a true predicate.
    pub lanes: u32,
    pub votes: u32,
}

impl Barrier {
    /// Counts a warp in; false if the warps that are there already expect another number.
    pub fn arrive(&mut self, warp: WarpId, arrival: Arrival) -> bool {
        let first = self.waiting.is_empty() && self.arrived == 0;
        if !first && self.warps != arrival.warps {
            return false;
        }
        self.warps = arrival.warps;
        self.lanes += arrival.lanes.count_ones();
        self.votes += arrival.votes.count_ones();
        match arrival.passes() {
            true => self.arrived += 1,
            false => self.waiting.insert(warp),
        }
        true
    }

    /// Warps that are still to come.
    pub fn missing(&self, live: &WarpSet) -> u32 {
        match self.warps {
            Some(warps) => warps.saturating_sub(self.waiting.len() + self.arrived),
            None => live.without(&self.waiting).len(),
        }
    }

    /// Nobody is missing of those that somebody waits for.
    fn opens(&self, live: &WarpSet) -> bool {
        (!self.waiting.is_empty() || self.arrived != 0) && self.missing(live) == 0
    }
}

#[derive(Clone, Debug)]
pub struct Cta {
    /// Warps that have not ended.
    pub live: WarpSet,
    /// Warps that have not retired.
    pub resident: u32,
    pub barriers: [Barrier; BARRIERS],
    pub shared: Vec<u8>,
}

impl Cta {
    pub fn new(shared_bytes: usize) -> Self {
        Cta {
            live: WarpSet::default(),
            resident: 0,
            barriers: [Barrier::default(); BARRIERS],
            shared: vec![0; shared_bytes],
        }
    }

    /// Opens a barrier that nobody is missing at, and gives what was counted there.
    pub fn open_barrier(&mut self) -> Option<Barrier> {
        let barrier = self.barriers.iter_mut().find(|barrier| barrier.opens(&self.live))?;
        Some(std::mem::take(barrier))
    }
}
