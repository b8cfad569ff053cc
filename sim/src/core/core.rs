//! One core, cycle by cycle: write-back, execute, issue, decode, fetch.

use super::coalescer::{self, LocalMap};
use super::front_end::FrontEnd;
use super::kernel::{Kernel, Path};
use super::load_store::{self, Done, LoadStore, Stall, Target};
use super::pipeline::{Arithmetic, Feed, Op};
use super::scheduler::Scheduler;
use super::scoreboard::{Scoreboard, Writer};
use super::warp::{Barrier, Cta, Warp};
use super::worklist::{Event, WorklistPort};
use crate::config::{Config, Core as CoreConfig};
use crate::exec::fault::{Cause, MemoryAccess};
use crate::exec::{self, Access, AccessKind, Arrival, Effect, Fault, Memory, Scratch, Spaces, WarpInfo};
use crate::mem::request::{Kind, Request};
use crate::mem::system::MemorySystem;
use crate::ptx::program::{Class, Space, WARP_SIZE};
use crate::stats::{CoreStats, Counters, IssueStats, Stats};
use crate::units::hwwl::pins::{CoreIn, CoreOut};

/// What a core reaches besides itself.
pub struct World<'a> {
    pub memory: &'a mut Memory,
    pub system: &'a mut MemorySystem,
    /// Output pins of the core's worklist, looked at only when they mean something.
    pub pins: &'a dyn Fn() -> CoreOut,
}

/// What ends a launch, or concerns other cores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    Fault(Fault),
    Overflow { bank: usize, pc: u32 },
    Configure { double: bool, pc: u32 },
    WorklistRegion { base: u64, bytes: u64 },
}

/// Sets of warps, one bit each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sets {
    pub resident: u64,
    /// All lanes have ended.
    pub ended: u64,
    pub buffered: u64,
    pub at_barrier: u64,
    pub in_fence: u64,
    pub in_atomic: u64,
    /// The next instruction waits for an operand.
    pub blocked: u64,
    pub blocked_memory: u64,
    pub blocked_worklist: u64,
}

impl Sets {
    pub(super) fn waiting(&self) -> u64 {
        self.at_barrier | self.in_fence | self.in_atomic | self.ended
    }
}

/// What a scheduler did in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Slot {
    Issued,
    PipelineArithmetic,
    PipelineMemory,
    ScoreboardArithmetic,
    ScoreboardMemory,
    ScoreboardWorklist,
    Synchronisation,
    #[default]
    Idle,
}

fn count_slot(stats: &mut IssueStats, slot: Slot, cycles: u64) {
    *match slot {
        Slot::Issued => &mut stats.issued,
        Slot::PipelineArithmetic => &mut stats.pipeline_arithmetic,
        Slot::PipelineMemory => &mut stats.pipeline_memory,
        Slot::ScoreboardArithmetic => &mut stats.scoreboard_arithmetic,
        Slot::ScoreboardMemory => &mut stats.scoreboard_memory,
        Slot::ScoreboardWorklist => &mut stats.scoreboard_worklist,
        Slot::Synchronisation => &mut stats.synchronisation,
        Slot::Idle => &mut stats.idle,
    } += cycles;
}

/// Answers of a pull that wait for a register write port.
struct Pulled {
    op: Op,
    lanes: u32,
    values: [u64; WARP_SIZE],
}

const MAX_SCHEDULERS: usize = 4;

pub struct Core {
    pub index: usize,
    config: CoreConfig,
    shared_banks: u32,
    constant_line: u64,
    pub(super) warps: Vec<Warp>,
    pub(super) ctas: Vec<Cta>,
    pub(super) sets: Sets,
    pub(super) scoreboard: Scoreboard,
    schedulers: Vec<Scheduler>,
    scheduler_warps: Vec<u64>,
    front_end: FrontEnd,
    arithmetic: Arithmetic,
    memory_feed: Feed,
    load_store: LoadStore,
    port: WorklistPort,
    pulled: Option<Pulled>,
    scratch: Scratch,
    /// What the schedulers did in the last cycle; stays true while the core sleeps.
    slots: [Slot; MAX_SCHEDULERS],
    last_step: u64,
    /// Cycle in which the core has to be looked at.
    pub wake: u64,
    pub stats: CoreStats,
    pub notice: Option<Notice>,
    /// Counts what shows that a kernel gets on: stores, atomics, IDs, ends.
    pub achievements: u64,
}

