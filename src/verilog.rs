//! `unruly verilog`: every unit of the catalogue as Verilog.

use crate::exit::{self, CheckFailed};
use crate::shell::shown;
use anyhow::Result;
use gen::output::{self, Form};
use std::path::{Path, PathBuf};

/// Write all units as Verilog-2005, one module a file, with a manifest
///
/// A size is a parameter of its module. Of modules with another structure for each size, the default size is written.
///
/// Example: unruly verilog --out verilog-out
#[derive(clap::Args)]
pub struct Args {
    /// Directory to write into [default: verilog-out]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write a module for each size of the catalogue, with numbers in place of parameters
    #[arg(long, requires = "out")]
    flat: bool,
    /// Write the parts of every size of the catalogue
    #[arg(long, requires = "out", conflicts_with = "flat")]
    every_size: bool,
    /// Write nothing; fail if the directory is not what the units say
    #[arg(long)]
    check: bool,
}

pub fn main(args: Args) -> Result<()> {
    let out = args.out.unwrap_or_else(|| PathBuf::from("verilog-out"));
    let form = match (args.flat, args.every_size) {
        (true, _) => Form::Flat,
        (_, true) => Form::EverySize,
        _ => Form::Parameters,
    };
    if !args.check {
        // To elaborate all units takes seconds: what cannot be written is said before.
        output::prepare(&out)?;
    }
    let files = output::catalog_files(form)?;
    if args.check {
        return match output::check_fresh(&out, &files) {
            Err(stale @ gen::Error::Stale { .. }) => {
                Err(CheckFailed(format!("{stale}: run `{}`", command(&out, form))).into())
            }
            other => {
                other?;
                println!("{}: every file is what the units say", out.display());
                Ok(())
            }
        };
    }
    // Writing takes a moment: Ctrl-C waits until all files are whole.
    let _whole = exit::interrupt_flag()?;
    let written = output::write(&out, &files)?;
    println!(
        "{}: {} files changed, {} unchanged, {} removed",
        out.display(),
        written.changed,
        written.unchanged,
        written.removed
    );
    Ok(())
}

/// The command that writes `out`.
fn command(out: &Path, form: Form) -> String {
    let form = match form {
        Form::Parameters => "",
        Form::EverySize => " --every-size",
        Form::Flat => " --flat",
    };
    format!("unruly verilog{form} --out {}", shown(&out.display().to_string()))
}
