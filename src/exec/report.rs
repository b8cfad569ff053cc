//! The counters of each launch, as JSON lines.

use super::machine::Done;
use crate::kernel::Kernel;
use anyhow::{Context, Result};
use output::Growing;
use serde::Serialize;
use sim::gpu::Launch;
use sim::ptx::program::Program;
use sim::stats::Stats;
use std::io::Write;
use std::path::{Path, PathBuf};

/// One launch.
#[derive(Serialize)]
pub struct LaunchReport<'a> {
    /// From 1 on.
    launch: u64,
    #[serde(flatten)]
    kernel: Kernel,
    warp_instructions: u64,
    thread_instructions: u64,
    /// Numbers of a launch with time.
    #[serde(flatten)]
    timed: Option<Timed<'a>>,
}

#[derive(Serialize)]
struct Timed<'a> {
    cycles: u64,
    /// Thread instructions a cycle, whole GPU.
    ipc: f64,
    statistics: &'a Stats,
}

impl<'a> LaunchReport<'a> {
    /// The report of a launch that has ended well.
    pub fn new(number: u64, program: &Program, launch: &Launch, done: &'a Done) -> Self {
        let (warp_instructions, thread_instructions, timed) = match done {
            Done::Timed(stats) => {
                let timed = Timed { cycles: stats.cycles, ipc: stats.ipc(), statistics: stats };
                (stats.core.warp_instructions, stats.core.thread_instructions, Some(timed))
            }
            Done::Untimed(work) => (work.warp_instructions, work.thread_instructions, None),
        };
        LaunchReport {
            launch: number,
            kernel: Kernel::new(program, launch.grid, launch.block, launch.dynamic_shared),
            warp_instructions,
            thread_instructions,
            timed,
        }
    }
}

/// The file of `--stats`, if the user asked for one.
#[derive(Default)]
pub struct Statistics(Option<(PathBuf, Growing)>);

impl Statistics {
    /// Fails at once if nothing can be written there. What the file holds stays until [`Self::begin`].
    pub fn create(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else { return Ok(Statistics(None)) };
        let file = Growing::open(path).with_context(|| format!("--stats {}: cannot write", path.display()))?;
        Ok(Statistics(Some((path.to_path_buf(), file))))
    }

    /// The program has started: what an earlier one has left goes.
    pub fn begin(&self) -> Result<()> {
        let Some((path, file)) = &self.0 else { return Ok(()) };
        file.empty().with_context(|| format!("--stats {}: cannot write", path.display()))
    }

    /// One line more. It is in the file when this returns, so that a long run can be watched.
    pub fn write(&mut self, report: &LaunchReport) -> Result<()> {
        let Some((path, file)) = &mut self.0 else { return Ok(()) };
        let mut line = serde_json::to_vec(report)?;
        line.push(b'\n');
        file.write_all(&line).with_context(|| format!("--stats {}", path.display()))
    }
}