impl Core {
    pub fn new(index: usize, config: &Config) -> Self {
        let c = &config.core;
        let lanes = config.hwwl.as_ref().map_or(WARP_SIZE, |h| h.lanes);
        let members = |s: usize| (s..c.max_warps).step_by(c.schedulers).fold(0, |set, warp| set | 1 << warp);
        Core {
            index,
            config: c.clone(),
            shared_banks: config.shared.banks,
            constant_line: config.l1c.line_bytes,
            warps: Vec::new(),
            ctas: Vec::new(),
            sets: Sets::default(),
            scoreboard: Scoreboard::new(0, 1),
            schedulers: vec![Scheduler::new(c.max_warps); c.schedulers],
            scheduler_warps: (0..c.schedulers).map(members).collect(),
            front_end: FrontEnd::new(index, config),
            arithmetic: Arithmetic::new(config),
            memory_feed: Feed::new(c.mem_width, c.mem_collectors, c.collector_latency),
            load_store: LoadStore::new(index, config),
            port: WorklistPort::new(lanes),
            pulled: None,
            scratch: Scratch::default(),
            slots: [Slot::Idle; MAX_SCHEDULERS],
            last_step: 0,
            wake: u64::MAX,
            stats: CoreStats::default(),
            notice: None,
            achievements: 0,
        }
    }

    /// Makes room for the CTAs of a kernel. `new_code`: it is not the kernel of the previous launch.
    pub fn prepare(&mut self, kernel: &Kernel, now: u64, new_code: bool) {
        let local = kernel.program.local_bytes as usize * WARP_SIZE;
        let warps = kernel.ctas_per_core * kernel.warps_per_cta;
        self.warps.clear();
        self.warps.extend((0..warps).map(|_| Warp::new(kernel.program.slots, local)));
        self.ctas.clear();
        self.ctas.extend((0..kernel.ctas_per_core).map(|_| Cta::new(kernel.shared_bytes)));
        self.scoreboard = Scoreboard::new(warps, kernel.words);
        self.sets = Sets::default();
        self.load_store.l1d.clear();
        self.last_step = now;
        self.wake = u64::MAX;
        self.notice = None;
        if new_code {
            self.front_end.clear();
        }
    }

    /// A CTA slot whose warps have all left.
    pub fn free_cta(&self) -> Option<usize> {
        let warps = self.warps.len() / self.ctas.len().max(1);
        let members = (1u64 << (warps - 1) << 1).wrapping_sub(1);
        (0..self.ctas.len()).find(|slot| self.sets.resident >> (slot * warps) & members == 0)
    }

    pub fn start_cta(&mut self, now: u64, kernel: &Kernel, slot: usize, number: u64) {
        self.catch_up_to_end(now);
        let [x, y, _] = kernel.grid.map(u64::from);
        let ctaid = [number % x, number / x % y, number / x / y].map(|n| n as u32);
        let first = slot * kernel.warps_per_cta;
        self.ctas[slot].shared.fill(0);
        self.ctas[slot].barriers.fill(Barrier::default());
        for i in 0..kernel.warps_per_cta {
            let (w, first_thread) = (first + i, (i * WARP_SIZE) as u32);
            let warp = &mut self.warps[w];
            warp.cta = slot;
            warp.info = WarpInfo {
                ctaid,
                ntid: kernel.block,
                nctaid: kernel.grid,
                first_thread,
                threads: WarpInfo::threads(kernel.block, first_thread),
                warp_slot: w as u32,
                warp_slots: self.config.max_warps as u32,
                core: self.index as u32,
                cores: kernel.cores,
                grid: kernel.number,
                clock: now,
                dynamic_shared_bytes: kernel.dynamic_shared,
            };
            warp.stack.start(warp.info.threads, kernel.program.code.len() as u32);
            warp.registers.clear();
            warp.local.fill(0);
            (warp.buffered, warp.fetch_pc) = (0, 0);
            self.ctas[slot].live |= 1 << w;
            self.sets.resident |= 1 << w;
            self.schedulers[w % self.config.schedulers].add(w);
            self.front_end.start(w);
        }
        self.sets.ended &= !self.ctas[slot].live;
        self.sets.buffered &= !self.ctas[slot].live;
        self.sets.blocked &= !self.ctas[slot].live;
        self.stats.ctas += 1;
        self.wake = now + 1;
    }

