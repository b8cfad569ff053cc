//! `unruly cosim`: random legal stimulus for RTL and behavioural model of a unit, in lock-step.

mod campaign;

use crate::builds;
use crate::exit::{self, CheckFailed};
use crate::extensions;
use crate::parameters;
use crate::progress::{clock, Progress};
use crate::record::{Files, Record, Recorded, Written};
use crate::rows::RowsOptions;
use crate::user_cosim::UserOptions;
use anyhow::{ensure, Result};
use sim::number::whole_u64;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use testbench::cosim::{Cosim, CosimReport, Minimal, Recording};
use testbench::lockstep::{Difference, Evidence};
use testbench::trace::Trace;
use testbench::user_cosim::Wanted;
use testbench::verilate::Verilator;
use testbench::waivers::{Reached, Waived, WaivedPlace};

/// Enough for every coverage point of most units.
const CYCLES: u64 = 1_000_000;

/// Compare RTL and behavioural model of a unit at every pin in every cycle, under random legal stimulus
///
/// A difference is reported with cycle, pin and both values; a waveform and a trace of the inputs are written. See docs/lockstep.md.
///
/// With --rows all units run in lock-step for ten million cycles each; with --coverage as well, what their stimulus covers is measured.
///
/// Example: unruly cosim --unit bank --cycles 10000000 --seed 1
#[derive(clap::Args)]
pub struct Args {
    /// See `unruly list units`; or MODULE=FILE.v of your own, with its --model
    #[arg(long, required_unless_present_any = ["replay", "rows"], conflicts_with = "rows")]
    unit: Option<String>,
    /// Change a parameter of the unit, as in `entries=8`; may be repeated
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "rows")]
    set: Vec<String>,
    /// Clock cycles
    #[arg(long, default_value_t = CYCLES, value_parser = whole_u64, conflicts_with = "rows")]
    cycles: u64,
    /// Seed of the stimulus, and of the values that registers have before reset
    #[arg(long, default_value_t = 1, value_parser = whole_u64, conflicts_with = "rows")]
    seed: u64,
    /// Run the inputs of this trace again instead
    #[arg(long, value_name = "TRACE", conflicts_with_all = ["unit", "set", "cycles", "seed", "json", "rows"])]
    replay: Option<PathBuf>,
    /// Verilog of your own in the place of the unit's RTL, with the same ports; may be repeated. Modules that the files use and do
    /// not define are those that `unruly verilog --flat` writes
    #[arg(long, value_name = "FILE.v", conflicts_with = "rows")]
    rtl: Vec<PathBuf>,
    /// The module of the files that replaces the unit [default: the one of the unit's own name, or the only one]
    #[arg(long, value_name = "MODULE", requires = "rtl")]
    top: Option<String>,
    /// Leave a waveform of the RTL (FST), whether RTL and model differ or not
    #[arg(long, value_name = "FILE.fst", conflicts_with = "rows")]
    waveform: Option<PathBuf>,
    /// First cycle of the waveform [default: 1000 before its end]
    #[arg(long, value_name = "CYCLE", requires = "waveform", value_parser = whole_u64)]
    from: Option<u64>,
    /// Cycle before which the waveform ends [default: the end of the run]
    #[arg(long, value_name = "CYCLE", requires = "waveform", value_parser = whole_u64)]
    to: Option<u64>,
    /// Print bits of the pins that never moved and places of the RTL that were never reached, and fail if one of them has no waiver:
    /// what depends on it is not tested
    #[arg(long, conflicts_with = "replay")]
    coverage: bool,
    /// Cycles between two restarts of RTL and model, for what a short run does not fill [default: 65536, more for some units]
    #[arg(long, value_name = "CYCLES", conflicts_with_all = ["replay", "rows", "model"], value_parser = whole_u64)]
    segment: Option<u64>,
    #[command(flatten)]
    rows: RowsOptions,
    /// Where a waveform and an input trace go if model and RTL differ
    #[arg(long, default_value = "out", value_name = "DIR")]
    evidence: PathBuf,
    /// Write the report to this file, for programs (docs/json.md)
    #[arg(long, value_name = "FILE", conflicts_with = "rows")]
    json: Option<PathBuf>,
    #[command(flatten)]
    user_unit: UserOptions,
}

impl Recorded for Args {
    fn files(&self) -> Files {
        let mut files = Files {
            json: self.json.clone(),
            read: self.replay.iter().chain(&self.rtl).cloned().collect(),
            written: self.waveform.iter().map(|path| Written::by_option("--waveform", path)).collect(),
            ..Files::default()
        };
        files.written.extend(self.rows.written());
        self.user_unit.add_files(self.unit.as_deref(), &mut files);
        files
    }
}

