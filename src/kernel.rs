//! `unruly kernel`: a kernel of the user's own, on buffers of the user's own.

mod argument;
mod compile;
mod reorder;

use crate::exit::{self, CheckFailed, Interrupted};
use crate::limits::Limits;
use crate::output::{json_file, replace};
use crate::progress::{left, shown, Progress};
use crate::run::configuration;
use crate::summary;
use anyhow::{anyhow, bail, ensure, Context, Result};
use argument::{Argument, Outputs};
use reorder::Configuration;
use serde::Serialize;
use sim::config::Config;
use sim::exec::{AddressError, Cause};
use sim::gpu::{Gpu, Launch, RunError};
use sim::ptx::program::{Class, Program};
use sim::ptx::Module;
use sim::stats::Stats;
use sim::worklists;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Run a kernel of your own, from CUDA C++ or PTX, on buffers from files
///
/// CUDA C++ is compiled with clang, which needs no CUDA toolkit; the header `unruly_cuda.h` comes with this command and need not be
/// included. Buffers are raw little-endian bytes. Each --arg is one parameter of the kernel, in order:
/// a number (u8: u16: u32: u64: s8: s16: s32: s64: f32: f64:), a buffer (in:FILE, inout:FILE, out:FILE:BYTES; results are written
/// when the kernel has ended well), or the bytes of a structure (value:FILE).
///
/// Example: unruly kernel saxpy.cu --grid 4 --block 256 --arg u32:1000 --arg f32:0.5 --arg in:x.bin --arg inout:y.bin
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
    #[arg(long, value_name = "X[,Y[,Z]]")]
    grid: String,
    /// Threads of a CTA in each dimension
    #[arg(long, value_name = "X[,Y[,Z]]")]
    block: String,
    /// Dynamic shared memory of a CTA, bytes
    #[arg(long, default_value_t = 0, value_name = "BYTES")]
    shared: u32,
    /// A parameter of the kernel; may be repeated
    #[arg(long, value_name = "KIND:VALUE", allow_hyphen_values = true)]
    arg: Vec<String>,
    /// What `load_iru` takes, for a configuration with reorder units: arrays by the number of their --arg, from 1. For example
    /// target=3,indices=1,secondary=2,count=1000,filter=minimum
    #[arg(long, value_name = "KEY=VALUE,...")]
    configure_iru: Option<String>,
    /// Macro for the compiler; may be repeated
    #[arg(long, value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Keep the PTX that a .cu is compiled to, for the lines that messages name
    #[arg(long, value_name = "FILE")]
    ptx: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// Write the whole result to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct Report {
    kernel: String,
    file: String,
    config: String,
    grid: [u32; 3],
    block: [u32; 3],
    /// Bytes a CTA, static and dynamic together.
    shared_bytes: u32,
    /// 32-bit registers a thread.
    registers: u32,
    /// Bytes a thread.
    local_bytes: u32,
    arguments: Vec<String>,
    cycles: u64,
    warp_instructions: u64,
    thread_instructions: u64,
    /// Thread instructions a cycle, whole GPU.
    ipc: f64,
    statistics: Stats,
}

pub fn main(args: Args) -> Result<()> {
    let json = json_file(&args.json)?;
    let config = configuration(&args.config, &args.set)?;
    let (grid, block) = (dimensions("--grid", &args.grid)?, dimensions("--block", &args.block)?);
    let arguments = args.arg.iter().map(|text| text.parse()).collect::<Result<Vec<Argument>>>()?;
    let reorder = args.configure_iru.as_deref().map(str::parse::<Configuration>).transpose()?;
    let module = module(&args)?;
    let program = module.kernel(&entry(&module, &args)?)?;
    argument::check(&program, &arguments)?;
    reorder::check(&program, reorder.as_ref())?;
    let mut outputs = Outputs::prepare(&arguments)?;

    let mut gpu = gpu(&config, &program)?;
    args.limits.set(&mut gpu);
    gpu.memory_mut().place_statics(module.statics());
    let (params, addresses) = argument::place(&program, &arguments, &mut gpu)?;
    if let Some(configuration) = &reorder {
        gpu.configure_reorder(configuration.resolve(&arguments, &addresses)?)?;
    }
    let launch = Launch { grid, block, dynamic_shared: args.shared, params };
    gpu.set_interrupt(exit::interrupt_flag()?);
    let outcome = run(&mut gpu, &program, &launch);
    outcome.map_err(|error| classify(error, &arguments))?;
    outputs.write(&arguments, &addresses, gpu.memory())?;

    let statistics = gpu.stats().clone();
    let report = Report {
        kernel: program.name.clone(),
        file: args.file.display().to_string(),
        config: config.name.clone(),
        grid,
        block,
        shared_bytes: program.shared_bytes + args.shared,
        registers: program.registers,
        local_bytes: program.local_bytes,
        arguments: args.arg,
        cycles: statistics.cycles,
        warp_instructions: statistics.core.warp_instructions,
        thread_instructions: statistics.core.thread_instructions,
        ipc: statistics.ipc(),
        statistics,
    };
    json.map_or(Ok(()), |file| file.write(&report))?;
    print(&report, &config);
    Ok(())
}

