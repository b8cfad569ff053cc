//! Checks of what is no fault but most likely a mistake: reads of what nobody has written, and races in shared memory.
//!
//! They are off unless switched on, and change no value and no time. A race is two accesses of different warps to a byte of shared memory
//! that no barrier orders, of which one is a write and no atomic. Within a warp nothing is a race.

pub mod finding;
mod order;
mod shadow;

use super::effect::{AccessKind, Arrival};
use super::fault::{Cause, Fault, MemoryAccess};
use super::warp::WarpInfo;
use super::written::Written;
use crate::ptx::isa::{AtomicOp, Space, WARP_SIZE};
use crate::ptx::op::Op;
use crate::ptx::program::Program;
use finding::{Findings, Kind};
use order::Order;
use shadow::{Accessor, Byte, Event, Manner};
use std::collections::HashMap;

/// Checks that are on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checks {
    /// Reads of global, shared and local memory that nobody has written.
    pub uninitialised: bool,
    /// Races in shared memory.
    pub races: bool,
}

/// State of the checks in the launch that runs.
#[derive(Clone, Debug)]
pub struct Checker {
    pub checks: Checks,
    /// CTAs that have begun and not ended, by their numbers in the grid.
    ctas: HashMap<u64, Cta>,
    pub findings: Findings,
}

#[derive(Clone, Debug)]
struct Cta {
    /// Lanes of each warp that have not ended.
    live: Vec<u32>,
    order: Order,
    shared: Vec<Byte>,
    /// Written bytes per warp, from its first access on.
    local: Vec<Option<Written>>,
}

/// Access of one lane.
pub(super) struct LaneAccess<'a> {
    pub program: &'a Program,
    pub pc: u32,
    pub warp: &'a WarpInfo,
    pub lane: usize,
    pub space: Space,
    pub address: u64,
    pub bytes: usize,
    pub kind: AccessKind,
}

impl Checker {
    pub fn new(checks: Checks) -> Self {
        Checker { checks, ctas: HashMap::new(), findings: Findings::default() }
    }

    /// Forgets the CTAs of a launch that did not end.
    pub fn start_launch(&mut self) {
        self.ctas.clear();
    }

    /// A warp comes to a barrier.
    pub fn arrive(&mut self, warp: &WarpInfo, arrival: Arrival) {
        self.cta(warp).order.arrive(index(warp), arrival);
    }

    /// Lanes of a warp end.
    pub fn exit(&mut self, warp: &WarpInfo, lanes: u32) {
        let cta = self.cta(warp);
        let live = &mut cta.live[index(warp)];
        *live &= !lanes;
        if *live == 0 {
            cta.order.end(index(warp));
        }
        if cta.live.iter().all(|live| *live == 0) {
            self.ctas.remove(&number(warp));
        }
    }

    fn cta(&mut self, warp: &WarpInfo) -> &mut Cta {
        self.ctas.entry(number(warp)).or_insert_with(|| Cta::new(warp))
    }

    pub(super) fn uninitialised(&mut self, access: &LaneAccess) {
        self.findings.add(Kind::Uninitialised, access.pc, || {
            let (address, bytes) = (access.address, access.bytes);
            access.fault(Cause::Uninitialised { access: access.name(), space: access.space, address, bytes })
        });
    }

    /// A lane's own memory.
    pub(super) fn local(&mut self, access: &LaneAccess) {
        let of_lane = access.program.local_bytes as usize;
        let begin = access.lane * of_lane + access.address as usize;
        let range = begin..begin + access.bytes;
        let local = &mut self.cta(access.warp).local[index(access.warp)];
        let local = local.get_or_insert_with(|| Written::nothing_of(of_lane * WARP_SIZE));
        if access.kind == AccessKind::Write {
            local.set(range, true);
        } else if local.is_none(range) {
            self.uninitialised(access);
        }
    }

    /// `stored`: what a store writes, and what was there.
    pub(super) fn shared(&mut self, access: &LaneAccess, all: usize, stored: Option<(&[u8], &[u8])>) {
        let Checks { uninitialised, races } = self.checks;
        let cta = self.cta(access.warp);
        cta.shared.resize(all, Byte::default());
        cta.order.goes_on(index(access.warp));
        let thread = access.warp.first_thread + access.lane as u32;
        let accessor = Accessor { order: &cta.order, threads_of_warp: access.warp.size, thread, pc: access.pc };
        let bytes = &mut cta.shared[access.address as usize..][..access.bytes];
        let is_new = access.reads() && bytes.iter().all(|byte| !byte.written);
        let mut race = None;
        for (i, byte) in bytes.iter_mut().enumerate() {
            let same = byte.written && stored.is_some_and(|(new, old)| new[i] == old[i]);
            race = race.or_else(|| byte.race(&accessor, access.manner(), same));
            byte.note(&accessor, access.manner(), same);
        }
        if is_new && uninitialised {
            self.uninitialised(access);
        }
        if let Some((kind, other)) = race.filter(|_| races) {
            self.findings.add(kind, access.pc, || access.race(other));
        }
    }
}

impl Cta {
    fn new(warp: &WarpInfo) -> Self {
        let threads: u32 = warp.ntid.iter().product();
        let first_threads = (0..threads).step_by(warp.size as usize);
        let live: Vec<_> = first_threads.map(|first| WarpInfo::threads(warp.ntid, first, warp.size)).collect();
        let warps = live.len();
        Cta { live, order: Order::new(warps), shared: Vec::new(), local: vec![None; warps] }
    }
}

/// Number of a warp in its CTA.
fn index(warp: &WarpInfo) -> usize {
    (warp.first_thread / warp.size) as usize
}

/// Number of a warp's CTA in the grid.
fn number(warp: &WarpInfo) -> u64 {
    let ([x, y, z], [width, height, _]) = (warp.ctaid.map(u64::from), warp.nctaid.map(u64::from));
    (z * height + y) * width + x
}

impl LaneAccess<'_> {
    pub(super) fn reads(&self) -> bool {
        !matches!(self.kind, AccessKind::Write | AccessKind::Atomic(AtomicOp::Exch))
    }

    fn manner(&self) -> Manner {
        match self.kind {
            AccessKind::Read => Manner::Read,
            AccessKind::Write => Manner::Write,
            AccessKind::Atomic(_) => Manner::Atomic,
        }
    }

    fn name(&self) -> MemoryAccess {
        match self.kind {
            AccessKind::Read => MemoryAccess::Load,
            AccessKind::Write => MemoryAccess::Store,
            AccessKind::Atomic(_) => MemoryAccess::Atomic,
        }
    }

    fn race(&self, other: Event) -> Fault {
        let first = match self.program.code[other.pc as usize].op {
            Op::Load(_) => MemoryAccess::Load,
            Op::Store(_) => MemoryAccess::Store,
            _ => MemoryAccess::Atomic,
        };
        let of_cta = WarpInfo { first_thread: 0, ..self.warp.clone() };
        self.fault(Cause::Race {
            access: self.name(),
            address: self.address,
            bytes: self.bytes,
            first,
            thread: of_cta.tid(u32::from(other.thread)),
            place: self.program.place(other.pc),
        })
    }

    fn fault(&self, cause: Cause) -> Fault {
        Fault::new(self.program, self.pc, self.warp, self.lane as u32, cause)
    }
}
