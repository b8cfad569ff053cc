//! The core's side of the worklist: takes `wlpull` and `wlpush`, drives the pins of its core of `hwwl`, hands out answers.
//!
//! One pass a cycle, in order of arrival. A pass is the threads of a [row](Rows), a warp or a pair, that share the lanes at one time:
//! thread t uses bank t mod lanes, so a warp of 32 on 16 lanes takes two, of which one without active threads is left out. A push waits
//! until the unit is ready for spills. With refills on demand (HWWL, III-D) a pull that was told to wait while a refill is on
//! its way asks again afterwards, and its warp waits; other warps go on.

use super::edges::EdgePulls;
use super::expander::FIRST_TAG;
use super::held::Held;
use super::passes::{pass, Pulled};
use super::{Shared, WorklistStats};
use crate::core::in_flight::InFlight;
use crate::core::port::{Answers, Head, Port};
use crate::core::rows::Rows;
use crate::core::warp_set::WarpId;
use crate::exec::fault::LaneMask;
use crate::mem::request::Request;
use crate::mem::system::MemorySystem;
use crate::ptx::instr::Instr;
use crate::ptx::isa::{Class, Place, WARP_SIZE};
use crate::stats::Stats;
use crate::units::hwwl::pins::{status, HwwlCoreOut, DONE_TOKEN, WAIT_TOKEN};
use std::cell::RefCell;
use std::collections::hash_map::DefaultHasher;
use std::collections::VecDeque;
use std::hash::Hash;
use std::rc::Rc;

/// Operations that wait for their turn.
const QUEUE: usize = 4;
/// Warps of a core, and numbers of rows.
const WARPS: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Pull,
    Push,
}

/// A pull or push of a row. Threads are numbered as they lie in it.
#[derive(Clone, Debug)]
struct Operation {
    kind: Kind,
    op: InFlight,
    row: usize,
    /// Those that take part.
    threads: u32,
    /// Threads whose pass is still to come.
    left: u32,
    /// Threads that were told to wait.
    waited: u32,
    /// IDs to push, or the answers.
    values: [u64; WARP_SIZE],
}

pub struct HwwlPort {
    core: usize,
    shared: Rc<RefCell<Shared>>,
    rows: Rows,
    lanes: usize,
    edges: EdgePulls,
    /// Refills come on demand.
    demand: bool,
    queue: VecDeque<Operation>,
    /// Pulls that were told to wait: the unit says in the next cycle whether a refill is on its way.
    deferred: VecDeque<Operation>,
    /// Answers on their way to the registers, one a cycle.
    pulled: VecDeque<Pulled>,
    /// The pass of the previous cycle: its answer is on the pins now.
    last: Option<(Kind, u32)>,
    held: Held,
    /// Threads that were told to wait when they pulled last, by row.
    waiting: Vec<u32>,
    /// Pushes that have issued and have not come to the worklist, by row.
    pushes: Vec<u8>,
    stats: WorklistStats,
}

impl HwwlPort {
    pub fn new(core: usize, rows: Rows, lanes: usize, demand: bool, shared: Rc<RefCell<Shared>>) -> Self {
        HwwlPort {
            core,
            shared,
            rows,
            lanes,
            edges: EdgePulls::new(core, rows, lanes, WARPS),
            demand,
            queue: VecDeque::with_capacity(QUEUE + WARPS),
            deferred: VecDeque::with_capacity(WARPS),
            pulled: VecDeque::with_capacity(WARPS),
            last: None,
            held: Held::new(lanes, WARPS),
            waiting: vec![0; WARPS],
            pushes: vec![0; WARPS],
            stats: WorklistStats::default(),
        }
    }

    /// Samples the pins, which answer the previous cycle. True if an operation is over or has its answers.
    fn sample(&mut self, answers: &mut Answers) -> bool {
        let Some((kind, threads)) = self.last.take() else { return self.serve_deferred(answers) };
        match kind {
            Kind::Push => self.stats.ids_pushed += threads.count_ones() as u64,
            Kind::Pull => self.take_answers(threads),
        }
        let Some(done) = self.queue.pop_front_if(|o| o.left == 0) else { return false };
        // In single-buffer mode the work that others wait for may be pushed by those who have an ID: a warp that has some
        // goes on, or it might wait for itself. A warp without any does nothing but ask again: that is done here, as its
        // instructions would keep older warps that wait ahead of younger ones that work, for ever.
        let has_ids = self.held.of(done.row) & self.rows.lanes_of(done.op) != 0;
        let double_mode = self.shared.borrow().outputs.cores[self.core].double_mode;
        let asks_again = if double_mode { self.demand } else { !has_ids };
        if done.waited != 0 && asks_again {
            self.deferred.push_back(done);
            return false;
        }
        self.finish(done, answers);
        true
    }

