//! Cores, memory system and units, clocked together: launch, drain, diagnosis.

use crate::config::Config;
use crate::core::core::Notice;
use crate::core::diagnosis::diagnose;
use crate::core::kernel::Shape;
use crate::core::watch::{Standstill, Watch};
use crate::core::waving::FrontEndUnit;
use crate::core::{Core, Kernel, World};
use crate::exec::{AddressError, Fault, Memory};
use crate::mem::request::{Kind, LINE_BYTES};
use crate::mem::system::MemorySystem;
use crate::ptx::program::{Class, Instr, Program};
use crate::reorder::{ElementError, Reorder, ReorderError, ReorderUnit, Reorders};
use crate::stats::{Counters, LaunchStats, Stats};
use crate::timeline::{ActiveThreads, Threads, Timeline};
use crate::worklists::{Region, Worklist, Worklists, SETTLE};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use thiserror::Error;

/// How far the GPU is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Core cycles and warp instructions of all launches.
    pub cycle: u64,
    pub warp_instructions: u64,
    /// Of the launch that runs: its number, from 0, its CTAs, and those that have ended.
    pub launch: u64,
    pub ctas: u64,
    pub ctas_done: u64,
    /// Cycles since a warp last changed memory or the worklist, came to its end, or passed certain barriers (see [`crate::core::watch`]).
    pub unchanged: u64,
}

/// Told every few thousand cycles.
pub type Observer = Box<dyn FnMut(&Progress)>;

/// A kernel launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Bytes of shared memory a CTA beyond the kernel's static ones.
    pub dynamic_shared: u32,
    /// The parameter block, little-endian, laid out as in [`Program::params`].
    pub params: Vec<u8>,
}

