//! Cores, memory system and units, clocked together: launch, drain, diagnosis.

use crate::attach::system::{Cycle, Start, System, Systems, Told};
use crate::attach::{missing, no_counts, with_front_end};
use crate::config::Config;
use crate::core::back_end::{Notice, World};
use crate::core::kernel::Shape;
use crate::core::path::NO_PORT;
use crate::core::{Core, Kernel};
use crate::exec::fault::narrow_warp;
use crate::exec::{AddressError, Memory, Scratch};
use crate::mem::request::Kind;
use crate::mem::system::MemorySystem;
use crate::ptx::counts::impossible;
use crate::ptx::instr::Instr;
use crate::ptx::isa::WARP_SIZE;
use crate::ptx::program::{Program, STACK_BYTES};
use crate::stats::{Counters, LaunchStats, Stats};
use diagnosis::{diagnose, lanes_that_wait_for_each_other};
use std::any::Any;
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use watch::{Standstill, Watch};

pub use crate::launch::{Blame, Launch, RunError, Work};

mod diagnosis;
mod functional;
mod watch;

/// Progress of the GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Core cycles and warp instructions of all launches.
    pub cycle: u64,
    pub warp_instructions: u64,
    /// The launch that runs: its number, from 0, its CTAs, and those that have ended.
    pub launch: u64,
    pub ctas: u64,
    pub ctas_done: u64,
    /// Cycles since a warp last changed memory or the state of a system, came to its end, or passed certain barriers (see `gpu/watch.rs`).
    pub unchanged: u64,
}

/// Told every few thousand cycles.
pub type Observer = Box<dyn FnMut(&Progress)>;

/// A GPU with its device memory.
pub struct Gpu {
    config: Config,
    memory: Memory,
    mem: MemorySystem,
    scratch: Scratch,
    cores: Vec<Core>,
    systems: Systems,
    stats: Stats,
    cycle: u64,
    /// Kernel of the previous launch.
    last_kernel: Option<(String, String)>,
    last_core: usize,
    /// Bytes of the call stack of a thread.
    stack_bytes: u32,
    skip_idle: bool,
    patience: u64,
    max_cycles: u64,
    observer: Option<Observer>,
    interrupt: Option<Arc<AtomicBool>>,
}

/// Cycles from one check of the interrupt flag, call of the progress hook and check for progress to the next.
const RARELY: u64 = 1 << 14;
/// Cycles without a sign of progress after which a kernel is given up (see [`Gpu::set_patience`]).
pub const PATIENCE: u64 = 50_000_000;

/// Progress of a launch.
struct Run {
    next_cta: u64,
    ctas: u64,
    /// Next cycle for the rare jobs.
    rare: u64,
    watch: Watch,
}

impl Gpu {
    /// A GPU with these systems.
    pub fn new(config: &Config, systems: Systems) -> Self {
        let mut systems = with_front_end(systems, config);
        let cores = (0..config.core.count).map(|i| core(i, config, &mut systems)).collect();
        let mut mem = MemorySystem::new(config);
        if systems.iter().any(|system| system.watches_slices()) {
            mem.watch_slices();
        }
        Gpu {
            config: config.clone(),
            memory: Memory::new(),
            mem,
            scratch: Scratch::default(),
            cores,
            systems,
            stats: no_counts(),
            cycle: 0,
            last_kernel: None,
            last_core: config.core.count - 1,
            stack_bytes: STACK_BYTES,
            skip_idle: true,
            patience: PATIENCE,
            max_cycles: u64::MAX,
            observer: None,
            interrupt: None,
        }
    }

    /// A system that this GPU has, by its type.
    pub fn system<S: System>(&self) -> Option<&S> {
        self.systems.iter().find_map(|system| (&**system as &dyn Any).downcast_ref())
    }

