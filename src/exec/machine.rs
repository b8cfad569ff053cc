//! The GPU that programs run on: made for the units that their kernels use, and made anew after a kernel fault.

use super::failure::is_refused;
use crate::implementations::{self, Handles, LockstepInfo};
use crate::limits::Limits;
use crate::progress::{left, shown, Progress};
use crate::user_unit::{self, Totals};
use anyhow::Result;
use sim::attach::iru::Reorder;
use sim::attach::{no_counts, Uses};
use sim::config::Config;
use sim::exec::{AddressError, Memory};
use sim::gpu::{Gpu, Launch, Observer, RunError, Work};
use sim::ptx::program::Program;
use sim::stats::{Counters, LaunchStats, Stats};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::Instant;
use testbench::in_gpu::Implementation;
use testbench::systems::PlugIn;

/// The user's choice.
pub struct Choice {
    pub config: Config,
    pub units: Implementation,
    pub seed: u64,
    pub attached: Vec<&'static PlugIn>,
    pub user_unit: Option<user_unit::Attached>,
    pub evidence: PathBuf,
    pub limits: Limits,
    /// The program's name in messages.
    pub who: String,
    /// Launches that run in detail, by their numbers. Others compute what they compute, without time.
    pub detailed: RangeInclusive<u64>,
}

/// A launch that has ended well.
pub enum Done {
    Timed(Box<LaunchStats>),
    Untimed(Work),
}

/// The GPU, and what earlier ones have counted.
pub struct Machine {
    pub choice: Choice,
    interrupt: Arc<AtomicBool>,
    gpu: Option<Gpu>,
    /// The systems that the GPU was made for.
    uses: Uses,
    handles: Vec<Handles>,
    /// Totals of the user's own unit in earlier GPUs.
    own_totals: Totals,
    /// Counters and cycles of earlier GPUs.
    past: Stats,
    past_cycles: u64,
    /// Warp instructions of launches without time.
    untimed: u64,
    /// Launches that have begun.
    launches: u64,
    /// Copies from the host that a GPU that is not there yet has to have in its L2: address and bytes.
    copied: Vec<(u64, usize)>,
    shows_progress: bool,
    /// Bytes of a thread.
    stack: Option<u32>,
}

/// The cause of a failure in a launch, or in the units that it needs.
pub enum LaunchError {
    Run(RunError),
    Units(anyhow::Error),
}

impl Machine {
    /// Launches end soon after `interrupt` has become true.
    pub fn new(choice: Choice, interrupt: Arc<AtomicBool>, shows_progress: bool) -> Self {
        Machine {
            choice,
            interrupt,
            gpu: None,
            uses: Uses::default(),
            handles: Vec::new(),
            own_totals: Totals::default(),
            past: no_counts(),
            past_cycles: 0,
            untimed: 0,
            launches: 0,
            copied: Vec::new(),
            shows_progress,
            stack: None,
        }
    }

    /// Stack of a thread in the launches from now on, bytes.
    pub fn set_stack_limit(&mut self, bytes: u32) {
        self.stack = Some(bytes);
    }

    /// Launches that have begun.
    pub fn launches(&self) -> u64 {
        self.launches
    }

    /// Core cycles of all launches.
    pub fn cycles(&self) -> u64 {
        self.past_cycles + self.gpu.as_ref().map_or(0, Gpu::cycle)
    }

    /// The time of the model in ns. A launch without time takes what it would take if every scheduler issued in every cycle.
    pub fn time(&self) -> u64 {
        let core = &self.choice.config.core;
        let width = (core.count * core.schedulers * core.issue_width) as u64;
        let cycles = self.cycles() + self.untimed.div_ceil(width);
        (u128::from(cycles) * 1000 / u128::from(core.clock_mhz)) as u64
    }

    /// Counters of all launches with time that have ended well.
    pub fn stats(&self) -> Stats {
        let mut stats = self.past.clone();
        if let Some(gpu) = &self.gpu {
            stats.add(gpu.stats());
        }
        stats
    }

    /// The comparisons of the lock-steps of all GPUs.
    ///
    /// # Errors
    /// See [`Handles::lockstep`].
    pub fn lockstep(&self) -> Result<Option<LockstepInfo>> {
        let mut sum: Option<LockstepInfo> = None;
        for handles in &self.handles {
            let Some(info) = handles.lockstep(self.choice.units)? else { continue };
            let all = sum.get_or_insert(LockstepInfo { cycles: 0, comparisons: 0, mismatches: 0 });
            all.cycles += info.cycles;
            all.comparisons += info.comparisons;
            all.mismatches += info.mismatches;
        }
        Ok(sum)
    }

    /// The report of the user's own unit. No launch can follow.
    ///
    /// # Errors
    /// An interruption while area and clock are measured, which `measures` asks for.
    pub fn user_unit(&mut self, measures: bool) -> Result<Option<user_unit::Report>> {
        self.retire();
        let totals = std::mem::take(&mut self.own_totals);
        let Some(user_unit) = &mut self.choice.user_unit else { return Ok(None) };
        user_unit.measures &= measures;
        user_unit.report(totals, &self.interrupt, &|_| {}).map(Some)
    }

