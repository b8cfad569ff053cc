//! One core, cycle by cycle: write-back, execute, issue, decode, fetch.

use super::coalescer::{self, Halves, LocalMap};
use super::front_end::FrontEnd;
use super::kernel::{Kernel, Path};
use super::load_store::{self, Done, LoadStore, Sender, Stall, Target};
use super::operand_collector::OperandCollector;
use super::pipeline::{Arithmetic, Group, Op};
use super::reorder::{Finished, Packet, Reordering};
use super::residents::Residents;
use super::scheduler::Sets;
use super::scoreboard::Writer;
use super::warp::{Barrier, Cta, FirstLoad, Warp};
use super::warp_set::WarpId;
use super::wave_issue::Merged;
use super::waving::{FrontEndUnit, Issuable, Waving};
use super::worklist::{Event, WorklistPins, WorklistPort};
use crate::config::{Config, Core as CoreConfig, MAX_SCHEDULERS};
use crate::exec::fault::{Cause, LaneMask, MemoryAccess};
use crate::exec::{self, Access, AccessKind, Arrival, Effect, Fault, Memory, Scratch, Spaces, WarpInfo};
use crate::mem::request::{Kind, Request};
use crate::mem::system::MemorySystem;
use crate::ptx::program::{Class, Space, WARP_SIZE};
use crate::stats::{CoreStats, Counters, IssueStats, Stats};
use crate::timeline::Threads;
use crate::units::hwwl::pins::HwwlCoreOut;
use crate::units::hwwl::Refill;
use std::collections::VecDeque;

/// What a core reaches besides itself.
pub struct World<'a> {
    pub memory: &'a mut Memory,
    pub system: &'a mut MemorySystem,
    /// Of the core's worklist, if there is one.
    pub worklist: Option<WorklistPins<'a>>,
}

/// What ends a launch, or concerns other cores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    Fault(Fault),
    Configure {
        double: bool,
        pc: u32,
    },
    WorklistRegion {
        base: u64,
        bytes: u64,
        pc: u32,
    },
    /// The front end cannot be trusted.
    FrontEnd {
        text: String,
    },
}

/// What a scheduler did in a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Slot {
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

pub struct Core {
    pub index: usize,
    config: CoreConfig,
    shared_banks: u32,
    constant_line: u64,
    pub(super) residents: Residents,
    pub(super) ctas: Vec<Cta>,
    /// CTA slots whose warps have all left, one bit each.
    free_ctas: u64,
    front_end: FrontEnd,
    /// Graph-Waving's front end, in place of the other.
    waving: Option<Box<Waving>>,
    pub(super) merged: Merged,
    /// Warps of a scalar wave.
    pub(super) wave_lanes: usize,
    pub(super) collector: OperandCollector,
    arithmetic: Arithmetic,
    load_store: LoadStore,
    pub(super) port: WorklistPort,
    pulled: Option<Pulled>,
    pub reordering: Reordering,
    /// Tags of the worklist's refills of which a sector has come.
    pub refilled: Vec<u8>,
    pub(super) scratch: Scratch,
    /// Whether scalar instructions are so is looked at.
    pub check_scalars: bool,
    /// What the schedulers did in the last cycle; stays true while the core sleeps.
    slots: [Slot; MAX_SCHEDULERS],
    last_step: u64,
    /// Cycle in which the core has to be looked at.
    pub wake: u64,
    pub stats: CoreStats,
    pub notice: Option<Notice>,
    /// Counts what one warp does that others can notice: changes of memory, IDs, elements, barriers that not only delay, ends.
    pub achievements: u64,
}

