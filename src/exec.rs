//! `unruly exec`: a whole CUDA program, whose host code runs natively and whose kernels run on the GPU model.

mod context;
mod device_limits;
mod dump;
mod failure;
mod machine;
mod program;
mod properties;
mod report;
mod server;
mod service;
mod texture;
mod transfer;
mod wire;

use crate::builds;
use crate::checks::{CheckOptions, Found};
use crate::config::{configuration, configuration_file};
use crate::exit;
use crate::extensions;
use crate::hardware::HardwareOptions;
use crate::implementations::LockstepInfo;
use crate::limits::Limits;
use crate::nvcc;
use crate::progress::Progress;
use crate::record::{Files, Record, Recorded, Written};
use crate::user_unit;
use anyhow::{ensure, Context as _, Result};
use dump::Dump;
use machine::{Choice, Machine};
use report::Statistics;
use serde::Serialize;
use server::Stop;
use service::Service;
use sim::config::Config;
use sim::number::whole_u64;
use sim::stats::Stats;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::ops::RangeInclusive;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::sync::Arc;
use testbench::in_gpu::Implementation;

/// Run a whole CUDA program, its kernels on the GPU model
///
/// The program has been made with `unruly nvcc`. Its host code runs as it is, and prints what it always prints. Its kernels run on the
/// cycle-level GPU, with RTL of the hardware units inside if asked. What is wrong in a kernel is one line on standard error, and an error
/// for the program. The exit code is the program's. docs/programs.md is a tutorial.
///
/// Example: unruly nvcc bfs.cu -o bfs && unruly exec ./bfs graph.txt
///
/// Example: unruly exec --units lockstep --stats launches.jsonl ./bfs graph.txt
#[derive(clap::Args)]
pub struct Args {
    /// A preset (see `unruly list presets`) or a TOML file
    #[arg(long, default_value = "hwwl-micro14", value_name = "PRESET|FILE")]
    config: String,
    /// Change a field of the configuration, as in `core.count=4`; may be repeated
    #[arg(long, value_name = "FIELD=VALUE")]
    set: Vec<String>,
    #[command(flatten)]
    hardware: HardwareOptions,
    /// The first launch that runs in detail; those before it only compute [default: 1]
    #[arg(long, value_name = "N", value_parser = whole_u64, conflicts_with = "functional")]
    from: Option<u64>,
    /// The last launch that runs in detail; those behind it only compute [default: no end]
    #[arg(long, value_name = "N", value_parser = whole_u64, conflicts_with = "functional")]
    to: Option<u64>,
    /// No launch runs in detail: kernels compute what they compute, but for those that use a hardware unit
    #[arg(long)]
    functional: bool,
    /// Write launch N, from 1 on, to a folder, from which `unruly kernel` runs it again
    #[arg(long, num_args = 2, value_names = ["N", "DIR"])]
    dump_launch: Vec<String>,
    #[command(flatten)]
    checks: CheckOptions,
    #[command(flatten)]
    limits: Limits,
    /// Write the counters of each launch to this file, one JSON object a line, as soon as the launch has ended
    #[arg(long, value_name = "FILE")]
    stats: Option<PathBuf>,
    /// Write the totals to this file, for programs (docs/json.md)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The program, and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    program: Vec<OsString>,
}

impl Recorded for Args {
    fn files(&self) -> Files {
        let written = self.stats.iter().map(|path| Written::by_option("--stats", path)).collect();
        let mut files = Files { json: self.json.clone(), written, ..Files::default() };
        files.read.extend(configuration_file(&self.config));
        files.read.push(self.program());
        self.hardware.user_unit.add_files(&mut files);
        files
    }
}

impl Args {
    fn program(&self) -> PathBuf {
        PathBuf::from(&self.program[0])
    }

    /// Launches that run in detail.
    fn detailed(&self) -> Result<RangeInclusive<u64>> {
        let (from, to) = (self.from.unwrap_or(1), self.to.unwrap_or(u64::MAX));
        ensure!(
            from <= to,
            "--from {from} --to {to}: there is no launch between them; --functional runs none in detail"
        );
        Ok(if self.functional { RangeInclusive::new(1, 0) } else { from..=to })
    }
}