    pub fn has_warps(&self) -> bool {
        self.sets.resident != 0
    }

    /// Nothing is in flight, warps or not.
    pub fn is_idle(&self) -> bool {
        !self.has_warps() && self.load_store.is_idle() && self.port.is_idle() && self.front_end.cache.is_idle()
    }

    /// Drives `wlcfg` in the core's next cycle.
    pub fn configure(&mut self, now: u64, double: bool) {
        self.port.configure(double);
        self.wake = self.wake.min(now + 1);
    }

    /// Counts the cycles before `now` in which the core slept: all like the last one before.
    fn catch_up(&mut self, now: u64) {
        let slept = (now - self.last_step).saturating_sub(1);
        if slept > 0 {
            self.count_cycles(slept);
        }
    }

    /// The same up to and including `now`.
    pub fn catch_up_to_end(&mut self, now: u64) {
        self.catch_up(now + 1);
        self.last_step = now;
    }

    fn count_cycles(&mut self, cycles: u64) {
        let Stall { coalescing, resource, l1d, l1c } = self.load_store.stall;
        self.stats.coalescing_stall_cycles += coalescing as u64 * cycles;
        self.stats.resource_stall_cycles += resource as u64 * cycles;
        if let Some(busy) = l1d {
            self.load_store.l1d.count_busy(busy, cycles);
        }
        if let Some(busy) = l1c {
            self.load_store.l1c.count_busy(busy, cycles);
        }
        if let Some(busy) = self.front_end.busy {
            self.front_end.cache.count_busy(busy, cycles);
        }
        if !self.has_warps() {
            return;
        }
        self.stats.active_cycles += cycles;
        self.stats.resident_warp_cycles += self.sets.resident.count_ones() as u64 * cycles;
        for slot in &self.slots[..self.config.schedulers] {
            count_slot(&mut self.stats.issue, *slot, cycles);
        }
    }

    /// One cycle. Gives the input pins of the worklist for this cycle.
    pub fn step(&mut self, now: u64, kernel: &Kernel, world: &mut World) -> CoreIn {
        self.catch_up(now);
        let mut moved = self.receive(now, world.system);
        moved |= self.write_back(now, kernel);
        moved |= self.look_at_worklist(now, kernel, world.pins);
        moved |= self.execute(now, kernel, world.system);
        moved |= self.issue(now, kernel, world.memory);
        let running = self.sets.resident & !self.sets.ended;
        moved |= self.front_end.step(kernel, &mut self.warps, &mut self.sets.buffered, running);
        moved |= load_store::send(&mut self.front_end.cache, world.system);
        self.count_cycles(1);
        moved |= self.retire();
        self.last_step = now;
        let pins = self.port.drive();
        self.wake = if moved || !self.port.is_idle() || self.pulled.is_some() { now + 1 } else { self.next_event(now) };
        pins
    }

    fn next_event(&self, now: u64) -> u64 {
        if !self.front_end.cache.outgoing.is_empty() {
            return now + 1;
        }
        let feed = self.memory_feed.next_event();
        let feed = if feed > now { feed } else { u64::MAX };
        self.arithmetic.next_event(now).min(self.load_store.next_event(now)).min(feed)
    }

    fn receive(&mut self, now: u64, system: &mut MemorySystem) -> bool {
        if !self.load_store.can_receive() {
            return false;
        }
        let Some(reply) = system.receive(self.index, now) else { return false };
        match reply.kind {
            Kind::Instruction => self.front_end.cache.fill(reply.address),
            _ => self.load_store.receive(reply),
        }
        true
    }

    fn write_back(&mut self, now: u64, kernel: &Kernel) -> bool {
        let Core { arithmetic, scoreboard, sets, warps, .. } = self;
        arithmetic.write_back(now, |op| complete(op, kernel, scoreboard, sets, warps))
    }

