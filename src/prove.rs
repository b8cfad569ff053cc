//! `unruly prove`: properties of units, proven by a model checker, and old RTL against new.

use crate::builds;
use crate::exit::{self, CheckFailed};
use crate::parameters;
use crate::progress::Progress;
use crate::record::{Files, Record, Recorded};
use anyhow::{ensure, Context, Result};
use gen::elaborate::parameter_list;
use serde::Serialize;
use sim::number::{whole_u32, whole_u64};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use testbench::prove::{self, Gates, ProofReport, Rows, Subject, TrafficReport, TrafficRow, Verdict};

const SECONDS: u32 = 60;

/// Of the traffic.
const SEED: u64 = 1;

/// Prove properties of units: they hold in every cycle, with any legal inputs
///
/// What is proven stands in docs/proofs.md, with what is meant. Without a unit, all units are proven that have properties.
///
/// Example: unruly prove queue
#[derive(clap::Args)]
pub struct Args {
    /// See `unruly list units`
    units: Vec<String>,
    /// Change a parameter of the unit, as in `entries=16`; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Properties of your own in the place of the unit's (docs/proofs.md says how they are written)
    #[arg(long, value_name = "FILE.v", conflicts_with = "against")]
    properties: Option<PathBuf>,
    /// Prove that Verilog of your own does the same as the unit's RTL
    #[arg(long, value_name = "FILE.v")]
    against: Option<PathBuf>,
    /// Prove instead that the netlist whose area `unruly area` tells does the same as the RTL (docs/gates.md)
    #[arg(long, conflicts_with_all = ["properties", "against"])]
    gates: bool,
    /// Look instead whether assumptions and claims hold in so many cycles of the unit's traffic (docs/assumptions.md)
    #[arg(long, value_name = "CYCLES", conflicts_with_all = ["against", "gates"], value_parser = whole_u64)]
    traffic: Option<u64>,
    /// Where finished netlists are kept
    #[arg(long, default_value = ".cache/synth", value_name = "DIR")]
    cache: PathBuf,
    /// Seconds for each question to the model checker
    #[arg(long, default_value_t = SECONDS, value_parser = whole_u32)]
    limit: u32,
    /// Write the page of all proofs, and prove only what its rows are not of; with --traffic that of all assumptions, with --gates that of
    /// all netlists or some
    #[arg(long, value_name = "FILE.md", conflicts_with_all = ["set", "properties", "against"])]
    page: Option<PathBuf>,
    /// Write the results to this file, for programs (docs/json.md)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Recorded for Args {
    fn files(&self) -> Files {
        let read = self.properties.iter().chain(&self.against).cloned().collect();
        Files { json: self.json.clone(), read, written: self.page.iter().cloned().collect() }
    }
}

/// What `--json` has.
#[derive(Serialize)]
struct Results<'a> {
    proofs: &'a [ProofReport],
}

/// The same with `--traffic`.
#[derive(Serialize)]
struct UnderTraffic<'a> {
    traffic: &'a [TrafficReport],
}

pub fn main(args: Args, record: &mut Record) -> Result<()> {
    ensure!(args.limit > 0, "--limit 0: nothing would be proven; give 1 second or more, for example {SECONDS}");
    let is_one = args.units.len() == 1;
    let one_alone = [
        ("--set", !args.set.is_empty()),
        ("--properties", args.properties.is_some()),
        ("--against", args.against.is_some()),
    ];
    for (option, given) in one_alone {
        ensure!(is_one || !given, "{option}: name one unit, for example `unruly prove queue {option} ...`");
    }
    ensure!(
        args.page.is_none() || args.gates || args.units.is_empty(),
        "--page: name no unit; the page of proofs has all units"
    );
    let parameters = args.set.iter().map(|text| parameters::one(text)).collect::<Result<Vec<_>>>()?;
    let progress = Arc::new(Progress::new(1));
    builds::watch(&progress, 0, &exit::interrupt_flag()?);
    if let Some(cycles) = args.traffic {
        return under_traffic(&args, &parameters, cycles, &progress, record);
    }
    let reports = match args.page.as_ref().filter(|_| !args.gates) {
        Some(path) => page_of_proofs(path, args.limit),
        None => reports(&args, &parameters),
    };
    progress.finish();
    let reports = reports?;
    let outcome = outcome(&reports);
    record.write_with(&Results { proofs: &reports }, &outcome)?;
    if let Some(path) = args.page.as_ref().filter(|_| args.gates) {
        let units: Vec<_> = prove::all_gates()?.iter().map(Gates::unit).collect();
        let page = prove::gates_page(&reports, &units);
        output::replace(path, page.as_bytes()).with_context(|| path.display().to_string())?;
    }
    reports.iter().for_each(print);
    outcome
}

/// The page of all proofs: rows that it has of today's units and properties stay, the others are proven. It is written behind each proof:
/// a command that is stopped goes on where it was.
fn page_of_proofs(path: &Path, seconds: u32) -> Result<Vec<ProofReport>> {
    let page = std::fs::read_to_string(path).unwrap_or_default();
    let subjects = prove::units().into_iter().map(|unit| Subject::all(unit, &[])).collect::<Result<Vec<_>, _>>()?;
    let subjects: Vec<Subject> = subjects.into_iter().flatten().collect();
    let mut rows: Vec<_> = subjects.iter().map(|subject| Rows::kept(&page, subject)).collect();
    let write = |rows: &[Option<Rows>]| {
        output::replace(path, prove::page(rows.iter().flatten()).as_bytes()).with_context(|| path.display().to_string())
    };
    let mut reports = vec![];
    for (place, subject) in subjects.iter().enumerate() {
        if rows[place].is_some() {
            continue;
        }
        let report = subject.prove(seconds)?;
        rows[place] = Some(Rows::of(&report));
        reports.push(report);
        write(&rows)?;
    }
    write(&rows)?;
    Ok(reports)
}

