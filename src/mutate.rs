//! `unruly mutate`: mutants of a unit's netlist, and whether its stimulus kills each.

mod campaign;

use crate::builds;
use crate::exit::{self, CheckFailed};
use crate::parameters;
use crate::record::{Files, Record, Recorded};
use crate::rows::RowsOptions;
use anyhow::{ensure, Context, Result};
use sim::number::{whole_u32, whole_u64};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use testbench::mutants::{Effort, Mutants, Mutation, MutationReport, Survivor};
use testbench::watch::Watch;

const MUTANTS: u32 = 1000;
const CYCLES: u64 = 100_000;
const PATIENCE: u64 = 10_000_000;
/// With `--rows`.
const PATIENCE_A_ROW: u64 = 1_000_000;
const SECONDS: u32 = 5;

/// Make mutants of the netlist of a unit, each with one small fault, and see whether the unit's stimulus kills each
///
/// Those that survive are printed with their line of the RTL. See docs/lockstep.md. With --rows each unit has its mutants at one size; rows with
/// mutants that survive are stale if --patience is more than the mutants have had.
///
/// Example: unruly mutate queue -n 1000 --seed 1
#[derive(clap::Args)]
pub struct Args {
    /// See `unruly list units`
    #[arg(required_unless_present_any = ["again", "rows"], conflicts_with = "rows")]
    unit: Option<String>,
    /// Change a parameter of the unit, as in `entries=8`; may be repeated
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "rows")]
    set: Vec<String>,
    /// Mutants; fewer if the unit has fewer places
    #[arg(short = 'n', long = "mutants", default_value_t = MUTANTS, value_parser = whole_u32, conflicts_with = "rows")]
    mutants: u32,
    /// Seed of the places, and of the stimulus
    #[arg(long, default_value_t = 1, value_parser = whole_u64, conflicts_with = "rows")]
    seed: u64,
    /// Clock cycles of stimulus for each mutant that is not killed earlier
    #[arg(long, default_value_t = CYCLES, value_parser = whole_u64, conflicts_with = "rows")]
    cycles: u64,
    /// More cycles for a mutant that is neither killed nor proven equivalent [default: 10,000,000; with --rows 1,000,000]
    #[arg(long, value_parser = whole_u64)]
    patience: Option<u64>,
    /// Seconds for each question to the model checker; 0 leaves it for `--again`
    #[arg(long, value_name = "SECONDS", default_value_t = SECONDS, value_parser = whole_u32)]
    limit: u32,
    /// Look once more at the mutants that survive in this report, with the model checker, and with more stimulus if `--patience` is more
    #[arg(long, value_name = "FILE", conflicts_with_all = ["unit", "set", "mutants", "seed", "cycles", "rows"])]
    again: Option<PathBuf>,
    #[command(flatten)]
    rows: RowsOptions,
    /// Write the report to this file, for programs (docs/json.md)
    #[arg(long, value_name = "FILE", conflicts_with = "rows")]
    json: Option<PathBuf>,
}

impl Recorded for Args {
    fn files(&self) -> Files {
        Files {
            json: self.json.clone(),
            read: self.again.iter().cloned().collect(),
            written: self.rows.written(),
            ..Files::default()
        }
    }
}

pub fn main(args: Args, record: &mut Record) -> Result<()> {
    ensure!(
        (1..=50_000).contains(&args.mutants),
        "-n {}: give 1 to 50000 mutants, for example {MUTANTS}",
        args.mutants
    );
    ensure!(args.cycles > 0, "--cycles 0: nothing would be compared; give 1 or more, for example {CYCLES}");
    let parameters = parameters::all(&args.set)?;
    let progress = Arc::new(args.rows.progress()?);
    builds::watch(&progress, 0, &exit::interrupt_flag()?);
    let watch = Watch::of_this_process();
    if args.rows.file().is_some() {
        let patience = args.patience.unwrap_or(PATIENCE_A_ROW);
        let reports = campaign::reports(&args.rows, patience, args.limit, &watch, &progress);
        progress.finish();
        let reports = reports?;
        reports.iter().for_each(print);
        return outcome(&reports);
    }
    let effort = Effort { cycles: args.cycles, patience: args.patience.unwrap_or(PATIENCE), seconds: args.limit };
    let report = match (&args.again, &args.unit) {
        (Some(file), _) => Mutants::again(earlier(file)?, effort, &watch).with_context(|| file.display().to_string()),
        (None, Some(unit)) => Mutants::new(unit, &parameters, args.mutants, args.seed)
            .and_then(|mutants| mutants.run(effort, &watch))
            .map_err(Into::into),
        (None, None) => unreachable!("clap asks for a unit"),
    };
    progress.finish();
    let report = report?;
    let outcome = outcome(std::slice::from_ref(&report));
    record.write_with(&report, &outcome)?;
    print(&report);
    outcome
}

/// No mutant survives.
fn outcome(reports: &[MutationReport]) -> Result<()> {
    let surviving = reports.iter().filter(|report| !report.survivors.is_empty());
    let text = |r: &MutationReport| format!("{}: {} of {} mutants survive", r.module, r.survivors.len(), r.mutants);
    match surviving.map(text).collect::<Vec<_>>() {
        texts if texts.is_empty() => Ok(()),
        texts => Err(CheckFailed(texts.join("; ")).into()),
    }
}

/// The report in a file that `--json` wrote.
fn earlier(file: &Path) -> Result<MutationReport> {
    let text = fs::read_to_string(file).with_context(|| format!("{}: cannot read", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{}: not a report of `unruly mutate`", file.display()))
}

fn print(report: &MutationReport) {
    println!(
        "{}: {} mutants, {} killed, {} proven equal to the design, {} survive; the last kill was in cycle {} of {}",
        report.module,
        report.mutants,
        report.killed,
        report.equivalent,
        report.survivors.len(),
        report.slowest_kill,
        report.cycles + report.patience
    );
    for Survivor { mutation, finding, inputs } in &report.survivors {
        let wire = mutation.wire.as_deref().map(|wire| format!(" ({wire})")).unwrap_or_default();
        let Mutation { number, mode, bit, module, line, .. } = mutation;
        println!("  {number} {mode} {bit}{wire} in {module}: {line}");
        println!("    {finding}");
        inputs.iter().for_each(|line| println!("      {line}"));
    }
}
