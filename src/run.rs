//! `unruly run`: a workload on the GPU model, with the implementation of the units that the user chooses.

use crate::builds;
use crate::config::{configuration, configuration_file};
use crate::exit;
use crate::extensions;
use crate::graph_options::GraphOptions;
use crate::hardware::HardwareOptions;
use crate::implementations::{self, LockstepInfo};
use crate::in_hardware;
use crate::limits::Limits;
use crate::progress::Progress;
use crate::record::{Files, Record, Recorded};
use crate::simulate::{classify, Simulated, Simulation};
use crate::summary;
use crate::unit_clock::{self, UnitClock};
use crate::user_unit;
use anyhow::{bail, ensure, Context, Result};
use rayon::prelude::*;
use serde::Serialize;
use sim::attach::hwwl::timeline::ActiveThreads;
use sim::config::Config;
use sim::graph::{self, Changes, Graph};
use sim::number::whole_u32;
use sim::stats::Stats;
use sim::workload::{self, Input, Takes, Variant, Workload, WorkloadError};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::Arc;
use testbench::in_gpu::Implementation;
use testbench::systems::PlugIn;

/// Run a workload; the result is checked against a plain CPU algorithm
///
/// Graph algorithms need --graph, regular kernels make their own input of a --size.
///
/// Example: unruly run bfs --graph debian --variant hwwl --units lockstep --against swwl,topo
#[derive(clap::Args)]
pub struct Args {
    /// See `unruly list workloads`
    workload: String,
    /// A preset (see `unruly list presets`) or a TOML file
    #[arg(long, default_value = "hwwl-micro14", value_name = "PRESET|FILE")]
    config: String,
    /// Change a field of the configuration, as in `hwwl.entries=64`; may be repeated
    #[arg(long, value_name = "FIELD=VALUE")]
    set: Vec<String>,
    /// `debian`, gen:KIND:SIZE[:OPTION=VALUE ...], or a file (see `unruly list graphs`)
    #[arg(long, value_name = "GRAPH")]
    graph: Option<String>,
    #[command(flatten)]
    reading: GraphOptions,
    /// Node to start from, as the graph's file calls it; the nodes of a generated graph are numbers from 0 [default: the graph's own]
    #[arg(long, value_name = "NODE", allow_negative_numbers = true, conflicts_with = "source_index")]
    source: Option<String>,
    /// Node to start from, by its place in the graph, from 0
    #[arg(long, value_name = "N", value_parser = whole_u32)]
    source_index: Option<u32>,
    /// Size of the input of a workload without a graph (see `unruly list workloads`) [default: the workload's own]
    #[arg(long, value_name = "N", value_parser = whole_u32)]
    size: Option<u32>,
    /// See `unruly list workloads` [default: the only one, if there is only one]
    #[arg(long, value_name = "VARIANT")]
    variant: Option<String>,
    #[command(flatten)]
    hardware: HardwareOptions,
    /// Run these variants as well, without a unit of your own, and report the speedup over the better of them
    #[arg(long, value_delimiter = ',', value_name = "VARIANT,...")]
    against: Vec<String>,
    #[command(flatten)]
    limits: Limits,
    /// Write the whole result to this file, for programs (docs/json.md)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Recorded for Args {
    fn files(&self) -> Files {
        let graph = self.graph.as_deref().filter(|spec| graph::is_path(spec)).map(PathBuf::from);
        let mut files = Files {
            json: self.json.clone(),
            read: graph.into_iter().chain(configuration_file(&self.config)).collect(),
            ..Files::default()
        };
        self.hardware.user_unit.add_files(&mut files);
        files
    }
}

#[derive(Serialize)]
struct GraphInfo {
    name: String,
    nodes: usize,
    edges: usize,
    /// The format of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    /// The edges of a file have kept their directions.
    #[serde(skip_serializing_if = "Option::is_none")]
    directed: Option<bool>,
    /// Other facts of a file about its nodes and edges, which nobody uses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unused: Vec<String>,
    /// Where the lengths of edges are from, for a workload that takes them.
    #[serde(skip_serializing_if = "Option::is_none")]
    lengths: Option<String>,
    /// Changes to the edges of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    changes: Option<Changes>,
    /// The place and the name of the node from which a workload starts, if it starts at one.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_name: Option<String>,
}

