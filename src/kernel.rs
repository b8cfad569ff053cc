//! `unruly kernel`: a kernel of the user's own, on buffers of the user's own.

mod argument;
mod buffer;
mod compile;
mod iru;
mod launch;
mod plan;
mod ptx;

use crate::builds;
use crate::checks::{CheckOptions, Found};
use crate::config::{configuration, configuration_file};
use crate::exit;
use crate::extensions;
use crate::hardware::HardwareOptions;
use crate::implementations::{self, LockstepInfo};
use crate::limits::Limits;
use crate::plain_name::plain_name;
use crate::progress::Progress;
use crate::record::{Files, Record, Recorded, Written};
use crate::summary;
use crate::user_unit;
use anyhow::{bail, ensure, Context, Result};
pub use buffer::Outputs;
use launch::Launched;
pub use launch::{gpu, Session, Tell};
use output::replace;
pub use plan::{Plan, Single, Size, Words};
pub use ptx::Ptx;
use serde::Serialize;
use sim::attach::Uses;
use sim::config::Config;
use sim::exec::Printed;
use sim::number::whole_u32;
use sim::ptx::program::Program;
use sim::ptx::Module;
use sim::stats::Stats;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use testbench::in_gpu::Implementation;

/// Run a kernel of your own, from CUDA C++ or PTX, on buffers from files
///
/// CUDA C++ is compiled as `unruly nvcc -ptx` does it, with clang and without a CUDA toolkit; `unruly.h` need not be included, and a
/// `main` is read and left out. Buffers are raw little-endian bytes. Each --arg is one parameter of the kernel, in order: a number (u8: u16: u32: u64:
/// s8: s16: s32: s64: f16: f32: f64:), a buffer (in:FILE, which the kernel may only read; inout:FILE; from:FILE, which stays as it is; out:FILE:BYTES and buf:BYTES, which
/// begin with zeros; files are written when the kernel has ended well), or a structure (struct:PART,... of numbers and buffers, or
/// its bytes, value:FILE). Several launches stand in a TOML file, --launches. docs/own-kernel.md is a tutorial.
///
/// Example: unruly kernel saxpy.cu --grid 4 --block 256 --arg u32:1000 --arg f32:0.5 --arg in:x.bin --arg inout:y.bin
///
/// Example: unruly kernel bfs.cu --define HARDWARE_WORKLIST --launches bfs.toml --units lockstep
#[derive(clap::Args)]
pub struct Args {
    /// CUDA C++ (.cu) or PTX (.ptx)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Name of the kernel, mangled or not [default: the only one, if there is only one]
    #[arg(long, value_name = "NAME")]
    entry: Option<String>,
    /// A preset (see `unruly list presets`) or a TOML file
    #[arg(long, default_value = "hwwl-micro14", value_name = "PRESET|FILE")]
    config: String,
    /// Change a field of the configuration, as in `core.count=4`; may be repeated
    #[arg(long, value_name = "FIELD=VALUE")]
    set: Vec<String>,
    /// CTAs in each dimension
    #[arg(long, value_name = "X[,Y[,Z]]", required_unless_present = "launches")]
    grid: Option<String>,
    /// Threads of a CTA in each dimension
    #[arg(long, value_name = "X[,Y[,Z]]", required_unless_present = "launches")]
    block: Option<String>,
    /// Dynamic shared memory of a CTA, bytes
    #[arg(long, default_value_t = 0, value_name = "BYTES", value_parser = whole_u32)]
    shared: u32,
    /// A parameter of the kernel; may be repeated
    #[arg(long, value_name = "KIND:VALUE", allow_hyphen_values = true)]
    arg: Vec<String>,
    /// What `load_iru` takes, for a configuration with reorder units: arrays by the number of their --arg, from 1. For example
    /// target=3,indices=1,secondary=2,count=1000,filter=minimum
    #[arg(long, value_name = "KEY=VALUE,...")]
    configure_iru: Option<String>,
    /// Buffers and several launches, a TOML file, instead of --entry, --grid, --block, --shared, --arg and --configure-iru (see
    /// docs/own-kernel.md)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["entry", "grid", "block", "shared", "arg", "configure_iru"])]
    launches: Option<PathBuf>,
    #[command(flatten)]
    hardware: HardwareOptions,
    /// Macro for the compiler; may be repeated
    #[arg(long, value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Keep the PTX that a .cu is compiled to, for the lines that messages name
    #[arg(long, value_name = "FILE")]
    ptx: Option<PathBuf>,
    #[command(flatten)]
    checks: CheckOptions,
    #[command(flatten)]
    limits: Limits,
    /// Write the whole result to this file, for programs (docs/json.md)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Recorded for Args {
    fn files(&self) -> Files {
        let mut files = Files {
            json: self.json.clone(),
            read: vec![self.file.clone()],
            written: self.ptx.iter().map(|path| Written::by_option("--ptx", path)).collect(),
            ..Files::default()
        };
        files.read.extend(configuration_file(&self.config));
        files.read.extend(self.launches.clone());
        self.hardware.user_unit.add_files(&mut files);
        self.buffers().iter().for_each(|(label, text)| buffer::add_files(label, text, &mut files));
        files
    }
}

