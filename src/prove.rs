//! `unruly prove`: properties of units, proven by a model checker, and old RTL against new.

use crate::builds;
use crate::exit::{self, CheckFailed};
use crate::parameters;
use crate::progress::Progress;
use crate::record::{Files, Record, Recorded};
use anyhow::{ensure, Context, Result};
use gen::elaborate::parameter_list;
use serde::Serialize;
use sim::number::whole_u32;
use std::path::PathBuf;
use std::sync::Arc;
use testbench::prove::{self, Gates, ProofReport, Rows, Subject, Verdict};

const SECONDS: u32 = 60;

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
    /// Where finished netlists are kept
    #[arg(long, default_value = ".cache/synth", value_name = "DIR")]
    cache: PathBuf,
    /// Seconds for each question to the model checker
    #[arg(long, default_value_t = SECONDS, value_parser = whole_u32)]
    limit: u32,
    /// Write the page of all proofs, and prove only what its rows are not of; with --gates that of all netlists or some
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
    let proofs = proofs(&args, &parameters);
    progress.finish();
    let (reports, rows) = proofs?;
    let outcome = outcome(&reports);
    record.write_with(&Results { proofs: &reports }, &outcome)?;
    if let Some(path) = &args.page {
        let page = match args.gates {
            true => prove::gates_page(&reports, &prove::all_gates()?.iter().map(Gates::unit).collect::<Vec<_>>()),
            false => prove::page(&rows),
        };
        std::fs::write(path, page).with_context(|| path.display().to_string())?;
    }
    reports.iter().for_each(print);
    outcome
}

/// Proofs that are made now, and the rows of the page of all: those that it has of today's units and properties stay.
fn proofs(args: &Args, parameters: &[(&str, u64)]) -> Result<(Vec<ProofReport>, Vec<Rows>)> {
    let Some(path) = args.page.as_ref().filter(|_| !args.gates) else {
        return Ok((reports(args, parameters)?, vec![]));
    };
    let page = std::fs::read_to_string(path).unwrap_or_default();
    let (mut reports, mut rows) = (vec![], vec![]);
    for unit in prove::units() {
        for subject in Subject::all(unit, &[])? {
            let kept = Rows::kept(&page, &subject);
            if kept.is_none() {
                reports.push(subject.prove(args.limit)?);
            }
            rows.push(kept.unwrap_or_else(|| Rows::of(&reports[reports.len() - 1])));
        }
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
    if let (Some(file), [unit]) = (&args.properties, &args.units[..]) {
        let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
        return Ok(vec![Subject::with_own(unit, parameters, &text)?.prove(args.limit)?]);
    }
    let units = if args.units.is_empty() { prove::units() } else { args.units.iter().map(String::as_str).collect() };
    let subjects = units.iter().map(|unit| Subject::all(unit, parameters)).collect::<Result<Vec<_>, _>>()?;
    Ok(subjects.iter().flatten().map(|subject| subject.prove(args.limit)).collect::<Result<Vec<_>, _>>()?)
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