/// Claims under traffic, of the subjects that are named, or of all that assume something.
fn under_traffic(
    args: &Args,
    parameters: &[(&str, u64)],
    cycles: u64,
    progress: &Progress,
    record: &mut Record,
) -> Result<()> {
    ensure!(cycles > 0, "--traffic 0: nothing would be looked at; give 1 cycle or more, for example 100000");
    let seen = seen_under_traffic(args, parameters, cycles);
    progress.finish();
    let (reports, rows) = seen?;
    let broken = reports.iter().filter_map(|report| {
        let broken = report.broken.as_ref()?;
        Some(format!("{}: {} does not hold in cycle {}", report.module, broken.claim.name, broken.cycle))
    });
    let broken: Vec<String> = broken.collect();
    let outcome = if broken.is_empty() { Ok(()) } else { Err(CheckFailed(broken.join("; ")).into()) };
    record.write_with(&UnderTraffic { traffic: &reports }, &outcome)?;
    if let Some(path) = &args.page {
        output::replace(path, prove::assumptions_page(&rows).as_bytes()).with_context(|| path.display().to_string())?;
    }
    for TrafficReport { module, parameters, cycles, assumptions, others, broken, .. } in &reports {
        println!("{module}: {}", parameter_list(parameters));
        match broken {
            None => println!("  held in {cycles} cycles: assumptions: {assumptions}, other claims: {others}"),
            Some(broken) => println!("  cycle {cycles}: {}: {}", broken.claim.name, broken.claim.sentence),
        }
    }
    outcome
}

fn seen_under_traffic(
    args: &Args,
    parameters: &[(&str, u64)],
    cycles: u64,
) -> Result<(Vec<TrafficReport>, Vec<TrafficRow>)> {
    let page = args.page.as_ref().map(|path| std::fs::read_to_string(path).unwrap_or_default());
    let (mut reports, mut rows) = (vec![], vec![]);
    for subject in subjects(args, parameters)? {
        if args.units.is_empty() && !subject.assumes()? {
            continue;
        }
        let kept = match &page {
            Some(page) => TrafficRow::kept(page, &subject, cycles, &subject.digest_with_traffic(SEED)?),
            None => None,
        };
        if kept.is_none() {
            reports.push(subject.under_traffic(cycles, SEED)?);
        }
        rows.push(kept.unwrap_or_else(|| TrafficRow::of(&reports[reports.len() - 1])));
    }
    Ok((reports, rows))
}

fn reports(args: &Args, parameters: &[(&str, u64)]) -> Result<Vec<ProofReport>> {
    if let (Some(file), [unit]) = (&args.against, &args.units[..]) {
        return Ok(vec![prove::against(unit, parameters, file, args.limit)?]);
    }
    if args.gates {
        let gates = match args.units.is_empty() {
            true => prove::all_gates()?,
            false => args.units.iter().map(|unit| Gates::of(unit, parameters)).collect::<Result<_, _>>()?,
        };
        std::fs::create_dir_all(&args.cache).with_context(|| format!("--cache {}", args.cache.display()))?;
        return Ok(gates.iter().map(|gates| gates.prove(&args.cache, args.limit)).collect::<Result<Vec<_>, _>>()?);
    }
    let subjects = subjects(args, parameters)?;
    Ok(subjects.iter().map(|subject| subject.prove(args.limit)).collect::<Result<Vec<_>, _>>()?)
}

/// Those that are named, with their own properties or the user's, or all.
fn subjects(args: &Args, parameters: &[(&str, u64)]) -> Result<Vec<Subject>> {
    if let (Some(file), [unit]) = (&args.properties, &args.units[..]) {
        let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
        return Ok(vec![Subject::with_own(unit, parameters, &text)?]);
    }
    let units = if args.units.is_empty() { prove::units() } else { args.units.iter().map(String::as_str).collect() };
    let subjects = units.iter().map(|unit| Subject::all(unit, parameters)).collect::<Result<Vec<_>, _>>()?;
    Ok(subjects.into_iter().flatten().collect())
}

/// Whether everything is as it should be.
fn outcome(reports: &[ProofReport]) -> Result<()> {
    let failures: Vec<String> = reports
        .iter()
        .flat_map(|report| {
            report.failures().into_iter().map(|verdict| format!("{}: {}", report.module, failure(verdict)))
        })
        .collect();
    match failures.is_empty() {
        true => Ok(()),
        false => Err(CheckFailed(failures.join("; ")).into()),
    }
}

/// `full_exact: FAILED in 6 cycles`
fn failure(verdict: &Verdict) -> String {
    format!("{}: {}", verdict.claim.name, prove::result(verdict))
}

fn print(report: &ProofReport) {
    println!("{}: {}", report.module, parameter_list(&report.parameters));
    for verdict in &report.verdicts {
        let Verdict { claim, seconds, .. } = verdict;
        println!("  {:<20} {:>6.2} s  {}: {}", prove::result(verdict), seconds, claim.name, claim.sentence);
        if !verdict.outcome.is_good() {
            verdict.trace.iter().for_each(|line| println!("      {line}"));
        }
    }
}