/// `4`, `4,2` or `4,2,1`
fn dimensions(option: &str, text: &str) -> Result<[u32; 3]> {
    let parts = text.split(',').map(|part| part.trim().parse::<u32>().ok().filter(|n| *n > 0));
    let parts: Option<Vec<_>> = parts.collect();
    match parts.as_deref() {
        Some([x]) => Ok([*x, 1, 1]),
        Some([x, y]) => Ok([*x, *y, 1]),
        Some([x, y, z]) => Ok([*x, *y, *z]),
        _ => bail!("{option} {text}: write one to three numbers from 1 on, for example 16,16"),
    }
}

fn module(args: &Args) -> Result<Module> {
    let name = args.file.display();
    let read = |path: &Path| std::fs::read_to_string(path).with_context(|| format!("{}: cannot read", path.display()));
    match args.file.extension().and_then(|extension| extension.to_str()) {
        Some("ptx") => {
            ensure!(args.ptx.is_none(), "--ptx: {name} is PTX already");
            ensure!(args.define.is_empty(), "--define: {name} is PTX, which is not compiled");
            Ok(Module::parse(&name.to_string(), &read(&args.file)?)?)
        }
        Some("cu") => {
            // So that a missing file is not clang's to report.
            read(&args.file)?;
            let text = compile::to_ptx(&args.file, &args.define)?;
            let ptx = args.ptx.clone().unwrap_or_else(|| args.file.with_extension("ptx"));
            if args.ptx.is_some() {
                replace(&ptx, text.as_bytes()).with_context(|| format!("--ptx {}: cannot write", ptx.display()))?;
            }
            Ok(Module::parse(&ptx.display().to_string(), &text)?)
        }
        _ => bail!("{name}: the name must end with .cu (CUDA C++) or .ptx"),
    }
}

/// The kernel's name in the PTX.
fn entry(module: &Module, args: &Args) -> Result<String> {
    let entries = module.entries();
    let file = args.file.display();
    let names = || entries.iter().map(|name| format!("`{}`", plain_name(name))).collect::<Vec<_>>().join(", ");
    let Some(wanted) = &args.entry else {
        return match entries.as_slice() {
            [] => bail!("{file}: there is no kernel in it"),
            [only] => Ok(only.to_string()),
            _ => bail!("{file}: there are several kernels; name one of {} with --entry", names()),
        };
    };
    let plain: Vec<_> = entries.iter().filter(|name| plain_name(name) == wanted).collect();
    match (entries.contains(&wanted.as_str()), plain.as_slice()) {
        (true, _) => Ok(wanted.clone()),
        (false, [only]) => Ok(only.to_string()),
        (false, []) if entries.is_empty() => bail!("{file}: there is no kernel in it"),
        (false, []) => bail!("{file}: there is no kernel `{wanted}`; there is {}", names()),
        (false, several) => {
            let mangled: Vec<_> = several.iter().map(|name| format!("`{name}`")).collect();
            bail!("{file}: several kernels are called `{wanted}`; name one of {}", mangled.join(", "))
        }
    }
}

