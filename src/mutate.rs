//! `unruly mutate`: small faults planted in a unit's netlist, and whether its traffic finds each.

use crate::builds;
use crate::exit::{self, CheckFailed};
use crate::parameters;
use crate::progress::Progress;
use crate::record::{Files, Record, Recorded};
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
const SECONDS: u32 = 5;

/// Plant small faults in the netlist of a unit, one at a time, and see whether the unit's traffic finds each
///
/// Those that survive are printed with their line of the RTL. See docs/lockstep.md.
///
/// Example: unruly mutate queue -n 1000 --seed 1
#[derive(clap::Args)]
pub struct Args {
    /// See `unruly list units`
    #[arg(required_unless_present = "again")]
    unit: Option<String>,
    /// Change a parameter of the unit, as in `entries=8`; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Faults; fewer if the unit has fewer places
    #[arg(short = 'n', long = "mutants", default_value_t = MUTANTS, value_parser = whole_u32)]
    mutants: u32,
    /// Seed of the places, and of the traffic
    #[arg(long, default_value_t = 1, value_parser = whole_u64)]
    seed: u64,
    /// Clock cycles of traffic for each fault that is not found earlier
    #[arg(long, default_value_t = CYCLES, value_parser = whole_u64)]
    cycles: u64,
    /// More cycles for a fault that is neither found nor proven to change nothing
    #[arg(long, default_value_t = PATIENCE, value_parser = whole_u64)]
    patience: u64,
    /// Seconds for each question to the model checker; 0 leaves it for `--again`
    #[arg(long, value_name = "SECONDS", default_value_t = SECONDS, value_parser = whole_u32)]
    limit: u32,
    /// Look once more at the faults that survive in this report, with the model checker, and with more traffic if `--patience` is more
    #[arg(long, value_name = "FILE", conflicts_with_all = ["unit", "set", "mutants", "seed", "cycles"])]
    again: Option<PathBuf>,
    /// Write the report to this file, for programs (docs/json.md)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Recorded for Args {
    fn files(&self) -> Files {
        Files { json: self.json.clone(), read: self.again.iter().cloned().collect(), ..Files::default() }
    }
}

pub fn main(args: Args, record: &mut Record) -> Result<()> {
    ensure!(
        (1..=50_000).contains(&args.mutants),
        "-n {}: give 1 to 50000 mutants, for example {MUTANTS}",
        args.mutants
    );
    ensure!(args.cycles > 0, "--cycles 0: nothing would be compared; give 1 or more, for example {CYCLES}");
    let effort = Effort { cycles: args.cycles, patience: args.patience, seconds: args.limit };
    let parameters = args.set.iter().map(|text| parameters::one(text)).collect::<Result<Vec<_>>>()?;
    let progress = Arc::new(Progress::new(1));
    builds::watch(&progress, 0, &exit::interrupt_flag()?);
    let watch = Watch::of_this_process();
    let report = match (&args.again, &args.unit) {
        (Some(file), _) => Mutants::again(earlier(file)?, effort, &watch).with_context(|| file.display().to_string()),
        (None, Some(unit)) => Mutants::new(unit, &parameters, args.mutants, args.seed)
            .and_then(|mutants| mutants.run(effort, &watch))
            .map_err(Into::into),
        (None, None) => unreachable!("clap asks for a unit"),
    };
    progress.finish();
    let report = report?;
    let outcome = match report.survivors.len() {
        0 => Ok(()),
        count => Err(CheckFailed(format!("{}: {count} of {} mutants survive", report.module, report.mutants)).into()),
    };
    record.write_with(&report, &outcome)?;
    print(&report);
    outcome
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
