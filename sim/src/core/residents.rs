//! The warps of a core with all that is known of what they wait for.

use super::kernel::Kernel;
use super::operand_collector::rotate;
use super::pipeline::Op;
use super::scheduler::Scheduler;
use super::scoreboard::{Scoreboard, Writer};
use super::warp::{FirstLoad, Warp, Warps};
use super::warp_set::WarpId;
use crate::config::Core as CoreConfig;
use crate::exec;

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
}

impl Residents {
    pub fn new(config: &CoreConfig) -> Self {
        Residents {
            warps: Warps::new(Vec::new(), config.schedulers),
            schedulers: vec![Scheduler::new(config.scheduler); config.schedulers],
            scoreboard: Scoreboard::new(0, 1),
            count: 0,
            written: 0,
            now: 0,
            banks: config.register_banks,
        }
    }

    /// Makes room for the warps of a kernel.
    pub fn prepare(&mut self, config: &CoreConfig, kernel: &Kernel) {
        let local = kernel.program.local_bytes as usize * config.warp_size;
        let warps = kernel.ctas_per_core * kernel.warps_per_cta;
        let warp = || Warp::new(kernel.program.slots, local);
        self.warps = Warps::new((0..warps).map(|_| warp()).collect(), config.schedulers);
        self.schedulers.fill(Scheduler::new(config.scheduler));
        self.scoreboard = Scoreboard::new(warps, kernel.words);
        (self.count, self.written) = (0, 0);
    }

    /// Resident warps with their slots, in that order.
    pub fn all(&self) -> impl Iterator<Item = (usize, WarpId)> + '_ {
        (0..self.warps.slots()).map(|slot| (slot, self.id(slot))).filter(|(_, id)| self.is_resident(*id))
    }

    pub fn id(&self, slot: usize) -> WarpId {
        WarpId::new(slot, self.schedulers.len())
    }

    #[inline(always)]
    pub fn slot(&self, warp: WarpId) -> usize {
        warp.slot(self.schedulers.len())
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
        self.schedulers[warp.scheduler()].sets.resident & warp.bit() != 0
    }

    /// What the warp's next instruction waits for.
    #[inline(always)]
    pub fn conflict(&self, warp: WarpId, pc: u32, kernel: &Kernel) -> Option<Writer> {
        self.scoreboard.conflict(self.slot(warp), kernel.touched(pc))
    }

    pub fn block(&mut self, warp: WarpId, writer: Writer) {
        let sets = &mut self.schedulers[warp.scheduler()].sets;
        let put = |set: &mut u64, on: bool| *set = if on { *set | warp.bit() } else { *set & !warp.bit() };
        put(&mut sets.blocked, true);
        put(&mut sets.blocked_memory, writer == Writer::Memory);
        put(&mut sets.blocked_worklist, writer == Writer::Worklist);
    }

    /// The instruction is over: its registers are written.
    pub fn complete(&mut self, op: Op, kernel: &Kernel) {
        let slot = self.slot(op.warp);
        self.scoreboard.release(slot, kernel.written(op.pc));
        self.written |= rotate(kernel.issue[op.pc as usize].writes, slot, self.banks);
        self.schedulers[op.warp.scheduler()].sets.blocked &= !op.warp.bit();
        let warp = &mut self.warps[op.warp];
        warp.in_flight -= 1;
        if warp.first_load == (FirstLoad::OnItsWay { pc: op.pc }) {
            warp.first_load = FirstLoad::Served(self.now);
        }
    }

    pub fn atomic_back(&mut self, id: WarpId, replies: u32, kernel: &Kernel) {
        let warp = &mut self.warps[id];
        warp.atomics -= replies;
        if warp.atomics > 0 {
            return;
        }
        let pc = warp.atomic.pc;
        exec::write_back(kernel.program, pc, warp.atomic.access.lanes, &warp.atomic.old, &mut warp.registers);
        self.schedulers[id.scheduler()].sets.in_atomic &= !id.bit();
        self.complete(Op { warp: id, slot: 0, pc }, kernel);
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