impl Core {
    pub fn new(index: usize, config: &Config) -> Self {
        let c = &config.core;
        let lanes = config.hwwl.as_ref().map_or(WARP_SIZE, |h| h.lanes);
        Core {
            index,
            config: c.clone(),
            shared_banks: config.shared.banks,
            constant_line: config.l1c.line_bytes,
            residents: Residents::new(config),
            ctas: Vec::new(),
            free_ctas: 0,
            front_end: FrontEnd::new(index, config),
            waving: Waving::new(index, config),
            merged: Merged::new(),
            wave_lanes: config.gw.as_ref().map_or(0, |gw| gw.wave),
            collector: OperandCollector::new(config),
            arithmetic: Arithmetic::new(config),
            load_store: LoadStore::new(index, config),
            port: WorklistPort::new(lanes, config.hwwl.as_ref().is_some_and(|h| h.refill == Refill::Demand)),
            pulled: None,
            reordering: Reordering::new(index, config),
            refilled: Vec::with_capacity(8),
            scratch: Scratch::default(),
            check_scalars: false,
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
        self.residents.prepare(kernel);
        self.ctas.clear();
        self.ctas.extend((0..kernel.ctas_per_core).map(|_| Cta::new(kernel.shared_bytes)));
        self.free_ctas = u64::MAX >> (64 - kernel.ctas_per_core);
        self.load_store.l1d.clear();
        self.last_step = now;
        self.wake = u64::MAX;
        self.notice = None;
        if new_code {
            self.front_end.clear();
            if let Some(waving) = &mut self.waving {
                waving.clear();
            }
        }
    }

    /// Graph-Waving's front end is in place of the other.
    pub(super) fn is_waving(&self) -> bool {
        self.waving.is_some()
    }

    /// Puts another body of `gw_front_end` in place of the behavioural model, if the configuration has one.
    pub fn set_front_end(&mut self, unit: FrontEndUnit) {
        if let Some(waving) = &mut self.waving {
            waving.set_unit(unit);
        }
    }

    /// Why the body of `gw_front_end` can no longer be trusted.
    pub fn front_end_fault(&self) -> Option<String> {
        self.waving.as_ref().and_then(|waving| waving.fault())
    }

    /// A CTA slot whose warps have all left.
    pub fn free_cta(&self) -> Option<usize> {
        (self.free_ctas != 0).then_some(self.free_ctas.trailing_zeros() as usize)
    }

    pub fn start_cta(&mut self, now: u64, kernel: &Kernel, slot: usize, number: u64) {
        self.catch_up_to_end(now);
        let [x, y, _] = kernel.grid.map(u64::from);
        let ctaid = [number % x, number / x % y, number / x / y].map(|n| n as u32);
        self.free_ctas &= !(1 << slot);
        self.ctas[slot].shared.fill(0);
        self.ctas[slot].resident = kernel.warps_per_cta as u32;
        self.ctas[slot].barriers.fill(Barrier::default());
        for i in 0..kernel.warps_per_cta {
            let warp_slot = slot * kernel.warps_per_cta + i;
            let first_thread = (i * self.config.warp_size) as u32;
            let info = WarpInfo {
                ctaid,
                ntid: kernel.block,
                nctaid: kernel.grid,
                first_thread,
                threads: WarpInfo::threads(kernel.block, first_thread, self.config.warp_size as u32),
                size: self.config.warp_size as u32,
                warp_slot: warp_slot as u32,
                warp_slots: self.config.max_warps as u32,
                core: self.index as u32,
                cores: kernel.cores,
                grid: kernel.number,
                clock: now,
                dynamic_shared_bytes: kernel.dynamic_shared,
            };
            self.start_warp(self.residents.id(warp_slot), slot, info, kernel);
        }
        self.stats.ctas += 1;
        self.wake = now + 1;
    }

    fn start_warp(&mut self, id: WarpId, cta: usize, info: WarpInfo, kernel: &Kernel) {
        let warp = &mut self.residents.warps[id];
        warp.cta = cta;
        warp.info = info;
        warp.stack.start(warp.info.threads, kernel.program.code.len() as u32);
        warp.registers.clear();
        warp.local.fill(0);
        (warp.buffered, warp.fetch_pc) = (0, 0);
        (warp.started, warp.first_load) = (warp.info.clock, FirstLoad::NotIssued);
        self.ctas[cta].live.insert(id);
        self.residents.start(id);
        match &mut self.waving {
            Some(waving) => waving.starting.insert(id),
            None => self.front_end.start(id),
        }
    }

    /// CTAs that have started and not ended.
    pub fn running_ctas(&self) -> u64 {
        self.ctas.len() as u64 - u64::from(self.free_ctas.count_ones())
    }

    /// Lanes of a warp that wait for the answer of a pull.
    pub(super) fn asking(&self, id: WarpId) -> u32 {
        let answered = self.pulled.as_ref().filter(|pulled| pulled.op.warp == id).map_or(0, |pulled| pulled.lanes);
        self.port.asking(id.number()) | answered
    }

    pub fn has_warps(&self) -> bool {
        self.residents.count != 0
    }

    /// Nothing is in flight, warps or not.
    pub fn is_idle(&self) -> bool {
        let waving = self.waving.as_ref().is_none_or(|waving| waving.is_idle());
        !self.has_warps()
            && self.load_store.is_idle()
            && self.port.is_idle()
            && self.front_end.cache.is_idle()
            && waving
    }

    /// Threads that use the worklist.
    pub fn threads(&self) -> Threads {
        self.port.threads
    }

    /// Requests of the core's own wait for the network.
    pub fn is_sending(&self) -> bool {
        !self.load_store.l1d.outgoing.is_empty()
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
        if let Some(waving) = &mut self.waving {
            waving.count(cycles);
        }
        if !self.has_warps() {
            return;
        }
        if let Some(waving) = &self.waving {
            let Issuable { warps, scalars } = waving.issuable;
            self.stats.issuable_warps[issuable_bin(warps)] += cycles;
            self.stats.issuable_scalars[issuable_bin(scalars)] += cycles;
        }
        self.stats.active_cycles += cycles;
        self.stats.warp_slot_cycles += self.config.max_warps as u64 * cycles;
        self.stats.resident_warp_cycles += self.residents.count as u64 * cycles;
        for slot in &self.slots[..self.config.schedulers] {
            count_slot(&mut self.stats.issue, *slot, cycles);
        }
    }

    /// One cycle.
    pub fn step(&mut self, now: u64, kernel: &Kernel, world: &mut World) {
        self.catch_up(now);
        let mut moved = self.receive(now, world.system);
        moved |= self.write_back(now, kernel);
        if let Some(pins) = &world.worklist {
            moved |= self.look_at_worklist(now, kernel, pins.outputs);
        }
        moved |= self.execute(now, kernel, world.system);
        let mut waving = self.waving.take();
        moved |= match &mut waving {
            Some(waving) => self.step_waving(waving, now, kernel, world),
            None => self.step_front_end(now, kernel, world),
        };
        self.waving = waving;
        self.count_cycles(1);
        moved |= self.retire(now);
        self.last_step = now;
        if let Some(pins) = world.worklist.take().filter(|_| !self.port.is_idle()) {
            self.port.drive(pins);
        }
        self.wake = if moved || !self.port.is_idle() || self.pulled.is_some() { now + 1 } else { self.next_event(now) };
    }

    /// Issue, decode, fetch.
    fn step_front_end(&mut self, now: u64, kernel: &Kernel, world: &mut World) -> bool {
        let mut moved = self.issue(now, kernel, world.memory);
        moved |= self.front_end.step(kernel, &mut self.residents, &mut self.stats);
        moved | load_store::send(&mut self.front_end.cache, world.system)
    }

    /// The same with Graph-Waving's front end, and its rising edge.
    fn step_waving(&mut self, waving: &mut Waving, now: u64, kernel: &Kernel, world: &mut World) -> bool {
        self.residents.open_fences();
        waving.look();
        let mut moved = self.issue_waving(waving, kernel, world.memory);
        moved |= waving.fetch(kernel, &mut self.stats);
        moved |= load_store::send(&mut waving.cache, world.system);
        self.stats.storage_full += u64::from(waving.outputs.full);
        self.stats.wave_table_full +=
            waving.outputs.slices.iter().map(|slice| u64::from(slice.table_full)).sum::<u64>();
        let room = std::array::from_fn(|path| self.collector.room_next(path));
        moved |= waving.clock(now, room, kernel, &mut self.residents);
        if let Some(text) = waving.fault() {
            self.notice = Some(Notice::FrontEnd { text });
        }
        moved
    }

    fn next_event(&self, now: u64) -> u64 {
        let outgoing = |cache: &VecDeque<Request>| !cache.is_empty();
        let waving = self.waving.as_ref().is_some_and(|waving| outgoing(&waving.cache.outgoing));
        if waving || outgoing(&self.front_end.cache.outgoing) {
            return now + 1;
        }
        let collector = self.collector.next_event(now, Path::Memory as usize);
        if collector == now + 1 {
            return collector;
        }
        self.arithmetic.next_event(now).min(self.load_store.next_event(now)).min(collector)
    }

    fn receive(&mut self, now: u64, system: &mut MemorySystem) -> bool {
        if !self.load_store.can_receive() {
            return false;
        }
        let Some(reply) = system.receive(self.index, now) else { return false };
        match reply.kind {
            Kind::Instruction => match &mut self.waving {
                Some(waving) => waving.cache.fill(reply.address),
                None => self.front_end.cache.fill(reply.address),
            },
            Kind::Refill => self.refilled.push(reply.load as u8),
            _ => self.load_store.receive(reply),
        }
        true
    }

    fn write_back(&mut self, now: u64, kernel: &Kernel) -> bool {
        (self.residents.written, self.residents.now) = (0, now);
        let Core { arithmetic, residents, .. } = self;
        arithmetic.write_back(now, |op| residents.complete(op, kernel))
    }

    /// Hands out the worklist's answers; a pull needs a register write port that arithmetic leaves free.
    fn look_at_worklist(&mut self, now: u64, kernel: &Kernel, pins: &HwwlCoreOut) -> bool {
        let mut moved = false;
        if let Some(Pulled { op, lanes, values }) =
            self.pulled.take_if(|_| self.arithmetic.results(now) < self.config.writeback_width)
        {
            exec::write_back(kernel.program, op.pc, lanes, &values, &mut self.residents.warps[op.warp].registers);
            self.residents.complete(op, kernel);
            moved = true;
        }
        if self.pulled.is_some() {
            return moved;
        }
        let Core { port, pulled, residents, achievements, .. } = self;
        port.look(pins, |event| {
            moved = true;
            match event {
                Event::Pulled { op, lanes, values } => *pulled = Some(Pulled { op, lanes, values: *values }),
                Event::Pushed { op } => {
                    *achievements += 1;
                    residents.complete(op, kernel);
                }
            }
        });
        moved
    }

    fn execute(&mut self, now: u64, kernel: &Kernel, system: &mut MemorySystem) -> bool {
        let mut moved = self.arithmetic.step(now, &mut self.collector, &kernel.issue);
        let Core { load_store, port, residents, reordering, .. } = self;
        moved |= load_store.step(now, system, port, |event| match event {
            Done::Complete(op) => residents.complete(op, kernel),
            Done::StoreSent { warps, acknowledgements } => {
                warps.warps().for_each(|warp| residents.warps[warp].stores += acknowledgements);
            }
            Done::StoreAck { warps, acknowledgements } => {
                warps.warps().for_each(|warp| residents.warps[warp].stores -= acknowledgements);
            }
            Done::AtomicBack { warp, replies } => residents.atomic_back(warp, replies, kernel),
            Done::ReorderSent { op, lanes } => reordering.start(residents.slot(op.warp), op, lanes),
            Done::Elements { packet } => reordering.arrived.push(packet),
        });
        if self.load_store.is_free() {
            if let Some(op) = self.collector.pop(Path::Memory as usize) {
                self.load_store.issue(now, op);
                moved = true;
            }
        }
        let Core { collector, residents, .. } = self;
        moved | collector.step(now, residents.written, &kernel.issue, |op| residents.bank_turn(op))
    }

    /// Elements for a warp have been written back.
    pub fn take_elements(&mut self, kernel: &Kernel, packet: &Packet) {
        self.achievements += 1;
        if let Some(Finished { op, lanes, elements }) = self.reordering.deal(packet) {
            let registers = &mut self.residents.warps[op.warp].registers;
            exec::write_back_elements(kernel.program, op.pc, lanes, elements, registers);
            self.load_store.end_reordering(packet.warp_slot);
            self.residents.complete(op, kernel);
        }
    }

    /// A slice does the lanes of an atomic on one sector.
    pub fn do_atomic(&mut self, kernel: &Kernel, request: &Request, memory: &mut Memory) {
        let warp = &mut self.residents.warps[WarpId::from_number(request.warp)];
        let flight = &mut warp.atomic;
        let AccessKind::Atomic(op) = flight.access.kind else { return };
        for lane in (0..WARP_SIZE).filter(|lane| request.atomic.lanes[0] >> lane & 1 == 1) {
            let [a, b] = [flight.access.operands[0][lane], flight.access.operands[1][lane]];
            match exec::atomic::apply(op, flight.access.bytes, memory, flight.access.address[lane], a, b) {
                Ok((old, changed)) => {
                    flight.old[lane] = old;
                    self.achievements += u64::from(changed);
                }
                Err(error) => {
                    let cause = Cause::Memory { access: MemoryAccess::Atomic, space: Space::Global, error };
                    let (op, size) = (flight.op, kernel.warp_size);
                    let info = &self.residents.warps[op.half(lane / size).warp].info;
                    let fault = Fault::new(kernel.program, op.pc, info, (lane % size) as u32, cause);
                    self.notice = Some(Notice::Fault(fault));
                    return;
                }
            }
        }
    }

    fn issue(&mut self, now: u64, kernel: &Kernel, memory: &mut Memory) -> bool {
        self.residents.open_fences();
        let mut moved = false;
        for s in 0..self.config.schedulers {
            self.slots[s] = self.schedule(s, now, kernel, memory, &mut moved);
        }
        moved
    }

    /// Paths that can take an instruction, one bit each.
    fn room(&self) -> u32 {
        self.collector.room() | (self.port.has_room() as u32) << Path::Worklist as u32
    }

    /// One scheduler, one cycle: the first warp in order whose next instruction can go.
    fn schedule(&mut self, s: usize, now: u64, kernel: &Kernel, memory: &mut Memory, moved: &mut bool) -> Slot {
        let room = self.room();
        let sets = &self.residents.schedulers[s].sets;
        let mut unseen = sets.unseen();
        let open = sets.ready_for(room);
        while let Some(place) = self.residents.schedulers[s].pick(unseen | open) {
            let warp = WarpId::at(s, place);
            if unseen & warp.bit() != 0 {
                unseen &= !warp.bit();
                match self.look_at(warp, kernel) {
                    Some(path) if room >> path as u32 & 1 == 1 => {}
                    Some(_) => continue,
                    None => {
                        *moved |= self.residents.warps[warp].buffered == 0;
                        continue;
                    }
                }
            }
            *moved = true;
            self.residents.schedulers[s].issued(place);
            let first = self.issue_next(warp, now, kernel, memory);
            if self.config.issue_width > 1 {
                self.issue_second(warp, first, now, kernel, memory);
            }
            return Slot::Issued;
        }
        self.why_not(s)
    }

    /// Looks at the next instruction of a warp. Gives its path if it waits for nothing else.
    fn look_at(&mut self, id: WarpId, kernel: &Kernel) -> Option<Path> {
        let warp = &mut self.residents.warps[id];
        let (pc, _) = warp.stack.top()?;
        if warp.buffer_pc != pc {
            // A branch was taken: what was fetched behind it is of no use.
            (warp.buffered, warp.fetch_pc) = (0, pc);
            self.residents.schedulers[id.scheduler()].sets.buffered &= !id.bit();
            return None;
        }
        if let Some(writer) = self.residents.conflict(id, pc, kernel) {
            self.residents.block(id, writer);
            return None;
        }
        let path = kernel.issue[pc as usize].path;
        self.residents.schedulers[id.scheduler()].sets.set_ready(id.bit(), path);
        Some(path)
    }

    /// The second instruction of a warp in a cycle, after one that went to `first`.
    fn issue_second(&mut self, warp: WarpId, first: Path, now: u64, kernel: &Kernel, memory: &mut Memory) {
        let sets = &self.residents.schedulers[warp.scheduler()].sets;
        if sets.unseen() & warp.bit() == 0 {
            return;
        }
        let Some(path) = self.look_at(warp, kernel) else { return };
        let same = self.config.dual_issue_different_units && path == first;
        if !same && self.room() >> path as u32 & 1 == 1 {
            self.issue_next(warp, now, kernel, memory);
            self.stats.dual_issues += 1;
        }
    }

    /// None of a scheduler's warps could go.
    fn why_not(&self, s: usize) -> Slot {
        let scheduler = &self.residents.schedulers[s];
        let sets = &scheduler.sets;
        let arithmetic = sets.ready[Path::Sp as usize] | sets.ready[Path::Sfu as usize] | sets.ready[Path::Dp as usize];
        match scheduler.pick(sets.all_ready()) {
            Some(place) if arithmetic >> place & 1 == 1 => Slot::PipelineArithmetic,
            Some(_) => Slot::PipelineMemory,
            None => waits(sets),
        }
    }

    /// Issues the next instruction of a warp; gives its path.
    fn issue_next(&mut self, id: WarpId, now: u64, kernel: &Kernel, memory: &mut Memory) -> Path {
        let (pc, lanes) = self.residents.warps[id].stack.top().unwrap_or_default();
        let path = kernel.issue[pc as usize].path;
        self.residents.schedulers[id.scheduler()].sets.ready[path as usize] &= !id.bit();
        match self.run(id, pc, lanes, now, kernel, memory) {
            Ok(effect) => {
                self.count_issue(id, pc, lanes, kernel);
                self.follow(id, pc, effect, kernel);
            }
            Err(fault) => self.notice = Some(Notice::Fault(fault)),
        }
        path
    }

    pub(super) fn run(
        &mut self,
        id: WarpId,
        pc: u32,
        lanes: u32,
        now: u64,
        kernel: &Kernel,
        memory: &mut Memory,
    ) -> Result<Effect, Fault> {
        let warp = &mut self.residents.warps[id];
        warp.info.clock = now;
        let mut spaces = Spaces {
            global: memory,
            shared: &mut self.ctas[warp.cta].shared,
            local: &mut warp.local,
            params: kernel.params,
            constants: &kernel.program.constants,
        };
        let (info, registers, scratch) = (&warp.info, &mut warp.registers, &mut self.scratch);
        if self.check_scalars {
            return exec::execute_checked(kernel.program, pc, lanes, info, registers, &mut spaces, scratch);
        }
        exec::execute(kernel.program, pc, lanes, info, registers, &mut spaces, scratch)
    }

    pub(super) fn set_slot(&mut self, scheduler: usize, slot: Slot) {
        self.slots[scheduler] = slot;
    }

    /// Counts what a warp has executed.
    pub(super) fn count_warp_instruction(&mut self, pc: u32, kernel: &Kernel) {
        self.stats.warp_instructions += 1;
        self.stats.scalar_instructions += u64::from(kernel.program.scalars.is_scalar(pc));
        self.stats.thread_instructions += u64::from(self.scratch.executed.count_ones());
        match kernel.program.code[pc as usize].class {
            Class::Load => self.stats.loads += 1,
            Class::Store => self.stats.stores += 1,
            Class::Atomic => self.stats.atomics += 1,
            _ => return,
        }
        self.achievements += u64::from(self.scratch.changed);
    }

    /// Counts what a scheduler has issued: lanes in which it was executed, and running lanes.
    pub(super) fn count_issued(&mut self, executed: u32, lanes: u32) {
        self.stats.lane_utilisation.count(executed);
        self.stats.issued_by_active_lanes[lanes as usize - 1] += 1;
    }

    fn count_issue(&mut self, id: WarpId, pc: u32, lanes: u32, kernel: &Kernel) {
        self.count_warp_instruction(pc, kernel);
        self.count_issued(self.scratch.executed.count_ones(), lanes.count_ones());
        let warp = &mut self.residents.warps[id];
        warp.in_flight += 1;
        warp.issued += 1;
        warp.buffer_pc += 1;
        warp.buffered -= 1;
        warp.fetch_pc = pc + 1;
        if warp.buffered == 0 {
            self.residents.schedulers[id.scheduler()].sets.buffered &= !id.bit();
        }
    }

    /// Moves the warp on and sends the instruction on its way.
    fn follow(&mut self, id: WarpId, pc: u32, effect: Effect, kernel: &Kernel) {
        let path = kernel.issue[pc as usize].path;
        let writer = match path {
            Path::Worklist => Writer::Worklist,
            Path::Memory => Writer::Memory,
            Path::Sp | Path::Sfu | Path::Dp => Writer::Arithmetic,
        };
        self.residents.scoreboard.reserve(self.residents.slot(id), kernel.written(pc), writer);
        let op = Op::of_warp(id, pc);
        match effect {
            Effect::Pull { lanes, .. } if lanes != 0 => self.port.pull(op, lanes),
            _ => match path {
                // No lane pulls: there is nothing to answer.
                Path::Worklist => self.residents.complete(op, kernel),
                Path::Memory => self.send_to_memory(op, effect, kernel),
                Path::Sp | Path::Sfu | Path::Dp => self.collector.push(path as usize, op),
            },
        }
        self.advance(id, pc, effect, kernel);
    }

    pub(super) fn advance(&mut self, id: WarpId, pc: u32, effect: Effect, kernel: &Kernel) {
        let warp = &mut self.residents.warps[id];
        let cta = warp.cta;
        match effect {
            Effect::Branch { taken, target, others } => {
                warp.stack.branch(taken, target, others, kernel.program.code[pc as usize].reconverge)
            }
            Effect::Exit { lanes } => {
                warp.stack.exit(lanes, pc + 1);
                self.port.end(id.number() as usize, lanes);
            }
            _ => warp.stack.advance(pc + 1),
        }
        let ended = warp.stack.top().is_none();
        let sets = &mut self.residents.schedulers[id.scheduler()].sets;
        match effect {
            Effect::Barrier(arrival) => self.arrive(id, pc, arrival, kernel),
            Effect::Exit { .. } if ended => {
                sets.ended |= id.bit();
                sets.buffered &= !id.bit();
                self.ctas[cta].live.remove(id);
                // The slot stays taken until every warp has retired.
                self.open_barriers(cta, kernel);
                self.achievements += 1;
            }
            Effect::WorklistInit { base, bytes } => self.notice = Some(Notice::WorklistRegion { base, bytes, pc }),
            Effect::WorklistConfigure { double } => self.notice = Some(Notice::Configure { double, pc }),
            _ => {}
        }
        if kernel.program.code[pc as usize].class == Class::Fence {
            self.residents.schedulers[id.scheduler()].sets.in_fence |= id.bit();
        }
    }

    fn arrive(&mut self, id: WarpId, pc: u32, arrival: Arrival, kernel: &Kernel) {
        let warp = &mut self.residents.warps[id];
        (warp.barrier_pc, warp.barrier_lanes) = (pc, arrival.lanes);
        let cta = warp.cta;
        let (here, elsewhere) = (arrival.lanes, warp.stack.live() & !arrival.lanes);
        let cause = if elsewhere != 0 {
            Some(Cause::BarrierDiverged { id: arrival.id, here: LaneMask(here), elsewhere: LaneMask(elsewhere) })
        } else if !self.ctas[cta].barriers[arrival.id as usize].arrive(id, arrival) {
            Some(Cause::BarrierDiffers { id: arrival.id })
        } else {
            None
        };
        if let Some(cause) = cause {
            let fault = Fault::new(kernel.program, pc, &warp.info, here.trailing_zeros(), cause);
            self.notice = Some(Notice::Fault(fault));
            return;
        }
        match arrival.passes {
            true => self.achievements += 1,
            false => self.residents.schedulers[id.scheduler()].sets.at_barrier |= id.bit(),
        }
        self.open_barriers(cta, kernel);
    }

    /// Lets the warps go on for which nobody is missing any more; reductions have their result then.
    fn open_barriers(&mut self, cta: usize, kernel: &Kernel) {
        while let Some(barrier) = self.ctas[cta].open_barrier() {
            self.achievements += u64::from(barrier.warps.is_some());
            for id in barrier.waiting.iter() {
                self.residents.schedulers[id.scheduler()].sets.at_barrier &= !id.bit();
                let warp = &mut self.residents.warps[id];
                let (pc, lanes) = (warp.barrier_pc, warp.barrier_lanes);
                self.achievements += u64::from(!kernel.program.code[pc as usize].writes.as_slice().is_empty());
                exec::reduction(kernel.program, pc, lanes, barrier.lanes, barrier.votes, &mut warp.registers);
            }
        }
    }

    pub(super) fn send_to_memory(&mut self, op: Op, effect: Effect, kernel: &Kernel) {
        let class = kernel.program.code[op.pc as usize].class;
        let halves = self.halves(op, kernel);
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
            Effect::Reorder { lanes } => {
                let values = kernel.program.code[op.pc as usize].writes.as_slice().len() as u32 - 1;
                instruction.local = false;
                self.residents.issued_load(op);
                instruction.requests.push(self.reordering.request(self.residents.slot(op.warp), lanes, values));
                Target::Reorder { lanes }
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
                    coalescer::constant_lines(access, self.constant_line, self.index, &halves, out);
                    Target::Constant
                }
                Space::Global | Space::Local => {
                    coalescer::coalesce(access, self.index, &halves, segments, &mut instruction.requests);
                    instruction.atomic = matches!(access.kind, AccessKind::Atomic(_));
                    if class == Class::Load && access.space == Space::Global {
                        self.residents.issued_load(op);
                    }
                    self.stats.memory_accesses += 1;
                    self.stats.memory_requests += instruction.requests.len() as u64;
                    Target::Memory
                }
            },
            _ => Target::Nothing,
        };
        if instruction.atomic {
            let replies = instruction.requests.iter().map(Request::replies).sum::<usize>() as u32;
            start_atomic(&mut self.residents.warps[op.warp], op, replies, access);
            self.residents.schedulers[op.warp.scheduler()].sets.in_atomic |= self.residents.members(op);
        }
        self.collector.push(Path::Memory as usize, op);
    }

    /// Who accesses memory, for the coalescer.
    fn halves(&self, op: Op, kernel: &Kernel) -> Halves {
        let pair = op.group == Group::Pair;
        let local = [0, 1].map(|half| self.local_map(op.half(half).warp, kernel));
        let lanes = if pair { kernel.warp_size } else { WARP_SIZE };
        Halves { sender: Sender::of(op).number(), lanes, local }
    }

    fn local_map(&self, warp: WarpId, kernel: &Kernel) -> LocalMap {
        // Resident CTAs: the first of each core, then the second of each, and so on.
        let (slot, per_cta) = (self.residents.slot(warp), kernel.warps_per_cta);
        let place = slot / per_cta * kernel.cores as usize + self.index;
        let warps = per_cta * kernel.ctas_per_core * kernel.cores as usize;
        LocalMap {
            threads: (warps * self.config.warp_size) as u64,
            first: ((place * per_cta + slot % per_cta) * self.config.warp_size) as u64,
        }
    }

    /// Warps that have ended and have nothing on its way leave; so do CTAs whose warps have all left.
    fn retire(&mut self, now: u64) -> bool {
        let mut moved = false;
        for s in 0..self.config.schedulers {
            let sets = &self.residents.schedulers[s].sets;
            let mut ended = sets.ended & sets.resident;
            while ended != 0 {
                let id = WarpId::at(s, ended.trailing_zeros() as usize);
                ended &= ended - 1;
                let warp = &self.residents.warps[id];
                if warp.is_quiet() {
                    if let FirstLoad::Served(served) = warp.first_load {
                        self.stats.loading_warps += 1;
                        self.stats.loading_warp_cycles += now - warp.started;
                        self.stats.cycles_to_first_load += served - warp.started;
                    }
                    let cta = &mut self.ctas[warp.cta];
                    cta.resident -= 1;
                    self.free_ctas |= ((cta.resident == 0) as u64) << warp.cta;
                    self.residents.remove(id);
                    moved = true;
                }
            }
        }
        if moved && !self.has_warps() {
            self.load_store.l1d.clear();
        }
        moved
    }

    /// Adds the core's counters.
    pub fn count(&self, stats: &mut Stats) {
        stats.core.add(&self.stats);
        stats.core.register_bank_conflicts += self.collector.conflicts;
        stats.l1d.add(&self.load_store.l1d.stats);
        stats.l1c.add(&self.load_store.l1c.stats);
        stats.l1i.add(&self.front_end.cache.stats);
        self.waving.iter().for_each(|waving| stats.l1i.add(&waving.cache.stats));
        stats.worklist.add(&self.port.stats);
    }
}

/// Of [`CoreStats::issuable_warps`] and [`CoreStats::issuable_scalars`].
fn issuable_bin(count: u32) -> usize {
    match count {
        0 => 0,
        1 => 1,
        2..=4 => 2,
        5..=8 => 3,
        9..=16 => 4,
        _ => 5,
    }
}

/// What warps wait for of which none is ready.
fn waits(sets: &Sets) -> Slot {
    let buffered = sets.resident & sets.buffered;
    let blocked = buffered & sets.blocked & !sets.waiting();
    if blocked & sets.blocked_memory != 0 {
        Slot::ScoreboardMemory
    } else if blocked & sets.blocked_worklist != 0 {
        Slot::ScoreboardWorklist
    } else if blocked != 0 {
        Slot::ScoreboardArithmetic
    } else if buffered & sets.waiting() & !sets.ended != 0 {
        Slot::Synchronisation
    } else {
        Slot::Idle
    }
}

fn start_atomic(warp: &mut Warp, op: Op, replies: u32, access: &Access) {
    warp.atomics = replies;
    warp.atomic.op = op;
    warp.atomic.access.clone_from(access);
}
