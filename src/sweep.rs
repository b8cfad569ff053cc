//! `unruly sweep`: all runs of a plan, and the figure that they make.

mod again;
mod cells;
mod choice;
mod claim;
mod cluster;
mod condition;
mod energy;
mod engine;
mod entries;
mod execute;
mod figure;
mod found;
mod inputs;
mod measure;
mod numbers;
mod own;
mod own_clocks;
mod plan;
mod plot;
mod points;
pub mod readers;
mod reading;
mod redraw;
mod report;
mod setting;
mod shard;
mod stated;
mod store;
mod table;
mod work;

use crate::exit::{self, CheckFailed};
use crate::record::{Files, Record, Recorded};
use anyhow::{ensure, Context, Result};
use cluster::Tasks;
use engine::Engine;
use execute::Sweep;
use inputs::Given;
use own_clocks::OwnClocks;
use plan::Plan;
use points::Spread;
use shard::{deal, Shard};
use sim::graph::Graph;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use store::{Ending, Finished, Store};
use table::{Extent, Placed};

pub use found::Standing;
pub use stated::{stated, Stated};

/// Run a plan of many runs and draw the figure that it describes
///
/// Leaves runs.csv, runs.json, report.md and an SVG plot in the output directory, and a file for each run that is finished: after an
/// interruption the same command goes on where it was.
///
/// Example: unruly sweep plans/hwwl-schemes.toml
#[derive(clap::Args)]
pub struct Args {
    /// See plans/ and docs/sweeps.md
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Where results go [default: out/sweep/ and the plan's name]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    crew: Crew,
    /// Make only a part of the runs, as in 3/8, and draw nothing: the parts cost about the same, and the same command without this
    /// draws the figure of all that are kept
    #[arg(long, value_name = "I/N", conflicts_with_all = ["engine", "check", "from", "json"])]
    shard: Option<Shard>,
    /// Check the plan and count its points and runs, run nothing
    #[arg(long, conflicts_with = "json")]
    check: bool,
    /// Simulate nothing: draw the plot and write report.md again, from the runs.csv of a sweep of the same plan
    #[arg(long, value_name = "RUNS.CSV", conflicts_with_all = ["jobs", "engine", "check", "json"])]
    from: Option<PathBuf>,
    /// With --from: simulate this many of the plan's runs again, the shortest ones, and fail if one differs from its row; draw nothing
    #[arg(long, value_name = "N", requires = "from", conflicts_with_all = ["out", "no_area"])]
    again: Option<NonZeroUsize>,
    /// With --from: simulate the runs that have no row there, of a series that is new, say, and write runs.csv, report and plot. Rows
    /// that are there are believed: see --again
    #[arg(long, requires = "from", conflicts_with = "again")]
    complete: bool,
    /// Leave out the clock of units of your own, which takes Yosys and OpenSTA
    #[arg(long)]
    no_area: bool,
    /// Write all rows to this file as well, for programs (docs/json.md)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Who makes the runs.
#[derive(clap::Args, Clone)]
pub struct Crew {
    /// Runs at a time [default: the machine's cores; of each task of a cluster 1]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Who makes the runs: this command, or tasks of a cluster that sees the same folders (docs/clusters.md)
    #[arg(long, value_enum, value_name = "WHO", default_value_t = Engine::Local)]
    engine: Engine,
    /// Tasks of a cluster, each a part of the runs [default: as many as runs, 100 at most]
    #[arg(long, value_name = "N")]
    tasks: Option<usize>,
}

impl Recorded for Args {
    fn files(&self) -> Files {
        Files { json: self.json.clone(), read: vec![self.plan.clone()], ..Files::default() }
    }
}

pub fn main(args: Args, record: &mut Record) -> Result<()> {
    args.crew.check()?;
    let plan = Plan::read(&args.plan)?;
    let spread = Spread::new(&plan).with_context(|| args.plan.display().to_string())?;
    if let (Some(csv), Some(count)) = (&args.from, args.again) {
        return make_again(&plan, &spread, csv, count.get(), &args);
    }
    if let (Some(csv), false) = (&args.from, args.complete) {
        return redraw(&plan, &spread, csv, &args);
    }
    let inputs = inputs(&plan, &args.plan)?;
    if args.check {
        println!("{}: {} points, {} different runs", plan.name, spread.points.len(), spread.runs.len());
        return Ok(());
    }
    let out = place(args.out.as_deref(), &plan)?;
    let interrupt = exit::interrupt_flag()?;
    let sweep = sweep(&plan, &spread, &inputs, &out, &args.crew, interrupt.clone())?;
    if let Some(shard) = args.shard {
        return make_part(&sweep, shard);
    }
    let endings = match &args.from {
        Some(csv) => complete(&sweep, redraw::kept(&plan, &spread, csv).with_context(|| csv.display().to_string())?)?,
        None => simulate(&sweep, &plan, &args.plan, &out, &args.crew)?,
    };
    let rows = rows(&plan, &spread, &inputs, &endings);
    match &args.from {
        // Rows do not have all that runs.json has.
        Some(_) => replace(&out.join("runs.csv"), &table::csv(&plan, &rows)?)?,
        None => write_rows(&plan, &rows, &out)?,
    }
    let own = own_clocks(&plan, args.no_area, &interrupt)?;
    draw(&plan, &rows, &own, &out)?;
    let outcome = check(&rows, &out);
    record.write_with(&table::json(&plan, &rows), &outcome)?;
    print(&plan, &rows, &own, &out);
    outcome
}

impl Crew {
    /// # Errors
    /// Numbers that are not allowed.
    pub fn check(&self) -> Result<()> {
        ensure!((1..=1024).contains(&self.jobs()), "--jobs {}: must be 1 to 1024", self.jobs());
        let tasks = self.tasks.unwrap_or(1);
        ensure!((1..=shard::MOST).contains(&tasks), "--tasks {tasks}: must be 1 to {}", shard::MOST);
        ensure!(self.tasks.is_none() || self.engine != Engine::Local, "--tasks: name an --engine that has tasks");
        Ok(())
    }

    fn jobs(&self) -> usize {
        let usual = || match self.engine {
            Engine::Local => std::thread::available_parallelism().map_or(1, usize::from),
            _ => 1,
        };
        self.jobs.unwrap_or_else(usual)
    }
}

/// The folder of results, made if need be.
fn place(named: Option<&Path>, plan: &Plan) -> Result<PathBuf> {
    let (out, made) = match named {
        Some(out) => (out.to_path_buf(), output::make_folder(out)),
        None => {
            let usual = Path::new("out/sweep").join(&plan.name);
            (usual.clone(), std::fs::create_dir_all(&usual))
        }
    };
    made.with_context(|| format!("--out: cannot write to {}", out.display()))?;
    Ok(out)
}

fn inputs(plan: &Plan, file: &Path) -> Result<Vec<Given>> {
    let open = |wanted| Given::open(wanted, &plan.ways, &plan.readings);
    plan.inputs.iter().map(open).collect::<Result<Vec<_>>>().with_context(|| file.display().to_string())
}

fn sweep<'a>(
    plan: &Plan,
    spread: &'a Spread,
    inputs: &'a [Given],
    out: &Path,
    crew: &Crew,
    interrupt: Arc<AtomicBool>,
) -> Result<Sweep<'a>> {
    let store = Store::open(out.join("runs"))?;
    let contents = inputs.iter().map(store::contents).collect::<Result<Vec<_>>>()?;
    let names: Vec<_> = (0..inputs.len()).map(|input| plan.input(input)).collect();
    let keys = spread.runs.iter().map(|run| {
        let source = inputs[run.input].source(run.variant.name());
        store.key(run, &names[run.input], &contents[run.input], source)
    });
    let keys = keys.collect::<Result<Vec<_>>>()?;
    Ok(Sweep { runs: &spread.runs, inputs, names, keys, store, jobs: crew.jobs(), interrupt })
}

