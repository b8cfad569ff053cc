//! Who makes the runs of a sweep: this command, Slurm or HyperQueue.

mod hq;
mod slurm;

use crate::exit::MissingTool;
use anyhow::{bail, Context, Result};
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Engine {
    /// This command, on this machine
    Local,
    /// A job array of Slurm
    Slurm,
    /// Tasks of HyperQueue, through its Python package `hyperqueue`
    Hq,
}

/// Tasks with a script, which finds its number in the environment variable of [`Engine::number`].
pub struct Array<'a> {
    pub name: String,
    pub script: &'a Path,
    pub numbers: &'a [usize],
    pub cores: usize,
    /// Where each leaves what it says: in `N.log`.
    pub logs: &'a Path,
}

/// The number of tasks that run and that wait.
pub struct Standing {
    pub running: usize,
    pub waiting: usize,
    /// Why tasks wait, if the engine says that.
    pub why: String,
}

/// A cluster's job.
pub trait Job {
    /// As the cluster's own commands call it.
    fn name(&self) -> String;

    /// `None`: all tasks are over, well or not.
    ///
    /// # Errors
    /// The cluster does not answer.
    fn standing(&mut self) -> Result<Option<Standing>>;

    /// The fate of the tasks, in words.
    fn cancel(&mut self) -> &'static str;
}

impl Engine {
    /// Shell text that gives a task its number.
    pub fn number(self) -> &'static str {
        match self {
            Engine::Slurm => "$SLURM_ARRAY_TASK_ID",
            _ => "$UNRULY_TASK",
        }
    }

    /// # Errors
    /// A missing tool; a cluster that refuses.
    pub fn submit(self, array: &Array) -> Result<Box<dyn Job>> {
        Ok(match self {
            Engine::Local => unreachable!("this command has no tasks"),
            Engine::Slurm => Box::new(slurm::submit(array)?),
            Engine::Hq => Box::new(hq::submit(array)?),
        })
    }
}

/// The output of a cluster's tool; `cure`: what to do where it is missing.
fn said(command: &mut Command, cure: &str) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| missing(&name, error, cure))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        bail!("{name}: {}", text.trim().lines().next().unwrap_or("failed without a word"));
    }
    String::from_utf8(output.stdout).with_context(|| format!("{name}: no UTF-8"))
}

fn missing(name: &str, error: std::io::Error, cure: &str) -> anyhow::Error {
    match error.kind() {
        ErrorKind::NotFound => MissingTool(format!("{name}: not found; {cure}")).into(),
        _ => anyhow::Error::new(error).context(name.to_owned()),
    }
}