/// Why a launch did not end well, in one line (a diagnosis has one more per waiting warp).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(
        "kernel `{kernel}`: the worklist of core {core} overflowed: it holds {held} IDs, and the overflow buffer has {bytes} bytes for all \
         cores; wlinit with {needed} bytes, or more entries (hwwl.entries), would have done"
    )]
    WorklistOverflow { kernel: String, core: usize, held: u64, bytes: u64, needed: u64 },
    #[error("{source_file}:{line}: kernel `{kernel}`: wlinit: base {base:#x}, {bytes} bytes: {rule}")]
    WorklistRegion { base: u64, bytes: u64, rule: String, kernel: String, source_file: String, line: u32 },
    #[error("{unit}, cycle {cycle}: {text}")]
    Unit { unit: &'static str, cycle: u64, text: String },
    #[error("kernel `{kernel}`: worklist lost or invented IDs: {pushed} pushed, {pulled} pulled, {before} before and {after} after")]
    WorklistConservation { kernel: String, pushed: u64, pulled: u64, before: u64, after: u64 },
    #[error("{source_file}:{line}: kernel `{kernel}`: wlcfg changes the mode, or wlinit the overflow buffer, while core {core} holds {held} IDs; drain the worklist first")]
    WorklistBusy { core: usize, held: u64, kernel: String, source_file: String, line: u32 },
    #[error("{source_file}:{line}: kernel `{kernel}` uses the worklist, which this configuration does not have; add a [hwwl] table")]
    NoWorklist { kernel: String, source_file: String, line: u32 },
    /// `outlook`: that it never will, if this is certain.
    #[error("kernel `{kernel}` made no progress for {cycles} cycles{outlook}; its warps:{waiting}")]
    NoProgress { kernel: String, cycles: u64, outlook: &'static str, waiting: String },
    #[error("kernel `{kernel}` has not ended within the limit of {limit} cycles for all launches; {done} of its {ctas} CTAs are done; its warps:{waiting}")]
    CycleLimit { kernel: String, limit: u64, done: u64, ctas: u64, waiting: String },
    #[error("kernel `{kernel}`: {what} = {value}: {rule}")]
    Launch { kernel: String, what: &'static str, value: String, rule: String },
    #[error("{source_file}:{line}: kernel `{kernel}` uses the reorder unit, which {rule}")]
    NoReorderUnit { rule: &'static str, kernel: String, source_file: String, line: u32 },
    #[error("{source_file}:{line}: kernel `{kernel}`: the instruction {rule}")]
    Instruction { rule: String, kernel: String, source_file: String, line: u32 },
    #[error("{source_file}:{line}: kernel `{kernel}`: {error}")]
    Elements { error: ElementError, kernel: String, source_file: String, line: u32 },
    #[error(
        "kernel `{kernel}` was interrupted in cycle {cycle}; {done} of its {ctas} CTAs are done; its warps:{waiting}"
    )]
    Interrupted { kernel: String, cycle: u64, done: u64, ctas: u64, waiting: String },
}

/// A GPU with its device memory.
pub struct Gpu {
    config: Config,
    memory: Memory,
    system: MemorySystem,
    cores: Vec<Core>,
    worklists: Option<Worklists>,
    reorders: Option<Reorders>,
    timeline: Timeline,
    stats: Stats,
    cycle: u64,
    /// Kernel of the previous launch.
    last_kernel: Option<(String, String)>,
    last_core: usize,
    skip_idle: bool,
    patience: u64,
    max_cycles: u64,
    observer: Option<Observer>,
    interrupt: Option<Arc<AtomicBool>>,
}

/// Cycles between looks at the interrupt flag, calls of the progress hook, and checks for progress.
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
    /// `worklist` is a body of `hwwl` with the configuration's parameters. Without one worklist instructions are an error.
    pub fn new(config: &Config, worklist: Option<Worklist>) -> Self {
        let cores = config.core.count;
        let parameters = config.hwwl.as_ref().map(|h| h.parameters(cores)).unwrap_or_default();
        Gpu {
            config: config.clone(),
            memory: Memory::new(),
            system: MemorySystem::new(config),
            cores: (0..config.core.count).map(|i| Core::new(i, config)).collect(),
            worklists: worklist.map(|unit| Worklists::new(unit, cores, &parameters)),
            reorders: None,
            timeline: Timeline::default(),
            stats: Stats::default(),
            cycle: 0,
            last_kernel: None,
            last_core: config.core.count - 1,
            skip_idle: true,
            patience: PATIENCE,
            max_cycles: u64::MAX,
            observer: None,
            interrupt: None,
        }
    }

    /// `unit` is a body of `iru` with the configuration's parameters. Without one `load_iru` is an error.
    pub fn set_reorder_unit(&mut self, unit: ReorderUnit) {
        self.reorders = Some(Reorders::new(unit, &self.config));
    }

    /// Bodies of `gw_front_end`, one for each core, in place of the behavioural models. Without a [gw] table they are not used.
    pub fn set_front_ends(&mut self, units: Vec<FrontEndUnit>) {
        self.cores.iter_mut().zip(units).for_each(|(core, unit)| core.set_front_end(unit));
    }

    /// `configure_iru` (IRU, section 4), for the next kernel that has a `load_iru`.
    ///
    /// # Errors
    /// See [`ReorderError`].
    pub fn configure_reorder(&mut self, reorder: Reorder) -> Result<(), ReorderError> {
        match &mut self.reorders {
            Some(reorders) => reorders.configure(reorder, &self.memory),
            None => Err(ReorderError {
                what: "configuration",
                value: self.config.name.clone(),
                rule: "has no reorder unit; add an [iru] table".into(),
            }),
        }
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
            self.system.install(address, data.len() as u64);
        }
        Ok(())
    }

    /// IDs in all worklists: the sum of their `count` pins.
    pub fn worklist_count(&self) -> u64 {
        self.worklists.as_ref().map_or(0, Worklists::count)
    }

    /// Base and bytes of the last `wlinit`.
    pub fn worklist_region(&self) -> Option<Region> {
        self.worklists.as_ref().and_then(|w| w.region)
    }

    /// Threads with work from the worklist over the cycles of all launches. `None`: there is no worklist.
    pub fn active_threads(&self) -> Option<ActiveThreads> {
        let core = &self.config.core;
        let threads = core.count * core.max_warps * core.warp_size;
        self.worklists.as_ref().map(|_| self.timeline.until(self.cycle, threads as u64))
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
        self.system.set_skip_idle(on);
    }

    /// Every instruction that is marked scalar, and every promise of a `.pragma "scalar"`, is checked when it is executed: see
    /// [`crate::exec::execute_checked`]. It is off unless switched on here, and changes no result and no statistic.
    pub fn set_check_scalars(&mut self, on: bool) {
        self.cores.iter_mut().for_each(|core| core.check_scalars = on);
    }

    /// A launch is given up after so many cycles in which nothing was new: no store, atomic or push changed anything, no ID was pulled,
    /// no warp ended, and no warp was in a state in which it was not before. A launch that certainly never ends is given up at once (see
    /// [`crate::core::watch`]).
    pub fn set_patience(&mut self, cycles: u64) {
        self.patience = cycles;
    }

    /// A launch ends with [`RunError::CycleLimit`] in this core cycle of all launches, unless it has ended before.
    pub fn set_max_cycles(&mut self, cycles: u64) {
        self.max_cycles = cycles;
    }

    pub fn set_observer(&mut self, observer: Observer) {
        self.observer = Some(observer);
    }

    /// A launch ends with [`RunError::Interrupted`] soon after the flag has become true.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = Some(flag);
    }

    /// Runs a kernel until all its CTAs are done and nothing is in flight. Gives the counters of this launch.
    ///
    /// # Errors
    /// See [`RunError`]. The GPU is then in the middle of the kernel: memory can be looked at, but it cannot launch again.
    pub fn launch(&mut self, program: &Program, launch: &Launch) -> Result<LaunchStats, RunError> {
        let ctas_per_core = self.check(program, launch)?;
        let program = &*program.for_warp_size(self.config.core.warp_size);
        let shape = Shape {
            params: &launch.params,
            grid: launch.grid,
            block: launch.block,
            number: self.stats.launches,
            dynamic_shared: launch.dynamic_shared,
            ctas_per_core,
        };
        let kernel = Kernel::new(&self.config, program, shape).map_err(|(pc, rule)| RunError::Instruction {
            rule,
            kernel: program.name.clone(),
            source_file: program.source.clone(),
            line: program.code[pc as usize].line,
        })?;
        let name = Some((program.source.clone(), program.name.clone()));
        let new_code = self.last_kernel != name;
        self.last_kernel = name;
        for core in &mut self.cores {
            core.prepare(&kernel, self.cycle, new_code);
        }
        let held = self.worklist_count();
        self.start_reorder(&kernel)?;
        self.run(&kernel)?;
        let ended = self.reorders.as_mut().map_or(Ok(()), Reorders::end);
        self.check_units()?;
        ended.map_err(|error| elements(&kernel, error))?;
        let stats = self.count();
        self.check_conservation(&kernel, &stats, held)?;
        Ok(stats)
    }

    /// The launch fits the GPU; gives the CTAs that a core can hold.
    fn check(&self, program: &Program, launch: &Launch) -> Result<usize, RunError> {
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
        if let Some(instr) = program.code.iter().find(|i| self.worklists.is_none() && uses_worklist(i.class)) {
            return Err(RunError::NoWorklist {
                kernel: kernel(),
                source_file: program.source.clone(),
                line: instr.line,
            });
        }
        if let Some(instr) = reorder_load(program) {
            let rule = match &self.config.iru {
                None => Some("this configuration does not have; add an [iru] table"),
                Some(_) if self.reorders.as_ref().is_some_and(Reorders::is_configured) => None,
                Some(_) => Some("nobody has configured; call configure_iru before each launch"),
            };
            if let Some(rule) = rule {
                let (source_file, line) = (program.source.clone(), instr.line);
                return Err(RunError::NoReorderUnit { rule, kernel: kernel(), source_file, line });
            }
        }
        let by_shared = (self.config.shared.bytes as u64).checked_div(shared).unwrap_or(u64::MAX);
        let by_registers = c.registers as u64 / registers;
        Ok(c.max_ctas.min(c.max_warps / warps).min(by_shared.min(by_registers) as usize))
    }

    /// The unit starts with the kernel that uses it; for others it stays off.
    fn start_reorder(&mut self, kernel: &Kernel) -> Result<(), RunError> {
        let Some(reorders) = self.reorders.as_mut().filter(|_| reorder_load(kernel.program).is_some()) else {
            return Ok(());
        };
        reorders.start(&self.memory).map_err(|error| RunError::Launch {
            kernel: kernel.program.name.clone(),
            what: "configure_iru",
            value: "arrays".into(),
            rule: error.to_string(),
        })
    }

    fn run(&mut self, kernel: &Kernel) -> Result<(), RunError> {
        let mut run = Run {
            next_cta: 0,
            ctas: kernel.ctas(),
            rare: self.next_rare(),
            watch: Watch::new(self.cycle, &self.config, kernel),
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
                // The worklist has settled since.
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
    fn step(&mut self, kernel: &Kernel, kernel_end: bool) -> Result<(), RunError> {
        let now = self.cycle;
        let Gpu { system, cores, memory, worklists, .. } = self;
        system.step(now, |request| {
            if request.kind == Kind::Atomic {
                cores[request.core as usize].do_atomic(kernel, request, memory);
            }
        });
        let mut noticed = false;
        let mut threads = Threads::default();
        for (i, core) in cores.iter_mut().enumerate() {
            if core.wake <= now || system.arrival(i) <= now || !self.skip_idle {
                let worklist = worklists.as_mut().map(|w| w.pins(i));
                core.step(now, kernel, &mut World { memory, system, worklist });
            }
            noticed |= core.notice.is_some();
            threads += core.threads();
        }
        self.timeline.set(now, threads);
        self.serve_worklists(kernel)?;
        self.clock_worklists(kernel, kernel_end)?;
        self.step_reorder(kernel)?;
        if noticed {
            self.take_notices(kernel)?;
        }
        Ok(())
    }

    /// Elements that have reached their cores, then a cycle of the reorder units.
    fn step_reorder(&mut self, kernel: &Kernel) -> Result<(), RunError> {
        let Gpu { system, cores, memory, reorders, cycle, .. } = self;
        let Some(reorders) = reorders else { return Ok(()) };
        for core in cores {
            while let Some(slot) = core.reordering.arrived.pop() {
                if let Some(packet) = reorders.packet(slot) {
                    core.take_elements(kernel, packet);
                    reorders.release(slot);
                }
            }
        }
        if !reorders.has_work(system) {
            return Ok(());
        }
        reorders.step(*cycle, system, memory).map_err(|error| elements(kernel, error))?;
        match reorders.fault() {
            Some(text) => Err(RunError::Unit { unit: "reorder unit", cycle: *cycle, text }),
            None => Ok(()),
        }
    }

    /// Spills and refills of this cycle.
    fn serve_worklists(&mut self, kernel: &Kernel) -> Result<(), RunError> {
        let Gpu { system, cores, memory, worklists, .. } = self;
        let Some(worklists) = worklists else { return Ok(()) };
        for core in cores {
            if let Err(error) = worklists.serve(core, system, memory) {
                let Region { base, bytes } = worklists.region.unwrap_or(Region { base: 0, bytes: 0 });
                let (name, source_file) = (kernel.program.name.clone(), kernel.program.source.clone());
                let rule = error.to_string();
                return Err(RunError::WorklistRegion { base, bytes, rule, kernel: name, source_file, line: 0 });
            }
        }
        Ok(())
    }

    /// The rising edge of the worklist; the input pins are then low again.
    fn clock_worklists(&mut self, kernel: &Kernel, kernel_end: bool) -> Result<(), RunError> {
        let Some(worklists) = &mut self.worklists else { return Ok(()) };
        worklists.clock(self.cycle, kernel_end);
        if let Some(text) = worklists.fault() {
            return Err(RunError::Unit { unit: "worklist", cycle: self.cycle, text });
        }
        if let Some((core, held, needed)) = worklists.overflow() {
            let (kernel, bytes) = (kernel.program.name.clone(), worklists.region.map_or(0, |r| r.bytes));
            return Err(RunError::WorklistOverflow { kernel, core, held, bytes, needed });
        }
        Ok(())
    }

    fn take_notices(&mut self, kernel: &Kernel) -> Result<(), RunError> {
        for i in 0..self.cores.len() {
            match self.cores[i].notice.take() {
                None => {}
                Some(Notice::Fault(fault)) => return Err(fault.into()),
                Some(Notice::FrontEnd { text }) => {
                    let (unit, text) = ("front end", format!("core {i}: {text}"));
                    return Err(RunError::Unit { unit, cycle: self.cycle, text });
                }
                Some(Notice::WorklistRegion { base, bytes, pc }) => {
                    self.init_worklist(kernel, Region { base, bytes }, pc)?
                }
                Some(Notice::Configure { double, pc }) => self.configure(kernel, double, pc)?,
            }
        }
        Ok(())
    }

    /// `wlcfg`: a change of mode while a core holds IDs would be ignored by the hardware.
    fn configure(&mut self, kernel: &Kernel, double: bool, pc: u32) -> Result<(), RunError> {
        let Some(worklists) = &mut self.worklists else { return Ok(()) };
        if worklists.double != double {
            self.check_empty(kernel, pc)?;
        }
        self.worklists.as_mut().map_or(Ok(()), |w| {
            w.configure(double);
            Ok(())
        })
    }

    /// `wlinit`: the same of the overflow buffer.
    fn init_worklist(&mut self, kernel: &Kernel, region: Region, pc: u32) -> Result<(), RunError> {
        let cores = self.cores.len() as u64;
        let Some(worklists) = &self.worklists else { return Ok(()) };
        if worklists.region == Some(region) {
            return Ok(());
        }
        let Region { base, bytes } = region;
        let rule = if bytes == 0 {
            None
        } else if base % LINE_BYTES != 0 {
            Some(format!("the base must be a multiple of {LINE_BYTES}: the buffer is made of lines"))
        } else if bytes % LINE_BYTES != 0 {
            Some(format!("the bytes must be a multiple of {LINE_BYTES}: the buffer is made of lines"))
        } else if bytes < cores * LINE_BYTES || bytes / cores / LINE_BYTES > u16::MAX as u64 {
            Some(format!("each of the {cores} cores takes 1 to {} lines of {LINE_BYTES} bytes", u16::MAX))
        } else {
            self.memory.bytes(base, bytes as usize).err().map(|error| error.to_string())
        };
        if let Some(rule) = rule {
            let (name, source_file) = (kernel.program.name.clone(), kernel.program.source.clone());
            return Err(RunError::WorklistRegion {
                base,
                bytes,
                rule,
                kernel: name,
                source_file,
                line: kernel.line(pc),
            });
        }
        self.check_empty(kernel, pc)?;
        if let Some(worklists) = &mut self.worklists {
            worklists.init(region);
        }
        Ok(())
    }

    fn check_empty(&self, kernel: &Kernel, pc: u32) -> Result<(), RunError> {
        let Some(worklists) = &self.worklists else { return Ok(()) };
        match (0..self.cores.len()).map(|core| (core, worklists.holds(core))).find(|(_, held)| *held > 0) {
            None => Ok(()),
            Some((core, held)) => {
                let (name, source_file) = (kernel.program.name.clone(), kernel.program.source.clone());
                Err(RunError::WorklistBusy { core, held, kernel: name, source_file, line: kernel.line(pc) })
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
        let cores = self.cores.iter().map(|c| c.wake.min(self.system.arrival(c.index))).min().unwrap_or(u64::MAX);
        let reordering = self.reorders.as_ref().is_some_and(|reorders| reorders.has_work(&self.system));
        if cores <= now + 1 || reordering || self.worklists.as_ref().is_some_and(Worklists::has_traffic) {
            return now + 1;
        }
        cores.min(self.system.next_event(now))
    }

    /// Lets the cycles before `next` pass, in which only the worklist is clocked; it may ask for memory earlier.
    fn skip_to(&mut self, kernel: &Kernel, next: u64) -> Result<(), RunError> {
        if self.worklists.is_none() {
            self.cycle = self.cycle.max(next - 1);
        }
        while self.cycle + 1 < next && !self.worklists.as_ref().is_some_and(Worklists::has_traffic) {
            self.cycle += 1;
            self.clock_worklists(kernel, false)?;
        }
        Ok(())
    }

    fn is_idle(&self) -> bool {
        let worklists = self.worklists.as_ref().is_none_or(Worklists::is_idle);
        let reorders = !self.reorders.as_ref().is_some_and(Reorders::has_requests);
        worklists && reorders && self.cores.iter().all(Core::is_idle) && self.system.is_idle()
    }

    fn next_rare(&self) -> u64 {
        (self.cycle + RARELY).min(self.max_cycles)
    }

    fn rare(&mut self, kernel: &Kernel, run: &mut Run) -> Result<(), RunError> {
        run.rare = self.next_rare();
        let standstill = run.watch.look(self.cycle, &self.cores, self.worklists.as_ref());
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
            warp_instructions: self.cores.iter().map(|core| core.stats.warp_instructions).sum(),
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
        RunError::NoProgress {
            kernel: kernel.program.name.clone(),
            cycles,
            outlook,
            waiting: self.diagnose(kernel, run),
        }
    }

    fn diagnose(&self, kernel: &Kernel, run: &Run) -> String {
        diagnose(&self.cores, kernel, &run.watch)
    }

    /// CTAs that have ended.
    fn done(&self, run: &Run) -> u64 {
        run.next_cta - self.cores.iter().map(Core::running_ctas).sum::<u64>()
    }

    /// In double-buffer mode: the cycles until the worklist has exchanged its sides, or will not because work is left (III-A). A
    /// pair of banks that is still under way can hold the exchange back for two rounds of redistribution.
    fn end_kernel(&mut self, kernel: &Kernel) -> Result<(), RunError> {
        if let Some(part) = self.worklists.as_ref().filter(|w| w.double).map(Worklists::pull_part) {
            let interval = self.config.hwwl.as_ref().map_or(0, |h| h.interval as u64);
            let mut patience = SETTLE + 4 * interval;
            while patience > 0 && self.worklists.as_ref().is_some_and(|w| w.pull_part() == part) {
                self.cycle += 1;
                self.step(kernel, true)?;
                patience -= self.is_idle() as u64;
            }
        }
        for core in &mut self.cores {
            core.catch_up_to_end(self.cycle);
        }
        Ok(())
    }

    /// Asks every unit for a fault, after the last clock edge of a launch: no cycle of any unit is left unasked, also not one in
    /// which only the unit was clocked.
    fn check_units(&self) -> Result<(), RunError> {
        let error = |unit, text| RunError::Unit { unit, cycle: self.cycle, text };
        let worklist = self.worklists.as_ref().and_then(Worklists::fault).map(|text| error("worklist", text));
        let reorders = self.reorders.as_ref().and_then(Reorders::fault).map(|text| error("reorder unit", text));
        let of_core =
            |core: &Core| Some(error("front end", format!("core {}: {}", core.index, core.front_end_fault()?)));
        let front_ends = self.cores.iter().find_map(of_core);
        worklist.or(reorders).or(front_ends).map_or(Ok(()), Err)
    }

    /// Takes the counters of all components; gives what has been added since the last time.
    fn count(&mut self) -> LaunchStats {
        let mut stats = Stats { cycles: self.cycle, launches: self.stats.launches + 1, ..Stats::default() };
        self.cores.iter().for_each(|core| core.count(&mut stats));
        if let Some(worklists) = &self.worklists {
            stats.worklist.add(&worklists.stats);
        }
        if let Some(reorders) = &self.reorders {
            stats.reorder.add(&reorders.stats);
        }
        self.system.count(self.cycle, &mut stats);
        let before = std::mem::replace(&mut self.stats, stats);
        let mut launch = self.stats.clone();
        launch.subtract(&before);
        launch
    }

    fn check_conservation(&self, kernel: &Kernel, stats: &LaunchStats, before: u64) -> Result<(), RunError> {
        let (pushed, pulled) = (stats.worklist.ids_pushed, stats.worklist.ids_pulled);
        let after = self.worklist_count();
        if before + pushed == after + pulled {
            return Ok(());
        }
        let kernel = kernel.program.name.clone();
        Err(RunError::WorklistConservation { kernel, pushed, pulled, before, after })
    }
}

/// The kernel's first `load_iru`.
fn reorder_load(program: &Program) -> Option<&Instr> {
    program.code.iter().find(|i| i.class == Class::ReorderLoad)
}

fn elements(kernel: &Kernel, error: ElementError) -> RunError {
    let (program, line) = (kernel.program, reorder_load(kernel.program).map_or(0, |i| i.line));
    RunError::Elements { error, kernel: program.name.clone(), source_file: program.source.clone(), line }
}

fn uses_worklist(class: Class) -> bool {
    matches!(class, Class::WorklistPull | Class::WorklistPush | Class::WorklistControl)
}

#[cfg(test)]
mod tests;