    /// Hands out the worklist's answers; a pull needs a register write port that arithmetic leaves free.
    fn look_at_worklist(&mut self, now: u64, kernel: &Kernel, pins: &dyn Fn() -> CoreOut) -> bool {
        let mut moved = false;
        if let Some(Pulled { op, lanes, values }) =
            self.pulled.take_if(|_| self.arithmetic.results(now) < self.config.writeback_width)
        {
            exec::write_back(kernel.program, op.pc, lanes, &values, &mut self.warps[op.warp as usize].registers);
            complete(op, kernel, &mut self.scoreboard, &mut self.sets, &mut self.warps);
            moved = true;
        }
        if self.pulled.is_some() {
            return moved;
        }
        let Core { port, pulled, notice, scoreboard, sets, warps, achievements, .. } = self;
        port.look(pins, |event| {
            moved = true;
            match event {
                Event::Pulled { op, lanes, values } => *pulled = Some(Pulled { op, lanes, values: *values }),
                Event::Pushed { op } => {
                    *achievements += 1;
                    complete(op, kernel, scoreboard, sets, warps);
                }
                Event::Overflow { bank, op } => *notice = Some(Notice::Overflow { bank, pc: op.pc }),
            }
        });
        moved
    }

    fn execute(&mut self, now: u64, kernel: &Kernel, system: &mut MemorySystem) -> bool {
        let mut moved = self.arithmetic.step(now, kernel);
        let Core { load_store, port, scoreboard, sets, warps, achievements, .. } = self;
        moved |= load_store.step(now, system, port, |event| match event {
            Done::Complete(op) => complete(op, kernel, scoreboard, sets, warps),
            Done::StoreSent { warp, acknowledgements } => warps[warp as usize].stores += acknowledgements,
            Done::StoreAck { warp } => {
                *achievements += 1;
                warps[warp as usize].stores -= 1;
            }
            Done::AtomicBack { warp } => {
                *achievements += 1;
                atomic_back(warp as usize, kernel, scoreboard, sets, warps);
            }
        });
        if self.load_store.is_free() {
            if let Some(op) = self.memory_feed.dispatch.pop_front() {
                self.load_store.issue(now, op);
                moved = true;
            }
        }
        moved | self.memory_feed.step(now, &kernel.issue)
    }

    /// A slice does the lanes of an atomic on one sector.
    pub fn do_atomic(&mut self, kernel: &Kernel, request: &Request, memory: &mut Memory) {
        let warp = &mut self.warps[request.warp as usize];
        let flight = &mut warp.atomic;
        let AccessKind::Atomic(op) = flight.access.kind else { return };
        for lane in (0..WARP_SIZE).filter(|lane| request.atomic.lanes[0] >> lane & 1 == 1) {
            let [a, b] = [flight.access.operands[0][lane], flight.access.operands[1][lane]];
            match exec::atomic::apply(op, flight.access.bytes, memory, flight.access.address[lane], a, b) {
                Ok(old) => flight.old[lane] = old,
                Err(error) => {
                    let cause = Cause::Memory { access: MemoryAccess::Atomic, space: Space::Global, error };
                    let fault = Fault::new(kernel.program, flight.pc, &warp.info, lane as u32, cause);
                    self.notice = Some(Notice::Fault(fault));
                }
            }
        }
    }

    fn issue(&mut self, now: u64, kernel: &Kernel, memory: &mut Memory) -> bool {
        self.open_fences();
        let mut moved = false;
        for s in 0..self.config.schedulers {
            self.slots[s] = self.schedule(s, now, kernel, memory, &mut moved);
        }
        moved
    }

    fn open_fences(&mut self) {
        let mut fenced = self.sets.in_fence;
        while fenced != 0 {
            let w = fenced.trailing_zeros() as usize;
            fenced &= fenced - 1;
            if self.warps[w].stores == 0 && self.scoreboard.no_loads(w) {
                self.sets.in_fence &= !(1 << w);
            }
        }
    }