impl Args {
    /// Texts that may name a buffer's file, and their labels in messages. Mistakes in a file of launches are for later.
    fn buffers(&self) -> Vec<(String, String)> {
        let single = self.arg.iter().map(|text| (format!("--arg {text}"), text.clone()));
        single.chain(self.launches.iter().flat_map(|path| plan::buffers(path))).collect()
    }

    fn plan(&self) -> Result<Plan> {
        if let Some(path) = &self.launches {
            return Plan::read(path);
        }
        let size = |option, text: &Option<String>| dimensions(option, text.as_deref().unwrap_or_default());
        Plan::of_one_launch(Single {
            words: Words { entry: "--entry", args: "--arg" },
            folder: Path::new(""),
            kernel: self.entry.clone(),
            grid: size("--grid", &self.grid)?,
            block: size("--block", &self.block)?,
            shared: self.shared,
            args: &self.arg,
            configure_iru: self.configure_iru.as_deref(),
        })
    }

    /// The kernel's file, compiled if need be; `--ptx` has what it was compiled to.
    fn ptx(&self) -> Result<Ptx> {
        let is_ptx = self.file.extension().is_some_and(|extension| extension == "ptx");
        ensure!(self.ptx.is_none() || !is_ptx, "--ptx: {} is PTX already", self.file.display());
        let ptx = Ptx::read(&self.file, Path::new(""), &self.define)?;
        let Some(kept) = &self.ptx else { return Ok(ptx) };
        let name = kept.display().to_string();
        replace(kept, ptx.text.as_bytes()).with_context(|| format!("--ptx {name}: cannot write"))?;
        Ok(Ptx { name, ..ptx })
    }
}

#[derive(Serialize)]
struct Report {
    file: String,
    /// SHA-256 of the PTX that ran: the output of clang for a .cu, or the file itself.
    ptx_sha256: String,
    config: String,
    /// All fields, changes included.
    configuration: Config,
    units: Implementation,
    /// The kernel of a single launch.
    #[serde(flatten)]
    only: Option<Kernel>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    arguments: Vec<String>,
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
    /// Reports of a file of launches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    launches: Vec<LaunchReport>,
    /// All launches together.
    statistics: Stats,
    #[serde(skip_serializing_if = "Found::is_off")]
    findings: Found,
}

/// Reads arguments, one a line, for a kernel that takes some of each kind.
///
/// # Errors
/// Mistakes in the arguments.
pub fn read_arguments(text: &str) -> Result<()> {
    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }
    let words = ["kernel", "kernel.ptx"].into_iter().chain(text.lines());
    let args = <Line as clap::Parser>::try_parse_from(words)?.args;
    args.files().check()?;
    check_programs(&args.plan()?)
}

/// Reads a file of launches of the same kernel.
///
/// # Errors
/// Mistakes in the file.
pub fn read_launches(path: &Path) -> Result<()> {
    check_programs(&Plan::read(path)?)
}

/// All but the launches themselves.
fn check_programs(plan: &Plan) -> Result<()> {
    const EVERY_KIND: &str =
        ".address_size 64\n.visible .entry k(.param .u32 a, .param .f32 b, .param .u64 c, .param .align 8 .b8 d[24]) { ret; }";
    let file = Path::new("kernel.ptx");
    let programs = plan.programs(&Module::parse("kernel.ptx", EVERY_KIND)?, file)?;
    let addresses = vec![0; plan.buffers.len()];
    for (step, program) in plan.steps.iter().zip(&programs) {
        argument::block(program, &step.arguments, 0, &addresses)?;
        argument::block(program, &step.arguments, 1, &addresses)?;
    }
    Ok(())
}

