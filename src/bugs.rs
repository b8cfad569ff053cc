//! `unruly bugs`: bugs as designers make them, planted in the RTL, and which tool finds each.

use crate::builds;
use crate::exit::{self, CheckFailed};
use crate::progress::Progress;
use crate::rows;
use anyhow::{ensure, Result};
use rayon::prelude::*;
use sim::number::{whole_u32, whole_u64};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use testbench::bugs::{self, Bug, Effort, Hunted, Tool};
use testbench::pages::bugs::{cell, first, is_current, together, Row};

const CYCLES: u64 = 1_000_000;
const SECONDS: u32 = 20;
const SEEDS: u64 = 4;

/// Plant bugs as designers make them in the RTL, and see which tool finds each
///
/// The bugs are in testbench/bugs, and the page bugs.md of `unruly pages` says what found them. Without a name, all are tried.
///
/// Example: unruly bugs held-loses-a-push
#[derive(clap::Args)]
pub struct Args {
    /// Names of bugs
    names: Vec<String>,
    /// Clock cycles of random traffic, at most
    #[arg(long, default_value_t = CYCLES, value_parser = whole_u64)]
    cycles: u64,
    /// Seconds for each question to the model checker
    #[arg(long, default_value_t = SECONDS, value_parser = whole_u32)]
    limit: u32,
    /// First values of registers that a kernel is run with, at most
    #[arg(long, default_value_t = SEEDS, value_parser = whole_u64)]
    seeds: u64,
    /// Leave a minimal trace of each bug that the lock-step finds in this folder
    #[arg(long, value_name = "DIR")]
    traces: Option<PathBuf>,
    /// Keep a row for each bug in this file, and try only bugs whose rows are missing or stale (`unruly pages` writes the page of them)
    #[arg(long, value_name = "FILE.json", conflicts_with = "names")]
    rows: Option<PathBuf>,
    /// Where waveforms and input traces go
    #[arg(long, default_value = "out", value_name = "DIR")]
    evidence: PathBuf,
}

pub fn main(args: Args) -> Result<()> {
    ensure!(args.cycles > 0, "--cycles 0: nothing would be compared; give 1 or more, for example {CYCLES}");
    ensure!(args.limit > 0, "--limit 0: nothing would be proven; give 1 second or more, for example {SECONDS}");
    ensure!(args.seeds > 0, "--seeds 0: no kernel would run; give 1 or more, for example {SEEDS}");
    let bugs: Vec<Bug> = match &args.names[..] {
        [] => bugs::systems().into_iter().flat_map(|system| system.bugs).collect(),
        names => names.iter().map(|name| bugs::find(name)).collect::<Result<_, _>>()?,
    };
    let old = rows::kept(args.rows.as_deref())?;
    let bugs = stale(bugs, &old)?;
    let progress = Arc::new(Progress::new(1));
    builds::watch(&progress, 0, &exit::interrupt_flag()?);
    let effort = Effort { cycles: args.cycles, seconds: args.limit, seeds: args.seeds, traces: args.traces };
    let new = Mutex::new(vec![]);
    let hunt = |bug: &Bug| {
        // Two bugs of one unit would leave files of one name.
        let hunted = bug.hunt(&effort, &args.evidence.join(&bug.name))?;
        if let Some(path) = &args.rows {
            let mut new = new.lock().expect("nobody panics with it");
            new.push(Row::of(&hunted));
            rows::write(path, &together(&old, &new))?;
        }
        Ok(hunted)
    };
    let hunted = bugs.par_iter().map(hunt).collect::<Result<Vec<_>>>();
    progress.finish();
    let hunted = hunted?;
    hunted.iter().for_each(print);
    let missed: Vec<_> = hunted.iter().filter(|h| h.first().is_none()).map(|h| h.bug.name.as_str()).collect();
    println!("found: {} of {}", hunted.len() - missed.len(), hunted.len());
    match missed.is_empty() {
        true => Ok(()),
        false => Err(CheckFailed(format!("nothing finds {}", missed.join(", "))).into()),
    }
}

/// Those without a row of today.
fn stale(bugs: Vec<Bug>, rows: &[Row]) -> Result<Vec<Bug>> {
    let mut stale = vec![];
    for bug in bugs {
        if rows.is_empty() || !is_current(rows, &bug)? {
            stale.push(bug);
        }
    }
    Ok(stale)
}

fn print(hunted: &Hunted) {
    let Bug { name, kind, unit, says, .. } = &hunted.bug;
    println!("{name} ({kind}, {unit}): {says}");
    for tool in Tool::ALL.into_iter().filter(|tool| hunted.of(*tool).is_some()) {
        println!("  {:<21} {}", tool.name(), cell(hunted, tool));
    }
    println!("  {:<21} {}", "first", first(hunted));
}
