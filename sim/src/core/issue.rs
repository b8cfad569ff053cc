//! Issue: which warp of a scheduler goes next, or the reason why none does; and the execution of what issues.

use super::back_end::{BackEnd, Notice, World};
use super::gather::gather;
use super::issue_outcome::IssueOutcome;
use super::kernel::Kernel;
use super::path::{Path, PIPELINES};
use super::warp_set::WarpId;
use crate::exec::{self, Demand, Effect, Fault, Flow, Spaces};
use crate::ptx::isa::Class;

impl BackEnd {
    pub(super) fn issue(&mut self, now: u64, kernel: &Kernel, world: &mut World) -> bool {
        self.residents.open_fences();
        let mut moved = false;
        for s in 0..self.config.schedulers {
            self.outcomes[s] = self.schedule(s, now, kernel, world, &mut moved);
        }
        moved
    }

    /// Paths that can take an instruction, one bit each.
    fn room(&self) -> u32 {
        let ports = self.ports.iter().enumerate();
        ports.fold(self.collector.room(), |room, (n, port)| room | (port.has_room() as u32) << (PIPELINES + n))
    }

    /// One scheduler, one cycle: the first warp in order whose next instruction can go.
    fn schedule(&mut self, s: usize, now: u64, kernel: &Kernel, world: &mut World, moved: &mut bool) -> IssueOutcome {
        let room = self.room();
        let sets = &self.residents.schedulers[s].sets;
        let mut unseen = sets.unseen();
        let open = if sets.all_ready() == 0 { 0 } else { sets.ready_for(room) };
        while let Some(place) = self.residents.schedulers[s].pick(unseen | open) {
            let warp = WarpId::at(s, place);
            if unseen & warp.bit() != 0 {
                unseen &= !warp.bit();
                match self.examine(warp, kernel) {
                    Some(path) if room >> path.index() & 1 == 1 => {}
                    Some(_) => continue,
                    None => {
                        *moved |= self.residents.warps[warp].buffered == 0;
                        continue;
                    }
                }
            }
            *moved = true;
            self.residents.schedulers[s].issued(place);
            let first = self.issue_next(warp, now, kernel, world);
            if self.config.issue_width > 1 {
                self.issue_second(warp, first, now, kernel, world);
            }
            return IssueOutcome::Issued;
        }
        self.stall_reason(s)
    }

    /// Examines the next instruction of a warp. Gives its path if it waits for nothing else.
    fn examine(&mut self, id: WarpId, kernel: &Kernel) -> Option<Path> {
        let warp = &mut self.residents.warps[id];
        let (pc, _) = warp.stack.top()?;
        if warp.buffer_pc != pc {
            // A branch was taken: what was fetched behind it is of no use.
            (warp.buffered, warp.fetch_pc) = (0, pc);
            self.residents.sets_mut(id).buffered &= !id.bit();
            return None;
        }
        if let Some(writer) = self.residents.conflict(id, pc, kernel) {
            self.residents.block(id, writer);
            return None;
        }
        let path = kernel.issue[pc as usize].path;
        self.residents.sets_mut(id).set_ready(id.bit(), path);
        Some(path)
    }

    /// The second instruction of a warp in a cycle, after one that went to `first`.
    fn issue_second(&mut self, warp: WarpId, first: Path, now: u64, kernel: &Kernel, world: &mut World) {
        let sets = self.residents.sets(warp);
        if sets.unseen() & warp.bit() == 0 {
            return;
        }
        let Some(path) = self.examine(warp, kernel) else { return };
        let same = self.config.dual_issue_different_units && path == first;
        if !same && self.room() >> path.index() & 1 == 1 {
            self.issue_next(warp, now, kernel, world);
            self.stats.dual_issues += 1;
        }
    }