impl GraphInfo {
    /// Notes, a line each: how a file was read, what became of its edges, and where their lengths are from.
    fn notes(&self) -> Vec<String> {
        let several = self.changes.map_or(0, |changes| changes.several_lengths);
        let lengths = |origin: &String| match several {
            0 => format!("lengths: {origin}"),
            count => format!("lengths: {origin}; edges with several, of which the shortest counts: {count}"),
        };
        self.input().into_iter().chain(self.lengths.as_ref().map(lengths)).collect()
    }

    /// The way in which a file was read.
    fn input(&self) -> Option<String> {
        let format = format!("input: {}", self.format?);
        let directions = self.directed.filter(|directed| *directed).map(|_| "directions kept".to_owned());
        let changes = self.changes.and_then(|changes| changes.shown());
        let unused = (!self.unused.is_empty()).then(|| format!("not used: {}", self.unused.join(", ")));
        let parts = [Some(format), directions, changes, unused];
        Some(parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
    }
}

/// One launch of the run.
#[derive(Serialize)]
struct Launch {
    kernel: String,
    level: u32,
    /// Nodes or elements with work to do when the launch began.
    work: u64,
    cycles: u64,
    warp_instructions: u64,
    statistics: Stats,
}

/// The results of one variant.
#[derive(Serialize)]
pub struct Measured {
    pub variant: &'static str,
    cycles: u64,
    warp_instructions: u64,
    thread_instructions: u64,
    /// Thread instructions a cycle, whole GPU.
    ipc: f64,
    /// The result was checked, and equals the CPU algorithm's; a run with a wrong result ends with exit code 1.
    verified: bool,
    /// The result of the check.
    pub checked: String,
    /// Nodes that a search for distances has reached, its source among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    reached: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lockstep: Option<LockstepInfo>,
    /// The user's own unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<user_unit::Report>,
    launches: Vec<Launch>,
    /// All launches together.
    pub statistics: Stats,
    /// Threads with work from the hardware worklist over time.
    #[serde(skip_serializing_if = "Option::is_none")]
    active_threads: Option<ActiveThreads>,
}

#[derive(Serialize)]
struct Report<'a> {
    workload: &'static str,
    config: String,
    /// All fields, changes included.
    configuration: &'a Config,
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<GraphInfo>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<u32>,
    units: Implementation,
    #[serde(flatten)]
    measured: Measured,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    against: Vec<Measured>,
    /// Cycles of the better of `against`, over `cycles`.
    #[serde(skip_serializing_if = "Option::is_none")]
    speedup: Option<f64>,
    /// Clocks of the hardware units that the variant uses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unit_clocks: Vec<UnitClock>,
    /// `speedup` in time, if the GPU runs at the clock of its slowest unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    speedup_in_time: Option<f64>,
}

pub fn main(args: Args, record: &mut Record) -> Result<()> {
    let workload = workload::find(&args.workload)?;
    let config = configuration(&args.config, &args.set)?;
    let variants = variants(workload, &config, &args)?;
    let attached = extensions::find_all(&args.hardware.attach)?;
    if args.hardware.units != Implementation::Behavioural && attached.is_empty() {
        in_hardware::check(workload, variants[0], &config)?;
    }
    let problem = Problem::new(workload, &args)?;
    let user_unit = args.hardware.user_unit.load_for_workload(workload.name, &config, &args.files())?;

    let job = Job {
        workload,
        config: &config,
        input: problem.input(),
        interrupt: exit::interrupt_flag()?,
        progress: Arc::new(Progress::new(variants.len())),
        attached: &attached,
        user_unit: user_unit.as_ref(),
        evidence: &args.hardware.evidence,
        seed: args.hardware.seed,
        limits: args.limits,
    };
    builds::watch(&job.progress, 0, &job.interrupt);
    let results: Vec<Result<Measured>> = variants
        .par_iter()
        .enumerate()
        .map(|(place, &variant)| {
            job.run(place, variant, if place == 0 { args.hardware.units } else { Implementation::Behavioural })
        })
        .collect();
    job.progress.finish();
    let mut results = results.into_iter().collect::<Result<Vec<_>>>()?;

    let measured = results.remove(0);
    let better = results.iter().map(|r| r.cycles).min();
    let speedup = better.map(|cycles| cycles as f64 / measured.cycles as f64);
    let mut unit_clocks = UnitClock::all(&config, variants[0]);
    unit_clocks.extend(measured.unit.as_ref().and_then(user_unit::Report::clock).cloned());
    let report = Report {
        workload: workload.name,
        config: config.name.clone(),
        configuration: &config,
        graph: problem.graph_info(workload),
        size: problem.size(),
        units: args.hardware.units,
        speedup,
        speedup_in_time: speedup.zip(unit_clock::stretch(&unit_clocks)).map(|(speedup, stretch)| speedup / stretch),
        unit_clocks,
        measured,
        against: results,
    };
    let outcome = user_unit::outcome(report.measured.unit.as_ref(), report.measured.cycles);
    record.write_with(&report, &outcome)?;
    print(&report, &problem.shown(workload), &config);
    outcome
}

