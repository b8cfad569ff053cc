//! `unruly calibrate`: the model beside a reference simulator, on the PTX that the reference ran.

mod kernels;
mod replay;
mod results;
mod table;

use crate::exit::{self, CheckFailed};
use crate::progress::Progress;
use crate::record::{Files, Record, Recorded};
use crate::rows;
use anyhow::{Context, Result};
use rayon::prelude::*;
use results::{Results, Run};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::Arc;

/// Compare the GPU model with what a reference simulator counted and timed
///
/// FOLDER holds results.json and the PTX files that the reference executed; docs/fidelity.md describes the form. The check fails
/// if an instruction count differs, if cycles differ by more than 30 % on a run or 15 % on the mean, or if a result is wrong.
///
/// Example: unruly calibrate tests/calibration --rows docs/data/calibration.json
#[derive(clap::Args)]
pub struct Args {
    /// Folder with results.json
    folder: PathBuf,
    /// Only runs whose name, compiler or GPU contains this; may be repeated, all must match
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Keep the comparison in this file (`unruly pages` writes the page of it)
    #[arg(long, value_name = "FILE.json", conflicts_with = "only")]
    rows: Option<PathBuf>,
    /// Write every count to this file, for programs (docs/json.md)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Recorded for Args {
    fn files(&self) -> Files {
        Files {
            json: self.json.clone(),
            read: vec![self.folder.join("results.json")],
            written: rows::written([("--rows", &self.rows)]),
            ..Files::default()
        }
    }
}

/// Largest difference of cycles, in percent, of one run and of the mean of all.
const RUN_LIMIT: f64 = 30.0;
const MEAN_LIMIT: f64 = 15.0;

/// One run on both simulators.
#[derive(Deserialize, Serialize)]
pub struct Compared {
    run: String,
    compiler: String,
    gpu: String,
    l2_filled_by_host_copy: bool,
    ours: Counts,
    reference: Counts,
    /// Difference in cycles, in percent of the reference's cycles.
    difference: f64,
    /// The reference's own instruction counts change with timing (a race in the kernel).
    timing_dependent: bool,
    /// Results were compared with plain arithmetic.
    verified: bool,
}

/// L1, L2 and DRAM as results.json counts them: L2 and DRAM in sectors.
#[derive(Clone, PartialEq, Deserialize, Serialize)]
pub struct Counts {
    cycles: u64,
    warp_instructions: u64,
    thread_instructions: u64,
    l1d_accesses: u64,
    l1d_misses: u64,
    l2_accesses: u64,
    l2_misses: u64,
    dram_reads: u64,
    dram_writes: u64,
}

impl Counts {
    fn of_reference(c: &results::Counts) -> Self {
        Counts {
            cycles: c.cycles_total,
            warp_instructions: c.warp_instructions,
            thread_instructions: c.thread_instructions,
            l1d_accesses: c.l1d.accesses,
            l1d_misses: c.l1d.misses,
            l2_accesses: c.l2.accesses,
            l2_misses: c.l2.misses,
            dram_reads: c.dram.reads,
            dram_writes: c.dram.writes + c.dram.writes_l2_writeback,
        }
    }

    fn instructions(&self) -> [u64; 2] {
        [self.warp_instructions, self.thread_instructions]
    }
}

#[derive(Deserialize, Serialize)]
pub struct Report {
    reference: String,
    runs: Vec<Compared>,
    /// Mean difference in cycles over all runs, in percent.
    mean_difference: f64,
    largest_difference: f64,
}

pub fn main(args: Args, record: &mut Record) -> Result<()> {
    let results = Results::read(&args.folder)?;
    let runs: Vec<&Run> = results.runs.iter().filter(|run| is_wanted(run, &args.only)).collect();
    anyhow::ensure!(!runs.is_empty(), "{}: no run matches --only {}", args.folder.display(), args.only.join(" "));
    args.rows.as_deref().map(rows::check).transpose()?;

    let report = compare(&args, &results, &runs)?;
    let outcome = check(&report);
    if let (Some(rows), Ok(())) = (&args.rows, &outcome) {
        rows::write_pretty(rows, &report)?;
    }
    record.write_with(&report, &outcome)?;
    println!("{}", table::both(&report));
    outcome
}