    /// One scheduler, one cycle: the first warp in order whose next instruction can go.
    fn schedule(&mut self, s: usize, now: u64, kernel: &Kernel, memory: &mut Memory, moved: &mut bool) -> Slot {
        let mine = self.scheduler_warps[s] & self.sets.resident;
        let mut candidates = mine & self.sets.buffered & !self.sets.waiting() & !self.sets.blocked;
        let mut full = None;
        while let Some(w) = self.schedulers[s].pick(candidates) {
            candidates &= !(1 << w);
            let warp = &mut self.warps[w];
            let Some((pc, lanes)) = warp.stack.top() else { continue };
            if warp.buffer_pc != pc {
                // A branch was taken: what was fetched behind it is of no use.
                (warp.buffered, warp.fetch_pc) = (0, pc);
                self.sets.buffered &= !(1 << w);
                *moved = true;
                continue;
            }
            if let Some(writer) = self.scoreboard.conflict(w, kernel.touched(pc)) {
                self.block(w, writer);
                continue;
            }
            match self.try_issue(w, pc, lanes, now, kernel, memory) {
                Ok(()) => {
                    self.schedulers[s].issued(w);
                    *moved = true;
                    return Slot::Issued;
                }
                Err(slot) => full = full.or(Some(slot)),
            }
        }
        full.unwrap_or_else(|| self.why_not(mine & self.sets.buffered))
    }

    fn block(&mut self, w: usize, writer: Writer) {
        self.sets.blocked |= 1 << w;
        let set = |set: &mut u64, on: bool| *set = *set & !(1 << w) | (on as u64) << w;
        set(&mut self.sets.blocked_memory, writer == Writer::Memory);
        set(&mut self.sets.blocked_worklist, writer == Writer::Worklist);
    }

    /// No warp could go although these have an instruction.
    fn why_not(&self, buffered: u64) -> Slot {
        let blocked = buffered & self.sets.blocked & !self.sets.waiting();
        if blocked & self.sets.blocked_memory != 0 {
            Slot::ScoreboardMemory
        } else if blocked & self.sets.blocked_worklist != 0 {
            Slot::ScoreboardWorklist
        } else if blocked != 0 {
            Slot::ScoreboardArithmetic
        } else if buffered & self.sets.waiting() & !self.sets.ended != 0 {
            Slot::Synchronisation
        } else {
            Slot::Idle
        }
    }

    /// Issues the instruction, or says what is full.
    fn try_issue(
        &mut self,
        w: usize,
        pc: u32,
        lanes: u32,
        now: u64,
        kernel: &Kernel,
        memory: &mut Memory,
    ) -> Result<(), Slot> {
        let path = kernel.issue[pc as usize].path;
        match path {
            Path::Sp if !self.arithmetic.sp.has_room() => return Err(Slot::PipelineArithmetic),
            Path::Sfu if !self.arithmetic.sfu.has_room() => return Err(Slot::PipelineArithmetic),
            Path::Memory if !self.memory_feed.has_room() => return Err(Slot::PipelineMemory),
            Path::Worklist if !self.port.has_room() => return Err(Slot::PipelineMemory),
            _ => {}
        }
        match self.run(w, pc, lanes, now, kernel, memory) {
            Ok(effect) => {
                self.count_issue(w, pc, lanes, kernel);
                self.follow(w, pc, effect, kernel);
            }
            Err(fault) => self.notice = Some(Notice::Fault(fault)),
        }
        Ok(())
    }

    fn run(
        &mut self,
        w: usize,
        pc: u32,
        lanes: u32,
        now: u64,
        kernel: &Kernel,
        memory: &mut Memory,
    ) -> Result<Effect, Fault> {
        let warp = &mut self.warps[w];
        warp.info.clock = now;
        let mut spaces = Spaces {
            global: memory,
            shared: &mut self.ctas[warp.cta].shared,
            local: &mut warp.local,
            params: kernel.params,
            constants: &kernel.program.constants,
        };
        exec::execute(kernel.program, pc, lanes, &warp.info, &mut warp.registers, &mut spaces, &mut self.scratch)
    }

    fn count_issue(&mut self, w: usize, pc: u32, lanes: u32, kernel: &Kernel) {
        self.stats.warp_instructions += 1;
        self.stats.thread_instructions += self.scratch.executed.count_ones() as u64;
        self.stats.issued_by_active_lanes[lanes.count_ones() as usize - 1] += 1;
        match kernel.program.code[pc as usize].class {
            Class::Load => self.stats.loads += 1,
            Class::Store => self.stats.stores += 1,
            Class::Atomic => self.stats.atomics += 1,
            _ => {}
        }
        let warp = &mut self.warps[w];
        warp.in_flight += 1;
        warp.buffer_pc += 1;
        warp.buffered -= 1;
        warp.fetch_pc = pc + 1;
        if warp.buffered == 0 {
            self.sets.buffered &= !(1 << w);
        }
    }