    /// The answers of the expander. True if a pull is over.
    fn sample_edges(&mut self) -> bool {
        let pulled = self.edges.sample(&mut self.shared.borrow_mut(), &mut self.stats);
        let is_over = pulled.is_some();
        self.pulled.extend(pulled);
        is_over
    }

    fn finish(&mut self, done: Operation, answers: &mut Answers) {
        self.stats.waits += done.waited.count_ones() as u64;
        match done.kind {
            Kind::Pull => {
                let first = self.rows.first_of(done.op);
                let mut values = done.values;
                values.rotate_left(first);
                let values = [values, [0; WARP_SIZE]];
                self.pulled.push_back(Pulled { op: done.op, lanes: done.threads >> first, values });
            }
            Kind::Push => {
                self.pushes[done.row] -= 1;
                answers.progress();
                answers.complete(done.op);
            }
        }
    }

    /// While a refill is wanted or on its way nobody asks again. If there is none the answer stands; in single-buffer mode
    /// the warp asks again as soon as nobody else does.
    fn serve_deferred(&mut self, answers: &mut Answers) -> bool {
        let Some(first) = self.deferred.front_mut() else { return false };
        let HwwlCoreOut { pending, double_mode, .. } = self.shared.borrow().outputs.cores[self.core];
        if pending || !double_mode {
            first.left = first.waited;
        }
        if pending || !(double_mode || self.queue.is_empty()) {
            return false;
        }
        let Some(mut first) = self.deferred.pop_front() else { return false };
        if first.left == 0 {
            self.finish(first, answers);
            return true;
        }
        self.stats.refill_waits += first.waited.count_ones() as u64;
        first.waited = 0;
        self.queue.push_back(first);
        false
    }

    fn take_answers(&mut self, threads: u32) {
        let Shared { outputs, threads: using, .. } = &mut *self.shared.borrow_mut();
        let pins = &outputs.cores[self.core];
        let Some(operation) = self.queue.front_mut() else { return };
        let row = operation.row;
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
        self.held.add(row, holding);
        let waited = self.waiting[row] & threads;
        self.waiting[row] ^= waited ^ waiting;
        using.active += holding.count_ones();
        using.waiting = using.waiting + waiting.count_ones() - waited.count_ones();
    }

    /// Lanes and values are the instruction's.
    fn push_back(&mut self, kind: Kind, op: InFlight, lanes: u32, mut values: [u64; WARP_SIZE]) {
        let first = self.rows.first_of(op);
        let (row, threads) = (self.rows.row(op.warp), lanes << first);
        values.rotate_right(first);
        self.queue.push_back(Operation { kind, op, row, threads, left: threads, waited: 0, values });
    }
}