/// What a C++ compiler made `_Z3fooPi` or `_ZN2ns3fooEPi` of: `foo`.
fn plain_name(symbol: &str) -> &str {
    let Some(rest) = symbol.strip_prefix("_Z") else { return symbol };
    let mut rest = rest.strip_prefix('N').unwrap_or(rest);
    let mut name = symbol;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(length) = rest[..digits].parse::<usize>() else { return name };
        let Some(part) = rest[digits..].get(..length) else { return name };
        name = part;
        if !symbol.starts_with("_ZN") {
            return name;
        }
        rest = &rest[digits + length..];
    }
}

/// A GPU, with worklists if the kernel uses them, and with reorder units if it has any.
fn gpu(config: &Config, program: &Program) -> Result<Gpu> {
    let is_worklist = |class| matches!(class, Class::WorklistPull | Class::WorklistPush | Class::WorklistControl);
    let uses_it = program.code.iter().any(|instr| is_worklist(instr.class));
    let mut gpu = Gpu::new(config, if uses_it { worklists::behavioural(config)? } else { None });
    if let Some(unit) = sim::reorder::behavioural(config)? {
        gpu.set_reorder_unit(unit);
    }
    Ok(gpu)
}

fn run(gpu: &mut Gpu, program: &Program, launch: &Launch) -> Result<(), RunError> {
    let progress = std::sync::Arc::new(Progress::new(1));
    let (bar, name, started) = (progress.clone(), plain_name(&program.name).to_string(), Instant::now());
    gpu.set_observer(Box::new(move |progress| {
        bar.say(0, format!("{name}: {}{}", shown(progress), left(started.elapsed(), progress)));
    }));
    let outcome = gpu.launch(program, launch);
    progress.finish();
    outcome.map(|_| ())
}

/// What a kernel does wrong is a finding; a launch that cannot be is bad input.
fn classify(error: RunError, arguments: &[Argument]) -> anyhow::Error {
    match error {
        RunError::Interrupted { .. } => Interrupted(format!("\n{error}")).into(),
        RunError::Fault(ref fault) => {
            let hint = nearest_buffer(&fault.details().cause, arguments).map(|name| format!(", `--arg {name}`"));
            CheckFailed(format!("{error}{}", hint.unwrap_or_default())).into()
        }
        RunError::NoProgress { .. }
        | RunError::CycleLimit { .. }
        | RunError::Unit { .. }
        | RunError::WorklistConservation { .. }
        | RunError::Elements { .. } => CheckFailed(error.to_string()).into(),
        other => anyhow!(other),
    }
}

/// The argument that made the allocation that a message calls the nearest.
fn nearest_buffer<'a>(cause: &Cause, arguments: &'a [Argument]) -> Option<&'a str> {
    let Cause::Memory { error: AddressError::OutOfBounds { nearest, .. }, .. } = cause else { return None };
    let mut buffers = arguments.iter().filter(|argument| argument.is_buffer());
    buffers.nth(nearest.allocation()?).map(|argument| argument.text.as_str())
}

fn print(report: &Report, config: &Config) {
    let size = |[x, y, z]: [u32; 3]| format!("{x} x {y} x {z}");
    println!(
        "{} of {}: grid {}, block {}, {} registers a thread, {} bytes of shared memory a CTA; configuration {}",
        plain_name(&report.kernel),
        report.file,
        size(report.grid),
        size(report.block),
        report.registers,
        report.shared_bytes,
        report.config
    );
    summary::print(&[(plain_name(&report.kernel), &report.statistics)], config);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back_from_their_mangled_form() {
        for (symbol, name) in [
            ("_Z4copyPKfPfi", "copy"),
            ("_ZN3abc4copyEPf", "copy"),
            ("copy", "copy"),
            ("_Zoops", "_Zoops"),
            ("_Z99x", "_Z99x"),
        ] {
            assert_eq!(plain_name(symbol), name);
        }
    }

    #[test]
    fn one_to_three_dimensions() {
        assert_eq!(dimensions("--grid", "4").unwrap(), [4, 1, 1]);
        assert_eq!(dimensions("--grid", "4,2,3").unwrap(), [4, 2, 3]);
        for wrong in ["", "0", "1,2,3,4", "-1", "2,x"] {
            assert!(dimensions("--grid", wrong).is_err(), "{wrong}");
        }
    }
}
