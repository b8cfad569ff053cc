//! Every tool is tried on a bug.

use super::kernel::{self, Find};
use super::Bug;
use crate::cosim::{Cosim, CosimReport};
use crate::error::{Error, Result};
use crate::lockstep::Evidence;
use crate::prove::{Outcome, Subject};
use crate::watch::Watch;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Seed of the stimulus, and of the first values of registers.
pub(super) const SEED: u64 = 1;

/// Limits of each tool in the search for a bug.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Cycles of random stimulus, at most.
    pub cycles: u64,
    /// For each question to the model checker.
    pub seconds: u32,
    /// First values of registers that a kernel is run with, at most.
    pub seeds: u64,
    /// Where minimal traces of differences go.
    pub traces: Option<PathBuf>,
}

/// Tool that finds bugs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// Verilator, which takes no RTL that it warns about.
    Lint,
    /// RTL against model under the unit's stimulus.
    Lockstep,
    /// Assertions of the RTL, and the check that no output follows an input within a cycle, under the same stimulus.
    Rules,
    /// Properties of the unit.
    Proof,
    /// RTL against model in a GPU that runs a kernel.
    Kernel,
}

impl Tool {
    pub const ALL: [Tool; 5] = [Tool::Lint, Tool::Lockstep, Tool::Rules, Tool::Proof, Tool::Kernel];

    pub const fn name(self) -> &'static str {
        match self {
            Tool::Lint => "Verilator's warnings",
            Tool::Lockstep => "lock-step",
            Tool::Rules => "rules",
            Tool::Proof => "proof",
            Tool::Kernel => "kernel",
        }
    }
}

/// A tool that was tried; `None`: it did not find the bug.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Trial {
    pub tool: Tool,
    pub found: Option<Find>,
}

/// A bug with what became of it.
#[derive(Clone, Debug)]
pub struct Hunted {
    pub bug: Bug,
    pub digest: String,
    /// Trials of the tools that can be tried on the unit.
    pub trials: Vec<Trial>,
}

impl Hunted {
    /// The tool that needed the fewest cycles.
    pub fn first(&self) -> Option<Tool> {
        let found = self.trials.iter().filter_map(|trial| Some((trial.found.as_ref()?.cycles, trial.tool)));
        found.min().map(|(_, tool)| tool)
    }

    /// Trial of one tool; `None`: it was not tried.
    pub fn of(&self, tool: Tool) -> Option<&Trial> {
        self.trials.iter().find(|trial| trial.tool == tool)
    }
}

impl Bug {
    /// Tries all tools. Files of differences go to `directory`.
    ///
    /// # Errors
    /// An edit that does not fit; a missing tool; an interruption.
    pub fn hunt(&self, effort: &Effort, directory: &Path) -> Result<Hunted> {
        let mut trials = vec![];
        match self.cosim() {
            Err(Error::Verilog { messages, .. }) => {
                trials.push(Trial { tool: Tool::Lint, found: Some(warning(&messages)) })
            }
            Err(error) => return Err(error),
            Ok(cosim) => {
                self.say("lock-step");
                let report = cosim.run(effort.cycles, SEED, directory, &mut |_| {})?;
                trials.push(Trial { tool: Tool::Lockstep, found: difference(&report) });
                if let Some(folder) = &effort.traces {
                    self.leave_trace(&cosim, &report, folder)?;
                }
                let rule = cosim.broken_rule(effort.cycles, SEED)?;
                trials.push(Trial { tool: Tool::Rules, found: rule.map(|(cycles, what)| Find { cycles, what }) });
            }
        }
        let subjects = self.subjects()?;
        if !subjects.is_empty() {
            self.say("properties");
            trials.push(Trial { tool: Tool::Proof, found: self.proof(subjects, effort.seconds)? });
        }
        let lint_refuses = trials[0].tool == Tool::Lint;
        if !lint_refuses && kernel::instance_with(self)?.is_some() {
            self.say("kernel");
            trials.push(Trial { tool: Tool::Kernel, found: self.kernel(effort.seeds, directory)? });
        }
        Ok(Hunted { bug: self.clone(), digest: self.digest()?, trials })
    }

    /// The unit with the bug, ready for co-simulation.
    ///
    /// # Errors
    /// Errors of [`Bug::plant`] and of [`Cosim::new`].
    pub fn cosim(&self) -> Result<Cosim> {
        let verilog = self.verilog_of(&self.instance()?)?;
        Cosim::with_changed_verilog(&self.unit, &self.parameters(), |_| verilog)
    }

    fn leave_trace(&self, cosim: &Cosim, report: &CosimReport, folder: &Path) -> Result<()> {
        let Some(Evidence::Files { trace, .. }) = report.difference.as_ref().map(|difference| &difference.evidence)
        else {
            return Ok(());
        };
        fs::create_dir_all(folder).map_err(Error::file(folder))?;
        cosim.shrink(trace, &folder.join(format!("{}.trace", self.name)))?;
        Ok(())
    }

    fn say(&self, tool: &str) {
        Watch::of_this_process().say(&format!("{}: {tool}", self.name));
    }

    /// The unit with its properties, without the bug. None: it has no properties of this size, or too many.
    pub(super) fn subjects(&self) -> Result<Vec<Subject>> {
        match Subject::all(&self.unit, &self.parameters()) {
            Err(Error::NoProperties { .. } | Error::OneSize { .. }) => Ok(vec![]),
            Ok(subjects) if subjects.iter().map(Subject::claims).sum::<usize>() > MOST_CLAIMS => Ok(vec![]),
            subjects => subjects,
        }
    }

    /// The claim that breaks after the fewest cycles.
    fn proof(&self, subjects: Vec<Subject>, seconds: u32) -> Result<Option<Find>> {
        let mut failed = vec![];
        for subject in subjects {
            let verilog = self.plant(subject.verilog())?;
            let report = subject.with_verilog(|_| verilog).prove(seconds)?;
            let breaks = report.verdicts.into_iter().filter(|verdict| verdict.outcome == Outcome::Failed);
            failed.extend(breaks.map(|v| Find { cycles: v.cycles.unwrap_or(0), what: v.claim.name }));
        }
        Ok(failed.into_iter().min_by_key(|find| find.cycles))
    }

    fn kernel(&self, seeds: u64, directory: &Path) -> Result<Option<Find>> {
        for seed in SEED..SEED + seeds {
            if let Some(Find { cycles, what }) = kernel::in_kernel(self, seed, directory)? {
                let what = if seed == SEED { what } else { format!("{what}, seed {seed}") };
                return Ok(Some(Find { cycles, what }));
            }
        }
        Ok(None)
    }
}

/// Claims of a unit that are tried. With a bug, many of them take all of their time.
const MOST_CLAIMS: usize = 60;

fn warning(messages: &str) -> Find {
    Find { cycles: 0, what: messages.lines().next().unwrap_or_default().into() }
}

fn difference(report: &CosimReport) -> Option<Find> {
    let what = match (&report.difference, &report.violation) {
        (Some(difference), _) => difference.pin.clone(),
        (None, Some(violation)) => kernel::without_place(violation).into(),
        (None, None) => return None,
    };
    Some(Find { cycles: report.cycles, what })
}