/// A kernel, and how it is launched.
#[derive(Clone, Serialize)]
pub struct Kernel {
    kernel: String,
    grid: [u32; 3],
    block: [u32; 3],
    /// Bytes a CTA, static and dynamic together.
    shared_bytes: u32,
    /// 32-bit registers a thread.
    registers: u32,
    /// Bytes a thread.
    local_bytes: u32,
}

#[derive(Serialize)]
struct LaunchReport {
    #[serde(flatten)]
    kernel: Kernel,
    cycles: u64,
    warp_instructions: u64,
    statistics: Stats,
}

pub fn main(args: Args, record: &mut Record) -> Result<()> {
    let config = configuration(&args.config, &args.set)?;
    let (files, plan) = (args.files(), args.plan()?);
    files.check_includes(&args.file)?;
    let source = args.hardware.user_unit.source(&config, &files)?;
    let ptx = args.ptx()?;
    let (programs, memory) = plan.load(&ptx, &args.file)?;
    let outputs = Outputs::prepare(&plan.buffers, Path::new(""))?;

    let (progress, interrupt) = (Arc::new(Progress::new(1)), exit::interrupt_flag()?);
    builds::watch(&progress, 0, &interrupt);
    let who = args.file.display().to_string();
    let uses: Uses = programs.iter().collect();
    let attached = extensions::find_all(&args.hardware.attach)?;
    let user_unit = args.hardware.user_unit.attached(source, &config)?;
    let (mut systems, handles) = implementations::chosen(
        &config,
        uses,
        (args.hardware.units, args.hardware.seed),
        &attached,
        &args.hardware.evidence,
        &who,
    )?;
    if let Some(user_unit) = &user_unit {
        systems.push(user_unit.system(args.hardware.seed, &args.hardware.evidence)?);
    }
    let gpu = gpu(&config, systems, memory, args.limits, &interrupt);
    let bar = progress.clone();
    let tell = Arc::new(move |line| bar.say(0, line));
    let mut session = Session::new(gpu, &plan, &programs, tell, args.checks.found())?;
    args.checks.start(session.gpu.memory_mut());
    let launched = session.run(|printed| progress.aside(|| show(printed)));
    progress.finish();
    let launched = launched?;
    outputs.write(&session.addresses, session.gpu.memory())?;

    let statistics = session.gpu.stats().clone();
    let mut totals = user_unit::Totals::default();
    totals.add(&session.gpu);
    let kernel = |(step, program): (&plan::Step, _)| Kernel::new(program, step.grid, step.block, step.shared);
    let kernels: Vec<_> = plan.steps.iter().zip(&programs).map(kernel).collect();
    let of_file = args.launches.is_some();
    let report = Report {
        file: args.file.display().to_string(),
        ptx_sha256: ptx.sha256(),
        config: config.name.clone(),
        configuration: config.clone(),
        units: args.hardware.units,
        only: (!of_file).then(|| kernels[0].clone()),
        arguments: args.arg,
        cycles: statistics.cycles,
        warp_instructions: statistics.core.warp_instructions,
        thread_instructions: statistics.core.thread_instructions,
        ipc: statistics.ipc(),
        lockstep: handles.lockstep(args.hardware.units)?,
        unit: user_unit.map(|unit| unit.report(totals, &interrupt, &|line| progress.say(0, line))).transpose()?,
        launches: launched.iter().filter(|_| of_file).map(|launched| launch_report(launched, &kernels)).collect(),
        statistics,
        findings: session.found,
    };
    progress.finish();
    let used = user_unit::outcome(report.unit.as_ref(), report.cycles);
    let outcome = report.findings.outcome().and(used);
    record.write_with(&report, &outcome)?;
    print(&report, &kernels, &launched, &config);
    match session.gpu.worklist_count() {
        0 => {}
        left => println!("the worklist still holds {left} IDs, which no launch has pulled"),
    }
    outcome
}

/// The text that a kernel has printed.
fn show(printed: Printed) -> Result<()> {
    std::io::stdout().write_all(&printed.text).context("standard output")?;
    if printed.lost > 0 {
        eprintln!("unruly: the text of {} calls of printf is lost: a launch can print a MiB", printed.lost);
    }
    Ok(())
}

impl Kernel {
    /// `dynamic_shared`: bytes beside the static ones.
    pub fn new(program: &Program, grid: [u32; 3], block: [u32; 3], dynamic_shared: u32) -> Self {
        Kernel {
            kernel: program.name.clone(),
            grid,
            block,
            shared_bytes: program.shared_bytes + dynamic_shared,
            registers: program.registers,
            local_bytes: program.local_bytes,
        }
    }
}

