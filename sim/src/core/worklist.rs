//! The core's side of the worklist: takes `wlpull` and `wlpush`, drives the pins of `hwwl_core`, hands out answers.
//!
//! One pass a cycle, in order of arrival. A pass is the threads of a warp that share the lanes at one time: thread t uses
//! bank t mod lanes, so a warp of 32 on 16 lanes takes two, of which one without active threads is left out.

use super::pipeline::Op;
use crate::ptx::program::WARP_SIZE;
use crate::stats::WorklistStats;
use crate::units::hwwl::pins::{status, CoreIn, CoreOut, DONE_TOKEN, WAIT_TOKEN};
use std::collections::VecDeque;

/// Operations that wait for their turn.
const QUEUE: usize = 4;

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
    Overflow {
        bank: usize,
        op: Op,
    },
}

#[derive(Clone, Debug)]
pub struct WorklistPort {
    lanes: usize,
    queue: VecDeque<Operation>,
    /// The pass of the previous cycle: its answer is on the pins now.
    last: Option<(Kind, Op, u32)>,
    /// Set for one cycle by `wlcfg`.
    configure: Option<bool>,
    pub stats: WorklistStats,
}

impl WorklistPort {
    pub fn new(lanes: usize) -> Self {
        WorklistPort {
            lanes,
            queue: VecDeque::with_capacity(QUEUE),
            last: None,
            configure: None,
            stats: WorklistStats::default(),
        }
    }

    pub fn has_room(&self) -> bool {
        self.queue.len() < QUEUE
    }

    pub fn pull(&mut self, op: Op, lanes: u32) {
        self.stats.pull_instructions += 1;
        self.queue.push_back(Operation { kind: Kind::Pull, op, lanes, left: lanes, values: [0; WARP_SIZE] });
    }

    pub fn push(&mut self, op: Op, lanes: u32, ids: &[u32; WARP_SIZE]) {
        self.stats.push_instructions += 1;
        self.queue.push_back(Operation { kind: Kind::Push, op, lanes, left: lanes, values: ids.map(u64::from) });
    }

    /// Drives `wlcfg` in the next cycle; it comes alone, so others wait.
    pub fn configure(&mut self, double: bool) {
        self.configure = Some(double);
    }

    pub fn is_idle(&self) -> bool {
        self.queue.is_empty() && self.last.is_none() && self.configure.is_none()
    }

    /// Looks at the pins, which answer the previous cycle, if there is something to see.
    pub fn look(&mut self, pins: impl FnOnce() -> CoreOut, mut event: impl FnMut(Event)) {
        let Some((kind, op, threads)) = self.last.take() else { return };
        let pins = pins();
        match kind {
            Kind::Push if pins.overflow => event(Event::Overflow { bank: 0, op }),
            Kind::Push => self.stats.ids_pushed += threads.count_ones() as u64,
            Kind::Pull => self.answer(threads, &pins),
        }
        if self.queue.front().is_some_and(|o| o.left == 0) {
            if let Some(o) = self.queue.pop_front() {
                event(match o.kind {
                    Kind::Pull => Event::Pulled { op: o.op, lanes: o.lanes, values: &o.values },
                    Kind::Push => Event::Pushed { op: o.op },
                });
            }
        }
    }

    fn answer(&mut self, threads: u32, pins: &CoreOut) {
        let Some(operation) = self.queue.front_mut() else { return };
        for thread in (0..WARP_SIZE).filter(|t| threads >> t & 1 == 1) {
            let lane = thread % self.lanes;
            operation.values[thread] = match pins.status(lane) {
                status::ID => {
                    self.stats.ids_pulled += 1;
                    pins.id[lane] as u64
                }
                status::WAIT => {
                    self.stats.waits += 1;
                    WAIT_TOKEN as u64
                }
                _ => {
                    self.stats.dones += 1;
                    DONE_TOKEN as u64
                }
            };
        }
    }

    /// Drives the input pins of this cycle, which are low.
    pub fn drive(&mut self, pins: &mut CoreIn) {
        if let Some(double) = self.configure.take() {
            (pins.configure, pins.double) = (true, double);
            return;
        }
        let Some(operation) = self.queue.front_mut().filter(|o| o.left != 0) else { return };
        let first = operation.left.trailing_zeros() as usize / self.lanes * self.lanes;
        let pass = operation.left >> first & (u64::MAX >> (64 - self.lanes)) as u32;
        operation.left &= !(pass << first);
        self.stats.passes += 1;
        match operation.kind {
            Kind::Pull => pins.pull = pass,
            Kind::Push => {
                pins.push = pass;
                for lane in 0..self.lanes {
                    pins.push_id[lane] = operation.values[first + lane] as u32;
                }
            }
        }
        self.last = Some((operation.kind, operation.op, pass << first));
    }
}