/// The page `calibration.md`.
///
/// # Errors
/// Rows that cannot be read.
pub fn page(rows: &Path) -> Result<String> {
    Ok(table::page(&rows::read_one(rows)?))
}

/// Reads the results of a folder, and does what they say; a launch that takes long is interrupted.
///
/// # Errors
/// Mistakes in the results.
pub fn read_results(path: &Path) -> Result<()> {
    const KERNEL: &str = include_str!("../tests/calibration/ptx/fma_chain.clang.ptx");
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir(folder.join("ptx"))?;
    std::fs::write(folder.join("ptx/fma_chain.clang.ptx"), KERNEL)?;
    let results = Results::read(folder)?;
    let ended_at_once = Arc::new(AtomicBool::new(true));
    results.runs.iter().try_for_each(|run| replay::replay(folder, run, ended_at_once.clone()).map(drop))
}

fn is_wanted(run: &Run, only: &[String]) -> bool {
    only.iter().all(|text| [&run.run, &run.compiler, &run.config].iter().any(|name| name.contains(text.as_str())))
}

fn compare(args: &Args, results: &Results, runs: &[&Run]) -> Result<Report> {
    let interrupt = exit::interrupt_flag()?;
    let progress = Progress::new(1);
    let done = AtomicUsize::new(0);
    let one = |run: &&Run| {
        let (ours, verified) = replay::replay(&args.folder, run, interrupt.clone())
            .with_context(|| format!("{} ({}, {})", run.run, run.compiler, run.config))?;
        let finished = done.fetch_add(1, Relaxed) + 1;
        progress.say(0, format!("{finished} of {} runs, last {} on {}", runs.len(), run.run, run.config));
        let reference = Counts::of_reference(&run.total);
        Ok(Compared {
            run: run.run.clone(),
            compiler: run.compiler.clone(),
            gpu: run.config.clone(),
            l2_filled_by_host_copy: run.l2_filled_by_host_copy,
            difference: 100.0 * (ours.cycles as f64 / reference.cycles as f64 - 1.0),
            ours,
            reference,
            timing_dependent: results.is_timing_dependent(run),
            verified,
        })
    };
    let runs: Vec<Compared> = runs.par_iter().map(one).collect::<Result<_>>()?;
    progress.finish();
    let differences = || runs.iter().map(|run| run.difference.abs());
    Ok(Report {
        reference: format!("{} {}", results.reference.simulator, results.reference.version),
        mean_difference: differences().sum::<f64>() / runs.len() as f64,
        largest_difference: differences().fold(0.0, f64::max),
        runs,
    })
}

fn check(report: &Report) -> Result<()> {
    for run in &report.runs {
        let name = format!("{} ({}, {})", run.run, run.compiler, run.gpu);
        if !run.timing_dependent && run.ours.instructions() != run.reference.instructions() {
            let [warp, thread] = run.ours.instructions();
            let [right_warp, right_thread] = run.reference.instructions();
            let text = format!("{name}: {warp} warp and {thread} thread instructions, the reference counts {right_warp} and {right_thread}");
            return Err(CheckFailed(text).into());
        }
        if run.difference.abs() > RUN_LIMIT {
            let text = format!("{name}: cycles differ by {:.1} %, the limit is {RUN_LIMIT} %", run.difference);
            return Err(CheckFailed(text).into());
        }
    }
    if report.mean_difference > MEAN_LIMIT {
        let text = format!("cycles differ by {:.1} % on the mean, the limit is {MEAN_LIMIT} %", report.mean_difference);
        return Err(CheckFailed(text).into());
    }
    Ok(())
}