fn launch_report(launched: &Launched, kernels: &[Kernel]) -> LaunchReport {
    LaunchReport {
        kernel: kernels[launched.step].clone(),
        cycles: launched.stats.cycles,
        warp_instructions: launched.stats.core.warp_instructions,
        statistics: launched.stats.clone(),
    }
}

/// `4`, `4,2` or `4,2,1`
fn dimensions(option: &str, text: &str) -> Result<[u32; 3]> {
    let parts = text.split(',').map(|part| whole_u32(part.trim()).ok().filter(|n| *n > 0));
    let parts: Option<Vec<_>> = parts.collect();
    match parts.as_deref() {
        Some([x]) => Ok([*x, 1, 1]),
        Some([x, y]) => Ok([*x, *y, 1]),
        Some([x, y, z]) => Ok([*x, *y, *z]),
        _ => bail!("{option} {text}: write one to three numbers from 1 on, for example 16,16"),
    }
}

/// The kernel's name in the PTX. `option` is where a user names one of several.
fn entry(module: &Module, file: &Path, wanted: Option<&str>, option: &str) -> Result<String> {
    let entries = module.entries();
    let file = file.display();
    // The plain name, if it is one of a single kernel: instances of a template have one in common.
    let shown = |name: &&str| match entries.iter().filter(|other| plain_name(other) == plain_name(name)).count() {
        1 => format!("`{}`", plain_name(name)),
        _ => format!("`{name}`"),
    };
    let names = || entries.iter().map(shown).collect::<Vec<_>>().join(", ");
    let Some(wanted) = wanted else {
        return match entries.as_slice() {
            [] => bail!("{file}: there is no kernel in it"),
            [only] => Ok(only.to_string()),
            _ => bail!("{file}: there are several kernels; name one of {} with {option}", names()),
        };
    };
    let plain: Vec<_> = entries.iter().filter(|name| plain_name(name) == wanted).collect();
    match (entries.contains(&wanted), plain.as_slice()) {
        (true, _) => Ok(wanted.to_string()),
        (false, [only]) => Ok(only.to_string()),
        (false, []) if entries.is_empty() => bail!("{file}: there is no kernel in it"),
        (false, []) => {
            let hint = spelling::hint(wanted, entries.iter().map(|name| plain_name(name)));
            bail!("{file}: there is no kernel `{wanted}`; there is {}{hint}", names())
        }
        (false, several) => {
            let mangled: Vec<_> = several.iter().map(|name| format!("`{name}`")).collect();
            bail!("{file}: several kernels are called `{wanted}`; name one of {}", mangled.join(", "))
        }
    }
}

fn print(report: &Report, kernels: &[Kernel], launched: &[Launched], config: &Config) {
    println!("{}; configuration {}", report.file, report.config);
    let size = |[x, y, z]: [u32; 3]| format!("{x} x {y} x {z}");
    for (step, kernel) in kernels.iter().enumerate() {
        let mine = launched.iter().filter(|launched| launched.step == step);
        let (times, cycles) =
            mine.fold((0, 0), |(times, cycles), launched| (times + 1, cycles + launched.stats.cycles));
        println!(
            "{}: {times} {}, {cycles} cycles; grid {}, block {}, {} registers a thread, {} bytes of shared memory a CTA",
            plain_name(&kernel.kernel),
            if times == 1 { "launch" } else { "launches" },
            size(kernel.grid),
            size(kernel.block),
            kernel.registers,
            kernel.shared_bytes,
        );
    }
    let name = if kernels.len() == 1 { plain_name(&kernels[0].kernel) } else { "all launches" };
    summary::print(&[(name, &report.statistics)], config);
    if let Some(lockstep) = &report.lockstep {
        lockstep.print();
    }
    report.unit.iter().flat_map(user_unit::Report::lines).for_each(|line| println!("{line}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_to_three_dimensions() {
        assert_eq!(dimensions("--grid", "4").unwrap(), [4, 1, 1]);
        assert_eq!(dimensions("--grid", "4,2,3").unwrap(), [4, 2, 3]);
        assert_eq!(dimensions("--grid", "1e3, 1_6").unwrap(), [1000, 16, 1]);
        for wrong in ["", "0", "1,2,3,4", "-1", "2,x"] {
            assert!(dimensions("--grid", wrong).is_err(), "{wrong}");
        }
    }
}
