//! The core's side of the worklist: takes `wlpull` and `wlpush`, drives the pins of its core of `hwwl`, hands out answers.
//!
//! One pass a cycle, in order of arrival. A pass is the threads of a warp that share the lanes at one time: thread t uses
//! bank t mod lanes, so a warp of 32 on 16 lanes takes two, of which one without active threads is left out. A push waits
//! until the unit is ready for spills. With refills on demand (HWWL, III-D) a pull that was told to wait while a refill is on
//! its way asks again afterwards, and its warp waits; other warps go on.

use super::pipeline::Op;
use crate::ptx::program::WARP_SIZE;
use crate::stats::WorklistStats;
use crate::timeline::Threads;
use crate::units::hwwl::pins::{status, HwwlCoreIn, HwwlCoreOut, DONE_TOKEN, WAIT_TOKEN};
use std::collections::VecDeque;

/// Operations that wait for their turn.
const QUEUE: usize = 4;
/// Warps of a core.
const WARPS: usize = 256;

/// The pins of a core's worklist in one cycle.
pub struct WorklistPins<'a> {
    pub outputs: &'a HwwlCoreOut,
    pub inputs: &'a mut HwwlCoreIn,
    /// `wlcfg` or `wlinit` waits until nobody uses the worklist.
    pub hold: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Pull,
    Push,
}

/// A pull or push of a warp.
#[derive(Clone, Debug)]
struct Operation {
    kind: Kind,
    op: Op,
    lanes: u32,
    /// Threads whose pass is still to come.
    left: u32,
    /// Threads that were told to wait.
    waited: u32,
    /// IDs to push, or the answers.
    values: [u64; WARP_SIZE],
}

/// What came of an operation.
pub enum Event<'a> {
    /// All answers of a pull are there.
    Pulled {
        op: Op,
        lanes: u32,
        values: &'a [u64; WARP_SIZE],
    },
    Pushed {
        op: Op,
    },
}

#[derive(Clone, Debug)]
pub struct WorklistPort {
    lanes: usize,
    /// Refills come on demand.
    demand: bool,
    queue: VecDeque<Operation>,
    /// Pulls that were told to wait: the unit says in the next cycle whether a refill is on its way.
    deferred: VecDeque<Operation>,
    /// The pass of the previous cycle: its answer is on the pins now.
    last: Option<(Kind, u32)>,
    /// Threads that have an ID which they have not come back from, by warp.
    holding: Vec<u32>,
    /// Threads that were told to wait when they pulled last, by warp.
    waiting: Vec<u32>,
    /// How many there are of both.
    pub threads: Threads,
    /// Threads that ended with one.
    leaving: VecDeque<u32>,
    pub stats: WorklistStats,
}

impl WorklistPort {
    pub fn new(lanes: usize, demand: bool) -> Self {
        WorklistPort {
            lanes,
            demand,
            queue: VecDeque::with_capacity(QUEUE + WARPS),
            deferred: VecDeque::with_capacity(WARPS),
            last: None,
            holding: vec![0; WARPS],
            waiting: vec![0; WARPS],
            threads: Threads::default(),
            leaving: VecDeque::with_capacity(WARPS),
            stats: WorklistStats::default(),
        }
    }

    pub fn has_room(&self) -> bool {
        self.queue.len() < QUEUE
    }

    pub fn pull(&mut self, op: Op, lanes: u32) {
        self.stats.pull_instructions += 1;
        let values = [0; WARP_SIZE];
        self.queue.push_back(Operation { kind: Kind::Pull, op, lanes, left: lanes, waited: 0, values });
    }

    pub fn push(&mut self, op: Op, lanes: u32, ids: &[u32; WARP_SIZE]) {
        self.stats.push_instructions += 1;
        let values = ids.map(u64::from);
        self.queue.push_back(Operation { kind: Kind::Push, op, lanes, left: lanes, waited: 0, values });
    }

    /// Lanes of the warp that have an ID which they have not come back from.
    pub fn holding(&self, warp: u16) -> u32 {
        self.holding[warp as usize]
    }

    /// Lanes of the warp that were told to wait when they pulled last.
    pub fn waiting(&self, warp: u16) -> u32 {
        self.waiting[warp as usize]
    }

    /// Lanes of the warp that wait for the answer of a pull.
    pub fn asking(&self, warp: u16) -> u32 {
        let pulls =
            self.queue.iter().chain(&self.deferred).filter(|o| o.kind == Kind::Pull && o.op.warp.number() == warp);
        pulls.fold(0, |lanes, pull| lanes | pull.lanes)
    }

    /// `lanes` of the warp have ended.
    pub fn end(&mut self, warp: usize, lanes: u32) {
        let held = self.holding[warp] & lanes;
        self.holding[warp] &= !held;
        self.threads.active -= held.count_ones();
        self.threads.waiting -= (self.waiting[warp] & lanes).count_ones();
        self.waiting[warp] &= !lanes;
        if held != 0 {
            self.leaving.push_back(held);
        }
    }