    /// A copy from the host to the memory of a program.
    pub fn copy_to_device(&mut self, memory: &mut Memory, address: u64, data: &[u8]) -> Result<(), AddressError> {
        match &mut self.gpu {
            Some(gpu) => with_memory(gpu, memory, |gpu| gpu.copy_to_device(address, data)),
            None => {
                if self.choice.config.l2.host_copy_fills {
                    self.copied.push((address, data.len()));
                }
                memory.write(address, data)
            }
        }
    }

    /// Runs a kernel on the memory of a program. `uses` is what all kernels of the program use.
    pub fn launch(
        &mut self,
        memory: &mut Memory,
        uses: Uses,
        program: &Program,
        launch: &Launch,
    ) -> Result<Done, LaunchError> {
        self.launches += 1;
        self.prepare(uses, memory).map_err(LaunchError::Units)?;
        let is_detailed = self.choice.detailed.contains(&self.launches);
        let progress = self.shows_progress.then(|| Arc::new(Progress::new(1)));
        let observer = progress.as_ref().map(|progress| observer(progress.clone(), &program.name, self.launches));
        let gpu = self.gpu.as_mut().expect("it has been prepared");
        if let Some(bytes) = self.stack {
            gpu.set_stack_limit(bytes);
        }
        gpu.set_observer(observer.unwrap_or_else(|| Box::new(|_| {})));
        let outcome = with_memory(gpu, memory, |gpu| {
            if is_detailed || !gpu.can_run_without_time(program) {
                Ok(Done::Timed(Box::new(gpu.launch(program, launch)?)))
            } else {
                Ok(Done::Untimed(gpu.run_without_time(program, launch)?))
            }
        });
        progress.inspect(|progress| progress.finish());
        if let Ok(Done::Untimed(work)) = &outcome {
            self.untimed += work.warp_instructions;
        }
        if outcome.as_ref().is_err_and(|error| !is_refused(error)) {
            self.retire();
        }
        outcome.map_err(LaunchError::Run)
    }

    /// CTAs of a launch that a core can hold.
    pub fn occupancy(
        &mut self,
        memory: &mut Memory,
        uses: Uses,
        program: &Program,
        launch: &Launch,
    ) -> Result<usize, LaunchError> {
        self.prepare(uses, memory).map_err(LaunchError::Units)?;
        self.gpu.as_ref().expect("it has been prepared").ctas_per_core(program, launch).map_err(LaunchError::Run)
    }

    /// IDs in the hardware worklist.
    pub fn worklist_count(&self) -> u64 {
        self.gpu.as_ref().map_or(0, Gpu::worklist_count)
    }

    /// Configures the reorder units for the next `load_iru`.
    pub fn configure_iru(&mut self, memory: &mut Memory, uses: Uses, reorder: Reorder) -> Result<()> {
        self.prepare(uses, memory)?;
        let gpu = self.gpu.as_mut().expect("it has been prepared");
        Ok(with_memory(gpu, memory, |gpu| gpu.configure_iru(reorder))?)
    }

    /// A GPU with the units that kernels use.
    fn prepare(&mut self, uses: Uses, memory: &mut Memory) -> Result<()> {
        let all = self.uses.or(uses);
        if self.gpu.is_some() && all == self.uses {
            return Ok(());
        }
        self.retire();
        let Choice { config, units, seed, attached, user_unit, evidence, limits, who, .. } = &self.choice;
        let (mut systems, handles) = implementations::chosen(config, all, (*units, *seed), attached, evidence, who)?;
        if let Some(user_unit) = user_unit {
            systems.push(user_unit.system(*seed, evidence)?);
        }
        let mut gpu = Gpu::new(config, systems);
        limits.set(&mut gpu);
        gpu.set_interrupt(self.interrupt.clone());
        with_memory(&mut gpu, memory, |gpu| {
            for (address, bytes) in self.copied.drain(..) {
                // Memory that has been freed since is not there.
                let data = gpu.memory().bytes(address, bytes).map(<[u8]>::to_vec);
                data.and_then(|data| gpu.copy_to_device(address, &data)).unwrap_or_default();
            }
        });
        (self.gpu, self.uses) = (Some(gpu), all);
        self.handles.push(handles);
        Ok(())
    }

    /// Lets go of the GPU.
    fn retire(&mut self) {
        if let Some(gpu) = self.gpu.take() {
            self.past.add(gpu.stats());
            self.past_cycles += gpu.cycle();
            self.own_totals.add(&gpu);
        }
    }
}

/// Does something on a GPU that has the memory of a program meanwhile.
fn with_memory<T>(gpu: &mut Gpu, memory: &mut Memory, work: impl FnOnce(&mut Gpu) -> T) -> T {
    std::mem::swap(gpu.memory_mut(), memory);
    let result = work(gpu);
    std::mem::swap(gpu.memory_mut(), memory);
    result
}

/// Says how far a launch is.
fn observer(bar: Arc<Progress>, kernel: &str, number: u64) -> Observer {
    let (name, started) = (crate::plain_name::plain_name(kernel).to_string(), Instant::now());
    Box::new(move |progress| {
        let left = left(started.elapsed(), progress);
        bar.say(0, format!("{name}: launch {number}, {}{left}", shown(progress)));
    })
}