/// The variant to measure, then those to compare it with.
fn variants(workload: &Workload, config: &Config, args: &Args) -> Result<Vec<Variant>> {
    let first = match (&args.variant, workload.variants) {
        (Some(name), _) => name.parse()?,
        (None, [only]) => *only,
        (None, _) => {
            let known = workload.variants_on(config).map(Variant::name).collect::<Vec<_>>().join(", ");
            bail!("{} needs a --variant; on {} there is {known}", workload.name, config.name)
        }
    };
    let others = args.against.iter().map(|name| name.parse());
    let variants = std::iter::once(Ok(first)).chain(others).collect::<Result<Vec<Variant>, _>>()?;
    for variant in &variants {
        workload.check_variant(*variant, config)?;
    }
    Ok(variants)
}

/// The input of the workload.
enum Problem {
    Graph { graph: Graph, source: u32 },
    Size { size: u32, meaning: &'static str },
}

impl Problem {
    /// Options that mean nothing to the workload are refused.
    fn new(workload: &Workload, args: &Args) -> Result<Problem> {
        let name = workload.name;
        let has_source = args.source.is_some() || args.source_index.is_some();
        if let Takes::Size(size) = workload.takes {
            if args.graph.is_some() {
                return Err(WorkloadError::NoGraph { workload: name }.into());
            }
            ensure!(!has_source, "{name} works on no graph: leave out --source");
            if let Some(option) = args.reading.given() {
                bail!("{name} works on no graph: leave out {option}");
            }
            return Ok(Problem::Size { size: args.size.unwrap_or(size.default), meaning: size.meaning });
        }
        ensure!(args.size.is_none(), "{name} works on a graph, which has its own size: leave out --size");
        let starts = workload.takes == Takes::GraphAndSource;
        ensure!(starts || !has_source, "{name} starts at no node: leave out --source");
        let spec = args.graph.as_ref().ok_or(WorkloadError::NeedsGraph { workload: name })?;
        let graph = args.reading.open(spec, workload)?;
        let source = source(&graph, args)?;
        Ok(Problem::Graph { graph, source })
    }

    fn input(&self) -> Input<'_> {
        match self {
            Problem::Graph { graph, source } => Input::Graph { graph, source: *source },
            Problem::Size { size, .. } => Input::Size(*size),
        }
    }

    fn graph_info(&self, workload: &Workload) -> Option<GraphInfo> {
        let Problem::Graph { graph, source } = self else { return None };
        let source = (workload.takes == Takes::GraphAndSource).then_some(*source);
        let origin = graph.origin.as_ref();
        Some(GraphInfo {
            format: origin.map(|origin| origin.format.name()),
            directed: origin.map(|origin| origin.directed),
            unused: origin.map_or_else(Vec::new, |origin| origin.unused.clone()),
            name: graph.name.clone(),
            nodes: graph.nodes(),
            edges: graph.edges(),
            lengths: workload.takes_lengths.then(|| graph.weights_origin()),
            changes: graph.changes,
            source,
            source_name: source.map(|node| graph.label(node)),
        })
    }

    fn size(&self) -> Option<u32> {
        match self {
            Problem::Graph { .. } => None,
            Problem::Size { size, .. } => Some(*size),
        }
    }

    fn shown(&self, workload: &Workload) -> String {
        match self {
            Problem::Graph { graph, source } => {
                let starts = workload.takes == Takes::GraphAndSource;
                let from = if starts { format!(", from node {}", graph.label(*source)) } else { String::new() };
                format!("on {}: {} nodes, {} edges{from}", graph.name, graph.nodes(), graph.edges())
            }
            Problem::Size { size, meaning } => format!("of {size} {meaning}"),
        }
    }
}