    /// Moves the warp on and sends the instruction on its way.
    fn follow(&mut self, w: usize, pc: u32, effect: Effect, kernel: &Kernel) {
        let path = kernel.issue[pc as usize].path;
        let writer = match (path, effect) {
            (Path::Worklist, _) => Writer::Worklist,
            (Path::Memory, _) => Writer::Memory,
            _ => Writer::Arithmetic,
        };
        self.scoreboard.reserve(w, kernel.written(pc), writer);
        let op = Op { warp: w as u8, slot: 0, pc };
        match effect {
            Effect::Pull { lanes, .. } if lanes != 0 => self.port.pull(op, lanes),
            // No lane pulls: there is nothing to answer.
            Effect::Pull { .. } => self.pulled_nothing(op, kernel),
            _ if path == Path::Memory => self.send_to_memory(op, effect, kernel),
            _ if path == Path::Worklist => self.pulled_nothing(op, kernel),
            _ if path == Path::Sfu => self.arithmetic.sfu.push(op),
            _ => self.arithmetic.sp.push(op),
        }
        self.advance(w, pc, effect, kernel);
    }

    fn pulled_nothing(&mut self, op: Op, kernel: &Kernel) {
        complete(op, kernel, &mut self.scoreboard, &mut self.sets, &mut self.warps);
    }

    fn advance(&mut self, w: usize, pc: u32, effect: Effect, kernel: &Kernel) {
        let stack = &mut self.warps[w].stack;
        match effect {
            Effect::Branch { taken, target, others } => {
                stack.branch(taken, target, others, kernel.program.code[pc as usize].reconverge)
            }
            Effect::Exit { lanes } => stack.exit(lanes, pc + 1),
            _ => stack.advance(pc + 1),
        }
        match effect {
            Effect::Barrier(arrival) => self.arrive(w, pc, arrival, kernel),
            Effect::Exit { .. } if self.warps[w].stack.top().is_none() => {
                self.sets.ended |= 1 << w;
                self.sets.buffered &= !(1 << w);
                let cta = self.warps[w].cta;
                self.ctas[cta].live &= !(1 << w);
                // The slot stays taken until every warp has retired.
                self.open_barriers(cta, kernel);
                self.achievements += 1;
            }
            Effect::WorklistInit { base, bytes } => self.notice = Some(Notice::WorklistRegion { base, bytes }),
            Effect::WorklistConfigure { double } => self.notice = Some(Notice::Configure { double, pc }),
            _ => {}
        }
        if kernel.program.code[pc as usize].class == Class::Fence {
            self.sets.in_fence |= 1 << w;
        }
    }

    fn arrive(&mut self, w: usize, pc: u32, arrival: Arrival, kernel: &Kernel) {
        let warp = &mut self.warps[w];
        (warp.barrier_pc, warp.barrier_lanes) = (pc, arrival.lanes);
        let cta = warp.cta;
        if !self.ctas[cta].barriers[arrival.id as usize].arrive(w, arrival) {
            let cause = Cause::BarrierDiffers { id: arrival.id };
            let lane = arrival.lanes.trailing_zeros();
            self.notice = Some(Notice::Fault(Fault::new(kernel.program, pc, &warp.info, lane, cause)));
            return;
        }
        if !arrival.passes {
            self.sets.at_barrier |= 1 << w;
        }
        self.open_barriers(cta, kernel);
    }

    /// Lets the warps go on for which nobody is missing any more; reductions have their result then.
    fn open_barriers(&mut self, cta: usize, kernel: &Kernel) {
        while let Some(barrier) = self.ctas[cta].open_barrier() {
            self.sets.at_barrier &= !barrier.waiting;
            self.achievements += 1;
            let waiting = self.warps.iter_mut().enumerate().filter(|(w, _)| barrier.waiting >> w & 1 == 1);
            for (_, warp) in waiting {
                let (pc, lanes) = (warp.barrier_pc, warp.barrier_lanes);
                exec::reduction(kernel.program, pc, lanes, barrier.lanes, barrier.votes, &mut warp.registers);
            }
        }
    }

