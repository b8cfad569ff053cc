//! `unruly bugs`: bugs as designers make them, planted in the RTL, and which tool finds each.

use crate::builds;
use crate::exit::{self, CheckFailed};
use crate::progress::Progress;
use crate::rows::{Part, RowsOptions};
use anyhow::{ensure, Result};
use rayon::prelude::*;
use sim::number::{whole_u32, whole_u64};
use std::path::PathBuf;
use std::sync::Arc;
use testbench::bugs::{self, Bug, Effort, Hunted, Tool};
use testbench::pages::bugs::{cell, first, Row};

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
    #[arg(conflicts_with = "rows")]
    names: Vec<String>,
    /// Clock cycles of random stimulus, at most
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
    #[command(flatten)]
    rows: RowsOptions,
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
    let progress = Arc::new(args.rows.progress()?);
    builds::watch(&progress, 0, &exit::interrupt_flag()?);
    let effort = Effort { cycles: args.cycles, seconds: args.limit, seeds: args.seeds, traces: args.traces.clone() };
    // Two bugs of one unit would leave files of one name.
    let hunt = |bug: &Bug| bug.hunt(&effort, &args.evidence.join(&bug.name));
    let hunted = match args.rows.file() {
        Some(_) => hunt_stale(&args.rows, &bugs, hunt, &progress),
        None => bugs.par_iter().map(|bug| Ok(hunt(bug)?)).collect::<Result<Vec<_>>>(),
    };
    progress.finish();
    let hunted = hunted?;
    hunted.iter().for_each(print);
    let missed: Vec<_> = hunted.iter().filter(|h| h.first().is_none()).map(|h| h.bug.name.as_str()).collect();
    if !hunted.is_empty() {
        println!("found: {} of {}", hunted.len() - missed.len(), hunted.len());
    }
    match missed.is_empty() {
        true => Ok(()),
        false => Err(CheckFailed(format!("nothing finds {}", missed.join(", "))).into()),
    }
}

/// Bugs whose rows are missing or stale.
fn hunt_stale(
    options: &RowsOptions,
    bugs: &[Bug],
    hunt: impl Fn(&Bug) -> testbench::Result<Hunted> + Sync,
    progress: &Progress,
) -> Result<Vec<Hunted>> {
    let old: Vec<Row> = options.kept()?;
    let part = |bug: &Bug| {
        let row = old.iter().find(|row| row.bug == bug.name);
        let is_current = match row {
            Some(row) => row.is_current(bug)?,
            None => false,
        };
        Ok(Part { rows: row.cloned().into_iter().collect(), is_current })
    };
    let hunt = |bug: &Bug| {
        let hunted = hunt(bug)?;
        Ok((vec![Row::of(&hunted)], hunted))
    };
    options.make(bugs, |bug| bug.name.clone(), part, hunt, progress)
}

fn print(hunted: &Hunted) {
    let Bug { name, kind, unit, says, .. } = &hunted.bug;
    println!("{name} ({kind}, {unit}): {says}");
    for tool in Tool::ALL.into_iter().filter(|tool| hunted.of(*tool).is_some()) {
        println!("  {:<21} {}", tool.name(), cell(hunted, tool));
    }
    println!("  {:<21} {}", "first", first(hunted));
}