/// Where the search starts.
fn source(graph: &Graph, args: &Args) -> Result<u32> {
    match (&args.source, args.source_index) {
        (Some(name), _) => Ok(graph.named(name).context("--source")?),
        (None, Some(index)) => {
            let nodes = graph.nodes();
            ensure!(
                (index as usize) < nodes,
                "--source-index {index}: {} has the places 0 to {}",
                graph.name,
                nodes - 1
            );
            Ok(index)
        }
        (None, None) => Ok(graph.source),
    }
}

/// The parts that all variants of a run share.
struct Job<'a> {
    workload: &'static Workload,
    config: &'a Config,
    input: Input<'a>,
    interrupt: Arc<AtomicBool>,
    progress: Arc<Progress>,
    attached: &'a [&'static PlugIn],
    user_unit: Option<&'a user_unit::Attached>,
    evidence: &'a Path,
    seed: u64,
    limits: Limits,
}

impl Job<'_> {
    fn run(&self, place: usize, variant: Variant, implementation: Implementation) -> Result<Measured> {
        let who = format!("{} {}", self.workload.name, variant.name());
        let choice = (implementation, self.seed);
        let (mut systems, handles) =
            implementations::chosen(self.config, variant, choice, self.attached, self.evidence, &who)?;
        let user_unit = self.user_unit.filter(|_| place == 0);
        systems.extend(user_unit.map(|unit| unit.system(self.seed, self.evidence)).transpose()?);
        let simulation = Simulation {
            workload: self.workload,
            variant,
            config: self.config,
            input: self.input,
            interrupt: self.interrupt.clone(),
            limits: self.limits,
        };
        let progress = self.progress.clone();
        let simulated = simulation.run(systems, move |text| progress.say(place, text)).map_err(classify)?;
        let lockstep = handles.lockstep(implementation)?;
        let Simulated { outcome, statistics, active_threads, user_unit: totals } = simulated;
        let unit = user_unit.map(|unit| unit.report(totals, &self.interrupt, &|line| self.progress.say(place, line)));
        self.progress.say(place, format!("{}: done, {} cycles", variant.name(), statistics.cycles));
        Ok(Measured {
            variant: variant.name(),
            cycles: statistics.cycles,
            warp_instructions: statistics.core.warp_instructions,
            thread_instructions: statistics.core.thread_instructions,
            ipc: statistics.ipc(),
            verified: !outcome.checked.is_empty(),
            reached: self.workload.reached(&outcome),
            checked: outcome.checked,
            lockstep,
            unit: unit.transpose()?,
            launches: outcome.steps.iter().map(launch).collect(),
            statistics,
            active_threads,
        })
    }
}

fn launch(step: &workload::Step) -> Launch {
    Launch {
        kernel: step.kernel.clone(),
        level: step.start.level,
        work: step.start.work,
        cycles: step.stats.cycles,
        warp_instructions: step.stats.core.warp_instructions,
        statistics: step.stats.clone(),
    }
}

fn print(report: &Report, problem: &str, config: &Config) {
    println!("{} {}; configuration {}", report.workload, problem, report.config);
    report.graph.iter().flat_map(GraphInfo::notes).for_each(|note| println!("{note}"));
    let all: Vec<_> = std::iter::once(&report.measured).chain(&report.against).collect();
    summary::print(&all.iter().map(|m| (m.variant, &m.statistics)).collect::<Vec<_>>(), config);
    for m in all {
        println!("{}: verified, {}", m.variant, m.checked);
    }
    if let (Some(reached), Some(graph)) = (report.measured.reached, &report.graph) {
        println!("reached: {reached} of {} nodes", graph.nodes);
    }
    if let Some(lockstep) = &report.measured.lockstep {
        lockstep.print();
    }
    report.measured.unit.iter().flat_map(user_unit::Report::lines).for_each(|line| println!("{line}"));
    if let Some(speedup) = report.speedup {
        let with_unit = report.measured.unit.as_ref().map_or_else(String::new, |unit| format!(" with {}", unit.name()));
        let variant = report.measured.variant;
        println!("speedup of {variant}{with_unit} over the better of the others: {speedup:.2}, in cycles");
        // That of an own unit stands with the unit.
        let user_unit = report.measured.unit.as_ref().and_then(user_unit::Report::clock);
        let others = report.unit_clocks.iter().filter(|clock| Some(*clock) != user_unit);
        others.for_each(|clock| println!("{}", clock.shown()));
        if let Some(speedup) = report.speedup_in_time.filter(|_| !report.unit_clocks.is_empty()) {
            println!("speedup in time, if the GPU runs at the clock of its slowest unit: {speedup:.2}");
        }
    }
}