impl Port for HwwlPort {
    fn name(&self) -> &'static str {
        "the worklist"
    }

    fn has_room(&self) -> bool {
        self.queue.len() < QUEUE
    }

    /// `wlpull` and `wledge`
    fn issue(&mut self, op: InFlight, lanes: u32, results: u8) {
        if results == 2 {
            self.stats.edge_pull_instructions += 1;
            let held = self.edges.push_back(op, lanes);
            self.shared.borrow_mut().threads.active -= held;
            return;
        }
        self.stats.pull_instructions += 1;
        self.push_back(Kind::Pull, op, lanes, [0; WARP_SIZE]);
    }

    fn request(&mut self, op: InFlight, instr: &Instr, _: u32) -> Option<Request> {
        let is_push = instr.writes.as_slice().is_empty();
        self.pushes[self.rows.row(op.warp)] += is_push as u8;
        None
    }

    /// `wlpush`; and `wlpull`, if the front end has no path straight to a port.
    fn take(&mut self, head: &Head, _: &mut MemorySystem) -> bool {
        if !self.has_room() {
            return false;
        }
        if head.results > 0 {
            self.issue(head.op, head.lanes, head.results);
        } else {
            self.stats.push_instructions += 1;
            self.push_back(Kind::Push, head.op, head.lanes, head.operands[0].map(u64::from));
        }
        true
    }

    /// A sector of a refill, by its tag.
    fn receive(&mut self, tag: u32) {
        let shared = &mut *self.shared.borrow_mut();
        match tag {
            FIRST_TAG.. => shared.expanders[self.core].receive(tag),
            refill => shared.refilled.push((self.core, refill as u8)),
        }
    }

    fn answer(&mut self, answers: &mut Answers) -> bool {
        let pulled = self.pulled.pop_front();
        if let Some(Pulled { op, lanes, values }) = &pulled {
            answers.write(*op, *lanes, values);
        }
        let was_pulled = pulled.is_some();
        let moved = self.sample(answers) || was_pulled;
        self.sample_edges() || moved
    }

    /// Drives the input pins of this cycle, which are low.
    fn drive(&mut self) {
        if !self.edges.is_idle() {
            self.edges.drive(&mut self.shared.borrow_mut(), &self.pushes);
        }
        let Shared { inputs, outputs, hold, threads: using, .. } = &mut *self.shared.borrow_mut();
        let (inputs, outputs) = (&mut inputs.cores[self.core], &outputs.cores[self.core]);
        if *hold {
            return;
        }
        if let Some(leave) = self.held.next_pass(&self.pushes) {
            inputs.leave = leave;
            return;
        }
        let Some((kind, left)) = self.queue.front().map(|o| (o.kind, o.left)) else { return };
        if kind == Kind::Push && !outputs.push_ready {
            self.stats.push_wait_cycles += 1;
            return;
        }
        let (pass, first) = pass(left, self.lanes);
        let Some(operation) = self.queue.front_mut() else { return };
        operation.left &= !pass;
        self.stats.passes += 1;
        match kind {
            Kind::Pull => {
                inputs.pull = pass >> first;
                let left = self.held.remove(operation.row, pass);
                match self.pushes[operation.row] {
                    0 => inputs.leave = left >> first,
                    _ => self.held.leave(operation.row, left),
                }
                using.active -= left.count_ones();
            }
            Kind::Push => {
                inputs.push = pass >> first;
                for lane in 0..self.lanes {
                    inputs.push_id[lane] = operation.values[first + lane] as u32;
                }
            }
        }
        self.last = Some((kind, pass));
    }

    fn end(&mut self, warp: u16, lanes: u32) {
        let warp = WarpId::from_number(warp);
        let (row, threads) = (self.rows.row(warp), lanes << self.rows.first(warp));
        let using = &mut self.shared.borrow_mut().threads;
        using.active -= self.held.end(row, threads);
        using.waiting -= (self.waiting[row] & threads).count_ones();
        self.waiting[row] &= !threads;
        using.active -= self.edges.end(row, threads);
    }

    fn is_idle(&self) -> bool {
        self.queue.is_empty()
            && self.deferred.is_empty()
            && !self.held.is_leaving()
            && self.last.is_none()
            && self.pulled.is_empty()
            && self.edges.is_idle()
    }

    fn asking(&self, warp: u16) -> u32 {
        let warp = WarpId::from_number(warp);
        let (row, first) = (self.rows.row(warp), self.rows.first(warp));
        let asked = self.queue.iter().chain(&self.deferred).filter(|o| o.kind == Kind::Pull && o.row == row);
        let answered = self.pulled.iter().filter(|pulled| self.rows.row(pulled.op.warp) == row);
        let threads = asked.map(|pull| pull.threads);
        let threads = threads.chain([self.edges.asking(row)]);
        let all = threads.chain(answered.map(|pulled| pulled.lanes << self.rows.first_of(pulled.op)));
        (all.fold(0, |all, threads| all | threads) & self.rows.lanes(warp)) >> first
    }

    fn hint(&self, warp: u16, running: u32, body: &[Class]) -> Option<String> {
        let warp = WarpId::from_number(warp);
        let (row, first) = (self.rows.row(warp), self.rows.first(warp));
        let of_warp = |threads: u32| (threads & self.rows.lanes(warp)) >> first;
        let pulls = body.contains(&Class::System(Place::Issue));
        let held = of_warp(self.held.of(row) | self.edges.holding(row)) & !running;
        (pulls && held != 0 && of_warp(self.waiting[row]) & running == running).then(|| {
            format!(
                "; {} with work wait behind lanes that pull and are told WAIT: let all lanes meet before the next pull (docs/workloads.md)",
                LaneMask(held)
            )
        })
    }

    fn trace(&self, state: &mut DefaultHasher) {
        (self.stats.ids_pulled, self.stats.ids_pushed).hash(state);
    }

    fn count(&self, stats: &mut Stats) {
        stats.systems.count(&self.stats);
    }
}
