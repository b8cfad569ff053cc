//! The warps of a core with all that is known of what they wait for.

use super::in_flight::{InFlight, Members};
use super::kernel::Kernel;
use super::path::rotate;
use super::scheduler::{Scheduler, Sets};
use super::scoreboard::{Scoreboard, Writer};
use super::warp::{AtomicInFlight, FirstLoad, Warps};
use super::warp_set::{Layout, WarpId};
use crate::config::{Config, MAX_SCHEDULERS};
use crate::exec;
use crate::ptx::isa::WARP_SIZE;

pub struct Residents {
    pub warps: Warps,
    pub schedulers: Vec<Scheduler>,
    pub scoreboard: Scoreboard,
    /// Resident warps.
    pub count: u32,
    /// Banks of the register file that results are written to in this cycle, one bit each.
    pub written: u32,
    /// The current cycle.
    pub now: u64,
    banks: usize,
    layout: Layout,
    /// Places of the members of each [`Members::Set`], for each scheduler.
    pub member_sets: [[u64; MOST_SETS]; MAX_SCHEDULERS],
    /// Instructions that are over, of which the front end has to be told; `None`: it does not ask.
    pub retired: Option<Vec<InFlight>>,
    /// Cycles before a result of arithmetic is written in which the front end is told of it.
    pub done_ahead: u64,
}

/// Numbers of sets of members that a scheduler can have.
const MOST_SETS: usize = 16;

impl Residents {
    /// `tells`: what is over is told to a front end that is a unit; `hears_early`: results of arithmetic before they are written.
    pub fn new(config: &Config, tells: bool, hears_early: bool) -> Self {
        let core = &config.core;
        let layout = Layout { schedulers: core.schedulers, in_twos: config.groups_issue_together() };
        Residents {
            warps: Warps::new(layout),
            schedulers: vec![Scheduler::new(core.scheduler); core.schedulers],
            scoreboard: Scoreboard::new(0, 1),
            count: 0,
            written: 0,
            now: 0,
            banks: core.register_banks,
            layout,
            member_sets: [[0; MOST_SETS]; MAX_SCHEDULERS],
            retired: tells.then(|| Vec::with_capacity(64)),
            done_ahead: if hears_early { core.done_ahead } else { 0 },
        }
    }

    /// Makes room for the warps of a kernel.
    pub fn prepare(&mut self, kernel: &Kernel) {
        let warps = kernel.ctas_per_core * kernel.warps_per_cta;
        self.warps.prepare(warps);
        self.schedulers.iter_mut().for_each(Scheduler::clear);
        self.scoreboard = Scoreboard::new(warps, kernel.words);
        (self.count, self.written) = (0, 0);
    }