    /// The same, and the device memory, for what the host tells it.
    pub fn system_mut<S: System>(&mut self) -> Option<(&mut S, &Memory)> {
        let found = self.systems.iter_mut().find_map(|system| (&mut **system as &mut dyn Any).downcast_mut())?;
        Some((found, &self.memory))
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Device memory, for allocation and copies that leave no trace in the caches (copies back to the host are such).
    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// A copy from the host: writes memory and, if the configuration says so, leaves its sectors in the L2.
    pub fn copy_to_device(&mut self, address: u64, data: &[u8]) -> Result<(), AddressError> {
        self.memory.write(address, data)?;
        if self.config.l2.host_copy_fills {
            self.mem.install(address, data.len() as u64);
        }
        Ok(())
    }

    /// Counters of all launches.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// Core cycles of all launches.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Skipping cycles in which nothing can happen changes no result and no statistic; it is on unless switched off here.
    pub fn set_skip_idle(&mut self, on: bool) {
        self.skip_idle = on;
        self.mem.set_skip_idle(on);
    }

    /// Every instruction that is marked scalar, and every promise of a `.pragma "scalar"`, is checked when it is executed: see
    /// [`crate::exec::execute_checked`]. It is off unless switched on here, and changes no result and no statistic.
    pub fn set_check_scalars(&mut self, on: bool) {
        self.cores.iter_mut().for_each(|core| core.set_check_scalars(on));
    }

    /// A launch is given up after so many cycles in which nothing was new: no store, atomic or push changed anything, no ID was pulled,
    /// no warp ended, and no warp was in a state in which it was not before. A launch that certainly never ends is given up at once (see
    /// `gpu/watch.rs`).
    pub fn set_patience(&mut self, cycles: u64) {
        self.patience = cycles;
    }

    /// A launch ends with [`RunError::CycleLimit`] in this core cycle of all launches, unless it has ended before.
    pub fn set_max_cycles(&mut self, cycles: u64) {
        self.max_cycles = cycles;
    }

    /// Sets the stack of a thread (`cudaLimitStackSize`). The call stack has twice as many bytes, as its frames also hold what a
    /// compiler keeps in registers, and never less than [`STACK_BYTES`].
    pub fn set_stack_limit(&mut self, bytes: u32) {
        self.stack_bytes = STACK_BYTES.max(bytes.saturating_mul(2)).next_multiple_of(16);
    }

    pub fn set_observer(&mut self, observer: Observer) {
        self.observer = Some(observer);
    }

    /// A launch ends with [`RunError::Interrupted`] soon after the flag has become true.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = Some(flag);
    }

