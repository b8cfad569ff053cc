//! `--check`: what kernels do that is no fault but most likely a mistake, as lines on standard error.

use crate::exit::CheckFailed;
use anyhow::{bail, Result};
use serde::Serialize;
use sim::exec::{Finding, Findings, Kind, Memory};
use std::collections::HashMap;

/// Kinds of checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Check {
    /// Reads of memory that nobody has written
    Uninitialised,
    /// Accesses to shared memory that no barrier orders
    Races,
}

#[derive(Clone, Debug, Default, clap::Args)]
pub struct CheckOptions {
    /// Look for mistakes that are no faults: they are lines on standard error, and make the exit code 1 if it would be 0 (see
    /// docs/programs.md)
    #[arg(long, value_enum, value_delimiter = ',', value_name = "CHECK,...")]
    check: Vec<Check>,
}

impl CheckOptions {
    /// Checks the kernels that run on this memory from now on.
    pub fn start(&self, memory: &mut Memory) {
        if !self.check.is_empty() {
            memory.start_checks(sim::exec::Checks {
                uninitialised: self.check.contains(&Check::Uninitialised),
                races: self.check.contains(&Check::Races),
            });
        }
    }

    /// The findings of all launches together, none yet.
    pub fn found(&self) -> Found {
        Found { on: !self.check.is_empty(), list: Vec::new(), others: 0, known: HashMap::new() }
    }
}

/// One kind at one place of a kernel.
#[derive(Serialize)]
struct Report {
    kind: Kind,
    /// The first time: the launch, from 1 on, the place in the PTX and in the source, and the thread.
    launch: u64,
    kernel: String,
    file: String,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_line: Option<String>,
    cta: [u32; 3],
    thread: [u32; 3],
    /// In words.
    text: String,
    /// Count of times that threads did it, in all launches.
    count: u64,
}

/// The findings of checks.
#[derive(Serialize)]
#[serde(transparent)]
pub struct Found {
    #[serde(skip)]
    on: bool,
    list: Vec<Report>,
    /// Times at places beyond those that a launch tells of.
    #[serde(skip)]
    others: u64,
    /// By kind, kernel and place.
    #[serde(skip)]
    known: HashMap<(Kind, String, String, u32), usize>,
}

impl Found {
    /// Nothing is checked.
    pub fn is_off(&self) -> bool {
        !self.on
    }

    /// Takes what a launch has found, and says what is new.
    pub fn take(&mut self, launch: u64, memory: &mut Memory) {
        let Findings { list, others, .. } = memory.take_findings();
        for finding in list {
            self.add(launch, finding);
        }
        if others > 0 && self.others == 0 {
            eprintln!("unruly: launch {launch}: there is more at other places, which is only counted");
        }
        self.others += others;
    }

    fn add(&mut self, launch: u64, finding: Finding) {
        let at = finding.first.details();
        let key = (finding.kind, at.kernel.clone(), at.source_file.clone(), at.line);
        if let Some(index) = self.known.get(&key) {
            self.list[*index].count += finding.count;
            return;
        }
        let times = if finding.count > 1 { format!("; {} times in this launch", finding.count) } else { String::new() };
        eprintln!("unruly: launch {launch}: {}{times}", finding.first);
        self.known.insert(key, self.list.len());
        self.list.push(Report {
            kind: finding.kind,
            launch,
            kernel: at.kernel.clone(),
            file: at.source_file.clone(),
            line: at.line,
            source_line: at.source_line.clone(),
            cta: at.ctaid,
            thread: at.tid,
            text: at.cause.to_string(),
            count: finding.count,
        });
    }

    /// The end of the command: how many there are, which is a failure if there is one.
    pub fn outcome(&self) -> Result<()> {
        let places = |uninitialised: bool| {
            self.list.iter().filter(|report| (report.kind == Kind::Uninitialised) == uninitialised).count()
        };
        let times = self.others + self.list.iter().map(|report| report.count).sum::<u64>();
        match (self.on, times) {
            (false, _) => {}
            (true, 0) => eprintln!("unruly: checks: nothing found"),
            (true, _) => bail!(CheckFailed(format!(
                "checks: uninitialised memory is read at {}, races are at {}; {times} accesses of threads",
                shown(places(true)),
                shown(places(false))
            ))),
        }
        Ok(())
    }
}

fn shown(places: usize) -> String {
    match places {
        1 => "1 place".into(),
        _ => format!("{places} places"),
    }
}