    /// The stall reason of a scheduler: why none of its warps could issue.
    fn stall_reason(&self, s: usize) -> IssueOutcome {
        let scheduler = &self.residents.schedulers[s];
        let sets = &scheduler.sets;
        let [sp, sfu, dp, ..] = sets.ready;
        let arithmetic = sp | sfu | dp;
        match scheduler.pick(sets.all_ready()) {
            Some(place) if arithmetic >> place & 1 == 1 => IssueOutcome::PipelineArithmetic,
            Some(_) => IssueOutcome::PipelineMemory,
            None => IssueOutcome::of_waiting(sets),
        }
    }

    /// Issues the next instruction of a warp; gives its path.
    fn issue_next(&mut self, id: WarpId, now: u64, kernel: &Kernel, world: &mut World) -> Path {
        let (pc, lanes) = self.residents.warps[id].stack.top().unwrap_or_default();
        let path = kernel.issue[pc as usize].path;
        self.residents.sets_mut(id).ready[path.index()] &= !id.bit();
        match self.execute_warp(id, pc, lanes, now, kernel, world) {
            Ok(effect) => {
                self.count_issue(id, pc, lanes, &effect, kernel);
                self.leave_buffer(id, pc);
                self.dispatch(id, pc, effect, kernel);
            }
            Err(fault) => self.notices.push(Notice::Fault(fault)),
        }
        path
    }

    pub fn execute_warp<'w>(
        &mut self,
        id: WarpId,
        pc: u32,
        lanes: u32,
        now: u64,
        kernel: &Kernel,
        world: &'w mut World,
    ) -> Result<Effect<'w>, Fault> {
        let warp = &mut self.residents.warps[id];
        warp.info.clock = now;
        let mut spaces = Spaces {
            global: &mut *world.memory,
            shared: &mut self.ctas[warp.cta].shared,
            local: &mut warp.local,
            params: kernel.params,
            constants: &kernel.program.constants,
        };
        let (info, registers) = (&warp.info, &mut warp.registers);
        let execute = if self.check_scalars { exec::execute_checked } else { exec::execute };
        let mut effect = execute(kernel.program, pc, lanes, info, registers, &mut spaces, &mut *world.scratch)?;
        if let Flow::Barrier(arrival) = effect.flow {
            effect.flow = gather(kernel.program, pc, arrival, info, &warp.stack, world.memory)?;
        }
        Ok(effect)
    }

    pub fn set_outcome(&mut self, scheduler: usize, outcome: IssueOutcome) {
        self.outcomes[scheduler] = outcome;
    }

    /// Counts what a warp has executed.
    pub fn count_warp_instruction(&mut self, pc: u32, effect: &Effect, kernel: &Kernel) {
        self.stats.warp_instructions += 1;
        self.stats.scalar_instructions += u64::from(kernel.program.scalars.is_scalar(pc));
        self.stats.thread_instructions += u64::from(effect.lanes.count_ones());
        match kernel.program.code[pc as usize].class {
            Class::Load => self.stats.loads += 1,
            Class::Store => self.stats.stores += 1,
            Class::Atomic => self.stats.atomics += 1,
            _ => return,
        }
        self.progress += u64::from(matches!(effect.demand, Demand::Access { changed: true, .. }));
    }

    /// Counts what a scheduler has issued: lanes in which it was executed, and running lanes.
    pub fn count_issued(&mut self, executed: u32, lanes: u32) {
        self.stats.lane_utilisation.count(executed);
        self.stats.issued_by_active_lanes[lanes as usize - 1] += 1;
    }

    /// Counts an instruction of a warp that has been executed.
    pub fn count_issue(&mut self, id: WarpId, pc: u32, lanes: u32, effect: &Effect, kernel: &Kernel) {
        self.count_warp_instruction(pc, effect, kernel);
        self.count_issued(effect.lanes.count_ones(), lanes.count_ones());
        let warp = &mut self.residents.warps[id];
        warp.in_flight += 1;
        warp.issued += 1;
    }

    fn leave_buffer(&mut self, id: WarpId, pc: u32) {
        let warp = &mut self.residents.warps[id];
        warp.buffer_pc += 1;
        warp.buffered -= 1;
        warp.fetch_pc = pc + 1;
        if warp.buffered == 0 {
            self.residents.sets_mut(id).buffered &= !id.bit();
        }
    }
}