    fn send_to_memory(&mut self, op: Op, effect: Effect, kernel: &Kernel) {
        let w = op.warp as usize;
        let class = kernel.program.code[op.pc as usize].class;
        let threads = (self.config.max_warps * WARP_SIZE) as u64;
        let local = LocalMap {
            threads: threads * kernel.cores as u64,
            first: threads * self.index as u64 + (w * WARP_SIZE) as u64,
        };
        let access = &self.scratch.access;
        let segments = self.load_store.segments;
        let Some((slot, instruction)) = self.load_store.prepare() else { return };
        let op = Op { slot, ..op };
        instruction.op = op;
        instruction.load = class == Class::Load || class == Class::Atomic;
        instruction.atomic = false;
        instruction.local = access.space == Space::Local;
        instruction.requests.clear();
        instruction.target = match effect {
            Effect::Push { lanes } if lanes != 0 => {
                instruction.ids = self.scratch.ids;
                Target::Worklist { lanes }
            }
            Effect::Access if access.lanes != 0 => match access.space {
                Space::Shared => {
                    let cycles = coalescer::shared_cycles(access, self.shared_banks);
                    self.stats.shared_accesses += 1;
                    self.stats.shared_conflict_cycles += cycles - 1;
                    Target::Shared { cycles }
                }
                Space::Param | Space::Const => {
                    let out = &mut instruction.requests;
                    coalescer::constant_lines(access, self.constant_line, self.index, w, out);
                    Target::Constant
                }
                Space::Global | Space::Local => {
                    coalescer::coalesce(access, self.index, w, segments, local, &mut instruction.requests);
                    instruction.atomic = matches!(access.kind, AccessKind::Atomic(_));
                    self.stats.memory_accesses += 1;
                    self.stats.memory_requests += instruction.requests.len() as u64;
                    Target::Memory
                }
            },
            _ => Target::Nothing,
        };
        if instruction.atomic {
            let replies = instruction.requests.iter().map(Request::replies).sum::<usize>() as u32;
            start_atomic(&mut self.warps[w], op.pc, replies, access);
            self.sets.in_atomic |= 1 << w;
        }
        self.memory_feed.push(op);
    }

    /// Warps that have ended and have nothing on its way leave; so do CTAs whose warps have all left.
    fn retire(&mut self) -> bool {
        let mut ended = self.sets.ended & self.sets.resident;
        let mut moved = false;
        while ended != 0 {
            let w = ended.trailing_zeros() as usize;
            ended &= ended - 1;
            if self.warps[w].is_quiet() {
                self.sets.resident &= !(1 << w);
                self.schedulers[w % self.config.schedulers].remove(w);
                moved = true;
            }
        }
        if moved && self.sets.resident == 0 {
            self.load_store.l1d.clear();
        }
        moved
    }

    /// Adds the core's counters.
    pub fn count(&self, stats: &mut Stats) {
        stats.core.add(&self.stats);
        stats.l1d.add(&self.load_store.l1d.stats);
        stats.l1c.add(&self.load_store.l1c.stats);
        stats.l1i.add(&self.front_end.cache.stats);
        stats.worklist.add(&self.port.stats);
    }
}

/// The instruction is over: its registers are written.
fn complete(op: Op, kernel: &Kernel, scoreboard: &mut Scoreboard, sets: &mut Sets, warps: &mut [Warp]) {
    scoreboard.release(op.warp as usize, kernel.written(op.pc));
    sets.blocked &= !(1 << op.warp);
    warps[op.warp as usize].in_flight -= 1;
}

fn start_atomic(warp: &mut Warp, pc: u32, replies: u32, access: &Access) {
    warp.atomics = replies;
    warp.atomic.pc = pc;
    warp.atomic.access.clone_from(access);
}

fn atomic_back(w: usize, kernel: &Kernel, scoreboard: &mut Scoreboard, sets: &mut Sets, warps: &mut [Warp]) {
    let warp = &mut warps[w];
    warp.atomics -= 1;
    if warp.atomics > 0 {
        return;
    }
    let pc = warp.atomic.pc;
    exec::write_back(kernel.program, pc, warp.atomic.access.lanes, &warp.atomic.old, &mut warp.registers);
    sets.in_atomic &= !(1 << w);
    complete(Op { warp: w as u8, slot: 0, pc }, kernel, scoreboard, sets, warps);
}
