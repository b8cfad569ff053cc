//! `unruly`: the command. One file per subcommand; this one only parses and turns errors into exit codes.

mod area;
mod calibrate;
mod cosim;
mod exit;
mod kernel;
mod limits;
mod list;
mod output;
mod parameters;
mod progress;
mod run;
mod simulate;
mod summary;
mod sweep;
mod verilog;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Hardware for unruly GPU work: published GPU extensions as RTL, in lock-step with a cycle-level GPU model.
///
/// Exit codes: 0 good, 1 a check failed, 2 bad input, 3 a tool is missing, 130 interrupted.
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
    Cosim(cosim::Args),
    Verilog(verilog::Args),
    Area(area::Args),
    Calibrate(calibrate::Args),
    List(list::Args),
}

fn main() -> ExitCode {
    // `unruly ... | head` ends quietly.
    sigpipe::reset();
    let cli = Cli::parse();
    let result = match cli.command {
        Command::Run(args) => run::main(args),
        Command::Sweep(args) => sweep::main(args),
        Command::Kernel(args) => kernel::main(args),
        Command::Cosim(args) => cosim::main(args),
        Command::Verilog(args) => verilog::main(args),
        Command::Area(args) => area::main(args),
        Command::Calibrate(args) => calibrate::main(args),
        Command::List(args) => list::main(args),
    };
    exit::report(result)
}