pub fn main(args: Args, record: &mut Record) -> Result<()> {
    ensure!(args.cycles > 0, "--cycles 0: nothing would be compared; give 1 or more, for example {CYCLES}");
    let parameters = parameters::all(&args.set)?;
    let unit = args.unit.as_deref().unwrap_or_default();
    let is_alone = unit.contains('=') && !args.user_unit.has_model();
    ensure!(!is_alone, "--unit {unit}: nothing to compare it with; give its model in C++ with --model FILE.cpp");
    let progress = Arc::new(args.rows.progress()?);
    builds::watch(&progress, 0, &exit::interrupt_flag()?);
    if args.rows.file().is_some() {
        let campaign = if args.coverage { campaign::coverage } else { campaign::lockstep };
        let outcome = campaign(&args.rows, &args.evidence, &progress);
        progress.finish();
        return outcome;
    }
    if args.user_unit.has_model() {
        let wanted = Wanted { cycles: args.cycles, seed: args.seed, evidence: &args.evidence };
        return args.user_unit.main(unit, &wanted, &progress, record);
    }
    if let Some(trace) = &args.replay {
        let difference = replay(trace, &args);
        progress.finish();
        return difference?.map_or(Ok(()), |difference| Err(CheckFailed(difference.to_string()).into()));
    }
    let report = compare(unit, &parameters, &args, &progress);
    progress.finish();
    let report = report?;
    let uncovered = || args.coverage.then(|| report.uncovered()).flatten();
    let outcome = report.failure().or_else(uncovered).map_or(Ok(()), |text| Err(CheckFailed(text).into()));
    record.write_with(&report, &outcome)?;
    print(&report);
    if args.coverage {
        print_still(&report);
        print_places(report.places.as_ref());
    }
    outcome
}

fn compare(unit: &str, parameters: &[(&str, u64)], args: &Args, progress: &Progress) -> Result<CosimReport> {
    let cosim = cosim(unit, parameters, args)?;
    let started = Instant::now();
    let mut report = cosim.run(args.cycles, args.seed, &args.evidence, &mut |cycle| {
        progress.say(0, format!("{unit}: {cycle} of {} cycles{}", args.cycles, left(started, cycle, args.cycles)));
    })?;
    if let Some(Evidence::Files { trace, .. }) = report.difference.as_ref().map(|difference| &difference.evidence) {
        progress.say(0, format!("{unit}: makes {} shorter", trace.display()));
        report.minimal = cosim.shrink(trace, &trace.with_extension("min.trace"))?;
    }
    Ok(report)
}

/// The unit with the RTL that the user wants.
fn cosim(unit: &str, parameters: &[(&str, u64)], args: &Args) -> Result<Cosim> {
    let verilator = Verilator::find()?;
    let verilator = if args.coverage { verilator.counting_places() } else { verilator };
    let cosim = match &args.rtl[..] {
        [] => match extensions::unit(unit, parameters)? {
            Some((instance, fixture)) => Cosim::of(&verilator, instance, fixture)?,
            None => Cosim::built_by(&verilator, unit, parameters)?,
        },
        files => Cosim::with_user_verilog(&verilator, unit, parameters, files, args.top.as_deref())?,
    };
    let cosim = match args.segment {
        Some(cycles) => cosim.in_segments_of(cycles)?,
        None => cosim,
    };
    let recording = |file: &PathBuf| Recording { file: file.clone(), from: args.from, to: args.to };
    Ok(match args.waveform.as_ref().map(recording) {
        Some(recording) => cosim.recorded(recording),
        None => cosim,
    })
}

fn replay(trace: &Path, args: &Args) -> Result<Option<Difference>> {
    let subject = Trace::subject(trace)?;
    let difference = cosim(&subject.unit, &subject.parameters(), args)?.replay(trace, &args.evidence)?;
    if difference.is_none() {
        println!("{}: no difference", trace.display());
    }
    Ok(difference)
}

/// From the time that the cycles so far took.
fn left(started: Instant, done: u64, all: u64) -> String {
    if done == 0 {
        return String::new();
    }
    let left = started.elapsed().mul_f64((all - done.min(all)) as f64 / done as f64);
    format!(", about {} left", clock(left))
}

fn print_still(report: &CosimReport) {
    println!("bits of {} pins never moved, and should", report.still.len());
    for (pin, bits) in &report.still {
        println!("  {pin}[{bits}]");
    }
    println!("bits of {} pins that no legal stimulus moves", report.waived.len());
    for Waived { pin, bits, reason } in &report.waived {
        println!("  {pin}[{bits}]: {reason}");
    }
}

fn print_places(places: Option<&Reached>) {
    let Some(Reached { places, never, waived, .. }) = places else { return };
    println!("{} of {places} places of the RTL were never reached, and should", never.len());
    for place in never {
        println!("  {place}");
    }
    println!("{} places that no legal stimulus reaches", waived.len());
    for WaivedPlace { place, reason } in waived {
        println!("  {place}: {reason}");
    }
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
    if let Some(waveform) = &report.waveform {
        println!("waveform of cycles {} to {}: {}", waveform.from, waveform.to - 1, waveform.file.display());
    }
    if let Some(Minimal { trace, cycles }) = &report.minimal {
        println!("the fewest cycles that differ: {cycles}, {}", trace.display());
    }
    for (event, count) in &report.coverage {
        println!("  {event:<28} {count:>12}");
    }
}
