//! One variant of a workload on one GPU, from beginning to end: what `unruly run` and `unruly sweep` share.

use crate::exit::{CheckFailed, Interrupted};
use crate::limits::Limits;
use crate::progress::shown;
use sim::config::Config;
use sim::core::waving::FrontEndUnit;
use sim::gpu::{Gpu, RunError};
use sim::reorder::{self, ReorderUnit};
use sim::stats::Stats;
use sim::timeline::ActiveThreads;
use sim::units::parameter::ParameterError;
use sim::worklists::{self, Worklist};
use sim::workload::{Input, Outcome, Start, Variant, Workload, WorkloadError};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32};
use std::sync::Arc;

/// What is simulated.
pub struct Simulation<'a> {
    pub workload: &'static Workload,
    pub variant: Variant,
    pub config: &'a Config,
    pub input: Input<'a>,
    pub interrupt: Arc<AtomicBool>,
    pub limits: Limits,
}

/// Bodies of the units that the variant uses.
#[derive(Default)]
pub struct Bodies {
    pub worklist: Option<Worklist>,
    pub reorder: Option<ReorderUnit>,
    /// Of each core; none: the behavioural models.
    pub front_ends: Vec<FrontEndUnit>,
}

impl Bodies {
    /// The behavioural models.
    pub fn behavioural(config: &Config, variant: Variant) -> Result<Bodies, ParameterError> {
        Ok(Bodies {
            worklist: if variant.needs_hwwl() { worklists::behavioural(config)? } else { None },
            reorder: if variant == Variant::Iru { reorder::behavioural(config)? } else { None },
            front_ends: Vec::new(),
        })
    }
}

/// What came out of it; the result is right.
pub struct Simulated {
    pub outcome: Outcome,
    pub statistics: Stats,
    /// Of a variant that uses the worklist.
    pub active_threads: Option<ActiveThreads>,
}

impl Simulation<'_> {
    /// `tell` hears how far the run is, now and then.
    pub fn run(&self, bodies: Bodies, tell: impl Fn(String) + Send + 'static) -> Result<Simulated, WorkloadError> {
        let mut gpu = Gpu::new(self.config, bodies.worklist);
        if let Some(unit) = bodies.reorder {
            gpu.set_reorder_unit(unit);
        }
        gpu.set_front_ends(bodies.front_ends);
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
        Ok(Simulated { outcome, statistics: gpu.stats().clone(), active_threads: gpu.active_threads() })
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
            | RunError::WorklistConservation { .. }
            | RunError::Elements { .. },
        ) => CheckFailed(error.to_string()).into(),
        other => other.into(),
    }
}