/// The ending of each run, whoever made it.
fn simulate(sweep: &Sweep, plan: &Plan, file: &Path, out: &Path, crew: &Crew) -> Result<Vec<Ending>> {
    let all: Vec<usize> = (0..sweep.runs.len()).collect();
    let finished = match crew.engine {
        Engine::Local => sweep.make(&all)?,
        engine => {
            let count = crew.tasks.unwrap_or(all.len().clamp(1, USUAL_TASKS));
            Tasks { sweep, plan, file, out, count }.make(engine)?
        }
    };
    Ok(finished.into_iter().map(|run| run.ending).collect())
}

/// The ending of each run: those that are `kept`, and the others made.
fn complete(sweep: &Sweep, kept: Vec<Option<Ending>>) -> Result<Vec<Ending>> {
    let missing: Vec<usize> = (0..kept.len()).filter(|&run| kept[run].is_none()).collect();
    let mut made = sweep.make(&missing)?.into_iter();
    Ok(kept.into_iter().map(|ending| ending.unwrap_or_else(|| made.next().expect("one for each").ending)).collect())
}

fn make_part(sweep: &Sweep, shard: Shard) -> Result<()> {
    let part = &deal(&sweep.weights(), shard.of)[shard.number - 1];
    let finished = sweep.make(part)?;
    let failed: Vec<&Finished> = finished.iter().filter(|run| matches!(run.ending, Ending::Failed(_))).collect();
    println!("part {shard}: {} of {} runs of the plan are kept", finished.len(), sweep.runs.len());
    match &failed[..] {
        [] => Ok(()),
        [first, ..] => {
            Err(CheckFailed(format!("{} of {} runs failed; the first: {first}", failed.len(), finished.len())).into())
        }
    }
}

