//! `unruly`: the command. One file per subcommand; this one only parses and turns errors into exit codes.
//! It is a library, so that what the command reads can be given wrong texts without starting it (`readers`).

#![forbid(unsafe_code)]

mod area;
mod bugs;
mod builds;
mod calibrate;
mod checks;
mod claims;
mod config;
mod cosim;
mod digest;
mod exec;
mod exit;
mod extensions;
mod graph_options;
mod hardware;
mod implementations;
mod in_hardware;
mod includes;
mod kernel;
mod launch_shape;
mod limits;
mod list;
mod microbench;
mod mutate;
mod nvcc;
mod pages;
mod parameters;
mod plain_name;
mod progress;
mod prove;
pub mod readers;
mod record;
mod reproduce;
mod rows;
mod run;
mod shell;
mod simulate;
mod summary;
mod sweep;
mod toml_error;
mod unit_clock;
mod unit_tables;
mod user_cosim;
mod user_unit;
mod verilog;

use clap::{Parser, Subcommand};
use record::recorded;
use std::process::ExitCode;

/// Hardware for unruly GPU work: published GPU extensions as RTL, in lock-step with a cycle-level GPU model.
///
/// Whole numbers may be written 1000000, 1_000_000 or 1e6.
///
/// Exit codes: 0 good, 1 a check failed, 2 bad input, 3 a tool is missing, 130 interrupted.
///
/// Verilated models, the folder of `nvcc --cuda-home` and the area of units of your own are kept: in a checkout in .cache, elsewhere in
/// unruly in the user's cache. The environment variable UNRULY_CACHE names another folder. They are in its verilator, cuda and synth.
#[derive(Parser)]
#[command(version, max_term_width = 110)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Run(run::Args),
    Sweep(sweep::Args),
    Kernel(kernel::Args),
    Nvcc(nvcc::Args),
    Exec(exec::Args),
    Cosim(cosim::Args),
    Mutate(mutate::Args),
    Prove(prove::Args),
    Bugs(bugs::Args),
    Pages(pages::Args),
    Verilog(verilog::Args),
    Area(area::Args),
    Calibrate(calibrate::Args),
    Microbench(microbench::Args),
    Claims(claims::Args),
    Reproduce(reproduce::Args),
    List(list::Args),
    Config(config::Args),
}

/// The command line to its exit code.
pub fn main() -> ExitCode {
    // `unruly ... | head` ends quietly.
    sigpipe::reset();
    exit::watch_output();
    let cli = Cli::try_parse().unwrap_or_else(|error| {
        record::not_understood(&error);
        exit::usage(&error)
    });
    let result = match cli.command {
        Command::Run(args) => recorded(args, run::main),
        Command::Sweep(args) => recorded(args, sweep::main),
        Command::Kernel(args) => recorded(args, kernel::main),
        Command::Nvcc(args) => nvcc::main(args),
        Command::Exec(args) => recorded(args, exec::main),
        Command::Cosim(args) => recorded(args, cosim::main),
        Command::Mutate(args) => recorded(args, mutate::main),
        Command::Prove(args) => recorded(args, prove::main),
        Command::Bugs(args) => bugs::main(args),
        Command::Pages(args) => pages::main(args),
        Command::Verilog(args) => verilog::main(args),
        Command::Area(args) => recorded(args, area::main),
        Command::Calibrate(args) => recorded(args, calibrate::main),
        Command::Microbench(args) => recorded(args, microbench::main),
        Command::Claims(args) => recorded(args, claims::main),
        Command::Reproduce(args) => reproduce::main(args),
        Command::List(args) => recorded(args, list::main),
        Command::Config(args) => config::main(args),
    };
    exit::report(result)
}
