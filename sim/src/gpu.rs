//! Cores, memory system and units, clocked together: launch, drain, diagnosis.

use crate::config::Config;
use crate::exec::{AddressError, Fault, Memory};
use crate::ptx::program::Program;
use crate::stats::{LaunchStats, Stats};
use crate::unit::Unit;
use crate::units::hwwl::pins::{CoreIn, CoreOut};
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use thiserror::Error;

/// A body of `hwwl_core`.
pub type Worklist = Box<dyn Unit<In = CoreIn, Out = CoreOut>>;
/// Told the cycle and the warp instructions so far, every few thousand cycles.
pub type Progress = Box<dyn FnMut(u64, u64)>;

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
        "{source_file}:{line}: kernel `{kernel}`: worklist overflow: bank {bank} of core {core} is full ({entries} IDs a side); \
         use fewer work items or more entries (hwwl.entries)"
    )]
    WorklistOverflow { core: usize, bank: usize, entries: usize, kernel: String, source_file: String, line: u32 },
    #[error("worklist of core {core}, cycle {cycle}: {text}")]
    Unit { core: usize, cycle: u64, text: String },
    #[error("kernel `{kernel}`: worklist lost or invented IDs: {pushed} pushed, {pulled} pulled, {before} before and {after} after")]
    WorklistConservation { kernel: String, pushed: u64, pulled: u64, before: u64, after: u64 },
    #[error("{source_file}:{line}: kernel `{kernel}`: wlcfg changes the mode while core {core} holds {held} IDs; drain the worklist first")]
    WorklistBusy { core: usize, held: u64, kernel: String, source_file: String, line: u32 },
    #[error("{source_file}:{line}: kernel `{kernel}` uses the worklist, which this configuration does not have; add a [hwwl] table")]
    NoWorklist { kernel: String, source_file: String, line: u32 },
    #[error("kernel `{kernel}` made no progress for {cycles} cycles; waiting:{waiting}")]
    NoProgress { kernel: String, cycles: u64, waiting: String },
    #[error("kernel `{kernel}`: {what} = {value}: {rule}")]
    Launch { kernel: String, what: &'static str, value: String, rule: String },
    #[error("interrupted")]
    Interrupted,
}

/// A GPU with its device memory.
pub struct Gpu {
    config: Config,
    memory: Memory,
    worklists: Vec<Worklist>,
    stats: Stats,
    cycle: u64,
    skip_idle: bool,
    progress: Option<Progress>,
    interrupt: Option<Arc<AtomicBool>>,
}

impl Gpu {
    /// `worklists` has one body per core, or is empty: then worklist instructions are an error.
    ///
    /// # Panics
    /// If there is another number of worklists.
    pub fn new(config: &Config, worklists: Vec<Worklist>) -> Self {
        assert!(worklists.is_empty() || worklists.len() == config.core.count, "one worklist per core, or none");
        Gpu {
            config: config.clone(),
            memory: Memory::new(),
            worklists,
            stats: Stats::default(),
            cycle: 0,
            skip_idle: true,
            progress: None,
            interrupt: None,
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
        self.memory.write(address, data)
    }

    /// Runs a kernel until all its CTAs are done and nothing is in flight. Gives the counters of this launch.
    pub fn launch(&mut self, program: &Program, launch: &Launch) -> Result<LaunchStats, RunError> {
        let _ = (program, launch);
        unimplemented!()
    }

    /// IDs in all worklists: the sum of their `count` pins.
    pub fn worklist_count(&self) -> u64 {
        self.worklists.iter().map(|w| w.outputs().count as u64).sum()
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
    }

    pub fn set_progress(&mut self, progress: Progress) {
        self.progress = Some(progress);
    }

    /// A launch ends with [`RunError::Interrupted`] soon after the flag has become true.
    pub fn set_interrupt(&mut self, flag: Arc<AtomicBool>) {
        self.interrupt = Some(flag);
    }
}