/// The totals.
#[derive(Serialize)]
struct Report {
    /// As given.
    executable: String,
    arguments: Vec<String>,
    config: String,
    /// All fields, changes included.
    configuration: Config,
    units: Implementation,
    /// Launches that have begun.
    launch_count: u64,
    /// Cycles of launches in detail; all that follows counts these launches too.
    cycles: u64,
    warp_instructions: u64,
    thread_instructions: u64,
    /// Thread instructions a cycle, whole GPU.
    ipc: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    lockstep: Option<LockstepInfo>,
    /// The report of `--unit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<user_unit::Report>,
    /// All launches together.
    statistics: Stats,
    #[serde(skip_serializing_if = "Found::is_off")]
    findings: Found,
}

/// Runs the program.
pub fn main(args: Args, record: &mut Record) -> Result<()> {
    let config = configuration(&args.config, &args.set)?;
    let attached = extensions::find_all(&args.hardware.attach)?;
    let (detailed, dump) = (args.detailed()?, Dump::parse(&args.dump_launch)?);
    let stop = Stop::new(exit::interrupt_flag()?);
    builds::watch(&Arc::new(Progress::new(1)), 0, &stop.flag);
    let program = args.program();
    let user_unit = args.hardware.user_unit.load(&config, &args.files())?;
    let statistics = Statistics::create(args.stats.as_deref())?;
    let choice = Choice {
        config,
        user_unit,
        units: args.hardware.units,
        seed: args.hardware.seed,
        attached,
        evidence: args.hardware.evidence.clone(),
        limits: args.limits,
        who: program.display().to_string(),
        detailed,
    };
    let machine = Machine::new(choice, stop.flag.clone(), std::io::stderr().is_terminal());
    let mut service = Service::new(machine, statistics, dump.clone(), args.checks.clone());

    let folder = tempfile::tempdir().context("a folder for the socket")?;
    let socket = folder.path().join("gpu");
    let listener = UnixListener::bind(&socket).with_context(|| format!("{}: no socket", socket.display()))?;
    let child = program::start(&program, &args.program[1..], &socket, &nvcc::cuda_home()?.join("lib64"))?;
    let status = server::serve(listener, child, &mut service, &stop)?;

    if let Some(Dump { number, .. }) = dump.filter(|dump| dump.number > service.machine.launches()) {
        eprintln!("unruly: --dump-launch {number}: the program has launched {} kernels", service.machine.launches());
    }
    let outcome = program::outcome(&program, status);
    let report = report(&args, service, outcome.is_ok())?;
    if let Some(lockstep) = &report.lockstep {
        eprintln!("unruly: {}", lockstep.line());
    }
    report.unit.iter().flat_map(user_unit::Report::lines).for_each(|line| eprintln!("unruly: {line}"));
    let used = || user_unit::outcome(report.unit.as_ref(), report.cycles);
    let outcome = ended(outcome, &report.findings).and_then(|()| used());
    record.write_with(&report, &outcome)?;
    outcome
}

/// The program's end. What checks have found is a failure only of a program that has ended well.
fn ended(outcome: Result<()>, found: &Found) -> Result<()> {
    match (outcome, found.outcome()) {
        (Err(error), Err(found)) => {
            eprintln!("unruly: {found}");
            Err(error)
        }
        (outcome, found) => outcome.and(found),
    }
}

/// `has_ended_well`: only then area and clock of a unit are worth their time.
fn report(args: &Args, service: Service, has_ended_well: bool) -> Result<Report> {
    let Service { mut machine, found, .. } = service;
    let statistics = machine.stats();
    Ok(Report {
        executable: machine.choice.who.clone(),
        arguments: args.program[1..].iter().map(|text| text.to_string_lossy().into_owned()).collect(),
        config: machine.choice.config.name.clone(),
        configuration: machine.choice.config.clone(),
        units: machine.choice.units,
        launch_count: machine.launches(),
        cycles: machine.cycles(),
        warp_instructions: statistics.core.warp_instructions,
        thread_instructions: statistics.core.thread_instructions,
        ipc: statistics.ipc(),
        lockstep: machine.lockstep()?,
        unit: machine.user_unit(has_ended_well)?,
        statistics,
        findings: found,
    })
}