    /// Resident warps with their slots, in that order.
    pub fn all(&self) -> impl Iterator<Item = (usize, WarpId)> + '_ {
        (0..self.warps.slots()).map(|slot| (slot, self.id(slot))).filter(|(_, id)| self.is_resident(*id))
    }

    pub fn id(&self, slot: usize) -> WarpId {
        self.layout.id(slot)
    }

    #[inline(always)]
    pub fn slot(&self, warp: WarpId) -> usize {
        self.layout.slot(warp)
    }

    /// The sets of the scheduler that a warp belongs to.
    #[inline(always)]
    pub fn sets(&self, warp: WarpId) -> &Sets {
        &self.schedulers[warp.scheduler()].sets
    }

    #[inline(always)]
    pub fn sets_mut(&mut self, warp: WarpId) -> &mut Sets {
        &mut self.schedulers[warp.scheduler()].sets
    }

    pub fn start(&mut self, warp: WarpId) {
        self.schedulers[warp.scheduler()].add(warp.place());
        self.count += 1;
    }

    pub fn remove(&mut self, warp: WarpId) {
        self.schedulers[warp.scheduler()].remove(warp.place());
        self.count -= 1;
    }

    pub fn is_resident(&self, warp: WarpId) -> bool {
        self.sets(warp).resident & warp.bit() != 0
    }

    /// The writer that the warp's next instruction waits for.
    #[inline(always)]
    pub fn conflict(&self, warp: WarpId, pc: u32, kernel: &Kernel) -> Option<Writer> {
        self.scoreboard.conflict(self.slot(warp), kernel.touched(pc))
    }

    pub fn block(&mut self, warp: WarpId, writer: Writer) {
        let sets = self.sets_mut(warp);
        let put = |set: &mut u64, on: bool| *set = if on { *set | warp.bit() } else { *set & !warp.bit() };
        put(&mut sets.blocked, true);
        put(&mut sets.blocked_memory, writer == Writer::Memory);
        put(&mut sets.blocked_port, writer == Writer::Port);
    }

    /// Places of the warps that an instruction is of.
    #[inline(always)]
    pub fn members(&self, op: InFlight) -> u64 {
        match op.members {
            Members::One => op.warp.bit(),
            Members::Two => 0b11 << op.warp.neighbour(0).place(),
            Members::Set(number) => self.member_sets[op.warp.scheduler()][number as usize],
        }
    }

    /// By how much the registers of an instruction's warps are turned in the banks. Neighbours lie side by side.
    #[inline(always)]
    pub fn bank_turn(&self, op: InFlight) -> usize {
        self.slot(op.warp) >> u32::from(self.layout.in_twos)
    }

    /// The instruction is over: its registers are written.
    pub fn complete(&mut self, op: InFlight, kernel: &Kernel) {
        self.release(op, kernel);
        match &mut self.retired {
            Some(retired) => retired.push(op),
            None => self.drop_in_flight(op),
        }
    }

    /// The front end is told of a result that is not written yet. The instruction stays in flight until both is done.
    pub fn foretell(&mut self, op: InFlight) {
        for id in WarpId::of(op.warp.scheduler(), self.members(op)) {
            self.warps[id].in_flight += 1;
        }
        self.retired.iter_mut().for_each(|retired| retired.push(op));
    }

    /// A result of arithmetic is written, of which the front end may have been told.
    pub fn write(&mut self, op: InFlight, kernel: &Kernel) {
        match self.done_ahead {
            0 => self.complete(op, kernel),
            _ => {
                self.release(op, kernel);
                self.drop_in_flight(op);
            }
        }
    }

    fn release(&mut self, op: InFlight, kernel: &Kernel) {
        self.written |= rotate(kernel.issue[op.pc as usize].writes, self.bank_turn(op), self.banks);
        for id in WarpId::of(op.warp.scheduler(), self.members(op)) {
            self.scoreboard.release(self.slot(id), kernel.written(op.pc));
            self.sets_mut(id).blocked &= !id.bit();
            let warp = &mut self.warps[id];
            if warp.first_load == (FirstLoad::OnItsWay { pc: op.pc }) {
                warp.first_load = FirstLoad::Served(self.now);
            }
        }
    }

    /// Nothing of the instruction is on its way any more.
    pub fn drop_in_flight(&mut self, op: InFlight) {
        for id in WarpId::of(op.warp.scheduler(), self.members(op)) {
            self.warps[id].in_flight -= 1;
        }
    }

    /// A load from global memory, or of a port, was issued.
    pub fn issued_load(&mut self, op: InFlight) {
        for id in WarpId::of(op.warp.scheduler(), self.members(op)) {
            self.warps[id].issued_load(op.pc);
        }
    }

    pub fn atomic_back(&mut self, id: WarpId, replies: u32, kernel: &Kernel) {
        let warp = &mut self.warps[id];
        warp.atomics -= replies;
        if warp.atomics > 0 {
            return;
        }
        let AtomicInFlight { op, access, .. } = &*warp.atomic;
        let (op, lanes) = (*op, access.lanes);
        if let Some(dst) = access.dst {
            let first = kernel.warp_size;
            let own_lanes = lanes & (u32::MAX >> (WARP_SIZE - first));
            exec::write_back(kernel.program, dst, own_lanes, &warp.atomic.old, &mut warp.registers);
            if op.members == Members::Two {
                let mut old = [0; WARP_SIZE];
                old[..first].copy_from_slice(&warp.atomic.old[first..2 * first]);
                let registers = &mut self.warps[id.neighbour(1)].registers;
                exec::write_back(kernel.program, dst, lanes >> first, &old, registers);
            }
        }
        let members = self.members(op);
        self.sets_mut(id).in_atomic &= !members;
        self.complete(op, kernel);
    }

    /// Lets go the warps at a fence whose loads and stores are back.
    pub fn open_fences(&mut self) {
        for s in 0..self.schedulers.len() {
            let mut fenced = self.schedulers[s].sets.in_fence;
            while fenced != 0 {
                let warp = WarpId::at(s, fenced.trailing_zeros() as usize);
                fenced &= fenced - 1;
                if self.warps[warp].stores == 0 && self.scoreboard.no_loads(self.slot(warp)) {
                    self.schedulers[s].sets.in_fence &= !warp.bit();
                }
            }
        }
    }
}