    /// The program for this GPU's warps, with a call stack of the size that the host has set.
    fn fitted<'p>(&self, program: &'p Program) -> Cow<'p, Program> {
        let mut program = program.for_warp_size(self.config.core.warp_size);
        if ![0, self.stack_bytes].contains(&program.stack_bytes) {
            program.to_mut().set_stack_bytes(self.stack_bytes);
        }
        program
    }

    /// Runs a kernel until all its CTAs are done and nothing is in flight. Gives the counters of this launch.
    ///
    /// # Errors
    /// See [`RunError`]. The GPU is then in the middle of the kernel: memory can be looked at, but it cannot launch again.
    pub fn launch(&mut self, program: &Program, launch: &Launch) -> Result<LaunchStats, RunError> {
        check_bounds(program, launch)?;
        let ctas_per_core = self.ctas_per_core(program, launch)?;
        let program = &*self.fitted(program);
        let shape = Shape {
            params: &launch.params,
            grid: launch.grid,
            block: launch.block,
            number: self.stats.launches,
            dynamic_shared: launch.dynamic_shared,
            ctas_per_core,
        };
        self.memory.start_launch();
        let kernel = Kernel::new(&self.config, program, shape, |instr| port(&self.systems, instr));
        let Gpu { systems, cores, memory, .. } = self;
        systems.iter_mut().try_for_each(|system| system.start(&mut Start { kernel: &kernel, cores, memory }))?;
        let name = Some((program.source.clone(), program.name.clone()));
        let new_code = self.last_kernel != name;
        self.last_kernel = name;
        for core in &mut self.cores {
            core.prepare(&kernel, self.cycle, new_code);
        }
        self.run(&kernel)?;
        let ended = self.systems.iter_mut().try_for_each(|system| system.end(&kernel));
        self.check_units()?;
        ended?;
        let stats = self.count();
        self.systems.iter().try_for_each(|system| system.check_conservation(&kernel, &stats))?;
        Ok(stats)
    }

    /// CTAs that a core can hold of a launch.
    ///
    /// # Errors
    /// The launch does not fit the GPU; see [`RunError`].
    pub fn ctas_per_core(&self, program: &Program, launch: &Launch) -> Result<usize, RunError> {
        let kernel = || program.name.clone();
        let error = |what, value: String, rule: String| RunError::Launch { kernel: kernel(), what, value, rule };
        let c = &self.config.core;
        let dims = |d: [u32; 3]| format!("{},{},{}", d[0], d[1], d[2]);
        let threads = launch.block.iter().map(|n| *n as u64).product::<u64>();
        let most = (c.max_warps * c.warp_size) as u64;
        if threads == 0 || threads > most {
            return Err(error("block", dims(launch.block), format!("must have 1 to {most} threads")));
        }
        let ctas = launch.grid.iter().try_fold(1u64, |n, g| n.checked_mul(*g as u64)).unwrap_or(0);
        if ctas == 0 {
            return Err(error("grid", dims(launch.grid), "must have 1 CTA or more in each dimension".into()));
        }
        if launch.params.len() != program.param_bytes as usize {
            let rule = format!("the kernel takes {} bytes", program.param_bytes);
            return Err(error("parameter bytes", launch.params.len().to_string(), rule));
        }
        if program.code.is_empty() {
            return Err(error("instructions", "0".into(), "a kernel needs at least one".into()));
        }
        let shared = program.shared_bytes as u64 + launch.dynamic_shared as u64;
        if shared > self.config.shared.bytes as u64 {
            let rule = format!("a core has {} bytes (shared.bytes)", self.config.shared.bytes);
            return Err(error("shared memory", shared.to_string(), rule));
        }
        let warps = (threads as usize).div_ceil(c.warp_size);
        let a_thread = program.registers.next_multiple_of(c.register_allocation).max(c.register_allocation) as u64;
        let registers = a_thread * threads;
        if registers > c.registers as u64 {
            let rule = format!("a core has {} registers (core.registers)", c.registers);
            return Err(error("registers of a CTA", registers.to_string(), rule));
        }
        self.check_width(program)?;
        if let Some(error) = missing(program, &self.config, &self.systems) {
            return Err(error);
        }
        self.systems.iter().try_for_each(|system| system.check(program))?;
        let by_shared = (self.config.shared.bytes as u64).checked_div(shared).unwrap_or(u64::MAX);
        let by_registers = c.registers as u64 / registers;
        Ok(c.max_ctas.min(c.max_warps / warps).min(by_shared.min(by_registers) as usize))
    }

    /// A program that counts the lanes of a warp counts to no more than there are.
    fn check_width(&self, program: &Program) -> Result<(), RunError> {
        let lanes = self.config.core.warp_size as u32;
        if lanes == WARP_SIZE as u32 {
            return Ok(());
        }
        let Some((pc, value)) = impossible(program, lanes) else { return Ok(()) };
        let rule = format!("compares the lanes of a vote with {value:#x}; {}", narrow_warp(lanes));
        let line = program.code[pc as usize].line;
        Err(RunError::Instruction { rule, kernel: program.name.clone(), source_file: program.source.clone(), line })
    }

    fn run(&mut self, kernel: &Kernel) -> Result<(), RunError> {
        let mut run = Run {
            next_cta: 0,
            ctas: kernel.ctas(),
            rare: self.next_rare(),
            watch: Watch::new(self.cycle, self.cores.len(), &self.systems, kernel),
        };
        self.check_limit(kernel, &run)?;
        self.start_ctas(kernel, &mut run);
        loop {
            self.cycle += 1;
            self.step(kernel, false)?;
            self.start_ctas(kernel, &mut run);
            let next = self.next_event();
            let waiting = run.next_cta < run.ctas || self.cores.iter().any(Core::has_warps);
            if next == u64::MAX || (!waiting && self.is_idle()) {
                if waiting {
                    let cycles = run.watch.unchanged(self.cycle);
                    return Err(self.no_progress(kernel, &run, Standstill { cycles, certain: true }));
                }
                self.end_kernel(kernel)?;
                // Systems have drained since.
                return if self.cycle > self.max_cycles { self.check_limit(kernel, &run) } else { Ok(()) };
            }
            if self.cycle >= run.rare {
                self.rare(kernel, &mut run)?;
            }
            if self.skip_idle {
                self.skip_to(kernel, next.min(run.rare))?;
            }
        }
    }

    /// One cycle of everything.
    fn step(&mut self, kernel: &Kernel, draining: bool) -> Result<(), RunError> {
        let now = self.cycle;
        let Gpu { mem, cores, memory, systems, scratch, .. } = self;
        mem.step(now, |request| {
            if request.kind == Kind::Atomic {
                cores[request.core as usize].back.do_atomic(kernel, request, memory);
            }
        });
        let mut noticed = false;
        for (i, core) in cores.iter_mut().enumerate() {
            if core.wake <= now || mem.arrival(i) <= now || !self.skip_idle {
                core.step(now, kernel, &mut World { memory, mem, scratch });
            }
            noticed |= !core.back.notices.is_empty();
        }
        for system in systems {
            system.step(&mut Cycle { now, kernel, cores, mem, memory, draining })?;
        }
        if noticed {
            self.take_notices(kernel)?;
        }
        Ok(())
    }

    fn take_notices(&mut self, kernel: &Kernel) -> Result<(), RunError> {
        for i in 0..self.cores.len() {
            let mut notices = std::mem::take(&mut self.cores[i].back.notices);
            let taken = notices.drain(..).try_for_each(|notice| self.take_notice(i, notice, kernel));
            self.cores[i].back.notices = notices;
            taken?;
        }
        Ok(())
    }

    fn take_notice(&mut self, core: usize, notice: Notice, kernel: &Kernel) -> Result<(), RunError> {
        match notice {
            Notice::Fault(fault) => Err(fault.into()),
            Notice::FrontEnd { text } => {
                let (unit, text) = ("front end", format!("core {core}: {text}"));
                Err(RunError::Unit { unit, cycle: self.cycle, text })
            }
            Notice::Control { control, pc } => {
                let instr = &kernel.program.code[pc as usize];
                let told = Told { control, pc, kernel, memory: &self.memory };
                let mut takers = self.systems.iter_mut().filter(|system| system.takes(instr));
                takers.try_for_each(|system| system.tell(&told))
            }
        }
    }

    /// At most one CTA a core and cycle, round robin over the cores.
    fn start_ctas(&mut self, kernel: &Kernel, run: &mut Run) {
        let count = self.cores.len();
        let first = self.last_core + 1;
        for n in 0..count {
            if run.next_cta == run.ctas {
                return;
            }
            let i = (first + n) % count;
            if let Some(slot) = self.cores[i].free_cta() {
                self.cores[i].start_cta(self.cycle, kernel, slot, run.next_cta);
                run.next_cta += 1;
                self.last_core = i;
            }
        }
    }

    /// Next cycle in which something can happen; `u64::MAX` if nothing ever will.
    fn next_event(&self) -> u64 {
        let now = self.cycle;
        let cores = self.cores.iter().map(|c| c.wake.min(self.mem.arrival(c.index))).min().unwrap_or(u64::MAX);
        if cores <= now + 1 || self.systems_need_step() {
            return now + 1;
        }
        cores.min(self.mem.next_event(now))
    }

    fn systems_need_step(&self) -> bool {
        self.systems.iter().any(|system| system.needs_step(&self.mem))
    }

    /// Lets the cycles before `next` pass, in which only systems are clocked that have a clock then; they may ask for memory earlier.
    fn skip_to(&mut self, kernel: &Kernel, next: u64) -> Result<(), RunError> {
        if !self.systems.iter().any(|system| system.has_clock()) {
            self.cycle = self.cycle.max(next - 1);
        }
        while self.cycle + 1 < next && !self.systems_need_step() {
            self.cycle += 1;
            let clocked = self.systems.iter_mut().filter(|system| system.has_clock());
            clocked.into_iter().try_for_each(|system| system.clock(self.cycle, kernel))?;
        }
        Ok(())
    }

    fn is_idle(&self) -> bool {
        let systems = self.systems.iter().all(|system| system.is_idle());
        systems && self.cores.iter().all(Core::is_idle) && self.mem.is_idle()
    }

    fn next_rare(&self) -> u64 {
        (self.cycle + RARELY).min(self.max_cycles)
    }

    fn rare(&mut self, kernel: &Kernel, run: &mut Run) -> Result<(), RunError> {
        run.rare = self.next_rare();
        let standstill = run.watch.sample(self.cycle, &self.cores, &self.systems);
        if self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            let (kernel, waiting) = (kernel.program.name.clone(), self.diagnose(kernel, run));
            return Err(RunError::Interrupted {
                kernel,
                cycle: self.cycle,
                done: self.done(run),
                ctas: run.ctas,
                waiting,
            });
        }
        self.check_limit(kernel, run)?;
        self.tell(run);
        if standstill.certain || standstill.cycles >= self.patience {
            return Err(self.no_progress(kernel, run, standstill));
        }
        Ok(())
    }

    fn tell(&mut self, run: &Run) {
        let progress = Progress {
            cycle: self.cycle,
            warp_instructions: self.cores.iter().map(|core| core.back.stats.warp_instructions).sum(),
            launch: self.stats.launches,
            ctas: run.ctas,
            ctas_done: self.done(run),
            unchanged: run.watch.unchanged(self.cycle),
        };
        if let Some(observer) = &mut self.observer {
            observer(&progress);
        }
    }

    fn check_limit(&self, kernel: &Kernel, run: &Run) -> Result<(), RunError> {
        if self.cycle < self.max_cycles {
            return Ok(());
        }
        let (kernel, waiting) = (kernel.program.name.clone(), self.diagnose(kernel, run));
        Err(RunError::CycleLimit { kernel, limit: self.max_cycles, done: self.done(run), ctas: run.ctas, waiting })
    }

    fn no_progress(&self, kernel: &Kernel, run: &Run, Standstill { cycles, certain }: Standstill) -> RunError {
        let outlook = if certain { " and never will" } else { "" };
        let mutual = lanes_that_wait_for_each_other(&self.cores, kernel, &run.watch);
        let waiting = self.diagnose(kernel, run) + &mutual.unwrap_or_default();
        RunError::NoProgress { kernel: kernel.program.name.clone(), cycles, outlook, waiting }
    }

    fn diagnose(&self, kernel: &Kernel, run: &Run) -> String {
        diagnose(&self.cores, kernel, &run.watch)
    }

    /// CTAs that have ended.
    fn done(&self, run: &Run) -> u64 {
        run.next_cta - self.cores.iter().map(Core::running_ctas).sum::<u64>()
    }

    /// The cycles until all systems have drained.
    fn end_kernel(&mut self, kernel: &Kernel) -> Result<(), RunError> {
        let mut patience = self.systems.iter_mut().map(|system| system.drain()).max().unwrap_or(0);
        while patience > 0 && !self.systems.iter().all(|system| system.has_drained()) {
            self.cycle += 1;
            self.step(kernel, true)?;
            patience -= self.is_idle() as u64;
        }
        for core in &mut self.cores {
            core.catch_up_to_end(self.cycle);
        }
        Ok(())
    }

    /// Asks every unit for a fault, after the last clock edge of a launch: no cycle of any unit is left unasked, also not one in
    /// which only the unit was clocked.
    fn check_units(&self) -> Result<(), RunError> {
        let fault = |system: &Box<dyn System>| Some((system.name(), system.fault(&self.cores)?));
        match self.systems.iter().find_map(fault) {
            Some((unit, text)) => Err(RunError::Unit { unit, cycle: self.cycle, text }),
            None => Ok(()),
        }
    }

    /// Takes the counters of all components; gives what has been added since the last time.
    fn count(&mut self) -> LaunchStats {
        let mut stats = Stats { cycles: self.cycle, launches: self.stats.launches + 1, ..no_counts() };
        self.cores.iter().for_each(|core| core.count(&mut stats));
        self.systems.iter().for_each(|system| system.count(&mut stats));
        self.mem.count(self.cycle, &mut stats);
        let before = std::mem::replace(&mut self.stats, stats);
        let mut launch = self.stats.clone();
        launch.subtract(&before);
        launch
    }
}

/// A core with the ports and the front end that the systems have for it.
fn core(index: usize, config: &Config, systems: &mut [Box<dyn System>]) -> Core {
    let mut ports = Vec::new();
    for system in systems.iter_mut() {
        ports.extend(system.port(index, ports.len() as u8));
    }
    let front_end = systems.iter_mut().find_map(|system| system.front_end(index));
    Core::new(index, config, front_end, ports)
}

/// The number of the port that takes an instruction, or [`NO_PORT`].
fn port(systems: &[Box<dyn System>], instr: &Instr) -> u8 {
    let number = |system: &Box<dyn System>| system.port_number().filter(|_| system.takes(instr));
    systems.iter().find_map(number).unwrap_or(NO_PORT)
}

/// A kernel runs in the blocks that it is compiled for.
fn check_bounds(program: &Program, launch: &Launch) -> Result<(), RunError> {
    let (kernel, block) = (program.name.clone(), launch.block);
    program.bounds.fault(block).map_or(Ok(()), |rule| Err(RunError::Bounds { kernel, block, rule }))
}

#[cfg(test)]
mod tests;
