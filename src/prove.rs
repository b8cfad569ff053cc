//! `unruly prove`: properties of units, proven by a model checker, and old RTL against new.

use crate::builds;
use crate::exit::{self, CheckFailed};
use crate::parameters;
use crate::progress::Progress;
use crate::record::{Files, Record, Recorded};
use crate::rows::{Part, RowsOptions};
use anyhow::{bail, ensure, Context, Result};
use gen::elaborate::parameter_list;
use serde::de::DeserializeOwned;
use serde::Serialize;
use sim::number::{whole_u32, whole_u64};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use testbench::pages::assumptions::Row as AssumptionsRow;
use testbench::pages::proofs::{result, Row};
use testbench::pages::sizes::Row as SizesRow;
use testbench::prove::{self, Gates, ProofReport, Size, Subject, TrafficReport, Verdict};

const SECONDS: u32 = 60;

/// Seed of the stimulus.
const SEED: u64 = 1;

/// Prove properties of units: they hold in every cycle, with any legal inputs
///
/// What is proven stands in docs/proofs.md, with what is meant. Without a unit, all units are proven that have properties.
///
/// Example: unruly prove queue
#[derive(clap::Args)]
pub struct Args {
    /// See `unruly list units`; with --sizes, modules of `unruly verilog`
    #[arg(conflicts_with = "rows")]
    units: Vec<String>,
    /// Change a parameter of the unit, as in `entries=16`; may be repeated
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "rows")]
    set: Vec<String>,
    /// Properties of your own in the place of the unit's (docs/proofs.md says how they are written)
    #[arg(long, value_name = "FILE.v", conflicts_with_all = ["against", "rows"])]
    properties: Option<PathBuf>,
    /// Prove that Verilog of your own does the same as the unit's RTL
    #[arg(long, value_name = "FILE.v", conflicts_with = "rows")]
    against: Option<PathBuf>,
    /// Prove instead that the netlist whose area `unruly area` tells does the same as the RTL
    #[arg(long, conflicts_with_all = ["properties", "against"])]
    gates: bool,
    /// Prove instead that each module of `unruly verilog` does the same in each size as the module of `unruly verilog --flat`
    #[arg(long, conflicts_with_all = ["properties", "against", "set", "gates", "stimulus"])]
    sizes: bool,
    /// Look instead whether assumptions and claims hold in so many cycles of the unit's stimulus
    #[arg(long, value_name = "CYCLES", conflicts_with_all = ["against", "gates"], value_parser = whole_u64)]
    stimulus: Option<u64>,
    /// Where finished netlists are kept
    #[arg(long, default_value = ".cache/synth", value_name = "DIR")]
    cache: PathBuf,
    /// Seconds for each question to the model checker
    #[arg(long, default_value_t = SECONDS, value_parser = whole_u32)]
    limit: u32,
    #[command(flatten)]
    rows: RowsOptions,
    /// Write the results to this file, for programs (docs/json.md)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Recorded for Args {
    fn files(&self) -> Files {
        let read = self.properties.iter().chain(&self.against).cloned().collect();
        Files { json: self.json.clone(), read, written: self.rows.written(), ..Files::default() }
    }
}

/// The content of `--json`.
#[derive(Serialize)]
struct Results<'a> {
    proofs: &'a [ProofReport],
}

/// The content of `--json` with `--stimulus`.
#[derive(Serialize)]
struct UnderStimulus<'a> {
    stimulus: &'a [TrafficReport],
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
    let parameters = parameters::all(&args.set)?;
    let progress = Arc::new(args.rows.progress()?);
    builds::watch(&progress, 0, &exit::interrupt_flag()?);
    if let Some(cycles) = args.stimulus {
        return under_stimulus(&args, &parameters, cycles, &progress, record);
    }
    let reports = match args.rows.file() {
        Some(_) => reports_of_rows(&args, &progress),
        None => reports(&args, &parameters),
    };
    progress.finish();
    let reports = reports?;
    let outcome = outcome(&reports);
    record.write_with(&Results { proofs: &reports }, &outcome)?;
    reports.iter().for_each(print);
    outcome
}

/// Proofs of all units, of all netlists or of all sizes, whose rows are missing or stale.
fn reports_of_rows(args: &Args, progress: &Progress) -> Result<Vec<ProofReport>> {
    let of_claims = Form { kept: Row::kept, all: Row::all };
    if args.gates {
        make(&args.cache)?;
        let prove = |gates: &Gates| gates.prove(&args.cache, args.limit);
        return prove_stale(
            args,
            &prove::all_gates()?,
            |gates| (gates.unit(), gates.digest()),
            prove,
            of_claims,
            progress,
        );
    }
    if args.sizes {
        let of_sizes = Form { kept: SizesRow::kept, all: SizesRow::all };
        let prove = |size: &Size| size.prove(args.limit);
        return prove_stale(args, &prove::all_sizes()?, |size| (&size.flat, size.digest()), prove, of_sizes, progress);
    }
    let prove = |subject: &Subject| subject.prove(args.limit);
    prove_stale(args, &subjects(args, &[])?, |subject| (subject.unit(), subject.digest()), prove, of_claims, progress)
}

/// Rows of reports.
struct Form<R> {
    /// Those of a name and a digest.
    kept: fn(&[R], &str, &str) -> Option<Vec<R>>,
    all: fn(&ProofReport) -> Vec<R>,
}

