//! Launches without time: what a kernel computes, and nothing else. Programs of many launches get to the one of interest this way.
//!
//! As many CTAs run side by side as the GPU can hold, a slice of each warp at a time, so that warps and CTAs can wait for each other.

use super::{check_bounds, Gpu};
use crate::core::gather::gather;
use crate::core::simt_stack::SimtStack;
use crate::exec::fault::Cause;
use crate::exec::{
    self, atomic, cta_place, Access, AccessKind, Arrival, Demand, Fault, Flow, Memory, Registers, Scratch, Spaces,
    WarpInfo,
};
use crate::launch::{Launch, RunError, Work};
use crate::ptx::isa::{Space, BARRIERS, WARP_SIZE};
use crate::ptx::program::Program;
use crate::units::bits::bits;
use std::sync::atomic::Ordering;

/// Instructions that a warp executes before the next one has its turn.
const SLICE: u32 = 4096;

struct Warp {
    info: WarpInfo,
    stack: SimtStack,
    registers: Registers,
    local: Vec<u8>,
    /// The barrier that it waits at.
    barrier: Option<Arrival>,
}

#[derive(Clone, Copy, Default)]
struct Barrier {
    waiting: u32,
    /// Warps that have arrived without waiting.
    passed: u32,
    /// Warps that it is for; `None`: all that have not ended.
    warps: Option<u32>,
    /// Threads that have arrived, and those with a true predicate.
    lanes: u32,
    votes: u32,
}

struct Cta {
    warps: Vec<Warp>,
    shared: Vec<u8>,
    barriers: [Barrier; BARRIERS],
}

struct Run<'a> {
    program: &'a Program,
    launch: &'a Launch,
    memory: &'a mut Memory,
    scratch: Scratch,
    work: Work,
}

impl Gpu {
    /// The kernel uses no system of this GPU, so that it has a meaning without time.
    pub fn can_run_without_time(&self, program: &Program) -> bool {
        !program.code.iter().any(|instr| self.systems.iter().any(|system| system.takes(instr)))
    }

    /// Runs a kernel of which [`Self::can_run_without_time`] is true. No cycle passes, no statistic counts it, and caches stay as
    /// they are.
    ///
    /// # Errors
    /// See [`RunError`].
    pub fn run_without_time(&mut self, program: &Program, launch: &Launch) -> Result<Work, RunError> {
        check_bounds(program, launch)?;
        let ctas_per_core = self.ctas_per_core(program, launch)?;
        let program = &*self.fitted(program);
        let info = WarpInfo {
            ntid: launch.block,
            nctaid: launch.grid,
            size: self.config.core.warp_size as u32,
            warp_slots: self.config.core.max_warps as u32,
            cores: self.config.core.count as u32,
            clock_mhz: self.config.core.clock_mhz,
            grid: self.stats.launches,
            dynamic_shared_bytes: launch.dynamic_shared,
            ..WarpInfo::default()
        };
        let ctas = launch.grid.iter().map(|n| u64::from(*n)).product::<u64>();
        let places = ctas.min((ctas_per_core * self.config.core.count) as u64);
        let interrupt = self.interrupt.clone();
        self.memory.start_launch();
        let mut run =
            Run { program, launch, memory: &mut self.memory, scratch: Scratch::default(), work: Work::default() };
        let mut next = 0;
        let mut resident: Vec<Cta> = (0..places).map(|_| run.empty_cta(&info)).collect();
        for (place, cta) in resident.iter_mut().enumerate() {
            run.start(cta, place as u32, &mut next);
        }
        while !resident.is_empty() {
            let before = run.work.warp_instructions;
            for (place, cta) in resident.iter_mut().enumerate() {
                run.turn(cta)?;
                if cta.has_ended() && next < ctas {
                    run.start(cta, place as u32, &mut next);
                }
            }
            resident.retain(|cta| !cta.has_ended());
            if interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                let (kernel, done) = (program.name.clone(), next - resident.len() as u64);
                return Err(RunError::Interrupted { kernel, cycle: self.cycle, done, ctas, waiting: String::new() });
            }
            if before == run.work.warp_instructions && !resident.is_empty() {
                let (kernel, outlook) = (program.name.clone(), " and never will");
                let waiting = "\nall wait at barriers".into();
                return Err(RunError::NoProgress { kernel, cycles: 0, outlook, waiting });
            }
        }
        Ok(run.work)
    }
}

impl Cta {
    fn has_ended(&self) -> bool {
        self.warps.iter().all(|warp| warp.stack.top().is_none())
    }

    /// Opens the barriers that nobody is missing at.
    fn open_barriers(&mut self, program: &Program) {
        let live = self.warps.iter().filter(|warp| warp.stack.top().is_some()).count() as u32;
        for (id, barrier) in self.barriers.iter_mut().enumerate() {
            let here = barrier.waiting + barrier.passed;
            let opens = match barrier.warps {
                Some(warps) => here >= warps,
                None => barrier.waiting >= live,
            };
            if here == 0 || !opens {
                continue;
            }
            let Barrier { lanes, votes, .. } = std::mem::take(barrier);
            for warp in &mut self.warps {
                if let Some(own) = warp.barrier.take_if(|at| at.id == id as u32) {
                    exec::reduction(program, own.action, own.lanes, lanes, votes, &mut warp.registers);
                }
            }
        }
    }
}