fn rows<'a>(plan: &Plan, spread: &'a Spread, inputs: &[Given], endings: &'a [Ending]) -> Vec<Placed<'a>> {
    let extents: Vec<Extent> = inputs.iter().map(|i| i.graph().map(|g| (Graph::nodes(g), Graph::edges(g)))).collect();
    table::rows(plan, &extents, spread, endings)
}

/// Tasks of a cluster beyond which the start of a task costs more than what it adds.
const USUAL_TASKS: usize = 100;

/// The cost of a plan.
pub struct Cost {
    pub runs: usize,
    /// On one core, all runs together; `None`: nobody has measured it.
    pub core_minutes: Option<u32>,
}

/// # Errors
/// A plan that cannot be.
pub fn cost(file: &Path) -> Result<Cost> {
    let plan = Plan::read(file)?;
    let spread = Spread::new(&plan).with_context(|| file.display().to_string())?;
    Ok(Cost { runs: spread.runs.len(), core_minutes: plan.core_minutes })
}

/// Carries out a plan as `unruly sweep` does, and gives its numbered claims beside the new numbers.
///
/// # Errors
/// As `unruly sweep`.
pub fn carry_out(file: &Path, crew: &Crew, interrupt: Arc<AtomicBool>) -> Result<Vec<Stated>> {
    let plan = Plan::read(file)?;
    let spread = Spread::new(&plan).with_context(|| file.display().to_string())?;
    let (inputs, out) = (inputs(&plan, file)?, place(None, &plan)?);
    let sweep = sweep(&plan, &spread, &inputs, &out, crew, interrupt)?;
    let endings = simulate(&sweep, &plan, file, &out, crew)?;
    let rows = rows(&plan, &spread, &inputs, &endings);
    write_rows(&plan, &rows, &out)?;
    draw(&plan, &rows, &OwnClocks::default(), &out)?;
    check(&rows, &out)?;
    Ok(stated::of_rows(&plan, &rows))
}

/// The figure and the report of a plan without units of the user's own, from the `runs.csv` of a sweep.
pub struct Published {
    pub figure: String,
    pub report: String,
}

impl Published {
    /// # Errors
    /// A plan that cannot be; rows that are not the plan's.
    pub fn read(file: &Path, csv: &Path) -> Result<Published> {
        let plan = Plan::read(file)?;
        let spread = Spread::new(&plan).with_context(|| file.display().to_string())?;
        let endings = redraw::endings(&plan, &spread, csv).with_context(|| csv.display().to_string())?;
        let rows = rows_of_any_size(&plan, &spread, &endings);
        Ok(Published {
            figure: plot::draw(&plan, &rows)?,
            report: report::text(&plan, &rows, &OwnClocks::default(), &figure_name(&plan)),
        })
    }
}

/// Only `runs.csv` and the JSON say how large inputs are.
fn rows_of_any_size<'a>(plan: &Plan, spread: &'a Spread, endings: &'a [Ending]) -> Vec<Placed<'a>> {
    table::rows(plan, &vec![None; plan.inputs.len()], spread, endings)
}

