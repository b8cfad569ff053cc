//! `unruly cosim`: random legal traffic through RTL and behavioural model of a unit, in lock-step.

use crate::exit::CheckFailed;
use crate::parameters;
use crate::progress::Progress;
use crate::record::{Files, Record, Recorded};
use anyhow::{ensure, Result};
use sim::number::whole_u64;
use std::path::{Path, PathBuf};
use testbench::cosim::{self, CosimReport};
use testbench::lockstep::Difference;

/// Enough for every event of most units.
const CYCLES: u64 = 1_000_000;

/// Compare RTL and behavioural model of a unit at every pin in every cycle, under random legal traffic
///
/// A difference is reported with cycle, pin and both values; a waveform and a trace of the inputs are left behind.
///
/// Example: unruly cosim --unit bank --cycles 10000000 --seed 1
#[derive(clap::Args)]
pub struct Args {
    /// See `unruly list units`
    #[arg(long, required_unless_present = "replay")]
    unit: Option<String>,
    /// Change a parameter of the unit, as in `entries=8`; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Clock cycles
    #[arg(long, default_value_t = CYCLES, value_parser = whole_u64)]
    cycles: u64,
    /// Of the traffic and of what registers hold before reset
    #[arg(long, default_value_t = 1, value_parser = whole_u64)]
    seed: u64,
    /// Run the inputs of this trace again instead
    #[arg(long, value_name = "TRACE", conflicts_with_all = ["unit", "set", "cycles", "seed", "json"])]
    replay: Option<PathBuf>,
    /// Where a waveform and an input trace go if the bodies differ
    #[arg(long, default_value = "out", value_name = "DIR")]
    evidence: PathBuf,
    /// Write the report to this file, for programs (docs/json.md)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Recorded for Args {
    fn json(&self) -> Option<&Path> {
        self.json.as_deref()
    }

    fn files(&self) -> Files {
        Files { read: self.replay.iter().cloned().collect(), ..Files::default() }
    }
}

pub fn main(args: Args, record: &mut Record) -> Result<()> {
    ensure!(args.cycles > 0, "--cycles 0: nothing would be compared; give 1 or more, for example {CYCLES}");
    if let Some(trace) = &args.replay {
        return match cosim::replay(trace, &args.evidence)? {
            Some(difference) => Err(differs(&difference)),
            None => {
                println!("{}: no difference", trace.display());
                Ok(())
            }
        };
    }
    let parameters = args.set.iter().map(|text| parameters::one(text)).collect::<Result<Vec<_>>>()?;
    let unit = args.unit.as_deref().unwrap_or_default();
    let progress = Progress::new(1);
    let report = cosim::cosim(unit, &parameters, args.cycles, args.seed, &args.evidence, &mut |cycle| {
        progress.say(0, format!("{unit}: {cycle} of {} cycles", args.cycles));
    })?;
    progress.finish();
    let outcome = report.failure().map_or(Ok(()), |text| Err(CheckFailed(text).into()));
    record.write_with(&report, &outcome)?;
    print(&report);
    outcome
}

fn differs(difference: &Difference) -> anyhow::Error {
    CheckFailed(difference.to_string()).into()
}

fn print(report: &CosimReport) {
    println!(
        "{}: {} cycles, {} pin comparisons, {} mismatches; {:.1} M cycles/s",
        report.module,
        report.cycles,
        report.comparisons,
        report.mismatches,
        report.cycles_per_second / 1e6
    );
    for (event, count) in &report.coverage {
        println!("  {event:<28} {count:>12}");
    }
}