    pub fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.deferred.is_empty() && self.leaving.is_empty() && self.last.is_none()
    }

    /// Looks at the pins, which answer the previous cycle. At most one event.
    pub fn look(&mut self, pins: &HwwlCoreOut, event: impl FnMut(Event)) {
        let Some((kind, threads)) = self.last.take() else { return self.look_at_deferred(pins, event) };
        match kind {
            Kind::Push => self.stats.ids_pushed += threads.count_ones() as u64,
            Kind::Pull => self.answer(threads, pins),
        }
        let Some(done) = self.queue.pop_front_if(|o| o.left == 0) else { return };
        // In single-buffer mode the work that others wait for may be pushed by those who have an ID: a warp that has some
        // goes on, or it might wait for itself. A warp without any does nothing but ask again: that is done here, as its
        // instructions would keep older warps that wait ahead of younger ones that work, for ever.
        let has_ids = self.holding[done.op.warp.number() as usize] != 0;
        let asks_again = if pins.double_mode { self.demand } else { !has_ids };
        if done.waited != 0 && asks_again {
            self.deferred.push_back(done);
        } else {
            self.finish(done, event);
        }
    }

    fn finish(&mut self, done: Operation, mut event: impl FnMut(Event)) {
        self.stats.waits += done.waited.count_ones() as u64;
        event(match done.kind {
            Kind::Pull => Event::Pulled { op: done.op, lanes: done.lanes, values: &done.values },
            Kind::Push => Event::Pushed { op: done.op },
        });
    }

    /// While a refill is wanted or on its way nobody asks again. If there is none the answer stands; in single-buffer mode
    /// the warp asks again as soon as nobody else does.
    fn look_at_deferred(&mut self, pins: &HwwlCoreOut, event: impl FnMut(Event)) {
        let Some(first) = self.deferred.front_mut() else { return };
        if pins.pending || !pins.double_mode {
            first.left = first.waited;
        }
        if pins.pending || !(pins.double_mode || self.queue.is_empty()) {
            return;
        }
        let Some(mut first) = self.deferred.pop_front() else { return };
        if first.left == 0 {
            return self.finish(first, event);
        }
        self.stats.refill_waits += first.waited.count_ones() as u64;
        first.waited = 0;
        self.queue.push_back(first);
    }

    fn answer(&mut self, threads: u32, pins: &HwwlCoreOut) {
        let Some(operation) = self.queue.front_mut() else { return };
        let warp = operation.op.warp.number() as usize;
        let (mut holding, mut waiting) = (0, 0);
        for thread in (0..WARP_SIZE).filter(|t| threads >> t & 1 == 1) {
            let lane = thread % self.lanes;
            operation.values[thread] = match pins.status(lane) {
                status::ID => {
                    self.stats.ids_pulled += 1;
                    holding |= 1 << thread;
                    pins.id[lane] as u64
                }
                status::WAIT => {
                    waiting |= 1 << thread;
                    operation.waited |= 1 << thread;
                    WAIT_TOKEN as u64
                }
                _ => {
                    self.stats.dones += 1;
                    DONE_TOKEN as u64
                }
            };
        }
        self.holding[warp] |= holding;
        let waited = self.waiting[warp] & threads;
        self.waiting[warp] ^= waited ^ waiting;
        self.threads.active += holding.count_ones();
        self.threads.waiting = self.threads.waiting + waiting.count_ones() - waited.count_ones();
    }

    /// Threads of the first pass of `threads`, and the first of them.
    fn pass(&self, threads: u32) -> (u32, usize) {
        let first = threads.trailing_zeros() as usize / self.lanes * self.lanes;
        (threads & ((u64::MAX >> (64 - self.lanes)) << first) as u32, first)
    }

    /// Drives the input pins of this cycle, which are low.
    pub fn drive(&mut self, pins: WorklistPins) {
        if pins.hold {
            return;
        }
        if let Some(threads) = self.leaving.front().copied() {
            let (pass, first) = self.pass(threads);
            pins.inputs.leave = pass >> first;
            match threads & !pass {
                0 => drop(self.leaving.pop_front()),
                left => self.leaving[0] = left,
            }
            return;
        }
        let Some((kind, left)) = self.queue.front().map(|o| (o.kind, o.left)) else { return };
        if kind == Kind::Push && !pins.outputs.push_ready {
            self.stats.push_wait_cycles += 1;
            return;
        }
        let (pass, first) = self.pass(left);
        let Some(operation) = self.queue.front_mut() else { return };
        operation.left &= !pass;
        self.stats.passes += 1;
        match kind {
            Kind::Pull => {
                let holding = &mut self.holding[operation.op.warp.number() as usize];
                pins.inputs.pull = pass >> first;
                pins.inputs.leave = (*holding & pass) >> first;
                self.threads.active -= (*holding & pass).count_ones();
                *holding &= !pass;
            }
            Kind::Push => {
                pins.inputs.push = pass >> first;
                for lane in 0..self.lanes {
                    pins.inputs.push_id[lane] = operation.values[first + lane] as u32;
                }
            }
        }
        self.last = Some((kind, pass));
    }
}
