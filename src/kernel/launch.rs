//! The launches of a plan on the GPU, one after the other.

use super::argument;
use super::plan::{Plan, Repeat, Step};
use crate::checks::Found;
use crate::exit::{CheckFailed, Interrupted};
use crate::launch_shape;
use crate::limits::Limits;
use crate::plain_name::plain_name;
use crate::progress::{left, shown};
use anyhow::{anyhow, bail, Result};
use sim::attach::system::Systems;
use sim::config::Config;
use sim::exec::{AddressError, Cause, Memory, Printed};
use sim::gpu::{Blame, Gpu, Launch, Observer, RunError};
use sim::ptx::program::Program;
use sim::stats::LaunchStats;
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use std::time::Instant;

/// A GPU with the buffers of a plan in its memory.
pub struct Session<'a> {
    pub gpu: Gpu,
    plan: &'a Plan,
    /// The program of each step.
    programs: &'a [Program],
    /// Device address of each buffer.
    pub addresses: Vec<u64>,
    tell: Tell,
    /// The findings of checks.
    pub found: Found,
}

/// Hears how far a launch is, now and then.
pub type Tell = Arc<dyn Fn(String) + Send + Sync>;

/// A GPU before its first launch: with the variables of a module in its memory, and with what ends it early.
pub fn gpu(config: &Config, systems: Systems, memory: Memory, limits: Limits, interrupt: &Arc<AtomicBool>) -> Gpu {
    let mut gpu = Gpu::new(config, systems);
    limits.set(&mut gpu);
    *gpu.memory_mut() = memory;
    gpu.set_interrupt(interrupt.clone());
    gpu
}

/// A launch that has ended well.
pub struct Launched {
    /// Index of its step.
    pub step: usize,
    pub stats: LaunchStats,
}

impl<'a> Session<'a> {
    pub fn new(mut gpu: Gpu, plan: &'a Plan, programs: &'a [Program], tell: Tell, found: Found) -> Result<Self> {
        let addresses = plan.buffers.iter().map(|buffer| buffer.place(&mut gpu)).collect::<Result<_>>()?;
        Ok(Session { gpu, plan, programs, addresses, tell, found })
    }

    /// All launches. `hear` gets what each has printed, also one that ends badly.
    ///
    /// # Errors
    /// Faults of the plan and of kernels, and the errors of `hear`.
    pub fn run(&mut self, mut hear: impl FnMut(Printed) -> Result<()>) -> Result<Vec<Launched>> {
        let mut launched = Vec::new();
        for (index, step) in self.plan.steps.iter().enumerate() {
            self.gpu.set_observer(self.observer(index));
            for repetition in 0.. {
                let outcome = step.located(self.launch(index, repetition));
                hear(self.gpu.memory_mut().output.take())?;
                self.found.take(launched.len() as u64 + 1, self.gpu.memory_mut());
                launched.push(Launched { step: index, stats: outcome? });
                if !self.goes_on(step, repetition)? {
                    break;
                }
            }
        }
        Ok(launched)
    }

    /// Says how far a launch is, and how long it takes yet if no other one comes behind.
    fn observer(&self, index: usize) -> Observer {
        let tell = self.tell.clone();
        let (name, started) = (plain_name(&self.programs[index].name).to_string(), Instant::now());
        let is_only = self.plan.steps.len() == 1 && matches!(self.plan.steps[0].repeat, Repeat::Times(1));
        Box::new(move |progress| {
            let left = if is_only { left(started.elapsed(), progress) } else { String::new() };
            tell(format!("{name}: launch {}, {}{left}", progress.launch + 1, shown(progress)));
        })
    }

    fn launch(&mut self, index: usize, repetition: u64) -> Result<LaunchStats> {
        let (step, program) = (&self.plan.steps[index], &self.programs[index]);
        for &buffer in &step.clear {
            self.gpu.copy_to_device(self.addresses[buffer], &vec![0; self.plan.buffers[buffer].bytes()])?;
        }
        if let Some(configuration) = &step.iru {
            let reorder = configuration.resolve(|name| Ok(self.addresses[self.plan.array(step, name)?]))?;
            self.gpu.configure_iru(reorder)?;
        }
        if let Some(fault) = launch_shape::fault(self.gpu.config(), step.grid, step.block) {
            bail!("kernel `{}`: {fault}", plain_name(&program.name));
        }
        let params = argument::block(program, &step.arguments, repetition, &self.addresses)?;
        let launch = Launch { grid: step.grid, block: step.block, dynamic_shared: step.shared, params };
        self.gpu.launch(program, &launch).map_err(|error| self.classify(error))
    }

    /// The step is to be launched once more.
    fn goes_on(&self, step: &Step, repetition: u64) -> Result<bool> {
        let word = |buffer: usize| Ok::<_, AddressError>(self.gpu.memory().read_u32s(self.addresses[buffer], 1)?[0]);
        Ok(match step.repeat {
            Repeat::Times(times) => repetition + 1 < times,
            Repeat::While(buffer) => word(buffer)? != 0,
            Repeat::Until(buffer) => word(buffer)? == 0,
            Repeat::WhileWorklist => self.gpu.worklist_count() > 0,
        })
    }

    /// A kernel's mistake is a finding; a launch that cannot be is bad input.
    fn classify(&self, error: RunError) -> anyhow::Error {
        match error {
            RunError::Interrupted { .. } => Interrupted(format!("\n{error}")).into(),
            RunError::Fault(ref fault) => {
                CheckFailed(format!("{error}{}", self.hint(&fault.details().cause).unwrap_or_default())).into()
            }
            RunError::NoProgress { .. }
            | RunError::CycleLimit { .. }
            | RunError::Unit { .. }
            | RunError::System { blame: Blame::Finding, .. } => CheckFailed(error.to_string()).into(),
            other => anyhow!(other),
        }
    }

    /// The buffer that a message is about.
    fn hint(&self, cause: &Cause) -> Option<String> {
        let Cause::Memory { error, .. } = cause else { return None };
        match *error {
            AddressError::OutOfBounds { ref nearest, .. } => {
                Some(format!(", `{}`", self.plan.buffers.get(nearest.allocation()?)?.label))
            }
            AddressError::ReadOnly { address } => {
                let mut buffers = self.plan.buffers.iter().zip(&self.addresses);
                let (buffer, _) = buffers.rfind(|(_, begin)| **begin <= address)?;
                Some(format!(": kernels may only read `{}`; inout: instead of in: lets them write", buffer.label))
            }
            _ => None,
        }
    }
}
