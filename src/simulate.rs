//! One variant of a workload on one GPU, from beginning to end: what `unruly run` and `unruly sweep` share.

use crate::exit::{CheckFailed, Interrupted};
use crate::limits::Limits;
use crate::progress::shown;
use crate::user_unit;
use sim::attach::hwwl::timeline::ActiveThreads;
use sim::attach::system::Systems;
use sim::config::Config;
use sim::gpu::{Blame, Gpu, RunError};
use sim::stats::Stats;
use sim::workload::{Input, Outcome, Start, Variant, Workload, WorkloadError};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::Arc;

/// The simulated workload, variant and GPU.
pub struct Simulation<'a> {
    pub workload: &'static Workload,
    pub variant: Variant,
    pub config: &'a Config,
    pub input: Input<'a>,
    pub interrupt: Arc<AtomicBool>,
    pub limits: Limits,
}

/// The results of a simulation, which are right.
pub struct Simulated {
    pub outcome: Outcome,
    pub statistics: Stats,
    /// Active threads of a variant that uses the worklist.
    pub active_threads: Option<ActiveThreads>,
    /// Totals of a unit of the user's own.
    pub user_unit: user_unit::Totals,
}

impl Simulation<'_> {
    /// `tell` hears how far the run is, now and then.
    pub fn run(&self, systems: Systems, tell: impl Fn(String) + Send + 'static) -> Result<Simulated, WorkloadError> {
        let mut gpu = Gpu::new(self.config, systems);
        gpu.set_interrupt(self.interrupt.clone());
        self.limits.set(&mut gpu);
        let level = Arc::new(AtomicU32::new(0));
        let (name, current) = (self.variant.name(), level.clone());
        gpu.set_observer(Box::new(move |progress| {
            let (level, launch) = (current.load(Relaxed), progress.launch + 1);
            tell(format!("{name}: level {level}, launch {launch}, {}", shown(progress)));
        }));
        let mut watch = |start: Start| level.store(start.level, Relaxed);
        let outcome = self.workload.run(&mut gpu, self.input, self.variant, &mut watch)?;
        let mut user_unit = user_unit::Totals::default();
        user_unit.add(&gpu);
        Ok(Simulated { outcome, statistics: gpu.stats().clone(), active_threads: gpu.active_threads(), user_unit })
    }
}

/// Errors that are findings rather than bad input.
pub fn classify(error: WorkloadError) -> anyhow::Error {
    match error {
        WorkloadError::Run(RunError::Interrupted { .. }) => Interrupted::default().into(),
        WorkloadError::Wrong { .. }
        | WorkloadError::Run(
            RunError::NoProgress { .. }
            | RunError::CycleLimit { .. }
            | RunError::Unit { .. }
            | RunError::System { blame: Blame::Finding, .. },
        ) => CheckFailed(error.to_string()).into(),
        other => other.into(),
    }
}