/// The figure from `runs.csv`, drawn again.
fn redraw(plan: &Plan, spread: &Spread, csv: &Path, args: &Args) -> Result<()> {
    let endings = redraw::endings(plan, spread, csv).with_context(|| csv.display().to_string())?;
    let rows = rows_of_any_size(plan, spread, &endings);
    let own = own_clocks(plan, args.no_area, &*exit::interrupt_flag()?)?;
    let out = place(args.out.as_deref(), plan)?;
    draw(plan, &rows, &own, &out)?;
    print(plan, &rows, &own, &out);
    check(&rows, &out)
}

/// Runs of the rows in `csv`, made again in a folder of their own.
fn make_again(plan: &Plan, spread: &Spread, csv: &Path, count: usize, args: &Args) -> Result<()> {
    let endings = redraw::endings(plan, spread, csv).with_context(|| csv.display().to_string())?;
    let (inputs, folder) = (inputs(plan, &args.plan)?, tempfile::tempdir()?);
    let sweep = sweep(plan, spread, &inputs, folder.path(), &args.crew, exit::interrupt_flag()?)?;
    again::compare(&sweep, &endings, count)
}

/// All runs ended well.
fn check(rows: &[Placed], out: &Path) -> Result<()> {
    match rows.iter().filter(|p| p.row.failure.is_some()).count() {
        0 => Ok(()),
        n => {
            let report = out.join("report.md");
            Err(CheckFailed(format!("{n} of {} rows failed: see {}", rows.len(), report.display())).into())
        }
    }
}

fn write_rows(plan: &Plan, rows: &[Placed], out: &Path) -> Result<()> {
    let mut json = serde_json::to_vec_pretty(&table::json(plan, rows))?;
    json.push(b'\n');
    replace(&out.join("runs.csv"), &table::csv(plan, rows)?)?;
    replace(&out.join("runs.json"), &json)
}

fn draw(plan: &Plan, rows: &[Placed], own: &OwnClocks, out: &Path) -> Result<()> {
    let plot = figure_name(plan);
    replace(&out.join(&plot), plot::draw(plan, rows)?.as_bytes())?;
    replace(&out.join("report.md"), report::text(plan, rows, own, &plot).as_bytes())
}

fn figure_name(plan: &Plan) -> String {
    format!("{}.svg", plan.name)
}

/// In one step.
fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    output::replace(path, bytes).with_context(|| format!("{}: cannot write", path.display()))
}

/// The clocks of user units.
fn own_clocks(plan: &Plan, is_left_out: bool, interrupt: &AtomicBool) -> Result<OwnClocks> {
    match is_left_out {
        true => Ok(OwnClocks::default()),
        false => OwnClocks::measure(plan, interrupt),
    }
}

fn print(plan: &Plan, rows: &[Placed], own: &OwnClocks, out: &Path) {
    print_speedups(plan, rows, out);
    report::verdicts(plan, own).iter().for_each(|line| println!("{line}"));
}

fn print_speedups(plan: &Plan, rows: &[Placed], out: &Path) {
    println!("{}", plan.title);
    if !plan.is_plain() {
        return print_measures(plan, rows, out);
    }
    for panel in figure::panels(plan) {
        for column in figure::columns(plan, panel) {
            let speedups = figure::speedups(plan, rows, &column);
            let mean = table::geometric_mean(speedups.into_iter());
            let mean = mean.map_or("a run is missing".into(), |mean| format!("{mean:.2}"));
            let name = format!("{panel} {}", column.label);
            println!("{:<40} {mean}", name.trim());
        }
    }
    println!("speedup over the baseline, geometric mean; see {}", out.join("report.md").display());
}

fn print_measures(plan: &Plan, rows: &[Placed], out: &Path) {
    for measure in &plan.measures {
        println!("{}", measure.kind.title());
        for panel in figure::panels(plan) {
            for column in cells::bars(plan, rows, measure, panel) {
                let mean = cells::usual_mean(measure, &column.bars);
                let mean = mean.map_or("a run is missing".into(), |mean| measure.kind.shown_bar(&mean));
                println!("  {:<38} {mean}", format!("{panel} {}", column.label).trim());
            }
        }
    }
    println!(
        "geometric means of what is beside the baseline's, arithmetic of the rest; see {}",
        out.join("report.md").display()
    );
}