impl Run<'_> {
    /// Room for a CTA.
    fn empty_cta(&self, info: &WarpInfo) -> Cta {
        let threads = self.launch.block.iter().product::<u32>();
        let warp = |first_thread| Warp {
            info: WarpInfo {
                first_thread,
                threads: WarpInfo::threads(info.ntid, first_thread, info.size),
                ..info.clone()
            },
            stack: SimtStack::default(),
            registers: Registers::default(),
            local: vec![0; self.program.local_bytes as usize * WARP_SIZE],
            barrier: None,
        };
        let shared = self.program.shared_bytes + self.launch.dynamic_shared;
        Cta {
            warps: (0..threads).step_by(info.size as usize).map(warp).collect(),
            shared: vec![0; shared as usize],
            barriers: [Barrier::default(); BARRIERS],
        }
    }

    /// The next CTA of the grid, in the place of one that has ended.
    fn start(&self, cta: &mut Cta, place: u32, next: &mut u64) {
        let ctaid = cta_place(*next, self.launch.grid);
        *next += 1;
        cta.shared.fill(0);
        cta.barriers = [Barrier::default(); BARRIERS];
        for (number, warp) in cta.warps.iter_mut().enumerate() {
            (warp.info.ctaid, warp.info.core) = (ctaid, place % warp.info.cores);
            warp.info.warp_slot = number as u32;
            warp.stack.start(warp.info.threads, self.program.code.len() as u32);
            warp.registers.start(self.program.slots);
            warp.local.fill(0);
            warp.barrier = None;
        }
    }

    /// A slice of each warp that does not wait.
    fn turn(&mut self, cta: &mut Cta) -> Result<(), Fault> {
        for index in 0..cta.warps.len() {
            let Cta { warps, shared, barriers } = cta;
            if warps[index].barrier.is_none() {
                self.slice(&mut warps[index], shared, barriers)?;
                cta.open_barriers(self.program);
            }
        }
        Ok(())
    }

    /// Runs a warp until it waits or has ended, or its slice is over.
    fn slice(&mut self, warp: &mut Warp, shared: &mut [u8], barriers: &mut [Barrier]) -> Result<(), Fault> {
        for _ in 0..SLICE {
            let Some((pc, lanes)) = warp.stack.top() else { break };
            let Run { program, launch, memory, scratch, work } = self;
            let params = &launch.params;
            let mut spaces =
                Spaces { global: memory, shared, local: &mut warp.local, params, constants: &program.constants };
            let effect = exec::execute(program, pc, lanes, &warp.info, &mut warp.registers, &mut spaces, scratch)?;
            let flow = match effect.flow {
                Flow::Barrier(arrival) => gather(program, pc, arrival, &warp.info, &warp.stack, memory)?,
                flow => flow,
            };
            warp.info.clock += 1;
            work.warp_instructions += 1;
            work.thread_instructions += u64::from(effect.lanes.count_ones());
            if let Demand::Access { access, .. } = effect.demand {
                finish_atomic(program, pc, access, warp, memory)?;
            }
            match flow {
                Flow::Branch { taken, target, others } => {
                    warp.stack.branch(taken, target, others, program.code[pc as usize].reconverge);
                }
                Flow::Exit { lanes } => warp.stack.exit(lanes, pc + 1),
                Flow::Barrier(arrival) => {
                    warp.stack.advance(pc + 1);
                    self.arrive(warp, barriers, pc, arrival)?;
                    break;
                }
                Flow::OthersEnd { lanes, pc } => warp.stack.let_first(lanes, pc, program.code.len() as u32),
                Flow::Next | Flow::Control(_) => warp.stack.advance(pc + 1),
            }
        }
        Ok(())
    }

    fn arrive(&self, warp: &mut Warp, barriers: &mut [Barrier], pc: u32, arrival: Arrival) -> Result<(), Fault> {
        let (id, here) = (arrival.id, arrival.lanes);
        let barrier = &mut barriers[id as usize];
        if barrier.waiting + barrier.passed > 0 && barrier.warps != arrival.warps {
            let cause = Cause::BarrierDiffers { id };
            return Err(Fault::new(self.program, pc, &warp.info, here.trailing_zeros(), cause));
        }
        barrier.warps = arrival.warps;
        barrier.lanes += here.count_ones();
        barrier.votes += arrival.votes.count_ones();
        if arrival.passes() {
            barrier.passed += 1;
        } else {
            barrier.waiting += 1;
            warp.barrier = Some(arrival);
        }
        Ok(())
    }
}

/// Atomics on global memory, which `execute` has only checked.
fn finish_atomic(
    program: &Program,
    pc: u32,
    access: &Access,
    warp: &mut Warp,
    memory: &mut Memory,
) -> Result<(), Fault> {
    let (AccessKind::Atomic(op), Space::Global) = (access.kind, access.space) else { return Ok(()) };
    let mut old = [0; WARP_SIZE];
    for lane in bits(access.lanes) {
        let [a, b] = access.operands.map(|row| row[lane]);
        let done = atomic::apply(op, access.bytes, memory, access.address[lane], a, b);
        let fault = |error| {
            let cause = Cause::Memory { access: exec::MemoryAccess::Atomic, space: Space::Global, error };
            Fault::new(program, pc, &warp.info, lane as u32, cause)
        };
        old[lane] = done.map_err(fault)?.0;
    }
    if let Some(dst) = access.dst {
        exec::write_back(program, dst, access.lanes, &old, &mut warp.registers);
    }
    Ok(())
}
