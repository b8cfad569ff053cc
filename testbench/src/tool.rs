//! Runs Verilator and the C++ compiler, with progress, until the watch ends them.

use crate::error::{Error, Result};
use crate::watch::Watch;
use gen::tool::{Ended, Program, Tools};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Lines of progress a second.
const LINES: u128 = 4;

/// Subject of the work, and its start.
pub(crate) struct Work<'a> {
    pub subject: &'a str,
    pub started: Instant,
    pub watch: &'a Watch,
}

impl Work<'_> {
    /// [`Tools::execute`], with what is being made as its subject.
    ///
    /// # Errors
    /// Errors of [`Tools::execute`].
    pub fn run(&self, program: &Program, command: &mut Command) -> Result<Ended> {
        self.run_within(gen::tool::LIMIT, program, command)
    }

    /// The same, with the longest time of the run.
    ///
    /// # Errors
    /// Errors of [`Tools::execute`].
    pub fn run_within(&self, limit: Duration, program: &Program, command: &mut Command) -> Result<Ended> {
        let told = AtomicU64::new(0);
        let tick = || {
            let due = 1 + (self.started.elapsed().as_millis() * LINES / 1000) as u64;
            if told.swap(due, Ordering::Relaxed) < due {
                self.say(program);
            }
        };
        let tools = Tools { interrupt: self.watch.interrupt(), limit, tick: &tick };
        tools.execute(program, command, self.subject).map_err(|error| match error {
            gen::Error::Interrupted => Error::Interrupted,
            error => error.into(),
        })
    }

    fn say(&self, program: &Program) {
        let seconds = self.started.elapsed().as_secs();
        self.watch.say(&format!("building {}: {}, {seconds} s", self.subject, program.name));
    }
}