fn prove_stale<S: Sync, R: Serialize + DeserializeOwned + Send + Sync>(
    args: &Args,
    subjects: &[S],
    name_and_digest: impl Fn(&S) -> (&str, String) + Sync + Send,
    prove: impl Fn(&S) -> testbench::Result<ProofReport> + Sync,
    form: Form<R>,
    progress: &Progress,
) -> Result<Vec<ProofReport>> {
    let old: Vec<R> = args.rows.kept()?;
    let part = |subject: &S| {
        let (name, digest) = name_and_digest(subject);
        let kept = (form.kept)(&old, name, &digest);
        Ok(Part { is_current: kept.is_some(), rows: kept.unwrap_or_default() })
    };
    let prove = |subject: &S| {
        let report = prove(subject)?;
        Ok(((form.all)(&report), report))
    };
    args.rows.make(subjects, |subject| name_and_digest(subject).0.to_owned(), part, prove, progress)
}

fn make(cache: &Path) -> Result<()> {
    std::fs::create_dir_all(cache).with_context(|| format!("--cache {}", cache.display()))
}

/// Claims under stimulus, of the subjects that are named, or of all that assume something.
fn under_stimulus(
    args: &Args,
    parameters: &[(&str, u64)],
    cycles: u64,
    progress: &Progress,
    record: &mut Record,
) -> Result<()> {
    ensure!(cycles > 0, "--stimulus 0: nothing would be looked at; give 1 cycle or more, for example 100000");
    let reports = seen_under_stimulus(args, parameters, cycles, progress);
    progress.finish();
    let reports = reports?;
    let broken = reports.iter().filter_map(|report| {
        let broken = report.broken.as_ref()?;
        Some(format!("{}: {} does not hold in cycle {}", report.module, broken.claim.name, broken.cycle))
    });
    let broken: Vec<String> = broken.collect();
    let outcome = if broken.is_empty() { Ok(()) } else { Err(CheckFailed(broken.join("; ")).into()) };
    record.write_with(&UnderStimulus { stimulus: &reports }, &outcome)?;
    for TrafficReport { module, parameters, cycles, assumptions, others, broken, .. } in &reports {
        println!("{module}: {}", parameter_list(parameters));
        match broken {
            None => println!("  held in {cycles} cycles: assumptions: {assumptions}, other claims: {others}"),
            Some(broken) => println!("  cycle {cycles}: {}: {}", broken.claim.name, broken.claim.sentence),
        }
    }
    outcome
}

fn seen_under_stimulus(
    args: &Args,
    parameters: &[(&str, u64)],
    cycles: u64,
    progress: &Progress,
) -> Result<Vec<TrafficReport>> {
    let mut wanted = vec![];
    for subject in subjects(args, parameters)? {
        if !args.units.is_empty() || subject.assumes()? {
            wanted.push(subject);
        }
    }
    let see = |subject: &Subject| subject.under_traffic(cycles, SEED);
    if args.rows.file().is_none() {
        return Ok(wanted.iter().map(see).collect::<Result<_, _>>()?);
    }
    let old: Vec<AssumptionsRow> = args.rows.kept()?;
    let part = |subject: &Subject| {
        let digest = subject.digest_with_traffic(SEED)?;
        let row = old.iter().find(|row| row.cycles == cycles && row.is_current(subject.unit(), &digest));
        Ok(Part { rows: row.cloned().into_iter().collect(), is_current: row.is_some() })
    };
    let see = |subject: &Subject| {
        let report = see(subject)?;
        Ok((vec![AssumptionsRow::of(&report)], report))
    };
    args.rows.make(&wanted, |subject| subject.unit().to_owned(), part, see, progress)
}

fn reports(args: &Args, parameters: &[(&str, u64)]) -> Result<Vec<ProofReport>> {
    if let (Some(file), [unit]) = (&args.against, &args.units[..]) {
        return Ok(vec![prove::against(unit, parameters, file, args.limit)?]);
    }
    if args.sizes {
        return Ok(sizes_of(&args.units)?.iter().map(|size| size.prove(args.limit)).collect::<Result<Vec<_>, _>>()?);
    }
    if args.gates {
        let gates = match args.units.is_empty() {
            true => prove::all_gates()?,
            false => args.units.iter().map(|unit| Gates::of(unit, parameters)).collect::<Result<_, _>>()?,
        };
        make(&args.cache)?;
        return Ok(gates.iter().map(|gates| gates.prove(&args.cache, args.limit)).collect::<Result<Vec<_>, _>>()?);
    }
    let subjects = subjects(args, parameters)?;
    Ok(subjects.iter().map(|subject| subject.prove(args.limit)).collect::<Result<Vec<_>, _>>()?)
}

/// Sizes of the modules that are named, or of all.
fn sizes_of(modules: &[String]) -> Result<Vec<Size>> {
    let mut sizes = prove::all_sizes()?;
    let known: BTreeSet<&str> = sizes.iter().map(|size| size.module.as_str()).collect();
    if let Some(name) = modules.iter().find(|name| !known.contains(name.as_str())) {
        bail!("--sizes: no module {name} of `unruly verilog --every-size`{}", spelling::hint(name, known));
    }
    sizes.retain(|size| modules.is_empty() || modules.contains(&size.module));
    Ok(sizes)
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

/// All reports are as they should be.
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
    format!("{}: {}", verdict.claim.name, result(verdict.outcome, verdict.cycles))
}

fn print(report: &ProofReport) {
    println!("{}: {}", report.module, parameter_list(&report.parameters));
    for verdict in &report.verdicts {
        let Verdict { claim, seconds, .. } = verdict;
        println!(
            "  {:<20} {:>6.2} s  {}: {}",
            result(verdict.outcome, verdict.cycles),
            seconds,
            claim.name,
            claim.sentence
        );
        if !verdict.outcome.is_good() {
            verdict.trace.iter().for_each(|line| println!("      {line}"));
        }
    }
}
